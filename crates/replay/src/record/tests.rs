#![allow(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;

use events::{Body, Event, Line, encode_payload};

use super::*;
use crate::Summary;
use crate::clock::Received;

/// The events of the honest shoe.
fn honest() -> Vec<Event> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/honest.ndjson");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| Line::from_json(line).unwrap().into_event()).collect()
}

fn read(record: &mut Record, events: &[Event], first: u64) {
    for (event, sequence) in events.iter().zip(first..) {
        let events = vec![event.clone()];
        let payload = encode_payload(&events).unwrap();
        record.entry(sequence, sequence, Ok((payload.into(), events)), Received::Unknown);
    }
}

/// What a shoe comes to that was played again so many times at most, the last event still to come.
fn judged(rounds: usize) -> Tally {
    let (events, mut record) = (honest(), Record::new("T".to_owned(), Arc::default()));
    let last = events.len() - 1;
    read(&mut record, &events[..last], 1);
    record.play_back_at_most(record.next, rounds);
    let next = record.next;
    read(&mut record, &events[last..], next);
    record.finish(&[])
}

/// Six times are enough for any honest table. If they are not, the last fact that was learned is not applied: nothing in
/// the shoe is then known to be right, whatever it was taken for before.
#[test]
fn a_shoe_that_would_have_to_be_judged_again_is_undecided() {
    let settled = judged(1).summary;
    assert!(settled.coups.undecided == 0 && settled.coups.certified > 0, "{settled:?}");
    assert!(settled.findings_by_code.is_empty(), "{settled:?}");
    let open = judged(0).summary;
    assert_eq!((open.coups.certified, open.coups.undecided), (0, settled.coups.certified));
    assert_eq!(open.undecided.keys().collect::<Vec<_>>(), [&Reason::MoreThanKept]);
    assert_eq!(open.undecided_shoes.keys().collect::<Vec<_>>(), [&Reason::MoreThanKept]);
    assert_eq!(open.findings_by_code.iter().collect::<Vec<_>>(), [(&Code::MoreThanKept, &1)]);
}

/// The shoe after it, which is the same one again, is judged as usual.
#[test]
fn it_leaves_open_nothing_that_comes_after_the_shoe() {
    let (events, mut record) = (honest(), Record::new("T".to_owned(), Arc::default()));
    let at = |is: fn(&Body) -> bool| events.iter().position(|event| is(&event.body)).unwrap();
    let loaded = at(|body| matches!(body, Body::ShoeLoaded(_)));
    let ended = at(|body| matches!(body, Body::ShoeEnded(_)));
    read(&mut record, &events[..=ended], 1);
    record.play_back_at_most(record.next, 0);
    let next = record.next;
    read(&mut record, &events[loaded..=ended], next);
    let Summary { coups, shoes, undecided, findings_by_code, .. } = record.finish(&[]).summary;
    let of_first = judged(1).summary.coups.certified;
    assert_eq!(undecided.get(&Reason::MoreThanKept), Some(&of_first));
    assert_eq!((coups.total(), shoes.total()), (2 * of_first, 2));
    assert_eq!(findings_by_code.get(&Code::MoreThanKept), Some(&1));
}
