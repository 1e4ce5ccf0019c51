//! Who stands beside the writer thread: is told of commits and of the stop, and opens the log anew.
//!
//! The thread knows no clock, no folder and no disk; whoever does attends it.

use crate::writer::LogWriter;

/// What became durable in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// Calls that shared the step.
    pub calls: usize,
    /// Entries sealed.
    pub entries: usize,
    /// Chain positions (an upper room's events) that these entries cover.
    pub positions: u64,
}

/// Attends a [`crate::writer::Sequencer`]; called on its thread, so it must not take long, except to open.
pub trait Supervisor<S, H>: Send {
    /// A step is durable and its checkpoint is kept; the callers are answered after this.
    fn committed(&mut self, _committed: &Committed) {}

    /// The log has stopped, told once for each stop.
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

/// Nobody attends.
impl<S, H> Supervisor<S, H> for () {}
