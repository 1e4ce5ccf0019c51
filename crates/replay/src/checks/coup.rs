//! All checks of one coup that is settled, and its money (`docs/judging.md`, "The money of a coup").

use std::collections::BTreeMap;

use baccarat::{BancaPlay, Face, Money, Outcome, Winner};
use events::{Body, CoupSettled, Name};

use super::bets::{Bet, Within, bets, late, not_placed};
use super::cards::{Dealt, deal};
use super::doubt::{Doubt, Open, at_its_word, doubt};
use super::gaps::Gaps;
use super::index::Index;
use super::lacking::Lacking;
use super::limits::{Who, limits};
use super::lines::{Line, LineChecked, again, lines};
use super::payouts::payouts;
use super::paytables::Paytables;
use super::play::Setting;
use super::result::result;
use super::rulings::{Followed, carried};
use super::shoe_cards::ShoeCards;
use super::voids::{Returned, Void, compare};
use super::{Checked, Found};
use crate::account::{BetAccount, OtherMoney, SumRange, by_seat, signed};
use crate::reading::{CoupRecord, ShoeRecord, Told};
use crate::worlds::{Owed, Rightful, Worlds, rightful};
use crate::{BankView, Code, CoupVerdict, SeatMoney};

/// A coup at a player's bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankChecked {
    /// The bank that it was played against, and its result.
    pub view: BankView,
    /// The banker's seat and name, if both are known.
    pub banker: Option<(u8, Name)>,
    /// Whether punto may draw or stand as it likes.
    pub is_free: bool,
    /// By what banca drew or stood; `None`: its cards were not looked at.
    pub banca: Option<BancaPlay>,
    /// What bets that came too late, or were taken back too late, moved at the bank; `None`: not known.
    pub moved: Option<Vec<OtherMoney>>,
}

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
    /// At a bank: what it came to.
    pub at_bank: Option<Box<BankChecked>>,
    /// Of each of these bets: its line. Empty if its coup was not settled, or is void.
    pub lines: Vec<LineChecked>,
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
        let lines = Vec::new();
        Self { checked, bets, violated: false, winner: None, bank: None, at_bank: None, lines }
    }

    /// It is not found what is wrong with the return of these bets, by their places, since missing events may say otherwise: it is
    /// not known what came back for them, or what had to come back if that follows from other draws.
    pub(super) fn leave_open(&mut self, bets: &[usize], of_draws: bool) {
        for at in bets {
            match self.bets.get_mut(*at) {
                Some(bet) if of_draws => bet.by_rules = None,
                Some(bet) => {
                    bet.recorded = None;
                    self.lines.get_mut(*at).into_iter().for_each(|line| line.is_open = true);
                }
                None => {}
            }
        }
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
    tables: &Paytables,
    setting: &Setting<'_>,
    (ends, gaps): (&[u64], &Gaps),
    who: &Who<'_>,
) -> CoupChecked {
    let (shoe, coup) = (cards.shoe, &cards.shoe.coups[at]);
    let doubt = doubt(cards.index, coup);
    let lacking = Lacking::of(shoe, at, gaps, setting.limits, Some(tables));
    if let Some(open) = doubt.all {
        let open = if lacking.any() { Open::Missing } else { open };
        return CoupChecked::of(Checked::open(open), Vec::new());
    }
    let goes_on = goes_on_after_void(cards.index, coup, ends);
    let void = Void::of(coup, goes_on);
    let mut bets = bets(coup, carried(coup, &setting.carried), Some(tables), Some(cards.index));
    // Bets under the number of a coup that was settled, for which nothing was dealt, are bets on that coup.
    let is_again = is_again(cards.index, at);
    if is_again {
        bets.iter_mut().for_each(|bet| bet.late = true);
    }
    let mut checked = held_to_limits((coup, &mut bets), setting, tables, doubt, who);
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
        (Some(void), _) => {
            let until = void.refund.map(|refund| refund.sequence).or(goes_on).unwrap_or(u64::MAX);
            let mut judged = of_void(cards, (coup, &bets), &void, goes_on, (tables, &lacking));
            if void.first.is_some() && gaps.between(void.at, until).next().is_some() {
                // What had to come back may have come back there.
                judged.checked.found.retain(|found| !is_of_void(found.code));
                judged.checked.open = Some(Open::Missing);
            }
            judged
        }
        (None, Some(settled)) => {
            let played = of_settlement(cards, at, (settled, &bets), (tables, &lacking), doubt);
            let perhaps = PerhapsVoid { coup, settled, bets: &bets, lacking: &lacking, gaps };
            if perhaps.is_so(&played) { perhaps.checked(cards, tables) } else { played }
        }
        (None, None) => {
            let left = left_at(shoe, at, ends).filter(|_| !lacking.any());
            let mut judged = of_no_settlement(cards, coup, &bets, tables);
            let followed = left.map(|at| followed.check(at)).unwrap_or_default();
            let removed = followed.found.into_iter().filter(|found| found.code == Code::CardRemoved);
            judged.checked.found.extend(removed);
            judged
        }
    };
    judged.checked.and(checked);
    let mut not_placed = not_placed(coup);
    not_placed.found.retain(|found| !lacking.any_before(found.sequence));
    judged.checked.and(not_placed);
    judged.checked.found.sort_unstable();
    // What was dealt for such bets, and what is due for them, is no question: all of it is that they came too late.
    judged.checked.found.retain(|found| !(is_again && FOLLOWS_FROM_LATE.contains(&found.code)));
    leave_what_is_certain(coup, &lacking, &mut judged.checked);
    judged.checked.open = judged.checked.open.or_else(|| at_its_word(coup));
    judged
}

