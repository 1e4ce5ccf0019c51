//! What may be missing of a coup, and what of it is not certain for that reason (`docs/judging.md`, "Missing events").

use baccarat::{Money, Pays};

use super::bets::Bet;
use super::gaps::Gaps;
use super::left_out::left_out;
use super::limits::InForce;
use super::paytables::Paytables;
use crate::Code;
use crate::code::Rests;
use crate::reading::ShoeRecord;
use crate::rules::{DOWN, stake_range};
use crate::shoe::least_events_before;

/// What may be missing of a coup.
#[derive(Debug, Clone, Default)]
pub(super) struct Lacking {
    /// The sequences of the gaps in which its events may be missing; 0: coups are left out before it.
    gaps: Vec<u64>,
    /// How many of these may be bets.
    pub(super) bets: u64,
    /// Whether cards may be among them.
    pub(super) cards: bool,
    /// The sequence of the last gap since the coup began.
    behind: u64,
    /// How many bets may be missing, or may have been corrected, before its first card, and the sequence of the last gap
    /// there.
    early: (u64, u64),
    /// Most that a missing bet may return; `None`: not known.
    pub(super) most: Option<Money>,
}

impl Lacking {
    /// What may be missing of a coup of a shoe, by its place in it.
    pub(super) fn of(
        shoe: &ShoeRecord<'_>,
        at: usize,
        gaps: &Gaps,
        limits: Option<InForce<'_>>,
        tables: Option<&Paytables>,
    ) -> Self {
        let coup = &shoe.coups[at];
        let hands = coup.cards.iter().filter(|card| card.to.side().is_some());
        let first_card = hands.filter_map(|card| card.sequence).min().unwrap_or(u64::MAX);
        let mut lacking = Self::default();
        for (first, gap) in coup.missing.iter().filter_map(|hole| Some((hole.first, gaps.at(hole.first)?))) {
            let since = first > coup.began;
            let bets = if since { gap.others() } else { gap.events };
            lacking.miss(first, bets, gap.may_be_cards());
            if since {
                lacking.behind = lacking.behind.max(first);
            }
            if since && first < first_card {
                lacking.early = (lacking.early.0.saturating_add(bets), first);
            }
        }
        let left_out = left_out(shoe, at);
        if left_out > 0 {
            let events = least_events_before(left_out.saturating_add(1));
            lacking.miss(0, events, true);
        }
        lacking.most = limits
            .filter(|limits| lacking.any() && !limits.doubted)
            .zip(tables)
            .and_then(|(limits, tables)| Some(returned(tables, largest(tables, limits)?)));
        lacking
    }

    /// The same at a bank that holds so much, which may be staked against it; `None`: that is not known. Of two missing events one
    /// may have corrected it.
    pub(super) fn at_bank(mut self, bank: Option<Money>, tables: &Paytables) -> Self {
        let is_other = self.early.0 > 0 && self.bets > 1;
        let most = self.most.zip(bank).filter(|_| !is_other);
        self.most = most.map(|(most, bank)| most.max(returned(tables, bank)));
        self
    }

    fn miss(&mut self, gap: u64, bets: u64, cards: bool) {
        self.gaps.push(gap);
        self.bets = self.bets.saturating_add(bets);
        self.cards |= cards;
    }

    /// The same, with so many bets that may be missing.
    pub(super) fn with_bets(&self, bets: u64) -> Self {
        Self { bets, ..self.clone() }
    }

    /// Whether anything may be missing.
    pub(super) const fn any(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// Whether anything may be missing before this sequence.
    pub(super) fn any_before(&self, sequence: u64) -> bool {
        self.gaps.iter().any(|gap| *gap < sequence)
    }

    /// Whether what is missing may make something right that is found at this sequence.
    pub(super) fn explains(&self, code: Code, at: u64) -> bool {
        match code.rests_on() {
            Rests::Nothing => false,
            Rests::Events => self.any_before(at),
            Rests::Cards => self.cards,
        }
    }

    /// Whether a bet that stands may have been taken back in what is missing.
    pub(super) const fn may_be_gone(&self, bet: &Bet<'_, '_>) -> bool {
        bet.placed() < self.behind
    }

    /// Whether what had to come back after this sequence may have come back in what is missing.
    pub(super) const fn is_missing_since(&self, sequence: u64) -> bool {
        sequence < self.behind
    }

    /// Whether so many bets may have been corrected before the first card.
    pub(super) const fn may_be_corrected(&self, bets: usize) -> bool {
        self.early.0 > 0 && bets as u64 <= self.early.0
    }

    /// Whether a bet may have been corrected before the first card.
    pub(super) const fn may_be_another(&self, bet: &Bet<'_, '_>) -> bool {
        self.early.0 > 0 && bet.placed() < self.early.1
    }

    /// Whether what a bet returned may have been right, if it was corrected before the first card.
    pub(super) fn may_have_been_another(&self, bet: &Bet<'_, '_>, returned: Money) -> bool {
        bet.placed() < self.early.1 && self.most.is_none_or(|most| returned <= most)
    }
}

/// The largest stake.
fn largest(tables: &Paytables, in_force: InForce<'_>) -> Option<Money> {
    let of_kind = |kind| stake_range(tables.rules(), in_force.limits, kind).maximum;
    tables.rules().bets.iter().map(of_kind).max()
}

/// Most that a bet of this stake may return.
fn returned(tables: &Paytables, stake: Money) -> Money {
    let won = tables.rules().bets.values().flat_map(|rule| &rule.rows).filter_map(|row| match row.pays {
        Pays::Wins(odds) => Some(odds.wins().div_ceil(odds.per())),
        Pays::Push | Pays::Lose => None,
    });
    stake.times(won.max().unwrap_or(1).saturating_add(1), 1, DOWN)
}
