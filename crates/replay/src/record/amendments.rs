//! Facts about a shoe that were learned after its events were judged. The shoe is played again with them.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::Face;
use events::{Body, Event, Seat};
use serde::{Deserialize, Serialize};

use super::Runs;
use crate::decided_late::CoupKey;
use crate::sink::Location;
use crate::worlds::Pool;

/// Something that an event shows of those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Revision {
    /// The event of this sequence should have said something else.
    Corrected { sequence: u64 },
    /// So should a decision, which a correction cannot change any more: the first version counts.
    CorrectedLate { sequence: u64 },
    /// The coup that the event of this sequence settled is over: what late corrections moved in it is known.
    Concluded { settled: u64 },
    /// Something is ruled on a coup that is over.
    Ruled { coup: CoupKey },
    /// An event before what can be played back should have said something else.
    OutOfReach { sequence: u64, seat: Option<Box<Reseated>> },
    /// So should one before the first shoe, by which a seat was taken.
    Reseated(Box<Reseated>),
    /// The coup whose settlement has this sequence is void.
    Voided { settled: u64 },
    /// It is settled again after a gap that may hold its void.
    SettledAgain { settled: u64 },
    /// Cards left the shoe in so many of the events that are missing before these sequences, or more.
    Hidden { behind: Vec<u64>, cards: u32 },
    /// The order of the cards of the shoe that was loaded by this sequence.
    Order { loaded: u64, faces: Vec<Face> },
    /// The same, if cards were read as others: which of them may have been corrected has to be found.
    Compared { loaded: u64, faces: Vec<Face> },
    /// What the unread cards of that shoe may be.
    Pool { loaded: u64, pool: Pool },
    /// The cards of the shoe behind those of the coup whose settlement has this sequence.
    Behind { settled: u64, faces: Vec<Face> },
    /// The coup in play went on behind the events that are missing before this sequence.
    GoesOn { behind: u64 },
    /// So did a coup for which events of another waited.
    WaitedFor { behind: u64 },
    /// The events of these sequences carry another number than that of their coup.
    Labelled { sequences: Vec<u64>, coup: u32 },
    /// The wrong events of a shoe, loaded by this sequence, that missing events after them may have corrected.
    Mended { loaded: u64, sequences: BTreeSet<u64> },
    /// The event of this sequence was recorded before another that comes before it in play.
    Early { sequence: u64, behind: u64 },
}

/// Who took a seat, as first recorded and as corrected, where the event cannot be played again. It holds from the
/// first event that can be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reseated {
    pub(crate) from: Seat,
    pub(crate) to: Seat,
}

/// In which way the events are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Playing {
    AsDecided,
    AsCorrected,
}

/// All that is known beyond the events themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Amendments {
    /// Which event says last what an event should have said.
    corrected: BTreeMap<u64, Location>,
    /// The same of decisions, by corrections that came after their moment.
    #[serde(default)]
    late: BTreeMap<u64, Location>,
    #[serde(default)]
    concluded: BTreeSet<u64>,
    #[serde(default)]
    ruled: BTreeSet<CoupKey>,
    voided: BTreeMap<u64, Location>,
    #[serde(default)]
    settled_again: BTreeMap<u64, u64>,
    hidden: BTreeMap<u64, u32>,
    orders: BTreeMap<u64, Vec<Face>>,
    #[serde(default)]
    compared: BTreeMap<u64, Vec<Face>>,
    pools: BTreeMap<u64, Pool>,
    #[serde(default)]
    behind: BTreeMap<u64, Vec<Face>>,
    #[serde(default)]
    going_on: BTreeSet<u64>,
    #[serde(default)]
    waited_for: BTreeSet<u64>,
    #[serde(default)]
    early: BTreeMap<u64, u64>,
    #[serde(default)]
    labels: BTreeMap<u64, u32>,
    #[serde(default)]
    mended: BTreeMap<u64, BTreeSet<u64>>,
    /// Corrections of what is out of reach, each counted once.
    out_of_reach: BTreeSet<u64>,
    /// Those of seats, by the sequence of the correction.
    #[serde(default)]
    reseated: BTreeMap<u64, Reseated>,
    /// Whether one of them is of the shoe before what can be played again: it is not shown to be right.
    #[serde(default)]
    shoe_before_open: bool,
}

