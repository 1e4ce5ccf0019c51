//! One table from its opening to its closing.

use std::collections::BTreeMap;
use std::sync::Arc;

use baccarat::{BetKind, BurnMethod, Charge, Face, Game, Money, Rulebook};
use events::{
    Body, BurnCards, CommissionCollected, CommissionReason, Hex32, Limits, Line, Name, OccurredAt,
    OrderReveal, RulebookDocument, Seat, ShoeEnded, ShoeLoaded, TableClosed, TableId, TableOpened,
};

use crate::Fault;
use crate::chemin::Chemin;
use crate::dice::Dice;
use crate::shoe::Shoe;
use crate::stream::{Plan, Planted, Target};

/// 2026-03-01T20:00:00+01:00 in microseconds since 1970 UTC.
const OPENING: i64 = 1_772_391_600_000_000;

/// What the table does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Open,
    Load,
    Coup,
    Closed,
}

/// A table at play.
pub(crate) struct Session {
    pub(crate) book: Arc<Rulebook>,
    pub(crate) table: TableId,
    pub(crate) dice: Dice,
    target: Option<Target>,
    planted: Option<Planted>,
    /// A fault already committed that shows only at a later event.
    pub(crate) to_show: Option<Fault>,
    stage: Stage,
    shoes: u32,
    cards_in_front: Option<u16>,
    shoe_number: u32,
    pub(crate) shoe: Shoe,
    shoe_name: Option<Name>,
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
    pub(crate) boxes: BTreeMap<u8, Money>,
    /// The seat whose box is not collected.
    unpaid: Option<u8>,
    pub(crate) dealer: Option<u8>,
    /// The seat that lost the deal with the last coup.
    pub(crate) lost_by: Option<u8>,
    pub(crate) last_dealer: u8,
    pub(crate) next_bet: u64,
    /// The bank, at a table of chemin de fer.
    pub(crate) chemin: Chemin,
}

pub(crate) fn money(minor_units: u64) -> Money {
    Money::new(minor_units).unwrap_or(Money::MAX_RECORDED)
}

#[allow(clippy::expect_used, reason = "the names made here are short and plain")]
pub(crate) fn name(text: &str) -> Name {
    text.parse().expect("a short plain name")
}

impl Session {
    #[allow(clippy::expect_used, reason = "the id made here is short and plain")]
    pub(crate) fn new(plan: &Plan, number: u32, target: Option<Target>) -> Self {
        let mut dice = Dice::new(plan.seed, u64::from(number));
        let book = Arc::clone(&plan.rulebook);
        let mut seats: Vec<u8> = book.seats.numbers.iter().copied().collect();
        let without: std::collections::BTreeSet<u8> =
            seats.iter().copied().filter(|seat| *seat != 13).collect();
        if dice.chance(50) && book.seats.wrongly_left_out(&without).is_empty() {
            seats.retain(|seat| *seat != 13);
        }
        let limits = limits(&book, &mut dice, target.map(|target| target.fault));
        Self {
            table: format!("PB-{:02}", number + 1).parse().expect("a table id"),
            shoe: Shoe::shuffled(1, 1, 7, &mut dice),
            book,
            dice,
            target,
            planted: None,
            to_show: None,
            stage: Stage::Open,
            shoes: plan.shoes,
            cards_in_front: plan.cards_in_front,
            shoe_number: 0,
            shoe_name: None,
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
            boxes: BTreeMap::new(),
            unpaid: None,
            dealer: None,
            lost_by: None,
            last_dealer: 0,
            next_bet: 1,
            chemin: Chemin::default(),
        }
    }

    pub(crate) const fn planted(&self) -> Option<&Planted> {
        self.planted.as_ref()
    }

