//! Takes events in from files, HTTP and streams: reads messages, skips what the log already has, and groups
//! consecutive events of a table into entries. It records first: wrong play is stored as it comes.
//!
//! It knows no connection, no server of a stream and no file.

mod body;
pub mod clock;
mod group;
mod intake;
mod known;
mod post;
mod recorder;
mod same_post;
mod sort;
mod tables;

pub use body::{BodyError, Form, MOST_EVENTS, check_attributes, is_json, read_events};
pub use group::Groups;
pub use intake::{Intake, Observer};
pub use known::{Allowance, Known, Recorded};
pub use post::{Forecast, Gone, NotTaken, Outcome, Post, Sealed, Watched};
pub use recorder::{NotRecorded, RecordedEvents, Recorder};
pub use sort::Counts;

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
