//! Payouts: what every bet had to bring, against what was recorded.

use baccarat::{Charge, Coup, Decision, Money, Outcome, OverLimit, Settlement};
use events::{BetSettled, CoupSettled};

use crate::boxes::Boxes;
use crate::coup::{Bet, CoupInPlay, Held, Standing};
use crate::rules::Rules;
use crate::sink::{Accusation, Sink, clamp, seat_money};
use crate::verdict::Reason;
use crate::{Code, SeatMoney};

/// One bet's settlement as due and as recorded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comparison {
    pub(crate) bet: usize,
    /// `None` where it cannot be derived.
    pub(crate) due: Option<Settlement>,
    /// `None` where it was left out.
    pub(crate) recorded: Option<Settlement>,
}

/// Judges every payout of a coup and marks the boxes; gives the comparisons, in the order of the
/// record, then those left out.
pub(crate) fn judge_payouts(
    play: &mut CoupInPlay,
    settled: &CoupSettled,
    coup: Option<&Coup>,
    rules: &Rules,
    boxes: &mut Boxes,
    sink: &mut Sink,
) -> Vec<Comparison> {
    let mut comparisons = match_bets(play, settled, sink);
    let mut decisions = coup.map(|coup| Decisions::new(coup, rules.kinds()));
    for comparison in &mut comparisons {
        let bet = &play.bets[comparison.bet];
        if bet.standing == Standing::WithdrawnLate {
            continue;
        }
        if let (Some(decisions), Some(kind), false) = (decisions.as_mut(), bet.kind, is_open(bet, rules)) {
            comparison.due = decisions.of(kind, rules).map(|decision| due(bet, decision, rules));
            if comparison.due.is_none() {
                play.undecided.get_or_insert(Reason::SuitUnread);
            }
        }
    }
    if rules.book.commission.as_ref().is_some_and(|commission| commission.charge == Charge::Boxed) {
        for comparison in &comparisons {
            if let Some(recorded) = comparison.recorded {
                boxes.mark(play.bets[comparison.bet].seat, recorded.commission);
            }
        }
    }
    compare(play, &comparisons, rules, sink);
    comparisons
}

/// Finds the bet of every line of the settlement, and the bets that have none.
pub(crate) fn match_bets(play: &mut CoupInPlay, settled: &CoupSettled, sink: &mut Sink) -> Vec<Comparison> {
    let mut comparisons = Vec::with_capacity(settled.bets.len());
    let mut by_id: Option<Vec<(u64, usize)>> = None;
    let mut next = 0;
    for line in &settled.bets {
        let in_order = (next..play.bets.len()).find(|&at| play.bets[at].standing != Standing::Withdrawn);
        let found = match in_order.filter(|&at| play.bets[at].id == line.bet) {
            Some(at) => Some(at),
            None => find(by_id.get_or_insert_with(|| ids(&play.bets)), line.bet),
        };
        match found.filter(|&at| play.bets[at].standing != Standing::Withdrawn) {
            None => sink.accuse(unknown(play, line)),
            Some(at) if play.bets[at].standing == Standing::Settled => sink.accuse(twice(play, at, line)),
            Some(at) => {
                next = at + 1;
                let recorded = Some(Settlement { returned: line.returned, commission: line.commission });
                comparisons.push(Comparison { bet: at, due: None, recorded });
                if play.bets[at].standing == Standing::Stands {
                    play.bets[at].standing = Standing::Settled;
                }
            }
        }
    }
    let left_out = |at: &usize| play.bets[*at].standing == Standing::Stands;
    comparisons.extend((0..play.bets.len()).filter(left_out).map(|bet| Comparison {
        bet,
        due: None,
        recorded: None,
    }));
    comparisons
}

fn ids(bets: &[Bet]) -> Vec<(u64, usize)> {
    let mut ids: Vec<(u64, usize)> = bets.iter().enumerate().map(|(at, bet)| (bet.id, at)).collect();
    ids.sort_unstable();
    ids
}

/// The first bet of that id.
fn find(ids: &[(u64, usize)], id: u64) -> Option<usize> {
    let at = ids.partition_point(|(other, _)| *other < id);
    ids.get(at).filter(|(other, _)| *other == id).map(|(_, place)| *place)
}

fn unknown(play: &CoupInPlay, line: &BetSettled) -> Accusation {
    play.accusation(Code::BetUnknown, "a bet standing in this coup", format!("bet {} settled", line.bet))
}

fn twice(play: &CoupInPlay, at: usize, line: &BetSettled) -> Accusation {
    play.accusation(
        Code::BetSettledTwice,
        format!("bet {} settled once", line.bet),
        format!("another {} returned", line.returned),
    )
    .moving(vec![seat_money(play.bets[at].seat, line.returned, Money::ZERO)])
}

/// What each kind of bet comes to in one coup, looked up once.
struct Decisions {
    outcome: Outcome,
    known: Vec<Option<Option<Decision>>>,
}

impl Decisions {
    fn new(coup: &Coup, kinds: usize) -> Self {
        Self { outcome: Outcome::of(coup), known: vec![None; kinds] }
    }

    fn of(&mut self, kind: usize, rules: &Rules) -> Option<Decision> {
        *self.known[kind].get_or_insert_with(|| rules.paytable(kind).decide(&self.outcome))
    }
}

/// What a bet would have brought, had it not been taken back.
pub(crate) fn would_bring(bet: &Bet, coup: &Coup, rules: &Rules) -> Option<Settlement> {
    let decision = rules.paytable(bet.kind.filter(|_| !is_open(bet, rules))?).decide(&Outcome::of(coup))?;
    Some(due(bet, decision, rules))
}

