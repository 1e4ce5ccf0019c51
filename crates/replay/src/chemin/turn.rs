//! Whose turn it is to take the bank: it is offered seat by seat, and auctioned when nobody takes it.
//!
//! Source: Orden of 9 October 1979, 08.V and 08.IV. The judge accuses nobody where the record leaves the
//! turn open: if two seats may be next, either is right.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::Money;
use events::{BankHow, BankPassed, BankTaken, BankWhy, Name};
use serde::{Deserialize, Serialize};

use super::Who;
use crate::Code;
use crate::Statement;
use crate::caps::Cap;
use crate::person;
use crate::sink::{Accusation, Sink};
use crate::statement::{AnyOf, AnySeat, OfSeats, OfTurn, Party, Refusals};

/// A bank that nobody has.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Free {
    /// Seats to whose right it may go first; 0 is the croupier.
    from: Vec<u8>,
    /// The seat it was offered to last.
    offered: Option<u8>,
    /// Whether that seat declined it.
    answered: bool,
    declined: BTreeSet<u8>,
    /// What it was given up for, by choice.
    least: Option<Money>,
    gave_up: Option<Who>,
    /// Who may not bid: whoever gave it up, with their partners, and who refused to deal.
    excluded: Vec<Who>,
    partners: Vec<Name>,
    bids: Vec<(Who, Money)>,
    /// It goes to auction at once: its buyer refused to deal.
    refused: bool,
    /// Who may go on in a new shoe, and with what.
    goes_on: Option<(Who, Option<Money>)>,
}

/// Whose turn it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Turn {
    seats: Seats,
    refusals: BTreeMap<u8, u8>,
    free: Free,
    /// The last banker who sat.
    last_seated: u8,
    /// Seat of whoever passed the bank that the banker bought: after a loss it goes to its right.
    bought_from: Option<u8>,
    /// Who could not bid for the bank its buyer may still refuse to deal.
    could_not_bid: Vec<Who>,
    /// Events are missing: who sits where is not known until the table opens again.
    uncertain: bool,
    /// Number of missing events of a coup in which somebody may have sat down or left.
    #[serde(default)]
    seats_missed: u64,
}

/// The state of a bank when it was passed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ended {
    /// The sum it was given up for.
    pub(super) amount: Money,
    /// The sum in play; `None` where it is not known.
    pub(super) bank: Option<Money>,
    /// Whether its banker lost it, or may have.
    pub(super) lost: bool,
    /// Whether a coup was dealt.
    pub(super) dealt: bool,
    /// Whether it was recorded that its banker took it; otherwise it is not known from whom it was bought.
    pub(super) taken: bool,
}

/// Who sits where, as far as that was recorded.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Seats {
    taken: BTreeMap<u8, Option<Name>>,
    /// Seats that were left and not taken since.
    left: BTreeSet<u8>,
    /// Seats of players who sat down during a shoe and have not let the bank pass yet.
    pub(crate) newcomers: BTreeSet<u8>,
}

impl Seats {
    /// A player by seat and name: who has another name than the one who sits there stands, and so
    /// does who is behind a seat that was left, or sits elsewhere.
    pub(crate) fn who(&self, seat: u8, player: Option<&Name>) -> Who {
        let sits = match (player, self.taken.get(&seat)) {
            (Some(player), Some(Some(there))) => person::same(player, there),
            (Some(player), None) => !self.left.contains(&seat) && !self.sits(player),
            (None, _) | (_, Some(None)) => true,
        };
        Who { seat, standing: player.filter(|_| !sits).cloned() }
    }

    /// The name under which a seat is taken.
    pub(crate) fn owner(&self, seat: u8) -> Option<&Name> {
        self.taken.get(&seat)?.as_ref()
    }

    fn sits(&self, player: &Name) -> bool {
        self.taken.values().flatten().any(|there| person::same(there, player))
    }

    /// The same player where they sit, if they sit anywhere.
    pub(crate) fn own_seat(&self, who: Who) -> Who {
        let sits = |(_, there): &(&u8, &Option<Name>)| match (there, &who.standing) {
            (Some(there), Some(name)) => person::same(there, name),
            (None, _) | (_, None) => false,
        };
        let seat = self.taken.iter().find(sits).map(|(seat, _)| *seat);
        seat.map_or(who, |seat| Who { seat, standing: None })
    }
}

