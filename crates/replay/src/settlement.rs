//! Payouts: compares what every bet had to return with what was recorded.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::{Charge, Decision, Money, Outcome, OverLimit, Settlement};
use events::{BetSettled, CoupSettled};

use crate::account::{CoupMoney, SumRange, net, signed, won_on_another_stake};
use crate::boxes::{Boxes, Mark};
use crate::coup::{Bet, BetState, CoupInPlay, Held};
use crate::lookup::Lookup;
use crate::rules::Rules;
use crate::sink::{Accusation, Sink, clamp, seat_money};
use crate::statement::{OfBets, OfPayouts, Sum, WithCommission};
use crate::worlds::{Owed, Worlds};
use crate::{Code, SeatMoney};

/// One bet's settlement as due and as recorded.
#[derive(Debug, Clone)]
pub(crate) struct Comparison {
    pub(crate) bet: usize,
    /// `None` where it cannot be derived.
    pub(crate) due: Option<Settlement>,
    /// All that may be due, where it may be one of several; then `due` is the nearest to what was recorded, if that is none
    /// of them.
    pub(crate) among: Vec<Settlement>,
    /// `None` where it was left out.
    pub(crate) recorded: Option<Settlement>,
}

impl Comparison {
    const fn new(bet: usize, recorded: Option<Settlement>) -> Self {
        Self { bet, due: None, among: Vec::new(), recorded }
    }

    pub(crate) fn owe(&mut self, owed: Owed) {
        (self.due, self.among) = (owed.due, owed.among);
    }

    /// What the seat had to get: the range of all that may be due, where it may be one of several and what was recorded is
    /// none of them.
    pub(crate) fn range(&self, boxed: bool) -> Option<SumRange> {
        let is_beyond = self.due.is_some() || self.recorded.is_none();
        let exact = self.due.map(|due| SumRange::exactly(net(due, boxed)));
        self.any_of(boxed).filter(|_| is_beyond).or(exact)
    }

    /// The range of all that may be due; none where it is not one of several.
    pub(crate) fn any_of(&self, boxed: bool) -> Option<SumRange> {
        SumRange::over(self.among.iter().map(|due| net(*due, boxed)))
    }

    /// What the seat had to get, as a finding measures it: where several sums may be due, the nearest to what it got, if
    /// that lies beyond all of them.
    pub(crate) fn measured_from(&self, boxed: bool) -> Option<i64> {
        let got = self.recorded.map_or(0, |recorded| net(recorded, boxed));
        let range = self.range(boxed)?;
        range.known().or_else(|| range.end_towards(got))
    }

    /// What the seat got beyond what it had to get, as far as that is certain.
    fn moved(&self, seat: u8, boxed: bool) -> Option<SeatMoney> {
        let got = self.recorded.map_or(0, |recorded| net(recorded, boxed));
        let minor_units = got.saturating_sub(self.measured_from(boxed)?);
        let at_least = self.range(boxed)?.known().is_none();
        Some(SeatMoney { seat, minor_units, at_least })
    }
}

/// Judges every payout of a coup and marks the boxes; gives the comparisons, in the order of the
/// record, then those left out.
pub(crate) fn judge_payouts(
    play: &mut CoupInPlay,
    settled: &CoupSettled,
    worlds: &mut Worlds,
    rules: &Rules,
    boxes: &mut Boxes,
    sink: &mut Sink,
) -> Vec<Comparison> {
    let mut comparisons = match_bets(play, settled, sink);
    let mut completed = play.completed().map(Completed::of);
    for comparison in &mut comparisons {
        let bet = &play.bets[comparison.bet];
        let judged = bet.state != BetState::WithdrawnLate && !is_open(bet, rules);
        if let Some(kind) = bet.kind.filter(|_| judged) {
            let settle = |decision| due(bet, decision, rules);
            comparison.owe(match &mut completed {
                Some(completed) => {
                    let dues = completed.decisions(kind, rules).iter().map(|decision| settle(*decision));
                    Owed::of(dues.chain([stake_back(bet)]).collect(), comparison.recorded)
                }
                None => {
                    let decide = |outcome: &_| rules.paytable(kind).decide(outcome);
                    worlds.due(comparison.recorded, decide, settle)
                }
            });
        }
    }
    if let Some(reason) = worlds.open() {
        play.doubt(reason);
    }
    if is_boxed(rules) {
        for comparison in &comparisons {
            let Some(recorded) = comparison.recorded else { continue };
            let bet = &play.bets[comparison.bet];
            boxes.mark(bet.seat, bet.person.as_ref(), recorded.commission);
            if play.may_have_been_another(bet) {
                boxes.doubt_mark(bet.seat, recorded.commission);
            }
        }
        mark_beyond(play, settled, &comparisons, boxes);
    }
    *play.money = money(play, &comparisons, (worlds, completed.as_mut()), rules);
    compare(play, &comparisons, rules, sink);
    comparisons
}

