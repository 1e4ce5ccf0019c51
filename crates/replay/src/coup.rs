//! One coup: its bets, its cards, and what had to happen with them.

use baccarat::{Coup, Deal, Expect, Face, Money, Side, Winner};
use events::{BetPlaced, CardDrawn, CoupSettled, Destination, Holder, Name};

use crate::Code;
use crate::issue::Issue;
use crate::rules::{Rules, StakeRange, share_of};
use crate::stakes::Stakes;
use crate::verdict::Reason;

/// What became of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Stands,
    Withdrawn,
    /// Taken back after "no va más": what comes back for it is not judged again.
    WithdrawnLate,
    Settled,
}

/// A bet of the coup in play.
#[derive(Debug, Clone)]
pub(crate) struct Bet {
    pub(crate) id: u64,
    pub(crate) seat: u8,
    pub(crate) player: Option<Name>,
    /// Number of its kind, `None` where the rulebook does not offer it.
    pub(crate) kind: Option<usize>,
    pub(crate) stake: Money,
    /// The limit it exceeds.
    pub(crate) limit: Option<Money>,
    pub(crate) standing: Standing,
}

/// A coup in play.
#[derive(Debug)]
pub(crate) struct CoupInPlay {
    pub(crate) number: u32,
    pub(crate) deal: Deal,
    closed: bool,
    pub(crate) bets: Vec<Bet>,
    stakes: Stakes,
    /// Whether bets that require others were looked at.
    required_judged: bool,
    pub(crate) violated: bool,
    pub(crate) undecided: Option<Reason>,
    /// Cards drawn for it, those removed from play included.
    drawn: u32,
    misdealt: bool,
    pub(crate) drawn_cards: Vec<CardDrawn>,
}

impl CoupInPlay {
    pub(crate) fn new(number: u32) -> Self {
        Self {
            number,
            deal: Deal::default(),
            closed: false,
            bets: Vec::new(),
            stakes: Stakes::default(),
            required_judged: false,
            violated: false,
            undecided: None,
            drawn: 0,
            misdealt: false,
            drawn_cards: Vec::new(),
        }
    }

    /// The first reason stays: it is what the later ones follow from.
    pub(crate) fn doubt(&mut self, reason: Reason) {
        self.undecided.get_or_insert(reason);
    }

    /// Whether bets are over.
    pub(crate) const fn under_way(&self) -> bool {
        self.closed || self.drawn > 0
    }

    /// A bet is placed: seat, kind and stake are judged by the caller's rules.
    pub(crate) fn place(
        &mut self,
        placed: &BetPlaced,
        rules: Option<(&Rules, &[StakeRange])>,
        issues: &mut Vec<Issue>,
    ) {
        if self.under_way() {
            let expected = "a bet before the bets were closed and the first card was drawn";
            issues.push(self.issue(Code::BetLate, expected, format!("bet {} afterwards", placed.bet)));
        }
        let kind = rules.and_then(|(rules, _)| rules.kind(&placed.kind));
        let mut limit = None;
        if let Some((rules, ranges)) = rules {
            match kind {
                Some(kind) => {
                    limit = self.check_stake(placed, ranges[kind], issues);
                    self.check_pair(placed, kind, rules, issues);
                }
                None => {
                    let offered: Vec<&str> = rules.book.bets.keys().map(baccarat::BetKind::as_str).collect();
                    let expected = format!("one of {}", offered.join(", "));
                    issues.push(self.issue(Code::BetKind, expected, &placed.kind));
                }
            }
        }
        if let (Some((rules, _)), Some(kind)) = (rules, kind)
            && rules.is_noted(kind)
        {
            self.stakes.place(placed.seat, placed.player.as_ref(), kind, placed.stake);
        }
        self.bets.push(Bet {
            id: placed.bet,
            seat: placed.seat,
            player: placed.player.clone(),
            kind,
            stake: placed.stake,
            limit,
            standing: Standing::Stands,
        });
    }

    fn check_stake(&self, placed: &BetPlaced, range: StakeRange, issues: &mut Vec<Issue>) -> Option<Money> {
        let recorded = || format!("{} on {}", placed.stake, placed.kind);
        if let Some(minimum) = range.minimum
            && placed.stake < minimum
        {
            issues.push(
                self.issue(Code::BetBelowMinimum, format!("at least {minimum}"), recorded())
                    .about(&placed.kind),
            );
        }
        if placed.stake <= range.maximum {
            return None;
        }
        let expected = format!("at most {}", range.maximum);
        issues.push(self.issue(Code::BetAboveMaximum, expected, recorded()).about(&placed.kind));
        Some(range.maximum)
    }

    fn check_pair(&self, placed: &BetPlaced, kind: usize, rules: &Rules, issues: &mut Vec<Issue>) {
        let player = placed.player.as_ref();
        let excluded = rules.excluded_by(kind).iter();
        for other in excluded.filter(|other| self.stakes.on(placed.seat, player, **other).is_some()) {
            let expected = format!("{} or {}, not both", rules.name(*other), placed.kind);
            let recorded = format!("bet {} on {} as well at seat {}", placed.bet, placed.kind, placed.seat);
            issues.push(self.issue(Code::BetForbiddenPair, expected, recorded));
        }
    }

