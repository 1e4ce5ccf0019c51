//! Reads records from JSON objects only. The readers that serde derives also accept an array of the fields in
//! order, which is not documented and would break with the next field.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use crate::kind::{NAMES, every_kind};
use crate::name::Text;
use crate::*;

/// Reads a record; an array is refused.
pub(crate) fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    ObjectOnly::<T>::deserialize(deserializer).map(|read| read.0)
}

/// Reads a list of records.
pub(crate) fn objects<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let read = Vec::<ObjectOnly<T>>::deserialize(deserializer)?;
    Ok(read.into_iter().map(|read| read.0).collect())
}

/// Reads a record or null.
pub(crate) fn optional_object<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::<ObjectOnly<T>>::deserialize(deserializer)?.map(|read| read.0))
}

struct ObjectOnly<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ObjectOnly<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Record(PhantomData).deserialize(deserializer).map(Self)
    }
}

struct Record<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Record<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Record<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the fields by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members))
    }
}

/// An object whose only key is the event's name.
struct Named;

macro_rules! read_by_name {
    ($($number:literal $minor:literal $name:ident $record:ident)+) => {
        fn read_named<'de, A: MapAccess<'de>>(name: &str, members: &mut A) -> Result<Body, A::Error> {
            match name {
                $(stringify!($name) => {
                    let record = members.next_value_seed(Record::<$record>(PhantomData))?;
                    Ok(Body::$name(record.into()))
                })+
                other => Err(A::Error::unknown_variant(other, NAMES)),
            }
        }
    };
}
every_kind!(read_by_name);

impl<'de> Visitor<'de> for Named {
    type Value = Body;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object whose only key is the event's name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Body, A::Error> {
        let Some(Text(name)) = members.next_key::<Text<'de>>()? else {
            return Err(A::Error::custom("an object without the event's name"));
        };
        let body = read_named(&name, &mut members)?;
        match members.next_key::<Text<'de>>()? {
            None => Ok(body),
            Some(Text(second)) => Err(A::Error::custom(format!(
                "`{name}` is followed by `{second}`; a line holds one event, under one name"
            ))),
        }
    }
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Named)
    }
}