/// Hands that lack cards, with any cards added, and how these decide each kind of bet. There are thousands of such hands,
/// and a coup may have thousands of bets, but a kind is decided in a few ways.
struct Completed {
    hands: Worlds,
    decisions: BTreeMap<usize, Vec<Decision>>,
}

impl Completed {
    const fn of(hands: Worlds) -> Self {
        Self { hands, decisions: BTreeMap::new() }
    }

    /// The ways in which a bet of this kind may be decided.
    fn decisions(&mut self, kind: usize, rules: &Rules) -> &[Decision] {
        self.decisions
            .entry(kind)
            .or_insert_with(|| self.hands.decisions(|hands| rules.paytable(kind).decide(hands)))
    }
}

/// The money of the bets by the cards as dealt; of one taken back too late it is what it would have returned.
fn money(
    play: &CoupInPlay,
    comparisons: &[Comparison],
    (worlds, mut completed): (&Worlds, Option<&mut Completed>),
    rules: &Rules,
) -> CoupMoney {
    let boxed = is_boxed(rules);
    let mut money = CoupMoney::recorded(play, comparisons, boxed);
    for of in money.bets.iter_mut().filter(|of| of.due.is_none()) {
        let bet = &play.bets[of.bet];
        if of.as_dealt.is_none() {
            of.as_dealt = match &mut completed {
                Some(completed) => {
                    let kind = bet.kind.filter(|_| !is_open(bet, rules));
                    let decisions = kind.map(|kind| completed.decisions(kind, rules)).unwrap_or_default();
                    let brings = decisions.iter().map(|decision| net(due(bet, *decision, rules), boxed));
                    SumRange::over(brings).map(|span| span.and(signed(bet.stake)))
                }
                None => worlds.span(|outcome| Some(net(would_bring(bet, outcome, rules)?, boxed))),
            };
            of.by_rules = of.as_dealt;
        }
        if bet.state == BetState::WithdrawnLate && !bet.late {
            let range = of.as_dealt;
            of.due = range.and_then(|range| range.known().or_else(|| range.end_towards(of.recorded?)));
        }
    }
    money.leave_stakes_alone(play, |bet| bet.kind.is_some());
    money
}

/// Commission on lines that should not be there may be marked or not: in the box of the bet's seat or, where no such
/// bet is recorded, in any box.
fn mark_beyond(play: &CoupInPlay, settled: &CoupSettled, comparisons: &[Comparison], boxes: &mut Boxes) {
    let sum = |all: &mut dyn Iterator<Item = Money>| all.fold(Money::ZERO, Money::plus);
    let noted = sum(&mut settled.bets.iter().map(|line| line.commission));
    let of = |comparison: &Comparison| comparison.recorded.map(|recorded| recorded.commission);
    if noted == sum(&mut comparisons.iter().filter_map(of)) {
        return;
    }
    let mut beyond: BTreeMap<u64, Money> = BTreeMap::new();
    for line in &settled.bets {
        let commission = beyond.entry(line.bet).or_default();
        *commission = commission.plus(line.commission);
    }
    for comparison in comparisons {
        let commission = beyond.entry(play.bets[comparison.bet].id).or_default();
        *commission = commission.minus(of(comparison).unwrap_or_default());
    }
    let index = play.bet_index();
    for (id, commission) in beyond {
        match index.first(id) {
            Some(at) => boxes.mark_perhaps(play.bets[at].seat, commission),
            None => boxes.mark_somewhere(commission),
        }
    }
}

