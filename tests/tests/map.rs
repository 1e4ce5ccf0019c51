//! The map of the house: which crate may use which. A new arrow is a decision, made here and in
//! `docs/architecture.md`.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// Arrows of the built programs (not of tests), from the user to the used.
const ARROWS: &[(&str, &[&str])] = &[
    ("baccarat", &[]),
    ("canonical-cbor", &[]),
    ("tlog", &[]),
    ("events", &["baccarat", "canonical-cbor"]),
    ("sealed-log", &["canonical-cbor", "tlog"]),
    ("sealed-log-sled", &["sealed-log", "tlog"]),
    ("replay", &["baccarat", "events", "sealed-log"]),
    ("texts", &["baccarat", "events", "replay", "sealed-log", "tlog"]),
    ("desk", &["baccarat", "replay", "texts", "tlog"]),
    ("casino", &["baccarat", "events"]),
    ("door", &[]),
    ("follower", &["replay", "sealed-log", "tlog"]),
    ("fleet", &[]),
    ("intake", &["events", "sealed-log", "tlog"]),
    (
        "service",
        &[
            "desk",
            "door",
            "events",
            "follower",
            "intake",
            "replay",
            "sealed-log",
            "sealed-log-sled",
            "texts",
            "tlog",
        ],
    ),
    ("client", &["sealed-log", "tlog"]),
    ("load", &["baccarat", "casino", "client", "events", "sealed-log", "tlog"]),
    ("witness", &["door", "tlog"]),
    ("xtask", &[]),
    (
        "audit",
        &[
            "baccarat",
            "casino",
            "client",
            "desk",
            "events",
            "fleet",
            "intake",
            "load",
            "replay",
            "sealed-log",
            "sealed-log-sled",
            "service",
            "texts",
            "tlog",
            "witness",
        ],
    ),
    (
        "audit-tests",
        &[
            "baccarat",
            "client",
            "events",
            "follower",
            "intake",
            "replay",
            "sealed-log",
            "sealed-log-sled",
            "service",
            "tlog",
        ],
    ),
];

/// What a crate must never be built with, directly.
const NEVER: &[(&str, &[&str])] = &[
    ("baccarat", &["rand", "rand_chacha", "getrandom", "clap", "sled"]),
    ("events", &["blake3", "sha2", "rand", "getrandom", "clap", "sled"]),
    ("tlog", &["serde", "time", "rand", "getrandom", "clap", "blake3", "sled", "zstd"]),
    ("sealed-log", &["serde_json", "time", "rand", "getrandom", "clap", "sled"]),
    ("replay", &["rand", "rand_chacha", "getrandom", "time", "clap", "sled", "tempfile", "indexmap"]),
    ("casino", &["getrandom", "clap", "sled"]),
    ("fleet", &["clap", "sled", "tempfile", "time"]),
    ("desk", &["axum", "clap", "getrandom", "sled", "tempfile", "time"]),
    ("witness", &["clap", "sealed-log", "sled"]),
    ("audit", &["sled"]),
];

fn packages() -> Vec<Package> {
    let mut command = MetadataCommand::new();
    command.manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")).no_deps();
    command.exec().expect("cargo metadata answers").packages
}

fn built_with(package: &Package) -> BTreeSet<String> {
    let built = |kind| matches!(kind, DependencyKind::Normal | DependencyKind::Build);
    package.dependencies.iter().filter(|used| built(used.kind)).map(|used| used.name.clone()).collect()
}

#[test]
fn every_arrow_between_crates_is_on_the_map() {
    let packages = packages();
    let crates: BTreeSet<String> = packages.iter().map(|package| package.name.to_string()).collect();
    let found: BTreeMap<String, BTreeSet<String>> = packages
        .iter()
        .map(|package| {
            (package.name.to_string(), built_with(package).intersection(&crates).cloned().collect())
        })
        .collect();
    let map: BTreeMap<String, BTreeSet<String>> = ARROWS
        .iter()
        .map(|(krate, uses)| ((*krate).to_owned(), uses.iter().map(|used| (*used).to_owned()).collect()))
        .collect();
    assert_eq!(found, map, "the crates' dependencies are not those on the map");
}

