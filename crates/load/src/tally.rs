//! The results of a load: answers, times, repeated posts, and every receipt.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use client::{ClientError, Posted, Receipt};
use hdrhistogram::Histogram;
use sealed_log::entry::Digest;

use crate::script::Script;

/// Longest measured time to an answer, microseconds; longer ones count as this.
const LONGEST_MICROS: u64 = 600_000_000;
/// Bytes of receipts' proofs that one connection keeps to be checked afterwards.
const PROOFS_KEPT: usize = 4 << 20;
/// When half of the space for proofs is used, the proofs of one in so many answers are kept.
const SAMPLED: u64 = 64;

/// Times to the answer, microseconds, as percentiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Latency {
    /// The median.
    pub p50: u64,
    /// 90 of 100.
    pub p90: u64,
    /// 99 of 100.
    pub p99: u64,
    /// 999 of 1,000.
    pub p999: u64,
    /// The slowest.
    pub max: u64,
}

/// An acknowledged entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AcknowledgedEntry {
    pub(crate) index: u64,
    pub(crate) digest: Digest,
    pub(crate) first: u64,
    pub(crate) count: u32,
    /// Number of the table.
    pub(crate) table: u32,
}

/// A table that played.
#[derive(Debug, Clone)]
pub(crate) struct TableProgress {
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) script: usize,
    /// Events that were acknowledged: the first so many of all its sessions.
    pub(crate) acknowledged: u64,
    /// Events that were posted at all.
    pub(crate) posted: u64,
}

/// The results of one connection.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) posts: u64,
    pub(crate) events: u64,
    pub(crate) disconnected: u64,
    pub(crate) given_up: u64,
    pub(crate) conflicts: u64,
    pub(crate) uncovered: u64,
    pub(crate) tried_again: BTreeMap<String, u64>,
    pub(crate) histogram: Histogram<u64>,
    pub(crate) kept: Vec<AcknowledgedEntry>,
    pub(crate) played: Vec<TableProgress>,
    pub(crate) proofs: Vec<Receipt>,
    proof_bytes: usize,
}

impl Tally {
    pub(crate) fn new() -> Result<Self, crate::LoadError> {
        let histogram = Histogram::new_with_bounds(1, LONGEST_MICROS, 3);
        Ok(Self {
            posts: 0,
            events: 0,
            disconnected: 0,
            given_up: 0,
            conflicts: 0,
            uncovered: 0,
            tried_again: BTreeMap::new(),
            histogram: histogram.map_err(|error| crate::LoadError::OwnFault(error.to_string()))?,
            kept: Vec::new(),
            played: Vec::new(),
            proofs: Vec::new(),
            proof_bytes: 0,
        })
    }

    /// Records the answer to a post of these events of a table.
    pub(crate) fn answered(&mut self, table: u32, events: Range<u64>, posted: Posted, took: Duration) {
        self.posts += 1;
        self.events += events.end - events.start;
        self.conflicts += u64::from(posted.conflict);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.histogram.saturating_record(micros.max(1));
        let mut next = events.start;
        for receipt in &posted.receipts {
            let (index, digest, first, count) = (receipt.index, receipt.digest, receipt.first, receipt.count);
            self.kept.push(AcknowledgedEntry { index, digest, first, count, table });
            if first <= next {
                next = next.max(first + u64::from(count));
            }
        }
        self.uncovered += u64::from(next < events.end);
        let has_space = self.proof_bytes < PROOFS_KEPT / 2 || self.posts.is_multiple_of(SAMPLED);
        if has_space && self.proof_bytes < PROOFS_KEPT {
            self.proof_bytes += posted.receipts.iter().map(|receipt| receipt.proof.len()).sum::<usize>();
            self.proofs.extend(posted.receipts);
        }
    }

    /// Records an attempt without an answer, or one that must be repeated.
    pub(crate) fn failed(&mut self, error: &ClientError) {
        let kind = match error {
            ClientError::Refused { problem, .. } => problem.status.to_string(),
            ClientError::Unanswered { timed_out: true, .. } => "no answer in time".to_owned(),
            ClientError::Unanswered { .. } => "connection lost".to_owned(),
            ClientError::Options(_) | ClientError::Unexpected { .. } => "other".to_owned(),
        };
        *self.tried_again.entry(kind).or_default() += 1;
    }

    fn add(&mut self, other: Self) {
        self.posts += other.posts;
        self.events += other.events;
        self.disconnected += other.disconnected;
        self.given_up += other.given_up;
        self.conflicts += other.conflicts;
        self.uncovered += other.uncovered;
        for (kind, count) in other.tried_again {
            *self.tried_again.entry(kind).or_default() += count;
        }
        // Both have the same bounds.
        let _ = self.histogram.add(other.histogram);
        self.kept.extend(other.kept);
        self.played.extend(other.played);
        self.proofs.extend(other.proofs);
    }
}

/// The results of a load.
#[derive(Debug)]
pub struct Driven {
    pub(crate) scripts: Arc<Vec<Script>>,
    pub(crate) tally: Tally,
    /// From the first post to the last answer.
    pub took: Duration,
}

impl Driven {
    pub(crate) fn of(
        scripts: Arc<Vec<Script>>,
        tallies: Vec<Tally>,
        took: Duration,
    ) -> Result<Self, crate::LoadError> {
        let mut tally = Tally::new()?;
        tallies.into_iter().for_each(|part| tally.add(part));
        Ok(Self { scripts, tally, took })
    }

    /// Posts that were answered.
    #[must_use]
    pub const fn posts(&self) -> u64 {
        self.tally.posts
    }

    /// Events of the answered posts.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.tally.events
    }

    /// Posts whose connection was dropped before the answer, on purpose.
    #[must_use]
    pub const fn disconnected(&self) -> u64 {
        self.tally.disconnected
    }

    /// Posts that were abandoned after all attempts.
    #[must_use]
    pub const fn given_up(&self) -> u64 {
        self.tally.given_up
    }

    /// Posts answered as conflicts, although nobody else plays these tables.
    #[must_use]
    pub const fn conflicts(&self) -> u64 {
        self.tally.conflicts
    }

    /// Answers whose receipts do not cover all that was posted.
    #[must_use]
    pub const fn uncovered(&self) -> u64 {
        self.tally.uncovered
    }

    /// Receipts that came.
    #[must_use]
    pub const fn receipts(&self) -> usize {
        self.tally.kept.len()
    }

    /// Attempts that were made again, by what was answered: an HTTP status, or no answer.
    #[must_use]
    pub const fn tried_again(&self) -> &BTreeMap<String, u64> {
        &self.tally.tried_again
    }

    /// Times to the answer.
    #[must_use]
    pub fn latency(&self) -> Latency {
        let times = &self.tally.histogram;
        let within = |quantile| times.value_at_quantile(quantile);
        if times.is_empty() {
            return Latency::default();
        }
        let (p50, p90, p99, p999) = (within(0.5), within(0.9), within(0.99), within(0.999));
        Latency { p50, p90, p99, p999, max: times.max() }
    }

    /// So many a second, of posts or events.
    #[must_use]
    pub fn a_second(&self, count: u64) -> u64 {
        let micros = self.took.as_micros().max(1);
        u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}
