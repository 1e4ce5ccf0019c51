//! Events that a writer sealed behind the handover, because it did not know yet that another had taken its tables over.
//! They are not part of the history there; the later logs have to hold the same events under the same numbers.

use std::collections::BTreeMap;

use super::{Contradiction, FleetPlace, OpenQuestion};
use crate::Entry;

/// Most events behind handovers that are compared, of a chain: some thirty megabytes.
pub(crate) const MAX_SEALED_TWICE: usize = 262_144;

/// An event behind a handover.
#[derive(Debug)]
struct Waiting {
    /// Which part of the chain it is in.
    part: usize,
    /// Log index of its entry there.
    entry: u64,
    digest: blake3::Hash,
    state: State,
}

/// What the later logs hold under its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing so far.
    Nothing,
    /// The same event.
    Same,
    /// Only another event: first in this entry of this part.
    Another { part: usize, entry: u64 },
    /// Something that cannot be read.
    Illegible,
}

/// The events of one table.
#[derive(Debug, Default)]
struct OfTable {
    waiting: BTreeMap<u64, Vec<Waiting>>,
    /// The highest sequence that the history of later parts has.
    reached: u64,
}

/// Compares what was sealed behind the handovers of a chain with the history of its later logs.
#[derive(Debug, Default)]
pub(super) struct SealedTwice {
    tables: BTreeMap<String, OfTable>,
    /// The highest sequence of each table in the history so far.
    own: BTreeMap<String, u64>,
    held: usize,
    /// Events that cannot be compared, by part.
    not_compared: BTreeMap<usize, u64>,
}

/// What the comparison came to.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// Events that were sealed twice and are the same.
    pub(super) same: u64,
    pub(super) contradictions: Vec<Contradiction>,
    pub(super) open: Vec<OpenQuestion>,
}

impl SealedTwice {
    /// An entry of the history.
    pub(super) fn history(&mut self, part: usize, entry: &Entry<'_>) {
        let last = entry.first.saturating_add(u64::from(entry.count)).saturating_sub(1);
        match self.own.get_mut(entry.table) {
            Some(reached) => *reached = last.max(*reached),
            None => drop(self.own.insert(entry.table.to_owned(), last)),
        }
        let Some(table) = self.tables.get_mut(entry.table) else { return };
        table.reached = table.reached.max(last);
        if table.waiting.range(entry.first..=last).next().is_none() {
            return;
        }
        let digests = digests(entry);
        for (sequence, waiting) in table.waiting.range_mut(entry.first..=last) {
            let at = usize::try_from(sequence - entry.first).unwrap_or(usize::MAX);
            let found = digests.as_ref().and_then(|digests| digests.get(at));
            for one in waiting.iter_mut().filter(|one| one.part < part) {
                one.state = match (one.state, found) {
                    (State::Same, _) => State::Same,
                    (_, Some(digest)) if *digest == one.digest => State::Same,
                    (State::Nothing, Some(_)) => State::Another { part, entry: entry.index },
                    (State::Nothing, None) => State::Illegible,
                    (known @ (State::Another { .. } | State::Illegible), _) => known,
                };
            }
        }
    }

    /// An entry behind the handover.
    pub(super) fn behind(&mut self, part: usize, entry: &Entry<'_>) {
        let (count, own) = (u64::from(entry.count), self.own.get(entry.table).copied().unwrap_or(0));
        let digests = digests(entry).filter(|digests| self.held + digests.len() <= MAX_SEALED_TWICE);
        // A number that the history has already is repeated, or contradicted, by the log itself: audit verify log says so.
        let Some(digests) = digests.filter(|_| entry.first > own) else {
            *self.not_compared.entry(part).or_default() += count;
            return;
        };
        self.held += digests.len();
        let table = self.tables.entry(entry.table.to_owned()).or_default();
        for (sequence, digest) in (entry.first..).zip(digests) {
            let one = Waiting { part, entry: entry.index, digest, state: State::Nothing };
            table.waiting.entry(sequence).or_default().push(one);
        }
    }

    /// The chain ends. `name` gives the name of a part's log, `whole` whether all of its later logs are here with all
    /// payloads, so that what is not found is not there.
    pub(super) fn finish(self, name: impl Fn(usize) -> String, whole: bool) -> Compared {
        let mut compared = Compared::default();
        let mut not_compared = self.not_compared;
        for (table, OfTable { waiting, reached }) in self.tables {
            let all = waiting
                .into_iter()
                .flat_map(|(sequence, all)| all.into_iter().map(move |one| (sequence, one)));
            for (sequence, Waiting { part, entry, state, .. }) in all {
                let first = FleetPlace { log: name(part), entry };
                let table = table.clone();
                match state {
                    State::Same => compared.same += 1,
                    State::Another { part, entry } => {
                        let second = FleetPlace { log: name(part), entry };
                        let differs = Contradiction::SealedOtherwise { table, sequence, first, second };
                        compared.contradictions.push(differs);
                    }
                    State::Nothing if reached >= sequence && whole => {
                        let missing = Contradiction::NotSealedAgain { table, sequence, first };
                        compared.contradictions.push(missing);
                    }
                    State::Nothing if whole => {
                        compared.open.push(OpenQuestion::NotSealedAgainYet { table, sequence, first });
                    }
                    State::Nothing | State::Illegible => *not_compared.entry(part).or_default() += 1,
                }
            }
        }
        let rest = not_compared.into_iter();
        compared
            .open
            .extend(rest.map(|(part, events)| OpenQuestion::NotCompared { log: name(part), events }));
        compared
    }
}

/// The digests of what its events are, however they are written; none where they cannot be read.
fn digests(entry: &Entry<'_>) -> Option<Vec<blake3::Hash>> {
    if entry.withheld {
        return None;
    }
    let events = events::decode_payload(entry.payload).ok()?;
    let digests: Vec<_> = events.iter().map(|event| blake3::hash(&event.identity())).collect();
    (digests.len() as u64 == u64::from(entry.count)).then_some(digests)
}
