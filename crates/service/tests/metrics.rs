//! What `/metrics` serves: read strictly, and held to the table in `docs/running.md`.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use desk::{House, HouseLease, HousePartition};
use service::HouseBoard;

use crate::serving::{Running, events};

/// A family of samples: its kind, what it says of itself, and its samples with their labels.
#[derive(Debug, Default)]
struct Family {
    kind: String,
    help: String,
    samples: Vec<(String, BTreeMap<String, String>, f64)>,
}

/// Which endings samples of a kind may have.
fn endings(kind: &str) -> &'static [&'static str] {
    match kind {
        "counter" => &["_total"],
        "gauge" => &[""],
        "histogram" => &["_bucket", "_count", "_sum"],
        "info" => &["_info"],
        other => panic!("a kind that is not known: {other}"),
    }
}

/// Reads OpenMetrics text: every line must be one that the form knows, in the order it asks for.
fn read(text: &str) -> BTreeMap<String, Family> {
    let body = text.strip_suffix("# EOF\n").expect("it ends as the form asks");
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let mut current = String::new();
    for line in body.lines() {
        if let Some(meta) = line.strip_prefix("# ") {
            let mut words = meta.splitn(3, ' ');
            let (what, name, rest) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
            if what == "HELP" {
                assert!(!families.contains_key(name), "{name} comes twice");
                current = name.to_owned();
            }
            assert_eq!(name, current, "{line}");
            let family = families.entry(name.to_owned()).or_default();
            match what {
                "HELP" => rest.clone_into(&mut family.help),
                "TYPE" => rest.clone_into(&mut family.kind),
                "UNIT" => assert!(name.ends_with(&format!("_{rest}")), "{line}"),
                other => panic!("{other} is no part of the form"),
            }
            continue;
        }
        let (name, value) = line.rsplit_once(' ').expect("a name and a value");
        let (name, labels) = match name.split_once('{') {
            Some((name, labels)) => (name, read_labels(labels.strip_suffix('}').unwrap())),
            None => (name, BTreeMap::new()),
        };
        let family = families.get_mut(&current).unwrap();
        let ending = name.strip_prefix(&current).unwrap_or_else(|| panic!("{line} is not of {current}"));
        assert!(endings(&family.kind).contains(&ending), "{line}");
        family.samples.push((ending.to_owned(), labels, value.parse().unwrap()));
    }
    families
}

fn read_labels(text: &str) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    for label in text.split("\",") {
        let (name, value) = label.split_once("=\"").unwrap();
        labels.insert(name.to_owned(), value.trim_end_matches('"').to_owned());
    }
    labels
}

fn value(families: &BTreeMap<String, Family>, name: &str) -> f64 {
    let family = families.get(name).unwrap_or_else(|| panic!("{name} is not served"));
    assert_eq!(family.samples.len(), 1, "{name}");
    family.samples[0].2
}

/// Buckets never fall, and the last holds as many as were counted.
fn check_histogram(name: &str, family: &Family) {
    type Buckets = Vec<(f64, f64)>;
    let mut kinds: BTreeMap<BTreeMap<String, String>, (Buckets, f64)> = BTreeMap::new();
    for (ending, labels, value) in &family.samples {
        let mut labels = labels.clone();
        let edge = labels.remove("le");
        let (buckets, count) = kinds.entry(labels).or_default();
        match (ending.as_str(), edge) {
            ("_bucket", Some(edge)) => buckets.push((edge.replace("+Inf", "inf").parse().unwrap(), *value)),
            ("_count", None) => *count = *value,
            ("_sum", None) => assert!(*value >= 0.0),
            other => panic!("{name}: {other:?}"),
        }
    }
    for (labels, (buckets, count)) in kinds {
        assert!(
            buckets.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 <= two[1].1),
            "{name} {labels:?}"
        );
        assert_eq!(buckets.last().unwrap(), &(f64::INFINITY, count), "{name} {labels:?}");
    }
}

