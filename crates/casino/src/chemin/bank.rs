//! Who takes the bank: it is offered in turn, auctioned, or taken again; and how the banker gives it up.

use events::{BankBid, BankHow, BankPassed, BankTaken, BankWhy, Body, Deal, Garaje, Partner};

use super::{Banker, CheminDeFer, Free, Temper, Who};
use crate::Fault;
use crate::session::{money, name};

impl CheminDeFer {
    /// Whoever gave the bank up, if they are still there.
    fn last_banker(&self) -> Option<Who> {
        self.bank.free.gave_up.clone().filter(|who| self.everybody().contains(who))
    }

    /// The next seat to be asked to the right of another.
    fn next_seat(&self, from: u8) -> Option<u8> {
        let free = &self.bank.free;
        let gave_up = free.gave_up.as_ref().filter(|who| !who.stands).map(|who| who.seat);
        let asks = |seat: &&u8| !free.declined.contains(*seat) && Some(**seat) != gave_up;
        let mut seats = self.session.players.keys();
        let above = seats.clone().filter(|seat| **seat > from).find(asks);
        above.or_else(|| seats.find(asks)).copied()
    }

    /// Somebody gets the bank that nobody has.
    pub(super) fn assign_bank(&mut self) {
        while self.bank.banker.is_none() {
            if let Some(bank) = self.bank.free.goes_on.take()
                && self.session.dice.chance(60)
                && let Some(who) = self.last_banker()
            {
                self.take_bank(&who, bank, BankHow::Continued);
                continue;
            }
            if self.bank.free.refused || !self.offer_in_order() {
                self.sell_bank();
            }
            // Nobody can stake against so small a bank.
            if self.bank.banker.as_ref().is_some_and(|banker| banker.bank < self.least()) {
                self.pass_bank(BankWhy::Refused);
            }
        }
        self.set_improper();
        self.count_players();
    }

    /// Offers the bank seat by seat; `true` where somebody took it.
    fn offer_in_order(&mut self) -> bool {
        let mut at = self.bank.free.from;
        while let Some(seat) = self.next_seat(at) {
            at = seat;
            let Some(who) = self.seated(seat) else { continue };
            if self.out_of_turn(seat) {
                return true;
            }
            self.session.record(Body::DealOffered(Deal { seat }));
            if self.accepts(&who) {
                let amount = self.amount_for(&who);
                self.take_bank(&who, amount, BankHow::Turn);
                return true;
            }
            self.session.record(Body::DealDeclined(Deal { seat }));
            self.bank.free.declined.insert(seat);
            if !self.bank.newcomers.remove(&seat) {
                self.refuse(seat);
            }
        }
        false
    }

    /// A refusal too many costs the seat.
    fn refuse(&mut self, seat: u8) {
        let refusals = self.bank.refusals.entry(seat).or_default();
        *refusals += 1;
        if *refusals < self.rules.turn.leaves_after {
            return;
        }
        if self.session.wants(Fault::SeatKept) {
            self.session.to_show = Some(Fault::SeatKept);
            self.bank.refusals.remove(&seat);
        } else {
            self.give_seat_up(seat);
        }
    }

    pub(super) fn give_seat_up(&mut self, seat: u8) {
        self.session.stand_up(seat);
        self.bank.refusals.remove(&seat);
        self.bank.newcomers.remove(&seat);
        self.bank.free.declined.remove(&seat);
    }

    fn accepts(&mut self, who: &Who) -> bool {
        let newcomer = self.bank.newcomers.contains(&who.seat) && self.rules.turn.newcomers_pass;
        if newcomer {
            return self.session.coup > 0 && self.session.wants(Fault::SaludoSkipped);
        }
        let refusals = self.bank.refusals.get(&who.seat).copied().unwrap_or_default();
        let may_lose_seat = self.session.players.len() > 5;
        let last = refusals + 1 >= self.rules.turn.leaves_after;
        if last && self.session.coup > 1 && self.session.wants(Fault::SeatKept) {
            return false;
        }
        let auctioned =
            [Fault::AuctionByLastBanker, Fault::AuctionToLower].into_iter().any(|f| self.session.wants(f));
        if auctioned && !last {
            return false;
        }
        (last && !may_lose_seat) || self.session.dice.chance(Temper::of(&who.player).takes())
    }

