//! JSON Schemas of what is written as one of several words (feature `schema`).

use std::borrow::Cow;

use utoipa::openapi::schema::{AdditionalProperties, AnyOfBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::finding::Written;
use crate::ledger::{
    BetKey, BetLine, BoxKey, BoxLine, NotKnown, NotKnownKey, Owed, OwedKey, Results, ResultsKey, ShoeKey,
    ShoeLine,
};
use crate::{Code, Counts, Finding, Reason, Statement};

/// Lists of a ledger, as they are written: each row with the members of its key and its sums.
macro_rules! rows {
    ($($(#[doc = $doc:literal])+ $rows:ident $row:ident $key:ident $sums:ident;)+) => {
        $(
            $(#[doc = $doc])+
            #[derive(ToSchema)]
            #[allow(dead_code, reason = "it is never made: it says how rows are written")]
            pub(crate) struct $rows {
                /// The first 20,000 of them.
                rows: Vec<$row>,
                /// Whether there are more in the log than these.
                is_cut: bool,
            }

            /// A row.
            #[derive(ToSchema)]
            #[allow(dead_code, reason = "it is never made: it says how rows are written")]
            pub(crate) struct $row {
                #[serde(flatten)]
                key: $key,
                #[serde(flatten)]
                sums: $sums,
            }
        )+
    };
}

rows! {
    /// Shoes, by table and in the order of play.
    ShoeRows ShoeRow ShoeKey ShoeLine;
    /// Money of findings, by table, seat and player.
    OwedRows OwedRow OwedKey Owed;
    /// Coups of whose money something is not known, by currency.
    NotKnownRows NotKnownRow NotKnownKey NotKnown;
    /// Commission boxes of shoes that are over, by table and seat.
    BoxRows BoxRow BoxKey BoxLine;
    /// Results of the coups, by rulebook.
    ResultsRows ResultsRow ResultsKey Results;
    /// Bets that were settled, by rulebook, currency and kind.
    BetRows BetRow BetKey BetLine;
}

/// Coups of a shoe by result.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says how they are written")]
pub(crate) struct CoupsByResult {
    /// The coups.
    coups: Counts,
}

/// A verdict, as it is written.
#[derive(ToSchema)]
#[schema(as = Verdict)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code, reason = "it is never made: it says how verdicts are written")]
pub enum VerdictText {
    /// Shown.
    Yes,
    /// Refuted.
    No,
    /// Neither.
    Unknown,
}

/// Where the verifier key comes from, as it is written: `given` by the inspector or `carried` by the log itself.
#[derive(ToSchema)]
#[schema(as = KeyTrust)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code, reason = "it is never made: it says how the origin of a key is written")]
pub enum KeyTrustText {
    /// By the inspector.
    Given,
    /// By the log itself.
    Carried,
}

/// Describes words that a newer program may add to: the type's schema takes any text, and names the words of this program
/// in a schema of its own (`$known`), which a request may have to keep to.
macro_rules! open_words {
    ($type:ident $name:literal, $known:ident $known_name:literal, $words:expr, $description:literal) => {
        /// The words of this program.
        #[derive(Debug)]
        pub struct $known;

        impl PartialSchema for $known {
            fn schema() -> RefOr<Schema> {
                let text = ObjectBuilder::new()
                    .schema_type(SchemaType::new(Type::String))
                    .enum_values(Some($words))
                    .description(Some(concat!($description, " The words that this version knows.")));
                Schema::Object(text.build()).into()
            }
        }

        impl ToSchema for $known {
            fn name() -> Cow<'static, str> {
                $known_name.into()
            }
        }

        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                let any = ObjectBuilder::new().schema_type(SchemaType::new(Type::String));
                let open = AnyOfBuilder::new()
                    .item(Ref::from_schema_name($known_name))
                    .item(any)
                    .description(Some(concat!($description, " A newer version may know more of them.")));
                Schema::AnyOf(open.build()).into()
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                $name.into()
            }

            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                schemas.push(($known_name.to_owned(), $known::schema()));
            }
        }
    };
}

open_words!(
    Code "Code",
    KnownCode "KnownCode",
    Code::ALL.iter().map(|code| code.as_str()),
    "The stable code of a finding (docs/findings.md)."
);
open_words!(
    Reason "Reason",
    KnownReason "KnownReason",
    Reason::ALL.iter().map(|reason| reason.as_str()),
    "Why a coup or a shoe is undecided (docs/findings.md)."
);

/// The kind of a statement.
pub(crate) struct StatementKind;

open_words!(
    StatementKind "StatementKind",
    KnownStatementKind "KnownStatementKind",
    Statement::kinds().map(|kind| kind.kind),
    "Which statement it is: it says which other members there are (docs/statements.md)."
);

/// A finding is written as `Written`.
impl utoipa::__dev::ComposeSchema for Finding {
    fn compose(generics: Vec<RefOr<Schema>>) -> RefOr<Schema> {
        Written::compose(generics)
    }
}

impl ToSchema for Finding {
    fn name() -> Cow<'static, str> {
        "Finding".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        Written::schemas(schemas);
    }
}

/// A statement as an object: what was expected, or recorded.
pub(crate) struct StatementObject;

impl PartialSchema for StatementObject {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::Object))
            .property("kind", Ref::from_schema_name("StatementKind"))
            .required("kind")
            .additional_properties(Some(AdditionalProperties::FreeForm(true)))
            .description(Some("What was expected or recorded, as an object on which a program can compute."));
        Schema::Object(object.build()).into()
    }
}

impl ToSchema for StatementObject {
    fn name() -> Cow<'static, str> {
        "Statement".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push(("StatementKind".to_owned(), StatementKind::schema()));
        StatementKind::schemas(schemas);
    }
}