/// Whether commission is marked in boxes.
pub(crate) fn is_boxed(rules: &Rules) -> bool {
    rules.book.commission.as_ref().is_some_and(|commission| commission.charge == Charge::Boxed)
}

/// What a settlement marks in the boxes, as it is recorded.
pub(crate) fn marked(play: &CoupInPlay, settled: &CoupSettled, rules: &Rules) -> Vec<Mark> {
    if !is_boxed(rules) {
        return Vec::new();
    }
    let index = play.bet_index();
    let mark = |line: &BetSettled| {
        let bet = &play.bets[index.first(line.bet)?];
        Some(Mark { seat: bet.seat, person: bet.person.clone(), commission: line.commission })
    };
    settled.bets.iter().filter_map(mark).collect()
}

/// Judges which bets were settled, where nobody knows what is due for them.
pub(crate) fn judge_lines(play: &mut CoupInPlay, settled: &CoupSettled, sink: &mut Sink) -> Vec<Comparison> {
    let comparisons = match_bets(play, settled, sink);
    let mut money = CoupMoney::recorded(play, &comparisons, false);
    money.leave_stakes_alone(play, |_| true);
    *play.money = money;
    let mut settled = None;
    for comparison in comparisons.iter().filter(|comparison| comparison.recorded.is_none()) {
        let settled = settled.get_or_insert_with(|| ids_settled(play, &comparisons));
        sink.accuse_all(left_out(play, comparison, settled, None));
    }
    comparisons
}

/// Finds the bet of every line of the settlement, and the bets that have none.
pub(crate) fn match_bets(play: &mut CoupInPlay, settled: &CoupSettled, sink: &mut Sink) -> Vec<Comparison> {
    let mut comparisons = Vec::with_capacity(settled.bets.len());
    let mut explained = play.missing_bets;
    let mut index = None;
    let rising = play.bets.windows(2).all(|two| two[0].id < two[1].id);
    let (mut next, mut has_line) = (0, vec![false; play.bets.len()]);
    for line in &settled.bets {
        while play.bets.get(next).is_some_and(|bet| bet.state == BetState::Withdrawn) {
            next += 1;
        }
        let in_order = rising && play.bets.get(next).is_some_and(|bet| bet.id == line.bet);
        let found = match in_order.then_some(next) {
            Some(at) => Some(at),
            None => find(index.get_or_insert_with(|| play.bet_index()), line.bet, play, &has_line),
        };
        match found.filter(|&at| play.bets[at].state != BetState::Withdrawn) {
            None => unknown(play, line, &mut explained, sink),
            Some(at) if has_line_already(play, at, &has_line) => sink.accuse(twice(play, at, line)),
            Some(at) => {
                (next, has_line[at]) = (at + 1, true);
                let recorded = Some(Settlement { returned: line.returned, commission: line.commission });
                comparisons.push(Comparison::new(at, recorded));
                if play.bets[at].state == BetState::Stands {
                    play.bets[at].state = BetState::Settled;
                }
            }
        }
    }
    let left_out = |at: &usize| play.bets[*at].state == BetState::Stands;
    comparisons.extend((0..play.bets.len()).filter(left_out).map(|bet| Comparison::new(bet, None)));
    comparisons
}

/// Whether a bet has its line already. One that was taken back too late is settled by none.
fn has_line_already(play: &CoupInPlay, at: usize, has_line: &[bool]) -> bool {
    match play.bets[at].state {
        BetState::Settled => true,
        BetState::WithdrawnLate => has_line[at],
        BetState::Stands | BetState::Withdrawn => false,
    }
}

/// The first bet of that id that stood and has no line yet; where each has one, the first.
fn find(index: &Lookup, id: u64, play: &CoupInPlay, has_line: &[bool]) -> Option<usize> {
    let has_none = |at: &usize| play.bets[*at].state != BetState::Withdrawn && !has_line[*at];
    index.of(id).find(has_none).or_else(|| index.first(id))
}

