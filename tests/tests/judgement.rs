//! The judgement does not depend on how the log was cut, and says what it could not judge.
#![allow(clippy::unwrap_used)]

use casino::{Fault, Plan, simulate};
use events::encode_payload;
use replay::{Entry, Judge, Judgement, Verdict, Wanted};

type Sealed = (String, u64, Vec<u8>);

fn sealed(fault: Option<Fault>) -> Vec<Sealed> {
    let book = baccarat::builtin("punto-banco").unwrap();
    let lines = simulate(&Plan { tables: 3, shoes: 2, seed: 21, fault, ..Plan::new(book) }).lines;
    lines
        .map(|line| (line.table.to_string(), line.sequence, encode_payload(&[line.into_event()]).unwrap()))
        .collect()
}

fn judge(entries: &[Sealed], window: usize) -> Judgement {
    let mut judge = Judge::new(None, Some(Wanted::default()));
    for (window, start) in entries.chunks(window).zip((0..).step_by(window)) {
        let views: Vec<Entry<'_>> = window
            .iter()
            .zip(start..)
            .map(|((table, first, payload), index)| Entry {
                index,
                table,
                first: *first,
                count: 1,
                payload,
                ..Entry::default()
            })
            .collect();
        judge.judge(&views);
    }
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
