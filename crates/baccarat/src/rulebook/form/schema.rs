//! The form of a rulebook file as JSON Schema, for editors that complete and check TOML.

use serde_json::{Map, Value, json};

use super::{Form, Key, Naming, keys};

/// The JSON Schema (draft 2020-12) of a rulebook file, overlays included. What a schema cannot say (that a
/// citation exists, that a day is in the calendar) only the program checks.
#[must_use]
pub fn json_schema() -> Value {
    let mut properties = members(keys());
    properties.insert(
        "extends".to_owned(),
        json!({
            "type": "string",
            "description": "a built-in rulebook's name, or a .toml file in the same folder / \
                            nombre de un reglamento incluido, o de un archivo .toml de la misma carpeta",
        }),
    );
    properties.insert("remove".to_owned(), json!({
        "type": "array",
        "items": { "type": "string" },
        "description": "dotted keys of the base that are taken away / claves con puntos de la base que se quitan",
    }));
    let mut whole = needed_in(keys());
    if let Some(properties) = whole.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("remove".to_owned(), json!(false));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rulebook of audit / Reglamento de audit",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "if": { "required": ["extends"] },
        "then": { "required": ["id", "title", "effective"] },
        "else": whole,
    })
}

/// What has to be there in a file that extends nothing, section by section.
fn needed_in(keys: &[Key]) -> Value {
    let needed: Vec<&str> = keys.iter().filter(|key| key.needed).map(|key| key.name).collect();
    let mut sections = Map::new();
    for key in keys {
        if let Form::Section(keys) = key.form {
            sections.insert(key.name.to_owned(), needed_in(keys));
        } else if let Form::Named(_, keys) = key.form {
            sections.insert(key.name.to_owned(), json!({ "additionalProperties": needed_in(keys) }));
        }
    }
    json!({ "required": needed, "properties": sections })
}

fn members(keys: &[Key]) -> Map<String, Value> {
    keys.iter().map(|key| (key.name.to_owned(), with_meaning(key))).collect()
}

fn with_meaning(key: &Key) -> Value {
    let mut schema = of(key.form);
    if let Some(object) = schema.as_object_mut() {
        object.insert("description".to_owned(), json!(format!("{} / {}", key.meaning, key.significado)));
    }
    schema
}

fn object(keys: &[Key]) -> Value {
    json!({ "type": "object", "properties": members(keys), "additionalProperties": false })
}

/// Rows of lists are never laid over others, so what they need they have.
fn row(keys: &[Key]) -> Value {
    let needed: Vec<&str> = keys.iter().filter(|key| key.needed).map(|key| key.name).collect();
    let mut row = object(keys);
    if let Some(object) = row.as_object_mut() {
        object.insert("required".to_owned(), json!(needed));
    }
    row
}

fn of(form: Form) -> Value {
    let number = |least: u64, most: u64| json!({ "type": "integer", "minimum": least, "maximum": most });
    let or_list =
        |one: Value| json!({ "anyOf": [one.clone(), { "type": "array", "items": one, "minItems": 1 }] });
    let bet = || json!({ "type": "string", "pattern": "^[a-z0-9-]{1,32}$" });
    match form {
        Form::Line => json!({ "type": "string", "minLength": 1, "maxLength": 200 }),
        Form::Prose => json!({ "type": "string", "maxLength": 2000 }),
        Form::Code => json!({ "type": "string", "pattern": "^[a-z0-9-]{1,64}$" }),
        Form::Day => json!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }),
        Form::Pays => json!({
            "type": "string",
            "pattern": "^([0-9]{1,10}:[0-9]{1,10}|[0-9]{1,10} for [0-9]{1,10}|push|lose)$",
        }),
        Form::Share => json!({ "type": "string", "pattern": "^[0-9]{1,10}/[0-9]{1,10}$" }),
        Form::Word(words) => json!({ "enum": words }),
        Form::Words(words) => or_list(json!({ "enum": words })),
        Form::Number(least, most) => number(least, most),
        Form::OneOrNumbers(least, most) => or_list(number(least, most)),
        Form::Numbers(least, most) => json!({ "type": "array", "items": number(least, most) }),
        Form::BurnValues => {
            json!({ "type": "array", "items": number(1, 13), "minItems": 13, "maxItems": 13 })
        }
        Form::Flag => json!({ "type": "boolean" }),
        Form::Citations => json!({ "type": "array", "items": { "type": "string" } }),
        Form::Bets => json!({ "type": "array", "items": bet() }),
        Form::TwoBets => json!({ "type": "array", "items": bet(), "minItems": 2, "maxItems": 2 }),
        Form::PuntoRow => json!({ "type": "string", "pattern": "^( *[TPOU]){8} *$" }),
        Form::BancaRows => json!({
            "type": "array",
            "items": { "type": "string", "pattern": "^( *[TPOU]){11} *$" },
            "minItems": 8,
            "maxItems": 8,
        }),
        Form::Points => json!({ "const": "1234567890000" }),
        Form::Section(keys) => object(keys),
        Form::Named(naming, keys) => {
            let mut named = json!({ "type": "object", "additionalProperties": object(keys) });
            let pattern = match naming {
                Naming::Citation => "^.{1,64}$",
                Naming::Bet => "^[a-z0-9-]{1,32}$",
                Naming::Irregularity => "^[a-z0-9-]{1,64}$",
            };
            if let Some(object) = named.as_object_mut() {
                object.insert("propertyNames".to_owned(), json!({ "pattern": pattern }));
            }
            named
        }
        Form::List(keys) => json!({ "type": "array", "items": row(keys) }),
    }
}
