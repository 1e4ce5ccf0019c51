//! The JSON Schema of a published statement (feature `schema`): a finding, or the withdrawal of one.

use std::borrow::Cow;

use replay::{Finding, TakenBack};
use utoipa::openapi::schema::OneOfBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::Published;

/// A finding with its number.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says how `Published` is written")]
struct PublishedFound {
    /// Its number, from 1.
    #[schema(minimum = 1)]
    number: u64,
    /// Log index of the entry that shows it.
    shown_by: u64,
    /// What was found.
    finding: Finding,
}

/// The withdrawal of an earlier finding, which a late event or a correction explains, with a number of its own.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says how `Published` is written")]
struct PublishedTakenBack {
    /// Its number, from 1.
    #[schema(minimum = 1)]
    number: u64,
    /// Log index of the entry that shows it.
    shown_by: u64,
    /// The finding that is taken back.
    taken_back: TakenBack,
}

impl PartialSchema for Published {
    fn schema() -> RefOr<Schema> {
        let either = OneOfBuilder::new()
            .description(Some(
                "A numbered statement: a finding, or the withdrawal of an earlier one. It is never edited.",
            ))
            .item(Ref::from_schema_name("PublishedFound"))
            .item(Ref::from_schema_name("PublishedTakenBack"));
        Schema::from(either.build()).into()
    }
}

impl ToSchema for Published {
    fn name() -> Cow<'static, str> {
        "PublishedFinding".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push(("PublishedFound".to_owned(), PublishedFound::schema()));
        schemas.push(("PublishedTakenBack".to_owned(), PublishedTakenBack::schema()));
        PublishedFound::schemas(schemas);
        PublishedTakenBack::schemas(schemas);
    }
}
