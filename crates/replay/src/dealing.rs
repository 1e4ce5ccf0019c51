//! Who deals: the deal is offered in turn, accepted or declined, and kept until punto wins.
//!
//! Sources: Orden of 9 October 1979, 07.IV; «Reglamento Baccarat o Punto y Banca», Reparto de
//! cartas. A dealer may give the deal up ("optativa"). Only one source says whether a new shoe begins the turn
//! anew or goes on with it, so either is legal where the rulebook does not say. The judge accuses nobody
//! where the record leaves the turn open.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::{Dealer, NewShoe};
use serde::{Deserialize, Serialize};

use crate::Code;
use crate::seldom::Seldom;
use crate::sink::{Accusation, Sink};
use crate::statement::{AnySeat, OfSeats};

/// Whether the dealer lost the deal with the coup settled last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
enum Lost {
    #[default]
    No,
    Yes,
    /// The coup was void or could not be derived.
    Perhaps,
}

/// The state of the deal at one table.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Dealing {
    /// Seats known to be taken (`true`) or free.
    seats: BTreeMap<u8, bool>,
    /// The seat that deals; `None`: the croupier, or nobody yet.
    dealer: Option<u8>,
    lost: Lost,
    /// The seat that has to answer an offer.
    offered: Option<u8>,
    /// The seat the deal was offered to last: the turn goes on from it.
    turn: u8,
    /// Seats that were asked since the deal had to be offered on.
    asked: Seldom<BTreeSet<u8>>,
    /// The deal has to be offered on before the next card.
    owed: bool,
    /// The dealer wrongly kept the deal, which is reported; it may still be offered on.
    #[serde(default)]
    kept: bool,
    /// No coup was dealt in this shoe yet: the turn may begin anew.
    fresh_shoe: bool,
    /// Whose turn it is in it.
    new_shoe: NewShoe,
    /// Whether the table records who deals at all.
    pub(crate) recorded: bool,
    /// Events are missing: nobody is accused until a deal is accepted again.
    uncertain: bool,
}

impl Dealing {
    /// A table opens: nobody sits, and the deal has to be offered.
    pub(crate) fn open() -> Self {
        Self { owed: true, fresh_shoe: true, ..Self::default() }
    }

    pub(crate) fn doubt(&mut self) {
        let recorded = self.recorded;
        *self = Self { uncertain: true, recorded, ..Self::default() };
    }

    pub(crate) fn new_shoe(&mut self, rule: NewShoe) {
        if rule == NewShoe::Anew && !self.fresh_shoe {
            self.begin_anew();
        }
        (self.fresh_shoe, self.new_shoe) = (true, rule);
    }

    /// The turn begins at the lowest seat; whoever deals there deals on.
    fn begin_anew(&mut self) {
        let lowest = self.seats.iter().find(|(_, taken)| **taken).map(|(seat, _)| *seat);
        self.dealer = self.dealer.filter(|dealer| Some(*dealer) == lowest);
        (self.turn, self.offered, self.lost) = (0, None, Lost::No);
        self.owed = self.dealer.is_none();
        self.asked.clear();
    }

    pub(crate) fn sit(&mut self, seat: u8) -> Option<Accusation> {
        let taken = self.seats.insert(seat, true) == Some(true);
        let recorded = OfSeats::TakenAgain { seat };
        taken.then(|| Accusation::new(Code::SeatWrong, OfSeats::FreeSeat, recorded))
    }

    pub(crate) fn leave(&mut self, seat: u8) -> Option<Accusation> {
        let free = self.seats.insert(seat, false) == Some(false);
        if self.dealer == Some(seat) {
            self.give_up();
        }
        if self.is_asked(seat) {
            self.offered = None;
        }
        let recorded = OfSeats::LeftAgain { seat };
        free.then(|| Accusation::new(Code::SeatWrong, OfSeats::TakenSeat, recorded))
    }

    /// Whether a seat is taken or free is not known.
    pub(crate) fn forget(&mut self, seat: u8) {
        self.seats.remove(&seat);
    }

    /// The dealer deals no more: the deal has to be offered on, to all but that seat.
    fn give_up(&mut self) {
        self.asked = self.dealer.take().into_iter().collect();
        (self.lost, self.owed, self.kept) = (Lost::No, true, false);
    }

    pub(crate) fn offer(&mut self, seat: u8, rule: Dealer, sink: &mut Sink) {
        self.recorded = true;
        if croupier_deals(rule, OfSeats::DealOfferedTo { seat }, sink) {
            return;
        }
        if !self.uncertain && rule == Dealer::Players {
            self.check_turn(seat, sink);
        }
        // Offered to whoever has it, it stays there.
        if self.dealer.is_some_and(|dealer| dealer != seat) {
            self.give_up();
        }
        self.asked.insert(seat);
        (self.offered, self.turn) = (Some(seat), seat);
    }

    /// Whether the deal was offered to a seat last.
    pub(crate) fn is_asked(&self, seat: u8) -> bool {
        self.offered == Some(seat)
    }

