//! Who gets the bank: offered in turn, sold, taken again; and how it is given up.

use events::{BankBid, BankHow, BankPassed, BankTaken, BankWhy, Body, Deal, Garaje, Partner};

use super::{Banker, Free, Temper, Who};
use crate::Fault;
use crate::session::{Session, money, name};

impl Session {
    /// Whoever gave the bank up, if they are still there.
    fn last_banker(&self) -> Option<Who> {
        self.chemin.free.gave_up.clone().filter(|who| self.everybody().contains(who))
    }

    /// The next seat to be asked to the right of another.
    fn next_seat(&self, from: u8) -> Option<u8> {
        let free = &self.chemin.free;
        let gave_up = free.gave_up.as_ref().filter(|who| !who.stands).map(|who| who.seat);
        let asks = |seat: &&u8| !free.declined.contains(*seat) && Some(**seat) != gave_up;
        let mut seats = self.players.keys();
        let above = seats.clone().filter(|seat| **seat > from).find(asks);
        above.or_else(|| seats.find(asks)).copied()
    }

    /// Somebody gets the bank that nobody has.
    pub(super) fn assign_bank(&mut self) {
        while self.chemin.banker.is_none() {
            if let Some(bank) = self.chemin.free.goes_on.take()
                && self.dice.chance(60)
                && let Some(who) = self.last_banker()
            {
                self.take_bank(&who, bank, BankHow::Continued);
                continue;
            }
            if self.chemin.free.refused || !self.offer_in_order() {
                self.sell_bank();
            }
            // Nobody can stake against so small a bank.
            if self.chemin.banker.as_ref().is_some_and(|banker| banker.bank < self.least()) {
                self.pass_bank(BankWhy::Refused);
            }
        }
        self.set_improper();
        self.count_players();
    }

    /// Offers the bank seat by seat; `true` where somebody took it.
    fn offer_in_order(&mut self) -> bool {
        let mut at = self.chemin.free.from;
        while let Some(seat) = self.next_seat(at) {
            at = seat;
            let Some(who) = self.seated(seat) else { continue };
            if self.out_of_turn(seat) {
                return true;
            }
            self.tell(Body::DealOffered(Deal { seat }));
            if self.accepts(&who) {
                let amount = self.amount_for(&who);
                self.take_bank(&who, amount, BankHow::Turn);
                return true;
            }
            self.tell(Body::DealDeclined(Deal { seat }));
            self.chemin.free.declined.insert(seat);
            if !self.chemin.newcomers.remove(&seat) {
                self.refuse(seat);
            }
        }
        false
    }

    /// A refusal too many costs the seat.
    fn refuse(&mut self, seat: u8) {
        let refusals = self.chemin.refusals.entry(seat).or_default();
        *refusals += 1;
        if *refusals < self.rules().turn.leaves_after {
            return;
        }
        if self.wants(Fault::SeatKept) {
            self.to_show = Some(Fault::SeatKept);
            self.chemin.refusals.remove(&seat);
        } else {
            self.give_seat_up(seat);
        }
    }

    pub(super) fn give_seat_up(&mut self, seat: u8) {
        self.get_up(seat);
        self.chemin.refusals.remove(&seat);
        self.chemin.newcomers.remove(&seat);
        self.chemin.free.declined.remove(&seat);
    }

    fn accepts(&mut self, who: &Who) -> bool {
        let newcomer = self.chemin.newcomers.contains(&who.seat) && self.rules().turn.newcomers_pass;
        if newcomer {
            return self.coup > 0 && self.wants(Fault::SaludoSkipped);
        }
        let refusals = self.chemin.refusals.get(&who.seat).copied().unwrap_or_default();
        let may_lose_seat = self.players.len() > 5;
        let last = refusals + 1 >= self.rules().turn.leaves_after;
        if last && self.coup > 1 && self.wants(Fault::SeatKept) {
            return false;
        }
        let auctioned =
            [Fault::AuctionByLastBanker, Fault::AuctionToLower].into_iter().any(|f| self.wants(f));
        if auctioned && !last {
            return false;
        }
        (last && !may_lose_seat) || self.dice.chance(Temper::of(&who.player).takes())
    }

