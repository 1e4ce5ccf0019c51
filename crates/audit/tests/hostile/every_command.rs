//! Every command, on logs, files, servers and arguments that are hostile wherever they have a text.
//!
//! The commands and their options are read from the manual pages, which are made of the program's own arguments: a
//! command that nothing here calls fails the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::rule::{ALL, MARKUP, UNSEEN, answering, fault, fault_in_page, hostile_key, is_near, make_log};
use crate::command::serving::Started;
use crate::command::{TestFolder, fixture};

/// How each command is called. `~` is before a command that runs until it is stopped, `=` before one whose output is exact
/// bytes, which only a terminal gets spelled out. `{S}` and `{C}` are shoes of the two logs,
/// `{url}` is a service, `{liar}` and `{nats}` are servers that answer with hostile texts.
const CALLS: &str = "
demo new
init new --origin casino.example/a
ingest log.ndjson --log other --create --origin casino.example/a --receipts receipts.txt --proofs proofs
ingest other.ndjson --log log
ingest bad.ndjson --log log
check other.ndjson --against log
check bad.ndjson
check log.ndjson --against {url}
verify log log
verify log chemin --all
verify log log.auditlog --key log/key.pub --checkpoint log/checkpoint --approved raw
verify log log --as rules.toml
verify log log --witness-policy policy --keep-checkpoint kept
verify log log.ndjson
verify log {url}
verify fleet log chemin
verify proof entry.tlog-proof --key log/key.pub --events
verify checkpoint log/checkpoint log/checkpoint log
show coup log --table PB-01 --shoe {S} --coup 29
show coup chemin --table {T} --coup 1
show shoe log --table PB-01
show shoe log --table PB-01 --shoe {S} --roads
show shoe chemin --table {T} --shoe {C}
show table log
show commission log
show commission chemin --table {T}
report log --out r.html --out r.json --out r.sarif --csv lists
report chemin --out r.html --out r.json --out r.sarif --csv lists
sample log --seed 1 --coups 5
export log --out x.auditlog
export log --out x.auditlog --table PB-01 --shoe {S} --coup 29
export log --tiles tiles
prove entry log --index 12 --out p.tlog-proof
prove coup log --table PB-01 --shoe {S} --coup 29 --out p.tlog-proof
prove checkpoint log log/checkpoint --out p.tlog-proof
~ serve --log log --listen 127.0.0.1:0
~ serve --log new --create --origin casino.example/a --from {nats} --site s --partition 0 --listen 127.0.0.1:0
serve --config settings.toml
serve --log log --print-config
~ desk log --no-browser --listen 127.0.0.1:0
health {url}
watch {url} --until-caught-up
~ watch {liar}
~ fleet setup --server {nats} --site s
~ fleet show --server {nats} --site s
~ fleet send log.ndjson --server {nats} --site s
tokens new --tokens new --role read --note x
tokens list --tokens tokens
tokens revoke --tokens tokens 0123456789ab
backup log --out b.auditlog
backup log --into backups
restore log.auditlog --log restored --key log/key
load --url {url} --seconds 1 --tables 1 --shoes 1 --patience 1
keys new new --origin casino.example/a
keys show log
keys rotate log
redact log --entry 12 --reason x --by a --countersigned-by b
witness new new --name a.example/w
~ witness serve --state w --log log/key.pub --listen 127.0.0.1:0
witness serve --config settings.toml --state w --log log/key.pub
witness submit log --policy policy
witness recover w --nothing-signed
simulate --tables 1 --shoes 1 --seed 1 --rulebook rules.toml
quiz --rulebook rules.toml --coups 2 --seed 1
import coups-csv list.csv --rulebook rules.toml
import coups-csv bad.csv --rulebook punto-banco
rules list
= rules show rules.toml
= rules show rules.toml --toml
rules check rules.toml
rules check bad.toml
rules diff rules.toml punto-banco
rules new --extends punto-banco --out new.toml
rules print rules.toml --out r.html --out r.md
rules schema
release sign raw --key log/key --out new
release verify release --key log/key.pub
man --out man
completions bash
version
schema show-coup
explain payout-over
";

/// How long a command may take that does not run until it is stopped.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a command runs that does.
const RUNS: Duration = Duration::from_millis(1_500);

/// A folder with everything that the calls name.
struct Hostile {
    folder: TestFolder,
    words: BTreeMap<&'static str, String>,
}