/// What follows from it that the bets of a coup, for which nothing was dealt, are late bets on one that was settled.
pub(super) const FOLLOWS_FROM_LATE: [Code; 4] =
    [Code::DealShort, Code::PayoutOver, Code::PayoutUnder, Code::PayoutWrongSeat];

/// What missing events may explain of a coup is not found, and the coup is open.
pub(super) fn leave_what_is_certain(coup: &CoupRecord<'_>, lacking: &Lacking, checked: &mut Checked) {
    checked.found.retain(|found| !lacking.explains(found.code, shown_at(coup, found)));
    if lacking.any() && checked.open != Some(Open::PerhapsVoid) {
        checked.open = Some(Open::Missing);
    }
}

/// Whether nothing was dealt or is missing for a coup of which the number is that of one that was settled before. Neither is void.
pub(super) fn is_again(index: &Index<'_>, at: usize) -> bool {
    let coups = &index.shoe.coups;
    let coup = &coups[at];
    if at == 0 || !coup.cards.is_empty() || !coup.missing.is_empty() {
        return false;
    }
    let is_void =
        |coup: &CoupRecord<'_>| coup.rulings.iter().any(|told| matches!(told.value, Body::CoupVoided(_)));
    let of_number = index.coups(coup.number);
    let before = of_number.partition_point(|before| *before < at).checked_sub(1);
    let before = before.and_then(|before| coups.get(*of_number.get(before)?));
    before.is_some_and(|before| !before.settlements.is_empty() && !is_void(before)) && !is_void(coup)
}

/// Where something shows: stakes once the bets are closed.
fn shown_at(coup: &CoupRecord<'_>, found: &Found) -> u64 {
    let closes = coup.closes.iter().map(|told| told.sequence);
    let cards = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| card.sequence);
    let settled = coup.settlements.iter().map(|told| told.sequence);
    let closed = closes.chain(cards).chain(settled).min();
    closed.filter(|closed| *closed > found.sequence).unwrap_or(found.sequence)
}

/// Whether another coup of the shoe was in play at the same time, by the numbers of their events.
pub(super) fn overlaps(shoe: &ShoeRecord<'_>, at: usize) -> bool {
    let is_over = |coup: &CoupRecord<'_>| coup.settlements.first().map(|settled| settled.sequence);
    let both = |one: Option<&CoupRecord<'_>>, next: Option<&CoupRecord<'_>>| {
        let (over, began) = (one.and_then(is_over), next.map(|next| next.began));
        over.zip(began).is_some_and(|(over, began)| began < over)
    };
    let of = |at: Option<usize>| at.and_then(|at| shoe.coups.get(at));
    both(of(at.checked_sub(1)), of(Some(at))) || both(of(Some(at)), of(Some(at + 1)))
}

