//! The context of the event that is being judged: its location, and what the record knows beyond it.

use events::{Body, Event};

use crate::Received;
use crate::record::{Amendments, Runs};
use crate::sink::Location;

/// An event's location, and what its record knows beyond it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) location: Location,
    /// How the log received it.
    pub(crate) received: Received,
    /// What the event should have said, and the correction that says so.
    pub(crate) amended: Option<(Location, &'a Body)>,
    pub(crate) runs: &'a Runs,
    /// Where what can be played back begins.
    pub(crate) first: u64,
    pub(crate) known: &'a Amendments,
}

impl Seen<'_> {
    /// The event recorded under a sequence that can be played again; `None` where it is not known.
    pub(crate) fn event(&self, sequence: u64) -> Option<Event> {
        self.runs.event(sequence)
    }
}
