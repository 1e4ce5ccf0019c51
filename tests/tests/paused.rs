//! A judge that is saved anywhere in a log and loaded again says what it would have said without
//! the pause, byte for byte; and what it reports on the way is the same however the log is cut.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use audit_tests::judges;
use baccarat::Rulebook;
use casino::{Fault, Plan, simulate};
use events::{Event, Line, encode_payload};
use rayon::prelude::*;
use replay::{Entry, Found, Judge, Judgement};

/// The table, the sequence of the first event, how many there are, and their bytes.
type Sealed = (String, u64, u32, Vec<u8>);

/// How many events the entries have, in turn.
const EVENTS: [usize; 5] = [1, 5, 2, 4, 3];

/// Entries of a table, one of them missing and one of them late.
fn sealed(book: &Rulebook, fault: Option<Fault>, seed: u64) -> Vec<Sealed> {
    let mut lines = simulate(&Plan { seed, shoes: 2, fault, ..Plan::new(book.clone()) }).lines.peekable();
    let mut sealed: Vec<Sealed> = Vec::new();
    for events in EVENTS.into_iter().cycle() {
        let Some(first) = lines.peek() else { break };
        let (table, sequence) = (first.table.to_string(), first.sequence);
        let events: Vec<Event> = lines.by_ref().take(events).map(Line::into_event).collect();
        sealed.push((table, sequence, events.len().try_into().unwrap(), encode_payload(&events).unwrap()));
    }
    let late = sealed.remove(sealed.len() / 2);
    sealed.insert(sealed.len() / 2 + 13, late);
    sealed.remove(sealed.len() * 3 / 4);
    sealed
}

fn entries(sealed: &[Sealed]) -> Vec<Entry<'_>> {
    (0..)
        .zip(sealed)
        .map(|(index, (table, first, count, payload))| Entry {
            index,
            table,
            first: *first,
            count: *count,
            payload,
            ..Entry::default()
        })
        .collect()
}

fn text(judgement: &Judgement) -> String {
    format!("{judgement:?}")
}

fn straight(entries: &[Entry<'_>]) -> (Vec<Found>, String) {
    let mut judge = judges::new();
    let found = judge.judge_reporting(entries);
    (found, text(&judge.finish()))
}

/// Judges in pieces of this length, saved after each.
fn paused(entries: &[Entry<'_>], length: usize) -> (Vec<Found>, String) {
    let (mut judge, mut found) = (judges::new(), Vec::new());
    for piece in entries.chunks(length) {
        found.extend(judge.judge_reporting(piece));
        let saved = serde_json::to_string(&judge.save()).unwrap();
        judge = Judge::load(&saved).unwrap();
    }
    (found, text(&judge.finish()))
}

/// How many findings are reported on the way.
pub fn says_the_same_paused(book: &Rulebook, fault: Option<Fault>, seed: u64, length: usize) -> usize {
    let sealed = sealed(book, fault, seed);
    let entries = entries(&sealed);
    let (found, judged) = straight(&entries);
    assert_eq!(paused(&entries, length), (found.clone(), judged), "{} {fault:?} seed {seed}", book.id);
    found.len()
}

/// Each rulebook without a fault and with each `step`th one, from another one on than the rulebook before; and each
/// fault under some rulebook.
fn pauses_change_nothing(seeds: std::ops::Range<u64>, step: usize, lengths: &[usize]) {
    let (mut asked, mut played) = (Vec::new(), BTreeSet::new());
    for (turn, (id, _)) in baccarat::builtins().enumerate() {
        let book = baccarat::builtin(id).unwrap();
        let faults = Fault::ALL.iter().copied().filter(|fault| fault.applies_to(&book)).map(Some);
        for (number, fault) in std::iter::once(None).chain(faults).enumerate() {
            let is_new = fault.is_none_or(|fault| played.insert(fault.code()));
            if is_new || (number + turn) % step == 0 {
                asked.push((book.clone(), fault, lengths[number % lengths.len()]));
            }
        }
    }
    let findings: usize = asked
        .par_iter()
        .flat_map_iter(|(book, fault, length)| {
            seeds.clone().map(|seed| says_the_same_paused(book, *fault, seed, *length))
        })
        .sum();
    assert!(findings > 100, "{findings}");
    assert_eq!(played.len(), Fault::ALL.len());
}

#[test]
fn a_pause_changes_nothing() {
    pauses_change_nothing(0..1, 10, &[31, 83, 57, 137]);
}

#[test]
#[ignore = "slow: a pause after every entry"]
fn a_pause_after_every_entry_changes_nothing() {
    pauses_change_nothing(1..3, 1, &[1]);
}

#[test]
fn what_was_put_aside_by_another_version_is_not_taken_up() {
    let saved = serde_json::to_string(&Judge::default().save()).unwrap();
    let other = saved.replacen("\"form\":", "\"form\":9", 1);
    assert_ne!(saved, other);
    assert!(Judge::load(&other).unwrap_err().to_string().contains("saved by replay"));
    for length in 0..saved.len() {
        assert!(Judge::load(&saved[..length]).is_err());
    }
}
