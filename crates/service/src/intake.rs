//! Prepares events for the log: skips what the log already has, and groups consecutive events of a table into
//! entries. Shared by `audit ingest` and the service.

mod group;
mod known;
mod same_post;

pub use group::Groups;
pub use known::{Allowance, Known, MOST_VERSIONS, Recorded};
pub(crate) use same_post::{Before, SamePost};

use sealed_log::entry::NameError;
use sealed_log::store::StoreError;
use sealed_log::writer::{LogClosed, SubmitError};

/// Why an event could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// The log has stopped or shut down.
    #[error("{0}")]
    Log(#[from] SubmitError),
    /// The log cannot be read at the moment.
    #[error("{0}")]
    Closed(#[from] LogClosed),
    /// An entry of the log cannot be decoded.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The table's id is not a valid name.
    #[error("table {0}")]
    Table(#[from] NameError),
    /// Events that were read could not be written: a mistake of this program.
    #[error("{0}")]
    OwnFault(String),
}
