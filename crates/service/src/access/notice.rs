//! What somebody should know of access. No notice holds a secret: a token is named by its id, a path by
//! its pattern.

use std::net::SocketAddr;

use super::file::TokenFileError;

/// Something to be told, in one sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccessNotice {
    /// A request was refused.
    #[error("refused {method} {path} from {}: {why}", peer.map_or_else(|| "somewhere".to_owned(), |peer| peer.to_string()))]
    Refused {
        /// Who asked.
        peer: Option<SocketAddr>,
        /// How.
        method: String,
        /// The pattern of the path that was asked for, `/v1/tables/{table}/events`; never the path itself.
        path: String,
        /// The status of the answer.
        status: u16,
        /// Why.
        why: String,
    },
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
