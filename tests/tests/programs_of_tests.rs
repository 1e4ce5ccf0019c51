//! Each crate has one program of integration tests, `tests/all.rs`, with a module for each subject. A file that no
//! program names would never be compiled, and a test that needs a process of its own has a program of its own.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{MetadataCommand, TargetKind};

/// Each one is linked with the whole workspace, which takes seconds and a hundred megabytes.
const MOST_PROGRAMS: usize = 30;

/// The file itself and those of its modules, and of theirs.
fn files_of(file: &Path, is_root: bool, found: &mut BTreeSet<PathBuf>) {
    let folder = file.parent().unwrap();
    let below = match file.file_name().unwrap().to_str().unwrap() {
        "mod.rs" => folder.to_owned(),
        _ if is_root => folder.to_owned(),
        _ => file.with_extension(""),
    };
    let text = fs::read_to_string(file).unwrap();
    found.insert(fs::canonicalize(file).unwrap());
    let mut path = None;
    for line in text.lines().map(|line| line.strip_prefix("pub ").unwrap_or(line)) {
        if let Some(named) = line.strip_prefix("#[path = \"") {
            path = Some(folder.join(named.trim_end_matches("\"]")));
        } else if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
            let beside = below.join(format!("{name}.rs"));
            let usual = if beside.exists() { beside } else { below.join(name).join("mod.rs") };
            files_of(&path.take().unwrap_or(usual), false, found);
        }
    }
}

/// The source files below a folder.
fn sources(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.insert(fs::canonicalize(&path).unwrap());
        }
    }
}

#[test]
fn every_file_of_tests_belongs_to_one_of_few_programs() {
    let mut command = MetadataCommand::new();
    command.manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")).no_deps();
    let (mut programs, mut compiled, mut written) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for package in command.exec().unwrap().packages {
        sources(&package.manifest_path.parent().unwrap().join("tests").into_std_path_buf(), &mut written);
        for target in package.targets.iter().filter(|target| target.kind.contains(&TargetKind::Test)) {
            files_of(target.src_path.as_std_path(), true, &mut compiled);
            programs.push(format!("{}: {}", package.name, target.name));
        }
    }
    let left_out: Vec<&PathBuf> = written.difference(&compiled).collect();
    assert!(
        left_out.is_empty(),
        "`mod NAME;` is missing in the `tests/all.rs` of their crates: {left_out:#?}"
    );
    assert!(written.len() > 100 && programs.len() > 10, "{programs:#?}");
    assert!(programs.len() <= MOST_PROGRAMS, "{} programs: {programs:#?}", programs.len());
}