fn hostile(served: &TestFolder) -> Hostile {
    let folder = TestFolder::new();
    let (table, shoe) = make_log(&folder, "log", "crooked.ndjson", 5);
    assert_eq!(table, "PB-01");
    let (chemin_table, chemin_shoe) = make_log(&folder, "chemin", "faults/auction-to-lower.ndjson", 6);
    let all = ALL.concat();
    let json = serde_json::to_string(&all).unwrap();
    let run = |call: &[&str]| {
        let out = folder.run(call);
        assert!(out.status.success(), "{call:?}: {}", String::from_utf8_lossy(&out.stderr));
    };
    run(&["export", "log", "--out", "log.auditlog"]);
    run(&["prove", "entry", "log", "--index", "12", "--out", "entry.tlog-proof"]);
    run(&["witness", "new", "w", "--name", "a.example/w"]);
    run(&["tokens", "new", "--tokens", "tokens", "--role", "read", "--note", "NOTE"]);
    let tokens = std::fs::read_to_string(folder.path("tokens")).unwrap();
    folder.write("tokens", tokens.replace("\"NOTE\"", &json));
    let seated = std::fs::read_to_string(folder.path("log.ndjson")).unwrap();
    folder.write("other.ndjson", seated.replace("\"seat\":1", "\"seat\":2"));
    folder.write("raw", &all);
    folder.write(
        "bad.ndjson",
        format!("{{\"table\":\"A\",\"sequence\":1,{json}:2}}\n{{\"table\":{json}}}\n{all}\n"),
    );
    let book = std::fs::read_to_string(fixture("../crates/baccarat/rulebooks/punto-banco.toml")).unwrap();
    let title = book.lines().find(|line| line.starts_with("title")).unwrap();
    // A rulebook may have no control characters.
    let book = book.replace("source = \"", &format!("source = \"{UNSEEN}"));
    let quoted = serde_json::to_string(&format!("{UNSEEN}{MARKUP}")).unwrap();
    folder.write("rules.toml", book.replace(title, &format!("title = {quoted}")));
    folder.write("bad.toml", format!("id = {json}\n{json} = 1\n[{json}]\n"));
    folder.write("settings.toml", format!("listen = {json}\n{json} = 1\n"));
    folder.write("list.csv", format!("shoe,p1,p2,b1,b2,winner\n{UNSEEN},2,3,4,5,banca\n"));
    folder.write("bad.csv", format!("{MARKUP},p1,p1\n{UNSEEN}\n"));
    let liar = answering(
        "",
        format!(
            "HTTP/1.1 503 {one_line}\r\nconnection: close\r\nx-hostile: {one_line}\r\ncontent-length: {}\r\n\r\n{problem}",
            problem(&json).len(),
            problem = problem(&json),
            one_line = UNSEEN,
        ),
    );
    let nats = answering(
        "INFO {\"server_id\":\"x\\u001b[2J\\u202e\",\"server_name\":\"x\\n\\u009b\\u3164\",\"version\":\"2.10.0\",\"proto\":1,\"max_payload\":1048576,\"headers\":true}\r\n",
        format!("-ERR '{UNSEEN}\u{9b}'\r\n"),
    );
    let key = std::fs::read_to_string(folder.path("w/key.pub")).unwrap();
    folder.write(
        "policy",
        format!("witness {0} {1} http://{liar}/\nquorum {0}\n", super::rule::in_a_name(&all), key.trim_end()),
    );
    let sum = "0".repeat(64);
    let note = hostile_key(5).sign(&format!("audit release, format 1: SHA-256 sums\n{sum}  {MARKUP}\n"));
    folder.write("release", note);
    copy(&folder.path("log"), &served.path("log"));
    let words = BTreeMap::from([
        ("{S}", shoe),
        ("{T}", chemin_table),
        ("{C}", chemin_shoe),
        ("{liar}", format!("http://{liar}")),
        ("{nats}", format!("nats://{nats}")),
    ]);
    Hostile { folder, words }
}

fn problem(json: &str) -> String {
    format!("{{\"type\":{json},\"title\":{json},\"status\":503,\"detail\":{json},{json}:{json}}}")
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(copied.success());
}

/// A command: its words, and the options that take a value.
struct Known {
    words: String,
    options: Vec<String>,
}

/// All commands, from the manual pages.
fn known(folder: &TestFolder) -> Vec<Known> {
    assert!(folder.run(&["man", "--out", "pages"]).status.success());
    let mut found = Vec::new();
    for page in std::fs::read_dir(folder.path("pages")).unwrap() {
        let text = std::fs::read_to_string(page.unwrap().path()).unwrap();
        let plain = text.replace("\\fB", "").replace("\\fI", "").replace("\\fR", "").replace("\\-", "-");
        if plain.contains("\n.SH SUBCOMMANDS\n") {
            continue;
        }
        let usage = plain.split(".SH SYNOPSIS\n").nth(1).unwrap().lines().next().unwrap();
        let words =
            usage.split(' ').skip(1).take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
        let words = words.collect::<Vec<_>>().join(" ");
        let options = plain.lines().filter(|line| line.starts_with("--") || line.starts_with("-h, "));
        let options =
            options.filter_map(|line| line.split_once(" <")).map(|(option, _)| option.to_owned()).collect();
        found.push(Known { words, options });
    }
    assert!(found.len() > 40, "{}", found.len());
    found
}

