//! What a document says of every operation, and no handler says for itself: headers of answers, the role that a token
//! needs, limits of a body, examples.

use axum::http::Method;
use serde_json::{Map, Value, json};

use crate::access::{Role, role_needed};
use intake::MOST_EVENTS;

/// Examples of parameters by name, of bodies by content type, of answers by operation and status.
const EXAMPLES: &str = include_str!("examples.json");
/// Operations whose answers are asked for anew each time.
const FRESH: &[&str] = &[
    "getCheckpoint",
    "getCertificate",
    "listFindings",
    "streamFindings",
    "listTables",
    "listRulebooks",
    "getTable",
    "getShoe",
    "getCoup",
];

/// Completes a document whose paths are as the router has them.
pub(super) fn complete(document: &mut Value) {
    document["components"]["headers"] = headers();
    // The file is part of this program, and a test reads it.
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap_or_default();
    for (path, operations) in members(&mut document["paths"]) {
        for (method, operation) in members(operations) {
            let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).unwrap_or_default();
            say_role(operation, role_needed(&method, path), method == Method::POST);
            say_headers(operation);
            give_examples(operation, &examples);
            if let Some(events) = operation.pointer_mut("/requestBody/content/application~1json/schema") {
                events["minItems"] = 1.into();
                events["maxItems"] = MOST_EVENTS.into();
            }
        }
    }
}

fn members(value: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    value.as_object_mut().into_iter().flatten()
}

fn headers() -> Value {
    let header = |description: &str, schema: Value| json!({"description": description, "schema": schema});
    let text = || json!({"type": "string"});
    json!({
        "RequestId": header(
            "The request's id in the service's log: the `x-request-id` of the request, or one that the service gave.",
            json!({"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"}),
        ),
        "RetryAfter": header(
            "Seconds after which the request is to be repeated.",
            json!({"type": "integer", "minimum": 0, "maximum": 86_400}),
        ),
        "Challenge": header("How a token is sent (RFC 6750); only where it is the token that is refused.", text()),
        "Allow": header("The methods that the path is for.", text()),
        "CacheControl": header("Whether and for how long the answer may be kept.", text()),
    })
}

/// A requirement of the scheme itself would make generated clients ask for a token where the service has none.
fn say_role(operation: &mut Value, role: Option<Role>, is_of_a_table: bool) {
    let Some(role) = role else {
        operation["security"] = json!([]);
        return say(operation, "Needs no token.");
    };
    operation["x-required-role"] = role.to_string().into();
    let of = if is_of_a_table { " for this table" } else { "" };
    say(operation, &format!("Where the service has tokens: one with the role `{role}`{of}, or `admin`."));
}

fn say(operation: &mut Value, sentence: &str) {
    let said = operation["description"].as_str().map(|text| format!("{text}\n\n")).unwrap_or_default();
    operation["description"] = format!("{said}{sentence}").into();
}

fn say_headers(operation: &mut Value) {
    let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
    for (status, answer) in members(&mut operation["responses"]) {
        let is_problem = answer["content"].get("application/problem+json").is_some();
        let mut names = vec![("x-request-id", "RequestId")];
        match &**status {
            "401" | "403" => names.push(("www-authenticate", "Challenge")),
            "405" => names.push(("allow", "Allow")),
            "429" | "503" if is_problem => names.push(("retry-after", "RetryAfter")),
            "200" if FRESH.contains(&&*id) || id == "getTile" => {
                names.push(("cache-control", "CacheControl"))
            }
            _ => {}
        }
        let refer = |(name, header): (&str, &str)| {
            (name.to_owned(), json!({"$ref": format!("#/components/headers/{header}")}))
        };
        answer["headers"] = names.into_iter().map(refer).collect::<Map<_, _>>().into();
    }
}

fn give_examples(operation: &mut Value, examples: &Value) {
    let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let example = parameter["name"].as_str().and_then(|name| examples["parameters"].get(name));
        if let Some(example) = example {
            parameter["example"] = example.clone();
        }
    }
    if let Some(content) = operation.pointer_mut("/requestBody/content") {
        for (kind, body) in members(content) {
            if let Some(example) = examples["bodies"].get(kind) {
                body["example"] = example.clone();
            }
        }
    }
    for (status, answer) in members(&mut operation["responses"]) {
        let answers = &examples["answers"];
        let example = answers[&id].get(status).or_else(|| answers["every"].get(status));
        if let (Some(example), Some(content)) = (example, answer.get_mut("content")) {
            members(content).for_each(|(_, body)| body["example"] = example.clone());
        }
    }
}
