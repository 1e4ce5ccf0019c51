//! `?dry-run=true`: a post says what it would do, and nothing is recorded.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use service::{Bounds, Limits};

use crate::serving::{Served, agent, bound, events};

fn post(served: &Served, query: &str, kind: &str, body: &str) -> (u16, Value) {
    let url = format!("{}/v1/tables/{}/events{query}", served.url, events(SEED, 1).0);
    let mut response = agent().post(&url).header("content-type", kind).send(body).unwrap();
    let text = response.body_mut().read_to_string().unwrap();
    (response.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn checkpoint(served: &Served) -> String {
    agent().get(format!("{}/checkpoint", served.url)).call().unwrap().body_mut().read_to_string().unwrap()
}

const SEED: u64 = 7;
const LINES: &str = "application/x-ndjson";

#[test]
fn a_dry_run_foretells_the_post_and_records_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(bound(folder.path(), Limits::default(), Bounds::default()));
    let lines = events(SEED, 40).1;
    let empty = checkpoint(&served);
    let first = lines[..20].join("\n");
    let (status, checked) = post(&served, "?dry-run=true", LINES, &first);
    assert_eq!(
        (status, &checked["would_be"], &checked["would_record"]),
        (200, &json!(201), &json!(20)),
        "{checked}"
    );
    assert_eq!(checked["dry_run"], true);
    assert_eq!(checkpoint(&served), empty, "nothing was recorded");
    assert_eq!(post(&served, "?dry-run=false", LINES, &first).0, 201);
    let (_, checked) = post(&served, "?dry-run=true", LINES, &first);
    assert_eq!((&checked["would_be"], &checked["already_there"]), (&json!(200), &json!(20)), "{checked}");
    assert!(post(&served, "", LINES, &first).1["conflicting"].is_null(), "there are none");
    // Some are there, some new, one has another event's number, one stands there twice.
    let changed = lines[3].replacen(":0", ":1", 1);
    assert_ne!(changed, lines[3]);
    let mixed = [&lines[..2], &[changed.clone(), lines[1].clone()], &lines[20..25]].concat().join("\n");
    let before = checkpoint(&served);
    let (status, checked) = post(&served, "?dry-run=true", LINES, &mixed);
    assert_eq!((status, &checked["would_be"]), (200, &json!(409)), "{checked}");
    assert_eq!(checked["conflicting"], json!([4]), "{checked}");
    assert_eq!(checkpoint(&served), before);
    let (status, done) = post(&served, "", LINES, &mixed);
    assert_eq!(status, 409, "{done}");
    assert_eq!(done["conflicting"], checked["conflicting"], "the post itself names them as well");
    for (name, same) in
        [("would_record", "recorded"), ("already_there", "already_there"), ("conflicts", "conflicts")]
    {
        assert_eq!(checked[name], done[same], "{name}: {checked}\n{done}");
    }
}

#[test]
fn all_malformed_parts_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(bound(folder.path(), Limits::default(), Bounds::default()));
    let lines = events(SEED, 8).1;
    let table = events(SEED, 1).0;
    let elsewhere = lines[2].replacen(&table, "elsewhere", 1);
    let bad = [&lines[0], "{}", &lines[1], "", "no event", &elsewhere].join("\n");
    let before = checkpoint(&served);
    let (status, checked) = post(&served, "?dry-run=true", LINES, &bad);
    assert_eq!(
        (status, &checked["would_be"], &checked["malformed"]),
        (200, &json!(400), &json!(3)),
        "{checked}"
    );
    let at: Vec<u64> =
        checked["errors"].as_array().unwrap().iter().map(|part| part["line"].as_u64().unwrap()).collect();
    assert_eq!(at, [2, 5, 6], "{checked}");
    assert_eq!(checked["would_record"], 2);
    let many = "x\n".repeat(1_000);
    let (_, checked) = post(&served, "?dry-run=true", LINES, &many);
    assert_eq!(
        (&checked["malformed"], checked["errors"].as_array().unwrap().len()),
        (&json!(1_000), 100),
        "{}",
        checked["malformed"]
    );
    for (kind, body) in [
        ("application/json", "[{},{}]"),
        ("application/json", "{"),
        ("application/cbor-seq", "xx"),
        (LINES, ""),
    ] {
        let (status, checked) = post(&served, "?dry-run=true", kind, body);
        assert_eq!((status, &checked["would_be"]), (200, &json!(400)), "{kind} {body}: {checked}");
        assert!(checked["malformed"].as_u64().unwrap() > 0, "{checked}");
    }
    assert_eq!(checkpoint(&served), before);
}

/// A record cannot be taken back: who asks in other words for a dry run gets none of either.
#[test]
fn a_mistyped_dry_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(bound(folder.path(), Limits::default(), Bounds::default()));
    let body = events(SEED, 4).1.join("\n");
    let before = checkpoint(&served);
    let queries = [
        "?dry-run",
        "?dry-run=1",
        "?dry-run=TRUE",
        "?dry_run=true",
        "?dryRun=true",
        "?dry%2drun=yes",
        "?dry-run=true&dry-run=false",
        "?dry=true",
        "?dry-rnu=true",
    ];
    for query in queries {
        let (status, checked) = post(&served, query, LINES, &body);
        assert_eq!((status, &checked["type"]), (400, &json!("urn:audit:query")), "{query}: {checked}");
        assert_eq!(
            checked["parameter"],
            query[1..].split('=').next().unwrap().replace("%2d", "-"),
            "{checked}"
        );
    }
    assert_eq!(checkpoint(&served), before);
    assert_eq!(post(&served, "?dry%2Drun=true", LINES, &body).0, 200);
    assert_eq!(checkpoint(&served), before);
    assert_eq!(
        post(&served, "?drain=1&run=7&trace=abc", LINES, &body).0,
        201,
        "evidence is not refused for what a proxy added"
    );
}
