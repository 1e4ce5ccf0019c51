//! What is kept of the record of a table: runs of its events, and the findings that were reported of it.

pub(crate) mod differences;
mod reported;
mod runs;

pub(crate) use self::reported::Reported;
pub use self::reported::TakenBack;
pub use self::runs::MAX_COMPARED;
pub(crate) use self::runs::{Held, Run, Runs};
