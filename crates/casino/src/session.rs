//! One table from its opening to its closing.

mod cards;
mod decided;
mod dice;
mod limits;
mod loading;
mod rulings;
mod shoe;

use std::collections::BTreeMap;
use std::sync::Arc;

use baccarat::{BetKind, Card, Money, Rulebook};
use events::{
    Body, CardDrawn, Limits, Line, Name, OccurredAt, RulebookDocument, Seat, ShoeLoaded, TableClosed,
    TableId, TableOpened,
};

use crate::Fault;
use crate::Planted;
use crate::forge::is_forged;
use crate::stream::{Plan, Target, name_of};
use decided::ToCorrect;

pub(crate) use cards::other_winner;
use dice::Dice;
pub(crate) use rulings::{inspector, remark};
use shoe::Shoe;

/// 2026-03-01T20:00:00+01:00 in microseconds since 1970 UTC.
const OPENING: i64 = 1_772_391_600_000_000;

/// What the table does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Open,
    Load,
    Coup,
    EndShoe,
    Close,
    Closed,
}

/// A table at play: what it has whatever the game.
pub(crate) struct Session {
    pub(crate) book: Arc<Rulebook>,
    pub(crate) table: TableId,
    pub(crate) dice: Dice,
    /// The fault that the table is set up for.
    target: Option<Target>,
    /// The fault that is still to be planted.
    aim: Option<Target>,
    /// The fault to plant after it.
    second: Option<Fault>,
    planted: Vec<Planted>,
    /// Money that the next fault to be planted moves, by seat.
    money: BTreeMap<u8, i64>,
    /// A fault already committed that shows only at a later event.
    pub(crate) to_show: Option<Fault>,
    /// A decision that is corrected after the next card.
    to_correct: Option<ToCorrect>,
    stage: Stage,
    shoes: u32,
    /// Whether honest play has everything that the rulebook allows.
    varied: bool,
    /// A card that was recorded wrongly in the coup in play: its event, and what it should say.
    pub(crate) misread: Option<(u64, CardDrawn)>,
    cards_in_front: Option<u16>,
    shoe_number: u32,
    pub(crate) shoe: Shoe,
    shoe_name: Option<Name>,
    /// The loading of the shoe, and its sequence.
    loaded: Option<(u64, ShoeLoaded)>,
    /// Cards dealt in the coup in play, as they came.
    pub(crate) drawn: Vec<Card>,
    nonce: Option<[u8; 32]>,
    pub(crate) coup: u32,
    /// Coups that may still begin, once the cut card is out.
    pub(crate) coups_left: Option<u32>,
    out: Vec<Line>,
    sequence: u64,
    now: i64,
    pub(crate) limits: Limits,
    pub(crate) seats: Vec<u8>,
    /// Players by seat.
    pub(crate) players: BTreeMap<u8, Name>,
    player_number: u32,
    pub(crate) next_bet: u64,
}

pub(crate) fn money(minor_units: u64) -> Money {
    Money::new(minor_units).unwrap_or(Money::MAX_RECORDED)
}

/// A sum that may be owed either way.
pub(crate) fn signed(sum: Money) -> i64 {
    i64::try_from(sum.get()).unwrap_or(i64::MAX)
}

#[allow(clippy::expect_used, reason = "the names made here are short and plain")]
pub(crate) fn name(text: &str) -> Name {
    text.parse().expect("a short plain name")
}

impl Session {
    pub(crate) fn new(plan: &Plan, number: u32, target: Option<Target>) -> Self {
        let needs_two = target.is_some_and(|target| target.fault.needs_two_shoes());
        let second = plan.second.and_then(|fault| Some(Target { fault, ..target? }));
        let mut played = [target, second].into_iter().flatten().filter(|target| !is_forged(target.fault));
        let mut dice = Dice::new(plan.seed, u64::from(number));
        let book = Arc::clone(&plan.rulebook);
        let mut seats: Vec<u8> = book.seats.numbers.iter().copied().collect();
        let without: std::collections::BTreeSet<u8> =
            seats.iter().copied().filter(|seat| *seat != 13).collect();
        if dice.chance(50) && book.seats.wrongly_left_out(&without).is_empty() {
            seats.retain(|seat| *seat != 13);
        }
        let limits = limits::limits(
            &book,
            &mut dice,
            &[target, second].map(|target| target.map(|target| target.fault)),
        );
        Self {
            table: name_of(number),
            shoe: Shoe::shuffled(1, 1, 7, &mut dice),
            book,
            dice,
            target,
            aim: played.next(),
            second: played.next().map(|target| target.fault),
            planted: Vec::new(),
            money: BTreeMap::new(),
            to_show: None,
            to_correct: None,
            stage: Stage::Open,
            shoes: plan.shoes.max(u32::from(needs_two) + 1),
            varied: plan.varied,
            misread: None,
            cards_in_front: plan.cards_in_front,
            shoe_number: 0,
            shoe_name: None,
            loaded: None,
            drawn: Vec::new(),
            nonce: None,
            coup: 0,
            coups_left: None,
            out: Vec::new(),
            sequence: 0,
            now: OPENING + i64::from(number) * 7_000_000,
            limits,
            seats,
            players: BTreeMap::new(),
            player_number: 0,
            next_bet: 1,
        }
    }

