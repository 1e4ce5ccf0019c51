//! Who may hold a partition, as a state machine. It uses no clock and no I/O: the caller hands in the time on its own
//! monotonic clock, does what [`LeaseMachine::next`] says, and hands in the answer.
//!
//! There is no shared clock. What makes two holders impossible:
//!
//! - A candidate takes over only after it has watched one revision of the record for a whole time to live (TTL), or when
//!   that revision says that its holder has given the partition up; a holder says so with its last write.
//! - A holder commits only while its last successful renewal *began* less than half a TTL ago. The candidate saw that
//!   renewal after it began. So unless one clock runs twice as fast as the other, the holder has stopped by then.
//! - Every write names the revision that it replaces. So of two writers one loses, whatever the clocks do, and no
//!   commit counts that was not followed by such a write.

use std::time::Duration;

use super::record::{Committed, FORMAT, LeaseRecord};
use super::terms::Terms;

/// A time on the caller's own monotonic clock, since a moment of its choice.
pub type Moment = Duration;

/// What the caller has to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Read the record, then call [`LeaseMachine::was_read`].
    Read,
    /// Write this record in place of this revision (0: of none), then call [`LeaseMachine::was_written`].
    Write {
        /// The revision that it replaces.
        expected: u64,
        /// What to write.
        record: LeaseRecord,
    },
    /// Nothing until then.
    Wait(Moment),
    /// Nothing any more: another holder has the partition.
    Fenced,
}

/// The answer to a read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "one at a time, a few in a second")]
pub enum Reading {
    /// The newest revision.
    Found {
        /// Its number.
        revision: u64,
        /// What it says.
        record: LeaseRecord,
    },
    /// There is none; what was deleted left this revision (0: nothing was ever there).
    Absent {
        /// The revision that a new record replaces.
        revision: u64,
    },
    /// No answer, or none that can be read.
    Unknown,
}

/// The answer to a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// It is stored under this revision.
    Stored(u64),
    /// Another revision is there.
    WrongRevision,
    /// No answer: it may be stored, now or later.
    Unknown,
}

/// Whether this instance has the partition.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Candidate { seen: Option<Seen>, then: Then },
    Claiming { seen: Seen, record: LeaseRecord, began: Moment },
    Holder(Held),
    Fenced,
}

/// What a candidate does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    ReadAt(Moment),
    Claim,
}

/// What a candidate watches.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    revision: u64,
    record: Option<LeaseRecord>,
    since: Moment,
    answered: Moment,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Held {
    revision: u64,
    record: LeaseRecord,
    /// When the last write that succeeded began. None: no write is known to have.
    began: Option<Moment>,
    pending: Option<Pending>,
    /// A write of unknown outcome may still be stored in place of this revision.
    uncertain: bool,
}

/// A write that is under way, or whose outcome is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pending {
    record: LeaseRecord,
    began: Moment,
    ticket: u64,
    /// When to read the record to learn the outcome. None: the answer may still come.
    read_at: Option<Moment>,
}

/// The state machine of one candidate for one partition.
#[derive(Debug, Clone)]
pub struct LeaseMachine {
    terms: Terms,
    holder: String,
    instance: String,
    writes: u64,
    state: State,
    tickets: u64,
    settled: u64,
    wanted: Option<(u64, Committed)>,
    /// A record was there once: its absence is no proof that nobody holds the partition.
    had_record: bool,
}

impl LeaseMachine {
    /// A candidate of this name. `instance` must be unlike that of any other run of any candidate.
    #[must_use]
    pub fn new(terms: Terms, holder: String, instance: String) -> Self {
        let state = State::Candidate { seen: None, then: Then::ReadAt(Moment::ZERO) };
        let (writes, tickets, settled) = (0, 0, 0);
        Self { terms, holder, instance, writes, state, tickets, settled, wanted: None, had_record: false }
    }

    /// What to do now.
    pub fn next(&mut self, now: Moment) -> Step {
        match &self.state {
            State::Fenced => Step::Fenced,
            // The answer is still to come.
            State::Claiming { .. } => Step::Wait(now + self.terms.reading()),
            State::Candidate { then: Then::ReadAt(at), .. } if now < *at => Step::Wait(*at),
            State::Candidate { seen: Some(seen), then: Then::Claim } => {
                let seen = seen.clone();
                self.claim(seen, now)
            }
            State::Candidate { .. } => Step::Read,
            State::Holder(held) => match &held.pending {
                Some(Pending { read_at: None, .. }) => Step::Wait(now + self.terms.reading()),
                Some(Pending { read_at: Some(at), .. }) if now < *at => Step::Wait(*at),
                Some(_) => Step::Read,
                None => self.renewal(now),
            },
        }
    }

