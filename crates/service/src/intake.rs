//! Events on their way into the log: what it holds already is passed over, consecutive events of a
//! table become one entry. `audit ingest` and the service take events in alike.

mod group;
mod known;
mod same_post;

pub use group::Groups;
pub use known::{Allowance, Known, MOST_VERSIONS, Recorded};
pub(crate) use same_post::{Before, SamePost};

use sealed_log::{LogClosed, NameError, StoreError, SubmitError};

/// Why an event could not be taken in.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// The log has stopped or shut down.
    #[error(transparent)]
    Log(#[from] SubmitError),
    /// The log cannot be read now.
    #[error(transparent)]
    Closed(#[from] LogClosed),
    /// What the log holds cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The table's id is not a name.
    #[error("table {0}")]
    Table(#[from] NameError),
    /// Events that were read could not be written: a mistake of this program.
    #[error("{0}")]
    OwnFault(String),
}
