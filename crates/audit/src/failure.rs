//! Why a command failed: one sentence for people, and the exit status it ends with.

use crate::exit::Exit;

/// What goes wrong in a command, as one sentence for people.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
}

impl Failure {
    /// Something that cannot be read, or is not what it should be.
    pub(crate) fn unreadable(message: impl ToString) -> Self {
        Self { exit: Exit::Unreadable, message: message.to_string() }
    }

    /// The command was used wrongly.
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self { exit: Exit::Usage, message: message.to_string() }
    }

    /// The machine did not do what it was asked: it says nothing about a log.
    pub(crate) fn machine(message: impl ToString) -> Self {
        Self { exit: Exit::Machine, message: message.to_string() }
    }

    /// The seal is broken.
    pub(crate) fn seal(message: impl ToString) -> Self {
        Self { exit: Exit::Seal, message: message.to_string() }
    }
}
