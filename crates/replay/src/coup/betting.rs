//! The bets of a coup: what may be placed, what has to stand beside what, who holds punto's cards.

use baccarat::Money;
use events::{BetPlaced, Holder};

use super::{Bet, CoupInPlay, Standing};
use crate::Code;
use crate::rules::{Rules, StakeRange, share_of};
use crate::sink::Sink;

impl CoupInPlay {
    /// A bet is placed: seat, kind and stake are judged by the caller's rules.
    pub(crate) fn place(
        &mut self,
        placed: &BetPlaced,
        rules: Option<(&Rules, &[StakeRange])>,
        sink: &mut Sink,
    ) {
        if self.under_way() && !self.reopened() {
            let expected = "a bet before the bets were closed and the first card was drawn";
            sink.accuse(self.accusation(Code::BetLate, expected, format!("bet {} afterwards", placed.bet)));
        }
        let bet = self.judged(placed, rules, sink);
        self.bets.push(bet);
    }

    /// A bet with its kind and the limit it exceeds.
    fn judged(&mut self, placed: &BetPlaced, rules: Option<(&Rules, &[StakeRange])>, sink: &mut Sink) -> Bet {
        let kind = rules.and_then(|(rules, _)| rules.kind(&placed.kind));
        let mut limit = None;
        if let Some((rules, ranges)) = rules {
            match kind {
                Some(kind) => {
                    limit = self.check_stake(placed, ranges[kind], sink);
                    self.check_pair(placed, kind, rules, sink);
                }
                None => {
                    let offered: Vec<&str> = rules.book.bets.keys().map(baccarat::BetKind::as_str).collect();
                    let expected = format!("one of {}", offered.join(", "));
                    sink.accuse(self.accusation(Code::BetKind, expected, &placed.kind));
                }
            }
        }
        if let (Some((rules, _)), Some(kind)) = (rules, kind)
            && rules.is_noted(kind)
        {
            self.stakes.place(placed.seat, placed.player.as_ref(), kind, placed.stake);
        }
        Bet {
            id: placed.bet,
            seat: placed.seat,
            player: placed.player.clone(),
            kind,
            stake: placed.stake,
            limit,
            standing: Standing::Stands,
            changed: None,
        }
    }

    fn check_stake(&self, placed: &BetPlaced, range: StakeRange, sink: &mut Sink) -> Option<Money> {
        let recorded = || format!("{} on {}", placed.stake, placed.kind);
        if let Some(minimum) = range.minimum
            && placed.stake < minimum
        {
            sink.accuse(
                self.accusation(Code::BetBelowMinimum, format!("at least {minimum}"), recorded())
                    .about(&placed.kind),
            );
        }
        if placed.stake <= range.maximum {
            return None;
        }
        let expected = format!("at most {}", range.maximum);
        sink.accuse(self.accusation(Code::BetAboveMaximum, expected, recorded()).about(&placed.kind));
        Some(range.maximum)
    }

    fn check_pair(&self, placed: &BetPlaced, kind: usize, rules: &Rules, sink: &mut Sink) {
        let player = placed.player.as_ref();
        let excluded = rules.excluded_by(kind).iter();
        for other in excluded.filter(|other| self.stakes.on(placed.seat, player, **other).is_some()) {
            let expected = format!("{} or {}, not both", rules.name(*other), placed.kind);
            let recorded = format!("bet {} on {} as well at seat {}", placed.bet, placed.kind, placed.seat);
            sink.accuse(self.accusation(Code::BetForbiddenPair, expected, recorded));
        }
    }

    /// No more bets: those that need another bet beside them must have it.
    pub(crate) fn close(&mut self, rules: Option<&Rules>, sink: &mut Sink) {
        self.closed = true;
        self.judge_required(rules, sink);
        if let Some(rules) = rules {
            self.judge_stakes(rules, sink);
        }
    }

    pub(super) fn judge_required(&mut self, rules: Option<&Rules>, sink: &mut Sink) {
        let Some(rules) = rules.filter(|rules| rules.any_required && !self.required_judged) else { return };
        self.required_judged = true;
        for place in 0..self.bets.len() {
            let limit = self.limit_by_required(&self.bets[place], rules, sink);
            let bet = &mut self.bets[place];
            bet.limit = limit.map_or(bet.limit, |limit| Some(bet.limit.map_or(limit, |own| own.min(limit))));
        }
    }