impl Amendments {
    /// Adds what an event showed; gives whether that was not known.
    pub(crate) fn add(&mut self, location: Location, revision: Revision) -> bool {
        match revision {
            Revision::Corrected { sequence } => {
                // What is late may show only once a gap is filled.
                let was_late = remove_by(&mut self.late, sequence, location);
                let by = self.corrected.entry(sequence).or_default();
                let newer = by.sequence < location.sequence;
                *by = location.max(*by);
                self.forget_early(newer || was_late)
            }
            Revision::CorrectedLate { sequence } => {
                let was_in_time = remove_by(&mut self.corrected, sequence, location);
                let by = self.late.entry(sequence).or_default();
                let newer = by.sequence < location.sequence;
                *by = location.max(*by);
                newer || was_in_time
            }
            Revision::Concluded { settled } => self.concluded.insert(settled),
            Revision::Ruled { coup } => self.ruled.insert(coup),
            Revision::Voided { settled } => {
                let news = self.voided.insert(settled, location).is_none();
                self.forget_early(news)
            }
            Revision::SettledAgain { settled } => {
                self.settled_again.insert(settled, location.sequence) != Some(location.sequence)
            }
            Revision::Hidden { behind, cards } => {
                let mut news = false;
                for sequence in behind {
                    news |= self.hidden.insert(sequence, cards) != Some(cards);
                }
                news
            }
            Revision::Order { loaded, faces } => self.orders.insert(loaded, faces).is_none(),
            Revision::Compared { loaded, faces } => self.compared.insert(loaded, faces).is_none(),
            Revision::Pool { loaded, pool } => self.pools.insert(loaded, pool) != Some(pool),
            Revision::Behind { settled, faces } => {
                let known = self.behind.entry(settled).or_default();
                let news = *known != faces;
                *known = faces;
                news
            }
            Revision::GoesOn { behind } => self.going_on.insert(behind),
            Revision::WaitedFor { behind } => self.waited_for.insert(behind),
            Revision::Labelled { sequences, coup } => {
                let mut news = false;
                for sequence in sequences {
                    news |= self.labels.insert(sequence, coup) != Some(coup);
                }
                news
            }
            Revision::Mended { loaded, sequences } if sequences.is_empty() => {
                self.mended.remove(&loaded).is_some()
            }
            Revision::Mended { loaded, sequences } => {
                let before = self.mended.insert(loaded, sequences.clone());
                before.is_none_or(|before| before != sequences)
            }
            Revision::Early { sequence, behind } => self.early.insert(sequence, behind) != Some(behind),
            Revision::OutOfReach { sequence: _, seat } => {
                self.reseated.extend(seat.map(|seat| (location.sequence, *seat)));
                self.out_of_reach.insert(location.sequence)
            }
            Revision::Reseated(seat) => self.reseated.insert(location.sequence, *seat).is_none(),
        }
    }

    /// Events came for a gap: how many cards it hid, and what goes on behind it, has to be found anew.
    pub(crate) fn forget_hidden(&mut self) {
        self.hidden.clear();
        self.settled_again.clear();
        self.going_on.clear();
        self.waited_for.clear();
        self.early.clear();
        self.labels.clear();
        self.mended.clear();
    }

    /// Other events were meant: which of them were recorded too early has to be found anew.
    fn forget_early(&mut self, news: bool) -> bool {
        if news {
            self.early.clear();
            self.labels.clear();
        }
        news
    }

    /// The void of a coup that was settled by the event of this sequence.
    pub(crate) fn void_of(&self, settled: u64) -> Option<Location> {
        self.voided.get(&settled).copied()
    }

    /// The sequence of another settlement of that coup, after a gap that may hold its void.
    pub(crate) fn settled_again(&self, settled: u64) -> Option<u64> {
        self.settled_again.get(&settled).copied()
    }

    /// How many of the events missing before this sequence hold cards, at least, where that is known.
    pub(crate) fn hidden_before(&self, behind: u64) -> Option<u32> {
        self.hidden.get(&behind).copied()
    }

    /// Whether the coup in play went on behind the events that are missing before this sequence.
    pub(crate) fn goes_on(&self, behind: u64) -> bool {
        self.going_on.contains(&behind)
    }

    /// Whether a coup for which events of another waited went on behind them.
    pub(crate) fn waited_for(&self, behind: u64) -> bool {
        self.waited_for.contains(&behind)
    }

    /// The event behind which the one of this sequence comes in play, though it was recorded before it.
    pub(crate) fn judged_behind(&self, sequence: u64) -> Option<u64> {
        self.early.get(&sequence).copied()
    }

