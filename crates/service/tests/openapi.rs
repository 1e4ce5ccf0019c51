//! The OpenAPI document is the one in docs/, and real answers look as it says.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use casino::{Fault, Plan, simulate};
use serde_json::Value;
use service::{Bounds, Limits};

use crate::serving::{Served, agent, bound};

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
        let again = "`cargo xtask generate` writes it anew";
        assert!(served.trim() == kept.trim(), "docs/openapi.json is not what is served; {again}");
    });
}

#[test]
#[ignore = "writes docs/openapi.json"]
fn the_document_is_written_anew() {
    with_service(|url| std::fs::write(file(), get(&format!("{url}/openapi.json")).1 + "\n").unwrap());
}

/// Holds a value against a schema: types, bounds, words, and names that must be there or may not.
fn hold(document: &Value, schema: &Value, value: &Value, at: &str) {
    fits(document, schema, value, at).unwrap_or_else(|why| panic!("{why}"));
}

fn fits(document: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        return fits(document, document.pointer(&name[1..]).unwrap(), value, at);
    }
    assert!(
        schema["allOf"].is_null(),
        "{at}: objects are described as one, so that generated code has one class"
    );
    if let Some(choices) = schema["oneOf"].as_array() {
        let tried: Vec<_> = choices.iter().map(|choice| fits(document, choice, value, at)).collect();
        let fitting = tried.iter().filter(|tried| tried.is_ok()).count();
        return if fitting == 1 {
            Ok(())
        } else {
            Err(format!("{at}: {fitting} choices fit {value}: {tried:?}"))
        };
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let tried: Vec<_> = choices.iter().map(|choice| fits(document, choice, value, at)).collect();
        return if tried.iter().any(Result::is_ok) { Ok(()) } else { Err(format!("{at}: {tried:?}")) };
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
    if !kinds.contains(&kind.into()) {
        return Err(format!("{at}: {value} is not of {kinds:?}"));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return Err(format!("{at}: {value} is none of {words:?}"));
    }
    if let (Some(number), Some(most)) = (value.as_u64(), schema["maximum"].as_u64())
        && number > most
    {
        return Err(format!("{at}: {number} is more than {most}"));
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        fits(document, &schema["items"], item, &format!("{at}[{index}]"))?;
    }
    let Some(members) = value.as_object() else { return Ok(()) };
    let known = schema["properties"].as_object();
    for (name, member) in members {
        let schema = known.and_then(|known| known.get(name)).unwrap_or(&schema["additionalProperties"]);
        match schema {
            Value::Bool(true) => {}
            Value::Object(_) => fits(document, schema, member, &format!("{at}.{name}"))?,
            Value::Null | Value::Bool(false) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return Err(format!("{at}: `{name}` is not in the document"));
            }
        }
    }
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing: Vec<_> = required.filter(|name| !members.contains_key(*name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("{at} has no {missing:?}")) }
}

fn kept() -> Value {
    serde_json::from_str(&std::fs::read_to_string(file()).unwrap()).unwrap()
}