impl Turn {
    pub(super) fn open() -> Self {
        Self { free: Free { from: vec![0], ..Free::default() }, ..Self::default() }
    }

    pub(super) fn doubted() -> Self {
        Self { uncertain: true, ..Self::default() }
    }

    /// Events are missing while a bank is kept: somebody may have sat down or left.
    pub(super) const fn doubt_seats(&mut self, events: u64) {
        self.seats_missed = self.seats_missed.saturating_add(events);
    }

    /// Whether it is known who sits where.
    pub(crate) const fn seats_known(&self) -> bool {
        !self.uncertain && self.seats_missed == 0
    }

    /// Whether the turn follows from who sits where, apart from seats that changed within a coup.
    pub(crate) const fn is_known(&self) -> bool {
        !self.uncertain
    }

    /// How many players sit, at most.
    pub(super) fn seated(&self) -> usize {
        self.seats.taken.len()
    }

    /// How many sit in any case.
    pub(super) fn surely_seated(&self) -> usize {
        self.seated().saturating_sub(usize::try_from(self.seats_missed).unwrap_or(usize::MAX))
    }

    pub(crate) const fn seats(&self) -> &Seats {
        &self.seats
    }

    pub(crate) fn who(&self, seat: u8, player: Option<&Name>) -> Who {
        self.seats.who(seat, player)
    }

    /// Somebody sits down; `begun` says whether a coup of the shoe was begun.
    pub(crate) fn sit(&mut self, seat: u8, player: Option<Name>, begun: bool) {
        if let Some(there) = self.seats.taken.get(&seat) {
            if !there.as_ref().zip(player.as_ref()).is_some_and(|(one, two)| person::same(one, two)) {
                self.dispute(seat);
            }
            return;
        }
        self.seats.taken.insert(seat, player);
        self.seats.left.remove(&seat);
        self.refusals.remove(&seat);
        if begun {
            self.seats.newcomers.insert(seat);
        } else {
            self.seats.newcomers.remove(&seat);
        }
    }

    /// Two players are said to have a seat: whose it is nobody knows.
    pub(crate) fn dispute(&mut self, seat: u8) {
        self.seats.taken.insert(seat, None);
    }

    pub(crate) fn leave(&mut self, seat: u8) {
        self.seats.taken.remove(&seat);
        self.seats.left.insert(seat);
        self.seats.newcomers.remove(&seat);
        self.refusals.remove(&seat);
        self.free.declined.remove(&seat);
    }

    /// A new shoe: newcomers have all rights, and the turn may begin anew at seat 1.
    pub(crate) fn new_shoe(&mut self) {
        self.seats.newcomers.clear();
        self.free.from.push(0);
    }

    /// The next seat to be asked to the right of another, with the seat of the last banker or without.
    fn next(&self, from: u8, with_banker: bool) -> Option<u8> {
        let gave_up = self.free.gave_up.as_ref().filter(|who| who.standing.is_none() && !with_banker);
        let gave_up = gave_up.map(|who| who.seat);
        let asks = |seat: &&u8| !self.free.declined.contains(*seat) && Some(**seat) != gave_up;
        let above = self.seats.taken.range(from.saturating_add(1)..).map(|(seat, _)| seat).find(asks);
        above.or_else(|| self.seats.taken.keys().find(asks)).copied()
    }

    /// Seats whose turn it may be. A banker who gave up the bank by choice has no turn (08.V: that banker may take it
    /// again once nobody else does). Of one who lost it no source says whether the rotation passes over the seat.
    fn due(&self) -> Vec<u8> {
        let mut due = self.due_of_others();
        if self.free.least.is_none() && !self.free.refused {
            let silent = self.walk(true).into_iter().filter(|seat| !due.contains(seat)).collect::<Vec<u8>>();
            due.extend(silent);
        }
        due
    }

    /// Seats whose turn it is if the last banker has none.
    fn due_of_others(&self) -> Vec<u8> {
        self.walk(false)
    }

