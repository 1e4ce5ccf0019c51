//! JSON Schemas of what is written as a text or a sum (feature `schema`).

use std::borrow::Cow;

use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{BetKind, Face, Money};

macro_rules! schema {
    ($type:ident, $schema:expr) => {
        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                Schema::Object($schema).into()
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                stringify!($type).into()
            }
        }
    };
}

fn text(pattern: &str, description: &str) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .pattern(Some(pattern))
        .description(Some(description))
        .build()
}

schema!(
    Money,
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Integer))
        .minimum(Some(0))
        .maximum(Some(Money::MAX_RECORDED.get()))
        .description(Some("A sum in minor units of the table's currency: cents of a euro."))
        .build()
);
schema!(
    Face,
    text(
        "^([A2-9TJQK][CDHS?]|\\?\\?)$",
        "A card: rank and suit, for example `7H`; `7?` where the suit was not read, `??` where nothing was."
    )
);
schema!(
    BetKind,
    text("^[a-z0-9-]{1,32}$", "A kind of bet, as the rulebook names it, for example `banca` or `dragon-7`.")
);
