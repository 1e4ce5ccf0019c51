#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use events::{BetsClosed, Body, Event, OccurredAt, encode_payload};

use super::*;
use crate::Received;

/// Events of one entry: each closes the bets of the coup that has its sequence as its number, or another one.
fn run(entry: u64, first: u64, coups: &[u64]) -> Run {
    let event = |coup: &u64| Event {
        occurred_at: OccurredAt::new(86_400_000_001, 0).unwrap(),
        body: Body::BetsClosed(BetsClosed { coup: u32::try_from(*coup).unwrap() }),
    };
    let events: Vec<Event> = coups.iter().map(event).collect();
    let held = Held::Events(encode_payload(&events).unwrap().into());
    Run { first, count: events.len() as u64, entry, received: Received::Unknown, skip: 0, held }
}

fn whole(entry: u64, first: u64, to: u64) -> Run {
    run(entry, first, &(first..to).collect::<Vec<_>>())
}

fn unknown(entry: u64, first: u64, count: u64) -> Run {
    let held = Held::Unknown(Reason::PayloadWithheld);
    Run { first, count, entry, received: Received::Unknown, skip: 0, held }
}

/// What is recorded from a sequence on: of each stretch its first sequence, and the one after its last; `None`: events.
fn seen(numbering: &Numbering, from: u64) -> Vec<(u64, u64, Option<Absent>)> {
    let stretch = |stretch| match stretch {
        Stretch::Run(run) => (run.first, run.end(), None),
        Stretch::Hole(Hole { first, events, why }) => (first, first + events, Some(why)),
    };
    let mut seen: Vec<(u64, u64, Option<Absent>)> = Vec::new();
    for (first, to, why) in numbering.since(from).into_iter().map(stretch) {
        match seen.last_mut() {
            Some(last) if last.1 == first && last.2 == why => last.1 = to,
            _ => seen.push((first, to, why)),
        }
    }
    seen
}

#[test]
fn events_wait_for_what_is_missing_before_them() {
    let mut numbering = Numbering::default();
    assert!(matches!(numbering.take(whole(0, 1, 3))[..], [Change::Next(_)]));
    assert_eq!(numbering.take(whole(1, 5, 7)), []);
    assert_eq!((numbering.waiting_events(), numbering.missing()), (2, 0));
    assert!(matches!(numbering.take(whole(2, 3, 5))[..], [Change::Next(_), Change::Next(_)]));
    assert_eq!((numbering.next(), numbering.waiting_events()), (7, 0));
    assert_eq!(seen(&numbering, 1), [(1, 7, None)]);
}

#[test]
fn what_was_given_up_is_put_where_it_belongs_if_it_comes_after_all() {
    let mut numbering = Numbering::default();
    numbering.take(whole(0, 1, 3));
    numbering.take(whole(1, 6, 9));
    let hole = Hole { first: 3, events: 3, why: Absent::Missing };
    assert!(matches!(&numbering.end()[..], [Change::Hole(is), Change::Next(_)] if *is == hole));
    assert_eq!((numbering.missing(), numbering.next()), (3, 9));
    assert_eq!(seen(&numbering, 1), [(1, 3, None), (3, 6, Some(Absent::Missing)), (6, 9, None)]);
    assert_eq!(numbering.take(whole(2, 4, 5)), [Change::Filled(whole(2, 4, 5))]);
    assert_eq!(numbering.missing(), 2);
    let part = |from, to| whole(3, 2, 7).part(from, to).unwrap();
    assert_eq!(
        numbering.take(whole(3, 2, 7)),
        [
            Change::Repeated(1),
            Change::Filled(part(3, 4)),
            Change::Repeated(1),
            Change::Filled(part(5, 6)),
            Change::Repeated(1)
        ]
    );
    assert_eq!((numbering.missing(), seen(&numbering, 1)), (0, vec![(1, 9, None)]));
}

#[test]
fn more_than_five_hundred_events_do_not_wait() {
    let mut numbering = Numbering::default();
    let most = MAX_WAITING as u64;
    for at in 0..most {
        assert_eq!(numbering.take(whole(at, 2 + at, 3 + at)), [], "{at}");
    }
    let changes = numbering.take(whole(most, 2 + most, 3 + most));
    let hole = Hole { first: 1, events: 1, why: Absent::Missing };
    assert_eq!(changes.first(), Some(&Change::Hole(hole)));
    assert_eq!((changes.len() as u64, numbering.next()), (most + 2, most + 3));
}