/// Where a coup without a settlement is left: the next one begins, or the shoe ends, or play at the table. Not if it may have been
/// settled in what is missing there.
fn left_at(shoe: &ShoeRecord<'_>, at: usize, ends: &[u64]) -> Option<u64> {
    let began = shoe.coups[at].began;
    let next = shoe.coups.get(at + 1).filter(|next| next.began > began);
    let end = shoe.ends.iter().map(|end| end.sequence);
    let left = end.chain(ends.iter().copied()).filter(|end| *end > began);
    let is_missing = next.is_some_and(|next| !next.missing.is_empty());
    next.map(|next| next.began).into_iter().chain(left).min().filter(|_| !is_missing)
}

/// Whether it is found about what comes back of a void coup.
const fn is_of_void(code: Code) -> bool {
    matches!(code, Code::VoidStakeKept | Code::VoidOverpaid)
}

/// The bets against the limits, once they are closed. If it is not known which came in time, nothing is found.
fn held_to_limits(
    (coup, bets): (&CoupRecord<'_>, &mut [Bet<'_, '_>]),
    setting: &Setting<'_>,
    tables: &Paytables,
    doubt: Doubt,
    who: &Who<'_>,
) -> Checked {
    let is_dealt = coup.cards.iter().any(|card| card.to.side().is_some());
    let is_closed = is_dealt || !coup.closes.is_empty() || !coup.settlements.is_empty();
    match setting.limits.filter(|_| is_closed) {
        Some(_) if doubt.order => {
            bets.iter_mut().for_each(|bet| bet.within = Within::Open);
            Checked::open(Open::Remarked)
        }
        Some(in_force) => {
            let mut checked = limits(bets, tables, in_force, who);
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

/// Where play continues after a coup was declared void: another coup begins, the table opens or closes, or the shoe ends and no
/// refund is recorded. The stakes of a coup that was settled before may be refunded after the end of the shoe.
pub(super) fn goes_on_after_void(index: &Index<'_>, coup: &CoupRecord<'_>, ends: &[u64]) -> Option<u64> {
    let void = coup.rulings.iter().find(|told| matches!(told.value, Body::CoupVoided(_)))?.sequence;
    // What comes back after the end of the shoe came back too late for the shoe, but it came back.
    let is_settled = !coup.settlements.is_empty();
    let end = index.shoe.ends.iter().filter(|_| !is_settled).map(|end| end.sequence);
    let ended = end.chain(ends.iter().copied()).filter(|at| *at > void).min();
    index.began_after(void).into_iter().chain(ended).min()
}

/// A void coup: what was dealt is judged as ever, and every stake is due.
fn of_void(
    cards: &ShoeCards<'_, '_>,
    (coup, bets): (&CoupRecord<'_>, &[Bet<'_, '_>]),
    void: &Void<'_, '_>,
    goes_on: Option<u64>,
    (tables, lacking): (&Paytables, &Lacking),
) -> CoupChecked {
    let Dealt { deals, mut checked, .. } = deal(coup, void.first, tables.rules(), cards.pool_for(coup));
    checked.open = None;
    if let (Some(settled), Some(deals)) = (void.first, &deals) {
        checked.and(result(settled, &mut deals.worlds()));
    }
    void.again.iter().for_each(|settled| checked.and(again(settled, coup)));
    bets.iter().for_each(|bet| late(bet, None, None, Some(tables), &mut checked));
    match void.returned(coup, bets, goes_on, lacking) {
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
    tables: &Paytables,
) -> CoupChecked {
    let mut checked = deal(coup, None, tables.rules(), cards.pool_for(coup)).checked;
    checked.open = Some(Open::NotSettled);
    bets.iter().for_each(|bet| late(bet, None, None, Some(tables), &mut checked));
    CoupChecked::of(checked, Vec::new())
}

fn of_settlement(
    cards: &ShoeCards<'_, '_>,
    at: usize,
    (settled, bets): (&Told<'_, CoupSettled>, &[Bet<'_, '_>]),
    (tables, lacking): (&Paytables, &Lacking),
    doubt: Doubt,
) -> CoupChecked {
    let coup = &cards.shoe.coups[at];
    let (lines, mut checked) =
        lines(settled, bets, cards.index.is_mistyped(coup.number, settled.sequence), lacking);
    coup.settlements.iter().skip(1).for_each(|settled| checked.and(again(settled, coup)));
    let is_again = is_again(cards.index, at);
    let money = Settling { coup, settled, tables, bets, lines, lacking, is_again };
    let mut judged = if doubt.cards {
        money.of_unknown_hands(doubt)
    } else {
        let dealt = deal(coup, Some(settled), tables.rules(), cards.pool_for(coup));
        money.of_hands(dealt, &cards.after(at), doubt)
    };
    judged.checked.and(checked);
    judged
}

/// The money of a settled coup while it is worked out.
struct Settling<'r, 'a> {
    coup: &'r CoupRecord<'a>,
    settled: &'r Told<'a, CoupSettled>,
    tables: &'r Paytables,
    bets: &'r [Bet<'r, 'a>],
    lines: Vec<Line>,
    lacking: &'r Lacking,
    /// Its bets are late bets on a coup that was settled: nothing is due for them by any hands.
    is_again: bool,
}

impl Settling<'_, '_> {
    /// It is not known which hands were dealt: only what is wrong with any hands is found.
    fn of_unknown_hands(mut self, doubt: Doubt) -> CoupChecked {
        let worlds = Worlds::any();
        for at in 0..self.bets.len() {
            self.owe_any(at, &worlds);
        }
        let (mut checked, open) = payouts(self.bets, &self.lines, self.settled, self.tables, self.lacking);
        checked.open = Some(Open::Remarked);
        let of_each = (0..self.bets.len()).map(|at| self.account(at, &worlds));
        let (mut accounts, lines): (Vec<BetAccount>, Vec<LineChecked>) = of_each.unzip();
        self.late(&mut accounts, &lines, doubt, &mut checked);
        let mut checked = CoupChecked { lines, ..CoupChecked::of(checked, accounts) };
        checked.leave_open(&open, false);
        checked
    }

    fn of_hands(mut self, dealt: Dealt, after: &[Face], doubt: Doubt) -> CoupChecked {
        let mut checked = dealt.checked;
        let worlds = match &dealt.deals {
            _ if self.lacking.cards => {
                let mut worlds = Worlds::any();
                checked.and(result(self.settled, &mut worlds));
                (0..self.bets.len()).for_each(|at| self.owe(at, &mut worlds));
                worlds
            }
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
        let is_whole = dealt.deals.is_some() || self.lacking.cards;
        let winner = worlds.winner().filter(|_| is_whole);
        let short = (!is_whole).then_some(Open::CardUnread);
        let unread = short.or(worlds.open().map(Open::unread));
        checked.open = doubt.order.then_some(Open::Remarked).or(unread);
        let of_each = (0..self.bets.len()).map(|at| self.account(at, &worlds));
        let (mut accounts, lines): (Vec<BetAccount>, Vec<LineChecked>) = of_each.unzip();
        let (found, open) = payouts(self.bets, &self.lines, self.settled, self.tables, self.lacking);
        checked.and(found);
        if let Some(fault) = checked.found.iter().position(|found| found.code.has_counterfactual()) {
            let judged = self.bets.iter().enumerate().filter(|(_, bet)| bet.is_judged());
            checked.found[fault].bets = judged.map(|(at, _)| at).collect();
            checked.found[fault].money = self.moved_by_draws(after, &mut accounts, &lines);
        }
        self.late(&mut accounts, &lines, doubt, &mut checked);
        let mut checked = CoupChecked { winner, lines, ..CoupChecked::of(checked, accounts) };
        checked.leave_open(&open, false);
        checked
    }

    /// Bets that came too late, or were taken back too late. If it is not known which, each may be.
    fn late(&self, accounts: &mut [BetAccount], lines: &[LineChecked], doubt: Doubt, checked: &mut Checked) {
        for (at, (bet, (of, line))) in self.bets.iter().zip(accounts.iter_mut().zip(lines)).enumerate() {
            if doubt.order && !bet.late_in_any_case {
                of.by_rules = of.by_rules.map(|due| due.and(of.staked));
            } else {
                let before = checked.found.len();
                late(bet, of.recorded, line.measured_from, Some(self.tables), checked);
                checked.found.iter_mut().skip(before).for_each(|found| found.bets = vec![at]);
            }
        }
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
        if self.is_again || bet.is_taken_back() || !bet.may_be_paid(tables) {
            return;
        }
        let mut dues = worlds.decisions(|outcome| bet.brings(outcome, tables));
        dues.push(bet.stake_back());
        let line = &mut self.lines[at];
        line.owed = Owed::of(dues, line.recorded);
    }

    /// What came back for a bet and had to come back, and its line.
    fn account(&self, at: usize, worlds: &Worlds) -> (BetAccount, LineChecked) {
        let (bet, line, tables) = (&self.bets[at], &self.lines[at], self.tables);
        let back = line.recorded.map_or(0, |recorded| tables.net(recorded));
        let stake = signed(bet.stake());
        let recorded = if bet.is_taken_back() { stake.saturating_add(back) } else { back };
        let spanned = || worlds.span(|outcome| Some(tables.net(bet.brings(outcome, tables)?)));
        let range = line.range(tables);
        let mut due = range.and_then(|range| line.measured_in(range, tables));
        let as_dealt = range.filter(|_| due.is_some()).or_else(spanned);
        if bet.is_taken_back() && !bet.late {
            due = as_dealt.and_then(|range| range.known().or_else(|| range.end_towards(recorded)));
        }
        let alone = bet.late || !bet.is_offered();
        let by_rules = if alone { Some(SumRange::exactly(stake)) } else { as_dealt };
        // One that was left out may have been taken back in what is missing.
        let is_known = line.recorded.is_some() || bet.is_taken_back() || !self.lacking.may_be_gone(bet);
        let (id, seat, recorded) = (bet.id(), bet.seat(), is_known.then_some(recorded));
        let account = BetAccount { bet: id, seat, staked: stake, recorded, as_dealt, by_rules };
        (account, line.checked(bet, due))
    }

    /// What was due by the cards as dealt beyond what the same cards would have returned if dealt by the rules, by seat.
    /// Nothing if it is not known what they would have returned.
    fn moved_by_draws(
        &self,
        after: &[Face],
        accounts: &mut [BetAccount],
        lines: &[LineChecked],
    ) -> Vec<SeatMoney> {
        let mut cards: Vec<_> = self.coup.cards.iter().filter(|card| card.to.side().is_some()).collect();
        cards.sort_by_key(|card| card.position);
        let faces = cards.iter().map(|card| card.face).chain(after.iter().copied());
        let outcome = match rightful(faces, self.tables.rules()) {
            // If cards may be missing, no draw is certainly wrong.
            Rightful::Coup(coup) if !self.lacking.cards => Some(Outcome::of(&coup)),
            Rightful::Coup(_) | Rightful::Needs | Rightful::Unknown => None,
        };
        let brings = |bet: &Bet<'_, '_>| Some(self.tables.net(bet.brings(outcome.as_ref()?, self.tables)?));
        let judged = || self.bets.iter().enumerate().filter(|(_, bet)| bet.is_judged());
        let lawful: Option<Vec<i64>> = judged().map(|(_, bet)| brings(bet)).collect();
        let mut moved: BTreeMap<u8, i128> = BTreeMap::new();
        for (of, (at, bet)) in judged().enumerate() {
            let lawful = lawful.as_ref().map(|lawful| lawful[of]);
            accounts[at].by_rules = lawful.map(SumRange::exactly);
            if let Some((lawful, recorded)) = lawful.zip(accounts[at].recorded) {
                let base = lines[at].measured_from.unwrap_or(recorded);
                *moved.entry(bet.seat()).or_default() += i128::from(base) - i128::from(lawful);
            }
        }
        by_seat(moved)
    }
}

/// A settled coup that may have been declared void in what is missing: before its settlement, or between two of them.
struct PerhapsVoid<'r, 'a> {
    coup: &'r CoupRecord<'a>,
    settled: &'r Told<'a, CoupSettled>,
    bets: &'r [Bet<'r, 'a>],
    lacking: &'r Lacking,
    gaps: &'r Gaps,
}

impl PerhapsVoid<'_, '_> {
    /// Whether every stake comes back, whole and without commission, and that is not what the coup brings if it was played.
    fn is_so(&self, played: &CoupChecked) -> bool {
        if self.gaps.is_empty() && !self.lacking.any() {
            return false;
        }
        let (at, of) = (self.settled.sequence, self.settled.value);
        let by = self.settled.corrected_by.unwrap_or(at);
        let is_of_settlement = |found: &Found| found.sequence == by && !self.lacking.explains(found.code, by);
        let found = played.checked.found.iter().any(is_of_settlement);
        let again = self.coup.settlements.iter().find(|again| again.sequence > at);
        let all_back = |settled: &[&CoupSettled], left: u64| {
            let lacking = self.lacking.with_bets(left);
            compare(self.coup, self.bets, settled, at, &lacking).checked.found.is_empty()
        };
        let later =
            again.filter(|again| self.gaps.between(at, again.sequence).any(|(_, gap)| gap.others() > 0));
        if later.is_some_and(|again| all_back(&[of, again.value], self.lacking.bets)) {
            return true;
        }
        let mut least: BTreeMap<u64, Money> = BTreeMap::new();
        for line in of.bets.iter().filter(|line| line.returned > Money::ZERO) {
            let least = least.entry(line.bet).or_insert(line.returned);
            *least = line.returned.min(*least);
        }
        let back = |bet: &Bet<'_, '_>| least.get(&bet.id()).copied();
        // One of the missing events is the void, and each bet that was taken back is one.
        let gone = self.bets.iter().filter(|bet| !bet.is_taken_back() && back(bet).is_none()).count() as u64;
        let is_free = of.bets.iter().all(|line| line.commission == Money::ZERO);
        let left = self.lacking.bets.checked_sub(gone.saturating_add(1));
        // What was taken back does not come back in part.
        let is_whole = self.bets.iter().all(|bet| back(bet).is_none_or(|least| least >= bet.stake()));
        found && is_free && is_whole && left.is_some_and(|left| all_back(&[of], left))
    }

    /// What was dealt is judged as ever, and which bets have a line.
    fn checked(&self, cards: &ShoeCards<'_, '_>, tables: &Paytables) -> CoupChecked {
        let mut further = self.coup.settlements.iter().skip(1);
        let is_missed = |further: &Told<'_, CoupSettled>| {
            self.gaps.between(self.settled.sequence, further.sequence).any(|(_, gap)| gap.others() > 0)
        };
        let is_again = further.clone().next().is_some_and(is_missed);
        // A coup that is void before its settlement need not be dealt to its end.
        let played = Some(self.settled).filter(|_| is_again);
        let mut checked = deal(self.coup, played, tables.rules(), cards.pool_for(self.coup)).checked;
        let (lines, of_lines) = lines(self.settled, self.bets, false, self.lacking);
        let nothing_due: Vec<Line> =
            lines.into_iter().map(|line| Line { recorded: line.recorded, ..Line::default() }).collect();
        checked.and(of_lines);
        // Its stakes came back once.
        let twice = further.by_ref().skip(usize::from(is_again));
        twice.for_each(|settled| checked.and(again(settled, self.coup)));
        if !is_again {
            checked.and(payouts(self.bets, &nothing_due, self.settled, tables, self.lacking).0);
        }
        checked.open = Some(Open::PerhapsVoid);
        CoupChecked::of(checked, Vec::new())
    }
}