    /// The faults planted so far.
    pub(crate) fn planted(&self) -> &[Planted] {
        &self.planted
    }

    /// The fault planted last, if that was in this coup.
    pub(crate) fn planted_in_coup(&self) -> Option<Fault> {
        self.planted.last().filter(|planted| self.is_here(planted)).map(|planted| planted.fault)
    }

    /// Whether a fault that is fit was planted in this coup.
    pub(crate) fn has_in_coup(&self, fits: impl Fn(Fault) -> bool) -> bool {
        self.planted.iter().any(|planted| self.is_here(planted) && fits(planted.fault))
    }

    fn is_here(&self, planted: &Planted) -> bool {
        planted.coup == Some(self.coup) && planted.shoe == self.shoe_name
    }

    /// Whether everything that was to be planted is.
    pub(crate) const fn is_done(&self) -> bool {
        self.aim.is_none()
    }

    /// Whether this table is the one at which this fault is to be planted, sooner or later.
    pub(crate) fn aims_at(&self, fault: Fault) -> bool {
        self.aim.is_some_and(|target| target.fault == fault)
    }

    /// Whether an optional part of honest play happens now, with this chance in percent. Never where a fault may be
    /// planted in the same coup, because the money of the fault must be computable.
    pub(crate) fn varies(&mut self, percent: u64) -> bool {
        let quiet = self.aim.is_none() && self.to_show.is_none() && self.planted_in_coup().is_none();
        self.varied && quiet && self.book.chemin.is_none() && self.dice.chance(percent)
    }

    /// Lets this many seconds pass.
    pub(crate) const fn wait(&mut self, seconds: i64) {
        self.now += seconds * 1_000_000;
    }

    /// Whether this fault is to be planted now, if this point of the play allows it.
    pub(crate) fn wants(&self, fault: Fault) -> bool {
        self.to_show.is_none()
            && self.aim.is_some_and(|target| {
                target.fault == fault && (self.shoe_number, self.coup) >= (target.shoe + 1, target.coup)
            })
    }

    /// Whether this fault is to be planted as the first or the second.
    fn is_asked(&self, fault: Fault) -> bool {
        self.second == Some(fault) || self.target.is_some_and(|target| target.fault == fault)
    }

    /// Whether the fault is to be planted in this shoe, before its first coup.
    fn wants_in_shoe(&self, fault: Fault) -> bool {
        self.aim.is_some_and(|target| target.fault == fault && self.shoe_number > target.shoe)
    }

    /// Whether this shoe is the one that was not burned.
    pub(crate) fn wants_missing_burn(&self) -> bool {
        self.wants_in_shoe(Fault::BurnMissing)
    }

    pub(crate) const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Notes money that the fault planted next, or last in this coup, moves at a seat.
    pub(crate) fn moves(&mut self, seat: u8, units: i64) {
        *self.money.entry(seat).or_default() += units;
    }

    /// Assigns the money noted since to the last planted fault that fits.
    pub(crate) fn note_money(&mut self, fits: impl Fn(Fault) -> bool) {
        let money = std::mem::take(&mut self.money);
        if let Some(planted) = self.planted.iter_mut().rev().find(|planted| fits(planted.fault)) {
            planted.money = by_seat(money);
        }
    }

