//! Errors of digests. Those of entries, notices, checkpoints, notes and keys are said by `texts`, as in a report.

use ::texts::SealErrorInSpanish as _;
use sealed_log::entry::{DigestError, EntryError, NameError};
use sealed_log::keys::RotationError;
use sealed_log::notice::{NoticeError, OwnChainError};
use tlog::checkpoint::CheckpointError;
use tlog::key::KeyError;
use tlog::note::NoteError;

use super::Spanish;
use super::phrases::{Phrase, or_detail};

pub(super) const PHRASES: &[Phrase] =
    &[("`{0}` is not a digest: expected 64 lower-case hexadecimal digits", DIGEST)];

const DIGEST: &str = "`{0}` no es una huella: se esperaban 64 cifras hexadecimales en minúsculas";

impl Spanish for DigestError {
    fn spanish(&self) -> String {
        or_detail(&self.to_string())
    }
}

/// Errors that reports have too.
macro_rules! said_by_texts {
    ($($type:ty),+ $(,)?) => {
        $(impl Spanish for $type {
            fn spanish(&self) -> String {
                self.seal_error_in_spanish()
            }
        })+
    };
}

said_by_texts! {
    EntryError,
    NameError,
    NoticeError,
    OwnChainError,
    RotationError,
    CheckpointError,
    NoteError,
    KeyError,
}
