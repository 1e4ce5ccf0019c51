//! The fleet that this service writes a partition of, as whoever feeds it says: for pages and metrics.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use desk::{Flow, House};

/// What the intake of the partition has done since it began, and what its watchdog did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IntakeCounts {
    /// Messages that were recorded and acknowledged.
    pub messages: u64,
    /// Messages that were refused.
    pub refused: u64,
    /// Messages that an earlier writer had sealed.
    pub sealed_before: u64,
    /// Attempts to record that the log did not take.
    pub unavailable: u64,
    /// Writes of the lease that a batch was acknowledged after.
    pub commits: u64,
    /// Receipts that are not known to be kept.
    pub receipts_lost: u64,
    /// How often the lease said that messages were settled which the stream never had.
    pub leases_disbelieved: u64,
    /// How often a leader of a stream was asked to step down.
    pub step_downs: u64,
}

/// What was last said of the fleet. It is shared by the service and whoever feeds it.
#[derive(Debug, Default)]
pub struct HouseBoard(Mutex<Board>);

#[derive(Debug, Default)]
struct Board {
    seen: Option<(House, Instant)>,
    flow: Flow,
    counts: IntakeCounts,
}

impl HouseBoard {
    /// The fleet as its servers have just shown it.
    pub fn is(&self, house: House) {
        self.board().seen = Some((house, Instant::now()));
    }

    /// Changes what was said without new knowledge of the servers: it grows older all the same.
    pub fn change(&self, change: impl FnOnce(&mut House)) {
        if let Some((house, _)) = &mut self.board().seen {
            change(house);
        }
    }

    /// Whether messages flow through the partition.
    pub fn flows(&self, flow: Flow) {
        self.board().flow = flow;
    }

    /// Why nothing is recorded now, if that is so.
    pub(crate) fn not_recording(&self) -> Option<&'static str> {
        let flow = self.board().flow;
        match flow {
            Flow::Unknown | Flow::Flows => None,
            Flow::RefusesWrites | Flow::DoesNotDeliver | Flow::LeaseRefusesWrites => Some(flow.code()),
        }
    }

    /// What the intake has done so far.
    pub fn counted(&self, counts: IntakeCounts) {
        self.board().counts = counts;
    }

    /// The fleet, and how many seconds ago it was shown so.
    pub(crate) fn seen(&self) -> Option<(House, u64)> {
        let board = self.board();
        let (house, at) = board.seen.as_ref()?;
        Some((House { flow: board.flow, ..house.clone() }, at.elapsed().as_secs()))
    }

    pub(crate) fn counts(&self) -> IntakeCounts {
        self.board().counts
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
