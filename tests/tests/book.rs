//! The pages of `docs/` as a book: every page is in its list, and every link leads to a file and a heading that exist.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The pages below a folder, with their names from the top of the repository.
fn pages(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let path = folder.join(entry.unwrap().file_name());
        if root().join(&path).is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(root().join(&path)).unwrap();
            found.insert(path, text);
        }
    }
}

fn every_page() -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    pages(Path::new("docs"), &mut found);
    for name in ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "fixtures/README.md"] {
        found.insert(name.into(), fs::read_to_string(root().join(name)).unwrap());
    }
    found
}

/// The lines that are no code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The targets of a page's links to other files and headings of the repository.
fn links(page: &str) -> Vec<&str> {
    let targets =
        prose(page).flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:")).collect()
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings =
        prose(page).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for heading in headings {
        let kept = heading.chars().filter(|each| each.is_alphanumeric() || " -_".contains(*each));
        let anchor = kept.collect::<String>().to_lowercase().replace(' ', "-");
        let before = seen.entry(anchor.clone()).or_default();
        anchors.insert(if *before == 0 { anchor.clone() } else { format!("{anchor}-{before}") });
        *before += 1;
    }
    anchors
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

#[test]
fn every_link_leads_somewhere() {
    let pages = every_page();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, page) in &pages {
        for link in links(page) {
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { name.clone() } else { plain(&name.parent().unwrap().join(file)) };
            let there = match pages.get(&target) {
                Some(page) => anchor.is_empty() || anchors(page).contains(anchor),
                None => anchor.is_empty() && root().join(&target).exists(),
            };
            if !there {
                wrong.push(format!("{}: {link}", name.display()));
            }
        }
    }
    assert!(count > 150, "{count} links were read");
    assert!(wrong.is_empty(), "links that lead nowhere:\n{}", wrong.join("\n"));
}

/// Where the files of a list `assets` of cargo-deb are in the package, by their names from the top of the repository.
/// Only files that the repository has: others are made by the build.
fn packaged() -> BTreeMap<PathBuf, PathBuf> {
    let manifest = fs::read_to_string(root().join("crates/audit/Cargo.toml")).unwrap();
    let assets = manifest.split("\nassets = [\n").nth(1).unwrap().split("\n]").next().unwrap();
    let mut packaged = BTreeMap::new();
    for asset in assets.lines() {
        let [_, from, _, to, _, _, _] = asset.split('"').collect::<Vec<_>>()[..] else { panic!("{asset}") };
        let Some(from) = from.strip_prefix("../../") else { continue };
        let (folder, pattern) = from.rsplit_once('/').unwrap_or(("", from));
        let Ok(names) = fs::read_dir(root().join(folder)) else { continue };
        let (before, after) = pattern.split_once('*').unwrap_or((pattern, ""));
        for name in names.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
            let fits = name == pattern
                || (pattern.contains('*') && name.starts_with(before) && name.ends_with(after));
            let file = Path::new(folder).join(&name);
            if fits && root().join(&file).is_file() {
                packaged.insert(file, Path::new(to).join(name));
            }
        }
    }
    packaged
}

/// A package has a part of the repository, laid out in its own way: a link leads to the same file in both.
#[test]
fn every_link_of_a_packaged_page_leads_to_a_packaged_file() {
    let packaged = packaged();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, page) in every_page() {
        let Some(place) = packaged.get(&name) else { continue };
        for link in links(&page) {
            let file = link.split('#').next().unwrap();
            if file.is_empty() {
                continue;
            }
            count += 1;
            let there = packaged.get(&plain(&name.parent().unwrap().join(file)));
            if there != Some(&plain(&place.parent().unwrap().join(file))) {
                wrong.push(format!("{}: {link}", name.display()));
            }
        }
        for path in paths_into_docs(&page).filter(|path| !path.contains('*')) {
            count += 1;
            if !packaged.keys().any(|file| file.starts_with(path)) {
                wrong.push(format!("{}: {path}", name.display()));
            }
        }
    }
    assert!(count > 250, "{count} links were read");
    assert!(wrong.is_empty(), "links that lead nowhere in the package:\n{}", wrong.join("\n"));
}

#[test]
fn every_page_is_in_the_book() {
    let mut pages = BTreeMap::new();
    self::pages(Path::new("docs"), &mut pages);
    let summary = pages.remove(Path::new("docs/SUMMARY.md")).unwrap();
    let listed: Vec<PathBuf> = links(&summary).into_iter().map(|link| Path::new("docs").join(link)).collect();
    let once: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    // Those are beside files that a program reads.
    let read_there = ["docs/schemas/README.md", "docs/table-events/README.md"].map(PathBuf::from);
    let missing: Vec<&PathBuf> =
        pages.keys().filter(|page| !once.contains(page) && !read_there.contains(page)).collect();
    assert!(missing.is_empty(), "docs/SUMMARY.md lacks {missing:?}");
}

