//! Prints a command's answer to standard output, and its notes to standard error. Everything is escaped here
//! ([`crate::shown`]).

use std::io::{self, IsTerminal as _, Write};

use crate::colour;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::shown::{self, Escaping};

/// Prints lines for people to standard output. A reader that stopped reading is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_shown(&colour::lines(text))
}

/// Prints a text whose bytes count, a canonical form say: escaped for a terminal alone.
pub(crate) fn print_exact(text: &str, way: fn(&str) -> String) -> Result<(), Failure> {
    print_shown(&if io::stdout().is_terminal() { way(text) } else { text.to_owned() })
}

/// Prints lines for people, or JSON, while something is followed; gives whether anybody still reads.
pub(crate) fn print_live(text: &str, is_json: bool) -> Result<bool, Failure> {
    let shown = if is_json { shown::json(text) } else { colour::lines(text) };
    let mut out = io::stdout().lock();
    match out.write_all(shown.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        result => written(result).map(|()| true),
    }
}

/// Prints text that is escaped already.
pub(crate) fn print_shown(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::file(texts().standard_output(), &error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints lines in pieces to standard output. A reader that stopped reading is not an error.
pub(crate) fn print_by(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    by(colour::lines, write)
}

/// The same with JSON.
pub(crate) fn print_json_by(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    by(shown::json, write)
}

fn by(way: fn(&str) -> String, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(Escaping::new(io::stdout().lock(), way));
    written(write(&mut out).and_then(|()| out.flush()))
}

/// Prints a value as JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    match serde_json::to_string_pretty(value) {
        Ok(text) => print_json_text(&format!("{text}\n")),
        Err(error) => Err(Failure { exit: Exit::OwnFault, message: error.to_string() }),
    }
}

/// Prints text that is JSON already.
pub(crate) fn print_json_text(text: &str) -> Result<(), Failure> {
    print_shown(&shown::json(text))
}

/// Prints a note to standard error.
pub(crate) fn note(text: &str) {
    error_line(&format!("audit: {text}"));
}

/// Prints a line to standard error.
pub(crate) fn error_line(text: &str) {
    // Standard error may be closed; the answer does not depend on it.
    let _ = writeln!(io::stderr(), "{}", shown::lines(text));
}