    /// The fault shows at this event first.
    pub(crate) fn plant(&mut self, fault: Fault, sequence: u64, coup: Option<u32>) {
        self.to_show = None;
        let (table, shoe) = (self.table.clone(), self.shoe_name.clone());
        let (violated_coups, violated_shoes) = fault.violates(coup.is_some(), shoe.is_some());
        let money = by_seat(std::mem::take(&mut self.money));
        self.planted.push(Planted {
            money,
            violated_coups,
            violated_shoes,
            ..Planted::new(fault, table, shoe, coup, sequence)
        });
        let (shoe, coup) = (self.shoe_number.saturating_sub(1), self.coup);
        self.aim = self.second.take().map(|fault| Target { fault, shoe, coup });
    }

    /// Records an event a moment later; returns its sequence.
    pub(crate) fn record(&mut self, body: Body) -> u64 {
        let pause = 300_000 + self.dice.below(3_000_000);
        self.now += i64::try_from(pause).unwrap_or_default();
        self.sequence += 1;
        let back = self.wants(Fault::TimeBackwards) && self.coup > 0;
        let shown = if back { self.now - 60_000_000 } else { self.now };
        self.push_line(shown, body.clone());
        if back {
            self.plant(Fault::TimeBackwards, self.sequence, None);
        }
        if self.wants(Fault::SequenceConflict) && self.coup > 0 {
            self.push_line(self.now + 1, body);
            self.plant(Fault::SequenceConflict, self.sequence, None);
        }
        self.sequence
    }

    #[allow(clippy::expect_used, reason = "play ends centuries before the calendar does")]
    fn push_line(&mut self, micros: i64, event: Body) {
        let occurred_at = OccurredAt::new(micros, 60).expect("a time in range");
        self.out.push(Line { table: self.table.clone(), sequence: self.sequence, occurred_at, event });
    }

    /// An event happens and is not recorded: its number is missing.
    pub(crate) const fn lose(&mut self) {
        self.sequence += 1;
    }

    #[allow(clippy::expect_used, reason = "a rulebook that was loaded is within the bounds of an event")]
    pub(crate) fn open(&mut self, guests_at_least: u64) {
        let rulebook =
            RulebookDocument::from_canonical(&self.book.canonical_json()).expect("a loaded rulebook fits");
        let (limits, seats) = (self.limits.clone(), self.seats.clone());
        self.record(Body::TableOpened(Box::new(TableOpened {
            rulebook,
            limits,
            currency: name("EUR"),
            minor_digits: 2,
            seats,
        })));
        for _ in 0..guests_at_least + self.dice.below(3) {
            self.sit_down();
        }
        self.stage = Stage::Load;
    }

    /// Somebody takes a free seat; gives its number.
    pub(crate) fn sit_down(&mut self) -> Option<u8> {
        let free: Vec<u8> =
            self.seats.iter().copied().filter(|seat| !self.players.contains_key(seat)).collect();
        let seat = *self.dice.pick(&free)?;
        self.player_number += 1;
        let player = name(&format!("player-{}", self.player_number));
        self.players.insert(seat, player.clone());
        self.record(Body::SeatTaken(Seat { seat, player: Some(player) }));
        Some(seat)
    }

    /// Somebody leaves; gives the event's sequence.
    pub(crate) fn stand_up(&mut self, seat: u8) -> u64 {
        let Some(player) = self.players.remove(&seat) else { return self.sequence };
        self.record(Body::SeatLeft(Seat { seat, player: Some(player) }))
    }

    pub(crate) fn close(&mut self) {
        let shown = self.to_show;
        let sequence = self.record(Body::TableClosed(TableClosed {}));
        if let Some(fault) = shown {
            self.plant(fault, sequence, None);
        }
        self.stage = Stage::Closed;
    }

    /// What comes next; `None` while there are events that were not taken yet, and at the end.
    pub(crate) fn next_stage(&self) -> Option<Stage> {
        let next = match self.stage {
            Stage::Load if self.shoe_number >= self.shoes => Stage::Close,
            Stage::Coup if self.shoe_is_over() => Stage::EndShoe,
            Stage::Open | Stage::Load | Stage::Coup | Stage::EndShoe | Stage::Close | Stage::Closed => {
                self.stage
            }
        };
        (self.out.is_empty() && next != Stage::Closed).then_some(next)
    }

    /// The events since they were last taken.
    pub(crate) fn take_lines(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.out)
    }

    /// Names of all kinds of bet offered.
    pub(crate) fn kinds(&self) -> Vec<BetKind> {
        self.book.bets.keys().cloned().collect()
    }
}

/// Sums by seat, those that are nothing left out.
fn by_seat(money: BTreeMap<u8, i64>) -> Vec<(u8, i64)> {
    money.into_iter().filter(|(_, units)| *units != 0).collect()
}
