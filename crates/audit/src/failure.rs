//! Why a command failed: one sentence for people, and the exit status it ends with.

use std::error::Error;
use std::fmt::Display;
use std::io;

use crate::errors::said;
use crate::exit::Exit;
use crate::language::texts;
use crate::machine::{is_trouble, is_trouble_of_io};
use crate::shown::plain;

/// What goes wrong in a command, as one sentence for people.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
}

impl Failure {
    /// Something was read that is not what it should be.
    pub(crate) fn unreadable(message: impl ToString) -> Self {
        Self { exit: Exit::Unreadable, message: message.to_string() }
    }

    /// The command was used wrongly.
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self { exit: Exit::Usage, message: message.to_string() }
    }

    /// The seal is broken: evidence contradicts itself.
    pub(crate) fn seal(message: impl ToString) -> Self {
        Self { exit: Exit::Seal, message: message.to_string() }
    }

    /// The machine did not do what it was asked: it says nothing about a log.
    pub(crate) fn machine(message: impl ToString) -> Self {
        Self { exit: Exit::Machine, message: message.to_string() }
    }

    /// The system did not give or take a file, a stream or an address.
    pub(crate) fn file(what: impl Display, error: &io::Error) -> Self {
        let exit = if is_trouble_of_io(error) { Exit::Machine } else { Exit::Unreadable };
        Self { exit, message: about(what, error) }
    }

    /// The system did not give or take a temporary file or folder. What it says about it is never about a log.
    pub(crate) fn temporary(what: impl Display, error: &io::Error) -> Self {
        Self::machine(texts().set_tmpdir(what, said(error)))
    }

    /// What should be read is unreadable, unless the machine is among the causes.
    pub(crate) fn of_reading(error: impl Error + 'static) -> Self {
        Self::by_cause(Exit::Unreadable, said(&error), &error)
    }

    /// The same, with what it is about before the error.
    pub(crate) fn of_reading_in(what: impl Display, error: impl Error + 'static) -> Self {
        Self::by_cause(Exit::Unreadable, about(what, &error), &error)
    }

    /// The seal is broken, unless the machine is among the causes.
    pub(crate) fn of_seal(error: impl Error + 'static) -> Self {
        Self::by_cause(Exit::Seal, said(&error), &error)
    }

    /// The same, with what it is about before the error.
    pub(crate) fn of_seal_in(what: impl Display, error: impl Error + 'static) -> Self {
        Self::by_cause(Exit::Seal, about(what, &error), &error)
    }

    /// The status that the causes of an error have, `otherwise` where none is of the machine.
    pub(crate) fn by_cause(otherwise: Exit, message: String, error: &(dyn Error + 'static)) -> Self {
        Self { exit: if is_trouble(error) { Exit::Machine } else { otherwise }, message }
    }
}

/// What an error is about, such as a file, and the error, in one line: the name of a file cannot break it.
pub(crate) fn about(what: impl Display, error: &(dyn Error + 'static)) -> String {
    format!("{}: {}", plain(&what.to_string()), said(error))
}
