//! The coup in play: its bets and its cards, checked against the rules. (The table around it is
//! `table.rs`.)

mod beside;
mod betting;
mod clock;
pub(crate) mod drawing;
mod faults;
pub(crate) mod holding;
mod late;
mod limits;
mod plain;
#[cfg(test)]
mod plain_tests;
mod result;

use std::collections::BTreeSet;

use baccarat::{Deal, Face, Money, Side};
use events::{CardDrawn, Name};
use serde::{Deserialize, Serialize};

use crate::account::{CoupMoney, signed};
use crate::chemin::CheminCoup;
use crate::decided_late::Bank;
use crate::lookup::Lookup;
use crate::person::Person;
use crate::rulings::Rulings;
use crate::seldom::Seldom;
use crate::sink::{Accusation, Location};
use crate::verdict::Reason;
use crate::worlds::Pool;
use crate::{Code, Statement};
use holding::Holding;
pub(crate) use late::Late;
pub(crate) use limits::{Held, Limits};

/// What became of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BetState {
    Stands,
    Withdrawn,
    /// Taken back after "no va más": what comes back for it is not judged again.
    WithdrawnLate,
    Settled,
}

/// A bet of the coup in play.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Bet {
    pub(crate) id: u64,
    pub(crate) seat: u8,
    pub(crate) player: Option<Name>,
    /// The same as names are compared.
    pub(crate) person: Option<Person>,
    /// Whether another name of the table looks like the player's.
    #[serde(default)]
    pub(crate) alike: bool,
    /// Number of its kind, `None` where the rulebook does not offer it.
    pub(crate) kind: Option<usize>,
    pub(crate) stake: Money,
    /// Sequence of the event that placed it.
    pub(crate) sequence: u64,
    /// When that event happened by its own time, in microseconds since 1970.
    pub(crate) time: i64,
    /// Location of that event, or of its correction.
    pub(crate) placed_at: Location,
    /// Placed once the bets were closed.
    pub(crate) late: bool,
    /// At a seat that was known to be another player's.
    pub(crate) misplaced: bool,
    /// Whether it was checked against its limits.
    pub(crate) held: Held,
    /// The part of it that is within the limits, where it exceeds one.
    pub(crate) limit: Option<Money>,
    pub(crate) state: BetState,
}

impl Bet {
    /// The part of it that a bank of this size covers.
    pub(crate) fn covered(&self, bank: Money) -> Money {
        self.within_limit().min(bank)
    }

    /// The part of it that plays, where it exceeds a limit and the excess is returned.
    pub(crate) fn within_limit(&self) -> Money {
        self.limit.map_or(self.stake, |limit| self.stake.min(limit))
    }

    pub(crate) fn stands(&self) -> bool {
        self.state == BetState::Stands
    }

    /// Whether it counts among those that stand when the bets are closed.
    pub(crate) fn counts(&self) -> bool {
        self.stands() && !self.late
    }

    /// Whether it stands, or stood until it was settled.
    pub(crate) const fn stood(&self) -> bool {
        matches!(self.state, BetState::Stands | BetState::Settled)
    }

    /// Whether it stands or stood until it was settled, and was placed in time.
    pub(crate) const fn stood_in_time(&self) -> bool {
        self.stood() && !self.late
    }

    /// Whether it was placed or withdrawn too late, so that it may count or not.
    pub(crate) fn is_disputed(&self) -> bool {
        let late = self.late && self.state != BetState::Withdrawn;
        late || self.state == BetState::WithdrawnLate
    }
}

/// A card of the coup in play.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Dealt {
    /// Sequence of the event that records it.
    sequence: u64,
    /// When that event happened by its own time, in microseconds since 1970.
    time: i64,
    position: u16,
    /// Its hand; `None` where it was removed.
    to: Option<Side>,
    /// Its index in that hand; `None` where it is one card too many.
    in_hand: Option<usize>,
    face: Face,
}

