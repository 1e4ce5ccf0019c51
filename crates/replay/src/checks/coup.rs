//! All checks of one coup that is settled, and its money (`docs/judging.md`, "The money of a coup").

use std::collections::BTreeMap;

use baccarat::{Face, Money, Outcome, Winner};
use events::{Body, CoupSettled};

use super::Checked;
use super::bets::{Bet, Within, bets, late, not_placed};
use super::cards::{Dealt, deal};
use super::doubt::{Doubt, Open, doubt, is_mistyped};
use super::limits::{IsAlike, limits};
use super::lines::{Line, again, lines};
use super::payouts::payouts;
use super::paytables::Paytables;
use super::play::Setting;
use super::result::result;
use super::rulings::{Followed, carried};
use super::shoe_cards::ShoeCards;
use super::voids::{Returned, Void};
use crate::account::{BetAccount, SumRange, by_seat, signed};
use crate::reading::{CoupRecord, ShoeRecord, Told};
use crate::worlds::{Owed, Rightful, Worlds, rightful};
use crate::{CoupVerdict, SeatMoney};

/// What is wrong in a coup, and what each of its bets returned and had to return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoupChecked {
    /// What is wrong, and whether anything is not known.
    pub checked: Checked,
    /// Every bet that was not taken back in time; empty if the money of the coup is not judged.
    pub bets: Vec<BetAccount>,
    /// Whether anything is wrong in it, by whichever check.
    pub violated: bool,
    /// Who won by the cards, if that is certain.
    pub winner: Option<Winner>,
    /// If a player has the bank, and it is known what it holds.
    pub bank: Option<HeldBank>,
}

/// What a bank held in a coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldBank {
    /// The banker's seat.
    pub seat: u8,
    /// In play when the coup began.
    pub bank: Money,
}

impl CoupChecked {
    pub(super) const fn of(checked: Checked, bets: Vec<BetAccount>) -> Self {
        Self { checked, bets, violated: false, winner: None, bank: None }
    }

    /// Whether nothing is wrong with it, and all that is checked is known.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.verdict() == CoupVerdict::Certified
    }

    /// What the coup comes to.
    #[must_use]
    pub const fn verdict(&self) -> CoupVerdict {
        match (self.violated, self.checked.open) {
            (true, _) => CoupVerdict::Violated,
            (false, Some(_)) => CoupVerdict::Undecided,
            (false, None) => CoupVerdict::Certified,
        }
    }
}

/// Checks a coup of a shoe, by its place in it; `ends`: where play ended at the table, or another shoe was loaded.
pub(super) fn coup(
    cards: &ShoeCards<'_, '_>,
    at: usize,
    tables: &Paytables<'_>,
    setting: &Setting<'_>,
    ends: &[u64],
    is_alike: &IsAlike<'_>,
) -> CoupChecked {
    let (shoe, coup) = (cards.shoe, &cards.shoe.coups[at]);
    let doubt = doubt(shoe, coup);
    if let Some(open) = doubt.all {
        return CoupChecked::of(Checked::open(open), Vec::new());
    }
    let goes_on = goes_on_after_void(shoe, coup, ends);
    let void = Void::of(coup, goes_on);
    let mut bets = bets(coup, carried(coup, &setting.carried), tables);
    let mut checked = held_to_limits((coup, &mut bets), setting, tables, doubt, is_alike);
    let followed = Followed {
        coup,
        rulings: &setting.rulings,
        carried: &setting.carried,
        void: void.as_ref().is_some_and(|void| void.first.is_none()),
    };
    let settled = void.as_ref().map_or(coup.settlements.first(), |void| void.first.or(void.refund));
    if let Some(settled) = settled {
        checked.and(followed.check(settled.corrected_by.unwrap_or(settled.sequence)));
    }
    let mut judged = match (void, settled) {
        (Some(void), _) => of_void(cards, (coup, &bets), &void, goes_on, tables),
        (None, Some(settled)) => of_settlement(cards, at, (settled, bets), tables, doubt),
        (None, None) => of_no_settlement(cards, coup, &bets, tables),
    };
    judged.checked.and(checked);
    judged.checked.and(not_placed(coup));
    judged.checked.found.sort_unstable();
    let is_missing_after =
        settled.is_some_and(|settled| shoe.missing.iter().any(|hole| hole.first > settled.sequence));
    if is_missing_after && !judged.checked.found.is_empty() {
        judged.checked.open = Some(Open::MayBeMended);
    }
    judged
}