    /// What the bets it requires leave of a stake, where that is less than the stake.
    fn limit_by_required(&self, bet: &Bet, rules: &Rules, sink: &mut Sink) -> Option<Money> {
        let kind = bet.kind.filter(|_| bet.standing == Standing::Stands)?;
        let required = rules.required_by(kind);
        if required.is_empty() {
            return None;
        }
        let on = |kind: &usize| self.stakes.on(bet.seat, bet.player.as_ref(), *kind);
        let recorded = || format!("bet {} of {} at seat {}", bet.id, bet.stake, bet.seat);
        let Some(sum) = required.iter().filter_map(on).reduce(Money::plus) else {
            let names: Vec<&str> = required.iter().map(|kind| rules.name(*kind).as_str()).collect();
            let expected = format!("a bet on {} beside it", names.join(" or "));
            let accusation = self.accusation(Code::BetWithoutMain, expected, format!("{} alone", recorded()));
            sink.accuse(accusation.about(rules.name(kind)));
            return Some(Money::ZERO);
        };
        let most = rules.bet(kind).cap_of_required.map(|share| share_of(share, sum))?;
        if bet.stake <= most {
            return None;
        }
        let expected = format!("at most {most} beside main bets of {sum}");
        sink.accuse(self.accusation(Code::BetAboveMain, expected, recorded()).about(rules.name(kind)));
        Some(most)
    }

    pub(crate) fn withdraw(&mut self, id: u64, sink: &mut Sink) {
        let late = self.under_way() && !self.reopened();
        let standing = |bet: &&mut Bet| bet.id == id && bet.standing == Standing::Stands;
        let Some(bet) = self.bets.iter_mut().find(standing) else {
            sink.accuse(self.accusation(
                Code::BetUnknown,
                "a bet standing in this coup",
                format!("bet {id} taken back"),
            ));
            return;
        };
        bet.standing = if late { Standing::WithdrawnLate } else { Standing::Withdrawn };
        if let Some(kind) = bet.kind {
            self.stakes.withdraw(bet.seat, bet.player.as_ref(), kind, bet.stake);
        }
        if late {
            let expected = "no withdrawal once the bets are closed";
            sink.accuse(self.accusation(Code::BetWithdrawnLate, expected, format!("bet {id} taken back")));
        }
    }

    /// Punto's cards are handed out.
    pub(crate) fn hold(&mut self, holder: Holder, rules: &Rules, sink: &mut Sink) {
        let Some(allowed) = self.allowed_holders(rules) else { return };
        if !allowed.contains(&holder) {
            let names: Vec<String> = allowed.iter().map(|holder| holder_name(*holder)).collect();
            sink.accuse(self.accusation(Code::PuntoHolder, names.join(" or "), holder_name(holder)));
        }
    }

    /// Everybody to whom they may go; `None` where that cannot be said.
    fn allowed_holders(&mut self, rules: &Rules) -> Option<Vec<Holder>> {
        use baccarat::{PuntoHolderRule, TieBreak};
        match rules.book.deal.punto_holder {
            PuntoHolderRule::Croupier => return Some(vec![Holder::Croupier]),
            PuntoHolderRule::Banco => return self.may_hold(rules),
            PuntoHolderRule::HighestPuntoBet => {}
        }
        let on_punto = |bet: &&Bet| {
            bet.standing == Standing::Stands
                && bet.kind.is_some_and(|kind| rules.name(kind).as_str() == "punto")
        };
        let Some(highest) = self.bets.iter().filter(on_punto).map(|bet| bet.stake).max() else {
            return Some(vec![Holder::Croupier]);
        };
        let mut seats: Vec<u8> = self
            .bets
            .iter()
            .filter(on_punto)
            .filter(|bet| bet.stake == highest)
            .map(|bet| bet.seat)
            .collect();
        match rules.book.deal.tie_break {
            TieBreak::Unstated => {
                seats.sort_unstable();
                seats.dedup();
            }
            TieBreak::FirstPlaced => seats.truncate(1),
            TieBreak::LowestSeat | TieBreak::Priority => {
                seats.sort_unstable();
                seats.truncate(1);
            }
        }
        Some(seats.into_iter().map(Holder::Seat).collect())
    }
}

fn holder_name(holder: Holder) -> String {
    match holder {
        Holder::Croupier => "the croupier".to_owned(),
        Holder::Seat(seat) => format!("seat {seat}"),
    }
}
