//! What the judge makes of a planted fault, held against what was promised of it: shared by tests and by the
//! example that writes `docs/detection.md`.
#![allow(dead_code, reason = "not everybody who shares it asks for all of it")]

use std::collections::{BTreeMap, BTreeSet};

use audit_tests::judges;
use audit_tests::sealed::{Sealed, entries};
use baccarat::Rulebook;
use casino::{Fault, Plan, Planted, simulate};
use events::{Event, Line, encode_payload};
use replay::{Finding, Judge, Judgement};

/// Events that are judged at a time.
const WINDOW: usize = 4_096;

/// Judges lines as they would be judged from a log: one entry for each event. Only a window of them is held.
///
/// # Panics
///
/// Where a line cannot be an event of a log.
#[must_use]
pub fn judge(lines: impl Iterator<Item = Line>) -> Judgement {
    let mut judge = judges::new();
    let mut index = 0;
    let mut window: Vec<Sealed> = Vec::with_capacity(WINDOW);
    for line in lines {
        let (table, sequence) = (line.table.to_string(), line.sequence);
        let event: Event = line.into_event();
        #[allow(clippy::expect_used, reason = "a made-up record that does not fit is a fault of its maker")]
        let payload = encode_payload(&[event]).expect("an event within its bounds");
        window.push((table, sequence, payload));
        if window.len() == WINDOW {
            index = flush(&mut window, index, &mut judge);
        }
    }
    flush(&mut window, index, &mut judge);
    judge.finish()
}

fn flush(window: &mut Vec<Sealed>, index: u64, judge: &mut Judge) -> u64 {
    let entries = entries(window, index);
    let next = index + entries.len() as u64;
    judge.judge(&entries);
    window.clear();
    next
}

/// All built-in rulebooks.
#[must_use]
pub fn rulebooks() -> Vec<Rulebook> {
    baccarat::builtins().filter_map(|(id, _)| baccarat::builtin(id).ok()).collect()
}

/// Plays two tables of two shoes with one fault in them; gives what was promised and what was judged.
///
/// # Panics
///
/// Where the fault cannot be planted although it applies to the rulebook.
#[must_use]
pub fn play(rulebook: &Rulebook, fault: Fault, seed: u64, varied: bool) -> (Planted, Judgement) {
    let plan = Plan { tables: 2, shoes: 2, seed, varied, fault: Some(fault), ..Plan::new(rulebook.clone()) };
    let simulation = simulate(&plan);
    let planted = simulation.planted.unwrap_or_else(|| panic!("{} {fault:?} was not planted", rulebook.id));
    (planted, judge(simulation.lines))
}

/// What became of the money of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoneyDetection {
    /// None was promised, and none is reported.
    None,
    /// To the minor unit, at every seat.
    Exact,
    /// So much less as missing events may explain: the rest is certain.
    Rest,
    /// It depends on cards that the record does not show, and none is reported.
    Open,
    /// Another sum, or at another seat.
    Other,
}

/// How the judge reports one planted fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detection {
    /// Something was found.
    pub found: bool,
    /// A finding of its code is located at the event that shows it first.
    pub at_its_event: bool,
    /// Its code was found as often as promised.
    pub code: bool,
    /// Its money.
    pub money: MoneyDetection,
    /// Nothing was found that was not promised, and all else that was.
    pub alone: bool,
    /// As many coups and shoes are violated as it concerns.
    pub verdicts: bool,
}

impl Detection {
    /// Compares a judgement with what was promised.
    #[must_use]
    pub fn of(planted: &Planted, judgement: &Judgement) -> Self {
        let (own, others): (Vec<&Finding>, Vec<&Finding>) =
            judgement.findings.iter().partition(|finding| finding.code.as_str() == planted.finding);
        let others: BTreeSet<&str> = others.iter().map(|finding| finding.code.as_str()).collect();
        let at_table = judgement.findings.iter().all(|finding| finding.table == planted.table.as_str());
        let violated = (judgement.summary.coups.violated, judgement.summary.shoes.violated);
        Self {
            found: !judgement.findings.is_empty(),
            at_its_event: own.iter().any(|finding| finding.sequence == planted.sequence),
            code: own.len() as u64 == planted.findings,
            money: money(planted, &own),
            alone: at_table && others == planted.also.iter().copied().collect(),
            verdicts: violated == (planted.violated_coups, planted.violated_shoes),
        }
    }

