//! What an inspector does: the pages `docs/inspecting.md` and `docs/inspeccionar.md` are run as they stand, and what
//! an inspector would try or get wrong is tried.
#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::process::{Command, Output, Stdio};

use crate::command::{TestFolder, fixture};

const PAGES: [(&str, &str); 2] = [
    ("en", include_str!("../../../docs/inspecting.md")),
    ("es", include_str!("../../../docs/inspeccionar.md")),
];

/// A casino's log, handed over as an archive; its key and the checkpoint of an earlier visit; and an older copy.
fn visit() -> TestFolder {
    let folder = TestFolder::new();
    let crooked = std::fs::read_to_string(fixture("crooked.ndjson")).unwrap();
    let first: String = crooked.lines().take(500).map(|line| format!("{line}\n")).collect();
    folder.write("first.ndjson", first);
    folder.write("events.ndjson", &crooked);
    let (origin, log) = (["--origin", "casino.example/pit"], ["--log", "pit"]);
    folder.run(&[&["ingest", "--create", "first.ndjson"], &log[..], &origin[..]].concat());
    std::fs::copy(folder.path("pit/checkpoint"), folder.path("last-visit.checkpoint")).unwrap();
    std::fs::copy(folder.path("pit/key.pub"), folder.path("pit.key")).unwrap();
    folder.run(&["export", "pit", "--out", "older.auditlog"]);
    folder.run(&[&["ingest", "events.ndjson"], &log[..]].concat());
    folder.run(&["export", "pit", "--out", "pit.auditlog"]);
    folder
}

