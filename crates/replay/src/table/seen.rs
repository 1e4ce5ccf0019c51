//! What the table sees beside the event it judges.

use events::{Body, Event};

use crate::Received;
use crate::record::{Amendments, Runs};
use crate::sink::Place;

/// An event's place, and what its record knows beyond it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) place: Place,
    /// How the log received it.
    pub(crate) received: Received,
    /// What the event should have said, and the correction that says so.
    pub(crate) amended: Option<(Place, &'a Body)>,
    pub(crate) runs: &'a Runs,
    /// Where what can be played back begins.
    pub(crate) first: u64,
    pub(crate) known: &'a Amendments,
}

impl Seen<'_> {
    /// The event told under a number that can be played back; `None` where it is not known.
    pub(crate) fn event(&self, sequence: u64) -> Option<Event> {
        self.runs.event(sequence)
    }
}
