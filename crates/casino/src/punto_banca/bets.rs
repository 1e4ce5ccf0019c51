//! The bets of one coup, and what they return.

use baccarat::{BetKind, BetRule, Coup, Money, OverLimit, Pays, PuntoHolderRule, Settlement};
use events::{BetPlaced, BetSettled, BetWithdrawn, Body, Name};

use super::PuntoBanca;
use crate::Fault;
use crate::session::money;

/// A bet that stands.
#[derive(Debug, Clone)]
pub(super) struct Bet {
    pub(super) id: u64,
    pub(super) seat: u8,
    pub(super) kind: BetKind,
    pub(super) stake: Money,
    /// The limit it exceeds.
    over: Option<Money>,
}

impl Bet {
    /// The stake given back whole.
    pub(super) const fn returned(&self) -> BetSettled {
        BetSettled { bet: self.id, returned: self.stake, commission: Money::ZERO }
    }
}

impl PuntoBanca {
    /// Guests place their bets; some take one back.
    pub(super) fn take_bets(&mut self) -> Vec<Bet> {
        let mut bets: Vec<Bet> = Vec::new();
        let side_kinds: Vec<BetKind> =
            self.session.kinds().into_iter().filter(|kind| !is_main(kind)).collect();
        // About one side bet per guest, however many kinds there are.
        let likely = (150 / (side_kinds.len() as u64).max(1)).min(15);
        let guests: Vec<(u8, Name)> =
            self.session.players.iter().map(|(seat, player)| (*seat, player.clone())).collect();
        for (seat, player) in &guests {
            if self.session.dice.chance(85) {
                let kind = if self.session.dice.chance(50) { "punto" } else { "banca" };
                bets.extend(kind.parse().ok().and_then(|kind| self.place(*seat, player, kind, &bets)));
            }
            self.place_more(*seat, player, &mut bets);
            for kind in &side_kinds {
                if self.session.dice.chance(likely) {
                    bets.extend(self.place(*seat, player, kind.clone(), &bets));
                }
            }
        }
        if bets.len() > 2 && self.session.dice.chance(5) {
            let gone = bets.remove(bets.len() - 1);
            self.session.record(Body::BetWithdrawn(BetWithdrawn { bet: gone.id }));
        }
        for (seat, player) in &guests {
            bets.extend(self.crooked_bet(*seat, player, &bets.clone()));
        }
        bets
    }

    /// Largest stake on a kind: the table's maximum, or the bet's share of it.
    pub(super) fn most(&self, kind: &BetKind) -> u64 {
        let maximum = self.session.limits.maximum.get();
        let cap = self.session.book.bets.get(kind).and_then(|rule| rule.cap);
        cap.map_or(maximum, |cap| maximum * u64::from(cap.numerator()) / u64::from(cap.denominator()))
    }

    /// Largest stake that the main bets of a seat allow on a kind; `None` where it needs none.
    fn most_beside_main(&self, kind: &BetKind, seat: u8, bets: &[Bet]) -> Option<u64> {
        let rule = self.session.book.bets.get(kind).filter(|rule| !rule.requires.is_empty())?;
        let main = |bet: &&Bet| bet.seat == seat && rule.requires.contains(&bet.kind);
        let sum: u64 = bets.iter().filter(main).map(|bet| bet.stake.get()).sum();
        let share = rule.cap_of_required;
        let capped = share.map(|cap| sum * u64::from(cap.numerator()) / u64::from(cap.denominator()));
        Some(if sum == 0 { 0 } else { capped.unwrap_or(u64::MAX) })
    }

    fn place(&mut self, seat: u8, player: &Name, kind: BetKind, bets: &[Bet]) -> Option<Bet> {
        let unit = self.session.limits.multiple.map_or(500, Money::get);
        let beside = self.most_beside_main(&kind, seat, bets).unwrap_or(u64::MAX);
        let (least, most) =
            (self.session.limits.minimum.get().div_ceil(unit), self.most(&kind).min(beside) / unit);
        if most < least {
            return None;
        }
        let stake = money((least + self.session.dice.below((most - least + 1).min(12))) * unit);
        Some(self.place_exactly(seat, player, kind, stake).0)
    }

