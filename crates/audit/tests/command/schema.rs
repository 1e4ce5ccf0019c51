//! Compares JSON with a schema of `audit schema`.

use serde_json::Value;

/// Whether JSON is what a schema says, and has no member that the schema does not name.
pub fn fits(schema: &Value, value: &Value) -> Result<(), String> {
    fits_at(schema, schema, value, "$")
}

/// Whether a part of JSON is what a part of a schema says.
fn fits_at(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = &root["$defs"][name.trim_start_matches("#/$defs/")];
        return fits_at(root, schema, value, at);
    }
    for choices in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[choices].as_array() {
            let wrong = choices.iter().map(|choice| fits_at(root, choice, value, at)).filter_map(Result::err);
            let wrong: Vec<String> = wrong.collect();
            return if wrong.len() < choices.len() { Ok(()) } else { Err(wrong.join("; ")) };
        }
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    if !schema["type"].is_null() && !kinds.contains(&kind.into()) {
        return Err(format!("{at}: {value} is not of {kinds:?}"));
    }
    let words = schema["enum"].as_array();
    // A newer program may know more codes, but this one prints what it describes.
    if words.is_some_and(|words| !words.contains(value)) {
        return Err(format!("{at}: {value} is none of {words:?}"));
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        let first = schema["prefixItems"].get(index).unwrap_or(&schema["items"]);
        fits_at(root, first, item, &format!("{at}[{index}]"))?;
    }
    let Some(members) = value.as_object() else { return Ok(()) };
    for (name, member) in members {
        match schema["properties"].get(name).unwrap_or(&schema["additionalProperties"]) {
            Value::Bool(true) => {}
            Value::Object(named) => {
                fits_at(root, &Value::Object(named.clone()), member, &format!("{at}.{name}"))?;
            }
            Value::Null | Value::Bool(false) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return Err(format!("{at}: `{name}` is not in the schema"));
            }
        }
    }
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing: Vec<_> = required.filter(|name| !members.contains_key(*name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("{at} has no {missing:?}")) }
}
