//! The judgement does not depend on how the log was cut, and says what it could not judge.
#![allow(clippy::unwrap_used)]

use audit_tests::sealed::{Sealed, in_windows};
use casino::{Fault, Plan, simulate};
use events::encode_payload;
use replay::{CoupPlace, CoupView, Entry, Judge, Judgement, Verdict, Wanted};

fn sealed(fault: Option<Fault>) -> Vec<Sealed> {
    let book = baccarat::builtin("punto-banco").unwrap();
    let lines = simulate(&Plan { tables: 3, shoes: 2, seed: 21, fault, ..Plan::new(book) }).lines;
    lines
        .map(|line| (line.table.to_string(), line.sequence, encode_payload(&[line.into_event()]).unwrap()))
        .collect()
}

fn judge(entries: &[Sealed], window: usize) -> Judgement {
    let mut judge = Judge::new(None, Some(Wanted::default()));
    in_windows(entries, window, |window| judge.judge(window));
    judge.finish()
}

#[test]
fn the_same_log_gives_the_same_judgement_however_it_is_cut() {
    for fault in [None, Some(Fault::Overpaid), Some(Fault::MissingEvent), Some(Fault::CoupNotSettled)] {
        let entries = sealed(fault);
        let whole = format!("{:?}", judge(&entries, usize::MAX >> 1));
        for window in [1, 7, 1_000] {
            assert!(format!("{:?}", judge(&entries, window)) == whole, "{fault:?}, windows of {window}");
        }
    }
}

/// Every coup that is counted is listed once, whatever it came to, and has a view where it is asked for.
#[test]
fn the_coups_listed_are_those_counted_and_each_can_be_shown() {
    let faults = [
        None,
        Some(Fault::Overpaid),
        Some(Fault::MissingEvent),
        Some(Fault::CoupNotSettled),
        Some(Fault::RulingIgnored),
        Some(Fault::ShoeIdReused),
        Some(Fault::CoupSettledTwice),
        Some(Fault::CorrectionWrong),
    ];
    for fault in faults {
        let entries = sealed(fault);
        let read = |mut judge: Judge, window: usize, listed: &mut Vec<CoupPlace>| {
            in_windows(&entries, window, |window| {
                judge.judge(window);
                listed.append(&mut judge.take_coups());
            });
            judge.finish()
        };
        let mut listed = Vec::new();
        let mut judgement = read(Judge::listing(None), 100, &mut listed);
        listed.append(&mut judgement.coups);
        listed.sort();
        assert_eq!(listed.len() as u64, judgement.summary.coups.total(), "{fault:?}");
        let mut whole = Vec::new();
        let mut at_once = read(Judge::listing(None), usize::MAX >> 1, &mut whole);
        whole.append(&mut at_once.coups);
        whole.sort();
        assert_eq!(listed, whole, "{fault:?}: however it is cut");
        let views = read(Judge::viewing(None, &listed), 100, &mut Vec::new()).coup_views;
        let place = |view: &CoupView| CoupPlace {
            table: view.table.clone(),
            shoe: view.shoe.clone(),
            coup: view.coup,
            first: view.sequences.0,
        };
        let mut shown: Vec<CoupPlace> = views.iter().map(place).collect();
        shown.sort();
        assert_eq!(shown, listed, "{fault:?}");
        let few = read(Judge::viewing(None, &listed[5..8]), 100, &mut Vec::new()).coup_views;
        assert!(few.iter().all(|view| listed[5..8].contains(&place(view))) || fault.is_some());
        assert!(few.len() >= 3, "{fault:?}");
        let all = judge(&entries, 512).coup_views;
        assert!(few.iter().all(|view| all.contains(view)), "{fault:?}: a view is that of `show coup`");
    }
}

#[test]
fn an_entry_that_cannot_be_decoded_is_reported_and_accuses_nobody() {
    let mut entries = sealed(None);
    let honest = judge(&entries, 512);
    let middle = entries.len() / 2;
    entries[middle].2 = vec![0xff, 0x00];
    let judgement = judge(&entries, 512);
    assert_eq!(judgement.unreadable_count, 1);
    assert_eq!(judgement.unreadable[0].entry, middle as u64);
    assert!(judgement.findings.is_empty(), "{:?}", judgement.findings);
    assert_eq!((judgement.complete(), judgement.certified()), (Verdict::Unknown, Verdict::Unknown));
    assert_eq!(judgement.summary.coups.violated, 0);
    let undecided = judgement.summary.coups.undecided;
    assert!((1..=2).contains(&undecided), "{undecided}");
    assert_eq!(judgement.summary.coups.certified + undecided, honest.summary.coups.certified);
}

#[test]
fn an_entry_that_holds_another_number_of_events_than_it_states_is_reported() {
    let entries = sealed(None);
    let (table, first, payload) = &entries[0];
    let mut judge = Judge::default();
    judge.judge(&[Entry { index: 0, table, first: *first, count: 2, payload, ..Entry::default() }]);
    let judgement = judge.finish();
    assert!(judgement.unreadable[0].message.contains("says it holds 2 events and holds 1"));
}

#[test]
fn an_empty_log_shows_nothing() {
    let judgement = Judge::default().finish();
    assert_eq!((judgement.complete(), judgement.certified()), (Verdict::Unknown, Verdict::Unknown));
}