    pub(super) fn place_exactly(
        &mut self,
        seat: u8,
        player: &Name,
        kind: BetKind,
        stake: Money,
    ) -> (Bet, u64) {
        let id = self.session.next_bet;
        self.session.next_bet += 1;
        self.place_as(id, seat, player, kind, stake)
    }

    fn place_as(&mut self, id: u64, seat: u8, player: &Name, kind: BetKind, stake: Money) -> (Bet, u64) {
        let player = Some(player.clone());
        let placed = BetPlaced { coup: self.session.coup, bet: id, seat, player, kind: kind.clone(), stake };
        let sequence = self.session.record(Body::BetPlaced(placed));
        (Bet { id, seat, kind, stake, over: None }, sequence)
    }

    /// The one bet that should not have been accepted, if that is the fault to plant.
    fn crooked_bet(&mut self, seat: u8, player: &Name, bets: &[Bet]) -> Option<Bet> {
        let unit = self.session.limits.multiple.map_or(500, Money::get);
        let (least, most) = (self.session.limits.minimum.get(), self.session.limits.maximum.get());
        let punto: BetKind = "punto".parse().ok()?;
        let free = has_no_main(bets, seat);
        let kind_where = |fits: fn(&BetRule) -> bool| {
            self.session.book.bets.iter().find(|(_, rule)| fits(rule)).map(|(kind, _)| kind.clone())
        };
        let wanted = |fault| self.session.wants(fault);
        let (fault, seat, kind, stake) = if wanted(Fault::OverLimit) && free {
            (Fault::OverLimit, seat, punto, most + unit)
        } else if wanted(Fault::BelowMinimum) && free {
            (Fault::BelowMinimum, seat, punto, least - 100)
        } else if wanted(Fault::NotAMultiple) && free && self.session.limits.multiple.is_some() {
            (Fault::NotAMultiple, seat, punto, least + unit / 2)
        } else if wanted(Fault::UnknownSeat) && self.may_bet_elsewhere(seat, bets) {
            (Fault::UnknownSeat, self.session.seats.last()? + 20, self.beside(seat, punto, bets), least)
        } else if wanted(Fault::UnknownKind) {
            (Fault::UnknownKind, seat, "lucky-nine".parse().ok()?, least)
        } else if wanted(Fault::BetIdReused) && free && self.session.next_bet > bets.len() as u64 + 5 {
            (Fault::BetIdReused, seat, punto, least)
        } else if wanted(Fault::OverCap) {
            let kind = kind_where(Fault::is_capped)?;
            let most = self.most(&kind);
            (Fault::OverCap, seat, kind, most + unit)
        } else if wanted(Fault::SideBetAlone) && free {
            (Fault::SideBetAlone, seat, kind_where(|rule| !rule.requires.is_empty())?, least)
        } else if wanted(Fault::SideBetTooLarge) && !free {
            let kind = kind_where(|rule| rule.cap_of_required.is_some())?;
            let stake = (self.most_beside_main(&kind, seat, bets)? / unit + 1) * unit;
            (Fault::SideBetTooLarge, seat, kind.clone(), (stake <= self.most(&kind)).then_some(stake)?)
        } else if wanted(Fault::ForbiddenPair) {
            return self.forbidden_pair(seat, player, bets);
        } else {
            return None;
        };
        // Ids of earlier coups are used up; the first bets of this one are at the end.
        let id = if fault == Fault::BetIdReused { 1 } else { self.session.next_bet };
        self.session.next_bet += u64::from(id == self.session.next_bet);
        let (mut bet, sequence) = self.place_as(id, seat, player, kind, money(stake));
        if matches!(fault, Fault::OverLimit | Fault::OverCap) {
            bet.over = Some(money(self.most(&bet.kind)));
        }
        if matches!(fault, Fault::SideBetAlone | Fault::SideBetTooLarge) {
            bet.over = self.most_beside_main(&bet.kind, seat, bets).map(money);
        }
        self.session.plant(fault, sequence, Some(self.session.coup));
        Some(bet)
    }

