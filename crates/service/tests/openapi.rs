//! The OpenAPI document is the one in docs/, and real answers look as it says.
#![allow(clippy::unwrap_used)]

mod serving;

use std::path::PathBuf;

use casino::{Fault, Plan, simulate};
use serde_json::Value;
use service::{Bounds, Limits};
use serving::{Served, agent, bound};

/// Starts a service that certifies, asks it, and stops it.
fn with_service(ask: impl FnOnce(&str)) {
    let folder = tempfile::tempdir().unwrap();
    let service = bound(&folder.path().join("log"), Limits::default(), Bounds::default());
    let served = Served::start(service.certify(&folder.path().join("follower")).unwrap());
    ask(&served.url);
}

fn get(url: &str) -> (u16, String) {
    let mut answer = agent().get(url).call().unwrap();
    (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
}

fn file() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json"))
}

#[test]
fn the_document_is_the_one_in_docs() {
    with_service(|url| {
        let (status, served) = get(&format!("{url}/openapi.json"));
        assert_eq!(status, 200);
        let kept = std::fs::read_to_string(file()).unwrap();
        let again = "cargo test -p service --test openapi -- --ignored writes it anew";
        assert!(served.trim() == kept.trim(), "docs/openapi.json is not what is served; {again}");
    });
}

#[test]
#[ignore = "writes docs/openapi.json"]
fn write_the_document() {
    with_service(|url| std::fs::write(file(), get(&format!("{url}/openapi.json")).1 + "\n").unwrap());
}

/// Holds a value against a schema: types, and names that must be there or may not.
fn hold(document: &Value, schema: &Value, value: &Value, at: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        return hold(document, document.pointer(&name[1..]).unwrap(), value, at);
    }
    if let Some(all) = schema["allOf"].as_array() {
        let mut names = Vec::new();
        all.iter().for_each(|part| names_of(document, part, &mut names));
        for (name, member) in value.as_object().unwrap() {
            let known: Vec<_> = names.iter().filter(|(known, _)| known == name).collect();
            assert_eq!(known.len(), 1, "{at}: `{name}` stands {} times in the document", known.len());
            hold(document, known[0].1, member, &format!("{at}.{name}"));
        }
        return;
    }
    let one_of = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    if let Some(choices) = one_of {
        if !value.is_null() {
            let choice = choices.iter().find(|choice| choice["type"] != "null").unwrap();
            hold(document, choice, value, at);
        }
        return;
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
    assert!(kinds.contains(&kind.into()), "{at}: {value} is not of {kinds:?}");
    if let Some(items) = value.as_array() {
        items.iter().for_each(|item| hold(document, &schema["items"], item, at));
    }
    if let (Some(members), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for (name, member) in members {
            let known = known.get(name).unwrap_or_else(|| panic!("{at}: `{name}` is not in the document"));
            hold(document, known, member, &format!("{at}.{name}"));
        }
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(members.contains_key(required.as_str().unwrap()), "{at} has no {required}");
        }
    }
}

fn names_of<'a>(document: &'a Value, schema: &'a Value, names: &mut Vec<(String, &'a Value)>) {
    if let Some(name) = schema["$ref"].as_str() {
        return names_of(document, document.pointer(&name[1..]).unwrap(), names);
    }
    let known = schema["properties"].as_object().into_iter().flatten();
    names.extend(known.map(|(name, schema)| (name.clone(), schema)));
}

#[test]
fn answers_look_as_the_document_says() {
    with_service(|url| {
        let document: Value = serde_json::from_str(&get(&format!("{url}/openapi.json")).1).unwrap();
        let book = baccarat::builtin("mini-punto-banco").unwrap();
        let fault = Fault::ALL.iter().copied().find(|fault| fault.code() == "natural-drawn");
        let lines: Vec<_> = simulate(&Plan { seed: 3, fault, ..Plan::new(book) }).lines.collect();
        let table = lines[0].table.to_string();
        let body: Vec<String> = lines.iter().map(|line| line.to_json().unwrap()).collect();
        let mut posted = ureq::post(format!("{url}/v1/tables/{table}/events"))
            .header("content-type", "application/x-ndjson")
            .send(body.join("\n"))
            .unwrap();
        let posted: Value = serde_json::from_str(&posted.body_mut().read_to_string().unwrap()).unwrap();
        let schema_of = |path: &str, status: &str| {
            let answers = &document["paths"][path]["post"]["responses"];
            let answers =
                if answers.is_null() { &document["paths"][path]["get"]["responses"] } else { answers };
            let content = answers[status]["content"].as_object().unwrap().clone();
            content.into_iter().next().unwrap().1["schema"].clone()
        };
        let events = "/v1/tables/{table}/events";
        hold(&document, &schema_of(events, "201"), &posted, "receipts");
        let event = &document["components"]["schemas"]["EventTold"];
        hold(&document, event, &serde_json::from_str(&body[0]).unwrap(), "event");
        while get(&format!("{url}/v1/findings")).1.contains("\"findings\":[]") {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let shoe = serde_json::from_str::<Value>(&get(&format!("{url}/v1/tables/{table}")).1).unwrap();
        let shoe = shoe["places"][0]["shoe"].as_str().unwrap().to_owned();
        for (path, asked) in [
            ("/v1/findings", "/v1/findings".to_owned()),
            ("/v1/certificate", "/v1/certificate".to_owned()),
            ("/v1/tables", "/v1/tables".to_owned()),
            ("/v1/tables/{table}", format!("/v1/tables/{table}")),
            ("/v1/tables/{table}/shoes/{shoe}", format!("/v1/tables/{table}/shoes/{shoe}")),
        ] {
            let (status, answer) = get(&format!("{url}{asked}"));
            assert_eq!(status, 200, "{asked}: {answer}");
            hold(&document, &schema_of(path, "200"), &serde_json::from_str(&answer).unwrap(), path);
        }
        let (status, problem) = get(&format!("{url}/v1/findings?colour=red"));
        assert_eq!(status, 400);
        hold(
            &document,
            &schema_of("/v1/findings", "400"),
            &serde_json::from_str(&problem).unwrap(),
            "problem",
        );
    });
}
