//! All checks of one coup that is settled, and its money (`docs/judging.md`, "The money of a coup").

use std::collections::BTreeMap;

use baccarat::{Face, Outcome, Winner};
use events::CoupSettled;

use super::Checked;
use super::bets::{Bet, bets, late, not_placed};
use super::cards::{Dealt, deal};
use super::doubt::{Doubt, Open, doubt};
use super::lines::{Line, again, lines};
use super::payouts::payouts;
use super::paytables::Paytables;
use super::result::result;
use super::shoe_cards::ShoeCards;
use crate::SeatMoney;
use crate::account::{BetAccount, SumRange, by_seat, signed};
use crate::reading::{CoupRecord, Explanation, Misread, ShoeRecord, Told};
use crate::worlds::{Owed, Rightful, Worlds, rightful};

/// What is wrong in a coup, and what each of its bets returned and had to return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoupChecked {
    /// What is wrong, and whether anything is not known.
    pub checked: Checked,
    /// Every bet that was not taken back in time; empty if the money of the coup is not judged.
    pub bets: Vec<BetAccount>,
    /// Who won by the cards, if that is certain.
    pub winner: Option<Winner>,
}

/// Checks a coup of a shoe, by its place in it.
#[must_use]
pub fn coup(cards: &ShoeCards<'_, '_>, at: usize, tables: &Paytables<'_>) -> CoupChecked {
    let coup = &cards.shoe.coups[at];
    let doubt = doubt(cards.shoe, coup);
    let closed = |open| CoupChecked { checked: Checked::open(open), bets: Vec::new(), winner: None };
    let Some(settled) = coup.settlements.first() else {
        return closed(doubt.all.unwrap_or(Open::NotSettled));
    };
    if let Some(open) = doubt.all {
        return closed(open);
    }
    if tables.has_limited_payouts() {
        return closed(Open::Limits);
    }
    let mut money = Money { coup, settled, tables, bets: bets(coup, tables), lines: Vec::new() };
    let (lines, mut checked) = lines(settled, &money.bets, is_mistyped(cards.shoe, coup, settled));
    coup.settlements.iter().skip(1).for_each(|settled| checked.and(again(settled, &money.bets)));
    money.lines = lines;
    let mut judged = if doubt.cards {
        money.of_unknown_hands()
    } else {
        money.of_hands(deal(coup, tables.rules, cards.pool), &cards.after(at), doubt)
    };
    judged.checked.and(checked);
    judged.checked.and(not_placed(coup));
    judged.checked.found.sort_unstable();
    let is_missing_after = cards.shoe.missing.iter().any(|hole| hole.first > settled.sequence);
    if is_missing_after && !judged.checked.found.is_empty() {
        judged.checked.open = Some(Open::MayBeMended);
    }
    judged
}

/// Whether the reading understands an id in the settlement as mistyped.
pub(super) fn is_mistyped(
    shoe: &ShoeRecord<'_>,
    coup: &CoupRecord<'_>,
    settled: &Told<'_, CoupSettled>,
) -> bool {
    let of_coup = shoe.remarks.iter().filter(|remark| remark.coups.contains(&coup.number));
    of_coup.filter(|remark| remark.is_certain()).flat_map(|remark| remark.alternatives.iter().flatten()).any(
        |of| matches!(of, Explanation::Misread { at, what: Misread::Bet(_), .. } if *at == settled.sequence),
    )
}

/// The money of a settled coup while it is worked out.
struct Money<'r, 'a, 't> {
    coup: &'r CoupRecord<'a>,
    settled: &'r Told<'a, CoupSettled>,
    tables: &'r Paytables<'t>,
    bets: Vec<Bet<'r, 'a>>,
    lines: Vec<Line>,
}

/// What is known of a bet.
#[derive(Clone, Copy)]
struct Sums {
    recorded: i64,
    /// What findings measure from.
    due: Option<i64>,
    as_dealt: Option<SumRange>,
    by_rules: Option<SumRange>,
}

