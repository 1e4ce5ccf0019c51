//! A rulebook as a command is given it: a built-in name, or a file and those beside it that it extends.

use std::path::Path;

use baccarat::{Rulebook, RulebookError, builtins};
use replay::Language;

use crate::failure::Failure;
use crate::language::texts;
use crate::text_file::{small_text, text_in};

/// A rulebook by built-in name, or from a file; files it extends lie beside it.
pub(crate) fn rulebook(name: &str) -> Result<Rulebook, Failure> {
    match file(name)? {
        Some(path) => Rulebook::from_toml_with(name, &text_in(path)?, &mut beside(path)).map_err(unreadable),
        None => baccarat::builtin(name).map_err(|error| Failure::usage(no_such(name, &error))),
    }
}

/// What to say of a name that is no built-in rulebook's.
fn no_such(name: &str, error: &RulebookError) -> String {
    let file = format!("{name}.toml");
    match Path::new(&file).is_file() {
        true => texts().or_that_file(said(error), file),
        false => texts().or_give_a_file(said(error)),
    }
}

/// The linter's report on a rulebook by built-in name, or on a file, which may be a draft.
pub(crate) fn linted(name: &str) -> Result<baccarat::lint::Report, Failure> {
    match file(name)? {
        Some(path) => baccarat::lint::read(name, &text_in(path)?, &mut beside(path)).map_err(unreadable),
        None => rulebook(name).map(baccarat::lint::check),
    }
}

/// The file that is meant, if a file is meant and not a built-in name.
fn file(name: &str) -> Result<Option<&Path>, Failure> {
    let path = Path::new(name);
    let looks_like_one = name.contains(['/', '\\']) || name.ends_with(".toml");
    if path.is_dir() {
        return Err(Failure::usage(texts().rulebook_is_a_folder(name)));
    }
    if path.exists() {
        return Ok(Some(path));
    }
    if !looks_like_one {
        return Ok(None);
    }
    let names: Vec<&str> = builtins().map(|(id, _)| id).collect();
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let all = names.join(", ");
    Err(Failure::usage(match baccarat::form::nearest(stem, names.iter().copied()) {
        Some(meant) => texts().no_such_rulebook_but(name, meant, all),
        None => texts().no_such_rulebook(name, all),
    }))
}

fn unreadable(error: RulebookError) -> Failure {
    Failure::unreadable(said(&error))
}

/// The language that was asked for.
pub(crate) fn language() -> Language {
    texts().language()
}

/// The problems, in the language that was asked for.
pub(crate) fn said(error: &RulebookError) -> String {
    match language() {
        Language::English => error.to_string(),
        Language::Spanish => error.in_spanish(),
    }
}

/// Reads the files beside this one.
fn beside(path: &Path) -> impl FnMut(&str) -> Result<String, String> {
    |base: &str| small_text(&path.with_file_name(base)).map_err(|failure| failure.message)
}
