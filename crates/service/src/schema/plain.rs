//! What is done to single schemas.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::COMPONENTS;

/// The schema with each `allOf` of objects as one object: what is written as one object is described as one.
pub(super) fn merged(schema: &Value, all: &Map<String, Value>) -> Value {
    match schema {
        Value::Object(members) => {
            let mut members: Map<String, Value> =
                members.iter().map(|(name, value)| (name.clone(), merged(value, all))).collect();
            if let Some(parts) = members.remove("allOf") {
                let description = members.remove("description");
                let mut whole = one_object(&parts, all);
                whole.extend(members);
                whole.extend(description.map(|text| ("description".to_owned(), text)));
                return Value::Object(whole);
            }
            Value::Object(members)
        }
        Value::Array(items) => items.iter().map(|item| merged(item, all)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

/// The members of all parts, whichever schema they are in.
fn one_object(parts: &Value, all: &Map<String, Value>) -> Map<String, Value> {
    let (mut properties, mut required) = (Map::new(), BTreeSet::new());
    for part in parts.as_array().into_iter().flatten() {
        let part = match part["$ref"].as_str().and_then(|name| all.get(name.strip_prefix(COMPONENTS)?)) {
            Some(named) => merged(named, all),
            None => part.clone(),
        };
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        let names = part["required"].as_array().into_iter().flatten();
        required.extend(names.filter_map(Value::as_str).map(str::to_owned));
    }
    let required: Vec<Value> = required.into_iter().map(Value::from).collect();
    let members =
        [("type", "object".into()), ("properties", properties.into()), ("required", required.into())];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Bounds and formats of integers. OpenAPI knows `int32` and `int64` alone; a JSON Schema knows no formats of integers.
pub(super) fn integers(schema: &mut Value, formats: bool) {
    match schema {
        Value::Object(members) => {
            if is_integer(members.get("type")) {
                bound(members, formats);
            }
            members.values_mut().for_each(|value| integers(value, formats));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| integers(item, formats)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_integer(kind: Option<&Value>) -> bool {
    match kind {
        Some(Value::String(kind)) => kind == "integer",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "integer"),
        _ => false,
    }
}

fn bound(members: &mut Map<String, Value>, formats: bool) {
    let (least, most, format) = match members.remove("format").as_ref().and_then(Value::as_str) {
        Some("u-int8") => (0.into(), u8::MAX.into(), "int32"),
        Some("u-int16") => (0.into(), u16::MAX.into(), "int32"),
        Some("u-int32") => (0.into(), u32::MAX.into(), "int64"),
        // As near as JSON's own numbers come to it.
        Some("u-int128") => (0.into(), 2_f64.powi(128).into(), "int64"),
        Some("int32") => (i32::MIN.into(), i32::MAX.into(), "int32"),
        Some("int64") if !members.contains_key("minimum") => (i64::MIN.into(), i64::MAX.into(), "int64"),
        // A `u64`, or a `usize`.
        _ => (Value::from(0), Value::from(u64::MAX), "int64"),
    };
    members.entry("minimum").or_insert(least);
    members.entry("maximum").or_insert(most);
    if formats {
        members.insert("format".to_owned(), format.into());
    }
}

/// What names of members may be, by the name of its schema: it is long.
pub(super) fn member_names(schema: &mut Value, all: &Map<String, Value>) {
    match schema {
        Value::Object(members) => {
            if let Some(names) = members.get_mut("propertyNames")
                && let Some((name, _)) = all.iter().find(|(_, schema)| *schema == names)
            {
                *names = json!({"$ref": format!("{COMPONENTS}{name}")});
            }
            members.values_mut().for_each(|value| member_names(value, all));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| member_names(item, all)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What may be left out of an event need not be null as well: generated code that tells the two apart is harder to use,
/// and some generators check it wrongly. A reader takes null all the same.
pub(super) fn without_null(record: &mut Value) {
    if record["additionalProperties"] != false {
        return;
    }
    let properties = record.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        let choices = property["oneOf"].as_array().cloned().unwrap_or_default();
        let others: Vec<_> = choices.iter().filter(|choice| choice["type"] != "null").collect();
        if let ([one], true) = (&others[..], choices.len() == 2) {
            *property = (*one).clone();
        }
        one_kind(property);
    }
}

/// One type where null is another.
fn one_kind(schema: &mut Value) {
    if let Some(kinds) = schema["type"].as_array() {
        let kind = kinds.iter().find(|kind| *kind != "null").cloned();
        schema["type"] = kind.unwrap_or_default();
    }
}

/// A parameter that may be left out is never null.
pub(super) fn parameters(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    let operations = paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut);
    for operation in operations {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            one_kind(&mut parameter["schema"]);
        }
    }
}

/// Texts for people: no links that only Rust's documentation follows, and summaries of one line.
pub(super) fn texts(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if let Value::String(text) = value {
                    *text = shown(name, text);
                }
                texts(value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(texts),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The text of a member, for people.
fn shown(name: &str, text: &str) -> String {
    match name {
        "description" => text.replace("[`", "`").replace("`]", "`"),
        "summary" => text.replace('\n', " "),
        _ => text.to_owned(),
    }
}

/// Names of the schemas that a value leads to, directly or through others.
pub(super) fn referred_to(root: &Value, all: &Map<String, Value>) -> BTreeSet<String> {
    let (mut found, mut ahead) = (BTreeSet::new(), vec![root]);
    while let Some(value) = ahead.pop() {
        match value {
            Value::Object(members) => {
                let name = members.get("$ref").and_then(Value::as_str);
                let name = name.and_then(|name| name.strip_prefix(COMPONENTS));
                if let Some(name) = name
                    && found.insert(name.to_owned())
                {
                    ahead.extend(all.get(name));
                }
                ahead.extend(members.values());
            }
            Value::Array(items) => ahead.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    found
}