/// A bet that is not there is settled; what is missing may have held so many of them.
fn unknown(play: &CoupInPlay, line: &BetSettled, explained: &mut u64, sink: &mut Sink) {
    let most = if *explained > 0 { play.most_for_one_bet } else { Some(Money::ZERO) };
    *explained = explained.saturating_sub(1);
    let Some(most) = most else { return };
    let surplus = line.returned.minus(most);
    if surplus == Money::ZERO && most > Money::ZERO {
        return;
    }
    let recorded = OfPayouts::UnknownSettled { bet: line.bet, amount: line.returned.into() };
    let accusation = play.accusation(Code::BetUnknown, OfBets::StandsInCoup, recorded);
    let at_least = most > Money::ZERO;
    let money = SeatMoney { at_least, ..seat_money(0, Money::ZERO, surplus) };
    sink.accuse(accusation.moving(vec![money]));
}

fn twice(play: &CoupInPlay, at: usize, line: &BetSettled) -> Accusation {
    play.accusation(
        Code::BetSettledTwice,
        OfPayouts::SettledOnce { bet: line.bet },
        OfPayouts::ReturnedAgain { amount: line.returned.into() },
    )
    .moving(vec![seat_money(play.bets[at].seat, line.returned, Money::ZERO)])
}

/// What a bet would have returned, had it not been withdrawn.
pub(crate) fn would_bring(bet: &Bet, outcome: &Outcome, rules: &Rules) -> Option<Settlement> {
    let decision = rules.paytable(bet.kind.filter(|_| !is_open(bet, rules))?).decide(outcome)?;
    Some(due(bet, decision, rules))
}

/// Whether its return depends on a limit that may or may not apply.
pub(crate) fn is_open(bet: &Bet, rules: &Rules) -> bool {
    bet.held == Held::Open && rules.book.limits.over_limit != OverLimit::PaidInFull
}

/// What has to be returned for a bet, the over-limit policy included.
pub(crate) fn due(bet: &Bet, decision: Decision, rules: &Rules) -> Settlement {
    let Some(limit) = bet.limit else { return rules.book.settle(bet.stake, decision) };
    match rules.book.limits.over_limit {
        OverLimit::PaidInFull => rules.book.settle(bet.stake, decision),
        OverLimit::Void => Settlement { returned: bet.stake, commission: Money::ZERO },
        OverLimit::Capped => {
            let settled = rules.book.settle(limit, decision);
            Settlement { returned: settled.returned.plus(bet.stake.minus(limit)), ..settled }
        }
    }
}

/// The stake alone, as it comes back where no hand decides a bet.
pub(crate) fn stake_back(bet: &Bet) -> Settlement {
    Settlement { returned: bet.stake, commission: Money::ZERO }
}

/// A bet that did not return what was due, before it gets a code.
#[derive(Clone, Copy)]
struct Deviation<'a> {
    bet: usize,
    due: Settlement,
    recorded: Settlement,
    comparison: &'a Comparison,
}

impl Deviation<'_> {
    /// Whether one of several sums may be due.
    fn is_open(&self) -> bool {
        !self.comparison.among.is_empty()
    }

    /// What the seat got beyond what was due.
    fn returned(&self) -> i128 {
        self.recorded.returned.over(self.due.returned)
    }

    /// Commission taken beyond what was due.
    fn commission(&self) -> i128 {
        self.recorded.commission.over(self.due.commission)
    }

    /// Whether the sum is right and only its commission was slipped.
    fn is_of_commission(&self, rules: &Rules) -> bool {
        let beside = is_boxed(rules);
        self.commission() != 0 && (self.returned() == 0 || (!beside && self.returned() == -self.commission()))
    }
}

pub(crate) fn compare(play: &CoupInPlay, comparisons: &[Comparison], rules: &Rules, sink: &mut Sink) {
    let (mut deviations, mut settled) = (Vec::new(), None);
    for comparison in comparisons {
        let Some(recorded) = comparison.recorded else {
            let settled = settled.get_or_insert_with(|| ids_settled(play, comparisons));
            sink.accuse_all(left_out(play, comparison, settled, Some(rules)));
            continue;
        };
        let Some(due) = comparison.due else { continue };
        if due != recorded {
            deviations.push(Deviation { bet: comparison.bet, due, recorded, comparison });
        }
    }
    name_deviations(play, deviations, rules, sink);
}