/// Whether what comes back for it depends on a limit that may or may not bind.
pub(crate) fn is_open(bet: &Bet, rules: &Rules) -> bool {
    bet.held == Held::Open && rules.book.limits.over_limit != OverLimit::PaidInFull
}

/// What has to come back for a bet, the over-limit policy included.
fn due(bet: &Bet, decision: Decision, rules: &Rules) -> Settlement {
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

/// A bet that did not bring what was due, before it is given a name.
struct Deviation {
    bet: usize,
    due: Settlement,
    recorded: Settlement,
    /// Paid beyond what was due, commission set aside.
    payout: i128,
}

pub(crate) fn compare(play: &CoupInPlay, comparisons: &[Comparison], rules: &Rules, sink: &mut Sink) {
    let mut deviations = Vec::new();
    for comparison in comparisons {
        let Some(recorded) = comparison.recorded else {
            sink.accuse(left_out(play, comparison, rules));
            continue;
        };
        let Some(due) = comparison.due else { continue };
        if due != recorded {
            let payout = gross(recorded, rules) - gross(due, rules);
            deviations.push(Deviation { bet: comparison.bet, due, recorded, payout });
        }
    }
    name_deviations(play, deviations, rules, sink);
}

/// What was paid before commission was deducted.
fn gross(settlement: Settlement, rules: &Rules) -> i128 {
    let deducted = match rules.book.commission.as_ref().map(|commission| commission.charge) {
        Some(Charge::Collected) => settlement.commission,
        Some(Charge::Boxed) | None => Money::ZERO,
    };
    i128::from(settlement.returned.get()) + i128::from(deducted.get())
}

fn left_out(play: &CoupInPlay, comparison: &Comparison, rules: &Rules) -> Accusation {
    let bet = &play.bets[comparison.bet];
    let expected = match comparison.due {
        Some(due) => format!("bet {} settled with {}", bet.id, told(due)),
        None => format!("bet {} settled", bet.id),
    };
    let mut accusation = play.accusation(Code::BetNotSettled, expected, "bet left out");
    accusation.bet = bet.kind.map(|kind| rules.name(kind).clone());
    match comparison.due {
        Some(due) if due.returned > Money::ZERO => {
            accusation.moving(vec![seat_money(bet.seat, Money::ZERO, due.returned)])
        }
        Some(_) | None => accusation,
    }
}

fn name_deviations(play: &CoupInPlay, mut deviations: Vec<Deviation>, rules: &Rules, sink: &mut Sink) {
    while let Some(deviation) = (!deviations.is_empty()).then(|| deviations.remove(0)) {
        let seat = play.bets[deviation.bet].seat;
        let mirrors = |other: &Deviation| {
            deviation.payout != 0 && other.payout == -deviation.payout && play.bets[other.bet].seat != seat
        };
        match deviations.iter().position(mirrors) {
            Some(at) => {
                let other = deviations.remove(at);
                sink.accuse(wrong_seat(play, &deviation, &other, rules));
            }
            None => name_alone(play, &deviation, rules, sink),
        }
    }
}

/// What was due at one seat went to another.
fn wrong_seat(play: &CoupInPlay, one: &Deviation, other: &Deviation, rules: &Rules) -> Accusation {
    let (short, over) = if one.payout < 0 { (one, other) } else { (other, one) };
    let (from, to) = (&play.bets[short.bet], &play.bets[over.bet]);
    let expected = format!("{} for bet {} at seat {}", told(short.due), from.id, from.seat);
    let recorded = format!("{} for bet {} at seat {}", told(over.recorded), to.id, to.seat);
    let mut money = vec![moved(from.seat, short), moved(to.seat, over)];
    money.sort_unstable();
    let accusation = play.accusation(Code::PayoutWrongSeat, expected, recorded).moving(money);
    with_bet(accusation, from, rules)
}

fn name_alone(play: &CoupInPlay, deviation: &Deviation, rules: &Rules, sink: &mut Sink) {
    let bet = &play.bets[deviation.bet];
    let Deviation { due, recorded, payout, .. } = deviation;
    let commission = recorded.commission.over(due.commission);
    if *payout != 0 {
        let code = if *payout > 0 { Code::PayoutOver } else { Code::PayoutUnder };
        let money = vec![SeatMoney { seat: bet.seat, minor_units: clamp(*payout) }];
        let accusation =
            play.accusation(code, format!("bet {}: {}", bet.id, told(*due)), told(*recorded)).moving(money);
        sink.accuse(with_bet(accusation, bet, rules));
    }
    if commission != 0 {
        let missing = recorded.commission == Money::ZERO;
        let code = if missing { Code::CommissionMissing } else { Code::CommissionWrong };
        let expected = format!("bet {}: commission {}", bet.id, due.commission);
        let money = vec![SeatMoney { seat: bet.seat, minor_units: clamp(-commission) }];
        sink.accuse(
            play.accusation(code, expected, format!("commission {}", recorded.commission)).moving(money),
        );
    }
}

fn with_bet(accusation: Accusation, bet: &Bet, rules: &Rules) -> Accusation {
    match bet.kind {
        Some(kind) => accusation.about(rules.name(kind)),
        None => accusation,
    }
}

fn moved(seat: u8, deviation: &Deviation) -> SeatMoney {
    seat_money(seat, deviation.recorded.returned, deviation.due.returned)
}

fn told(settlement: Settlement) -> String {
    if settlement.commission > Money::ZERO {
        format!("{} returned, commission {}", settlement.returned, settlement.commission)
    } else {
        format!("{} returned", settlement.returned)
    }
}