#[test]
fn the_walls_hold() {
    let packages = packages();
    for (krate, never) in NEVER {
        let package =
            packages.iter().find(|package| package.name.as_str() == *krate).expect("the krate exists");
        let used = built_with(package);
        for forbidden in *never {
            assert!(!used.contains(*forbidden), "{krate} must not use {forbidden}");
        }
    }
}

/// The rows of `docs/dependencies.md`: for each crate of others, which of ours use it.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let docs = include_str!("../../docs/dependencies.md");
    let mut rows = BTreeMap::new();
    for line in docs.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| crate ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [names, used_by, _] = cells[..] else { panic!("not a row of three cells: {line}") };
        let users: BTreeSet<String> = used_by.split(", ").map(str::to_owned).collect();
        rows.extend(names.split(", ").map(|name| (name.to_owned(), users.clone())));
    }
    rows
}

#[test]
fn every_dependency_has_its_row_with_those_who_use_it() {
    let packages = packages();
    let crates: BTreeSet<String> = packages.iter().map(|package| package.name.to_string()).collect();
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages.iter().filter(|package| package.name.as_str() != "audit-tests") {
        for dependency in built_with(package).difference(&crates) {
            used.entry(dependency.clone()).or_default().insert(package.name.to_string());
        }
    }
    let documented = documented();
    for (dependency, users) in &used {
        assert_eq!(documented.get(dependency), Some(users), "docs/dependencies.md, {dependency}");
    }
    let left_over: Vec<&String> = documented.keys().filter(|name| !used.contains_key(*name)).collect();
    assert_eq!(left_over, [""; 0], "docs/dependencies.md has rows of what nobody uses");
}

#[test]
fn only_the_vault_names_sled() {
    for package in packages() {
        let uses = package.dependencies.iter().any(|used| used.name == "sled");
        assert_eq!(uses, package.name.as_str() == "sealed-log-sled", "{}", package.name);
    }
}

/// Pages that promise something, and name the file whose tests hold it.
const PROMISES: [&str; 6] =
    ["SECURITY.md", "docs/security.md", "docs/access.md", "docs/desk.md", "docs/fleet.md", "docs/testing.md"];

fn files_below(folder: &std::path::Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != ".git" {
            files_below(&path, found);
        } else {
            found.push(path.display().to_string());
        }
    }
}

#[test]
fn every_file_that_a_promise_names_is_there() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut files = Vec::new();
    files_below(root, &mut files);
    let is_file = |word: &str| {
        let ends = [".rs", ".py"].iter().any(|end| word.ends_with(end) && word.len() > end.len());
        ends && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c))
    };
    let mut named = 0;
    for page in PROMISES {
        let text = std::fs::read_to_string(root.join(page)).expect("a page");
        for word in
            text.split('`').skip(1).step_by(2).flat_map(|code| code.split(' ')).filter(|word| is_file(word))
        {
            named += 1;
            let end = format!("/{word}");
            assert!(files.iter().any(|file| file.ends_with(&end)), "{page} names {word}, which is not there");
        }
    }
    assert!(named > 50, "{named}");
}

/// Words that make a sentence a promise.
const PROMISING: [&str; 5] = ["never", "at most", "each", "every", "cannot"];

/// A section that promises something says in it where that is tested.
#[test]
fn every_section_that_promises_names_a_test() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut promising = 0;
    for page in PROMISES {
        let text = std::fs::read_to_string(root.join(page)).expect("a page");
        for section in text.split("\n## ").flat_map(|section| section.split("\n### ")) {
            let heading = section.lines().next().unwrap_or_default();
            let words = format!(" {} ", section.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " "));
            if !PROMISING.iter().any(|word| words.contains(&format!(" {word} "))) {
                continue;
            }
            promising += 1;
            let mut code = section.split('`').skip(1).step_by(2).flat_map(|code| code.split(' '));
            let is_test = |word: &str| word.ends_with(".rs") || word.starts_with(".ci/") || word == "cargo";
            assert!(code.any(is_test), "{page}: {heading:?} promises something and names no test");
        }
    }
    assert!(promising > 20, "{promising}");
}