    fn walk(&self, with_banker: bool) -> Vec<u8> {
        match self.free.offered.filter(|seat| self.free.declined.contains(seat)) {
            Some(seat) => self.next(seat, with_banker).into_iter().collect(),
            None => {
                let from = self.free.from.iter();
                let mut due: Vec<u8> = from.filter_map(|from| self.next(*from, with_banker)).collect();
                due.dedup();
                due
            }
        }
    }

    /// Whether it is a seat's turn, or it was offered there.
    fn is_asked(&self, seat: u8) -> bool {
        let offered = self.free.offered == Some(seat) && !self.free.declined.contains(&seat);
        offered || self.due().contains(&seat)
    }

    /// Whether it was offered to a seat that has not answered.
    pub(crate) fn was_offered(&self, seat: u8) -> bool {
        self.free.offered == Some(seat) && !self.free.answered
    }

    /// Whether it was offered to any seat that has not answered.
    pub(crate) const fn awaits_answer(&self) -> bool {
        self.free.offered.is_some() && !self.free.answered
    }

    /// The seats that have to be asked next; `None` where nobody is left.
    fn asked_next(&self) -> Option<AnySeat> {
        let due: Box<[u8]> = self.due().into_iter().collect();
        (!due.is_empty()).then_some(AnySeat(due))
    }

    pub(crate) fn offer(&mut self, seat: u8, has_banker: bool) -> Option<Accusation> {
        let right = !self.seats_known() || self.due().contains(&seat);
        let recorded = OfSeats::OfferedTo { seat };
        let accusation = if has_banker {
            Some(Accusation::new(Code::BankTakenAway, OfTurn::WithBanker, recorded))
        } else {
            let next = |seats| OfSeats::OfferedNext { seats };
            let expected = self.asked_next().map_or(OfSeats::NobodyToAsk, next);
            (!right).then(|| Accusation::new(Code::DealOfferOrder, expected, recorded))
        };
        (self.free.offered, self.free.answered) = (Some(seat), false);
        accusation
    }

    pub(crate) fn decline(&mut self, seat: u8) -> Option<Accusation> {
        if !self.was_offered(seat) && !self.uncertain {
            // What was never offered cannot be refused.
            let expected = match self.free.offered {
                Some(seat) => OfSeats::AnswerFrom { seat },
                None => OfSeats::OfferFirst,
            };
            return Some(Accusation::new(Code::DealNotOffered, expected, OfSeats::DeclinedBy { seat }));
        }
        self.free.declined.insert(seat);
        if !self.seats.newcomers.remove(&seat) {
            let refusals = self.refusals.entry(seat).or_default();
            *refusals = refusals.saturating_add(1);
        }
        (self.free.offered, self.free.answered) = (Some(seat), true);
        None
    }

    /// A player who refused the bank too often has to have left the seat by now.
    pub(super) fn seat_kept(&mut self, leaves_after: u8) -> Option<Accusation> {
        let mut known = self.refusals.iter().filter(|_| self.seats_known());
        let (&seat, &times) = known.find(|(_, times)| **times >= leaves_after)?;
        self.refusals.insert(seat, 0);
        let recorded = OfSeats::Kept { seat, refusals: Refusals(times.into()) };
        Some(Accusation::new(Code::SeatKept, OfSeats::GivenUp { seat }, recorded))
    }

    pub(crate) fn bid(&mut self, who: Who, amount: Money, sink: &mut Sink) -> Option<Accusation> {
        let partner =
            who.standing.as_ref().or_else(|| self.seats.taken.get(&who.seat).and_then(Option::as_ref));
        let partner =
            partner.is_some_and(|name| self.free.partners.iter().any(|one| person::same(one, name)));
        let excluded = self.free.excluded.contains(&who) || partner;
        let recorded = OfTurn::BidBy { who: (&who).into() };
        let accusation = (excluded && !self.uncertain)
            .then(|| Accusation::new(Code::AuctionExcluded, OfTurn::BidsByOthers, recorded));
        if !excluded && self.free.bids.len() < Cap::Bids.most() {
            self.free.bids.push((who, amount));
        } else if !excluded {
            // Who bid most is not known any more.
            self.uncertain = true;
            sink.forget(Cap::Bids);
        }
        accusation
    }