    /// What somebody puts into the bank.
    fn amount_for(&mut self, who: &Who) -> u64 {
        let (fewest, most) = Temper::of(&who.player).bank();
        let large = [Fault::BankTooLarge, Fault::GarajeEarly, Fault::GarajeCorrected]
            .into_iter()
            .any(|fault| self.session.aims_at(fault));
        let times = if large { 101 } else { fewest + self.session.dice.below(most - fewest + 1) };
        (self.least() * times).max(self.bank.free.least.unwrap_or_default())
    }

    /// The bank is given to the seat after the next.
    fn out_of_turn(&mut self, seat: u8) -> bool {
        let Some(other) = self.next_seat(seat).filter(|other| *other != seat) else { return false };
        if self.session.coup == 0
            || self.bank.newcomers.contains(&other)
            || !self.session.wants(Fault::BankOutOfTurn)
        {
            return false;
        }
        let Some(who) = self.seated(other) else { return false };
        let amount = self.amount_for(&who);
        let sequence = self.take_bank(&who, amount, BankHow::Turn);
        self.session.plant(Fault::BankOutOfTurn, sequence, None);
        true
    }

    /// No seated player wanted it: a standing player may have it, otherwise it is auctioned.
    fn sell_bank(&mut self) {
        let stander = self.session.dice.pick(&self.bank.standers.clone()).cloned();
        let excluded = self.bank.free.excluded.clone();
        let auction =
            self.session.aims_at(Fault::AuctionByLastBanker) || self.session.aims_at(Fault::AuctionToLower);
        if let Some(who) = stander.filter(|who| !excluded.contains(who) && !self.bank.free.refused)
            && !auction
            && self.session.dice.chance(40)
        {
            let amount = self.amount_for(&who);
            self.take_bank(&who, amount, BankHow::Standing);
            return;
        }
        let mut bidders = self.everybody();
        bidders.retain(|who| !excluded.contains(who));
        self.session.dice.shuffle(&mut bidders);
        let wanted = if auction || self.bank.free.refused { 2 } else { self.session.dice.below(3) };
        bidders.truncate(usize::try_from(wanted).unwrap_or_default());
        if let Some(who) =
            excluded.first().filter(|_| self.session.wants(Fault::AuctionByLastBanker)).cloned()
        {
            let sequence = self.bid(&who, self.bank.free.least.unwrap_or(self.least()) + self.least());
            self.session.plant(Fault::AuctionByLastBanker, sequence, None);
        }
        let mut amount = self.bank.free.least.unwrap_or_else(|| self.least());
        let mut bids = Vec::new();
        for who in bidders {
            amount += self.least() * (self.session.dice.below(4) + 1);
            self.bid(&who, amount);
            bids.push((who, amount));
        }
        match bids.as_slice() {
            [] => self.nobody_bids(),
            [.., lower, _] if self.session.wants(Fault::AuctionToLower) => {
                let (who, amount) = lower.clone();
                let sequence = self.take_bank(&who, amount, BankHow::Auction);
                self.session.plant(Fault::AuctionToLower, sequence, None);
            }
            [.., (who, amount)] => {
                self.take_bank(&who.clone(), *amount, BankHow::Auction);
            }
        }
    }

    fn bid(&mut self, who: &Who, amount: u64) -> u64 {
        let (seat, player) = (who.seat, Some(who.player.clone()));
        self.session.record(Body::BankBid(BankBid { seat, player, amount: money(amount) }))
    }

    /// Whoever gave it up takes it again, or it goes to their right for the least sum.
    fn nobody_bids(&mut self) {
        let (last, least) = (self.last_banker(), self.bank.free.least);
        if let (Some(who), Some(least), true) = (last, least, self.session.dice.chance(50)) {
            self.take_bank(&who, least, BankHow::Retaken);
            return;
        }
        let from = self.bank.free.gave_up.as_ref().map_or(self.bank.last_seated, |who| who.seat);
        let next = self
            .session
            .players
            .keys()
            .find(|seat| **seat > from)
            .or_else(|| self.session.players.keys().next());
        if let Some(who) = next.copied().and_then(|seat| self.seated(seat)) {
            let least = self.least();
            self.take_bank(&who, least, BankHow::Minimum);
        }
    }

