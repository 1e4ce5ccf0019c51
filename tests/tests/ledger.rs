//! A ledger adds up to what the judge counted, row by row, whatever was played and however the log was cut.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use audit_tests::sealed::{Sealed, in_windows};
use casino::{Fault, Plan, simulate};
use events::encode_payload;
use replay::{Counts, CoupVerdict, Judge, Judgement, Summary};

/// The first built-in rulebook a fault applies to.
fn rulebook_for(fault: Fault) -> &'static str {
    let applies = |(id, _): &(&'static str, &'static str)| fault.applies_to(&baccarat::builtin(id).unwrap());
    baccarat::builtins().find(applies).unwrap().0
}

/// Two shoes at two tables of this rulebook, so that the first of them are over before the log ends.
fn night(id: &str, fault: Option<Fault>) -> Vec<Sealed> {
    let book = baccarat::builtin(id).unwrap();
    let lines =
        simulate(&Plan { tables: 2, shoes: 2, seed: 5, fault, cards_in_front: Some(60), ..Plan::new(book) })
            .lines;
    lines
        .map(|line| (line.table.to_string(), line.sequence, encode_payload(&[line.into_event()]).unwrap()))
        .collect()
}

fn judge(entries: &[Sealed], window: usize) -> (Judgement, Vec<Counts>) {
    let mut judge = Judge::with_ledger(None);
    in_windows(entries, window, |window| judge.judge(window));
    let (judgement, _, states) = judge.finish_by_table();
    (judgement, states.into_values().map(|state| state.coups).collect())
}

fn sum(counts: impl Iterator<Item = Counts>) -> Counts {
    counts.fold(Counts::default(), |sum, one| Counts {
        certified: sum.certified + one.certified,
        judged: sum.judged + one.judged,
        violated: sum.violated + one.violated,
        undecided: sum.undecided + one.undecided,
        subject_to_ruling: sum.subject_to_ruling + one.subject_to_ruling,
    })
}

/// What each seat got in all, less what it lacks.
fn net(rows: impl Iterator<Item = (u8, u128, u128)>) -> BTreeMap<u8, i128> {
    let mut net = BTreeMap::new();
    for (seat, gained, lost) in rows {
        *net.entry(seat).or_default() += i128::try_from(gained).unwrap() - i128::try_from(lost).unwrap();
    }
    net.retain(|_, sum| *sum != 0);
    net
}

fn moved(summary: &Summary) -> BTreeMap<u8, i128> {
    net(summary.money.iter().map(|row| (row.seat, row.gained, row.lost)))
}

fn adds_up(of: &str, judgement: &Judgement, tables: &[Counts]) {
    let (ledger, summary) = (&judgement.ledger, &judgement.summary);
    let shoes = || ledger.shoes.iter().map(|(_, line)| line);
    assert_eq!(sum(shoes().map(|line| line.coups())), summary.coups, "{of}: coups by shoe");
    assert_eq!(sum(tables.iter().copied()), summary.coups, "{of}: coups by table");
    let ended = |verdict| shoes().filter(|line| line.verdict == Some(verdict)).count() as u64;
    assert_eq!(
        [CoupVerdict::Certified, CoupVerdict::Violated, CoupVerdict::Undecided].map(ended),
        [summary.shoes.certified, summary.shoes.violated, summary.shoes.undecided],
        "{of}: shoes"
    );
    let with_shoe = |finding: &&replay::Finding| finding.cause.is_none() && finding.shoe.is_some();
    let in_shoes: u64 = shoes().map(|line| line.findings).sum();
    assert_eq!(in_shoes, judgement.findings.iter().filter(with_shoe).count() as u64, "{of}: findings");
    // A coup is one net sum for each seat, so only the differences are the same. What was paid late was found to be owed.
    let owed = net(ledger.owed.iter().map(|(key, row)| (key.seat, row.gained + row.paid_late, row.lost)));
    assert_eq!(owed, moved(summary), "{of}: money");
    for (key, results) in ledger.results.iter() {
        assert_eq!(results.punto + results.banca + results.tie, results.coups, "{of}: {}", key.rulebook);
        assert_eq!(results.cards.iter().sum::<u64>(), results.coups, "{of}: {}", key.rulebook);
    }
}

#[test]
fn a_ledger_adds_up_under_every_fault_and_does_not_depend_on_how_the_log_was_cut() {
    for fault in Fault::ALL.iter().copied().map(Some).chain([None]) {
        let id = fault.map_or("es-1979", rulebook_for);
        let entries = night(id, fault);
        let (whole, tables) = judge(&entries, usize::MAX >> 1);
        let of = fault.map_or("no fault", |fault| fault.code());
        adds_up(of, &whole, &tables);
        for window in [1, 97] {
            let (cut, _) = judge(&entries, window);
            assert_eq!(cut.ledger, whole.ledger, "{of}, windows of {window}");
        }
    }
}

#[test]
fn money_is_put_down_to_the_player_who_had_the_bet() {
    let (judgement, _) = judge(&night("punto-banco", Some(Fault::Underpaid)), 1_000);
    let finding = judgement.findings.iter().find(|finding| !finding.money.is_empty()).unwrap();
    let (key, owed) = judgement.ledger.owed.iter().next().unwrap();
    assert_eq!((key.table.as_str(), key.seat), (finding.table.as_str(), finding.money[0].seat));
    assert_eq!(owed.lost, u128::from(finding.money[0].minor_units.unsigned_abs()));
    assert!(matches!(&key.players[..], [one] if one.starts_with("player-")), "{:?}", key.players);
}

#[test]
fn boxes_come_to_what_was_marked_and_collected() {
    let (judgement, _) = judge(&night("punto-banco", None), 1_000);
    let mut boxes = judgement.ledger.boxes.iter().peekable();
    assert!(boxes.peek().is_some());
    for (key, line) in boxes {
        assert_eq!(line.marked - line.collected, line.outstanding, "{key:?}");
    }
}

#[test]
fn a_judge_that_keeps_no_ledger_has_none() {
    let mut judge = Judge::default();
    in_windows(&night("punto-banco", None), 100, |window| judge.judge(window));
    assert_eq!(judge.finish().ledger, replay::Ledger::default());
}