/// Runs `audit` with standard input from a file and further variables.
fn run_with(
    folder: &TestFolder,
    arguments: &[&str],
    input: Option<&str>,
    variables: &[(&str, &str)],
) -> Output {
    let input = input.map_or_else(Stdio::null, |name| File::open(folder.path(name)).unwrap().into());
    Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(arguments)
        .current_dir(folder.path("."))
        .stdin(input)
        .env_remove("NO_COLOR")
        .env_remove("AUDIT_LANG")
        .env("LC_ALL", "C")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Whether a line is what the page shows; `[..]` stands for any text.
fn line_fits(shown: &str, seen: &str) -> bool {
    match shown.split_once("[..]") {
        None => shown.trim_end() == seen.trim_end(),
        Some((before, after)) => seen.starts_with(before) && seen.ends_with(after),
    }
}

/// Whether lines are what the page shows; `...` stands for any number of lines.
fn fits(shown: &[&str], seen: &[&str]) -> bool {
    match (shown.split_first(), seen.split_first()) {
        (None, None) => true,
        (Some((&"...", rest)), _) => (0..=seen.len()).any(|skipped| fits(rest, &seen[skipped..])),
        (Some((shown, shown_rest)), Some((seen, seen_rest))) => {
            line_fits(shown, seen) && fits(shown_rest, seen_rest)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

#[test]
fn every_command_of_the_pages_prints_what_the_page_shows() {
    for (language, page) in PAGES {
        let folder = visit();
        let blocks = page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        let mut commands = 0;
        for step in blocks.flat_map(|block| block.split("$ audit ").skip(1)) {
            let mut lines = step.lines();
            let arguments: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
            let output = run_with(&folder, &arguments, None, &[("AUDIT_LANG", language)]);
            let status = if language == "es" { "código de salida" } else { "exit status" };
            let printed = format!("{}{status} {}", text(&output.stdout), output.status.code().unwrap());
            let (shown, seen): (Vec<&str>, Vec<&str>) = (lines.collect(), printed.lines().collect());
            let errors = text(&output.stderr);
            assert!(
                fits(&shown, &seen),
                "{arguments:?}: the page shows\n{}\nand the program\n{printed}\n{errors}",
                shown.join("\n")
            );
            commands += 1;
        }
        assert!(commands >= 11, "{language}: {commands}");
    }
}

#[test]
fn the_pages_show_the_same_commands() {
    let commands = |page: &str| -> Vec<String> {
        page.lines().filter(|line| line.starts_with("$ ")).map(str::to_owned).collect()
    };
    assert_eq!(commands(PAGES[0].1), commands(PAGES[1].1));
}

const SAMPLING: [(&str, &str); 2] =
    [("en", include_str!("../../../docs/sampling.md")), ("es", include_str!("../../../docs/muestreo.md"))];
const TRAINING: [(&str, &str); 2] =
    [("en", include_str!("../../../docs/training.md")), ("es", include_str!("../../../docs/practicar.md"))];

/// The blocks of a page between lines of three backticks, but for the name of their language.
fn code_of(page: &str) -> Vec<String> {
    let blocks = page.split("```").skip(1).step_by(2);
    blocks.map(|block| block.lines().map(str::trim).collect::<Vec<_>>().join("\n")).collect()
}

#[test]
fn a_sample_and_a_quiz_are_described_alike_in_both_languages_and_their_commands_run() {
    let folder = visit();
    std::fs::copy(folder.path("pit/checkpoint"), folder.path("this-visit.checkpoint")).unwrap();
    for (pages, expected, prompts) in [
        (SAMPLING, 1, [("en", "intact "), ("es", "íntegro ")]),
        // Nobody answers.
        (TRAINING, 5, [("en", "right or wrong? (r/w)"), ("es", "¿bien o mal? (b/m)")]),
    ] {
        let [(_, english), (_, spanish)] = pages;
        assert_eq!(code_of(english), code_of(spanish));
        assert_eq!(english.matches("\n## ").count(), spanish.matches("\n## ").count());
        for ((language, page), (_, prompt)) in pages.into_iter().zip(prompts) {
            let command =
                code_of(page).into_iter().find_map(|code| Some(code.strip_prefix("sh\naudit ")?.to_owned()));
            let command = command.unwrap();
            let arguments: Vec<&str> = command.split_whitespace().collect();
            let output = run_with(&folder, &arguments, None, &[("AUDIT_LANG", language)]);
            let said = text(&output.stdout) + &text(&output.stderr);
            assert_eq!(output.status.code(), Some(expected), "{language}: {said}");
            assert!(said.contains(prompt), "{language}: {said}");
        }
    }
}

/// A Spanish environment speaks Spanish, and JSON stays as it is byte for byte.
#[test]
fn the_language_is_that_of_the_environment_and_json_has_none() {
    let folder = visit();
    for variables in [[("LC_ALL", "es_ES.UTF-8")], [("AUDIT_LANG", "es")]] {
        let seen = run_with(&folder, &["verify", "pit.auditlog"], None, &variables);
        assert!(text(&seen.stdout).starts_with("íntegro     sí"), "{}", text(&seen.stdout));
        for command in [
            &["verify", "pit.auditlog", "--json"][..],
            &["show", "coup", "pit.auditlog", "--table", "PB-01", "--coup", "29", "--json"],
            &["show", "table", "events.ndjson", "--json"],
            &["explain", "--json"],
            &["verify", "proof", "pit.key", "--key", "pit.key", "--json"],
        ] {
            let spanish = run_with(&folder, command, None, &variables);
            let english = run_with(&folder, command, None, &[]);
            assert_eq!(text(&spanish.stdout), text(&english.stdout), "{command:?}");
        }
    }
    let wrong = run_with(&folder, &["verify", "--nothing"], None, &[("AUDIT_LANG", "es")]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("argumento desconocido"), "{}", text(&wrong.stderr));
}

#[test]
fn a_checkpoint_is_taken_out_of_a_folder_and_an_archive_and_never_replaced_by_an_older_one() {
    let folder = visit();
    for log in ["pit", "pit.auditlog"] {
        let kept = format!("kept-of-{log}");
        let output = folder.run(&["verify", log, "--key", "pit.key", "--keep-checkpoint", &kept]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let (kept, own) = (std::fs::read(folder.path(&kept)), std::fs::read(folder.path("pit/checkpoint")));
        assert_eq!(kept.unwrap(), own.unwrap());
    }
    // The older one is compared with the log, then replaced.
    let output = folder.run(&["verify", "pit.auditlog", "--keep-checkpoint", "last-visit.checkpoint"]);
    assert!(text(&output.stdout).contains("anchored   yes"), "{}", text(&output.stdout));
    let kept = std::fs::read(folder.path("last-visit.checkpoint")).unwrap();
    assert_eq!(kept, std::fs::read(folder.path("pit/checkpoint")).unwrap());
    let refused = |log: &str, file: &str, why: &str| {
        let before = std::fs::read(folder.path(file)).unwrap();
        let output = folder.run(&["verify", log, "--keep-checkpoint", file]);
        assert!(text(&output.stderr).contains(why), "{why}: {}", text(&output.stderr));
        assert_ne!(output.status.code(), Some(0), "{why}");
        assert_eq!(before, std::fs::read(folder.path(file)).unwrap(), "{why}");
    };
    refused("older.auditlog", "last-visit.checkpoint", "a newer one is not replaced by an older one");
    folder.write("notes", "what I saw\n");
    refused("pit.auditlog", "notes", "holds no checkpoint");
    folder.run(&["ingest", "--create", "first.ndjson", "--log", "other", "--origin", "casino.example/other"]);
    std::fs::copy(folder.path("other/checkpoint"), folder.path("other.checkpoint")).unwrap();
    refused("pit.auditlog", "other.checkpoint", "holds a checkpoint of the log casino.example/other");
    std::fs::copy(fixture("bit-flipped.auditlog"), folder.path("broken.auditlog")).unwrap();
    let output = folder.run(&["verify", "broken.auditlog", "--keep-checkpoint", "none"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(!folder.path("none").exists());
    let output = folder.run(&["verify", "events.ndjson", "--keep-checkpoint", "none"]);
    assert!(!folder.path("none").exists() && output.status.code() != Some(0));
}

/// The inspector's own file, changed by hand in one digit: nobody is accused, and no command takes it for compared.
#[test]
fn an_altered_checkpoint_file_accuses_nobody() {
    let folder = visit();
    let kept = std::fs::read_to_string(folder.path("last-visit.checkpoint")).unwrap();
    folder.write("altered.checkpoint", kept.replacen("\n40\n", "\n41\n", 1));
    let altered = ["--key", "pit.key", "--checkpoint", "altered.checkpoint"];
    for (language, expected) in [
        (
            "en",
            "anchored   unknown  the signature of the checkpoint given of 41 entries is not valid under your key: that \
             file was altered, or the key is another one; this says nothing about the log: look for another copy of \
             the checkpoint",
        ),
        (
            "es",
            "continúa    no se sabe  la firma del punto de control dado de 41 entradas no es válida con su clave: se \
             alteró ese archivo, o la clave es otra; del registro no dice nada: busque otra copia del punto de control",
        ),
    ] {
        for (name, command) in [
            ("verify", &["verify", "pit.auditlog", "--keep-checkpoint", "kept"][..]),
            ("report", &["report", "pit.auditlog", "--out", "report.html", "--force"]),
            ("sample", &["sample", "pit.auditlog", "--seed", "1", "--coups", "2"]),
        ] {
            let output =
                run_with(&folder, &[command, &altered[..]].concat(), None, &[("AUDIT_LANG", language)]);
            let (out, errors) = (text(&output.stdout), text(&output.stderr));
            assert_eq!(output.status.code(), Some(2), "{name}: {out}{errors}");
            assert!(out.lines().any(|line| line == expected), "{name}: {out}{errors}");
            let accusations = ["faults of the seal", "defectos del sello", "forked", "bifurcó"];
            assert!(!accusations.iter().any(|word| out.contains(word)), "{name}: {out}");
        }
    }
    let page = std::fs::read_to_string(folder.path("report.html")).unwrap();
    assert!(page.contains("la firma del punto de control dado de 41 entradas no es válida"));
    assert!(!folder.path("kept").exists());
    let json = folder.run(&[&["verify", "pit.auditlog", "--json"], &altered[..]].concat());
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json["verdicts"]["anchored"], &json["seal"]["fault_count"]), (&"unknown".into(), &0.into()));
    let said = json["seal"]["invalid_checkpoints"][0].as_str().unwrap();
    assert!(said.contains("the signature of a checkpoint of 41 entries is not valid"), "{said}");
    // Whoever trusts the log's own key is told that the log may be the one that is wrong.
    let carried = text(&folder.run(&["verify", "pit.auditlog", "--checkpoint", "altered.checkpoint"]).stdout);
    assert!(
        carried.contains("or the log's key is not the one that signed it; verify again with --key"),
        "{carried}"
    );
    // A log is not put back on the word of a checkpoint that was not compared.
    let restore = ["restore", "pit.auditlog", "--log", "again", "--key", "pit/key", "--checkpoint"];
    let output = folder.run(&[&restore[..], &["altered.checkpoint"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("could not be compared with a given checkpoint"));
    assert!(!folder.path("again").exists());
    let output = folder.run(&[&restore[..], &["last-visit.checkpoint"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// A log signed anew with another key of the same name, and a key that is not the one that signed.
#[test]
fn two_keys_of_one_name_are_told_apart_on_the_verdict_lines() {
    let folder = visit();
    folder.run(&["ingest", "--create", "first.ndjson", "--log", "anew", "--origin", "casino.example/pit"]);
    let id = |name: &str| {
        let key = std::fs::read_to_string(folder.path(name)).unwrap();
        key.split('+').nth(1).unwrap().to_owned()
    };
    let (ours, other) = (id("pit.key"), id("anew/key.pub"));
    // The attacker hands out his own key in the log: the checkpoint that was kept goes on refuting it.
    let output = folder.run(&["verify", "anew", "--checkpoint", "last-visit.checkpoint"]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{printed}");
    assert!(
        printed.contains(
            "anchored   no       the checkpoint given and this log are signed by two keys of one name"
        ),
        "{printed}"
    );
    for (language, by) in [
        ("en", format!("is not signed by the key you gave (id {other}) but by {ours}, of the same name")),
        (
            "es",
            format!(
                "no está firmado por la clave que usted ha dado (id {other}), sino por {ours}, del mismo nombre"
            ),
        ),
    ] {
        for command in [
            &["verify", "pit.auditlog"][..],
            &["report", "pit.auditlog", "--out", "report.html", "--force"],
            &["sample", "pit.auditlog", "--seed", "1", "--coups", "2"],
        ] {
            let ask = [command, &["--key", "anew/key.pub", "--lang", language]].concat();
            let output = folder.run(&ask);
            let line = text(&output.stdout).lines().next().unwrap_or_default().to_owned();
            assert_eq!(output.status.code(), Some(3), "{line}");
            assert!(line.contains(&by), "{line}{}", text(&output.stderr));
        }
    }
    let both = ["verify", "pit.auditlog", "--key", "anew/key.pub", "--checkpoint", "last-visit.checkpoint"];
    let printed = text(&folder.run(&both).stdout);
    assert!(
        printed.contains("anchored   no       the checkpoint given is not signed by the key you gave either")
    );
    let json = folder.run(&["verify", "pit.auditlog", "--key", "anew/key.pub", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["seal"]["signed_by_another"], serde_json::json!({ "given": other, "signers": [ours] }));
}

/// A checkpoint of another log continues nothing: none is kept beside it, and the reason is printed.
#[test]
fn no_checkpoint_is_kept_of_a_log_that_was_not_compared_with_what_was_given() {
    let folder = visit();
    folder.run(&["ingest", "--create", "first.ndjson", "--log", "other", "--origin", "casino.example/other"]);
    folder.run(&["export", "pit", "--table", "PB-01", "--coup", "29", "--out", "coup.auditlog"]);
    for (log, given, status, why) in [
        ("pit.auditlog", "other/checkpoint", 2, "a given checkpoint is of another log"),
        ("coup.auditlog", "last-visit.checkpoint", 2, "could not be compared with every checkpoint given"),
    ] {
        let output = folder.run(&["verify", log, "--checkpoint", given, "--keep-checkpoint", "x"]);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{log}: {errors}");
        assert!(errors.contains("x was not written") && errors.contains(why), "{log}: {errors}");
        assert!(!folder.path("x").exists(), "{log}");
    }
}

/// A file of another kind in a log's place, and an archive in a checkpoint's: what it is, and the command that reads it.
#[test]
fn a_file_of_another_kind_is_named_with_the_command_that_reads_it() {
    let folder = visit();
    let prove = ["prove", "coup", "pit", "--table", "PB-01", "--coup", "29", "--out"];
    folder.run(&[&prove[..], &["coup.tlog-proof"]].concat());
    folder.run(&[&prove[..], &["coup.cose", "--format", "cose"]].concat());
    for (file, said) in [
        ("coup.tlog-proof", ["it is a proof and not a log; audit verify proof", "la lee audit verify proof"]),
        ("coup.cose", ["it is a proof and not a log; audit verify proof", "la lee audit verify proof"]),
        ("last-visit.checkpoint", ["it is a checkpoint and not a log", "y después --checkpoint ARCHIVO"]),
        ("pit.key", ["it is a key and not a log", "y después --key ARCHIVO"]),
    ] {
        for (language, said) in ["en", "es"].into_iter().zip(said) {
            for command in [
                &["verify", file][..],
                &["show", "table", file],
                &["export", file, "--table", "PB-01", "--out", "copy"],
            ] {
                let output = folder.run(&[command, &["--lang", language]].concat());
                let errors = text(&output.stderr);
                assert_eq!(output.status.code(), Some(4), "{command:?}: {errors}");
                assert!(errors.contains(said) && errors.contains(file), "{command:?}: {errors}");
            }
        }
    }
    for proof in ["coup.tlog-proof", "coup.cose"] {
        let output = folder.run(&["verify", "proof", proof, "--key", "pit.key"]);
        assert_eq!(output.status.code(), Some(0), "{proof}: {}", text(&output.stderr));
    }
    for option in ["--checkpoint", "--key"] {
        let output = folder.run(&["verify", "pit.auditlog", option, "pit.auditlog"]);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{errors}");
        assert!(errors.contains("it is an archive of a log") && !errors.contains("save it"), "{errors}");
    }
    folder.write("noise", b"\xd2\x00neither this nor that");
    assert!(text(&folder.run(&["verify", "noise"]).stderr).contains("does not begin with AUDITLOG"));
}

/// Mail programs and editors of Windows change line ends and put a mark in front: what was signed is the same.
#[test]
fn line_ends_of_windows_and_a_byte_order_mark_do_not_spoil_a_checkpoint_or_a_key() {
    let folder = visit();
    for name in ["last-visit.checkpoint", "pit.key"] {
        let kept = std::fs::read_to_string(folder.path(name)).unwrap().replace('\n', "\r\n");
        folder.write(&format!("windows-{name}"), &kept);
        folder.write(&format!("marked-{name}"), format!("\u{feff}{kept}"));
    }
    for form in ["windows", "marked"] {
        let (key, checkpoint) = (format!("{form}-pit.key"), format!("{form}-last-visit.checkpoint"));
        let given = ["--key", &key, "--checkpoint", &checkpoint];
        let output = folder.run(&[&["verify", "pit.auditlog"], &given[..]].concat());
        let printed = text(&output.stdout);
        assert!(printed.contains("checked against the key you gave"), "{printed}{}", text(&output.stderr));
        assert!(printed.contains("anchored   yes"), "{printed}");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(folder.run(&["keys", "show", &key]).status.code(), Some(0));
        let ask = ["verify", "pit.auditlog", "--key", "pit.key", "--keep-checkpoint", &checkpoint];
        assert_eq!(folder.run(&ask).status.code(), Some(1));
        let kept = std::fs::read(folder.path(&checkpoint)).unwrap();
        assert_eq!(kept, std::fs::read(folder.path("pit/checkpoint")).unwrap());
    }
    // A digit more is still a digit more.
    let kept = std::fs::read_to_string(folder.path("windows-last-visit.checkpoint")).unwrap();
    folder.write("altered", kept.replacen("\n86\n", "\r\n87\r\n", 1));
    let output = folder.run(&["verify", "pit.auditlog", "--key", "pit.key", "--checkpoint", "altered"]);
    assert!(text(&output.stdout).contains("anchored   unknown"), "{}", text(&output.stdout));
}

/// A copy that ends before the checkpoint of the last visit is not called forked, and does not pass.
#[test]
fn an_older_copy_says_so_on_the_verdict_line() {
    let folder = visit();
    let checkpoint = ["--checkpoint", "pit/checkpoint"];
    let output = folder.run(&[&["verify", "older.auditlog"], &checkpoint[..]].concat());
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3));
    let line = printed.lines().find(|line| line.starts_with("anchored")).unwrap();
    assert!(line.contains("this copy has 40 entries, the checkpoint you gave 86"), "{line}");
    let report = folder.run(&[&["verify", "older.auditlog", "--json"], &checkpoint[..]].concat());
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["seal"]["older_than"], 86);
    // A fork of the same length is a fork.
    folder.run(&["ingest", "--create", "first.ndjson", "--log", "fork", "--origin", "casino.example/pit"]);
    std::fs::copy(folder.path("pit/key"), folder.path("fork/key")).unwrap();
    let output = folder.run(&["verify", "fork", "--key", "pit.key", "--checkpoint", "last-visit.checkpoint"]);
    assert!(!text(&output.stdout).contains("older copy"), "{}", text(&output.stdout));
}

#[test]
fn a_log_may_come_on_standard_input_and_events_need_no_seal() {
    let folder = visit();
    let piped = run_with(&folder, &["verify", "-", "--key", "pit.key"], Some("pit.auditlog"), &[]);
    let file = folder.run(&["verify", "log", "pit.auditlog", "--key", "pit.key"]);
    assert_eq!((text(&piped.stdout), piped.status.code()), (text(&file.stdout), file.status.code()));
    for (arguments, input) in [(["verify", "events.ndjson"], None), (["verify", "-"], Some("events.ndjson"))]
    {
        let output = run_with(&folder, &arguments, input, &[]);
        let printed = text(&output.stdout);
        assert!(printed.starts_with("intact     unknown  there is no seal: nothing is proven"), "{printed}");
        assert!(printed.contains("certified  no       1 violation"), "{printed}");
        assert!(text(&output.stderr).contains("without a seal"), "{}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(1));
    }
    // What was kept of a log neither confirms nor refutes what nobody sealed.
    let checkpoint = ["verify", "events.ndjson", "--checkpoint", "last-visit.checkpoint", "--key", "pit.key"];
    let output = folder.run(&checkpoint);
    assert!(text(&output.stdout).contains("anchored   unknown"), "{}", text(&output.stdout));
    assert_eq!(output.status.code(), Some(1));
    // An honest file is judged, and stays open.
    std::fs::copy(fixture("honest.ndjson"), folder.path("honest.ndjson")).unwrap();
    assert_eq!(folder.run(&["verify", "honest.ndjson"]).status.code(), Some(5));
    folder.write("bad.ndjson", "{\"table\":\"PB-01\"}\n");
    let output = folder.run(&["verify", "bad.ndjson"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("bad.ndjson:1:"), "{}", text(&output.stderr));
}

/// 44 findings here and 867 there, of the same table: those that belong to no coup were left out.
#[test]
fn the_table_shows_as_many_findings_as_the_report() {
    let folder = TestFolder::new();
    for (fault, in_coups) in [("burn-short", 0), ("number-after-gap", 1), ("banca-drew", 1)] {
        let log = fixture(&format!("faults/{fault}.ndjson"));
        let json = |arguments: &[&str]| -> serde_json::Value {
            serde_json::from_slice(&folder.run(arguments).stdout).unwrap()
        };
        let report = json(&["verify", &log, "--json"]);
        let counted: u64 =
            report["findings_by_code"].as_object().unwrap().values().filter_map(|count| count.as_u64()).sum();
        let table = json(&["show", "table", &log, "--json"]);
        let shown: u64 =
            table["shoes"].as_array().unwrap().iter().filter_map(|shoe| shoe["findings"].as_u64()).sum();
        let coups = json(&["show", "shoe", &log, "--table", "PB-01", "--json"]);
        let coups = coups["coups"].as_array().unwrap().iter();
        let beside: usize = coups.map(|coup| coup["findings"].as_array().unwrap().len()).sum();
        assert_eq!((beside, counted >= 1), (in_coups, true), "{fault}");
        assert_eq!(shown, counted, "{fault}");
    }
}

/// A row of what belongs to no shoe had `-` where a shoe's name stands, and nothing said what that was.
#[test]
fn what_belongs_to_no_shoe_is_named_and_explained_below_the_table() {
    let folder = TestFolder::new();
    let log = fixture("faults/currency-changed.ndjson");
    for (language, row, below) in [
        ("en", " PB-01  (none) ", ["\nshoe (none): ", "\nrulebook (none): "]),
        ("es", " PB-01  (ninguno) ", ["\nsabot (ninguno): ", "\nreglamento (ninguno): "]),
    ] {
        let shown = text(&folder.run(&["show", "table", &log, "--lang", language]).stdout);
        assert!(shown.contains(row) && below.iter().all(|line| shown.contains(line)), "{shown}");
    }
    let shown = text(&folder.run(&["show", "table", &fixture("honest.ndjson")]).stdout);
    assert!(!shown.contains("(none)"), "{shown}");
}

#[test]
fn every_code_and_every_reason_is_explained_in_both_languages() {
    let folder = TestFolder::new();
    let all = folder.run(&["explain", "--json"]);
    let all: Vec<serde_json::Value> = serde_json::from_slice(&all.stdout).unwrap();
    assert_eq!(all.len(), replay::Code::ALL.len() + replay::Reason::ALL.len());
    assert!(all.iter().all(|one| !one["next"].as_str().unwrap().is_empty()));
    let listed = text(&folder.run(&["explain", "--lang", "es"]).stdout);
    for name in all.iter().map(|one| one["name"].as_str().unwrap()) {
        assert!(listed.lines().any(|line| line.trim_start().starts_with(&format!("{name} "))), "{name}");
    }
    // An example that is shown shows what it is an example of.
    let example = all.iter().find(|one| one["name"] == "banca-drew").unwrap()["example"].as_array().unwrap();
    let mut last = None;
    for command in example {
        let words: Vec<&str> = command.as_str().unwrap().split(' ').skip(1).collect();
        last = Some(folder.run(&words));
    }
    assert!(text(&last.unwrap().stdout).contains("  banca-drew: "));
    let output = folder.run(&["explain", "no-such-code"]);
    assert_eq!(output.status.code(), Some(2));
}

/// Colour is ours; what is in a log brings none.
#[test]
fn colour_is_added_behind_escaping() {
    let folder = visit();
    let hostile = "x\u{1b}[2Jy.ndjson";
    std::fs::copy(folder.path("events.ndjson"), folder.path(hostile)).unwrap();
    let coup = ["show", "coup", hostile, "--table", "PB-01", "--coup", "29", "--color", "always"];
    let seen = text(&folder.run(&coup).stdout);
    assert!(seen.contains("\u{1b}[31m5♥\u{1b}[0m") && seen.contains(r"x\u{1b}[2Jy"), "{seen}");
    let codes = seen.matches('\u{1b}').count();
    assert_eq!(codes, 2 * seen.matches(['♥', '♦']).count(), "{seen}");
    let verified = text(&folder.run(&["verify", "pit.auditlog", "--color", "always"]).stdout);
    assert!(verified.contains("\u{1b}[32myes\u{1b}[0m") && verified.contains("\u{1b}[1;31mno\u{1b}[0m"));
    let plain = run_with(&folder, &["verify", "pit.auditlog"], None, &[]);
    assert!(!text(&plain.stdout).contains('\u{1b}'), "no terminal, no colour");
}
