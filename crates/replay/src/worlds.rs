//! Unread cards: all outcomes that a coup may have had, as far as bets and rules distinguish them.
//!
//! A card that was not read is any card the decks still allow. What the record says about the coup
//! narrows the set. If the record fits no outcome that is left, it is wrong whatever the card was
//! (`docs/judging.md`, "Unread cards"). Each unread card is considered on its own: two of them may both be counted
//! as the last card of a face. So the set may be too wide, but never too narrow.
//!
//! This module knows hands, outcomes and rules. It does not know events, seats or findings.

mod cells;
mod completed;
mod deals;
mod pool;
mod rightful;
mod two_cards;

use baccarat::{Coup, Deal, HandOutcome, Outcome, Pair, Points, Settlement, Side, Winner};

use crate::account::SumRange;
use crate::statement::AnyOf;
use crate::verdict::Reason;
pub(crate) use deals::Deals;
pub(crate) use pool::Pool;
pub(crate) use rightful::{Rightful, rightful};
pub(crate) use two_cards::total_of;

#[cfg(test)]
mod tests;

/// The outcomes.
#[derive(Debug, Clone)]
enum Set {
    /// Nothing is known of the hands.
    None,
    One(Outcome),
    Many(Vec<Outcome>),
}

/// What a coup may have come to: at most 10 totals and 4 kinds of pair for each hand, so 1,600
/// outcomes; where every card was read exactly one, without allocation.
#[derive(Debug, Clone)]
pub(crate) struct Worlds {
    set: Set,
    /// Why there is more than one.
    unread: Reason,
    /// Whether the record holds in some of the worlds only.
    narrowed: bool,
}

impl Worlds {
    /// Nothing is known of the hands: no bet is judged by them.
    pub(crate) const fn none() -> Self {
        Self { set: Set::None, unread: Reason::CardUnread, narrowed: false }
    }

    /// Cards of the coup are missing from the record: it may have come to anything.
    pub(crate) fn any() -> Self {
        Self::many(cells::every_outcome(), Reason::EventsMissing, true)
    }

    /// Hands to which cards were not dealt that were due: these may have been any.
    pub(crate) fn of_short(lying: &Deal) -> Self {
        Self::many(completed::completed(lying), Reason::CardUnread, false)
    }

    /// The outcome of a coup whose cards were all read; `None` where its pairs depend on suits that were
    /// not.
    pub(crate) fn of_coup(coup: &Coup) -> Option<Self> {
        let outcome = Outcome::of(coup);
        let one = Self { set: Set::One(outcome), unread: Reason::CardUnread, narrowed: false };
        (!outcome.has_suits_unread()).then_some(one)
    }

    fn many(outcomes: Vec<Outcome>, unread: Reason, narrowed: bool) -> Self {
        Self { set: Set::Many(outcomes), unread, narrowed }
    }

    /// The outcomes left.
    pub(crate) fn outcomes(&self) -> &[Outcome] {
        match &self.set {
            Set::None => &[],
            Set::One(outcome) => std::slice::from_ref(outcome),
            Set::Many(outcomes) => outcomes,
        }
    }

    /// Keeps the outcomes that fit. If none fits, the set stays as it is and the result is `false`.
    pub(crate) fn keep(&mut self, fits: impl Fn(&Outcome) -> bool) -> bool {
        let fitting = self.outcomes().iter().filter(|outcome| fits(outcome)).count();
        if fitting > 0
            && let Set::Many(outcomes) = &mut self.set
        {
            self.narrowed |= fitting < outcomes.len();
            outcomes.retain(fits);
        }
        fitting > 0
    }

    /// Why the record is not shown to be right: some world, before the record narrowed the set, makes
    /// it wrong.
    pub(crate) fn open(&self) -> Option<Reason> {
        self.narrowed.then_some(self.unread)
    }

    /// Who won, where that is the same in every world left.
    pub(crate) fn winner(&self) -> Option<Winner> {
        let (first, rest) = self.outcomes().split_first()?;
        let winner = first.winner();
        rest.iter().all(|other| other.winner() == winner).then_some(winner)
    }

