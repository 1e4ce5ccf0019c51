//! The supervisor of the writer thread: it is called for every commit and every stop, and reopens the log.
//!
//! The thread itself knows no clock, no folder and no disk.

use crate::writer::LogWriter;

/// What became durable in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// Calls that shared the step.
    pub calls: usize,
    /// Entries sealed.
    pub entries: usize,
    /// Chain positions (of a table: its events) that these entries cover.
    pub positions: u64,
}

/// Supervises a [`crate::writer::Sequencer`]. Its methods are called on the writer thread, so they must return soon,
/// except `reopen`.
pub trait Supervisor<S, H>: Send {
    /// A step is durable and its checkpoint is kept; the callers are answered after this.
    fn committed(&mut self, _committed: &Committed) {}

    /// The log has stopped; called once for each stop.
    fn stopped(&mut self, _why: &str) {}

    /// Opens the log anew, with all the checks of a start. The stopped writer and its store are
    /// dropped before this is called.
    ///
    /// # Errors
    /// A sentence that says why not; the log stays closed.
    fn reopen(&mut self) -> Result<LogWriter<S, H>, String> {
        Err("this log is opened anew by starting the program again".to_owned())
    }
}

/// No supervisor.
impl<S, H> Supervisor<S, H> for () {}