    fn claim(&mut self, seen: Seen, now: Moment) -> Step {
        self.writes += 1;
        let record = match &seen.record {
            Some(found) => LeaseRecord {
                epoch: found.epoch.saturating_add(1),
                holder: self.holder.clone(),
                instance: self.instance.clone(),
                write: self.writes,
                ttl_millis: self.terms.millis(),
                before: (found.committed.size > 0).then(|| Box::new(found.committed.clone())),
                released_by: None,
                ..found.clone()
            },
            None => LeaseRecord {
                format: FORMAT,
                epoch: 1,
                holder: self.holder.clone(),
                instance: self.instance.clone(),
                write: self.writes,
                ttl_millis: self.terms.millis(),
                committed: Committed::default(),
                before: None,
                released_by: None,
                others: serde_json::Map::new(),
            },
        };
        let expected = seen.revision;
        self.state = State::Claiming { seen, record: record.clone(), began: now };
        Step::Write { expected, record }
    }

    fn renewal(&mut self, now: Moment) -> Step {
        let State::Holder(held) = &mut self.state else { return Step::Fenced };
        let due = held.began.map(|began| began + self.terms.renewal());
        match due {
            Some(due) if self.wanted.is_none() && now < due => Step::Wait(due),
            Some(_) | None => {
                self.writes += 1;
                let (ticket, committed) = match &self.wanted {
                    Some((ticket, committed)) => (*ticket, committed.clone()),
                    None => (self.settled, held.record.committed.clone()),
                };
                let record = LeaseRecord { write: self.writes, committed, ..held.record.clone() };
                held.pending = Some(Pending { record: record.clone(), began: now, ticket, read_at: None });
                Step::Write { expected: held.revision, record }
            }
        }
    }

    /// The record was read; the answer was received now.
    pub fn was_read(&mut self, now: Moment, reading: Reading) {
        match &mut self.state {
            State::Candidate { .. } => self.candidate_read(now, reading),
            State::Holder(_) => self.holder_read(now, reading),
            State::Claiming { .. } | State::Fenced => {}
        }
    }

    fn candidate_read(&mut self, now: Moment, reading: Reading) {
        let State::Candidate { seen, then } = &mut self.state else { return };
        *then = Then::ReadAt(now + self.terms.reading());
        let (revision, record) = match reading {
            Reading::Unknown => return,
            // A claim of unknown outcome was stored after all. When it began is not kept: it is renewed first.
            Reading::Found { revision, record } if record.instance == self.instance => {
                let held = Held { revision, record, began: None, pending: None, uncertain: true };
                self.state = State::Holder(held);
                return;
            }
            Reading::Found { revision, record } => (revision, Some(record)),
            Reading::Absent { revision } => (revision, None),
        };
        // Watching has no holes: while the candidate saw nothing, the holder may have been unable to renew as well.
        let watched = seen.as_ref().filter(|before| {
            before.revision == revision && now.saturating_sub(before.answered) <= self.terms.commits()
        });
        let since = watched.map_or(now, |before| before.since);
        self.had_record |= record.is_some() || revision > 0;
        // The holder may go by a longer time than this candidate.
        let ttl = record.as_ref().map_or(Duration::ZERO, |record| Duration::from_millis(record.ttl_millis));
        let is_free = !self.had_record || record.as_ref().is_some_and(LeaseRecord::is_released);
        if is_free || now.saturating_sub(since) >= self.terms.ttl().max(ttl.min(Terms::LONGEST)) {
            *then = Then::Claim;
        }
        *seen = Some(Seen { revision, record, since, answered: now });
    }

    fn holder_read(&mut self, now: Moment, reading: Reading) {
        let again = now + self.terms.again();
        let State::Holder(held) = &mut self.state else { return };
        match reading {
            // A leader that is none any more, or has just been elected, may know less than was stored.
            Reading::Found { revision, .. } if revision < held.revision => {
                if let Some(pending) = &mut held.pending {
                    pending.read_at = Some(again);
                }
            }
            Reading::Unknown => {
                if let Some(pending) = &mut held.pending {
                    pending.read_at = Some(again);
                }
            }
            Reading::Found { revision, record } if record.instance == self.instance => {
                let stored = held.pending.take().filter(|pending| pending.record.write == record.write);
                if revision != held.revision {
                    held.revision = revision;
                    held.record = record;
                }
                if let Some(pending) = stored {
                    self.stored(pending);
                }
            }
            Reading::Found { .. } | Reading::Absent { .. } => self.state = State::Fenced,
        }
    }