    fn check_turn(&mut self, seat: u8, sink: &mut Sink) {
        let may_pass = self.fresh_shoe || self.kept;
        if let (Some(dealer), Lost::No, false) = (self.dealer, self.lost, may_pass) {
            let recorded = OfSeats::OfferedTo { seat };
            let expected = OfSeats::DealUntilPunto { seat: dealer };
            sink.accuse(Accusation::new(Code::DealTakenAway, expected, recorded));
            return;
        }
        if self.dealer == Some(seat) && self.lost != Lost::Yes && self.new_shoe == NewShoe::GoesOn {
            return;
        }
        let due = self.passed_over(self.turn, seat);
        let anew = if self.fresh_shoe && self.new_shoe == NewShoe::Unstated {
            self.passed_over(0, seat)
        } else {
            due
        };
        if let (Some(due), Some(_)) = (due, anew) {
            let recorded = OfSeats::OfferedTo { seat };
            sink.accuse(Accusation::new(
                Code::DealOfferOrder,
                OfSeats::OfferedNext { seats: AnySeat(Box::from([due])) },
                recorded,
            ));
        } else if self.seats.get(&seat) == Some(&false) {
            let recorded = OfSeats::OfferedToFree { seat };
            sink.accuse(Accusation::new(Code::DealOfferOrder, OfSeats::OfferedToPlayer, recorded));
        }
    }

    /// The first seat known to be taken that an offer passes over on its way from one seat to
    /// another, upwards and round the table.
    fn passed_over(&self, from: u8, to: u8) -> Option<u8> {
        let taken = |range: (std::ops::Bound<u8>, std::ops::Bound<u8>)| {
            self.seats.range(range).find(|(_, taken)| **taken).map(|(seat, _)| *seat)
        };
        use std::ops::Bound::{Excluded, Unbounded};
        if from < to {
            return taken((Excluded(from), Excluded(to)));
        }
        let above = taken((Excluded(from), Unbounded));
        above.or_else(|| if to == 0 { None } else { taken((Unbounded, Excluded(to))) })
    }

    pub(crate) fn accept(&mut self, seat: u8, rule: Dealer, sink: &mut Sink) {
        self.recorded = true;
        if croupier_deals(rule, OfSeats::DealAcceptedBy { seat }, sink) {
            return;
        }
        if !self.is_asked(seat) && !self.uncertain {
            sink.accuse(self.not_offered(OfSeats::AcceptedBy { seat }));
        }
        (self.dealer, self.lost, self.offered, self.owed) = (Some(seat), Lost::No, None, false);
        (self.turn, self.uncertain, self.kept) = (seat, false, false);
        self.asked.clear();
    }

    pub(crate) fn decline(&mut self, seat: u8, rule: Dealer, sink: &mut Sink) {
        self.recorded = true;
        if croupier_deals(rule, OfSeats::DealDeclinedBy { seat }, sink) {
            return;
        }
        if self.dealer == Some(seat) {
            return self.give_up();
        }
        if !self.is_asked(seat) && !self.uncertain {
            // Nothing else changes: an offer to another seat stands.
            return sink.accuse(self.not_offered(OfSeats::DeclinedBy { seat }));
        }
        self.offered = None;
    }

    fn not_offered(&self, recorded: OfSeats) -> Accusation {
        let expected = match self.offered {
            Some(seat) => OfSeats::AnswerFrom { seat },
            None => OfSeats::OfferFirst,
        };
        Accusation::new(Code::DealNotOffered, expected, recorded)
    }

    /// A coup is about to be dealt: a deal that was lost must have been offered on. An offer that nobody answered
    /// leaves open who deals.
    pub(crate) fn begin_coup(&mut self, rule: Dealer) -> Option<Accusation> {
        let must = match self.lost {
            Lost::No => self.owed,
            Lost::Yes => true,
            Lost::Perhaps => false,
        };
        let left_out = self.seats.iter().find(|(seat, taken)| **taken && !self.asked.contains(seat));
        (self.fresh_shoe, self.lost, self.owed) = (false, Lost::No, false);
        let asks = must && self.offered.is_none() && self.recorded && !self.uncertain;
        if !asks || rule != Dealer::Players {
            return None;
        }
        let (seat, _) = left_out?;
        self.kept = true;
        let recorded = match self.dealer {
            Some(dealer) => OfSeats::DealsOn { seat: dealer },
            None => OfSeats::DealtWithoutDealer,
        };
        Some(Accusation::new(Code::DealKept, OfSeats::DealOfferedOn { seat: *seat }, recorded))
    }

    /// The first card of a coup was recorded before the previous coup was settled. That is reported, and it is
    /// not known whether the deal was offered on in time.
    pub(crate) const fn begin_coup_ahead(&mut self) {
        if !matches!(self.lost, Lost::No) {
            (self.lost, self.owed, self.kept) = (Lost::Perhaps, false, true);
        }
    }

    /// A coup is settled; `punto_won` is `None` where that is not certain.
    pub(crate) fn end_coup(&mut self, punto_won: Option<bool>) {
        if self.dealer.is_none() {
            return;
        }
        self.lost = match punto_won {
            Some(true) => Lost::Yes,
            Some(false) => Lost::No,
            None => Lost::Perhaps,
        };
        if self.lost != Lost::No {
            self.asked = self.dealer.into_iter().collect();
        }
    }
}

fn croupier_deals(rule: Dealer, recorded: OfSeats, sink: &mut Sink) -> bool {
    let croupier = rule == Dealer::Croupier;
    if croupier {
        sink.accuse(Accusation::new(Code::DealByCroupier, OfSeats::CroupierDeals, recorded));
    }
    croupier
}
