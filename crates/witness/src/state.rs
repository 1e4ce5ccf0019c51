//! What a witness must never forget: the newest checkpoint it signed of each log.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

use tlog::checkpoint::SignedCheckpoint;

/// What a witness signed before cannot be read or kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct StateError {
    why: String,
    disk: bool,
}

impl StateError {
    /// What is kept is not what it should be; `why` is a sentence for people.
    #[must_use]
    pub const fn new(why: String) -> Self {
        Self { why, disk: false }
    }

    /// A file or folder could not be read or written.
    #[must_use]
    pub fn of_disk(what: impl fmt::Display, error: &io::Error) -> Self {
        Self { why: format!("{what}: {error}"), disk: true }
    }

    /// The same with something to do about it.
    #[must_use]
    pub(crate) fn advising(self, advice: &str) -> Self {
        Self { why: format!("{}; {advice}", self.why), ..self }
    }

    /// Whether the machine failed (a full disk, say), and nothing speaks against the state.
    #[must_use]
    pub const fn is_disk(&self) -> bool {
        self.disk
    }
}

/// Where the newest cosigned checkpoint of each log is kept.
pub trait WitnessState: Send + Sync {
    /// The newest cosigned checkpoint of a log, `None` when none was ever signed.
    ///
    /// # Errors
    /// [`StateError`] when it cannot be read: the witness then must not start.
    fn load(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError>;

    /// The newest checkpoint of a log in the list of what was ever signed, which is kept apart from the state;
    /// a state that keeps no list gives `None`.
    ///
    /// # Errors
    /// [`StateError`] when it cannot be read: the witness then must not start.
    fn listed(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        let _ = origin;
        Ok(None)
    }

    /// Replaces it, and its entry of the list: after `Ok` both survive a power cut. Called by one thread at a time for one log.
    ///
    /// # Errors
    /// [`StateError`] when it may not be on disk: the cosignature then must not leave.
    fn keep(&self, cosigned: &SignedCheckpoint) -> Result<(), StateError>;

    /// Keeps the proof of a fork: the checkpoint that was cosigned, and another one of the same size with another
    /// root that the same log signed. A state may keep only the first forks of a log: one proves enough.
    ///
    /// # Errors
    /// [`StateError`] when it could not be written.
    fn keep_fork(&self, cosigned: &SignedCheckpoint, other: &SignedCheckpoint) -> Result<(), StateError>;
}

/// A state in memory, for tests: a witness that forgets is no witness.
#[derive(Debug, Default)]
pub struct MemoryState {
    newest: Mutex<BTreeMap<String, SignedCheckpoint>>,
}

impl WitnessState for MemoryState {
    fn load(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        Ok(self.newest.lock().unwrap_or_else(PoisonError::into_inner).get(origin).cloned())
    }

    fn keep(&self, cosigned: &SignedCheckpoint) -> Result<(), StateError> {
        let origin = cosigned.checkpoint().origin.clone();
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).insert(origin, cosigned.clone());
        Ok(())
    }

    fn keep_fork(&self, _: &SignedCheckpoint, _: &SignedCheckpoint) -> Result<(), StateError> {
        Ok(())
    }
}

impl<S: WitnessState> WitnessState for std::sync::Arc<S> {
    fn load(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        S::load(self, origin)
    }

    fn listed(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        S::listed(self, origin)
    }

    fn keep(&self, cosigned: &SignedCheckpoint) -> Result<(), StateError> {
        S::keep(self, cosigned)
    }

    fn keep_fork(&self, cosigned: &SignedCheckpoint, other: &SignedCheckpoint) -> Result<(), StateError> {
        S::keep_fork(self, cosigned, other)
    }
}