/// A coup in play.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CoupInPlay {
    pub(crate) number: u32,
    pub(crate) deal: Deal,
    closed: bool,
    /// Sequence of the event that closed them.
    #[serde(default)]
    closed_at: u64,
    pub(crate) bets: Vec<Bet>,
    #[serde(skip)]
    index: Lookup,
    /// What was in force when it began.
    pub(crate) limits: Limits,
    /// Bets placed or taken back too late.
    late: Seldom<Vec<Late>>,
    holding: Holding,
    pub(crate) violated: bool,
    pub(crate) undecided: Option<Reason>,
    /// The sequence after a gap, as long as nothing has shown that the coup goes on after it.
    pub(crate) perhaps_over: Option<u64>,
    /// Whether an event after that gap with this coup's number may belong to another shoe.
    #[serde(default)]
    pub(crate) another_follows: bool,
    /// How many of its events may be missing.
    pub(crate) missing_events: u64,
    /// Whether cards may be among the missing events.
    pub(crate) missing_cards: bool,
    /// How many of the missing events may be bets.
    pub(crate) missing_bets: u64,
    /// The sequence after the last event before the missing ones, where they are missing since it began.
    pub(crate) missing_behind: u64,
    /// How many of these are missing before its first card, and the sequence after the last event before the last of them.
    #[serde(default)]
    missing_early: (u64, u64),
    /// Sequence of the last card to a hand before its first.
    #[serde(default)]
    pub(crate) card_before: u64,
    /// Whether its stakes came back, and it may have been declared void in what is missing.
    #[serde(default)]
    pub(crate) perhaps_void: bool,
    /// Most that a missing bet may return; `None`: not known.
    pub(crate) most_for_one_bet: Option<Money>,
    /// Whether its cards may belong to the coup before, which has another number.
    #[serde(default)]
    pub(crate) number_open: bool,
    /// Whether another name of the table looks like that of somebody who plays in it.
    #[serde(default)]
    pub(crate) alike: bool,
    /// Values of its settlement that a program computed and nobody read.
    #[serde(default)]
    pub(crate) computed: Seldom<Vec<events::ComputedValue>>,
    /// Whether a ruling, a void or a correction concerns it.
    pub(crate) ruled: bool,
    /// Whether a card was still due when it was settled.
    #[serde(default)]
    pub(crate) short: bool,
    /// Whether a coup of its number was settled before, and no card was drawn for it.
    #[serde(default)]
    pub(crate) again: bool,
    /// Whether it was declared void, so that its stakes have to be returned.
    pub(crate) voided: bool,
    /// Sequence of the event that declared it void.
    pub(crate) voided_at: u64,
    pub(crate) rulings: Seldom<Rulings>,
    /// Number of cards drawn for it: including those removed from play, not those kept from the coup before.
    drawn: u32,
    dealt: Vec<Dealt>,
    /// Sequence of its first card.
    first_card: Option<u64>,
    pub(crate) misdealt: bool,
    /// Whether a hand drew or stood against the rules of chemin de fer.
    #[serde(default)]
    pub(crate) misdrawn: bool,
    /// What its unread cards may be.
    pub(crate) pool: Pool,
    /// What is wrong with its draws, kept until its end, where the money of it is known.
    faults: Seldom<Vec<Accusation>>,
    /// For each hand: whether a card given to it after it was full is already reported.
    overfull: [bool; 2],
    pub(crate) drawn_cards: Vec<CardDrawn>,
    /// What only a coup of chemin de fer has.
    pub(crate) chemin: Option<Box<CheminCoup>>,
    /// Punto's turn to draw is over, and was looked at.
    pub(crate) punto_stood: bool,
    /// What came back for its bets, and what had to: worked out and used where it is settled.
    #[serde(skip)]
    pub(crate) money: Seldom<CoupMoney>,
}

impl CoupInPlay {
    pub(crate) fn new(number: u32) -> Self {
        Self {
            number,
            deal: Deal::default(),
            closed: false,
            closed_at: 0,
            bets: Vec::new(),
            index: Lookup::default(),
            limits: Limits::default(),
            late: Seldom::default(),
            holding: Holding::default(),
            violated: false,
            undecided: None,
            perhaps_over: None,
            another_follows: false,
            missing_events: 0,
            missing_cards: false,
            missing_bets: 0,
            missing_behind: 0,
            missing_early: (0, 0),
            card_before: 0,
            perhaps_void: false,
            most_for_one_bet: None,
            number_open: false,
            alike: false,
            computed: Seldom::default(),
            ruled: false,
            short: false,
            again: false,
            voided: false,
            voided_at: 0,
            rulings: Seldom::default(),
            drawn: 0,
            dealt: Vec::with_capacity(6),
            first_card: None,
            misdealt: false,
            misdrawn: false,
            pool: Pool::default(),
            faults: Seldom::default(),
            overfull: [false; 2],
            drawn_cards: Vec::new(),
            chemin: None,
            punto_stood: false,
            money: Seldom::default(),
        }
    }