    /// Whether a bet on punto more of this seat's player changes nothing about who holds its cards.
    fn may_bet_elsewhere(&self, seat: u8, bets: &[Bet]) -> bool {
        let free = self.session.book.deal.punto_holder != PuntoHolderRule::HighestPuntoBet;
        free || !bets.iter().any(|bet| bet.seat == seat && bet.kind.as_str() == "punto")
    }

    /// A main bet that a player of this seat may have beside the others: where two exclude each other, the
    /// one that is there already.
    fn beside(&self, seat: u8, wanted: BetKind, bets: &[Bet]) -> BetKind {
        let mut pairs = self.session.book.forbidden_pairs.iter().filter(|pair| pair.bets.contains(&wanted));
        let other = bets.iter().find(|bet| bet.seat == seat && is_main(&bet.kind) && bet.kind != wanted);
        let excluded = |bet: &&Bet| pairs.any(|pair| pair.bets.contains(&bet.kind));
        other.filter(excluded).map_or(wanted, |bet| bet.kind.clone())
    }

    fn forbidden_pair(&mut self, seat: u8, player: &Name, bets: &[Bet]) -> Option<Bet> {
        let pair = self.session.book.forbidden_pairs.first()?.bets.clone();
        let has = |kind: &BetKind| bets.iter().any(|bet| bet.seat == seat && bet.kind == *kind);
        let other = match (has(&pair[0]), has(&pair[1])) {
            (true, false) => pair[1].clone(),
            (false, true) => pair[0].clone(),
            (true, true) | (false, false) => return None,
        };
        let (bet, sequence) = self.place_exactly(seat, player, other, self.session.limits.minimum);
        self.session.plant(Fault::ForbiddenPair, sequence, Some(self.session.coup));
        Some(bet)
    }

    /// After "no va más": a late bet, or a late withdrawal.
    pub(super) fn too_late(&mut self, bets: &mut Vec<Bet>) {
        let free = self.session.players.iter().find(|(seat, _)| has_no_main(bets, **seat));
        let guest = free.or_else(|| self.session.players.first_key_value());
        let Some((seat, player)) = guest.map(|(seat, player)| (*seat, player.clone())) else { return };
        if self.session.wants(Fault::LateBet) && has_no_main(bets, seat) {
            if let Ok(kind) = "punto".parse() {
                let (bet, sequence) = self.place_exactly(seat, &player, kind, self.session.limits.minimum);
                bets.push(bet);
                self.late = bets.last().cloned();
                self.session.plant(Fault::LateBet, sequence, Some(self.session.coup));
            }
        } else if self.session.wants(Fault::LateWithdrawal) && bets.len() > 2 {
            let gone = bets.remove(0);
            self.late = Some(gone.clone());
            let sequence = self.session.record(Body::BetWithdrawn(BetWithdrawn { bet: gone.id }));
            self.session.plant(Fault::LateWithdrawal, sequence, Some(self.session.coup));
        }
    }

    /// What is due for a bet.
    pub(super) fn due(&self, bet: &Bet, coup: &Coup) -> Settlement {
        let back = Settlement { returned: bet.stake, commission: Money::ZERO };
        let Some(decision) = self.session.book.bets.get(&bet.kind).and_then(|rule| rule.decide(coup)) else {
            return back;
        };
        let Some(limit) = bet.over else { return self.session.book.settle(bet.stake, decision) };
        match self.session.book.limits.over_limit {
            OverLimit::PaidInFull => self.session.book.settle(bet.stake, decision),
            OverLimit::Void => back,
            OverLimit::Capped => {
                let settled = self.session.book.settle(limit, decision);
                Settlement { returned: settled.returned.plus(bet.stake.minus(limit)), ..settled }
            }
        }
    }

    /// Whether the bet wins.
    pub(super) fn wins(&self, bet: &Bet, coup: &Coup) -> bool {
        let decision = self.session.book.bets.get(&bet.kind).and_then(|rule| rule.decide(coup));
        decision.is_some_and(|decision| matches!(decision.pays, Pays::Wins(_)))
    }