    /// No more bets: those that need another bet beside them must have it.
    pub(crate) fn close(&mut self, rules: Option<&Rules>, issues: &mut Vec<Issue>) {
        self.closed = true;
        self.judge_required(rules, issues);
    }

    fn judge_required(&mut self, rules: Option<&Rules>, issues: &mut Vec<Issue>) {
        let Some(rules) = rules.filter(|rules| rules.any_required && !self.required_judged) else { return };
        self.required_judged = true;
        for place in 0..self.bets.len() {
            let limit = self.limit_by_required(&self.bets[place], rules, issues);
            let bet = &mut self.bets[place];
            bet.limit = limit.map_or(bet.limit, |limit| Some(bet.limit.map_or(limit, |own| own.min(limit))));
        }
    }

    /// What the bets it requires leave of a stake, where that is less than the stake.
    fn limit_by_required(&self, bet: &Bet, rules: &Rules, issues: &mut Vec<Issue>) -> Option<Money> {
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
            let issue = self.issue(Code::BetWithoutMain, expected, format!("{} alone", recorded()));
            issues.push(issue.about(rules.name(kind)));
            return Some(Money::ZERO);
        };
        let most = rules.bet(kind).cap_of_required.map(|share| share_of(share, sum))?;
        if bet.stake <= most {
            return None;
        }
        let expected = format!("at most {most} beside main bets of {sum}");
        issues.push(self.issue(Code::BetAboveMain, expected, recorded()).about(rules.name(kind)));
        Some(most)
    }

    pub(crate) fn withdraw(&mut self, id: u64, issues: &mut Vec<Issue>) {
        let late = self.under_way();
        let standing = |bet: &&mut Bet| bet.id == id && bet.standing == Standing::Stands;
        let Some(bet) = self.bets.iter_mut().find(standing) else {
            issues.push(self.issue(
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
            issues.push(self.issue(Code::BetWithdrawnLate, expected, format!("bet {id} taken back")));
        }
    }

    /// Punto's cards are handed out.
    pub(crate) fn hold(&self, holder: Holder, rules: &Rules, issues: &mut Vec<Issue>) {
        let allowed = self.allowed_holders(rules);
        if !allowed.contains(&holder) {
            let names: Vec<String> = allowed.iter().map(|holder| holder_name(*holder)).collect();
            issues.push(self.issue(Code::PuntoHolder, names.join(" or "), holder_name(holder)));
        }
    }

    fn allowed_holders(&self, rules: &Rules) -> Vec<Holder> {
        use baccarat::{PuntoHolderRule, TieBreak};
        match rules.book.deal.punto_holder {
            PuntoHolderRule::Croupier => return vec![Holder::Croupier],
            PuntoHolderRule::HighestPuntoBet => {}
        }
        let on_punto = |bet: &&Bet| {
            bet.standing == Standing::Stands
                && bet.kind.is_some_and(|kind| rules.name(kind).as_str() == "punto")
        };
        let Some(highest) = self.bets.iter().filter(on_punto).map(|bet| bet.stake).max() else {
            return vec![Holder::Croupier];
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
            TieBreak::LowestSeat => {
                seats.sort_unstable();
                seats.truncate(1);
            }
        }
        seats.into_iter().map(Holder::Seat).collect()
    }

    /// A card is drawn for this coup.
    pub(crate) fn draw(
        &mut self,
        drawn: &CardDrawn,
        rules: Option<&Rules>,
        keep: bool,
        issues: &mut Vec<Issue>,
    ) {
        if self.drawn == 0 {
            self.judge_required(rules, issues);
        }
        if self.drawn == 0 && !self.closed {
            let expected = "the bets closed before the first card";
            issues.push(self.issue(Code::CardBeforeBetsClosed, expected, "a card while bets were open"));
        }
        self.drawn = self.drawn.saturating_add(1);
        if keep {
            self.drawn_cards.push(drawn.clone());
        }
        let side = match drawn.to {
            Destination::Punto => Side::Punto,
            Destination::Banca => Side::Banca,
            Destination::Removed => return,
        };
        if let Some(rules) = rules {
            self.check_destination(side, drawn.card, rules, issues);
        }
        self.deal.give(side, drawn.card);
    }

    fn check_destination(&mut self, side: Side, card: Face, rules: &Rules, issues: &mut Vec<Issue>) {
        let recorded = || format!("{card} to {side}");
        match self.deal.expect(&rules.book) {
            Expect::Unknown => self.doubt(Reason::CardUnread),
            Expect::Card(due) if due == side => {}
            Expect::Card(due) if self.deal.count() < 4 => {
                if !self.misdealt {
                    let expected = format!("card {} to {due}", self.deal.count() + 1);
                    issues.push(self.issue(Code::DealOrder, expected, recorded()));
                }
                self.misdealt = true;
            }
            Expect::Card(Side::Punto) => {
                issues.push(self.issue(Code::PuntoStood, self.why_punto("punto draws"), recorded()));
                self.deal.stand_punto();
                self.check_after_punto_stood(side, card, rules, issues);
            }
            Expect::Card(Side::Banca) | Expect::Finished => {
                let code = self.surplus(side);
                issues.push(self.issue(code, self.why_over(code), recorded()));
            }
        }
    }

    /// Punto stood against the rule and this card went to banca: it is right where banca has to
    /// draw by the hands as they lie.
    fn check_after_punto_stood(&mut self, side: Side, card: Face, rules: &Rules, issues: &mut Vec<Issue>) {
        if self.deal.expect(&rules.book) == Expect::Finished {
            let code = self.surplus(side);
            issues.push(self.issue(code, self.why_over(code), format!("{card} to {side}")));
        }
    }

    /// What a card to `side` is called when it was not due.
    fn surplus(&self, side: Side) -> Code {
        let cards = self.deal.faces(side).len();
        if self.is_natural() {
            Code::NaturalDrawn
        } else if cards >= 3 {
            Code::ExtraCard
        } else {
            match side {
                Side::Punto => Code::PuntoDrew,
                Side::Banca => Code::BancaDrew,
            }
        }
    }

    fn two_card_total(&self, side: Side) -> Option<u8> {
        match self.deal.faces(side) {
            [first, second, ..] => Some(first.card()?.points().plus(second.card()?.points()).get()),
            [_] | [] => None,
        }
    }

    fn is_natural(&self) -> bool {
        [Side::Punto, Side::Banca]
            .into_iter()
            .any(|side| self.two_card_total(side).is_some_and(|total| total >= 8))
    }

    fn why_punto(&self, what: &str) -> String {
        format!("{what} on {}", self.two_card_total(Side::Punto).unwrap_or_default())
    }

    fn why_banca(&self, what: &str) -> String {
        let total = self.two_card_total(Side::Banca).unwrap_or_default();
        match self.deal.faces(Side::Punto) {
            [_, _, third] => format!("{what} on {total} against punto's third card {third}"),
            _ => format!("{what} on {total} when punto stands"),
        }
    }

    fn why_over(&self, code: Code) -> String {
        if code == Code::PuntoDrew {
            self.why_punto("punto stands")
        } else if code == Code::BancaDrew {
            self.why_banca("banca stands")
        } else if code == Code::NaturalDrawn {
            "no card: a natural ends the coup".to_owned()
        } else {
            "no card: the hand has three".to_owned()
        }
    }

    /// The coup is settled: whatever had to be drawn by now is missing.
    pub(crate) fn check_finished(&mut self, rules: &Rules, issues: &mut Vec<Issue>) {
        if self.deal.faces(Side::Punto).len() < 2 || self.deal.faces(Side::Banca).len() < 2 {
            let recorded = format!("{} cards", self.deal.count());
            issues.push(self.issue(Code::DealShort, "two cards to each hand", recorded));
            return;
        }
        if self.deal.expect(&rules.book) == Expect::Card(Side::Punto) {
            issues.push(self.issue(Code::PuntoStood, self.why_punto("punto draws"), "punto stood"));
            self.deal.stand_punto();
        }
        match self.deal.expect(&rules.book) {
            Expect::Card(_) => {
                issues.push(self.issue(Code::BancaStood, self.why_banca("banca draws"), "banca stood"));
            }
            Expect::Finished => {}
            Expect::Unknown => self.doubt(Reason::CardUnread),
        }
    }

    /// Totals and winner as announced against the hands as dealt.
    pub(crate) fn check_result(&mut self, settled: &CoupSettled, issues: &mut Vec<Issue>) -> Option<Coup> {
        let Some(coup) = self.deal.coup() else {
            self.doubt(Reason::CardUnread);
            return None;
        };
        let totals = (coup.punto.total().get(), coup.banca.total().get());
        if totals != (settled.punto_total, settled.banca_total) {
            let told = |(punto, banca): (u8, u8)| format!("punto {punto}, banca {banca}");
            let recorded = told((settled.punto_total, settled.banca_total));
            issues.push(self.issue(Code::TotalWrong, told(totals), recorded));
        }
        let winner: Winner = coup.winner();
        if winner != settled.winner {
            issues.push(self.issue(Code::WinnerWrong, winner, settled.winner));
        }
        Some(coup)
    }

    pub(crate) fn issue(&self, code: Code, expected: impl ToString, recorded: impl ToString) -> Issue {
        Issue::new(code, expected, recorded).in_coup(self.number)
    }
}

fn holder_name(holder: Holder) -> String {
    match holder {
        Holder::Croupier => "the croupier".to_owned(),
        Holder::Seat(seat) => format!("seat {seat}"),
    }
}
