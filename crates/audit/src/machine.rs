//! Tells trouble of the machine (a full disk, a refused connection) from what a log, a file or a server says.
//!
//! The type of an error and of its causes decides, never its text. The border:
//! - the bytes could not be had or put, whatever they are: trouble of the machine;
//! - the bytes are there, and they are not what they should be: unreadable (or a broken seal, where they
//!   contradict what was signed).

use std::error::Error;
use std::io::{self, ErrorKind};
use std::panic::PanicHookInfo;

use client::ClientError;
use load::LoadError;
use rustix::io::Errno;
use sealed_log::proof::ProveError;
use sealed_log::store::StoreError;
use sealed_log::writer::{CheckpointSinkError, SubmitError};
use tlog::consistency::MakeConsistencyError;
use witness::StateError;

/// Whether an error, or one of its causes, is trouble of the machine.
pub(crate) fn is_trouble(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if is_trouble_itself(error) {
            return true;
        }
        next = error.source();
    }
    false
}

fn is_trouble_itself(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<io::Error>().map(is_trouble_of_io);
    let store = || error.downcast_ref::<StoreError>().map(StoreError::is_disk);
    let kept = || error.downcast_ref::<CheckpointSinkError>().map(|_| true);
    let submitted = || match error.downcast_ref::<SubmitError>()? {
        SubmitError::NotAcknowledged { disk, .. } => Some(*disk),
        SubmitError::Refused { .. } => Some(false),
    };
    let extended = || match error.downcast_ref::<MakeConsistencyError<StoreError>>()? {
        MakeConsistencyError::Nodes(error) => Some(error.is_disk()),
        MakeConsistencyError::Not(_) => Some(false),
    };
    let proven = || error.downcast_ref::<ProveError>().map(|error| error.disk);
    let witness = || error.downcast_ref::<StateError>().map(StateError::is_disk);
    let client = || error.downcast_ref::<ClientError>().map(is_trouble_of_network);
    let load = || match error.downcast_ref::<LoadError>()? {
        LoadError::Client(error) => Some(is_trouble_of_network(error)),
        LoadError::Plan(_) | LoadError::Log(_) | LoadError::OwnFault(_) => Some(false),
    };
    io.or_else(store)
        .or_else(kept)
        .or_else(submitted)
        .or_else(extended)
        .or_else(proven)
        .or_else(witness)
        .or_else(client)
        .or_else(load)
        .unwrap_or(false)
}

/// Whether the system did not give or take bytes. A file that ends too early, holds something else than text, or is a
/// folder, was found: it is not what it should be.
pub(crate) fn is_trouble_of_io(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::UnexpectedEof
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
    )
}

/// What the system refused to code that panics for it: a thread, or memory for one. The standard library writes the
/// number into the panic's text; zstd says without one that it got no memory.
pub(crate) fn refused_in(panic: &PanicHookInfo<'_>) -> Option<io::Error> {
    let text = panic.payload_as_str()?;
    if text.starts_with("zstd returned null pointer") {
        return Some(Errno::NOMEM.into());
    }
    let number = ["Os { code: ", "(os error "].into_iter().find_map(|before| {
        let digits = text.split_once(before)?.1;
        digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    })?;
    let is_refusal = [Errno::AGAIN, Errno::NOMEM].iter().any(|errno| errno.raw_os_error() == number);
    is_refusal.then(|| io::Error::from_raw_os_error(number))
}