/// How a command has to be run.
#[derive(Clone, Copy)]
struct Kind {
    /// Until it is stopped.
    runs_on: bool,
    /// On a terminal: elsewhere its output is exact bytes.
    is_exact: bool,
}

/// One run of the program.
struct Run {
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    kind: Kind,
}

impl Run {
    fn command(&self) -> Command {
        if !self.kind.is_exact {
            let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
            command.args(&self.arguments);
            return command;
        }
        let word = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        let words = self.arguments.iter().map(|argument| word(argument)).collect::<Vec<_>>().join(" ");
        let mut command = Command::new("script");
        command.args(["-qec", &format!("{} {words}", word(env!("CARGO_BIN_EXE_audit"))), "/dev/null"]);
        command
    }
}

/// Runs a command in a folder and returns whether a hostile text was near.
fn held(folder: &Path, run: &Run, faults: &Mutex<Vec<String>>) -> bool {
    let before = files(folder);
    let (out, err) = (folder.join(".out"), folder.join(".err"));
    let mut child = run
        .command()
        .current_dir(folder)
        .envs([("NO_COLOR", "1"), ("LC_ALL", "C")])
        .envs(run.environment.iter().map(|(name, value)| (name, value)))
        .env_remove("AUDIT_LANG")
        .stdin(Stdio::null())
        .stdout(File::create(&out).unwrap())
        .stderr(File::create(&err).unwrap())
        .spawn()
        .unwrap();
    let (begun, most) = (Instant::now(), if run.kind.runs_on { RUNS } else { PATIENCE });
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if begun.elapsed() > most {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let what = format!("{:?} {:?}", run.arguments, run.environment);
    let mut near = false;
    let mut look = |name: &str, bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else {
            faults.lock().unwrap().push(format!("{what}: {name} is no text"));
            return;
        };
        near |= is_near(text);
        // A terminal begins each line at its left edge.
        let text =
            without_colour(&if run.kind.is_exact { text.replace("\r\n", "\n") } else { text.to_owned() });
        // A browser shows a line break in a text as a blank.
        let fault = if name.ends_with(".html") { fault_in_page(&text) } else { fault(&text) };
        if let Some(fault) = fault {
            faults.lock().unwrap().push(format!("{what}: {name}: {fault}"));
        }
    };
    look("standard output", &std::fs::read(&out).unwrap());
    look("standard error", &std::fs::read(&err).unwrap());
    for file in files(folder).difference(&before).filter(|file| is_for_people(file)) {
        look(file, &std::fs::read(folder.join(file)).unwrap());
    }
    if status == Some(70) || (status.is_none() && !run.kind.runs_on) {
        faults.lock().unwrap().push(format!("{what}: it ends with {status:?}"));
    }
    near
}

/// Files of these kinds are looked at. The bytes of proofs, archives, keys and checkpoints are what is signed.
fn is_for_people(name: &str) -> bool {
    ["html", "csv", "json", "sarif", "md", "txt", "toml", "1"]
        .iter()
        .any(|end| name.ends_with(&format!(".{end}")))
}

fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for inside in [".", "lists", "man"] {
        let Ok(entries) = std::fs::read_dir(folder.join(inside)) else { continue };
        for entry in entries {
            found.insert(format!("{inside}/{}", entry.unwrap().file_name().to_string_lossy()));
        }
    }
    found
}

/// The text without the codes for colour; the hostile texts hold none.
fn without_colour(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match rest.strip_prefix('m') {
            Some(rest) => out.push_str(rest),
            None => out.push_str(&format!("\u{1b}[{part}")),
        }
    }
    out
}

/// A call as it is listed, in both languages, in colour and as JSON.
fn as_listed(call: &[String], kind: Kind) -> Vec<Run> {
    let ways = [&["--lang", "en"][..], &["--lang", "es"], &["--color", "always"], &["--json"]];
    let with =
        |more: &[&str]| call.iter().cloned().chain(more.iter().map(|word| (*word).to_owned())).collect();
    ways.map(|more| Run { arguments: with(more), environment: Vec::new(), kind }).into()
}

