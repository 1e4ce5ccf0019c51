//! Which wrong events missing ones may have corrected: what each finding needs corrected, and whether the gaps suffice for all of
//! a shoe (the table in `docs/judging.md`, "A correction that may be missing").

use std::collections::{BTreeMap, BTreeSet};

use crate::settled_before::Moment;

/// Most wrong events of a shoe, and most gaps in it, that are compared. A shoe with more is judged as if nothing were mended.
pub(crate) const MOST: usize = 1_024;

/// The wrong events that the gaps of a shoe explain: all of those with a gap in which they may have been corrected, if each can
/// have a missing event of its own there; otherwise none. Of a wrong event its sequence and the last before which its
/// correction may be missing; of a gap the sequence after it and how many of its events may be corrections.
pub(crate) fn explained(wrong: impl IntoIterator<Item = (u64, u64)>, gaps: &[(u64, u64)]) -> BTreeSet<u64> {
    let wrong: BTreeMap<u64, u64> = wrong.into_iter().collect();
    if wrong.len() > MOST || gaps.len() > MOST {
        return BTreeSet::new();
    }
    let mut gaps = gaps.to_vec();
    gaps.sort_unstable();
    let mut explained = BTreeSet::new();
    // By the last gap that may hold its correction, those that have none yet.
    let mut waiting: BTreeSet<(u64, u64)> = BTreeSet::new();
    let mut wrong = wrong.into_iter().peekable();
    for (place, (at, events)) in gaps.iter().enumerate() {
        while let Some((sequence, until)) = wrong.next_if(|(sequence, _)| sequence < at) {
            let last = gaps.iter().skip(place).map(|(at, _)| *at).take_while(|at| *at <= until).last();
            waiting.extend(last.map(|last| (last, sequence)));
        }
        for _ in 0..(*events).min(MOST as u64) {
            explained.extend(waiting.pop_first().map(|(_, sequence)| sequence));
        }
        if waiting.first().is_some_and(|(last, _)| last <= at) {
            return BTreeSet::new();
        }
    }
    explained
}

/// What has to be corrected for something to be no finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MendedBy {
    /// No correction makes it right.
    Nothing,
    /// The event at which it is found: the settlement, the bank's account, a card.
    ItsEvent,
    /// That, or what the shoe was loaded with.
    ItsEventOrLoading,
    /// The event at which it is found, which may be corrected until a moment.
    Decision(Moment),
    /// One event that all findings of the cluster may follow from.
    AnyOf(Cluster),
    /// What was burned, if it is about the first card after that.
    Burn,
    /// The faces of the cards that are not those of the order that was revealed; what the shoe was loaded with, if that order has other decks.
    FacesOrLoading,
    /// The face of a card, and the result that was announced.
    FaceAndResult,
}

/// Which kind of event is judged, as far as it matters for what a correction of it would mend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Judged {
    Settlement,
    Limits,
    #[default]
    Other,
}

/// Findings that may all follow from one event that was recorded wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cluster {
    /// On what is staked in a coup, by the players and by the bank.
    Stakes,
    /// On the same, if it also depends on who sits where.
    StakesOrTurns,
    /// On seats, and on whose turn a deal or a bank is.
    Turns,
    /// On commission that was marked and collected.
    Boxes,
}