fn served(running: &Running) -> BTreeMap<String, Family> {
    let (status, text) = running.get("/metrics");
    assert_eq!(status, 200);
    let families = read(&String::from_utf8(text).unwrap());
    families.iter().filter(|(_, family)| family.kind == "histogram").for_each(|(name, family)| {
        check_histogram(name, family);
    });
    families
}

#[test]
fn what_happened_is_counted_and_the_text_is_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::plain(&folder.path().join("log"));
    let (table, lines) = events(1, 300);
    assert_eq!(running.lines(&table, &lines[..200]).0, 201);
    assert_eq!(running.lines(&table, &lines[100..300]).0, 201);
    assert_eq!(running.lines("elsewhere", &lines).0, 400);
    assert_eq!(running.get("/nowhere").0, 404);
    let families = served(&running);
    for (name, expected) in [
        ("audit_events_recorded", 300.0),
        ("audit_events_repeated", 100.0),
        ("audit_events_conflicting", 0.0),
        ("audit_posts_refused", 1.0),
        ("audit_posts_turned_away", 0.0),
        ("audit_tables_in_mind", 1.0),
        ("audit_log_stopped", 0.0),
        ("audit_posts_in_work", 0.0),
        ("audit_submissions_waiting", 0.0),
    ] {
        assert_eq!(value(&families, name), expected, "{name}");
    }
    assert!(value(&families, "audit_connections_open") >= 1.0, "the one that asks");
    assert!(value(&families, "audit_checkpoint_age_seconds") < 60.0);
    assert!(
        value(&families, "audit_log_disk_bytes") > 0.0 && value(&families, "audit_log_disk_free_bytes") > 0.0
    );
    assert_eq!(value(&families, "audit_tls_certificate_expiry_timestamp_seconds"), 0.0, "there is no TLS");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64();
    assert!((now - 600.0..=now).contains(&value(&families, "process_start_time_seconds")));
    assert!(value(&families, "process_resident_memory_bytes") > 1e6);
    assert!(value(&families, "process_open_fds") < value(&families, "process_max_fds"));
    assert!(value(&families, "process_cpu_seconds") >= 0.0);
    assert_eq!(value(&families, "audit_log_entries"), value(&families, "audit_entries_sealed"));
    let total = |name: &str, ending: &str| -> f64 {
        families[name].samples.iter().filter(|sample| sample.0 == ending).map(|sample| sample.2).sum()
    };
    assert_eq!(total("audit_commit_events", "_sum"), 300.0);
    assert_eq!(total("audit_commit_posts", "_sum"), 2.0);
    assert_eq!(total("audit_commit_seconds", "_count"), 2.0);
    let requests: BTreeSet<(&str, &str)> = families["audit_request_seconds"]
        .samples
        .iter()
        .map(|(_, labels, _)| (labels["route"].as_str(), labels["status"].as_str()))
        .collect();
    let posts = "/v1/tables/{table}/events";
    assert_eq!(requests, BTreeSet::from([(posts, "2xx"), (posts, "4xx"), ("none", "4xx")]));
}