/// The paths below `docs/` that a text names. One with a `*` is a pattern, up to the name's end.
fn paths_into_docs(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("docs/").filter(|(at, _)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric() && !"-_.".contains(before))
    });
    starts.filter_map(|(at, _)| {
        let rest = text.get(at..)?;
        let is_part = |each: char| each.is_ascii_alphanumeric() || "-_./*".contains(each);
        let end = rest.find(|each| !is_part(each)).unwrap_or(rest.len());
        let followed = rest.get(end..).and_then(|after| after.chars().next());
        let path = rest.get(..end)?.trim_end_matches(['.', '/']);
        // A name to be filled in.
        let is_filled_in =
            |part: &str| !part.is_empty() && part.chars().all(|each| each.is_ascii_uppercase());
        let is_name =
            !followed.is_some_and(|after| "{<$".contains(after)) && !path.split(['/', '.']).any(is_filled_in);
        (is_name && path != "docs").then_some(path)
    })
}

/// Whether there is such a file or folder, or one that fits the pattern.
fn is_there(path: &str) -> bool {
    let Some((before, after)) = path.split_once('*') else { return root().join(path).exists() };
    let (folder, beginning) = before.rsplit_once('/').unwrap_or((".", before));
    let Ok(entries) = fs::read_dir(root().join(folder)) else { return false };
    entries.filter_map(Result::ok).any(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let rest = name.strip_prefix(beginning);
        rest.is_some_and(|rest| rest.ends_with(after.trim_start_matches('*')))
    })
}

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let path = folder.join(entry.unwrap().file_name());
        if root().join(&path).is_dir() {
            if !path.ends_with("target") && !path.ends_with("corpus") {
                texts(&path, found);
            }
        } else {
            found.push(path);
        }
    }
}

/// What the program prints, its pages, packages, checks and comments name is there.
#[test]
fn every_path_into_the_docs_is_there() {
    let mut files: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "Cargo.toml"].map(PathBuf::from).to_vec();
    for folder in ["crates", "tests", "docs", ".ci", "fixtures"] {
        texts(Path::new(folder), &mut files);
    }
    let (mut wrong, mut count) = (BTreeSet::new(), 0);
    for file in files {
        let Ok(text) = fs::read_to_string(root().join(&file)) else { continue };
        for path in paths_into_docs(&text) {
            count += 1;
            if !is_there(path) {
                wrong.insert(format!("{}: {path}", file.display()));
            }
        }
    }
    assert!(count > 300, "{count} paths were read");
    assert!(wrong.is_empty(), "paths that lead nowhere:\n{}", Vec::from_iter(wrong).join("\n"));
}

/// Whether a word is the abbreviated or whole name of a commit.
fn is_commit(word: &str) -> bool {
    let is_hex = word.chars().all(|each| each.is_ascii_digit() || ('a'..='f').contains(&each));
    let has = |kind: fn(&char) -> bool| word.chars().any(|each| kind(&each));
    // An algorithm's name has the form of a commit's.
    word != "ed25519"
        && is_hex
        && (7..=40).contains(&word.len())
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
}

/// A figure is stated where a reader needs it; at which commit it was measured, and what it was before, is in the lab's
/// chapter (`docs/lab.md`, and `docs/mutants.md` below it).
#[test]
fn only_the_lab_names_commits() {
    let lab = ["docs/lab.md", "docs/mutants.md"].map(Path::new);
    let (mut wrong, mut named) = (Vec::new(), 0);
    for (name, page) in every_page() {
        let is_part = |each: char| each.is_alphanumeric() || "-_+/".contains(each);
        let words = prose(&page).flat_map(|line| line.split(|each| !is_part(each)));
        let commits: Vec<&str> = words.filter(|word| is_commit(word)).collect();
        if lab.contains(&name.as_path()) {
            named += commits.len();
        } else {
            wrong.extend(commits.iter().map(|commit| format!("{}: {commit}", name.display())));
        }
    }
    assert!(named > 30, "{named} commits were read in the lab");
    assert!(wrong.is_empty(), "commits outside of the lab:\n{}", wrong.join("\n"));
}

/// Somebody who has never seen it reads it in five minutes.
#[test]
fn the_readme_is_short() {
    let words = fs::read_to_string(root().join("README.md")).unwrap().split_whitespace().count();
    assert!(words <= 900, "the README has {words} words");
}
