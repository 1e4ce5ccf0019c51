//! Prints a command's answer to standard output, and its notes to standard error.

use std::io::{self, Write};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::plain;

/// Prints lines for people to standard output, without anything that a terminal would interpret: names and messages
/// come from logs, servers and files. A reader that stopped reading is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_raw(&lines(text))
}

/// Lines as a terminal may show them.
pub(crate) fn lines(text: &str) -> String {
    let shown = |piece: &str| match piece.strip_suffix(['\n', '\t']) {
        Some(text) => plain(text) + &piece[text.len()..],
        None => plain(piece),
    };
    text.split_inclusive(['\n', '\t']).map(shown).collect()
}

/// Prints text that is read by programs, as it is.
pub(crate) fn print_raw(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::unreadable(format!("standard output: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints in pieces to standard output. A reader that stopped reading is not an error.
pub(crate) fn print_by(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::unreadable(format!("standard output: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints a value as JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    match serde_json::to_string_pretty(value) {
        Ok(text) => print_raw(&format!("{text}\n")),
        Err(error) => Err(Failure { exit: Exit::OwnFault, message: error.to_string() }),
    }
}

/// Prints a note to standard error.
pub(crate) fn note(text: &str) {
    // Standard error may be closed; the answer does not depend on the note.
    let _ = writeln!(io::stderr(), "audit: {}", lines(text));
}