    /// Somebody takes the bank. The turn is checked if it was `free`; taking a bank that is not free is reported already.
    pub(super) fn take(
        &mut self,
        who: &Who,
        taken: &BankTaken,
        least: Option<Money>,
        free: bool,
        sink: &mut Sink,
    ) {
        if !self.uncertain {
            sink.accuse_all(self.check_price(who, taken, least));
        }
        if self.seats_known() {
            sink.accuse_all(self.check_way(who, taken).filter(|_| free));
            if taken.how == BankHow::Turn && self.seats.newcomers.contains(&who.seat) {
                let expected = OfTurn::LetPassOnce { seat: who.seat };
                let recorded = OfTurn::TakenBy { who: who.into() };
                sink.accuse(Accusation::new(Code::SaludoOwed, expected, recorded));
            }
        }
        let passer = self.free.gave_up.as_ref().filter(|_| self.free.least.is_some());
        self.bought_from = match taken.how {
            BankHow::Retaken | BankHow::Continued => self.bought_from,
            BankHow::Turn | BankHow::Standing | BankHow::Auction | BankHow::Minimum => {
                passer.map(|who| if who.standing.is_some() { self.last_seated } else { who.seat })
            }
        };
        if who.standing.is_none() {
            self.last_seated = who.seat;
            self.refusals.remove(&who.seat);
            self.seats.newcomers.remove(&who.seat);
        } else if self.bought_from.is_none() {
            // Where nobody sat as banker before, it goes to the right of the seat behind which the banker stands.
            self.bought_from = (self.last_seated > 0).then_some(self.last_seated);
        }
        self.could_not_bid = std::mem::take(&mut self.free).excluded;
    }

    /// Whether the bank could go this way to this player.
    fn check_way(&self, who: &Who, taken: &BankTaken) -> Option<Accusation> {
        let free = &self.free;
        let all_asked = free.refused || self.due_of_others().is_empty();
        let taken_by = |who: &Who| OfTurn::TakenBy { who: who.into() };
        let wrong =
            |expected: Statement, recorded: OfTurn| Some(Accusation::new(Code::BankTurn, expected, recorded));
        match taken.how {
            // An offer out of turn is reported already.
            BankHow::Turn if who.standing.is_none() && self.is_asked(who.seat) => None,
            BankHow::Turn => {
                let by_turn = |seats| OfTurn::TakenBySeat { seats };
                let expected = self.asked_next().map_or(OfTurn::NotByTurn, by_turn);
                wrong(expected.into(), taken_by(who))
            }
            BankHow::Continued => match &free.goes_on {
                Some((banker, _)) if banker == who => None,
                Some(_) | None => wrong(OfTurn::LastWinner.into(), OfTurn::ContinuedBy { who: who.into() }),
            },
            _ if !all_asked => {
                let seats = AnySeat(self.due_of_others().into_iter().collect());
                wrong(OfSeats::OfferedFirst { seats }.into(), taken_by(who))
            }
            BankHow::Standing if who.standing.is_some() => None,
            BankHow::Standing => wrong(OfTurn::WhoStands.into(), taken_by(who)),
            BankHow::Auction => self.check_bids(who),
            BankHow::Retaken | BankHow::Minimum if !free.bids.is_empty() => {
                wrong(taken_by(&free.bids[0].0).into(), taken_by(who))
            }
            BankHow::Retaken if free.gave_up.as_ref() == Some(who) => None,
            BankHow::Retaken => wrong(OfTurn::WhoGaveUp.into(), OfTurn::TakenAgainBy { who: who.into() }),
            BankHow::Minimum => {
                let right_of = free.gave_up.as_ref().map_or(self.last_seated, |who| who.seat);
                let above = self.seats.taken.range(right_of.saturating_add(1)..).next();
                let next = above.or_else(|| self.seats.taken.iter().next()).map(|(seat, _)| *seat);
                let expected: Statement = match next {
                    Some(seat) => OfSeats::Seat { seat }.into(),
                    None => OfTurn::SeatedPlayer.into(),
                };
                (next != Some(who.seat) || who.standing.is_some())
                    .then(|| Accusation::new(Code::BankTurn, expected, taken_by(who)))
            }
        }
    }