/// All values under this key, wherever it is.
fn every<'a>(value: &'a Value, key: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get(key));
            members.values().for_each(|value| every(value, key, found));
        }
        Value::Array(items) => items.iter().for_each(|value| every(value, key, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The generators of five languages refused a document in which one id stood twice.
#[test]
fn operations_have_ids_of_their_own_that_make_good_names() {
    let (document, mut ids) = (kept(), Vec::new());
    every(&document["paths"], "operationId", &mut ids);
    let ids: Vec<&str> = ids.into_iter().map(|id| id.as_str().unwrap()).collect();
    let operations: usize =
        document["paths"].as_object().unwrap().values().map(|path| path.as_object().unwrap().len()).sum();
    assert_eq!(ids.len(), operations, "every operation has an id");
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    for id in ids {
        let verb = ["get", "list", "post", "stream"].iter().any(|verb| id.starts_with(verb));
        assert!(verb && id.bytes().all(|byte| byte.is_ascii_alphabetic()), "{id}");
    }
}

#[test]
fn schemas_are_all_used_and_have_names_of_the_field() {
    let (document, mut used) = (kept(), Vec::new());
    every(&document, "$ref", &mut used);
    let used: Vec<&str> = used.into_iter().map(|name| name.as_str().unwrap()).collect();
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(used.contains(&&*format!("#/components/schemas/{name}")), "{name} is not used");
        for homely in ["Told", "Schema", "Standing", "_"] {
            assert!(!name.contains(homely), "{name}");
        }
    }
    for name in used {
        assert!(document.pointer(&name[1..]).is_some(), "{name} leads nowhere");
    }
}

#[test]
fn events_are_one_of_all_kinds_and_json_is_the_first_form_of_a_body() {
    let document = kept();
    let kinds = document["components"]["schemas"]["EventBody"]["oneOf"].as_array().unwrap();
    assert_eq!(kinds.len(), events::KINDS);
    let corrected = document["components"]["schemas"]["CorrectedEventBody"]["oneOf"].as_array().unwrap();
    // A correction says neither that an event was a correction nor that it was an extension.
    assert_eq!(corrected.len(), events::KINDS - 2);
    let text = std::fs::read_to_string(file()).unwrap();
    let body = &text[text.find("\"requestBody\"").unwrap()..];
    let at = |name: &str| body.find(&format!("\"{name}\"")).unwrap();
    assert!(
        ["application/cbor", "application/x-ndjson"].iter().all(|other| at("application/json") < at(other))
    );
}

#[test]
fn every_operation_that_may_fail_says_how() {
    let document = kept();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let operation = operations.as_object().unwrap().values().next().unwrap();
        let with_token = !["/healthz", "/readyz"].contains(&path.as_str());
        let statuses = if with_token {
            &["400", "401", "403", "404", "405", "421", "429", "500", "503"][..]
        } else {
            &["400", "405", "421"]
        };
        assert!(operation.get("parameters").is_none_or(Value::is_array), "{path}: a list, or none");
        for status in statuses {
            assert!(operation["responses"][status].is_object(), "{path} {status}");
        }
    }
}

/// The table in docs/integrating.md is the list of the code.
#[test]
fn the_types_of_problems_are_those_in_docs() {
    let docs = include_str!("../../../docs/integrating.md");
    let rows: Vec<String> =
        docs.lines().filter(|line| line.starts_with("| `urn:audit:")).map(str::to_owned).collect();
    let row = |kind: &service::ProblemType| {
        let statuses: Vec<String> = kind.statuses().iter().map(u16::to_string).collect();
        format!("| `{}` | {} | {} |", kind.as_str(), statuses.join(", "), kind.meaning())
    };
    let wanted: Vec<String> = service::ProblemType::ALL.iter().map(row).collect();
    assert_eq!(rows, wanted, "{}", wanted.join("\n"));
}

