//! Errors of a load and its check.

use client::ClientError;

/// Errors of a load and its check.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The plan cannot be run.
    #[error("{0}")]
    Plan(String),
    /// The service refused permanently, or cannot be read.
    #[error("{0}")]
    Client(#[from] ClientError),
    /// What the service serves as its log cannot be read.
    #[error("the served log cannot be read: {0}")]
    Log(String),
    /// A mistake of this program.
    #[error("{0}")]
    OwnFault(String),
}
