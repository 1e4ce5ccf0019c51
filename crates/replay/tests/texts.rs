//! Two rulebooks under one name are found across the tables of a log, however it is cut; and what was
//! read from a file is counted.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::Money;
use events::{Body, Event, Limits, OccurredAt, RulebookDocument, TableOpened};
use replay::{Code, Entry, FindingChange, Judge, Received};

const START: i64 = 1_700_000_000_000_000;

/// The opening of a table under `house`, whose tie pays so much.
fn opening(tie: &str) -> Vec<u8> {
    let text = baccarat::builtin("punto-banco").unwrap().canonical_json();
    let text = text.replace("\"id\":\"punto-banco\"", "\"id\":\"house\"").replace("\"8:1\"", tie);
    let sum = |minor_units| Money::new(minor_units).unwrap();
    let body = Body::TableOpened(Box::new(TableOpened {
        rulebook: RulebookDocument::from_json(&text).unwrap(),
        limits: Limits { minimum: sum(1_000), maximum: sum(100_000), multiple: None, bets: Vec::new() },
        currency: "EUR".parse().unwrap(),
        minor_digits: 2,
        seats: vec![1, 2, 3],
    }));
    events::encode_payload(&[Event { occurred_at: OccurredAt::new(START, 60).unwrap(), body }]).unwrap()
}

fn code_of(change: &FindingChange) -> Option<Code> {
    match change {
        FindingChange::Found(finding) => Some(finding.code),
        FindingChange::TakenBack(_) => None,
    }
}

#[test]
fn two_texts_under_one_name_are_one_finding_at_the_second_however_the_log_is_cut() {
    let payloads = [opening("\"8:1\""), opening("\"9:1\""), opening("\"8:1\""), opening("\"9:1\"")];
    // C's opening waits for an event before it until the record ends: it shows last.
    let tables = [("B", 1), ("A", 1), ("C", 2), ("D", 1)];
    let entries: Vec<Entry<'_>> = (0..)
        .zip(payloads.iter().zip(tables))
        .map(|(index, (payload, (table, first)))| Entry {
            index,
            table,
            first,
            count: 1,
            payload,
            ..Entry::default()
        })
        .collect();
    for width in 1..=4 {
        let (mut judge, mut following) = (Judge::default(), Judge::default());
        let mut reported = Vec::new();
        for window in entries.chunks(width) {
            judge.judge(window);
            reported.extend(following.judge_reporting(window));
            let put_aside = serde_json::to_string(&following.save()).unwrap();
            following = Judge::load(&put_aside).unwrap();
        }
        let reported: Vec<_> =
            reported.iter().map(|found| (found.shown_by, code_of(&found.change))).collect();
        assert_eq!(reported, [(1, Some(Code::RulebookTwoTexts))], "{width}");
        assert_eq!(following.table_state("A").unwrap().findings_by_code[&Code::RulebookTwoTexts], 1);
        for judgement in [judge.finish(), following.finish()] {
            let found = judgement.findings.iter().find(|found| found.code == Code::RulebookTwoTexts).unwrap();
            assert_eq!((found.entry, found.table.as_str(), found.sequence), (1, "A", 1), "{width}");
            assert_eq!(judgement.summary.findings_by_code[&Code::RulebookTwoTexts], 1);
        }
    }
}

#[test]
fn what_was_read_from_a_file_is_counted_with_its_longest_delay() {
    let payload = opening("\"8:1\"");
    let of = |index, table, received| Entry {
        index,
        table,
        first: 1,
        count: 1,
        payload: &payload,
        received,
        ..Entry::default()
    };
    let mut judge = Judge::default();
    judge.judge(&[
        of(0, "A", Received::FromFile(START + 5)),
        of(1, "B", Received::FromFile(START - 9)),
        of(2, "C", Received::ByService(START + 7)),
    ]);
    let counted = judge.finish().summary.recorded_after_the_fact;
    assert_eq!((counted.events, counted.longest_delay_micros), (2, 5));
}
