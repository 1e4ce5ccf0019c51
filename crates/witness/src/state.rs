//! What a witness must never forget: the newest checkpoint it signed of each log.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tlog::checkpoint::SignedCheckpoint;

/// What a witness signed before cannot be read or kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StateError(pub String);

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