/// An answer to another question would look like "nothing was found".
#[test]
fn what_a_query_cannot_mean_is_refused_by_name_with_what_it_may_be() {
    with_service(|url| {
        for (query, parameter, says) in [
            (
                "severity=Violation",
                Some("severity"),
                "severity: `Violation` is not known; allowed: violation, incomplete",
            ),
            ("code=natural_drawn", Some("code"), "code: `natural_drawn` is not known; allowed: shoe-decks, "),
            ("code=", Some("code"), "code: `` is not known; allowed: shoe-decks, "),
            ("limit=0", Some("limit"), "limit: `0` is not an integer from 1 to 1000"),
            ("limit=1001", Some("limit"), "limit: `1001` is not an integer from 1 to 1000"),
            ("limit=ten", Some("limit"), "limit: `ten` is not an integer from 1 to 1000"),
            ("limit=%2B7", Some("limit"), "limit: `+7` is not an integer from 1 to 1000"),
            ("after=-1", Some("after"), "after: `-1` is not an integer from 0 to 9223372036854775807"),
            ("coup=4294967296", Some("coup"), "coup: `4294967296` is not an integer from 0 to 4294967295"),
            ("coup=1&coup=2", Some("coup"), "the parameter `coup` is given twice"),
        ] {
            let paths = ["/v1/findings", "/v1/findings/stream"];
            // A stream has no pages.
            for path in if query.starts_with("limit") { &paths[..1] } else { &paths[..] } {
                let (status, problem) = get(&format!("{url}{path}?{query}"));
                let problem: Value = serde_json::from_str(&problem).unwrap();
                assert_eq!(
                    (status, problem["type"].as_str()),
                    (400, Some("urn:audit:query")),
                    "{query}: {problem}"
                );
                assert_eq!(problem["parameter"].as_str(), parameter, "{query}");
                assert!(problem["detail"].as_str().unwrap().contains(says), "{query}: {problem}");
                let words = problem["allowed"].as_array().map_or(0, Vec::len);
                let expected = match parameter {
                    Some("severity") => 2,
                    Some("code") => replay::Code::ALL.len(),
                    _ => 0,
                };
                assert_eq!(words, expected, "{query}");
            }
        }
        let (status, problem) = get(&format!("{url}/v1/tables?limit=-1"));
        assert!(status == 400 && problem.contains("limit: `-1` is not an integer from 0"), "{problem}");
        let (status, problem) = get(&format!("{url}/v1/tables/T/shoes/S/coups/x"));
        assert!(status == 400 && problem.contains(r#""parameter":"coup""#), "{problem}");
        let (status, problem) = get(&format!("{url}/v1/entries/+1"));
        assert!(status == 400 && problem.contains(r#""parameter":"entry""#), "{problem}");
        for query in [
            "",
            "?severity=violation&code=natural-drawn&limit=1000&after=0&coup=1",
            "?severity=incomplete&limit=1",
        ] {
            assert_eq!(get(&format!("{url}/v1/findings{query}")).0, 200, "{query}");
        }
    });
}

/// A client was generated, the service learned a code, and the client refused what it was sent.
#[test]
fn words_that_a_newer_version_may_add_are_taken_by_a_client_of_today_and_others_are_not() {
    let document = kept();
    let takes = |name: &str| {
        let schema = &document["components"]["schemas"][name];
        assert!(!schema.is_null(), "{name}");
        fits(&document, schema, &"of-a-newer-version".into(), name).is_ok()
    };
    for open in ["Code", "Reason", "StatementKind", "ProblemType"] {
        assert!(takes(open), "{open}");
        assert!(!takes(&format!("Known{open}")), "a list of what {open} is today");
    }
    for closed in ["Severity", "CoupVerdict", "Verdict", "Winner", "Destination", "FollowerStateName"] {
        assert!(!takes(closed), "{closed}");
    }
    // A question in words that this version does not know has no answer.
    let parameters = document["paths"]["/v1/findings"]["get"]["parameters"].as_array().unwrap();
    let code = parameters.iter().find(|parameter| parameter["name"] == "code").unwrap();
    assert_eq!(code["schema"]["$ref"], "#/components/schemas/KnownCode");
}

#[test]
fn every_integer_says_between_what_it_is() {
    fn integers(value: &Value, at: &str, seen: &mut usize) {
        match value {
            Value::Object(members) => {
                let kinds = value["type"].as_array().cloned().unwrap_or_else(|| vec![value["type"].clone()]);
                if kinds.contains(&"integer".into()) {
                    let bounds = (value["minimum"].as_f64(), value["maximum"].as_f64());
                    assert!(matches!(bounds, (Some(least), Some(most)) if least < most), "{at}: {value}");
                    *seen += 1;
                }
                members.iter().for_each(|(name, value)| integers(value, &format!("{at}.{name}"), seen));
            }
            Value::Array(items) => items.iter().for_each(|item| integers(item, at, seen)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let (document, mut seen) = (kept(), 0);
    integers(&document, "", &mut seen);
    assert!(seen > 100, "{seen}");
    let most = |name: &str, member: &str| {
        document["components"]["schemas"][name]["properties"][member]["maximum"].as_u64()
    };
    assert_eq!(most("BetPlaced", "bet"), Some(u64::MAX));
    assert_eq!(most("Event", "sequence"), Some((1 << 53) - 1));
    assert_eq!(document["components"]["schemas"]["Money"]["maximum"].as_u64(), Some((1 << 53) - 1));
    // As the code has it.
    let line = |bet: &str| {
        let event =
            format!(r#"{{"BetPlaced":{{"coup":1,"bet":{bet},"seat":3,"kind":"banca","stake":1000}}}}"#);
        let time = "2026-03-01T21:04:05Z";
        events::Line::from_json(&format!(
            r#"{{"table":"T","sequence":1,"occurred_at":"{time}","event":{event}}}"#
        ))
    };
    assert!(line("18446744073709551615").is_ok() && line("18446744073709551616").is_err());
}

/// Whatever is in no schema at all, or in one that takes anything, is what nobody could say more of.
#[test]
fn nothing_is_left_open_that_the_code_knows() {
    fn open(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                if members.get("additionalProperties") == Some(&true.into()) {
                    found.push(at.to_owned());
                }
                let of = ["properties", "schema", "items"];
                for (name, value) in members {
                    let at = format!("{at}/{name}");
                    let schemas = of.iter().any(|of| *of == name && *of != "properties");
                    let described =
                        ["type", "$ref", "oneOf", "anyOf"].iter().any(|key| !value[key].is_null());
                    assert!(!schemas || value.is_array() || described, "{at} says nothing: {value}");
                    open(value, &at, found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| open(item, at, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let (document, mut found) = (kept(), Vec::new());
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        open(schema, name, &mut found);
        for (member, schema) in schema["properties"].as_object().into_iter().flatten() {
            let described = ["type", "$ref", "oneOf", "anyOf"].iter().any(|key| !schema[key].is_null());
            assert!(described, "{name}.{member} says nothing");
        }
    }
    open(&document["paths"], "paths", &mut found);
    // A rulebook is kept whatever is in it; a kind of statement says which other members there are.
    assert_eq!(found, ["RulebookDocument", "Statement"]);
    let either = schemas["PublishedFinding"]["oneOf"].as_array().unwrap();
    assert_eq!(either.len(), 2, "a finding, or the withdrawal of one");
}

#[test]
fn every_operation_says_which_token_it_needs() {
    let document = kept();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let (method, operation) = operations.as_object().unwrap().iter().next().unwrap();
        let is_open =
            ["/healthz", "/readyz", "/checkpoint", "/tile/{path}", "/v1/key"].contains(&path.as_str());
        let role = match method.as_str() {
            _ if is_open => Value::Null,
            "post" => "append".into(),
            _ => "read".into(),
        };
        assert_eq!(operation["x-required-role"], role, "{path}");
        assert_eq!(operation["security"] == serde_json::json!([]), is_open, "{path}");
        assert!(operation["description"].as_str().unwrap().contains("token"), "{path}");
    }
}

/// Headers of every answer, those of refusals too, but for those of HTTP itself.
#[test]
fn headers_of_answers_are_in_the_document() {
    with_service(|url| {
        let document = kept();
        let mut seen = std::collections::BTreeSet::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            let (method, operation) = operations.as_object().unwrap().iter().next().unwrap();
            let asked = format!(
                "{url}{}",
                path.replace("{path}", "0/000").replace("{entry}", "0").replace(['{', '}'], "")
            );
            let answers = match method.as_str() {
                "post" => vec![agent().post(&asked).send("x").unwrap(), agent().get(&asked).call().unwrap()],
                _ if path.ends_with("stream") => vec![agent().post(&asked).send("x").unwrap()],
                _ => vec![agent().get(&asked).call().unwrap(), agent().post(&asked).send("x").unwrap()],
            };
            for answer in answers {
                let status = answer.status().as_u16().to_string();
                let described = &operation["responses"][&status];
                assert!(described.is_object(), "{path}: {status}");
                let of_http = ["content-type", "content-length", "date", "transfer-encoding", "connection"];
                for name in answer.headers().keys().map(|name| name.as_str()) {
                    assert!(
                        of_http.contains(&name) || described["headers"][name].is_object(),
                        "{method} {path} {status}: {name}"
                    );
                    seen.insert(name.to_owned());
                }
            }
        }
        for name in ["x-request-id", "allow", "cache-control"] {
            assert!(seen.contains(name), "{name}: {seen:?}");
        }
    });
}

#[test]
fn examples_are_what_their_schemas_say() {
    let document = kept();
    let (mut parameters, mut bodies) = (0, 0);
    for (path, operations) in document["paths"].as_object().unwrap() {
        let operation = operations.as_object().unwrap().values().next().unwrap();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            if let Some(example) = parameter.get("example") {
                hold(&document, &parameter["schema"], example, path);
                parameters += 1;
            }
            let in_path = parameter["in"] == "path";
            assert!(!in_path || parameter["example"] != Value::Null, "{path}: {}", parameter["name"]);
        }
        let answers = operation["responses"].as_object().unwrap().values();
        for content in answers.chain(operation.get("requestBody")).map(|body| &body["content"]) {
            for body in content.as_object().into_iter().flatten().map(|(_, body)| body) {
                if let Some(example) = body.get("example") {
                    hold(&document, &body["schema"], example, path);
                    bodies += 1;
                }
            }
        }
    }
    assert!(parameters > 10 && bodies > 20, "{parameters} {bodies}");
    let content = &document["paths"]["/v1/tables/{table}/events"]["post"]["requestBody"]["content"];
    // Tools that send examples cannot write other forms.
    for event in content["application/json"]["example"].as_array().unwrap() {
        events::Line::from_json(&event.to_string()).unwrap();
    }
}

/// The limits that the document and docs/integrating.md name are those of the code.
#[test]
fn limits_are_those_that_are_written_down() {
    let docs = include_str!("../../../docs/integrating.md");
    let document = kept();
    let body = &document["paths"]["/v1/tables/{table}/events"]["post"]["requestBody"];
    let events = body["content"]["application/json"]["schema"].clone();
    assert_eq!((events["minItems"].as_u64(), events["maxItems"].as_u64()), (Some(1), Some(16_384)));
    assert_eq!(Bounds::default().body, 8 << 20);
    let described = document["info"]["description"].as_str().unwrap();
    for limit in ["8 MiB", "16,384", "1 MiB", "1,000"] {
        assert!(described.contains(limit) && docs.contains(limit), "{limit}");
    }
    with_service(|url| {
        let event = |sequence: u64| {
            format!(
                r#"{{"table":"T","sequence":{sequence},"occurred_at":"2026-03-01T21:04:05Z","event":{{"TableClosed":{{}}}}}}"#
            )
        };
        let asked = |body: String| {
            let post = agent().post(format!("{url}/v1/tables/T/events?dry-run=true"));
            let mut answer = post.header("content-type", "application/x-ndjson").send(body).unwrap();
            serde_json::from_str::<Value>(&answer.body_mut().read_to_string().unwrap()).unwrap()
        };
        let many = |count: u64| (1..=count).map(event).collect::<Vec<_>>().join("\n");
        assert_eq!(asked(many(16_384))["would_record"], 16_384);
        let refused = asked(many(16_385));
        assert_eq!(refused["would_be"], 400, "{refused}");
        assert_eq!(asked("x".repeat((8 << 20) + 1))["type"], "urn:audit:too-large");
    });
}

/// One rule for every operation of the document; of a post it holds for what is nearly another parameter.
#[test]
fn a_parameter_that_an_operation_does_not_have_is_refused_and_those_it_has_are_named() {
    with_service(|url| {
        for (path, operations) in kept()["paths"].as_object().unwrap() {
            let (method, operation) = operations.as_object().unwrap().iter().next().unwrap();
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let known: Vec<&Value> = parameters
                .filter(|parameter| parameter["in"] == "query")
                .map(|parameter| &parameter["name"])
                .collect();
            if known.is_empty() {
                continue;
            }
            let name = if method == "post" { "dryrun" } else { "colour" };
            let asked = format!("{url}{}?{name}=red", path.replace(['{', '}'], ""));
            let mut answer = match method.as_str() {
                "post" => agent().post(asked).send("").unwrap(),
                _ => agent().get(asked).call().unwrap(),
            };
            let problem = answer.body_mut().read_to_string().unwrap();
            let problem: Value = serde_json::from_str(&problem).unwrap();
            assert_eq!(
                (answer.status().as_u16(), &problem["type"], &problem["parameter"]),
                (400, &"urn:audit:query".into(), &name.into()),
                "{path}: {problem}"
            );
            let named: Vec<&Value> = problem["allowed"].as_array().into_iter().flatten().collect();
            assert_eq!(named, known, "{path}");
        }
        // What probes and caches add to an address that has no parameters changes nothing.
        for path in ["/healthz", "/readyz", "/checkpoint", "/v1/key"] {
            assert_eq!(get(&format!("{url}{path}?source=lb")).0, get(&format!("{url}{path}")).0, "{path}");
        }
        let (status, problem) = get(&format!("{url}/v1/tables/%ff"));
        assert!(status == 400 && problem.contains("not UTF-8") && problem.contains("urn:audit:query"));
    });
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
        let event = &document["components"]["schemas"]["Event"];
        for line in &body {
            hold(&document, event, &serde_json::from_str(line).unwrap(), "event");
        }
        while get(&format!("{url}/v1/findings")).1.contains("\"findings\":[]") {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let shoe = serde_json::from_str::<Value>(&get(&format!("{url}/v1/tables/{table}")).1).unwrap();
        let shoe = shoe["places"][0]["shoe"].as_str().unwrap().to_owned();
        for (path, asked) in [
            ("/v1/findings", "/v1/findings".to_owned()),
            ("/v1/certificate", "/v1/certificate".to_owned()),
            ("/v1/rulebooks", "/v1/rulebooks".to_owned()),
            ("/v1/tables", "/v1/tables".to_owned()),
            ("/v1/tables/{table}", format!("/v1/tables/{table}")),
            ("/v1/tables/{table}/shoes/{shoe}", format!("/v1/tables/{table}/shoes/{shoe}")),
            (
                "/v1/tables/{table}/shoes/{shoe}/coups/{coup}",
                format!("/v1/tables/{table}/shoes/{shoe}/coups/1"),
            ),
        ] {
            let (status, answer) = get(&format!("{url}{asked}"));
            assert_eq!(status, 200, "{asked}: {answer}");
            assert!(answer.matches("\"entries\":").count() <= 1, "{asked}: no member twice: {answer}");
            hold(&document, &schema_of(path, "200"), &serde_json::from_str(&answer).unwrap(), path);
        }
        let mut other = lines[0].clone();
        other.occurred_at = "2026-03-01T20:00:00Z".parse().unwrap();
        let conflict = ureq::post(format!("{url}/v1/tables/{table}/events"))
            .config()
            .http_status_as_error(false)
            .build();
        let conflict = conflict.header("content-type", "application/x-ndjson").send(other.to_json().unwrap());
        let conflict: Value =
            serde_json::from_str(&conflict.unwrap().body_mut().read_to_string().unwrap()).unwrap();
        assert_eq!(conflict["status"], 409, "{conflict}");
        hold(&document, &schema_of(events, "409"), &conflict, "conflict");
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