    /// The highest bid has the bank; of equal ones that of a seated player.
    fn check_bids(&self, who: &Who) -> Option<Accusation> {
        let bids = &self.free.bids;
        let highest = bids.iter().map(|(_, amount)| *amount).max();
        let best: Vec<&Who> = bids.iter().filter(|bid| Some(bid.1) == highest).map(|bid| &bid.0).collect();
        let seated = best.iter().any(|who| who.standing.is_none());
        let may = |bidder: &&&Who| !seated || bidder.standing.is_none();
        let bidders: AnyOf<Party> = best.iter().filter(may).map(|who| Party::from(*who)).collect();
        if best.iter().filter(may).any(|bidder| *bidder == who) {
            return None;
        }
        let expected = if bidders.0.is_empty() { OfTurn::BidFirst } else { OfTurn::SoldToAny { bidders } };
        Some(Accusation::new(Code::AuctionWinner, expected, OfTurn::SoldTo { who: who.into() }))
    }

    /// Nobody has the bank for less than it was given up for, nor for less than they bid.
    fn check_price(&self, who: &Who, taken: &BankTaken, least: Option<Money>) -> Option<Accusation> {
        let free = &self.free;
        let due = match taken.how {
            BankHow::Minimum => least,
            BankHow::Continued => free.goes_on.as_ref().and_then(|(_, bank)| *bank),
            BankHow::Turn | BankHow::Standing | BankHow::Retaken => free.least,
            BankHow::Auction => {
                let bid =
                    free.bids.iter().filter(|(bidder, _)| bidder == who).map(|(_, amount)| *amount).max();
                bid.max(free.least)
            }
        }?;
        let same = matches!(taken.how, BankHow::Retaken | BankHow::Continued);
        let wrong = if same { taken.amount != due } else { taken.amount < due };
        let amount = due.into();
        let expected = if same { OfTurn::For { amount } } else { OfTurn::ForAtLeast { amount } };
        // A bank below the least stake has a code of its own.
        (wrong && taken.how != BankHow::Minimum).then(|| {
            let recorded = OfTurn::For { amount: taken.amount.into() };
            Accusation::new(Code::BankBelowPassed, expected, recorded)
        })
    }

    /// The banker gives up the bank; `ended` is the state of the bank, whatever reason was recorded.
    pub(super) fn pass(&mut self, who: &Who, passed: &BankPassed, ended: Ended, partners: Vec<Name>) {
        let (why, Ended { amount, bank, lost, dealt, taken }) = (passed.why, ended);
        // A banker who lost passes the bank on and names no sum for which another has to take it.
        let by_choice = matches!(why, BankWhy::Voluntary | BankWhy::Left) && !lost;
        let refused = why == BankWhy::Refused && !dealt;
        let after_loss = self.bought_from.unwrap_or(who.seat);
        let seat = if who.standing.is_some() { self.last_seated } else { who.seat };
        let mut from = match why {
            BankWhy::Lost => vec![after_loss],
            BankWhy::ShoeEnd => vec![after_loss, seat, 0],
            BankWhy::Voluntary | BankWhy::Refused | BankWhy::Left if lost => vec![after_loss, seat],
            BankWhy::Voluntary | BankWhy::Refused | BankWhy::Left => vec![seat],
        };
        if !taken {
            let passer = self.free.gave_up.as_ref().map(|passer| passer.seat);
            from.extend([seat].into_iter().chain(passer));
        }
        let mut excluded = vec![who.clone()];
        if refused {
            excluded.append(&mut self.could_not_bid);
        }
        self.free = Free {
            from,
            least: by_choice.then_some(amount),
            gave_up: Some(who.clone()),
            excluded: if by_choice || refused { excluded } else { Vec::new() },
            partners: if by_choice { partners } else { Vec::new() },
            refused,
            goes_on: (why == BankWhy::ShoeEnd).then(|| (who.clone(), bank)),
            ..Free::default()
        };
    }
}