/// Ids of bets that have a line.
fn ids_settled(play: &CoupInPlay, all: &[Comparison]) -> BTreeSet<u64> {
    all.iter().filter(|one| one.recorded.is_some()).map(|one| play.bets[one.bet].id).collect()
}

fn left_out(
    play: &CoupInPlay,
    comparison: &Comparison,
    settled: &BTreeSet<u64>,
    rules: Option<&Rules>,
) -> Option<Accusation> {
    let bet = &play.bets[comparison.bet];
    if play.may_be_gone(bet) || play.is_no_abono(comparison.bet) {
        return None;
    }
    let expected = match comparison.due {
        Some(due) => {
            let (amount, commission) = returned(due);
            OfPayouts::BetSettledWith { bet: bet.id, amount, commission }
        }
        None => OfPayouts::BetSettled { bet: bet.id },
    };
    let mut accusation = play.accusation(Code::BetNotSettled, expected, OfPayouts::BetLeftOut);
    accusation.bet = bet.kind.zip(rules).map(|(kind, rules)| rules.name(kind).clone());
    // Two bets under one id may have one line in the settlement; the reused id is reported already.
    if settled.contains(&bet.id) {
        accusation = accusation.following_from(bet.placed_at, Code::BetIdReused);
    }
    let money = comparison.moved(bet.seat, rules.is_some_and(is_boxed));
    Some(accusation.moving_for_bets(vec![comparison.bet], money.into_iter().collect()))
}

fn name_deviations(play: &CoupInPlay, mut deviations: Vec<Deviation<'_>>, rules: &Rules, sink: &mut Sink) {
    while let Some(deviation) = (!deviations.is_empty()).then(|| deviations.remove(0)) {
        let other = deviations.iter().position(|other| is_moved(play, &deviation, other));
        match other {
            Some(at) => {
                let other = deviations.remove(at);
                sink.accuse(wrong_seat(play, &deviation, &other, rules));
            }
            None => {
                let marked = marked_beside(play, &deviation, rules);
                sink.accuse(name_alone(play, &deviation, rules, marked.is_none()));
                sink.accuse_all(marked);
            }
        }
    }
}

/// Whether all that one bet won, or all that had to come back for it, was paid on top at another seat. Two
/// errors of the same sum that are not all of it are two errors.
fn is_moved(play: &CoupInPlay, one: &Deviation<'_>, other: &Deviation<'_>) -> bool {
    if one.is_open() || other.is_open() {
        return false;
    }
    let (short, over) = if one.returned() < 0 { (one, other) } else { (other, one) };
    let stake = play.bets[short.bet].stake;
    let whole = short.recorded.returned == Money::ZERO
        || (short.due.returned > stake && short.recorded.returned == stake);
    let paid_on = over.returned() == -short.returned();
    let (here, there) = (play.bets[short.bet].seat, play.bets[over.bet].seat);
    short.returned() < 0 && over.returned() > 0 && whole && paid_on && here != there
}

/// What was due at one seat went to another.
fn wrong_seat(play: &CoupInPlay, one: &Deviation<'_>, other: &Deviation<'_>, rules: &Rules) -> Accusation {
    let (short, over) = if one.returned() < 0 { (one, other) } else { (other, one) };
    let (from, to) = (&play.bets[short.bet], &play.bets[over.bet]);
    let (expected, recorded) = (for_bet(short.due, from), for_bet(over.recorded, to));
    let mut money = vec![moved(from.seat, short, is_boxed(rules)), moved(to.seat, over, is_boxed(rules))];
    money.sort_unstable();
    let bets = vec![short.bet, over.bet];
    let accusation = play.accusation(Code::PayoutWrongSeat, expected, recorded).moving_for_bets(bets, money);
    with_bet(accusation, from, rules)
}