/// Whether there was no answer, or one that tells of trouble of the service itself.
pub(crate) fn is_trouble_of_network(error: &ClientError) -> bool {
    match error {
        ClientError::Unanswered { .. } => true,
        ClientError::Refused { problem, .. } => problem.status == 429 || problem.status >= 500,
        ClientError::Options(_) | ClientError::Unexpected { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::path::PathBuf;

    use intake::IntakeError;
    use sealed_log::reader::SourceError;
    use sealed_log::writer::{OpenError, WriteError};
    use sealed_log_sled::FolderError;

    use super::*;
    use crate::exit::Exit;
    use crate::failure::Failure;

    fn system(errno: Errno) -> io::Error {
        io::Error::from_raw_os_error(errno.raw_os_error())
    }

    /// The status for each error number of the system, in whatever it is wrapped.
    #[test]
    fn every_error_number_has_a_status() {
        let table = [
            (Errno::NOSPC, 74),
            (Errno::DQUOT, 74),
            (Errno::FBIG, 74),
            (Errno::MFILE, 74),
            (Errno::NFILE, 74),
            (Errno::IO, 74),
            (Errno::ACCESS, 74),
            (Errno::PERM, 74),
            (Errno::ROFS, 74),
            (Errno::NOENT, 74),
            (Errno::AGAIN, 74),
            (Errno::NOMEM, 74),
            (Errno::ADDRINUSE, 74),
            (Errno::ADDRNOTAVAIL, 74),
            (Errno::CONNREFUSED, 74),
            (Errno::CONNRESET, 74),
            (Errno::TIMEDOUT, 74),
            (Errno::HOSTUNREACH, 74),
            (Errno::NAMETOOLONG, 74),
            (Errno::LOOP, 74),
            (Errno::STALE, 74),
            (Errno::ISDIR, 4),
            (Errno::NOTDIR, 4),
        ];
        for (errno, status) in table {
            let path = || PathBuf::from("log/head");
            let folder = FolderError::File { path: path(), error: system(errno) };
            let failures = [
                Failure::file("log/head", &system(errno)),
                Failure::of_reading(SourceError::Io(system(errno))),
                Failure::of_reading(folder),
            ];
            for failure in failures {
                assert_eq!(failure.exit.status(), status, "{errno:?}: {}", failure.message);
            }
        }
    }

    /// What a store, the kept checkpoint and a service report of the machine says nothing against the log.
    #[test]
    fn a_failing_disk_is_never_a_broken_seal() {
        let full = || StoreError::Disk("No space left on device".to_owned());
        let kept = || CheckpointSinkError("head: No space left on device".to_owned());
        let submit = |disk| SubmitError::NotAcknowledged { why: "the log has stopped".to_owned(), disk };
        let folder = |error| FolderError::Open { folder: "log".into(), error: Box::new(error), aside: None };
        let machine: [Box<dyn Error + 'static>; 9] = [
            Box::new(full()),
            Box::new(FolderError::Store { folder: "log".into(), error: full(), aside: None }),
            Box::new(folder(OpenError::Store(full()))),
            Box::new(folder(OpenError::Write(WriteError::Checkpoint(kept())))),
            Box::new(FolderError::NotKept(kept())),
            Box::new(SourceError::Store(full())),
            Box::new(IntakeError::Log(submit(true))),
            Box::new(IntakeError::Store(full())),
            Box::new(LoadError::Client(ClientError::Unanswered {
                url: "http://127.0.0.1:1".to_owned(),
                why: "refused".to_owned(),
                timed_out: false,
            })),
        ];
        for error in machine {
            assert!(is_trouble(&*error), "{error}");
        }
        let damaged = || StoreError::Damaged { index: 3, why: "it is not there".to_owned() };
        let log: [Box<dyn Error + 'static>; 5] = [
            Box::new(damaged()),
            Box::new(FolderError::Store { folder: "log".into(), error: damaged(), aside: None }),
            Box::new(folder(OpenError::Shorter { size: 1, kept: 2 })),
            Box::new(FolderError::Checkpoint("head: illegible".to_owned())),
            Box::new(IntakeError::Log(submit(false))),
        ];
        for error in log {
            assert!(!is_trouble(&*error), "{error}");
            assert_eq!(Failure::by_cause(Exit::Seal, error.to_string(), &*error).exit, Exit::Seal);
        }
    }
}