    /// The totals of a hand: all of them where several are left.
    pub(crate) fn totals(&self, side: Side) -> AnyOf<u8> {
        let mut totals: Vec<u8> = self.outcomes().iter().map(|outcome| total(outcome, side)).collect();
        totals.sort_unstable();
        totals.dedup();
        AnyOf(totals.into())
    }

    /// The winners left.
    pub(crate) fn winners(&self) -> Vec<Winner> {
        let mut winners: Vec<Winner> = Vec::with_capacity(3);
        for outcome in self.outcomes() {
            if !winners.contains(&outcome.winner()) {
                winners.push(outcome.winner());
            }
        }
        winners
    }

    /// Punto counts nine by a ruling, whatever its cards.
    pub(crate) fn punto_counts_nine(&mut self) {
        let nine = |outcome: &mut Outcome| {
            let drew = outcome.punto.cards() == 3;
            outcome.punto = HandOutcome::new(Points::NINE, drew, Pair::None);
        };
        match &mut self.set {
            Set::None => {}
            Set::One(outcome) => nine(outcome),
            Set::Many(outcomes) => outcomes.iter_mut().for_each(nine),
        }
    }

    /// What a bet had to bring, where `decide` says how an outcome decides it and `settle` what that
    /// comes to; what was recorded for it narrows the set.
    pub(crate) fn due<D: Copy + PartialEq>(
        &mut self,
        recorded: Option<Settlement>,
        decide: impl Fn(&Outcome) -> Option<D>,
        settle: impl Fn(D) -> Settlement,
    ) -> Owed {
        if let Set::One(outcome) = &self.set {
            return Owed { due: decide(outcome).map(settle), among: Vec::new() };
        }
        let brings: Vec<_> =
            self.decisions(&decide).into_iter().map(|decision| (decision, settle(decision))).collect();
        let owed = Owed::of(brings.iter().map(|(_, due)| *due).collect(), recorded);
        if let Some(recorded) = recorded.filter(|_| owed.due.is_none()) {
            let fits = |decision: Option<D>| {
                brings.iter().any(|(of, due)| Some(*of) == decision && *due == recorded)
            };
            self.keep(|outcome| fits(decide(outcome)));
        }
        owed
    }

    /// The least and the most that the outcomes left bring; none where nothing is known of them.
    pub(crate) fn span(&self, brings: impl Fn(&Outcome) -> Option<i64>) -> Option<SumRange> {
        SumRange::over(self.outcomes().iter().filter_map(brings))
    }

    /// Every decision that is left, once.
    pub(crate) fn decisions<D: Copy + PartialEq>(&self, decide: impl Fn(&Outcome) -> Option<D>) -> Vec<D> {
        let mut found = Vec::new();
        for decision in self.outcomes().iter().filter_map(decide) {
            if !found.contains(&decision) {
                found.push(decision);
            }
        }
        found
    }
}

/// What a bet had to bring.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Owed {
    /// The sum due. Where it may be one of several and what was recorded is none of them, the nearest by what was returned,
    /// then by commission; of two equally near the smaller. `None` where it may be one of several and what was recorded is
    /// among them, or nothing was recorded.
    pub(crate) due: Option<Settlement>,
    /// All that may be due, where it may be one of several.
    pub(crate) among: Vec<Settlement>,
}

impl Owed {
    pub(crate) fn of(among: Vec<Settlement>, recorded: Option<Settlement>) -> Self {
        let [first, rest @ ..] = among.as_slice() else { return Self::default() };
        if rest.iter().all(|due| due == first) {
            return Self { due: Some(*first), among: Vec::new() };
        }
        let beyond = recorded.filter(|recorded| !among.contains(recorded));
        let nearest = |recorded: Settlement| among.iter().copied().min_by_key(|due| distance(*due, recorded));
        Self { due: beyond.and_then(nearest), among }
    }
}

/// How far what was recorded lies from what was due.
fn distance(due: Settlement, recorded: Settlement) -> (u128, u128, u64) {
    let returned = recorded.returned.over(due.returned).unsigned_abs();
    (returned, recorded.commission.over(due.commission).unsigned_abs(), due.returned.get())
}

pub(crate) const fn total(outcome: &Outcome, side: Side) -> u8 {
    match side {
        Side::Punto => outcome.punto.total(),
        Side::Banca => outcome.banca.total(),
    }
}