    /// The record was written, or not; the answer was received now.
    pub fn was_written(&mut self, now: Moment, writing: Writing) {
        match &mut self.state {
            State::Claiming { .. } => self.claim_answered(now, writing),
            State::Holder(_) => self.renewal_answered(now, writing),
            State::Candidate { .. } | State::Fenced => {}
        }
    }

    fn claim_answered(&mut self, now: Moment, writing: Writing) {
        let State::Claiming { seen, record, began } = &self.state else { return };
        self.state = match writing {
            Writing::Stored(revision) => State::Holder(Held {
                revision,
                record: record.clone(),
                began: Some(*began),
                pending: None,
                uncertain: false,
            }),
            // What is there now is watched from the beginning, if it is another's.
            Writing::WrongRevision => State::Candidate { seen: None, then: Then::ReadAt(now) },
            Writing::Unknown => {
                let then = Then::ReadAt(now + self.terms.again());
                State::Candidate { seen: Some(seen.clone()), then }
            }
        };
    }

    fn renewal_answered(&mut self, now: Moment, writing: Writing) {
        let State::Holder(held) = &mut self.state else { return };
        let Some(mut pending) = held.pending.take() else { return };
        match writing {
            Writing::Stored(revision) => {
                held.revision = revision;
                held.record = pending.record.clone();
                held.uncertain = false;
                self.stored(pending);
            }
            // One of the own writes of unknown outcome may be what is there.
            Writing::WrongRevision if held.uncertain => {
                pending.read_at = Some(now);
                held.pending = Some(pending);
            }
            Writing::WrongRevision => self.state = State::Fenced,
            Writing::Unknown => {
                held.uncertain = true;
                pending.read_at = Some(now + self.terms.again());
                held.pending = Some(pending);
            }
        }
    }

    fn stored(&mut self, pending: Pending) {
        let State::Holder(held) = &mut self.state else { return };
        held.began = held.began.max(Some(pending.began));
        self.settled = self.settled.max(pending.ticket);
        if self.wanted.as_ref().is_some_and(|(ticket, _)| *ticket <= self.settled) {
            self.wanted = None;
        }
    }

    /// Asks for a write with what was committed, at once. The commit counts when [`LeaseMachine::settled`] has
    /// reached the ticket that this returns.
    pub fn commit(&mut self, committed: Committed) -> u64 {
        self.tickets += 1;
        self.wanted = Some((self.tickets, committed));
        self.tickets
    }

    /// Gives the partition up: asks for one write that says so, and holds it no more from now on. Whether that write
    /// arrives or not, nothing more may be committed.
    pub fn release(&mut self) -> Option<(u64, LeaseRecord)> {
        let State::Holder(held) = &self.state else { return None };
        self.writes += 1;
        let released_by = Some(self.instance.clone());
        let release = (held.revision, LeaseRecord { write: self.writes, released_by, ..held.record.clone() });
        self.state = State::Fenced;
        Some(release)
    }

    /// The newest ticket whose write is known to be stored.
    #[must_use]
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// Until when a commit may begin. `None`: not now.
    #[must_use]
    pub fn may_commit_until(&self) -> Option<Moment> {
        match &self.state {
            State::Holder(Held { pending: Some(Pending { read_at: Some(_), .. }), .. }) => None,
            State::Holder(held) => held.began.map(|began| began + self.terms.commits()),
            State::Candidate { .. } | State::Claiming { .. } | State::Fenced => None,
        }
    }

    /// Whether a commit may begin now.
    #[must_use]
    pub fn may_commit(&self, now: Moment) -> bool {
        self.may_commit_until().is_some_and(|until| now < until)
    }

    /// The record, while this instance holds the partition as far as it knows.
    #[must_use]
    pub fn held(&self) -> Option<&LeaseRecord> {
        match &self.state {
            State::Holder(held) => Some(&held.record),
            State::Candidate { .. } | State::Claiming { .. } | State::Fenced => None,
        }
    }

    /// Whether another holder has taken over. That stays so.
    #[must_use]
    pub fn is_fenced(&self) -> bool {
        self.state == State::Fenced
    }
}

#[cfg(test)]
mod tests;