    /// The settlement of every bet, and the fault that was planted in it.
    pub(super) fn settle_bets(&mut self, bets: &[Bet], coup: &Coup) -> (Vec<BetSettled>, Option<Fault>) {
        let mut lines: Vec<BetSettled> = bets
            .iter()
            .map(|bet| {
                let due = self.due(bet, coup);
                BetSettled { bet: bet.id, returned: due.returned, commission: due.commission }
            })
            .collect();
        let fault = self.crooked_payout(bets, coup, &mut lines);
        if fault.is_some() {
            self.note_payouts(bets, coup, &lines);
        }
        if self.boxed() {
            let mut marked: Vec<u64> = Vec::new();
            for line in &lines {
                let Some(bet) =
                    bets.iter().find(|bet| bet.id == line.bet).filter(|_| !marked.contains(&line.bet))
                else {
                    continue;
                };
                marked.push(line.bet);
                let owed = self.boxes.entry(bet.seat).or_default();
                *owed = owed.plus(line.commission);
            }
        }
        (lines, fault)
    }

    fn crooked_payout(&self, bets: &[Bet], coup: &Coup, lines: &mut Vec<BetSettled>) -> Option<Fault> {
        let known = |bet: &Bet| self.session.book.bets.contains_key(&bet.kind);
        let won = bets.iter().position(|bet| known(bet) && self.wins(bet, coup));
        let taxed = lines.iter().position(|line| line.commission > Money::ZERO);
        if self.session.wants(Fault::Overpaid)
            && let Some(at) = won
        {
            lines[at].returned = lines[at].returned.plus(money(100));
            return Some(Fault::Overpaid);
        }
        if self.session.wants(Fault::Underpaid)
            && let Some(at) = won
        {
            lines[at].returned = lines[at].returned.minus(money(100));
            return Some(Fault::Underpaid);
        }
        if self.session.wants(Fault::WrongSeat)
            && let Some(at) = won
        {
            let loser =
                |other: usize| bets[other].seat != bets[at].seat && lines[other].returned == Money::ZERO;
            let other = (0..bets.len()).find(|other| known(&bets[*other]) && loser(*other))?;
            let (paid, commission) = (lines[at].returned, lines[at].commission);
            (lines[other].returned, lines[other].commission) = (paid, commission);
            (lines[at].returned, lines[at].commission) = (Money::ZERO, Money::ZERO);
            return Some(Fault::WrongSeat);
        }
        if self.session.wants(Fault::CommissionMissing)
            && let Some(at) = taxed
        {
            let back = if self.boxed() { Money::ZERO } else { lines[at].commission };
            lines[at].returned = lines[at].returned.plus(back);
            lines[at].commission = Money::ZERO;
            return Some(Fault::CommissionMissing);
        }
        if self.session.wants(Fault::CommissionWrong)
            && let Some(at) = taxed
        {
            lines[at].commission = lines[at].commission.plus(money(1));
            if !self.boxed() {
                lines[at].returned = lines[at].returned.minus(money(1));
            }
            return Some(Fault::CommissionWrong);
        }
        if self.session.wants(Fault::BetLeftOut) && lines.len() > 1 {
            lines.remove(0);
            return Some(Fault::BetLeftOut);
        }
        if self.session.wants(Fault::BetSettledTwice)
            && let Some(first) = lines.first().copied()
        {
            lines.push(first);
            return Some(Fault::BetSettledTwice);
        }
        None
    }

    /// Seats that may hold punto's cards: those with the highest sum on punto.
    pub(super) fn holders(bets: &[Bet]) -> Vec<u8> {
        let on_punto = || bets.iter().filter(|bet| bet.kind.as_str() == "punto");
        let sum =
            |seat: u8| -> u64 { on_punto().filter(|bet| bet.seat == seat).map(|bet| bet.stake.get()).sum() };
        let highest = on_punto().map(|bet| sum(bet.seat)).max();
        let mut seats: Vec<u8> =
            on_punto().map(|bet| bet.seat).filter(|seat| Some(sum(*seat)) == highest).collect();
        seats.dedup();
        seats
    }
}

fn is_main(kind: &BetKind) -> bool {
    ["punto", "banca"].contains(&kind.as_str())
}

/// Whether a bet on punto or banca is still missing at the seat.
fn has_no_main(bets: &[Bet], seat: u8) -> bool {
    !bets.iter().any(|bet| bet.seat == seat && is_main(&bet.kind))
}
