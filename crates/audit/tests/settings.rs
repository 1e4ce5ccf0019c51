//! Settings of the service: where each comes from, and what is said of those that are none.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use crate::command::{self, TestFolder};

#[test]
fn settings_come_from_arguments_then_the_environment_then_the_file() {
    let folder = TestFolder::new();
    folder.write("serve.toml", "log = \"from-file\"\nmax-body = 100000\nmax-posts = 7\n");
    let output = Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(["serve", "--config", "serve.toml", "--print-config", "--log", "from-argument"])
        .env("AUDIT_SERVE_LOG", "from-environment")
        .env("AUDIT_SERVE_MAX_POSTS", "9")
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    for line in [
        "log = \"from-argument\"  # command line",
        "max-body = 100000  # serve.toml",
        "max-posts = 9  # AUDIT_SERVE_MAX_POSTS",
        "listen = \"127.0.0.1:7370\"  # default",
        "# webhook is not set",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line} is not in\n{printed}");
    }
    // What is printed is a file that says the same.
    folder.write("printed.toml", &printed);
    let again = folder.run(&["serve", "--config", "printed.toml", "--print-config"]);
    let values = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.split_once("  #").map(|(value, _)| value.to_owned())).collect()
    };
    assert_eq!(values(&String::from_utf8(again.stdout).unwrap()), values(&printed));
}

/// What `--print-config` says of the collector, with these variables in the environment.
fn collector_by(folder: &TestFolder, environment: &[(&str, &str)], arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_audit"))
        .args([&["serve", "--config", "collector.toml", "--print-config"], arguments].concat())
        .env_remove("OTEL_EXPORTER_OTLP_ENDPOINT")
        .envs(environment.iter().copied())
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let line = printed.lines().find(|line| line.contains("otlp-endpoint"));
    line.unwrap_or_else(|| panic!("{printed}{}", String::from_utf8_lossy(&output.stderr))).to_owned()
}

#[test]
fn the_collector_is_also_found_where_every_program_looks_for_it() {
    const OURS: &str = "AUDIT_SERVE_OTLP_ENDPOINT";
    const OF_ALL: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
    let folder = TestFolder::new();
    folder.write("collector.toml", "log = \"log\"\n");
    let seen =
        |environment: &[(&str, &str)], arguments: &[&str]| collector_by(&folder, environment, arguments);
    assert_eq!(seen(&[], &[]), "# otlp-endpoint is not set");
    assert_eq!(seen(&[(OF_ALL, "")], &[]), "# otlp-endpoint is not set");
    assert_eq!(seen(&[(OF_ALL, "http://a")], &[]), format!("otlp-endpoint = \"http://a\"  # {OF_ALL}"));
    let both = [(OF_ALL, "http://a"), (OURS, "http://b")];
    assert_eq!(seen(&both, &[]), format!("otlp-endpoint = \"http://b\"  # {OURS}"));
    assert_eq!(seen(&both, &["--otlp-endpoint", ""]), "otlp-endpoint = \"\"  # command line");
    folder.write("collector.toml", "log = \"log\"\notlp-endpoint = \"http://c\"\n");
    assert_eq!(seen(&[(OF_ALL, "")], &[]), "otlp-endpoint = \"http://c\"  # collector.toml");
}

#[test]
fn names_of_the_service_are_a_list_wherever_they_are_given() {
    let folder = TestFolder::new();
    let host = |file: &str, environment: &[(&str, &str)], arguments: &[&str]| {
        folder.write("names.toml", format!("log = \"log\"\n{file}"));
        let output = Command::new(env!("CARGO_BIN_EXE_audit"))
            .args([&["serve", "--config", "names.toml", "--print-config"], arguments].concat())
            .envs(environment.iter().copied())
            .current_dir(folder.path("."))
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let line = printed.lines().find(|line| line.contains("host")).map(str::to_owned);
        line.unwrap_or_else(|| String::from_utf8(output.stderr).unwrap())
    };
    let environment = [("AUDIT_SERVE_HOST", "c.example,d.example")];
    let (list, one) = ("host = [\"a.example\", \"b.example\"]\n", "host = \"a.example\"\n");
    assert_eq!(host("", &[], &[]), "# host is not set");
    assert_eq!(host(list, &[], &[]), format!("{}  # names.toml", list.trim()));
    assert_eq!(host(one, &[], &[]), "host = [\"a.example\"]  # names.toml");
    let from_environment = "host = [\"c.example\", \"d.example\"]  # AUDIT_SERVE_HOST";
    assert_eq!(host(list, &environment, &[]), from_environment);
    let given = ["--host", "e.example", "--host", "f.example"];
    assert_eq!(host(list, &environment, &given), "host = [\"e.example\", \"f.example\"]  # command line");
}