/// A call with each argument a hostile text, the name of a hostile file, and the address of a hostile server; and with
/// each option that it lacks, also from the environment.
fn changed(call: &[String], kind: Kind, command: &Known, liar: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    for at in command.words.split(' ').count()..call.len() {
        let is_option = call[at].starts_with("--");
        let texts = [ALL[at % ALL.len()], ALL[(at + 1) % ALL.len()], "raw", liar];
        for text in texts.iter().take(if is_option { 1 } else { texts.len() }) {
            let mut arguments = call.to_vec();
            arguments[at] = (*text).to_owned();
            let language = if at % 2 == 0 { "es" } else { "en" };
            arguments.extend(["--lang".to_owned(), language.to_owned()]);
            runs.push(Run { arguments, environment: Vec::new(), kind });
        }
    }
    for (number, option) in command.options.iter().filter(|option| !call.contains(option)).enumerate() {
        let text = ALL[number % ALL.len()];
        let arguments = call.iter().cloned().chain([format!("{option}={text}")]).collect();
        runs.push(Run { arguments, environment: Vec::new(), kind });
        if command.words == "serve" {
            let name = format!("AUDIT_SERVE_{}", option[2..].to_ascii_uppercase().replace('-', "_"));
            runs.push(Run { arguments: call.to_vec(), environment: vec![(name, text.to_owned())], kind });
        }
    }
    runs
}

/// Runs of one command, one after the other in a folder of their own.
struct Task<'a> {
    words: &'a str,
    runs: Vec<Run>,
}

/// Some runs at a time, so that no thread has all those of the command with the most options.
fn in_parts(runs: Vec<Run>) -> impl Iterator<Item = Vec<Run>> {
    let mut runs = runs.into_iter();
    std::iter::from_fn(move || Some(runs.by_ref().take(8).collect()))
        .take_while(|part: &Vec<Run>| !part.is_empty())
}

#[test]
fn every_command_spells_out_what_others_wrote() {
    let served = TestFolder::new();
    let hostile = hostile(&served);
    let service = Started::by(&mut Started::command(&served, &[]));
    let mut words = hostile.words.clone();
    words.insert("{url}", service.url.clone());
    let known = known(&hostile.folder);
    let mut calls = Vec::new();
    for line in CALLS.lines().filter(|line| !line.is_empty()) {
        let (mark, line) = ["~ ", "= "]
            .iter()
            .find_map(|mark| Some((*mark, line.strip_prefix(mark)?)))
            .unwrap_or(("", line));
        let command = known
            .iter()
            .filter(|command| line == command.words || line.starts_with(&format!("{} ", command.words)))
            .max_by_key(|command| command.words.len());
        let command = command.unwrap_or_else(|| panic!("`{line}` calls no command"));
        let call: Vec<String> = line
            .split(' ')
            .map(|word| words.get(word).map_or_else(|| word.to_owned(), String::clone))
            .collect();
        calls.push((call, Kind { runs_on: mark == "~ ", is_exact: mark == "= " }, command));
    }
    for command in &known {
        assert!(
            calls.iter().any(|(_, _, called)| called.words == command.words),
            "say in CALLS how `{}` is called",
            command.words
        );
    }
    let liar = &words["{liar}"];
    let tasks: Vec<Task<'_>> = calls
        .iter()
        .flat_map(|(call, kind, command)| {
            let task = move |runs| Task { words: &command.words, runs };
            let listed = as_listed(call, *kind).into_iter().map(move |run| task(vec![run]));
            listed.chain(in_parts(changed(call, *kind, command, liar)).map(task))
        })
        .collect();
    let (next, faults, near) = (AtomicUsize::new(0), Mutex::default(), Mutex::new(BTreeSet::new()));
    let (copies, runs) = (TestFolder::new(), AtomicUsize::new(0));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(number) else { return };
            // What an earlier call made may be in the way.
            let here = copies.path(&number.to_string());
            copy(&hostile.folder.path("."), &here);
            for run in &task.runs {
                if held(&here, run, &faults) {
                    near.lock().unwrap().insert(task.words.to_owned());
                }
                runs.fetch_add(1, Ordering::Relaxed);
            }
            std::fs::remove_dir_all(here).unwrap();
        }
    };
    // Many of them wait: for a service that runs until it is stopped, or for a server that answers badly.
    std::thread::scope(|scope| (0..6).for_each(|_| drop(scope.spawn(work))));
    let (faults, runs) = (faults.into_inner().unwrap(), runs.into_inner());
    assert!(runs > 1_000, "{runs} runs of {} commands", known.len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    let near = near.into_inner().unwrap();
    let far: Vec<&str> =
        known.iter().map(|command| &*command.words).filter(|words| !near.contains(*words)).collect();
    assert!(far.is_empty(), "no hostile text was near: {far:?}");
    service.stop();
}