/// The bets against the limits, once they are closed. If it is not known which came in time, nothing is found.
fn held_to_limits(
    (coup, bets): (&CoupRecord<'_>, &mut [Bet<'_, '_>]),
    setting: &Setting<'_>,
    tables: &Paytables<'_>,
    doubt: Doubt,
    is_alike: &IsAlike<'_>,
) -> Checked {
    let is_dealt = coup.cards.iter().any(|card| card.to.side().is_some());
    let is_closed = is_dealt || !coup.closes.is_empty() || !coup.settlements.is_empty();
    match setting.limits.filter(|_| is_closed) {
        Some(_) if doubt.order => {
            bets.iter_mut().for_each(|bet| bet.within = Within::Open);
            Checked::open(Open::Remarked)
        }
        Some(in_force) => {
            let mut checked = limits(bets, tables, in_force, is_alike);
            if doubt.stakes {
                checked.found.clear();
            }
            checked
        }
        // It began before the table was opened.
        None if is_closed && !bets.is_empty() => Checked::open(Open::Limits),
        None => Checked::default(),
    }
}

/// Where play goes on after a coup was declared void: another coup begins, or its shoe ends, or play at the table. What comes
/// back of a coup that was settled before may come back after the end of the shoe.
pub(super) fn goes_on_after_void(shoe: &ShoeRecord<'_>, coup: &CoupRecord<'_>, ends: &[u64]) -> Option<u64> {
    let void = coup.rulings.iter().find(|told| matches!(told.value, Body::CoupVoided(_)))?.sequence;
    let in_play = !coup.settlements.iter().any(|settled| settled.sequence < void);
    let others = shoe.coups.iter().map(|other| other.began);
    let end = shoe.ends.iter().filter(|_| in_play).map(|end| end.sequence);
    others.chain(end).chain(ends.iter().copied()).filter(|at| *at > void).min()
}

/// A void coup: what was dealt is judged as ever, and every stake is due.
fn of_void(
    cards: &ShoeCards<'_, '_>,
    (coup, bets): (&CoupRecord<'_>, &[Bet<'_, '_>]),
    void: &Void<'_, '_>,
    goes_on: Option<u64>,
    tables: &Paytables<'_>,
) -> CoupChecked {
    let Dealt { deals, mut checked, .. } = deal(coup, void.first, tables.rules, cards.pool);
    checked.open = None;
    if let (Some(settled), Some(deals)) = (void.first, &deals) {
        checked.and(result(settled, &mut deals.worlds()));
    }
    void.again.iter().for_each(|settled| checked.and(again(settled, bets)));
    bets.iter().for_each(|bet| checked.and(late(bet, None, None, tables)));
    match void.returned(coup, bets, goes_on) {
        Some(Returned { checked: returned, bets }) => {
            checked.and(returned);
            CoupChecked::of(checked, bets)
        }
        None => {
            checked.open = Some(Open::NotSettled);
            CoupChecked::of(checked, Vec::new())
        }
    }
}

/// A coup that was left, or is in play at the end of the record.
fn of_no_settlement(
    cards: &ShoeCards<'_, '_>,
    coup: &CoupRecord<'_>,
    bets: &[Bet<'_, '_>],
    tables: &Paytables<'_>,
) -> CoupChecked {
    let mut checked = deal(coup, None, tables.rules, cards.pool).checked;
    checked.open = Some(Open::NotSettled);
    bets.iter().for_each(|bet| checked.and(late(bet, None, None, tables)));
    CoupChecked::of(checked, Vec::new())
}

fn of_settlement(
    cards: &ShoeCards<'_, '_>,
    at: usize,
    (settled, bets): (&Told<'_, CoupSettled>, Vec<Bet<'_, '_>>),
    tables: &Paytables<'_>,
    doubt: Doubt,
) -> CoupChecked {
    let coup = &cards.shoe.coups[at];
    let mut money = Settling { coup, settled, tables, bets, lines: Vec::new() };
    let (lines, mut checked) = lines(settled, &money.bets, is_mistyped(cards.shoe, coup, settled));
    coup.settlements.iter().skip(1).for_each(|settled| checked.and(again(settled, &money.bets)));
    money.lines = lines;
    let mut judged = if doubt.cards {
        money.of_unknown_hands()
    } else {
        money.of_hands(deal(coup, Some(settled), tables.rules, cards.pool), &cards.after(at), doubt)
    };
    judged.checked.and(checked);
    judged
}

/// The money of a settled coup while it is worked out.
struct Settling<'r, 'a, 't> {
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

impl Settling<'_, '_, '_> {
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
        CoupChecked::of(checked, Vec::new())
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
        let short = dealt.deals.is_none().then_some(Open::CardUnread);
        let unread = short.or(worlds.open().map(Open::unread));
        checked.open = doubt.order.then_some(Open::Remarked).or(unread);
        let mut sums: Vec<Sums> = (0..self.bets.len()).map(|at| self.sums(at, &worlds)).collect();
        checked.and(payouts(&self.bets, &self.lines, self.at(), self.tables));
        if let Some(fault) = checked.found.iter().position(|found| found.code.has_counterfactual()) {
            checked.found[fault].money = self.moved_by_draws(after, &mut sums);
        }
        for (bet, of) in self.bets.iter().zip(&mut sums) {
            if doubt.order {
                of.by_rules = of.by_rules.map(|due| due.and(signed(bet.stake())));
            } else {
                checked.and(late(bet, Some(of.recorded), of.due, self.tables));
            }
        }
        let bets = self.bets.iter().zip(&sums).map(|(bet, of)| account(bet, of)).collect();
        CoupChecked { winner, ..CoupChecked::of(checked, bets) }
    }

    /// What is due for a bet by the hands; a bet taken back has no line of its own.
    fn owe(&mut self, at: usize, worlds: &mut Worlds) {
        let (bet, tables, line) = (self.bets[at], self.tables, &mut self.lines[at]);
        if bet.is_taken_back() || !bet.may_be_paid(tables) {
            return;
        }
        line.owed = worlds.due(line.recorded, |outcome| bet.brings(outcome, tables), |due| due);
    }

    /// What may be due for a bet if the hands may be any of these, or the stake had to come back: one bet says nothing
    /// about another.
    fn owe_any(&mut self, at: usize, worlds: &Worlds) {
        let (bet, tables) = (self.bets[at], self.tables);
        if bet.is_taken_back() || !bet.may_be_paid(tables) {
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