    /// Whether everything is reported as promised.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let as_promised = self.found && self.at_its_event && self.code && self.alone && self.verdicts;
        as_promised && self.money != MoneyDetection::Other
    }
}

/// What some findings brought, by seat; seats at which it comes to nothing are left out.
pub fn by_seat<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<(u8, i64)> {
    let mut money: BTreeMap<u8, i64> = BTreeMap::new();
    for moved in findings.into_iter().flat_map(|finding| &finding.money) {
        *money.entry(moved.seat).or_default() += moved.minor_units;
    }
    money.into_iter().filter(|(_, units)| *units != 0).collect()
}

fn money(planted: &Planted, own: &[&Finding]) -> MoneyDetection {
    match by_seat(own.iter().copied()) {
        reported if reported == planted.money && reported.is_empty() => MoneyDetection::None,
        reported if reported == planted.money => MoneyDetection::Exact,
        reported if reported.is_empty() && may_be_open(planted) => MoneyDetection::Open,
        reported if planted.explained > 0 && is_rest(planted, &reported) => MoneyDetection::Rest,
        _ => MoneyDetection::Other,
    }
}

/// Whether the same seats are reported, each with at most as much less as missing events explain.
fn is_rest(planted: &Planted, reported: &[(u8, i64)]) -> bool {
    let rest = |(promised, reported): (&(u8, i64), &(u8, i64))| {
        let (whole, least) =
            (promised.1.unsigned_abs(), promised.1.unsigned_abs().saturating_sub(planted.explained));
        promised.0 == reported.0
            && promised.1.signum() == reported.1.signum()
            && (least..=whole).contains(&reported.1.unsigned_abs())
    };
    planted.money.len() == reported.len() && planted.money.iter().zip(reported).all(rest)
}

/// Where a hand stood wrongly, what it moved depends on the next cards of the shoe, which may be the next
/// coup's: then none is reported.
fn may_be_open(planted: &Planted) -> bool {
    matches!(planted.finding, "punto-stood" | "banca-stood" | "deal-order")
}

/// After it no event is judged, because the events after it have sequences that were recorded before.
const HIDES_ALL: Fault = Fault::NumberingRestarted;

/// All pairs of faults that a rulebook can have, each once.
#[must_use]
pub fn pairs(rulebook: &Rulebook) -> Vec<(Fault, Fault)> {
    let fits = |fault: &Fault| fault.applies_to(rulebook) && *fault != HIDES_ALL;
    let faults: Vec<Fault> = Fault::ALL.iter().copied().filter(fits).collect();
    let behind = |at: usize| faults.iter().skip(at + 1).copied();
    faults.iter().enumerate().flat_map(|(at, &fault)| behind(at).map(move |second| (fault, second))).collect()
}

/// Plays one shoe with two faults in it; `None` where no coup allows both.
#[must_use]
pub fn play_pair(
    rulebook: &Rulebook,
    fault: Fault,
    second: Fault,
    seed: u64,
) -> Option<([Planted; 2], Judgement)> {
    let plan = Plan { seed, fault: Some(fault), second: Some(second), ..Plan::new(rulebook.clone()) };
    let simulation = simulate(&plan);
    Some(([simulation.planted?, simulation.second?], judge(simulation.lines)))
}

/// How the judge reports a pair of faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairDetection {
    /// Both, with the money of each where they are of different coups.
    Both,
    /// One moved the money of the other: the findings of their coup report the sum of both, or one finding
    /// reports a line in which both the payout and its commission are wrong.
    Together,
    /// One is reported under another code than when it is alone, in its coup or at its event.
    Otherwise,
    /// Events are missing that may explain one of them, or one is what an honest house would have recorded,
    /// given the other.
    Explained,
    /// One is not reported, or its money is wrong.
    Hidden(Vec<String>),
}