    fn take_bank(&mut self, who: &Who, amount: u64, how: BankHow) -> u64 {
        let least = self.bank.free.least;
        let undercut = how == BankHow::Turn && least.is_some_and(|least| least > self.least());
        let small = matches!(how, BankHow::Turn) && least.is_none();
        let fault = [(Fault::BankUndercut, undercut), (Fault::BankTooSmall, small)]
            .into_iter()
            .find(|(fault, fit)| *fit && self.session.coup > 0 && self.session.wants(*fault))
            .map(|(fault, _)| fault);
        let amount = match fault {
            Some(Fault::BankUndercut) => least.unwrap_or_default() - 1,
            Some(_) => self.least() - 1,
            None => amount,
        };
        let skipped = self.bank.newcomers.contains(&who.seat) && how == BankHow::Turn && !who.stands;
        let partners = if self.session.dice.chance(8) {
            vec![Partner { player: name("partner-1"), amount: money(amount / 4) }]
        } else {
            Vec::new()
        };
        let player = Some(who.player.clone());
        let taken = BankTaken { seat: who.seat, player, amount: money(amount), how, partners };
        let sequence = self.session.record(Body::BankTaken(taken));
        if let Some(fault) = fault {
            self.session.plant(fault, sequence, None);
        } else if skipped && self.session.wants(Fault::SaludoSkipped) {
            self.session.plant(Fault::SaludoSkipped, sequence, None);
        }
        self.note_taken(who, how);
        let (bank, who) = (amount, who.clone());
        self.bank.banker = Some(Banker { who, bank, garaje: 0, winnings: 0, coups: 0, lost: false });
        sequence
    }

    fn note_taken(&mut self, who: &Who, how: BankHow) {
        let chemin = &mut self.bank;
        let free = std::mem::take(&mut chemin.free);
        if !matches!(how, BankHow::Retaken | BankHow::Continued) {
            let passer = free.gave_up.filter(|_| free.least.is_some());
            chemin.bought_from =
                passer.map(|passer| if passer.stands { chemin.last_seated } else { passer.seat });
        }
        if who.stands {
            chemin.bought_from = chemin.bought_from.or(Some(chemin.last_seated));
        } else {
            chemin.last_seated = who.seat;
            chemin.refusals.remove(&who.seat);
            chemin.newcomers.remove(&who.seat);
        }
        chemin.free.excluded = free.excluded;
    }

    /// What lies above the maximum is set aside.
    pub(super) fn set_improper(&mut self) {
        let most = self.most_in_bank();
        let Some(bank) = self.bank.banker.as_ref().map(|banker| banker.bank) else { return };
        if bank <= most || self.session.coup > 0 && self.session.wants(Fault::BankTooLarge) {
            return;
        }
        self.set_garaje(Garaje::Improper, bank - most);
        self.set_aside(bank - most);
    }

    pub(super) fn set_aside(&mut self, amount: u64) {
        if let Some(banker) = self.bank.banker.as_mut() {
            banker.bank -= amount;
            banker.garaje += amount;
        }
    }

    /// The banker gives the bank up.
    pub(super) fn pass_bank(&mut self, why: BankWhy) -> Option<u64> {
        let banker = self.bank.banker.take()?;
        let amount = banker.bank + banker.garaje;
        let wrong = self.session.coup > 0 && self.session.wants(Fault::BankTakesTooMuch);
        let given = amount + if wrong { 100 } else { 0 };
        let (seat, player) = (banker.who.seat, Some(banker.who.player.clone()));
        let sequence =
            self.session.record(Body::BankPassed(BankPassed { seat, player, amount: money(given), why }));
        if wrong {
            self.session.moves(seat, 100);
            self.session.plant(Fault::BankTakesTooMuch, sequence, None);
        }
        let by_choice = matches!(why, BankWhy::Voluntary | BankWhy::Left);
        let own = if banker.who.stands { self.bank.last_seated } else { banker.who.seat };
        let from = if why == BankWhy::Lost || why == BankWhy::ShoeEnd {
            self.bank.bought_from.unwrap_or(banker.who.seat)
        } else {
            own
        };
        let mut excluded =
            if by_choice || why == BankWhy::Refused { vec![banker.who.clone()] } else { Vec::new() };
        if why == BankWhy::Refused {
            excluded.append(&mut self.bank.free.excluded);
        }
        self.bank.before = Some((banker.who.clone(), banker.bank));
        self.bank.free = Free {
            from,
            least: by_choice.then_some(given),
            gave_up: Some(banker.who),
            excluded,
            refused: why == BankWhy::Refused,
            goes_on: (why == BankWhy::ShoeEnd).then_some(banker.bank),
            ..Free::default()
        };
        Some(sequence)
    }
}
