//! `audit rules`: the rulebooks, for people.

use std::path::Path;

use baccarat::{builtin, builtins};
use serde::Serialize;

use crate::cli::Rules;
use crate::exit::Exit;
use crate::log::{rulebook, small_text};
use crate::{Failure, render};

#[derive(Serialize)]
struct Told {
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
            super::print(&if *json {
                format!("{}\n", book.canonical_json())
            } else {
                render::rulebook(&book)
            })?;
            Ok(Exit::Good)
        }
    }
}

fn list(json: bool) -> Result<Exit, Failure> {
    let mut told = Vec::new();
    for (id, _) in builtins() {
        let book = builtin(id).map_err(Failure::unreadable)?;
        let digest = book.digest().to_string();
        told.push(Told { id: book.id, title: book.title, jurisdiction: book.jurisdiction, digest });
    }
    if json {
        super::print_json(&told)?;
    } else {
        let rows = told.into_iter().map(|book| [book.id, book.title, book.jurisdiction, book.digest]);
        super::print(&render::table(["rulebook", "title", "where", "digest"], rows))?;
    }
    Ok(Exit::Good)
}

fn show_file(name: &str) -> Result<Exit, Failure> {
    rulebook(name)?;
    let file = Path::new(name);
    if file.is_file() {
        super::print(&small_text(file)?)?;
    } else if let Some((_, text)) = builtins().find(|(id, _)| *id == name) {
        super::print(text)?;
    }
    Ok(Exit::Good)
}
