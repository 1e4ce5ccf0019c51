//! What the docs promise to those who write table systems: one coup from the beginning, schemas that are those of the
//! program, and lists of coups that become events whole or not at all.
#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::schema::fits;
use crate::command::{self, TestFolder};
use crate::ports;

const AUDIT: &str = env!("CARGO_BIN_EXE_audit");

fn docs(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file)
}

/// A script run by a shell that knows `audit`.
fn shell(folder: &TestFolder, script: &str) -> Command {
    let bin = folder.path("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let _ = std::os::unix::fs::symlink(AUDIT, bin.join("audit"));
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.args(["-c", script]).env("PATH", path).env("LC_ALL", "C").env_remove("AUDIT_LANG");
    command.current_dir(folder.path("."));
    command
}

/// The first block of shell commands in a page.
fn first_block(page: &str) -> String {
    let page = std::fs::read_to_string(docs(page)).unwrap();
    page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

/// Runs the quick start of docs/integrating.md with another port, and the coup of docs/events.md.
#[test]
fn the_quick_start_in_the_docs_records_a_coup_and_verifies_it() {
    let folder = TestFolder::new();
    let coup = first_block("events.md");
    let (coup, _) = coup.split_once("audit ingest").unwrap();
    assert!(shell(&folder, coup).status().unwrap().success());
    let port = ports::free_port();
    let script = first_block("integrating.md").replace("7371", &port.to_string());
    let script = script.replace("kill $!", "echo status $?; kill $!");
    let output = shell(&folder, &script).output().unwrap();
    let (text, notes) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(text.contains("\"recorded\":12"), "{text}{notes}");
    assert!(text.contains("signature checked against the key you gave"), "{text}{notes}");
    assert!(text.contains("status 5\n"), "{text}{notes}");
    assert!(script.lines().count() <= 12, "it is quick");
}

/// The first block of shell commands in docs/events.md, run as it stands.
#[test]
fn the_coup_in_the_docs_is_sealed_and_certified() {
    let script = &first_block("events.md");
    let folder = TestFolder::new();
    let output = shell(&folder, script).output().unwrap();
    let (text, notes) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "the coup is certified: {text}{notes}");
    let report = folder.run(&["verify", "log", "coup-log", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["coups"], serde_json::json!({"certified": 1, "violated": 0, "undecided": 0}), "{text}");
    assert_eq!(report["undecided_shoes"], serde_json::json!({"not-ended-yet": 1}));
    assert_eq!(folder.run(&["verify", "log", "coup-log"]).status.code(), Some(5));
}

/// The names of the schemas that the program prints.
fn schemas(folder: &TestFolder) -> Vec<String> {
    let list = folder.run(&["schema", "--json"]);
    let list: std::collections::BTreeMap<String, String> = serde_json::from_slice(&list.stdout).unwrap();
    list.into_keys().collect()
}

#[test]
#[ignore = "writes docs/schemas"]
fn the_schemas_are_written_anew() {
    let folder = TestFolder::new();
    for name in schemas(&folder) {
        std::fs::write(docs(&format!("schemas/{name}.json")), folder.run(&["schema", &name]).stdout).unwrap();
    }
}

#[test]
fn the_schemas_in_docs_are_those_of_the_program() {
    let folder = TestFolder::new();
    for name in &schemas(&folder) {
        let printed = folder.run(&["schema", name]);
        let kept = std::fs::read_to_string(docs(&format!("schemas/{name}.json"))).unwrap();
        assert!(
            String::from_utf8(printed.stdout).unwrap() == kept,
            "docs/schemas/{name}.json is not what `audit schema {name}` prints: `cargo xtask generate` writes it anew"
        );
        let schema: serde_json::Value = serde_json::from_str(&kept).unwrap();
        for part in kept.split("\"$ref\": \"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(schema.pointer(part).is_some(), "{name}: {part} leads nowhere");
        }
    }
    let none = folder.run(&["schema", "nothing"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("there are event, verify-log, "));
}

#[test]
fn what_report_sample_quiz_and_demo_print_is_what_their_schemas_say() {
    let folder = TestFolder::new();
    let crooked = command::fixture("crooked.ndjson");
    folder.run(&["ingest", "--create", &crooked, "--log", "log"]);
    let printed = |arguments: &[&str]| -> serde_json::Value {
        let output = folder.run(arguments);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr))
        })
    };
    let check = |name: &str, value: &serde_json::Value, member: &str| {
        let schema = printed(&["schema", name]);
        fits(&schema, value).unwrap();
        // The schema requires what it names.
        let mut without = value.clone();
        without.as_object_mut().unwrap().remove(member).unwrap();
        assert!(fits(&schema, &without).is_err(), "{name}");
    };
    for log in ["log", crooked.as_str()] {
        let files = printed(&["report", log, "--out", "report.json", "--force", "--json"]);
        check("report-files", &files, "files");
        let report: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.path("report.json")).unwrap()).unwrap();
        assert!(!report["ledger"]["shoes"]["rows"].as_array().unwrap().is_empty());
        assert!(!report["ledger"]["owed"]["rows"].as_array().unwrap().is_empty());
        check("report", &report, "ledger");
        let sample = printed(&["sample", log, "--seed", "7", "--coups", "5", "--json"]);
        assert_eq!(sample["coups"].as_array().unwrap().len(), 5);
        check("sample", &sample, "coups");
    }
    let quiz = printed(&["quiz", "--rulebook", "punto-banco", "--coups", "3", "--seed", "4", "--json"]);
    check("quiz", &quiz, "questions");
    check("demo", &printed(&["demo", "--json"]), "theft");
}

