//! The draws of a coup over all readings of its first cards: a third card excludes the readings in which it was
//! not due.
//!
//! A third card depends on the totals of both hands' first two cards and on punto's third card: at most
//! 10 x 10 x 10 deals. Each is a [`Deal`] of representative cards, so the ordinary rules decide it. Banca's third
//! card decides no draw and is added at the end.

use baccarat::{Card, Deal, Draw, Expect, Face, Rank, Rulebook, Side};

use super::Worlds;
use super::cells::Cells;
use super::pool::Pool;
use super::two_cards::{numbers, third_points, total_of, two_cards};
use crate::Code;
use crate::verdict::Reason;

/// The deals left; one, without allocation, where every card that decides was read.
#[derive(Debug, Clone)]
enum Left {
    One(Deal),
    Many(Vec<Deal>),
}

/// What is wrong with a card that was due in none of the readings left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Punto had to draw in every world, and the card went to banca.
    pub(crate) punto_stood: bool,
    /// It was due in none.
    pub(crate) surplus: Option<Code>,
}

/// What is wrong with a coup that ended here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Last {
    pub(crate) punto_stood: bool,
    pub(crate) banca_stood: bool,
}

/// Two hands of two or three cards, in all readings that make a difference to the draws.
#[derive(Debug, Clone)]
pub(crate) struct Deals {
    left: Left,
    pool: Pool,
    /// The hands as they lie.
    lying: Deal,
    /// Whether the draws hold in some of the readings only.
    narrowed: bool,
}

impl Deals {
    /// Every reading of the hands as they lie, each of at least two cards.
    pub(crate) fn of(lying: &Deal, pool: Pool) -> Self {
        let left =
            if decides_alone(lying) { Left::One(lying.clone()) } else { Left::Many(all(lying, &pool)) };
        Self { left, pool, lying: lying.clone(), narrowed: false }
    }

    pub(crate) fn left(&self) -> &[Deal] {
        match &self.left {
            Left::One(deal) => std::slice::from_ref(deal),
            Left::Many(deals) => deals,
        }
    }

    /// Keeps the deals that fit. If none fits, the set stays as it is and the result is `false`.
    pub(crate) fn keep(&mut self, fits: impl Fn(&Deal) -> bool) -> bool {
        let fitting = self.left().iter().filter(|deal| fits(deal)).count();
        if fitting > 0
            && let Left::Many(deals) = &mut self.left
        {
            self.narrowed |= fitting < deals.len();
            deals.retain(fits);
        }
        fitting > 0
    }

    /// A third card goes to a hand: the readings in which it was not due fall. One card is wrong in one way:
    /// where punto had to draw first nothing else is said of banca's.
    pub(crate) fn take(&mut self, side: Side, face: Face, rules: &Rulebook) -> Taken {
        let before = self.clone_where_many();
        let mut taken = Taken::default();
        if side == Side::Banca {
            taken.punto_stood = self.end_punto(rules);
        }
        if !taken.punto_stood && !self.keep(|deal| is_due(deal, side, rules)) {
            taken.surplus = Some(self.surplus(side));
            self.restore(before);
        }
        self.give(side, face);
        taken
    }

    /// The coup ended: the readings in which a card was due fall.
    pub(crate) fn finish(&mut self, rules: &Rulebook) -> Last {
        let punto_stood = self.end_punto(rules);
        let banca_stood = !self.keep(|deal| deal.expect(rules) != Expect::Card(Side::Banca));
        Last { punto_stood, banca_stood }
    }

    /// Punto's turn is over; whether it had to draw in every reading. Then it stood, and banca plays
    /// by the cards as they lie.
    fn end_punto(&mut self, rules: &Rulebook) -> bool {
        let stood = !self.keep(|deal| deal.expect(rules) != Expect::Card(Side::Punto));
        if stood {
            self.each(Deal::stand_punto);
        }
        stood
    }

    fn each(&mut self, change: impl Fn(&mut Deal)) {
        match &mut self.left {
            Left::One(deal) => change(deal),
            Left::Many(deals) => deals.iter_mut().for_each(change),
        }
    }

    fn clone_where_many(&self) -> Option<(Vec<Deal>, bool)> {
        match &self.left {
            Left::One(_) => None,
            Left::Many(deals) => Some((deals.clone(), self.narrowed)),
        }
    }

    /// The card was due in no reading: the set before it goes on.
    fn restore(&mut self, before: Option<(Vec<Deal>, bool)>) {
        if let Some((deals, narrowed)) = before {
            (self.left, self.narrowed) = (Left::Many(deals), narrowed);
        }
    }