/// `with_mark`: whether its money is net of what was marked in the seat's box, for no other finding reports the mark.
fn name_alone(play: &CoupInPlay, deviation: &Deviation<'_>, rules: &Rules, with_mark: bool) -> Accusation {
    let bet = &play.bets[deviation.bet];
    let Deviation { due, recorded, .. } = deviation;
    if !deviation.is_of_commission(rules) {
        let code = if deviation.returned() > 0 { Code::PayoutOver } else { Code::PayoutUnder };
        let open = deviation.comparison.moved(bet.seat, is_boxed(rules));
        let money = match deviation.is_open() {
            true => open.into_iter().collect(),
            false => vec![moved(bet.seat, deviation, with_mark && is_boxed(rules))],
        };
        let (amount, commission) = returned(*due);
        let expected = match open.filter(|_| deviation.is_open()) {
            Some(SeatMoney { minor_units: 1.., .. }) => OfPayouts::BetReturnsAtMost { bet: bet.id, amount },
            Some(_) => OfPayouts::BetReturnsAtLeast { bet: bet.id, amount },
            None => OfPayouts::BetReturns { bet: bet.id, amount, commission },
        };
        let (amount, commission) = returned(*recorded);
        let recorded = OfPayouts::Returned { amount, commission };
        let accusation = play.accusation(code, expected, recorded);
        return with_bet(accusation.moving_for_bets(vec![deviation.bet], money), bet, rules);
    }
    let missing = recorded.commission == Money::ZERO;
    let code = if missing { Code::CommissionMissing } else { Code::CommissionWrong };
    let expected = OfPayouts::BetCommission { bet: bet.id, commission: due.commission.into() };
    let recorded = OfPayouts::Commission { commission: recorded.commission.into() };
    let accusation = play.accusation(code, expected, recorded);
    if deviation.is_open() {
        let money = deviation.comparison.moved(bet.seat, is_boxed(rules));
        return accusation.moving_for_bets(vec![deviation.bet], money.into_iter().collect());
    }
    if deviation.returned() == 0 && !is_boxed(rules) {
        // The seat got what was due: the house lacks what was not noted, or has what was noted without being due.
        return accusation.moving(vec![SeatMoney::exactly(0, clamp(deviation.commission()))]);
    }
    let money = SeatMoney::exactly(bet.seat, clamp(-deviation.commission()));
    accusation.moving_for_bets(vec![deviation.bet], vec![money])
}

/// Commission that is marked in a box moves no payout: where both are wrong, and the mark fits neither what was due nor
/// what was paid as won, be it on another stake, they are two errors.
fn marked_beside(play: &CoupInPlay, deviation: &Deviation<'_>, rules: &Rules) -> Option<Accusation> {
    let bet = &play.bets[deviation.bet];
    let Deviation { due, recorded, .. } = deviation;
    let of_another = won_on_another_stake(bet.stake, *due, *recorded);
    let mut paid = [Some(recorded.returned.minus(bet.stake)), of_another].into_iter().flatten();
    let fits = paid.any(|won| rules.book.commission_on(won) == recorded.commission);
    if !is_boxed(rules)
        || deviation.is_open()
        || fits
        || deviation.returned() == 0
        || deviation.commission() == 0
    {
        return None;
    }
    let missing = recorded.commission == Money::ZERO;
    let code = if missing { Code::CommissionMissing } else { Code::CommissionWrong };
    let expected = OfPayouts::BetCommission { bet: bet.id, commission: due.commission.into() };
    let money = SeatMoney::exactly(bet.seat, clamp(-deviation.commission()));
    let recorded = OfPayouts::Commission { commission: recorded.commission.into() };
    Some(play.accusation(code, expected, recorded).moving_for_bets(vec![deviation.bet], vec![money]))
}

fn with_bet(accusation: Accusation, bet: &Bet, rules: &Rules) -> Accusation {
    match bet.kind {
        Some(kind) => accusation.about(rules.name(kind)),
        None => accusation,
    }
}

/// `boxed`: less what was marked in the seat's box.
fn moved(seat: u8, deviation: &Deviation<'_>, boxed: bool) -> SeatMoney {
    let [got, due] = [deviation.recorded, deviation.due].map(|settled| net(settled, boxed));
    SeatMoney::exactly(seat, got.saturating_sub(due))
}

fn returned(settlement: Settlement) -> (Sum, WithCommission) {
    (settlement.returned.into(), WithCommission(settlement.commission.into()))
}

fn for_bet(settlement: Settlement, bet: &Bet) -> OfPayouts {
    let (amount, commission) = returned(settlement);
    OfPayouts::ForBetAt { amount, commission, bet: bet.id, seat: bet.seat }
}