/// Pairs in which one is what an honest house would have recorded, given the other.
const ONE_EXPLAINS_THE_OTHER: [(Fault, Fault); 18] = [
    // Nobody knows which coup is the last where the cut card is not recorded.
    (Fault::CutMissing, Fault::CoupAfterLast),
    // The count of the cards left is right by the positions that are wrong.
    (Fault::PositionSkipped, Fault::CardsLeftWrong),
    // What was collected too much of a box is what was corrected away.
    (Fault::CommissionCorrected, Fault::OverCollected),
    // One text is another than the built-in one as well as than the other opening's.
    (Fault::RulebookAltered, Fault::RulebookTwoTexts),
    // The coup after the last is the one after the end, before which the recorded cards left are right.
    (Fault::CoupAfterLast, Fault::PlayAfterEnd),
    (Fault::CardsLeftWrong, Fault::PlayAfterEnd),
    // Whoever bets at a seat that is not there holds punto's cards at the one they have.
    (Fault::UnknownSeat, Fault::HolderWrong),
    (Fault::UnknownSeat, Fault::HolderCorrected),
    // A holder recorded again is wrong whoever it names.
    (Fault::HolderRecordedTwice, Fault::HolderStanding),
    // The line that had another's payout is written anew for the other stake.
    (Fault::WrongSeat, Fault::StakeCorrected),
    // The position of the cut card depends on the number of cards, which is reported as wrong.
    (Fault::ShoeShort, Fault::CutMissing),
    // The card that was not read may be one on which punto stands.
    (Fault::PuntoStood, Fault::MillionsUnread),
    // The commission of the line that should not be there may be marked in the box of which too much is collected.
    (Fault::BetSettledTwice, Fault::OverCollected),
    // The correction leaves the line of the bet that nobody placed out.
    (Fault::CorrectionPays, Fault::BetInvented),
    // The bet of which commission is missing is taken back, so that a side bet stands alone.
    (Fault::CommissionMissing, Fault::SideBetOrphaned),
    // What a hand announced is not asked where a card went against the rules.
    (Fault::PuntoDrew, Fault::CartaAgainstNo),
    (Fault::PuntoDrew, Fault::DecisionCorrected),
    // The correction makes the bank large enough: its finding replaces what only the bank as it was taken breaks.
    (Fault::BankUndercut, Fault::BankCorrected),
];

/// Whose the deal or the bank is, and who may follow whom, goes by the winner as announced: where another was
/// announced, or none can be known, as in a void coup, the findings follow from that.
fn follows_the_winner(turn: &Planted, winner: &Planted) -> bool {
    let of_the_turn = turn.finding.starts_with("deal-")
        || matches!(
            turn.finding,
            "bank-kept" | "bank-taken-away" | "bank-below-passed" | "banco-seguido" | "auction-excluded"
        );
    let void = winner.finding.starts_with("void-") || winner.fault == Fault::VoidUnsigned;
    let announced = winner.finding == "winner-wrong" || void;
    of_the_turn && announced && winner.sequence.abs_diff(turn.sequence) < 20
}

/// Commission that was left out of a line whose payout is wrong as well: one finding reports the line, and nobody
/// knows what of it was commission.
fn of_one_line(planted: &[Planted; 2], judgement: &Judgement) -> bool {
    let kept = planted.iter().find(|fault| fault.fault == Fault::CommissionKept);
    let line = |finding: &Finding| {
        let code = finding.code.as_str();
        (code.starts_with("payout-") || code == "commission-wrong")
            && finding.expected.to_string().contains("commission")
    };
    let here = |finding: &&Finding| kept.is_some_and(|kept| finding.sequence == kept.sequence);
    judgement.findings.iter().filter(here).any(line)
}