    /// Plays the next stretch: the opening, the loading of a shoe, a coup, or the closing. Empty
    /// once the table is closed.
    pub(crate) fn play_on(&mut self) -> Vec<Line> {
        while self.out.is_empty() && self.stage != Stage::Closed {
            match self.stage {
                Stage::Open => self.open(),
                Stage::Load if self.shoe_number < self.shoes => self.load(),
                Stage::Load => self.close(),
                Stage::Coup if self.shoe_is_over() => self.end_shoe(),
                Stage::Coup if self.is_chemin() => {
                    self.between_coups_at_bank();
                    self.play_coup_at_bank();
                }
                Stage::Coup => {
                    self.between_coups();
                    self.play_coup();
                }
                Stage::Closed => {}
            }
        }
        std::mem::take(&mut self.out)
    }

    fn is_chemin(&self) -> bool {
        self.book.game() == Game::CheminDeFer
    }

    /// Whether this table is the one at which this fault is to be planted, sooner or later.
    pub(crate) fn aims_at(&self, fault: Fault) -> bool {
        self.planted.is_none() && self.target.is_some_and(|target| target.fault == fault)
    }

    /// So many seconds pass.
    pub(crate) const fn wait(&mut self, seconds: i64) {
        self.now += seconds * 1_000_000;
    }

    /// Whether this fault is to be planted now, if this place is fit for it.
    pub(crate) fn wants(&self, fault: Fault) -> bool {
        self.planted.is_none()
            && self.to_show.is_none()
            && self.target.is_some_and(|target| {
                target.fault == fault && (self.shoe_number, self.coup) >= (target.shoe + 1, target.coup)
            })
    }

    /// Whether the fault is to be planted in this shoe, before its first coup.
    fn wants_in_shoe(&self, fault: Fault) -> bool {
        self.planted.is_none()
            && self.target.is_some_and(|target| target.fault == fault && self.shoe_number > target.shoe)
    }

    /// Whether this shoe is the one that was not burned.
    pub(crate) fn wants_missing_burn(&self) -> bool {
        self.wants_in_shoe(Fault::BurnMissing)
    }

    pub(crate) const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The fault shows at this event first.
    pub(crate) fn plant(&mut self, fault: Fault, sequence: u64, coup: Option<u32>) {
        self.to_show = None;
        let (table, shoe) = (self.table.clone(), self.shoe_name.clone());
        self.planted = Some(Planted { fault, table, shoe, coup, sequence, finding: fault.finding() });
    }

    /// Records an event a moment later; gives its sequence.
    pub(crate) fn tell(&mut self, body: Body) -> u64 {
        let pause = 300_000 + self.dice.below(3_000_000);
        self.now += i64::try_from(pause).unwrap_or_default();
        self.sequence += 1;
        let back = self.wants(Fault::TimeBackwards) && self.coup > 0;
        let shown = if back { self.now - 60_000_000 } else { self.now };
        self.record(shown, body.clone());
        if back {
            self.plant(Fault::TimeBackwards, self.sequence, None);
        }
        if self.wants(Fault::SequenceConflict) && self.coup > 0 {
            self.record(self.now + 1, body);
            self.plant(Fault::SequenceConflict, self.sequence, None);
        }
        self.sequence
    }

    #[allow(clippy::expect_used, reason = "play ends centuries before the calendar does")]
    fn record(&mut self, micros: i64, event: Body) {
        let occurred_at = OccurredAt::new(micros, 60).expect("a time in range");
        self.out.push(Line { table: self.table.clone(), sequence: self.sequence, occurred_at, event });
    }

    /// An event happens and is not recorded: its number is missing.
    pub(crate) const fn lose(&mut self) {
        self.sequence += 1;
    }

