//! Why a load was not driven, or could not be checked.

use client::ClientError;

/// Why a load was not driven, or could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The plan cannot be carried out.
    #[error("{0}")]
    Plan(String),
    /// The service refused for a reason that does not pass, or cannot be read from.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// What the service hands out as its log cannot be read.
    #[error("the served log cannot be read: {0}")]
    Log(String),
    /// A mistake of this program.
    #[error("{0}")]
    OwnFault(String),
}
