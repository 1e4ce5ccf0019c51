//! The program's judge and `docs/independent/judge.py` judge the same lines: fixtures, mutated histories, whole nights, parts of
//! them, and floods.

use std::fs;
use std::path::{Path, PathBuf};

use crate::machine::{Done, Failed, Machine, run, write};

const NIGHTS: [&str; 4] = ["es-1979", "mini-punto-banco", "chemin-de-fer-es-1979", "chemin-de-fer-catalogo"];

/// The longest floods; they take `docs/independent/judge.py` minutes (docs/testing.md has the command for all).
const LONGEST: [&str; 3] = ["shoe-ids-", "bet-ids-", "bets-of-shoe-"];

fn failed(path: &Path, error: &std::io::Error) -> Failed {
    Failed(format!("{}: {error}", path.display()))
}

/// What a folder holds, in order.
fn listed(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| failed(folder, &error))?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// The fixtures that both judge: not those whose rulebooks are flawed or are not the one that is recorded.
fn fixtures(folder: &Path, found: &mut Vec<PathBuf>) -> Done {
    for path in listed(folder)? {
        if path.is_dir() {
            if !name(&path).contains("flawed") {
                fixtures(&path, found)?;
            }
        } else if name(&path).ends_with(".ndjson") && name(&path) != "rulebook-altered.ndjson" {
            found.push(path);
        }
    }
    Ok(())
}

/// Runs the comparison.
pub fn judge(machine: &Machine) -> Done {
    let audit = machine.audit()?;
    // Only the program knows which rulebook texts are built in.
    let judged = machine.built("examples/judged")?;
    let folder = machine.folder("judge")?;
    let check = |only: &[&str], files: &[PathBuf]| {
        run(machine.script("check_judge").args(only).arg(&judged).args(files))
    };
    let mutate = |out: &str, words: &str, files: &[PathBuf]| {
        let out = folder.join(out);
        write(&out, machine.script("mutate.py").args(words.split(' ')).args(files)).map(|()| out)
    };
    let short = listed(&machine.path("fixtures/rulebooks"))?;
    let short: Vec<PathBuf> = short.into_iter().filter(|path| name(path).ends_with(".ndjson")).collect();

    // Whole nights have no faults, and parts of them have only missing events, or one value that was wrong and a correction that is
    // missing: neither judge may find anything else.
    let mut nights = Vec::new();
    for book in NIGHTS {
        let night = folder.join(format!("{book}.night"));
        let simulate = ["simulate", "--rulebook", book, "--tables", "2", "--shoes", "2", "--out"];
        run(machine.command(&audit).args(simulate).arg(&night))?;
        nights.push(night);
    }
    check(&["--nothing-but", "nothing"], &nights)?;
    let parts = [
        mutate("parts", "--seed 1 --count 30 --gaps", &nights)?,
        mutate("parts.short", "--seed 2 --count 300 --gaps", &short)?,
        mutate("lost.3", "--seed 3 --count 300 --lost", &short)?,
        mutate("lost.4", "--seed 4 --count 300 --lost", &short)?,
    ];
    check(&["--nothing-but", "sequence-gap"], &parts)?;

    let floods = folder.join("floods");
    fs::create_dir(&floods).map_err(|error| failed(&floods, &error))?;
    run(machine.script("floods.py").arg(&floods))?;
    let short_ones = |path: &PathBuf| !LONGEST.iter().any(|longest| name(path).starts_with(longest));
    check(&[], &listed(&floods)?.into_iter().filter(short_ones).collect::<Vec<_>>())?;

    let mut files = Vec::new();
    for seed in 1..=3 {
        files.push(mutate(&format!("{seed}.ndjson"), &format!("--seed {seed} --count 300"), &short)?);
    }
    fixtures(&machine.path("fixtures"), &mut files)?;
    check(&[], &files)
}