    #[allow(clippy::expect_used, reason = "a rulebook that was loaded is within the bounds of an event")]
    fn open(&mut self) {
        let rulebook =
            RulebookDocument::from_canonical(&self.book.canonical_json()).expect("a loaded rulebook fits");
        let (limits, seats) = (self.limits.clone(), self.seats.clone());
        self.tell(Body::TableOpened(TableOpened {
            rulebook,
            limits,
            currency: name("EUR"),
            minor_digits: 2,
            seats,
        }));
        let guests = 3 + self.dice.below(3) + if self.is_chemin() { 3 } else { 0 };
        for _ in 0..guests {
            self.sit_down();
        }
        if self.is_chemin() {
            self.open_bank();
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
        self.tell(Body::SeatTaken(Seat { seat, player: Some(player) }));
        Some(seat)
    }

    pub(crate) fn get_up(&mut self, seat: u8) {
        let Some(player) = self.players.remove(&seat) else { return };
        let pays = !(self.wants(Fault::LeftWithoutPaying) && self.owes(seat));
        if pays && self.unpaid != Some(seat) {
            self.collect(seat, CommissionReason::Leaving);
        }
        if self.dealer == Some(seat) {
            self.dealer = None;
        }
        let owed = self.owes(seat);
        let sequence = self.tell(Body::SeatLeft(Seat { seat, player: Some(player) }));
        if !pays {
            self.plant(Fault::LeftWithoutPaying, sequence, None);
        } else if owed && self.to_show == Some(Fault::BoxNotCollected) {
            self.plant(Fault::BoxNotCollected, sequence, None);
        }
        self.boxes.remove(&seat);
    }

    pub(crate) fn owes(&self, seat: u8) -> bool {
        self.boxes.get(&seat).is_some_and(|owed| *owed > Money::ZERO)
    }

    fn collect(&mut self, seat: u8, why: CommissionReason) {
        if self.owes(seat)
            && let Some(amount) = self.boxes.remove(&seat)
        {
            self.tell(Body::CommissionCollected(CommissionCollected { seat, amount, why }));
        }
    }

    fn decks(&mut self) -> (u8, u8) {
        let allowed: Vec<u8> = self.book.shoe.decks.iter().copied().collect();
        let decks = self.dice.pick(&allowed).copied().unwrap_or(8);
        let other = (4..=12).find(|other| !allowed.contains(other) && *other != decks);
        match other {
            Some(other) if self.wants_in_shoe(Fault::WrongDecks) => (other, other),
            _ if self.wants_in_shoe(Fault::ShoeShort) && decks > 1 => (decks - 1, decks),
            _ => (decks, decks),
        }
    }

    fn load(&mut self) {
        self.shoe_number += 1;
        (self.coup, self.coups_left) = (0, None);
        let (decks, recorded) = self.decks();
        let least = self.book.cut_card.cards_behind;
        let mut behind = least + u16::try_from(self.dice.below(20)).unwrap_or_default();
        if self.target.is_some_and(|target| target.fault == Fault::CoupAfterLast) {
            behind = least + 20;
        } else if self.wants_in_shoe(Fault::CutTooDeep) {
            behind = least - 1;
        } else if let Some(front) = self.cards_in_front {
            behind = (u16::from(decks) * 52).saturating_sub(front).max(least);
        }
        self.shoe = Shoe::shuffled(decks, recorded, behind, &mut self.dice);
        self.shoe_name = Some(name(&format!("S-{}-{}", self.table, self.shoe_number)));
        let fault = self.target.map(|target| target.fault);
        let counted = matches!(fault, Some(Fault::CutMissing | Fault::CutMoved | Fault::CutTooDeep))
            || self.dice.chance(60);
        let commits = fault == Some(Fault::OrderBroken) || (fault.is_none() && self.dice.chance(30));
        self.nonce = commits.then(|| self.dice.bytes());
        let sequence = self.tell_loaded(counted.then_some(behind));
        for (fault, differs) in [
            (Fault::WrongDecks, !self.book.shoe.decks.contains(&decks)),
            (Fault::ShoeShort, decks != recorded),
            (Fault::CutTooDeep, behind < least),
        ] {
            if differs && self.wants_in_shoe(fault) {
                self.plant(fault, sequence, None);
            }
        }
        self.burn();
        self.stage = Stage::Coup;
    }

    fn tell_loaded(&mut self, cards_behind_cut: Option<u16>) -> u64 {
        let shown =
            self.to_show.filter(|fault| matches!(fault, Fault::BoxNotCollected | Fault::ShoeNotEnded));
        let serial = |number| name(&format!("D{:04}", 17 * u64::from(self.shoe_number) + number));
        let loaded = ShoeLoaded {
            shoe: self.shoe_name.clone().unwrap_or_else(|| name("S")),
            decks: self.shoe.decks,
            cards: self.shoe.count(),
            cards_behind_cut,
            deck_serials: (0..u64::from(self.shoe.decks)).map(serial).collect(),
            back_colours: vec![name("red"), name("blue")],
            order_commitment: self.nonce.map(|nonce| self.commitment(&nonce)),
        };
        let sequence = self.tell(Body::ShoeLoaded(loaded));
        if let Some(fault) = shown {
            self.plant(fault, sequence, None);
        }
        (self.unpaid, self.boxes) = (None, BTreeMap::new());
        sequence
    }

    fn commitment(&self, nonce: &[u8; 32]) -> Hex32 {
        let mut bytes = nonce.to_vec();
        bytes.extend(
            self.shoe
                .cards
                .iter()
                .map(|card| card.suit.map_or(52, |suit| suit as u8 * 13) + card.rank.number()),
        );
        Hex32(*blake3::hash(&bytes).as_bytes())
    }

    fn burn(&mut self) {
        if self.book.burn.method == BurnMethod::None || self.wants_in_shoe(Fault::BurnMissing) {
            return;
        }
        let (_, indicator) = self.shoe.draw();
        let due = match self.book.burn.method {
            BurnMethod::Indicator { values } => values[usize::from(indicator.rank.number()) - 1],
            BurnMethod::Decks => self.shoe.decks,
            BurnMethod::Fixed { count } => count,
            BurnMethod::None => 0,
        };
        let fault = [Fault::BurnShort, Fault::BurnOver].into_iter().find(|fault| self.wants_in_shoe(*fault));
        let burned = match fault {
            Some(Fault::BurnShort) => due - 1,
            Some(_) => due + 1,
            None => due,
        };
        let read = self.dice.chance(20);
        let faces: Vec<Face> = (0..burned)
            .map(|_| if read { Face::Seen(self.shoe.draw().1) } else { Face::Seen(self.shoe.take().1) })
            .collect();
        let faces = if read { faces } else { Vec::new() };
        let sequence = self.tell(Body::BurnCards(BurnCards { indicator: indicator.into(), burned, faces }));
        if let Some(fault) = fault {
            self.plant(fault, sequence, None);
        }
    }

    /// Whether the last coup was played.
    fn shoe_is_over(&self) -> bool {
        if self.coups_left != Some(0) {
            return false;
        }
        !(self.wants(Fault::CoupAfterLast) && self.shoe.left() > 6)
    }

    fn end_shoe(&mut self) {
        if self.is_chemin() {
            self.end_shoe_at_bank();
        }
        if self.wants(Fault::ShoeNotEnded) {
            self.to_show = Some(Fault::ShoeNotEnded);
        } else {
            self.tell_ended();
        }
        let owing: Vec<u8> = self.boxes.keys().copied().filter(|seat| self.owes(*seat)).collect();
        for seat in owing {
            if self.wants(Fault::BoxNotCollected) {
                self.to_show = Some(Fault::BoxNotCollected);
                self.unpaid = Some(seat);
            } else {
                self.collect(seat, CommissionReason::ShoeEnd);
            }
        }
        (self.dealer, self.lost_by) = (None, None);
        self.stage = Stage::Load;
    }

    fn tell_ended(&mut self) {
        let left = self.shoe.left();
        let wrong = self.wants(Fault::CardsLeftWrong);
        let broken = self.wants(Fault::OrderBroken);
        let nonce = self.nonce.take();
        let mut order: Vec<Face> = self.shoe.cards.iter().map(|card| Face::Seen(*card)).collect();
        if broken && let Some(other) = (1..order.len()).find(|at| order[*at] != order[0]) {
            order.swap(0, other);
        }
        let reveal = nonce.map(|nonce| OrderReveal { nonce: Hex32(nonce), order });
        let cards_left = if wrong { left + 1 } else { left };
        let sequence = self.tell(Body::ShoeEnded(ShoeEnded { cards_left, reveal }));
        for (fault, planted) in [(Fault::CardsLeftWrong, wrong), (Fault::OrderBroken, broken)] {
            if planted {
                self.plant(fault, sequence, None);
            }
        }
    }

    fn close(&mut self) {
        let seated: Vec<u8> = self.players.keys().copied().collect();
        for seat in seated {
            self.get_up(seat);
        }
        let shown = self.to_show;
        let sequence = self.tell(Body::TableClosed(TableClosed {}));
        if let Some(fault) = shown {
            self.plant(fault, sequence, None);
        }
        self.stage = Stage::Closed;
    }

    /// Guests come and go, limits change, the deal is offered.
    fn between_coups(&mut self) {
        self.now += 15_000_000;
        let owing: Vec<u8> = self.players.keys().copied().filter(|seat| self.owes(*seat)).collect();
        if self.wants(Fault::LeftWithoutPaying)
            && self.players.len() > 1
            && let Some(&seat) = owing.first()
        {
            self.get_up(seat);
        }
        if self.dice.chance(5) && self.players.len() > 3 {
            let seated: Vec<u8> = self.players.keys().copied().collect();
            if let Some(&seat) = self.dice.pick(&seated) {
                self.get_up(seat);
            }
        }
        if self.players.len() < 3 || (self.dice.chance(5) && self.players.len() < 7) {
            self.sit_down();
        }
        self.change_limits();
        self.pass_the_deal();
    }

    fn change_limits(&mut self) {
        let wrong = self.wants(Fault::LimitsRatio);
        if !wrong && !self.dice.chance(2) {
            return;
        }
        let fault = self.target.map(|target| target.fault);
        self.limits = limits(&self.book, &mut self.dice, fault);
        if wrong {
            self.limits.maximum = self.limits.maximum.plus(self.limits.minimum);
        }
        let sequence = self.tell(Body::LimitsChanged(self.limits.clone()));
        if wrong {
            self.plant(Fault::LimitsRatio, sequence, None);
        }
    }

    pub(crate) fn boxed(&self) -> bool {
        self.book.commission.as_ref().is_some_and(|rules| rules.charge == Charge::Boxed)
    }

    /// Names of all kinds of bet offered.
    pub(crate) fn kinds(&self) -> Vec<BetKind> {
        self.book.bets.keys().cloned().collect()
    }
}

/// Limits a house would set under the rulebook.
fn limits(book: &Rulebook, dice: &mut Dice, fault: Option<Fault>) -> Limits {
    let minimum = [500, 1_000, 2_000, 2_500, 5_000][usize::try_from(dice.below(5)).unwrap_or_default()];
    let factors: Vec<u32> = book.limits.maximum_over_minimum.iter().copied().collect();
    let factor = dice.pick(&factors).copied().unwrap_or(100);
    let multiples = match fault {
        Some(Fault::NotAMultiple) => true,
        Some(Fault::BelowMinimum | Fault::OverCap) => false,
        // What a bank holds is seldom a multiple of anything.
        _ if book.game() == Game::CheminDeFer => false,
        _ => book.limits.multiples_allowed && dice.chance(50),
    };
    let unit = if book.limits.multiple_is_minimum { minimum } else { 500 };
    Limits {
        minimum: money(minimum),
        maximum: money(minimum * u64::from(factor)),
        multiple: multiples.then(|| money(unit)),
        bets: Vec::new(),
    }
}
