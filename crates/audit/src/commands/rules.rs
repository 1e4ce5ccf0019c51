//! `audit rules`: the rulebooks, for people.

use std::path::Path;

use baccarat::diff::differences;
use baccarat::lint::Severity;
use baccarat::{builtin, builtins};
use serde::Serialize;

use crate::cli::Rules;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{linted, rulebook};
use crate::text_file::small_text;
use crate::{output, render, shown};

#[derive(Serialize)]
struct RulebookView {
    id: String,
    title: String,
    jurisdiction: String,
    digest: String,
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
            }
            Ok(Exit::Good)
        }
        Rules::Check { rulebook, json } => check(rulebook, *json),
        Rules::Diff { one, other, json } => diff(one, other, *json),
    }
}

fn check(name: &str, json: bool) -> Result<Exit, Failure> {
    let report = linted(name)?;
    if json {
        output::print_json(&render::lint_json(name, &report))?;
    } else {
        output::print(&render::lint(name, &report))?;
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
        let book = builtin(id).map_err(Failure::unreadable)?;
        let digest = book.digest().to_string();
        views.push(RulebookView { id: book.id, title: book.title, jurisdiction: book.jurisdiction, digest });
    }
    if json {
        output::print_json(&views)?;
    } else {
        let rows = views.into_iter().map(|book| [book.id, book.title, book.jurisdiction, book.digest]);
        output::print(&render::table(
            [
                texts().rulebook_heading(),
                texts().rulebook_title(),
                texts().rulebook_where(),
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
