//! The tokens that are in force: those of the file as it is now, or as it was when it could last be read.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use door::FileChanges;

use super::file::{TokenFile, TokenFileError};
use super::notice::AccessNotice;
use super::tokens::Tokens;

/// A file's tokens, followed as it changes.
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

    /// The tokens; a change of the file counts within a second. What cannot be read changes nothing, and
    /// is told.
    pub(super) fn tokens(&self, tell: &dyn Fn(&AccessNotice)) -> Arc<Tokens> {
        if self.file_changes.any_changed() {
            match self.file.read() {
                Ok(tokens) => {
                    tell(&AccessNotice::ReadAgain { tokens: tokens.len() });
                    *self.tokens.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tokens);
                }
                Err(error) => tell(&AccessNotice::NotReadable(error)),
            }
        }
        Arc::clone(&self.tokens.read().unwrap_or_else(PoisonError::into_inner))
    }
}
