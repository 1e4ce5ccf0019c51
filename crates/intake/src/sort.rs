//! Sorts the events of a post: which are new, which the log holds already, and which have numbers that other events
//! have as well.

use std::collections::BTreeSet;

use sealed_log::entry::ProducerId;
use sealed_log::store::StoreReader;
use sealed_log::writer::Submission;

use crate::body::Taken;
use crate::clock::now;
use crate::group::Groups;
use crate::known::{Allowance, Known, Recorded};
use crate::post::NotTaken;
use crate::same_post::{Before, SamePost};

/// Most bytes of the log that one post is compared with (about a second of processor time). Events beyond
/// that are recorded again and reported as not compared.
const MOST_COMPARED: usize = 64 << 20;
/// Most conflicts that are listed.
const MOST_LISTED: usize = 100;

/// Counts of a post's events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events recorded now.
    pub recorded: u64,
    /// Events that the log held already.
    pub already_there: u64,
    /// Events whose numbers other events have as well, recorded now or before.
    pub conflicts: u64,
    /// Events recorded now that the log may have held already: too many events have their numbers to compare all.
    pub not_compared: u64,
}

/// The events of a post after comparison with the log.
#[derive(Debug, Default)]
pub(crate) struct Sorted {
    /// The new events, grouped into entries.
    pub(crate) submissions: Vec<Submission>,
    /// The sequences of the new events.
    pub(crate) fresh: BTreeSet<u64>,
    pub(crate) counts: Counts,
    /// The first sequences that other events have as well.
    pub(crate) conflicting: Vec<u64>,
    /// The entries that already hold events of the post.
    pub(crate) already_there: BTreeSet<u64>,
}

impl Sorted {
    /// Compares the events with the log. `goes_on` is asked before each look-up.
    pub(crate) fn of<R: StoreReader>(
        store: &R,
        producer: ProducerId,
        known: &mut Known,
        lines: Vec<Taken>,
        goes_on: impl Fn() -> Result<(), NotTaken>,
    ) -> Result<Self, NotTaken> {
        let mut same_post = SamePost::of(lines.iter().map(|(_, line)| line));
        let before: Vec<Before> = lines.iter().map(|(_, line)| same_post.compare(line)).collect();
        let there = compare(store, known, &lines, &before, goes_on)?;
        let mut groups = Groups::new(producer, false, now);
        let mut sorted = Self::default();
        for ((length, line), (before, there)) in lines.into_iter().zip(before.into_iter().zip(there)) {
            let conflicts = sorted.counts.conflicts;
            let is_new = sorted.is_new(before, there);
            if sorted.counts.conflicts > conflicts && sorted.conflicting.len() < MOST_LISTED {
                sorted.conflicting.push(line.sequence);
            }
            if is_new {
                sorted.fresh.insert(line.sequence);
                groups.add(line, length)?;
            }
        }
        groups.close_all()?;
        sorted.submissions = groups.take_ready();
        sorted.counts.recorded = sorted.submissions.iter().map(|entry| u64::from(entry.count)).sum();
        Ok(sorted)
    }

    /// Counts an event and returns whether it must be recorded.
    fn is_new(&mut self, before: Before, there: Recorded) -> bool {
        if before == Before::Same {
            self.counts.already_there += 1;
            return false;
        }
        match there {
            Recorded::Same { entry, disputed } => {
                self.counts.already_there += 1;
                self.counts.conflicts += u64::from(disputed);
                self.already_there.insert(entry);
                return false;
            }
            Recorded::Other => self.counts.conflicts += 1,
            Recorded::NotCompared => self.counts.not_compared += 1,
            Recorded::Missing => match before {
                Before::Other => self.counts.conflicts += 1,
                Before::NotCompared => self.counts.not_compared += 1,
                Before::Same | Before::Nothing => {}
            },
        }
        true
    }
}

/// Compares each event with the log, in order of their numbers, because events of one entry are then read together.
fn compare<R: StoreReader>(
    store: &R,
    known: &mut Known,
    lines: &[Taken],
    before: &[Before],
    goes_on: impl Fn() -> Result<(), NotTaken>,
) -> Result<Vec<Recorded>, NotTaken> {
    let mut allowance = Allowance::bytes(MOST_COMPARED);
    let mut there = vec![Recorded::Missing; lines.len()];
    let asked = lines.iter().zip(before).zip(&mut there).filter(|((_, before), _)| **before != Before::Same);
    let mut asked: Vec<_> = asked.map(|(((_, line), _), there)| (line, there)).collect();
    asked.sort_by_key(|(line, _)| line.sequence);
    for (line, there) in asked {
        goes_on()?;
        if known.may_be_there(store, line.table.as_str(), line.sequence)? {
            *there = known.compare(store, line, &mut allowance)?;
        }
    }
    Ok(there)
}