#[test]
fn two_events_under_one_number_are_a_contradiction_said_once_for_those_beside_it() {
    let mut numbering = Numbering::default();
    numbering.take(whole(0, 1, 9));
    let changes = numbering.take(run(1, 3, &[3, 40, 50, 6]));
    assert!(matches!(
        &changes[..],
        [
            Change::Repeated(2),
            Change::Contradicted(4),
            Change::Wrong(Location { entry: 1, sequence: 4 }, wrong),
            Change::Contradicted(5)
        ] if wrong.code == Code::SequenceConflict
    ));
    assert!(matches!(&numbering.take(run(2, 6, &[60]))[..], [Change::Contradicted(6)]));
    assert!(matches!(&numbering.take(run(3, 8, &[80]))[..], [Change::Contradicted(8), Change::Wrong(..)]));
}

#[test]
fn what_belongs_before_the_events_that_are_kept_comes_too_late() {
    let mut numbering = Numbering::default();
    numbering.take(whole(0, 1, 3));
    numbering.take(whole(1, 5, 7));
    numbering.end();
    numbering.settle_before(5);
    assert_eq!(numbering.missing(), 2);
    let late = numbering.take(whole(2, 3, 4));
    assert!(matches!(&late[..], [Change::Wrong(_, wrong)] if wrong.code == Code::SequenceLate));
    // Right after it, from the same cause.
    assert_eq!(numbering.take(whole(3, 4, 5)), []);
    assert_eq!(numbering.missing(), 2);
}

#[test]
fn nothing_is_known_of_what_is_withheld_or_left_out_however_much_an_entry_claims() {
    let mut numbering = Numbering::default();
    let hole = |first, events, why| Change::Hole(Hole { first, events, why });
    let most = u64::from(u32::MAX);
    assert_eq!(numbering.take(unknown(0, 1, most)), [hole(1, most, Absent::Withheld)]);
    assert_eq!(numbering.left_out_to(most + 5), [hole(most + 1, 4, Absent::LeftOut)]);
    // An entry that was left out and comes again says nothing.
    assert_eq!(numbering.take(run(1, most + 2, &[7])), []);
    assert_eq!(numbering.missing(), 0);
    assert_eq!(
        seen(&numbering, 1),
        [(1, most + 1, Some(Absent::Withheld)), (most + 1, most + 5, Some(Absent::LeftOut))]
    );
}

#[test]
fn what_waits_before_entries_that_are_left_out_is_taken() {
    let mut numbering = Numbering::default();
    numbering.take(whole(0, 3, 5));
    let changes = numbering.left_out_to(9);
    assert!(matches!(
        &changes[..],
        [
            Change::Hole(Hole { first: 1, events: 2, why: Absent::LeftOut }),
            Change::Next(_),
            Change::Hole(Hole { first: 5, events: 4, why: Absent::LeftOut })
        ]
    ));
    assert_eq!(numbering.next(), 9);
}

/// Entries that overlap and come in any order: what is recorded in the end is every event once, and the rest is missing. Saved
/// and loaded in between it says the same.
#[test]
fn the_order_in_which_entries_come_does_not_matter() {
    let mut state = 512_u64;
    let mut below = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    for _ in 0..1_000 {
        let (mut numbering, mut there) = (Numbering::default(), BTreeSet::new());
        let (entries, saved) = (1 + below(30), below(30));
        for entry in 0..entries {
            if entry == saved {
                numbering = serde_json::from_str(&serde_json::to_string(&numbering).unwrap()).unwrap();
            }
            let (first, count) = (1 + below(60), 1 + below(8));
            let changes = numbering.take(whole(entry, first, first + count));
            let is_right = |change: &Change| !matches!(change, Change::Wrong(..) | Change::Contradicted(_));
            assert!(changes.iter().all(is_right), "{changes:?}");
            there.extend(first..first + count);
        }
        numbering.end();
        let mut expected: Vec<(u64, u64, Option<Absent>)> = Vec::new();
        for sequence in 1..=*there.last().unwrap() {
            let why = (!there.contains(&sequence)).then_some(Absent::Missing);
            match expected.last_mut() {
                Some(last) if last.2 == why => last.1 = sequence + 1,
                _ => expected.push((sequence, sequence + 1, why)),
            }
        }
        let missing: u64 =
            expected.iter().filter(|(.., why)| why.is_some()).map(|(first, to, _)| to - first).sum();
        assert_eq!(seen(&numbering, 1), expected);
        assert_eq!(numbering.missing(), missing);
    }
}