    /// What a card to `side` is called that was due in no reading: a natural is named only where
    /// nothing else is possible.
    fn surplus(&self, side: Side) -> Code {
        if self.left().iter().all(is_natural) {
            Code::NaturalDrawn
        } else if self.lying.faces(side).len() >= 3 {
            Code::ExtraCard
        } else {
            match side {
                Side::Punto => Code::PuntoDrew,
                Side::Banca => Code::BancaDrew,
            }
        }
    }

    /// Gives a third card in every reading; of punto's an unread one has as many as it has points.
    fn give(&mut self, side: Side, face: Face) {
        if !self.lying.give(side, face) {
            return;
        }
        let splits = side == Side::Punto && face.card().is_none();
        if !splits {
            return self.each(|deal| {
                deal.give(side, face);
            });
        }
        let points = third_points(face, &self.pool);
        let mut deals = Vec::new();
        for deal in self.left() {
            for points in numbers(points) {
                let mut deal = deal.clone();
                deal.give(side, card_worth(points));
                deals.push(deal);
            }
        }
        self.left = Left::Many(deals);
    }

    /// What the coup may have come to.
    pub(crate) fn worlds(&self) -> Worlds {
        if let Some(worlds) = self.lying.coup().as_ref().and_then(Worlds::of_coup) {
            return worlds;
        }
        let mut cells = Cells::of(&self.lying, &self.pool);
        self.left().iter().for_each(|deal| cells.add(deal));
        Worlds::many(cells.outcomes(), self.reason(), self.narrowed)
    }

    /// What was not read: cards, or suits alone.
    pub(crate) fn reason(&self) -> Reason {
        let unseen = |side| self.lying.faces(side).contains(&Face::Unseen);
        if Side::ALL.into_iter().any(unseen) { Reason::CardUnread } else { Reason::SuitUnread }
    }
}

fn is_due(deal: &Deal, side: Side, rules: &Rulebook) -> bool {
    match deal.expect(rules) {
        Expect::Card(due) => due == side,
        Expect::Unknown => true,
        Expect::Finished => side == Side::Punto && is_owed_punto(deal, rules),
    }
}

/// Whether punto gets the card that it had to draw before banca did. That banca drew first is already reported.
fn is_owed_punto(deal: &Deal, rules: &Rulebook) -> bool {
    let [punto, banca] = Side::ALL.map(|side| deal.faces(side).len());
    let asks = rules.tableau.punto(total_of(deal, Side::Punto)) != Draw::Stands;
    (punto, banca) == (2, 3) && asks && !is_natural(deal)
}

/// Whether every card that decides a draw was read.
fn decides_alone(lying: &Deal) -> bool {
    let read = |face: &Face| face.card().is_some();
    lying.faces(Side::Punto).iter().all(read) && lying.faces(Side::Banca).iter().take(2).all(read)
}

/// All readings of two hands.
fn all(lying: &Deal, pool: &Pool) -> Vec<Deal> {
    let [puntos, bancas] = Side::ALL.map(|side| two_cards(lying, side, pool).totals());
    let mut deals = Vec::new();
    for punto in numbers(puntos) {
        for banca in numbers(bancas) {
            let mut deal = Deal::default();
            for (side, total) in [(Side::Punto, punto), (Side::Banca, banca)] {
                deal.give(side, card_worth(0));
                deal.give(side, card_worth(total));
            }
            with_thirds(&deal, lying, pool, &mut deals);
        }
    }
    deals
}

/// A hand may have three cards before the other has two.
fn with_thirds(deal: &Deal, lying: &Deal, pool: &Pool, deals: &mut Vec<Deal>) {
    let mut deal = deal.clone();
    if let [_, _, third] = lying.faces(Side::Banca) {
        deal.give(Side::Banca, *third);
    }
    match lying.faces(Side::Punto) {
        [_, _, third] => deals.extend(numbers(third_points(*third, pool)).map(|points| {
            let mut deal = deal.clone();
            deal.give(Side::Punto, card_worth(points));
            deal
        })),
        _ => deals.push(deal),
    }
}

/// A card that represents all cards of the same points.
fn card_worth(points: u8) -> Face {
    let rank = Rank::from_number(points).unwrap_or(Rank::Ten);
    Face::Seen(Card { rank, suit: None })
}

fn is_natural(deal: &Deal) -> bool {
    Side::ALL.into_iter().any(|side| total_of(deal, side).get() >= 8)
}
