//! Events about tokens that an operator should know and that no answer shows.

use super::file::TokenFileError;

/// An event, displayed as one sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccessNotice {
    /// The token file changed and the new content is in force.
    #[error("the tokens were read again, {tokens} of them")]
    ReadAgain {
        /// Number of tokens now, valid or not.
        tokens: usize,
    },
    /// The token file changed and cannot be read.
    #[error("the changed tokens cannot be used, the previous ones stay in force: {0}")]
    NotReadable(TokenFileError),
}