    /// Frees spare capacity.
    pub(crate) fn rest(&mut self) {
        self.index = Lookup::default();
        self.bets.shrink_to_fit();
        self.drawn_cards.shrink_to_fit();
        self.dealt.shrink_to_fit();
    }

    /// The first reason stays: it is what the later ones follow from.
    pub(crate) fn doubt(&mut self, reason: Reason) {
        self.undecided.get_or_insert(reason);
    }

    /// Events of it may be missing; `bets` of them may be bets.
    pub(crate) fn miss(&mut self, events: u64, bets: u64, cards: bool) {
        self.missing_events = self.missing_events.saturating_add(events);
        self.missing_bets = self.missing_bets.saturating_add(bets);
        self.missing_cards |= cards;
    }

    /// Notes a gap before its first card: how many of the missing events may be bets or corrections of bets, and the sequence after the
    /// last event before the gap.
    pub(crate) const fn miss_early(&mut self, bets: u64, behind: u64) {
        self.missing_early = (self.missing_early.0.saturating_add(bets), behind);
    }

    /// Whether the bank that it is played against may have been corrected before its first card, in one missing event, and a bet may be
    /// another.
    pub(crate) fn bank_may_be_other(&self) -> bool {
        self.chemin.is_some() && self.missing_early.0 > 0 && self.missing_bets > 1
    }

    /// Whether as many bets may have been corrected before its first card as were paid wrongly.
    pub(crate) fn may_be_corrected(&self, found: &[Accusation]) -> bool {
        let wrong = found.iter().filter(|one| one.code.is_of_payout() && one.coup == Some(self.number));
        let bets: BTreeSet<usize> = wrong.flat_map(|one| one.bets.iter().copied()).collect();
        bets.len() as u64 <= self.missing_early.0
    }

    /// Whether it may have been corrected before its coup's first card.
    pub(crate) const fn may_have_been_another(&self, bet: &Bet) -> bool {
        self.missing_early.0 > 0 && bet.sequence < self.missing_early.1
    }

    /// Whether what these bets returned may have been right, if they were corrected before its first card.
    pub(crate) fn may_have_been_others(&self, bets: &[usize]) -> bool {
        let most = self.most_for_one_bet.map_or(i64::MAX, signed);
        bets.iter().all(|bet| {
            let returned = self.money.of(*bet).and_then(|of| of.recorded);
            self.may_have_been_another(&self.bets[*bet]) && returned.is_none_or(|sum| sum <= most)
        })
    }

    /// A bet of it is not kept.
    pub(crate) fn lack_a_bet(&mut self) {
        self.miss(1, 1, false);
        self.most_for_one_bet = None;
    }

    /// Whether a bet that stands may have been taken back in what is missing.
    pub(crate) const fn may_be_gone(&self, bet: &Bet) -> bool {
        bet.sequence < self.missing_behind
    }

    /// Whether what it had to give back, being void, may have come back in what is missing.
    pub(crate) const fn may_be_returned(&self) -> bool {
        self.voided && self.voided_at < self.missing_behind
    }

    /// Sequences of its first card and of its last.
    pub(crate) fn dealt_at(&self) -> Option<(u64, u64)> {
        let first = self.first_card?;
        Some((first, self.dealt.iter().map(|dealt| dealt.sequence).fold(first, u64::max)))
    }

    /// What the bank held in it, and its account.
    pub(crate) fn bank_brought(&self) -> Option<(Bank, i128)> {
        let coup = self.chemin.as_deref()?;
        let (banker, account) = coup.banker.as_ref().zip(coup.account.as_ref())?;
        let [held, won, lost] = [coup.bank, account.won, account.lost].map(|sum| i128::from(sum.get()));
        let net = won - lost - i128::from(account.commission.get());
        Some((Bank { seat: banker.seat, held, won, lost }, net))
    }

