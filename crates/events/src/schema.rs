//! JSON Schemas of events (feature `schema`): the texts with their bounds, and one object for each kind of event.

use std::borrow::Cow;

use utoipa::openapi::schema::{
    AdditionalProperties, KnownFormat, Object, ObjectBuilder, OneOfBuilder, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::kind::{every_kind, may_be_corrected};
use crate::*;

/// Schemas by their names, as [`ToSchema`] collects them.
type Named = Vec<(String, RefOr<Schema>)>;

macro_rules! schema {
    ($type:ident, $name:literal, $schema:expr) => {
        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                Schema::from($schema).into()
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                $name.into()
            }
        }
    };
}

fn text(pattern: &str, description: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .pattern(Some(pattern))
        .description(Some(description))
}

/// A text of so many bytes. A schema counts characters: the bound in bytes is narrower for other scripts than ASCII.
fn sentence(most: usize, description: &str) -> Object {
    let plain = "^[^\\x00-\\x1f\\x7f-\\x9f]+$";
    text(plain, description).min_length(Some(1)).max_length(Some(most)).build()
}

schema!(TableId, "TableId", text(
        "^[A-Za-z0-9._-]{1,64}$",
        "A table's id: 1 to 64 of ASCII letters, digits, `.`, `_` and `-`. One called `.` or `..` has no address."
    ).build());
schema!(
    Name,
    "Name",
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .description(Some(
            "A shoe's id, a pseudonym, a person on duty, a serial or a code: 1 to 64 bytes of UTF-8."
        ))
        .min_length(Some(1))
        .max_length(Some(64))
        .build()
);
schema!(Remark, "Remark", sentence(500, "A sentence somebody wrote down: 1 to 500 bytes of UTF-8."));
schema!(
    Data,
    "Data",
    sentence(4_096, "What an extension says, such as JSON or base64: 1 to 4,096 bytes of UTF-8.")
);
schema!(
    Hex32,
    "Hex32",
    text("^[0-9a-f]{64}$", "Thirty-two bytes as 64 lower-case hexadecimal digits.").build()
);
schema!(
    OccurredAt,
    "OccurredAt",
    text(
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}[^0-9][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6}0*)?([Zz]|[+-][0-9]{2}:[0-9]{2})$",
        "When, by the table's clock: RFC 3339 with an offset and at most six decimals, from 1970 to 9999."
    )
    .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
    .build()
);
schema!(
    RulebookDocument,
    "RulebookDocument",
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Object))
        .additional_properties(Some(AdditionalProperties::FreeForm(true)))
        .description(Some(
            "A whole rulebook, as `audit rules show ID --json` prints it: integers only, at most 48 KiB in canonical \
             spelling (RFC 8785), nested at most 64 deep, no key twice. docs/schemas/rulebook.schema.json describes its \
             members; they are not asked for here, since a rulebook of a newer format is recorded as well.",
        ))
        .build()
);

/// Whoever holds punto's cards: a word, or an object with the seat.
impl PartialSchema for Holder {
    fn schema() -> RefOr<Schema> {
        let word = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .enum_values(Some(["croupier"]))
            .build();
        let holder = OneOfBuilder::new().item(word).item(Ref::from_schema_name("HolderSeat"));
        Schema::from(holder.description(Some("Who holds punto's cards.")).build()).into()
    }
}

impl ToSchema for Holder {
    fn name() -> Cow<'static, str> {
        "Holder".into()
    }

    fn schemas(schemas: &mut Named) {
        schemas.push(("HolderSeat".to_owned(), HolderSeat::schema()));
    }
}

/// The player at a seat holds punto's cards.
#[derive(ToSchema)]
#[schema(title = "HolderSeat")]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "it is never made: it says how `Holder` is written")]
struct HolderSeat {
    /// The seat, from 1.
    #[schema(minimum = 1)]
    seat: u8,
}

/// What a correction says an event should have been: every kind of event but a correction.
pub(crate) struct CorrectedBody;

/// The object of one kind of event: its name, and its record.
fn named(number: u32, minor: u32, name: &str, record: &str) -> Schema {
    let description = format!("An event of kind {number}, since minor version {minor}.");
    let object = ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Object))
        .property(name, Ref::from_schema_name(record))
        .required(name)
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
        .description(Some(description));
    Schema::Object(object.build())
}

/// Name of the schema of a kind of event.
fn schema_name(name: &str) -> String {
    format!("{name}Event")
}

macro_rules! of_every_kind {
    ($($number:literal $minor:literal $name:ident $record:ident)+) => {
        const KINDS: &[(u32, &str)] = &[$(($number, stringify!($name))),+];

        fn all_schemas(schemas: &mut Named) {
            $(
                let object = named($number, $minor, stringify!($name), &<$record as ToSchema>::name());
                schemas.push((schema_name(stringify!($name)), object.into()));
                schemas.push((<$record as ToSchema>::name().into_owned(), <$record>::schema()));
                <$record as ToSchema>::schemas(schemas);
            )+
        }
    };
}
every_kind!(of_every_kind);

/// Exactly one of these kinds.
fn one_of(description: &str, kinds: impl Iterator<Item = &'static str>) -> RefOr<Schema> {
    let choice = OneOfBuilder::new().description(Some(description));
    let choice = kinds.fold(choice, |choice, name| choice.item(Ref::from_schema_name(schema_name(name))));
    Schema::from(choice.build()).into()
}

impl PartialSchema for Body {
    fn schema() -> RefOr<Schema> {
        let description = "What happened: an object whose only key is the event's name.";
        one_of(description, KINDS.iter().map(|(_, name)| *name))
    }
}

impl ToSchema for Body {
    fn name() -> Cow<'static, str> {
        "EventBody".into()
    }

    fn schemas(schemas: &mut Named) {
        all_schemas(schemas);
    }
}

impl PartialSchema for CorrectedBody {
    fn schema() -> RefOr<Schema> {
        let description = "What the event should have said; not itself a correction.";
        let others = KINDS.iter().filter(|(number, _)| may_be_corrected(*number));
        one_of(description, others.map(|(_, name)| *name))
    }
}

impl ToSchema for CorrectedBody {
    fn name() -> Cow<'static, str> {
        "CorrectedEventBody".into()
    }
}
