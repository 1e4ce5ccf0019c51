//! Schemas of what is read and written, as an OpenAPI document and as JSON Schemas (2020-12), from the types themselves.
//!
//! `utoipa` describes each type; here its description is made fit for others: one flat object for what is written as
//! one, bounds of integers, and no part that nothing refers to.

mod plain;

use replay::{Code, Reason};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema as _, ToSchema};

use plain::{integers, member_names, merged, parameters, referred_to, texts, without_null};

/// Where an OpenAPI document keeps its schemas, and where a JSON Schema does.
const COMPONENTS: &str = "#/components/schemas/";
const DEFS: &str = "#/$defs/";

/// An OpenAPI document as text.
///
/// # Errors
/// If it cannot be written as JSON.
pub(crate) fn document(mut document: Value) -> serde_json::Result<String> {
    let schemas = document.pointer_mut("/components/schemas").map(Value::take).unwrap_or_default();
    let Value::Object(schemas) = schemas else { return serde_json::to_string_pretty(&InOrder(&document)) };
    parameters(&mut document);
    texts(&mut document);
    integers(&mut document, true);
    let mut schemas = finished(schemas, &document, true);
    schemas.values_mut().for_each(without_null);
    document["components"]["schemas"] = Value::Object(schemas);
    serde_json::to_string_pretty(&InOrder(&document))
}

/// The JSON Schema of a type's JSON, with this name: the type, or one of several.
///
/// `id` becomes `urn:audit:schema:ID`. The schemas of all parts are in `$defs`.
#[must_use]
pub fn json_schema(id: &str, title: &str, choices: &[Described]) -> Value {
    let mut named = Map::new();
    let parts = choices.iter().flat_map(|described| &described.parts);
    named.extend(parts.map(|(name, schema)| (name.clone(), schema.clone())));
    let names: Vec<Value> =
        choices.iter().map(|choice| json!({"$ref": format!("{COMPONENTS}{}", choice.name)})).collect();
    let mut root = match &names[..] {
        [one] => one.clone(),
        several => json!({"anyOf": several}),
    };
    let mut defs = Value::Object(finished(named, &root, false));
    refer(&mut defs);
    refer(&mut root);
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("urn:audit:schema:{id}"),
        "title": title,
        "$defs": defs,
    });
    if let (Some(schema), Value::Object(root)) = (schema.as_object_mut(), root) {
        schema.extend(root);
    }
    schema
}

/// A type with the schemas of all its parts.
#[derive(Debug)]
pub struct Described {
    name: String,
    parts: Vec<(String, Value)>,
}

impl Described {
    /// Describes a type.
    #[must_use]
    pub fn of<T: ToSchema>() -> Self {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        // Where they are names of members alone, nobody else describes them.
        parts.push((Code::name().into_owned(), Code::schema()));
        parts.push((Reason::name().into_owned(), Reason::schema()));
        Code::schemas(&mut parts);
        Reason::schemas(&mut parts);
        let name = T::name().into_owned();
        parts.push((name.clone(), T::schema()));
        // A schema of texts and lists is always JSON.
        let json = |schema| serde_json::to_value(schema).unwrap_or_default();
        Self { name, parts: parts.into_iter().map(|(name, schema)| (name, json(schema))).collect() }
    }
}

/// A schema as text, as the files in `docs/` hold it.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn to_text(schema: &Value) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&InOrder(schema)).map(|text| text + "\n")
}

/// Flat objects, bounded integers, and only what `root` leads to.
fn finished(schemas: Map<String, Value>, root: &Value, formats: bool) -> Map<String, Value> {
    let mut flat: Map<String, Value> =
        schemas.iter().map(|(name, schema)| (name.clone(), merged(schema, &schemas))).collect();
    for schema in flat.values_mut() {
        member_names(schema, &schemas);
        texts(schema);
        integers(schema, formats);
    }
    let wanted = referred_to(root, &flat);
    flat.retain(|name, _| wanted.contains(name));
    flat
}

/// Refers to `$defs` in place of an OpenAPI document's schemas.
fn refer(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(name)) = members.get_mut("$ref")
                && let Some(local) = name.strip_prefix(COMPONENTS)
            {
                *name = format!("{DEFS}{local}");
            }
            members.values_mut().for_each(refer);
        }
        Value::Array(items) => items.iter_mut().for_each(refer),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Writes what a reader needs first before the rest, and of content types the one that generators should take.
struct InOrder<'a>(&'a Value);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by_key(|(name, _)| rank(name));
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, &Self(value))?;
                }
                map.end()
            }
            Value::Array(items) => serializer.collect_seq(items.iter().map(Self)),
            plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
                plain.serialize(serializer)
            }
        }
    }
}

fn rank(name: &str) -> u8 {
    match name {
        "openapi" | "$schema" | "application/json" => 0,
        "info" | "$id" => 1,
        "components" | "$defs" => 3,
        _ => 2,
    }
}
