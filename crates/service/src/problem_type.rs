//! The types of problem documents: stable, one row each. `docs/integrating.md` has the same list, and a test compares
//! the two.

use std::borrow::Cow;

use utoipa::openapi::schema::{AnyOfBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

macro_rules! problem_types {
    ($($variant:ident $urn:literal $statuses:tt $meaning:literal)+) => {
        /// What kind of problem an answer reports. A type never changes its meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ProblemType {
            $(#[doc = $meaning] $variant,)+
        }

        impl ProblemType {
            /// Every type.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// As it is written in `type`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $urn,)+ }
            }

            /// The statuses with which it is answered.
            #[must_use]
            pub const fn statuses(self) -> &'static [u16] {
                match self { $(Self::$variant => &$statuses,)+ }
            }

            /// What it means.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)+ }
            }
        }
    };
}

problem_types! {
    Malformed "urn:audit:malformed" [400]
        "The body cannot be read, or something in it is not an event of this table. `line` and `column` say where. Nothing was recorded."
    Query "urn:audit:query" [400]
        "A parameter of the request is unknown or has a value that is not allowed. `parameter` names it, and `allowed` lists what it may be."
    Host "urn:audit:host" [400, 421]
        "The request names no host, or a host that this service is not called."
    WhoAreYou "urn:audit:who-are-you" [401]
        "A token is needed, or the one given is not known, revoked or expired."
    NotAllowed "urn:audit:not-allowed" [403]
        "The token is good, but not for this."
    Origin "urn:audit:origin" [403]
        "The request comes from a web page that is not of this service."
    Absent "urn:audit:absent" [404]
        "It does not exist, or this service does not certify."
    Method "urn:audit:method" [405]
        "The path exists, but not for this method."
    TooSlow "urn:audit:too-slow" [408]
        "The body came too slowly. Nothing was recorded: post it again."
    Conflict "urn:audit:conflict" [409]
        "Other events have numbers of this post. All of them are recorded side by side, and the answer has the receipts."
    TooLarge "urn:audit:too-large" [413]
        "The body is too large. Nothing was recorded: send fewer events at once."
    MediaType "urn:audit:media-type" [415]
        "The content type is not read, or the body is compressed. Nothing was recorded."
    Busy "urn:audit:busy" [429]
        "Too much is asked at once. Nothing was recorded: repeat the request after `Retry-After`."
    Fault "urn:audit:fault" [500]
        "A defect of this program. A post may be recorded: post it again, nothing is recorded twice."
    Stopped "urn:audit:stopped" [503]
        "The log has stopped, for example because the disk is full. Nothing is acknowledged: repeat the request after `Retry-After`."
    NotYet "urn:audit:not-yet" [503]
        "It will exist soon: repeat the request after `Retry-After`."
}

/// The schema of the types that this version knows.
struct KnownProblemType;

impl PartialSchema for KnownProblemType {
    fn schema() -> RefOr<Schema> {
        let rows = ProblemType::ALL.iter().map(|kind| format!("\n- `{}`: {}", kind.as_str(), kind.meaning()));
        let description =
            format!("The types of problems that this version knows:\n{}", rows.collect::<String>());
        let text = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .enum_values(Some(ProblemType::ALL.iter().map(|kind| kind.as_str())))
            .description(Some(description));
        Schema::Object(text.build()).into()
    }
}

/// Any text: a client that was generated before a type was added reads it all the same.
impl PartialSchema for ProblemType {
    fn schema() -> RefOr<Schema> {
        let open = AnyOfBuilder::new()
            .item(Ref::from_schema_name("KnownProblemType"))
            .item(ObjectBuilder::new().schema_type(SchemaType::new(Type::String)))
            .description(Some("The stable type of a problem. A newer version may know more of them."));
        Schema::AnyOf(open.build()).into()
    }
}

impl ToSchema for ProblemType {
    fn name() -> Cow<'static, str> {
        "ProblemType".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push(("KnownProblemType".to_owned(), KnownProblemType::schema()));
    }
}