#[test]
fn every_family_stands_in_the_documents_table_and_none_besides() {
    let folder = tempfile::tempdir().unwrap();
    let board = Arc::<HouseBoard>::default();
    let lease = Some(HouseLease::default());
    board.is(House {
        partitions: vec![HousePartition { number: 1, is_known: true, lease, waiting: Some((0, 0)) }],
        ..House::default()
    });
    let running = Running::with(&folder.path().join("log"), |service| {
        service.with_program(replay::Program { version: "1.2.3", commit: "c0ffee" }).with_house(board)
    });
    let crooked = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/crooked.ndjson");
    let lines: Vec<String> = std::fs::read_to_string(crooked).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(running.lines("PB-01", &lines).0, 201);
    let until = Instant::now() + Duration::from_secs(30);
    let mut families = served(&running);
    while !families.contains_key("audit_findings") {
        assert!(Instant::now() < until, "no finding showed");
        std::thread::sleep(Duration::from_millis(50));
        families = served(&running);
    }
    let (_, build, one) = &families["audit_build"].samples[0];
    let inputs = replay::JudgeInputs::of_this_program();
    assert_eq!((build["version"].as_str(), build["commit"].as_str(), *one), ("1.2.3", "c0ffee", 1.0));
    assert_eq!(build["rulebooks"], inputs.rulebooks_digest());
    assert_eq!(build["formats"], inputs.formats_text());
    assert_eq!(build["judge_inputs"], inputs.digest());
    // The certificate names the same program.
    let certificate: serde_json::Value = serde_json::from_slice(&running.get("/v1/certificate").1).unwrap();
    assert_eq!(certificate["program"], serde_json::json!({ "version": "1.2.3", "commit": "c0ffee" }));
    assert_eq!(certificate["judge_inputs"], inputs.digest());
    assert_eq!(certificate["judge"], inputs.judge);
    let findings: f64 = families["audit_findings"].samples.iter().map(|sample| sample.2).sum();
    assert!(findings >= 1.0 && value(&families, "audit_follower_stopped") == 0.0);
    let families: BTreeMap<String, String> = families
        .into_iter()
        .map(|(name, family)| (as_prometheus_has_it(&name, &family.kind), family.kind))
        .collect();
    assert_eq!(documented(), families, "docs/running.md, `What to watch`");
}

/// The name of a family in queries: Prometheus stores samples, and those of some kinds have an ending.
fn as_prometheus_has_it(name: &str, kind: &str) -> String {
    match kind {
        "counter" => format!("{name}_total"),
        "info" => format!("{name}_info"),
        _ => name.to_owned(),
    }
}

fn page(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Names and kinds in the table of `docs/running.md`.
fn documented() -> BTreeMap<String, String> {
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split('|').map(str::trim);
        let (name, kind) = (cells.next()?.trim_end_matches('`').to_owned(), cells.next()?.to_owned());
        (name.starts_with("audit_") || name.starts_with("process_")).then_some((name, kind))
    };
    page("running.md").lines().filter_map(row).collect()
}

/// Words of a text that are names of metrics.
fn metrics_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_metric = |word: &&str| word.starts_with("audit_") || word.starts_with("process_");
    words.filter(is_metric).map(str::to_owned).collect()
}

// A panel or an alert on a metric that is not there shows nothing, for ever, and nobody notices.
#[test]
fn dashboard_and_alerts_ask_only_for_metrics_that_are_served() {
    let known: BTreeSet<String> = documented()
        .into_iter()
        .flat_map(|(name, kind)| match kind.as_str() {
            "histogram" => endings(&kind).iter().map(|ending| format!("{name}{ending}")).collect(),
            _ => vec![name],
        })
        .collect();
    let dashboard: serde_json::Value =
        serde_json::from_str(&page("deploy/prometheus/dashboard.json")).unwrap();
    let mut expressions = Vec::new();
    gather(&dashboard, "expr", &mut expressions);
    let rules = page("deploy/prometheus/audit.rules.yml");
    let alerts: Vec<String> =
        rules.lines().filter_map(|line| line.trim().strip_prefix("expr: ").map(str::to_owned)).collect();
    for (what, expressions, least) in [("dashboard", expressions, 15), ("rules", alerts, 12)] {
        assert!(expressions.len() >= least, "{what}: {expressions:?}");
        for expression in expressions {
            let asked = metrics_in(&expression);
            let unknown: Vec<&String> = asked.difference(&known).collect();
            assert!(unknown.is_empty(), "{what}: {unknown:?} of `{expression}` are not served");
            assert!(
                !asked.is_empty() || expression.starts_with("up"),
                "{what}: `{expression}` asks for nothing"
            );
        }
    }
}

/// Every text under this name, anywhere in the value.
fn gather(value: &serde_json::Value, name: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(members) => members.iter().for_each(|(key, value)| {
            found.extend(value.as_str().filter(|_| key == name).map(str::to_owned));
            gather(value, name, found);
        }),
        serde_json::Value::Array(items) => items.iter().for_each(|item| gather(item, name, found)),
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => {}
    }
}
