//! Runs the built program and gives what a person would see: output, errors and exit status.

pub mod schema;
pub mod serving;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for one test.
pub struct TestFolder {
    temporary: tempfile::TempDir,
}

impl TestFolder {
    pub fn new() -> Self {
        Self { temporary: tempfile::tempdir().expect("a folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.temporary.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("written");
    }

    /// Runs `audit` here.
    pub fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_audit"))
            .args(arguments)
            .current_dir(self.temporary.path())
            .stdin(Stdio::null())
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C")
            .env_remove("AUDIT_LANG")
            .output()
            .expect("audit runs")
    }

    /// What a person sees, in one block.
    pub fn see(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = |bytes: &[u8]| {
            without_program(&String::from_utf8_lossy(bytes)).replace(env!("CARGO_MANIFEST_DIR"), "[HERE]")
        };
        format!(
            "$ audit {}\n{}{}exit status {}\n",
            arguments.join(" ").replace(env!("CARGO_MANIFEST_DIR"), "[HERE]"),
            text(&output.stdout),
            text(&output.stderr),
            output.status.code().map_or("none".to_owned(), |code| code.to_string())
        )
    }
}

/// How long ago the events of a fixture happened depends on the day on which a test runs.
fn without_days(line: &str) -> String {
    let late =
        ["read from files: ", "incorporados desde archivos: "].iter().any(|late| line.starts_with(late));
    let up_to = [", up to ", "retraso de hasta "].into_iter().find(|up_to| late && line.contains(up_to));
    let days = up_to.and_then(|up_to| line.split_once(up_to).map(|(before, days)| (before, up_to, days)));
    days.map_or_else(
        || line.to_owned(),
        |(before, up_to, days)| {
            format!(
                "{before}{up_to}[DAYS]{}",
                days.trim_start_matches(|digit: char| digit.is_ascii_digit() || ",.".contains(digit))
            )
        },
    )
}

/// The same text for any commit that the program was built from, for any revision and rulebooks of the judge, and on any
/// day.
fn without_program(text: &str) -> String {
    let text = text.replace(concat!("commit ", env!("AUDIT_BUILT_FROM")), "commit [COMMIT]");
    let text: String = text.split_inclusive('\n').map(without_days).collect();
    let line = |line: &str| {
        let names_judge = line.starts_with("  judge ") || line.starts_with("  juez ");
        let inputs =
            [", inputs ", ", datos "].into_iter().find(|inputs| names_judge && line.contains(inputs));
        let inputs = inputs.and_then(|inputs| Some((line.split_once(inputs)?.0, inputs)));
        let judge = |judge: &str| {
            judge.rsplit_once(" r").map_or_else(|| judge.to_owned(), |(judge, _)| judge.to_owned())
        };
        inputs.map_or_else(|| line.to_owned(), |(name, inputs)| format!("{}{inputs}[DIGEST]\n", judge(name)))
    };
    text.split_inclusive('\n').map(line).collect()
}

/// A file of the repository's fixtures.
pub fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name).display().to_string()
}

/// Goes on with `events.ndjson` in a log that was interrupted: nothing acknowledged is missing,
/// every event is there exactly once, and everything verifies.
pub fn holds_what_was_acknowledged(folder: &TestFolder, log: &str, acknowledged: &str) {
    let again = folder.run(&["ingest", "--create", "events.ndjson", "--log", log]);
    assert_eq!(again.status.code(), Some(0), "{log}: {}", String::from_utf8_lossy(&again.stderr));
    let verified = folder.run(&["verify", "log", log, "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&verified.stdout).expect("a report");
    for verdict in ["intact", "complete", "certified"] {
        assert_eq!(report["verdicts"][verdict], "yes", "{log}: {report:#}");
    }
    let whole =
        std::fs::read_to_string(folder.path("events.ndjson")).expect("the events").lines().count() as u64;
    assert_eq!(report["read"]["events"], whole, "{log}: every event exactly once");
    folder.run(&["export", log, "--out", "kept.auditlog", "--force"]);
    let kept = entries(&folder.path("kept.auditlog"));
    for line in acknowledged.lines().filter(|line| line.split(' ').count() == 5) {
        let (index, rest) = line.split_once(' ').expect("five words");
        let digest = rest.split(' ').next();
        let index: u64 = index.parse().expect("an index");
        assert_eq!(kept.get(&index).map(String::as_str), digest, "{log}: acknowledged entry {index}");
    }
}

/// Index and digest of every entry of an archive.
fn entries(archive: &Path) -> BTreeMap<u64, String> {
    let file = std::fs::File::open(archive).expect("an archive");
    let source = sealed_log::archive::ArchiveSource::new(file).expect("an archive");
    let mut reader = sealed_log::reader::LogReader::new(source, sealed_log::reader::Expectations::default());
    let mut found = BTreeMap::new();
    while let Some(window) = reader.next_window().expect("readable") {
        found.extend(window.entries().map(|entry| (entry.index, entry.digest.to_string())));
    }
    found
}
