//! `audit rules`: the rulebooks, for people.

use std::path::Path;

use baccarat::diff::differences;
use baccarat::form::{self, NewOverlay};
use baccarat::lint::Severity;
use baccarat::{Rulebook, builtin, builtins, superseded_by};
use replay::Language;
use serde::Serialize;

use crate::cli::{NewRules, Rules};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{language, linted, rulebook, said};
use crate::text_file::small_text;
use crate::{new_file, output, render, shown};

#[derive(Serialize)]
struct RulebookView {
    id: String,
    title: String,
    jurisdiction: String,
    digest: String,
    /// The rulebook that follows the same sources and states more of what they say.
    #[serde(skip_serializing_if = "Option::is_none")]
    superseded_by: Option<&'static str>,
}

pub(crate) fn run(ask: &Rules) -> Result<Exit, Failure> {
    match ask {
        Rules::List { json } => list(*json),
        Rules::Show { rulebook: name, toml: true, .. } => show_file(name),
        Rules::Show { rulebook: name, json, .. } => {
            let book = rulebook(name)?;
            if *json {
                output::print_exact(&format!("{}\n", book.canonical_json()), shown::json)?;
            } else {
                output::print(&render::rulebook(&book))?;
                note_superseded(name);
            }
            Ok(Exit::Good)
        }
        Rules::Check { rulebook, json } => check(rulebook, *json),
        Rules::Diff { one, other, json } => diff(one, other, *json),
        Rules::New(ask) => begin(ask),
        Rules::Print { rulebook, out, force } => print_page(rulebook, out, *force),
        Rules::Schema => {
            output::print_json(&form::json_schema())?;
            Ok(Exit::Good)
        }
    }
}

/// Says which built-in rulebook a new table opens under instead of this one.
fn note_superseded(name: &str) {
    if let Some(newer) = superseded_by(name).filter(|_| !Path::new(name).is_file()) {
        output::note(&texts().rulebook_superseded(name, newer));
    }
}

fn check(name: &str, json: bool) -> Result<Exit, Failure> {
    let report = linted(name)?;
    if json {
        output::print_json(&render::lint_json(name, &report))?;
    } else {
        output::print(&render::lint(name, &report))?;
        note_superseded(name);
    }
    Ok(if report.count(Severity::Error) > 0 { Exit::Findings } else { Exit::Good })
}

fn diff(one: &str, other: &str, json: bool) -> Result<Exit, Failure> {
    let names = [one, other];
    let (one, other) = (rulebook(one)?, rulebook(other)?);
    let found = differences(&one, &other, names);
    if json {
        output::print_json(&render::diff_json(names, [&one, &other], &found))?;
    } else {
        output::print(&render::diff(names, &found))?;
    }
    Ok(if found.is_empty() { Exit::Good } else { Exit::Findings })
}

fn list(json: bool) -> Result<Exit, Failure> {
    let mut views = Vec::new();
    for (id, _) in builtins() {
        let book = builtin(id).map_err(Failure::of_reading)?;
        let digest = book.digest().to_string();
        let (title, jurisdiction) = (book.title, book.jurisdiction);
        views.push(RulebookView {
            id: book.id,
            title,
            jurisdiction,
            digest,
            superseded_by: superseded_by(id),
        });
    }
    if json {
        output::print_json(&views)?;
    } else {
        let rows = views.into_iter().map(|book| {
            let newer = book.superseded_by.unwrap_or_default().to_owned();
            [book.id, book.title, book.jurisdiction, newer, book.digest]
        });
        output::print(&render::table(
            [
                texts().rulebook_heading(),
                texts().rulebook_title(),
                texts().rulebook_where(),
                texts().superseded_heading(),
                texts().digest_heading(),
            ],
            rows,
        ))?;
    }
    Ok(Exit::Good)
}

fn show_file(name: &str) -> Result<Exit, Failure> {
    rulebook(name)?;
    let file = Path::new(name);
    if file.is_file() {
        output::print_exact(&small_text(file)?, shown::lines)?;
    } else if let Some((_, text)) = builtins().find(|(id, _)| *id == name) {
        output::print(text)?;
    }
    Ok(Exit::Good)
}

/// Writes a rulebook as a page to print.
fn print_page(name: &str, out: &Path, force: bool) -> Result<Exit, Failure> {
    let page = texts().rulebook_page(&rulebook(name)?);
    let text = match out.extension().and_then(|ending| ending.to_str()) {
        Some("html" | "htm") => render::html(&page),
        Some("md") => render::markdown(&page),
        Some(_) | None => {
            return Err(Failure::usage(texts().page_ending()));
        }
    };
    new_file::write(out, text.as_bytes(), force)?;
    Ok(Exit::Good)
}

/// Writes a file that extends a rulebook.
fn begin(ask: &NewRules) -> Result<Exit, Failure> {
    let base = rulebook(&ask.extends)?;
    let path = Path::new(&ask.extends);
    let is_file = path.is_file();
    let folder = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    if is_file && folder(path) != folder(&ask.out) {
        return Err(Failure::usage(texts().extends_elsewhere()));
    }
    let extends = match path.file_name().and_then(|name| name.to_str()).filter(|_| is_file) {
        Some(name) => name,
        None => ask.extends.as_str(),
    };
    let stem = ask.out.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let id = ask.id.as_deref().unwrap_or(stem);
    let from = ask.from.as_deref().unwrap_or(&base.effective.from);
    let spanish = language() == Language::Spanish;
    let text = form::overlay_file(&base, NewOverlay { extends, id, from, spanish });
    // A name or a day that is not allowed is reported now, and not by the first check.
    let mut beside = |_: &str| small_text(path).map_err(|failure| failure.message);
    let name = ask.out.display().to_string();
    Rulebook::from_toml_with(&name, &text, &mut beside).map_err(|error| Failure::usage(said(&error)))?;
    new_file::write_new(&ask.out, text.as_bytes())?;
    output::note(&texts().rulebook_begun(name));
    Ok(Exit::Good)
}