    /// By how much its account changes bank and garaje, and the banker's seat; what it says was won and lost, where the bank
    /// before is not known.
    pub(crate) fn bank_changed(&self) -> Option<(u8, i128)> {
        let (bank, net) = self.bank_brought()?;
        let coup = self.chemin.as_deref()?;
        let account = coup.account.as_ref().filter(|_| coup.is_bank_known());
        let change = account.map(|of| of.bank.plus(of.garaje).over(coup.bank.plus(coup.garaje)));
        Some((bank.seat, change.unwrap_or(net)))
    }

    /// Where the last of its cards lies in the shoe.
    pub(crate) fn last_position(&self) -> Option<u16> {
        self.dealt.iter().map(|dealt| dealt.position).max()
    }

    /// Where the bets were closed, if they were.
    pub(crate) fn closed_at(&self) -> Option<u64> {
        self.closed.then_some(self.closed_at)
    }

    /// Whether the record says who holds punto's cards.
    pub(crate) const fn holder_recorded(&self) -> bool {
        self.holding.is_recorded()
    }

    /// Whether a hand has said if it draws.
    pub(crate) fn has_decided(&self, side: Side) -> bool {
        self.chemin.as_ref().is_some_and(|chemin| chemin.has_decided(side))
    }

    /// Whether the account of its bank is recorded.
    pub(crate) fn has_account(&self) -> bool {
        self.chemin.as_ref().is_some_and(|chemin| chemin.account.is_some())
    }

    /// Whether "no va más" was said.
    pub(crate) const fn bets_closed(&self) -> bool {
        self.closed
    }

    /// Whether bets are over.
    pub(crate) const fn under_way(&self) -> bool {
        self.closed || self.drawn > 0
    }

    /// Whether it has any bet.
    pub(crate) fn is_staked(&self) -> bool {
        !self.bets.is_empty() || self.drawn > 0
    }

    /// Whether it was declared void before it was settled, or after, and its stakes had to come back.
    pub(crate) fn is_void(&self) -> bool {
        self.voided || self.money.void
    }

    /// Sum of its stakes in minor units, without bets that were withdrawn.
    pub(crate) fn turnover(&self) -> u128 {
        let withdrawn = |bet: &&Bet| matches!(bet.state, BetState::Withdrawn | BetState::WithdrawnLate);
        let stakes = self.bets.iter().filter(|bet| !withdrawn(bet));
        stakes.map(|bet| u128::from(bet.stake.get())).sum()
    }

    /// The third card of a hand that lay at this position, and whose it is.
    pub(crate) fn third_at(&self, position: u16) -> Option<(Side, Face)> {
        let dealt = self.dealt.iter().find(|dealt| dealt.position == position)?;
        dealt.to.filter(|_| dealt.in_hand == Some(2)).map(|side| (side, dealt.face))
    }

    /// Whether all cards of this coup lay behind this position, so that the one at it is of a coup before.
    pub(crate) fn begins_behind(&self, position: u16) -> bool {
        self.dealt.iter().map(|dealt| dealt.position).min().is_some_and(|first| position < first)
    }

    /// Positions of the first two cards of a hand.
    pub(crate) fn first_two_at(&self, side: Side) -> impl Iterator<Item = u16> + use<'_> {
        let first = move |dealt: &&Dealt| dealt.to == Some(side) && dealt.in_hand.is_some_and(|at| at < 2);
        self.dealt.iter().filter(first).map(|dealt| dealt.position)
    }

    /// The card of this coup that lay at this position.
    pub(crate) fn face_at(&self, position: u16) -> Option<Face> {
        self.dealt.iter().find(|dealt| dealt.position == position).map(|dealt| dealt.face)
    }

    pub(crate) fn accusation(
        &self,
        code: Code,
        expected: impl Into<Statement>,
        recorded: impl Into<Statement>,
    ) -> Accusation {
        Accusation::new(code, expected, recorded).in_coup(self.number)
    }
}
