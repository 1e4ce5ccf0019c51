//! A record that stops in the middle: whatever is still in play is neither right nor wrong.
#![allow(clippy::unwrap_used)]

use audit_tests::judges;
use casino::{Plan, simulate};
use events::{Body, CommissionReason, Line, encode_payload};
use replay::{Entry, Judgement, Reason, Verdict};

fn lines(book: &str) -> Vec<Line> {
    let plan = Plan { seed: 1979, ..Plan::new(baccarat::builtin(book).unwrap()) };
    simulate(&plan).lines.collect()
}

fn judge(lines: &[Line]) -> Judgement {
    let mut judge = judges::new();
    for (index, line) in (0..).zip(lines) {
        let (table, first) = (line.table.to_string(), line.sequence);
        let payload = encode_payload(&[line.clone().into_event()]).unwrap();
        judge.judge(&[Entry {
            index,
            table: &table,
            first,
            count: 1,
            payload: &payload,
            ..Entry::default()
        }]);
    }
    judge.finish()
}

#[test]
fn a_record_is_certified_only_where_nothing_is_in_play_or_owed() {
    for (id, _) in baccarat::builtins() {
        let lines = lines(id);
        let ended = lines.iter().position(|line| matches!(line.event, Body::ShoeEnded(_))).unwrap();
        let loaded = lines.iter().position(|line| matches!(line.event, Body::ShoeLoaded(_))).unwrap();
        for end in (loaded + 1..=ended).step_by(7).chain([ended]) {
            let judgement = judge(&lines[..end]);
            assert_eq!(judgement.certified(), Verdict::Unknown, "{id}: the first {end} events");
            assert_eq!((judgement.violations(), judgement.summary.shoes.certified), (0, 0), "{id}: {end}");
            assert_eq!(judgement.summary.shoes.undecided, 1);
            assert_eq!(judgement.summary.undecided_shoes.keys().collect::<Vec<_>>(), [&Reason::NotEndedYet]);
        }
        let whole = judge(&lines);
        assert_eq!((whole.certified(), whole.summary.shoes.certified), (Verdict::Yes, 1), "{id}");
        assert!(whole.summary.undecided_shoes.is_empty());
    }
}

/// Commission collected because the shoe is over.
fn at_the_end(line: &Line) -> bool {
    matches!(&line.event, Body::CommissionCollected(collected) if collected.why == CommissionReason::ShoeEnd)
}

#[test]
fn a_shoe_whose_boxes_are_not_collected_yet_is_not_certified() {
    let id = baccarat::builtins().map(|(id, _)| id).find(|id| lines(id).iter().any(at_the_end)).unwrap();
    let mut late = lines(id);
    late.truncate(late.iter().position(|line| matches!(line.event, Body::ShoeEnded(_))).unwrap() + 1);
    late.retain(|line| !at_the_end(line));
    for (line, sequence) in late.iter_mut().zip(1..) {
        line.sequence = sequence;
    }
    let judgement = judge(&late);
    assert_eq!((judgement.certified(), judgement.violations()), (Verdict::Unknown, 0));
    assert_eq!(judgement.summary.undecided_shoes.keys().collect::<Vec<_>>(), [&Reason::NotCollectedYet]);
}
