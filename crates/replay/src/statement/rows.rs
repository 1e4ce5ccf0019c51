//! The form of the tables of statements: a row has a name in JSON, fields, English and Spanish.
//!
//! The tables go through [`Value`] on their way from and to JSON: code that serde derives for some two hundred kinds would
//! take longer to compile than the judge.

use serde::de::{DeserializeOwned, Error};
use serde_json::{Map, Value};

use super::said::Say;

/// A kind of statement, as `docs/statements.md` lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Its name in JSON, the `kind` of the object.
    pub kind: &'static str,
    /// The other fields of the object.
    pub fields: &'static [Field],
    /// Its English, with the names of fields in braces.
    pub english: &'static str,
    /// Its Spanish, with the same names.
    pub spanish: &'static str,
}

/// A field of a kind of statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// What it holds: a word that `docs/statements.md` explains.
    pub holds: &'static str,
    /// Whether it is a list of these.
    pub list: bool,
}

/// The fields of a statement in JSON, in their order.
pub(super) type Fields = Vec<(&'static str, serde_json::Result<Value>)>;

/// Takes a field out of an object.
pub(super) fn take<T: DeserializeOwned>(
    fields: &mut Map<String, Value>,
    name: &'static str,
) -> serde_json::Result<T> {
    let value = fields.remove(name).ok_or_else(|| serde_json::Error::missing_field(name))?;
    serde_json::from_value(value)
}

/// Takes a field of a statement. A list that an earlier version did not write is empty.
pub(super) fn take_said<T: DeserializeOwned + Say>(
    fields: &mut Map<String, Value>,
    name: &'static str,
) -> serde_json::Result<T> {
    if T::LIST && !fields.contains_key(name) {
        return serde_json::from_value(Value::Array(Vec::new()));
    }
    take(fields, name)
}

/// Makes an enum of a table: `Variant "kind" { field: Type } "English {field}" "Spanish {field}"`.
macro_rules! statements {
    (
        $(#[$doc:meta])*
        $table:ident
        $($variant:ident $kind:literal $({ $($field:ident: $type:ty),+ $(,)? })? $english:literal $spanish:literal)+
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the text says what the fields are")]
        pub enum $table {
            $(
                #[doc = $english]
                $variant $({ $($field: $type),+ })?,
            )+
        }

        impl $table {
            pub(super) const KINDS: &[$crate::statement::Kind] = &[$(
                $crate::statement::Kind {
                    kind: $kind,
                    fields: &[$($(
                        $crate::statement::Field {
                            name: stringify!($field),
                            holds: <$type as $crate::statement::said::Say>::HOLDS,
                            list: <$type as $crate::statement::said::Say>::LIST,
                        },
                    )+)?],
                    english: $english,
                    spanish: $spanish,
                },
            )+];

            pub(super) const fn kind(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $kind,)+ }
            }

            pub(super) fn fields(&self) -> $crate::statement::rows::Fields {
                match self {$(
                    Self::$variant $({ $($field),+ })? => vec![$($(
                        (stringify!($field), serde_json::to_value($field)),
                    )+)?],
                )+}
            }

            /// The statement of a kind; `None` where the kind stands in another table.
            pub(super) fn read(
                kind: &str,
                fields: &mut serde_json::Map<String, serde_json::Value>,
            ) -> serde_json::Result<Option<Self>> {
                Ok(Some(match kind {
                    $($kind => Self::$variant $({
                        $($field: $crate::statement::rows::take_said(fields, stringify!($field))?),+
                    })?,)+
                    _ => return Ok(None),
                }))
            }

            pub(super) fn write(
                &self,
                style: &$crate::statement::Style<'_>,
                f: &mut std::fmt::Formatter<'_>,
            ) -> std::fmt::Result {
                match self {$(
                    Self::$variant $({ $($field),+ })? => {
                        $($(
                            let $field = &$crate::statement::said::Said { value: $field, style };
                        )+)?
                        match style.language {
                            $crate::Language::English => write!(f, $english),
                            $crate::Language::Spanish => write!(f, $spanish),
                        }
                    }
                )+}
            }
        }
    };
}
pub(super) use statements;