    /// What somebody puts into the bank.
    fn amount_for(&mut self, who: &Who) -> u64 {
        let (fewest, most) = Temper::of(&who.player).bank();
        let large = self.aims_at(Fault::BankTooLarge) || self.aims_at(Fault::GarajeEarly);
        let times = if large { 101 } else { fewest + self.dice.below(most - fewest + 1) };
        (self.least() * times).max(self.chemin.free.least.unwrap_or_default())
    }

    /// The bank is given to the seat after the next.
    fn out_of_turn(&mut self, seat: u8) -> bool {
        let Some(other) = self.next_seat(seat).filter(|other| *other != seat) else { return false };
        if self.coup == 0 || self.chemin.newcomers.contains(&other) || !self.wants(Fault::BankOutOfTurn) {
            return false;
        }
        let Some(who) = self.seated(other) else { return false };
        let amount = self.amount_for(&who);
        let sequence = self.take_bank(&who, amount, BankHow::Turn);
        self.plant(Fault::BankOutOfTurn, sequence, None);
        true
    }

    /// Nobody who sits wanted it: who stands may have it, else it is sold.
    fn sell_bank(&mut self) {
        let stander = self.dice.pick(&self.chemin.standers.clone()).cloned();
        let excluded = self.chemin.free.excluded.clone();
        let auction = self.aims_at(Fault::AuctionByLastBanker) || self.aims_at(Fault::AuctionToLower);
        if let Some(who) = stander.filter(|who| !excluded.contains(who) && !self.chemin.free.refused)
            && !auction
            && self.dice.chance(40)
        {
            let amount = self.amount_for(&who);
            self.take_bank(&who, amount, BankHow::Standing);
            return;
        }
        let mut bidders = self.everybody();
        bidders.retain(|who| !excluded.contains(who));
        self.dice.shuffle(&mut bidders);
        let wanted = if auction || self.chemin.free.refused { 2 } else { self.dice.below(3) };
        bidders.truncate(usize::try_from(wanted).unwrap_or_default());
        if let Some(who) = excluded.first().filter(|_| self.wants(Fault::AuctionByLastBanker)).cloned() {
            let sequence = self.bid(&who, self.chemin.free.least.unwrap_or(self.least()) + self.least());
            self.plant(Fault::AuctionByLastBanker, sequence, None);
        }
        let mut amount = self.chemin.free.least.unwrap_or_else(|| self.least());
        let mut bids = Vec::new();
        for who in bidders {
            amount += self.least() * (self.dice.below(4) + 1);
            self.bid(&who, amount);
            bids.push((who, amount));
        }
        match bids.as_slice() {
            [] => self.nobody_bids(),
            [.., lower, _] if self.wants(Fault::AuctionToLower) => {
                let (who, amount) = lower.clone();
                let sequence = self.take_bank(&who, amount, BankHow::Auction);
                self.plant(Fault::AuctionToLower, sequence, None);
            }
            [.., (who, amount)] => {
                self.take_bank(&who.clone(), *amount, BankHow::Auction);
            }
        }
    }

    fn bid(&mut self, who: &Who, amount: u64) -> u64 {
        let (seat, player) = (who.seat, Some(who.player.clone()));
        self.tell(Body::BankBid(BankBid { seat, player, amount: money(amount) }))
    }

    /// Whoever gave it up takes it again, or it goes to their right for the least sum.
    fn nobody_bids(&mut self) {
        let (last, least) = (self.last_banker(), self.chemin.free.least);
        if let (Some(who), Some(least), true) = (last, least, self.dice.chance(50)) {
            self.take_bank(&who, least, BankHow::Retaken);
            return;
        }
        let from = self.chemin.free.gave_up.as_ref().map_or(self.chemin.last_seated, |who| who.seat);
        let next = self.players.keys().find(|seat| **seat > from).or_else(|| self.players.keys().next());
        if let Some(who) = next.copied().and_then(|seat| self.seated(seat)) {
            let least = self.least();
            self.take_bank(&who, least, BankHow::Minimum);
        }
    }