/// What `audit serve` says with these variables in the environment; it must not start.
fn refused_by(folder: &TestFolder, environment: &[(&str, &str)]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_audit"))
        .args(["serve", "--log", "log"])
        .envs(environment.iter().copied())
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

// With a setting that was mistyped and silently left out, a service runs without what it stands for: without
// tokens, without a webhook, without witnesses.
#[test]
fn a_variable_that_is_no_setting_is_refused_and_the_one_that_was_meant_is_named() {
    let folder = TestFolder::new();
    let mut text = String::new();
    for (name, value) in [
        ("AUDIT_SERVE_TOKEN", "tokens"),
        ("AUDIT_SERVE_MAX_BODDY", "100000"),
        ("AUDIT_SERVE_COLOUR", "red"),
        ("AUDIT_SERVE_JSON", "true"),
        ("AUDIT_SERVE_MAX_POSTS", "many"),
        ("AUDIT_SERVE_MAX_BODY", "1"),
        ("AUDIT_SERVE_LOG_FORMAT", "yaml"),
        ("AUDIT_SERVE_PLAIN_HTTP_BEYOND_THIS_MACHINE", "flase"),
    ] {
        text += &format!("{name}={value}\n{}", refused_by(&folder, &[(name, value)]));
    }
    insta::assert_snapshot!(text);
    assert!(!folder.path("log").exists());
    // Other commands have nothing to do with these settings.
    let other =
        Command::new(env!("CARGO_BIN_EXE_audit")).args(["rules", "list"]).env("AUDIT_SERVE_X", "1").output();
    assert!(other.unwrap().status.success());
}

#[test]
fn a_value_of_the_wrong_type_is_refused_with_its_file_line_and_key() {
    let folder = TestFolder::new();
    let mut text = String::new();
    for value in [
        "log = 5",
        "log = [\"a\"]",
        "log = true",
        "max-body = \"8388608\"",
        "max-body = 8.5",
        "max-body = 0x2000",
        "max-body = -1",
        "max-body = 99999999999999999999",
        "max-posts = 5000",
        "log-format = \"yaml\"",
        "log-level = 3",
        "plain-http-beyond-this-machine = \"yes\"",
        "plain-http-beyond-this-machine = 1",
        "host = [\n  \"a.example\",\n  7,\n]",
        "host = []",
        "tokens = 2027-01-31",
        "[serve]\nlog = \"log\"",
        "tokkens = \"tokens\"",
        "max-body = 1_000_000\nmax-body = 5",
        "config = \"other.toml\"",
    ] {
        folder.write("s.toml", format!("# settings\nlisten = \"127.0.0.1:0\"\n{value}\n"));
        text += &format!("{value}\n{}", folder.see(&["serve", "--config", "s.toml"]));
    }
    insta::assert_snapshot!(text);
}

// An operator takes away a `#` and expects that it works.
#[test]
fn the_settings_that_are_shipped_are_good_and_so_is_what_they_leave_out() {
    let folder = TestFolder::new();
    for name in ["audit.toml", "audit-image.toml"] {
        let shipped = std::fs::read_to_string(command::fixture(&format!("../docs/deploy/{name}"))).unwrap();
        let is_setting =
            |line: &str| line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains(" = ");
        let bare =
            |line: &str| line.strip_prefix('#').filter(|line| is_setting(line)).unwrap_or(line).to_owned();
        let whole: String = shipped.lines().map(|line| bare(line) + "\n").collect();
        for (text, file) in [(&shipped, "as-shipped.toml"), (&whole, "whole.toml")] {
            folder.write(file, text);
            let output = folder.run(&["serve", "--config", file, "--print-config"]);
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
            let given = text.lines().filter(|line| is_setting(line)).count();
            assert_eq!(printed.matches(&format!("# {file}")).count(), given, "{name}: {printed}");
        }
        assert!(whole.lines().filter(|line| is_setting(line)).count() >= 4, "{name}");
    }
}

#[test]
fn what_is_no_setting_is_reported_with_its_file() {
    let folder = TestFolder::new();
    folder.write("unknown.toml", "colour = \"red\"\n");
    folder.write("kind.toml", "log = [3]\n");
    folder.write("value.toml", "log = \"log\"\nmax-body = 1\n");
    folder.write("names.toml", "log = \"log\"\nhost = []\n");
    folder.write("syntax.toml", "log log\n");
    folder.write("secret", "whsec_c2hvcnQ=\n");
    folder.write(
        "webhook.toml",
        "log = \"log\"\nwebhook = \"https://a.example\"\nwebhook-secret = \"secret\"\n",
    );
    let mut text = String::new();
    for file in ["unknown", "kind", "value", "names", "syntax", "webhook", "missing"] {
        text += &folder.see(&["serve", "--config", &format!("{file}.toml")]);
    }
    let only_owner = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(folder.path("secret"), only_owner).unwrap();
    text += &folder.see(&["serve", "--config", "webhook.toml"]);
    text += &folder.see(&["serve", "--log", "log", "--webhook", "https://a.example"]);
    text += &folder.see(&["serve", "--log", "log", "--otlp-endpoint", "collector:4318"]);
    text += &folder.see(&["serve", "--log", "log", "--host", "https://audit.casino.example"]);
    text += &folder.see(&["serve", "--log", "log", "--host", "audit.casino.example:7370"]);
    text += &folder.see(&["serve"]);
    insta::assert_snapshot!(text);
    assert!(!folder.path("log").exists(), "nothing is made before the settings are good");
}
