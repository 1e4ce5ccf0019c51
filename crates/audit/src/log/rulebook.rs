//! A rulebook as a command is given it: a built-in name, or a file and those beside it that it extends.

use std::path::Path;

use crate::failure::Failure;
use crate::text_file::{small_text, text_in};

/// A rulebook by built-in name, or from a file; files it extends lie beside it.
pub(crate) fn rulebook(name: &str) -> Result<baccarat::Rulebook, Failure> {
    let path = Path::new(name);
    if path.is_file() {
        return baccarat::Rulebook::from_toml_with(name, &text_in(path)?, &mut beside(path))
            .map_err(Failure::unreadable);
    }
    baccarat::builtin(name).map_err(|error| Failure::usage(format!("{error}; or give a file")))
}

/// The linter's report on a rulebook by built-in name, or on a file, which may be a draft.
pub(crate) fn linted(name: &str) -> Result<baccarat::lint::Report, Failure> {
    let path = Path::new(name);
    if path.is_file() {
        return baccarat::lint::read(name, &text_in(path)?, &mut beside(path)).map_err(Failure::unreadable);
    }
    rulebook(name).map(baccarat::lint::check)
}

/// Reads the files beside this one.
fn beside(path: &Path) -> impl FnMut(&str) -> Result<String, String> {
    |base: &str| small_text(&path.with_file_name(base)).map_err(|failure| failure.message)
}