/// Whether something was found in the coup of a fault, or at its event, that the other fault does not bring, and
/// money at each seat where the fault moved any, the same way.
fn reported_otherwise(fault: &Planted, other: &Planted, judgement: &Judgement) -> bool {
    let here_or_in_coup = |finding: &&Finding| {
        finding.sequence == fault.sequence || (finding.coup.is_some() && finding.coup == fault.coup)
    };
    let here: Vec<&Finding> = judgement.findings.iter().filter(here_or_in_coup).collect();
    let brought = |finding: &Finding| {
        finding.code.as_str() == other.finding || other.also.contains(&finding.code.as_str())
    };
    let money = by_seat(here.iter().copied());
    let moved = |(seat, units): &(u8, i64)| {
        money.iter().any(|(at, reported)| at == seat && reported.signum() == units.signum())
    };
    !here.iter().all(|finding| brought(finding)) && fault.money.iter().all(moved)
}

/// How the judge reports two faults.
#[must_use]
pub fn detection_of_pair(planted: &[Planted; 2], judgement: &Judgement) -> PairDetection {
    let [one, other] = planted;
    // Many at once touch the bets of every coup, and an event recorded twice may be of any.
    let one_coup = |fault: &Planted| fault.findings == 1 && fault.fault != Fault::SequenceConflict;
    let apart = one.coup != other.coup && planted.iter().all(one_coup);
    let unseen: Vec<String> = planted.iter().flat_map(|fault| unseen(fault, apart, judgement)).collect();
    let listed = ONE_EXPLAINS_THE_OTHER.contains(&(one.fault, other.fault));
    let explained = listed || follows_the_winner(one, other) || follows_the_winner(other, one);
    let found =
        |fault: &Planted| judgement.findings.iter().any(|finding| finding.code.as_str() == fault.finding);
    let otherwise = (found(one) || reported_otherwise(one, other, judgement))
        && (found(other) || reported_otherwise(other, one, judgement))
        && !(found(one) && found(other));
    if unseen.is_empty() {
        PairDetection::Both
    } else if !apart && reports_the_sum(planted, judgement) || of_one_line(planted, judgement) {
        PairDetection::Together
    } else if otherwise {
        PairDetection::Otherwise
    } else if explained || judgement.findings.iter().any(|finding| finding.code.as_str() == "sequence-gap") {
        PairDetection::Explained
    } else {
        PairDetection::Hidden(unseen)
    }
}

/// What is not reported of one of two faults: its code, or its money where they are of different coups.
fn unseen(fault: &Planted, apart: bool, judgement: &Judgement) -> Option<String> {
    let of_it = |finding: &&Finding| finding.code.as_str() == fault.finding;
    let here = |finding: &&Finding| finding.sequence == fault.sequence;
    if !judgement.findings.iter().any(|finding| of_it(&finding)) {
        return Some(format!("{} is not found", fault.finding));
    }
    let own: Vec<&Finding> = judgement.findings.iter().filter(of_it).filter(here).collect();
    let other = apart && !own.is_empty() && money(fault, &own) == MoneyDetection::Other;
    other.then(|| format!("{} moves {:?}", fault.finding, by_seat(own)))
}

/// Whether the findings report what both move, seat by seat.
fn reports_the_sum(planted: &[Planted; 2], judgement: &Judgement) -> bool {
    let mut due: BTreeMap<u8, i64> = BTreeMap::new();
    for (seat, units) in planted.iter().flat_map(|fault| &fault.money) {
        *due.entry(*seat).or_default() += units;
    }
    due.retain(|_, units| *units != 0);
    let due: Vec<(u8, i64)> = due.into_iter().collect();
    // Findings on commission beside a payout that went to another seat do not belong to the payout.
    let payouts =
        judgement.findings.iter().filter(|finding| !finding.code.as_str().starts_with("commission-"));
    !due.is_empty() && (by_seat(&judgement.findings) == due || by_seat(payouts) == due)
}
