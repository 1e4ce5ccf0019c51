//! The tokens in force: those of the file as it is now, or of its last readable version.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use door::FileChanges;

use super::file::{TokenFile, TokenFileError};
use super::notice::AccessNotice;
use super::tokens::Tokens;

/// The tokens of a file, updated when the file changes.
#[derive(Debug)]
pub(super) struct InForce {
    file: TokenFile,
    file_changes: FileChanges,
    tokens: RwLock<Arc<Tokens>>,
}

impl InForce {
    pub(super) fn open(file: TokenFile) -> Result<Self, TokenFileError> {
        let file_changes = FileChanges::of(vec![PathBuf::from(file.path())]);
        let tokens = RwLock::new(Arc::new(file.read()?));
        Ok(Self { file, file_changes, tokens })
    }

    /// The tokens in force. A change of the file takes effect within a second. If the changed file cannot be
    /// read, the old tokens stay in force and a notice is given.
    pub(super) fn tokens(&self, observer: &dyn Fn(&AccessNotice)) -> Arc<Tokens> {
        if self.file_changes.any_changed() {
            match self.file.read() {
                Ok(tokens) => {
                    observer(&AccessNotice::ReadAgain { tokens: tokens.len() });
                    *self.tokens.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tokens);
                }
                Err(error) => observer(&AccessNotice::NotReadable(error)),
            }
        }
        Arc::clone(&self.tokens.read().unwrap_or_else(PoisonError::into_inner))
    }
}