/// The members that a schema's types have, but for those of events.
fn members(schema: &serde_json::Value, of_events: &serde_json::Value) -> Vec<String> {
    let types = schema["$defs"].as_object().unwrap().iter();
    let own = types.filter(|(name, _)| of_events["$defs"].get(name.as_str()).is_none());
    let named = own.filter_map(|(_, one)| one["properties"].as_object()).flat_map(|members| members.keys());
    named.cloned().collect()
}

#[test]
fn every_member_of_a_report_is_explained() {
    let page = std::fs::read_to_string(docs("reports.md")).unwrap();
    let schema = |name: &str| -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(docs(&format!("schemas/{name}.json"))).unwrap()).unwrap()
    };
    let of_events = schema("event");
    let named = ["verify-log", "verify-log-as", "verify-fleet", "verify-proof"]
        .map(|name| members(&schema(name), &of_events));
    let named = named.concat();
    assert!(named.len() > 100, "{}", named.len());
    let kinds = include_str!("../../sealed-log/src/reader/fault.rs").split("impl FaultKind").nth(1).unwrap();
    let kinds = kinds.split("fmt::Display").next().unwrap().split('"').skip(1).step_by(2).map(str::to_owned);
    let kinds: Vec<String> = kinds.collect();
    assert!(kinds.len() >= 13, "{kinds:?}");
    let missing: Vec<String> =
        named.into_iter().chain(kinds).filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert_eq!(missing, [""; 0], "docs/reports.md explains them");
}

const LIST: &str = "p1,p2,p3,b1,b2,b3\n9D,KH,,2C,5S,\n";

fn import(folder: &TestFolder) -> Command {
    let mut command = Command::new(AUDIT);
    command.args(["import", "coups-csv", "-", "--rulebook", "punto-banco"]).current_dir(folder.path("."));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn imported(list: &[u8]) -> (Option<i32>, Vec<u8>, String) {
    let folder = TestFolder::new();
    let mut child = import(&folder).spawn().unwrap();
    // The program may have refused the list before it has read all of it.
    let _ = child.stdin.take().unwrap().write_all(list);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// A program behind a pipe got the events of the rows before the bad one, and recorded them.
#[test]
fn a_bad_row_leaves_nothing_in_a_pipe() {
    let good = LIST.to_owned() + &"9D,KH,,2C,5S,\n".repeat(5_000);
    let (status, whole, _) = imported(good.as_bytes());
    assert_eq!(status, Some(0));
    assert!(whole.ends_with(b"{\"TableClosed\":{}}}\n"));
    let (status, nothing, why) = imported((good + "9D,XX,,2C,5S,\n").as_bytes());
    assert_eq!((status, nothing.len()), (Some(4), 0), "{why}");
    assert!(why.contains("standard input:5003: column p2: `XX` is not a card"), "{why}");
}

/// Such a list took 2.7 GB before it was refused.
#[test]
fn a_row_without_end_is_refused_soon() {
    for (start, line) in [("", ":"), (LIST, ":3: "), (&*format!("{LIST}\"9D"), ":3: ")] {
        let folder = TestFolder::new();
        let mut child = import(&folder).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(start.as_bytes()).unwrap();
        let piece = vec![b'9'; 1 << 16];
        let taken = (0..1_000).take_while(|_| input.write_all(&piece).is_ok()).count();
        assert!(taken < 100, "{taken} pieces of 64 KiB were read");
        drop(input);
        let (mut why, mut out) = (String::new(), Vec::new());
        child.stderr.take().unwrap().read_to_string(&mut why).unwrap();
        child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
        assert_eq!((child.wait().unwrap().code(), out.len()), (Some(4), 0), "{why}");
        assert!(why.contains(line) && why.contains("a row of more than 1048576 bytes"), "{why}");
    }
}

#[test]
fn the_help_says_what_each_column_of_a_list_is() {
    let help = TestFolder::new().run(&["import", "coups-csv", "--help"]);
    let help = String::from_utf8(help.stdout).unwrap();
    for line in [
        "p3            punto's third card; empty if punto stood",
        "b3            banca's third card",
        "shoe,coup,p1,p2,p3",
    ] {
        assert!(help.contains(line), "{help}");
    }
}
