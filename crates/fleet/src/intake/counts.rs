//! What an intake has done, for metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::receipt::Judged;

/// What an intake has done since it was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Messages that were recorded and acknowledged.
    pub messages: u64,
    /// Events that were new.
    pub events: u64,
    /// Events that the log had already.
    pub already_there: u64,
    /// Events under a sequence where the log has others.
    pub conflicts: u64,
    /// Messages that were refused.
    pub refused: u64,
    /// Attempts to record that found the recorder unavailable.
    pub unavailable: u64,
    /// Messages whose events an earlier holder had committed.
    pub sealed_before: u64,
    /// Writes of the lease that a batch was acknowledged after.
    pub commits: u64,
    /// Receipts that are not known to be kept.
    pub receipts_lost: u64,
    /// Takeovers where the lease said that messages were settled which the stream never had.
    pub leases_disbelieved: u64,
}

/// A handle on what an intake has done; it keeps nothing of the intake itself.
#[derive(Debug, Clone)]
pub struct Counting(pub(super) Arc<Counters>);

impl Counting {
    /// What was done so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.0.counts()
    }
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    messages: AtomicU64,
    events: AtomicU64,
    already_there: AtomicU64,
    conflicts: AtomicU64,
    refused: AtomicU64,
    unavailable: AtomicU64,
    sealed_before: AtomicU64,
    commits: AtomicU64,
    receipts_lost: AtomicU64,
    leases_disbelieved: AtomicU64,
}

impl Counters {
    pub(super) fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            messages: read(&self.messages),
            events: read(&self.events),
            already_there: read(&self.already_there),
            conflicts: read(&self.conflicts),
            refused: read(&self.refused),
            unavailable: read(&self.unavailable),
            sealed_before: read(&self.sealed_before),
            commits: read(&self.commits),
            receipts_lost: read(&self.receipts_lost),
            leases_disbelieved: read(&self.leases_disbelieved),
        }
    }

    pub(super) fn unavailable(&self) {
        self.unavailable.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn sealed_before(&self) {
        self.sealed_before.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn lease_disbelieved(&self) {
        self.leases_disbelieved.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn committed(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn receipts_lost(&self, count: usize) {
        self.receipts_lost.fetch_add(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(super) fn answered(&self, judged: &Judged) {
        let add = |counter: &AtomicU64, count| counter.fetch_add(count, Ordering::Relaxed);
        match judged {
            Ok(recorded) => {
                add(&self.messages, 1);
                add(&self.events, recorded.recorded);
                add(&self.already_there, recorded.already_there);
                add(&self.conflicts, recorded.conflicts);
            }
            Err(_) => {
                add(&self.refused, 1);
            }
        }
    }
}
