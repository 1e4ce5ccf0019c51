//! What somebody should know of the tokens, and that no answer tells.

use super::file::TokenFileError;

/// Something to be told, in one sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccessNotice {
    /// The file of tokens changed and is in force.
    #[error("the tokens were read again, {tokens} of them")]
    ReadAgain {
        /// How many there are now, good or not.
        tokens: usize,
    },
    /// The file of tokens changed and cannot be read.
    #[error("the changed tokens cannot be used, those from before stay in force: {0}")]
    NotReadable(TokenFileError),
}