impl Money<'_, '_, '_> {
    fn at(&self) -> u64 {
        self.settled.corrected_by.unwrap_or(self.settled.sequence)
    }

    /// It is not known which hands were dealt: only what is wrong with any hands is found.
    fn of_unknown_hands(mut self) -> CoupChecked {
        let worlds = Worlds::any();
        for at in 0..self.bets.len() {
            self.owe_any(at, &worlds);
        }
        let mut checked = payouts(&self.bets, &self.lines, self.at(), self.tables);
        checked.open = Some(Open::Remarked);
        CoupChecked { checked, bets: Vec::new(), winner: None }
    }

    fn of_hands(mut self, dealt: Dealt, after: &[Face], doubt: Doubt) -> CoupChecked {
        let mut checked = dealt.checked;
        let worlds = match &dealt.deals {
            None => {
                let worlds = Worlds::of_short(&dealt.hands);
                (0..self.bets.len()).for_each(|at| self.owe_any(at, &worlds));
                worlds
            }
            Some(deals) => {
                let mut worlds = deals.worlds();
                checked.and(result(self.settled, &mut worlds));
                (0..self.bets.len()).for_each(|at| self.owe(at, &mut worlds));
                worlds
            }
        };
        let winner = dealt.deals.as_ref().and_then(|_| worlds.winner());
        let is_open = dealt.deals.is_none() || worlds.open().is_some();
        checked.open = doubt.order.then_some(Open::Remarked).or(is_open.then_some(Open::Unread));
        let mut sums: Vec<Sums> = (0..self.bets.len()).map(|at| self.sums(at, &worlds)).collect();
        checked.and(payouts(&self.bets, &self.lines, self.at(), self.tables));
        if let Some(fault) = checked.found.iter().position(|found| found.code.has_counterfactual()) {
            checked.found[fault].money = self.moved_by_draws(after, &mut sums);
        }
        for (bet, of) in self.bets.iter().zip(&mut sums) {
            if doubt.order {
                of.by_rules = of.by_rules.map(|due| due.and(signed(bet.stake())));
            } else {
                checked.and(late(bet, Some(of.recorded), of.due));
            }
        }
        let bets = self.bets.iter().zip(&sums).map(|(bet, of)| account(bet, of)).collect();
        CoupChecked { checked, bets, winner }
    }

    /// What is due for a bet by the hands; a bet taken back has no line of its own.
    fn owe(&mut self, at: usize, worlds: &mut Worlds) {
        let (bet, tables, line) = (self.bets[at], self.tables, &mut self.lines[at]);
        if bet.is_taken_back() || !bet.is_offered() {
            return;
        }
        line.owed = worlds.due(line.recorded, |outcome| bet.brings(outcome, tables), |due| due);
    }

    /// What may be due for a bet if the hands may be any of these, or the stake had to come back: one bet says nothing
    /// about another.
    fn owe_any(&mut self, at: usize, worlds: &Worlds) {
        let (bet, tables) = (self.bets[at], self.tables);
        if bet.is_taken_back() || !bet.is_offered() {
            return;
        }
        let mut dues = worlds.decisions(|outcome| bet.brings(outcome, tables));
        dues.push(bet.stake_back());
        let line = &mut self.lines[at];
        line.owed = Owed::of(dues, line.recorded);
    }

    fn sums(&self, at: usize, worlds: &Worlds) -> Sums {
        let (bet, line, tables) = (&self.bets[at], &self.lines[at], self.tables);
        let back = line.recorded.map_or(0, |recorded| tables.net(recorded));
        let stake = signed(bet.stake());
        let recorded = if bet.is_taken_back() { stake.saturating_add(back) } else { back };
        let spanned = worlds.span(|outcome| Some(tables.net(bet.brings(outcome, tables)?)));
        let mut due = line.measured_from(tables);
        let as_dealt = line.range(tables).filter(|_| due.is_some()).or(spanned);
        if bet.is_taken_back() && !bet.late {
            due = as_dealt.and_then(|range| range.known().or_else(|| range.end_towards(recorded)));
        }
        let alone = bet.late || !bet.is_offered();
        let by_rules = if alone { Some(SumRange::exactly(stake)) } else { as_dealt };
        Sums { recorded, due, as_dealt, by_rules }
    }

    /// What was due by the cards as dealt beyond what the same cards would have returned if dealt by the rules, by seat.
    /// Nothing if it is not known what they would have returned.
    fn moved_by_draws(&self, after: &[Face], sums: &mut [Sums]) -> Vec<SeatMoney> {
        let mut cards: Vec<_> = self.coup.cards.iter().filter(|card| card.to.side().is_some()).collect();
        cards.sort_by_key(|card| card.position);
        let faces = cards.iter().map(|card| card.face).chain(after.iter().copied());
        let outcome = match rightful(faces, self.tables.rules) {
            Rightful::Coup(coup) => Some(Outcome::of(&coup)),
            Rightful::Needs | Rightful::Unknown => None,
        };
        let brings = |bet: &Bet<'_, '_>| Some(self.tables.net(bet.brings(outcome.as_ref()?, self.tables)?));
        let judged = || self.bets.iter().enumerate().filter(|(_, bet)| bet.is_judged());
        let lawful: Option<Vec<i64>> = judged().map(|(_, bet)| brings(bet)).collect();
        let mut moved: BTreeMap<u8, i128> = BTreeMap::new();
        for (of, (at, bet)) in judged().enumerate() {
            let lawful = lawful.as_ref().map(|lawful| lawful[of]);
            sums[at].by_rules = lawful.map(SumRange::exactly);
            if let Some(lawful) = lawful {
                let base = sums[at].due.unwrap_or(sums[at].recorded);
                *moved.entry(bet.seat()).or_default() += i128::from(base) - i128::from(lawful);
            }
        }
        by_seat(moved)
    }
}

fn account(bet: &Bet<'_, '_>, of: &Sums) -> BetAccount {
    BetAccount {
        bet: bet.id(),
        seat: bet.seat(),
        staked: signed(bet.stake()),
        recorded: Some(of.recorded),
        as_dealt: of.as_dealt,
        by_rules: of.by_rules,
    }
}