    /// The coup of which the event of this sequence can only be, where it carries another number.
    pub(crate) fn label_of(&self, sequence: u64) -> Option<u32> {
        self.labels.get(&sequence).copied()
    }

    /// The wrong events of the shoe loaded by the event of this sequence that missing events explain.
    pub(crate) fn mended_in(&self, loaded: u64) -> Option<&BTreeSet<u64>> {
        self.mended.get(&loaded)
    }

    /// The order of the shoe loaded by the event of this sequence, where it was revealed rightly.
    pub(crate) fn order_of(&self, loaded: u64) -> Option<&[Face]> {
        self.orders.get(&loaded).map(Vec::as_slice)
    }

    /// The order of the shoe loaded by the event of this sequence, where cards of it were read as others.
    pub(crate) fn compared_with(&self, loaded: u64) -> Option<&[Face]> {
        self.compared.get(&loaded).map(Vec::as_slice)
    }

    /// What the unread cards of the shoe loaded by the event of this sequence may be.
    pub(crate) fn pool_of(&self, loaded: u64) -> Option<Pool> {
        self.pools.get(&loaded).copied()
    }

    /// The cards behind those of the coup that was settled by the event of this sequence, as far as its wrong
    /// draws asked for them.
    pub(crate) fn behind(&self, settled: u64) -> &[Face] {
        self.behind.get(&settled).map_or(&[], Vec::as_slice)
    }

    /// Who took seats before what can be played again, by corrections that came since.
    pub(crate) fn reseated(&self) -> impl Iterator<Item = &Reseated> {
        self.reseated.values()
    }

    /// The shoe before what can be played again is not shown to be right.
    pub(crate) const fn open_shoe_before(&mut self) {
        self.shoe_before_open = true;
    }

    pub(crate) const fn is_shoe_before_open(&self) -> bool {
        self.shoe_before_open
    }

    /// The event of this sequence, where it says last in time what the one before should have said.
    pub(crate) fn corrected_by(&self, sequence: u64) -> Option<Location> {
        self.corrected.get(&sequence).copied()
    }

    /// Whether anything was corrected, decisions after their moment left out.
    pub(crate) fn any_corrected(&self) -> bool {
        !self.corrected.is_empty()
    }

    /// The same as if the events of these sequences, in their order, had not been corrected. What follows from them has to be found anew.
    pub(crate) fn without(&self, corrected: &[u64]) -> Self {
        let mut known = self.clone();
        known.corrected.retain(|sequence, _| corrected.binary_search(sequence).is_err());
        known.forget_hidden();
        known.orders.clear();
        known.compared.clear();
        known.pools.clear();
        known.behind.clear();
        known
    }

    /// Whether decisions were corrected after their moment.
    pub(crate) fn any_late(&self) -> bool {
        !self.late.is_empty()
    }

    /// The coups that are over and on which something was ruled since.
    pub(crate) const fn ruled(&self) -> &BTreeSet<CoupKey> {
        &self.ruled
    }

    /// What the events should have said, by their sequence, and where that is said: as they were decided, or with the
    /// late corrections too. Each run is read once.
    pub(crate) fn bodies(&self, runs: &Runs, world: Playing) -> BTreeMap<u64, (Location, Body)> {
        let mut by = self.corrected.clone();
        match world {
            Playing::AsDecided => {}
            Playing::AsCorrected => by.extend(self.late.iter().map(|(sequence, by)| (*sequence, *by))),
        }
        let mut corrections: Vec<(Location, u64)> =
            by.into_iter().map(|(sequence, by)| (by, sequence)).collect();
        corrections.sort_unstable_by_key(|(by, _)| by.sequence);
        let (mut bodies, mut read) = (BTreeMap::new(), (0..0, Vec::new()));
        for (by, sequence) in corrections {
            if !read.0.contains(&by.sequence) {
                let Some(run) = runs.at(by.sequence) else { continue };
                read = (run.first..run.end(), run.events().unwrap_or_default());
            }
            let at = usize::try_from(by.sequence - read.0.start).unwrap_or(usize::MAX);
            if let Some(Event { body: Body::CorrectionRecorded(correction), .. }) = read.1.get(at) {
                bodies.insert(sequence, (by, (*correction.corrected).clone()));
            }
        }
        bodies
    }
}

/// Forgets a correction by this event; returns whether it was known.
fn remove_by(corrections: &mut BTreeMap<u64, Location>, target: u64, by: Location) -> bool {
    let known = corrections.get(&target) == Some(&by);
    known && corrections.remove(&target).is_some()
}