    fn take_bank(&mut self, who: &Who, amount: u64, how: BankHow) -> u64 {
        let least = self.chemin.free.least;
        let undercut = how == BankHow::Turn && least.is_some_and(|least| least > self.least());
        let small = matches!(how, BankHow::Turn) && least.is_none();
        let fault = [(Fault::BankUndercut, undercut), (Fault::BankTooSmall, small)]
            .into_iter()
            .find(|(fault, fit)| *fit && self.coup > 0 && self.wants(*fault))
            .map(|(fault, _)| fault);
        let amount = match fault {
            Some(Fault::BankUndercut) => least.unwrap_or_default() - 1,
            Some(_) => self.least() - 1,
            None => amount,
        };
        let skipped = self.chemin.newcomers.contains(&who.seat) && how == BankHow::Turn && !who.stands;
        let partners = if self.dice.chance(8) {
            vec![Partner { player: name("partner-1"), amount: money(amount / 4) }]
        } else {
            Vec::new()
        };
        let player = Some(who.player.clone());
        let taken = BankTaken { seat: who.seat, player, amount: money(amount), how, partners };
        let sequence = self.tell(Body::BankTaken(taken));
        if let Some(fault) = fault {
            self.plant(fault, sequence, None);
        } else if skipped && self.wants(Fault::SaludoSkipped) {
            self.plant(Fault::SaludoSkipped, sequence, None);
        }
        self.note_taken(who, how);
        let (bank, who) = (amount, who.clone());
        self.chemin.banker = Some(Banker { who, bank, garaje: 0, winnings: 0, coups: 0, lost: false });
        sequence
    }

    fn note_taken(&mut self, who: &Who, how: BankHow) {
        let chemin = &mut self.chemin;
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
        }
        chemin.newcomers.remove(&who.seat);
        chemin.free.excluded = free.excluded;
    }

    /// What lies above the maximum is set aside.
    pub(super) fn set_improper(&mut self) {
        let most = self.most_in_bank();
        let Some(bank) = self.chemin.banker.as_ref().map(|banker| banker.bank) else { return };
        if bank <= most || self.coup > 0 && self.wants(Fault::BankTooLarge) {
            return;
        }
        self.set_garaje(Garaje::Improper, bank - most);
        self.set_aside(bank - most);
    }

    pub(super) fn set_aside(&mut self, amount: u64) {
        if let Some(banker) = self.chemin.banker.as_mut() {
            banker.bank -= amount;
            banker.garaje += amount;
        }
    }

    /// The banker gives the bank up.
    pub(super) fn pass_bank(&mut self, why: BankWhy) -> Option<u64> {
        let banker = self.chemin.banker.take()?;
        let amount = banker.bank + banker.garaje;
        let wrong = self.coup > 0 && self.wants(Fault::BankTakesTooMuch);
        let given = amount + if wrong { 100 } else { 0 };
        let (seat, player) = (banker.who.seat, Some(banker.who.player.clone()));
        let sequence = self.tell(Body::BankPassed(BankPassed { seat, player, amount: money(given), why }));
        if wrong {
            self.plant(Fault::BankTakesTooMuch, sequence, None);
        }
        let by_choice = matches!(why, BankWhy::Voluntary | BankWhy::Left);
        let own = if banker.who.stands { self.chemin.last_seated } else { banker.who.seat };
        let from = if why == BankWhy::Lost || why == BankWhy::ShoeEnd {
            self.chemin.bought_from.unwrap_or(banker.who.seat)
        } else {
            own
        };
        let mut excluded =
            if by_choice || why == BankWhy::Refused { vec![banker.who.clone()] } else { Vec::new() };
        if why == BankWhy::Refused {
            excluded.append(&mut self.chemin.free.excluded);
        }
        self.chemin.before = Some((banker.who.clone(), banker.bank));
        self.chemin.free = Free {
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
