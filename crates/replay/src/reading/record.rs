//! What was played, as plain data. No type here has money of its own or a finding, and none has a method that decides.

use baccarat::Face;
use events::{
    AbonoPlaced, BancoCalled, BankSettled, BetPlaced, BetWithdrawn, BetsClosed, Body, BurnCards, CoupSettled,
    CutCardDrawn, Destination, DrawDecided, GarajeSet, PuntoHolder, ShoeEnded, ShoeLoaded,
};

use super::range::{Hole, TableFacts};
use super::remark::{Consequence, Remark};

/// An event as it counts.
#[derive(Debug, PartialEq, Eq)]
pub struct Told<'a, T> {
    /// Its sequence.
    pub sequence: u64,
    /// What it says, as corrected if it was.
    pub value: &'a T,
    /// Sequence of the correction that counts.
    pub corrected_by: Option<u64>,
}

impl<T> Clone for Told<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Told<'_, T> {}

/// A bet of a coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BetRecord<'a> {
    /// Its placing.
    pub placed: Told<'a, BetPlaced>,
    /// Sequence of the event that took it back.
    pub withdrawn: Option<u64>,
}

/// An abono of a coup: a stake on the bank's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbonoRecord<'a> {
    /// Its placing.
    pub placed: Told<'a, AbonoPlaced>,
    /// Sequence of the event that took it back.
    pub withdrawn: Option<u64>,
}

/// What only a coup of chemin de fer has. (Abonos are kept in any game: a settlement has lines for them.)
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheminRecord<'a> {
    /// Who played for the bank.
    pub calls: Vec<Told<'a, BancoCalled>>,
    /// Its abonos, in the order in which they were placed.
    pub abonos: Vec<AbonoRecord<'a>>,
    /// What was set aside while it was in play.
    pub garajes: Vec<Told<'a, GarajeSet>>,
    /// What the hands announced.
    pub decisions: Vec<Told<'a, DrawDecided>>,
    /// Its account, and any further ones; also if it was recorded after the settlement.
    pub accounts: Vec<Told<'a, BankSettled>>,
}

/// A card of a coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardRecord {
    /// Sequence of its event; `None`: the event was lost.
    pub sequence: Option<u64>,
    /// Its position in the shoe, as it is understood.
    pub position: u16,
    /// The card, as corrected.
    pub face: Face,
    /// Where it went, as it is understood.
    pub to: Destination,
    /// Sequence of the correction that counts.
    pub corrected_by: Option<u64>,
}

/// One coup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoupRecord<'a> {
    /// Its number, as it is understood.
    pub number: u32,
    /// Sequence of its first event.
    pub began: u64,
    /// Its bets, in the order in which they were placed.
    pub bets: Vec<BetRecord<'a>>,
    /// Withdrawals of bets that are none of its bets.
    pub withdrawals: Vec<Told<'a, BetWithdrawn>>,
    /// "No va más". More than one if it was said again.
    pub closes: Vec<Told<'a, BetsClosed>>,
    /// Its cards, in the order in which they were dealt.
    pub cards: Vec<CardRecord>,
    /// Who holds punto's cards.
    pub holders: Vec<Told<'a, PuntoHolder>>,
    /// What only chemin de fer has.
    pub chemin: CheminRecord<'a>,
    /// Its settlement, and any further ones.
    pub settlements: Vec<Told<'a, CoupSettled>>,
    /// Voids, rulings, replaced cards and corrections that name it or were made in it.
    pub rulings: Vec<Told<'a, Body>>,
    /// Events of which nothing is known, and which may be of this coup.
    pub missing: Vec<Hole>,
    /// What is wrong with the recording of it.
    pub follows: Vec<Consequence>,
    /// Whether what is wrong with its recording could not be explained.
    pub unexplained: bool,
}

impl CoupRecord<'_> {
    pub(super) fn new(number: u32, began: u64) -> Self {
        Self {
            number,
            began,
            bets: Vec::with_capacity(8),
            withdrawals: Vec::new(),
            closes: Vec::new(),
            cards: Vec::with_capacity(6),
            holders: Vec::new(),
            chemin: CheminRecord::default(),
            settlements: Vec::new(),
            rulings: Vec::new(),
            missing: Vec::new(),
            follows: Vec::new(),
            unexplained: false,
        }
    }
}

/// One shoe, or what was played without one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShoeRecord<'a> {
    /// Sequence of its first event in the range.
    pub began: u64,
    /// Its loading; `None`: before the range, or not recorded.
    pub loading: Option<Told<'a, ShoeLoaded>>,
    /// Whether its loading was lost, so that it begins with another event.
    pub is_loading_lost: bool,
    /// Its burn, and any further ones.
    pub burns: Vec<Told<'a, BurnCards>>,
    /// Its coups, in the order in which they began.
    pub coups: Vec<CoupRecord<'a>>,
    /// Where the cut card came out.
    pub cuts: Vec<Told<'a, CutCardDrawn>>,
    /// Its end, and any further ones.
    pub ends: Vec<Told<'a, ShoeEnded>>,
    /// Rulings and corrections in it that are of no coup.
    pub rulings: Vec<Told<'a, Body>>,
    /// What was recorded again, and counts for nothing.
    pub again: Vec<Told<'a, Body>>,
    /// Events of which nothing is known.
    pub missing: Vec<Hole>,
    /// What is wrong with the recording.
    pub remarks: Vec<Remark>,
}

impl ShoeRecord<'_> {
    pub(super) const fn new(began: u64) -> Self {
        Self {
            began,
            loading: None,
            is_loading_lost: false,
            burns: Vec::new(),
            coups: Vec::new(),
            cuts: Vec::new(),
            ends: Vec::new(),
            rulings: Vec::new(),
            again: Vec::new(),
            missing: Vec::new(),
            remarks: Vec::new(),
        }
    }
}

/// What became of a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It counts: the event is read as it says.
    Counts,
    /// A later correction of the same event counts.
    Superseded,
    /// It came after the moment of the decision that it would change.
    Late,
    /// It names no event that it can be about: the event comes after it, is of another kind, or cannot be corrected.
    NoTarget,
    /// The event that it names is missing.
    Missing,
    /// The event that it names belongs to an earlier shoe, or came before the range.
    OutOfReach,
}

/// A correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorrectionRecord<'a> {
    /// Its sequence.
    pub sequence: u64,
    /// Sequence of the event that it is about in the end.
    pub corrects: u64,
    /// That event, as it was first recorded, if it is recorded before the correction.
    pub said: Option<&'a Body>,
    /// What it should have said.
    pub says: &'a Body,
    /// What became of it.
    pub standing: Standing,
}

/// What was played in a range.
#[derive(Debug, Clone, Default)]
pub struct Reading<'a> {
    /// The shoes, in their order. What was recorded before the first is a shoe without loading.
    pub shoes: Vec<ShoeRecord<'a>>,
    /// Events of the table that belong to no shoe and no coup: seats, the deal, the bank, limits, openings, commission.
    pub around: Vec<Told<'a, Body>>,
    /// Every correction, in the order of the record.
    pub corrections: Vec<CorrectionRecord<'a>>,
    /// The same range with the corrections of decisions that came too late; `None` if there are none.
    pub as_corrected: Option<Box<Reading<'a>>>,
    /// Sequence of the last event, or hole, that does not fit what came before it; `None`: nothing is missing, and nothing had
    /// to be explained.
    pub misfit: Option<u64>,
    /// How much work explanations were: about as many events could have been read instead.
    pub work: u64,
    /// What is true after the range; `None` if it ends within a coup, or if what follows depends on more.
    pub after: Option<TableFacts<'a>>,
}
