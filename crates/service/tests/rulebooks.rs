//! `GET /v1/rulebooks`: which rulebooks a log knows, a page at a time.
#![allow(clippy::unwrap_used)]

use casino::{Plan, simulate};
use serde_json::Value;

use crate::serving::Running;

fn get(running: &Running, query: &str) -> (u16, Value) {
    let (status, body) = running.get(&format!("/v1/rulebooks{query}"));
    (status, serde_json::from_slice(&body).unwrap())
}

#[test]
fn the_rulebooks_of_all_tables_are_listed_by_their_digests_with_their_coups() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::plain(folder.path());
    let names = ["mini-punto-banco", "es-1979", "punto-banco"];
    let mut coups = 0;
    for (number, name) in (1..).zip(names) {
        let book = baccarat::builtin(name).unwrap();
        let lines: Vec<String> = simulate(&Plan { seed: number, ..Plan::new(book) })
            .lines
            .map(|line| line.to_json().unwrap().replacen("PB-01", &format!("T-{number}"), 1))
            .collect();
        coups += lines.iter().filter(|line| line.contains("\"CoupSettled\"")).count();
        assert_eq!(running.lines(&format!("T-{number}"), &lines).0, 201);
    }
    // Until all of it is judged.
    let all = loop {
        let (status, all) = get(&running, "");
        if status == 200 && all["judged"] == all["size"] {
            break all;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    let books = all["rulebooks"].as_array().unwrap();
    let mut ids: Vec<&str> = books.iter().map(|book| book["id"].as_str().unwrap()).collect();
    let counted: u64 = books.iter().map(|book| book["coups"].as_u64().unwrap()).sum();
    assert_eq!(counted, coups as u64);
    ids.sort_unstable();
    assert_eq!(ids, ["es-1979", "mini-punto-banco", "punto-banco"]);
    assert!(all["next"].is_null(), "{all}");
    // One by one they are the same.
    let (mut after, mut by_one) = (String::new(), Vec::new());
    loop {
        let (_, page) = get(&running, &format!("?limit=1&after={after}"));
        by_one.extend(page["rulebooks"].as_array().unwrap().iter().cloned());
        let Some(next) = page["next"].as_str() else { break };
        after = next.to_owned();
    }
    assert_eq!(&by_one, books);
    // The certificate names them by the same digests.
    let (_, certificate) = running.get("/v1/certificate");
    let certificate: Value = serde_json::from_slice(&certificate).unwrap();
    let digests: Vec<Value> = books.iter().map(|book| book["digest"].clone()).collect();
    assert_eq!(certificate["rulebooks"], Value::Array(digests));
    assert_eq!(get(&running, "?limit=0").0, 400);
}
