//! Whatever is left out of a log or withheld from it, what remains is judged alike or left undecided:
//! nothing is found in a part that is not found in the whole.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use audit_tests::judges;
use casino::{Fault, Plan, simulate};
use events::{Body, Event, encode_payload};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use replay::{Code, CoupVerdict, Entry, Judgement, Severity, Slicer, Wanted};

/// An entry as a log would hold it.
struct Sealed {
    table: String,
    first: u64,
    count: u32,
    payload: Vec<u8>,
}

/// The events of a simulated night, a coup an entry or an event an entry.
fn sealed(book: &str, fault: Option<Fault>, seed: u64, live: bool) -> Vec<Sealed> {
    let book = baccarat::builtin(book).unwrap();
    let plan = Plan { tables: 2, shoes: 2, seed, fault, ..Plan::new(book) };
    let mut open: BTreeMap<String, (u64, Vec<Event>)> = BTreeMap::new();
    let mut entries = Vec::new();
    let mut close = |table: String, (first, events): (u64, Vec<Event>)| {
        let payload = encode_payload(&events).unwrap();
        entries.push(Sealed { table, first, count: events.len() as u32, payload });
    };
    for line in simulate(&plan).lines {
        let (table, sequence) = (line.table.to_string(), line.sequence);
        let broken = |(first, events): &(u64, Vec<Event>)| first + events.len() as u64 != sequence;
        if open.get(&table).is_some_and(broken) {
            close(table.clone(), open.remove(&table).unwrap());
        }
        let event = line.into_event();
        let ends =
            live || matches!(event.body, Body::CoupSettled(_) | Body::ShoeEnded(_) | Body::TableOpened(_));
        open.entry(table.clone()).or_insert((sequence, Vec::new())).1.push(event);
        if ends {
            close(table.clone(), open.remove(&table).unwrap());
        }
    }
    while let Some((table, group)) = open.pop_first() {
        close(table, group);
    }
    entries
}

/// Judges what is kept; of withheld entries only the sequences are known.
fn judge(entries: &[Sealed], kept: &dyn Fn(u64) -> bool, withheld: &dyn Fn(u64) -> bool) -> Judgement {
    let mut judge = judges::viewing();
    let mut interrupted = BTreeSet::new();
    for (index, sealed) in (0..).zip(entries) {
        let Sealed { table, first, count, payload } = sealed;
        if !kept(index) {
            interrupted.insert(table.clone());
            continue;
        }
        let withheld = withheld(index);
        let payload = if withheld { &[][..] } else { payload };
        let after_left_out = interrupted.remove(table);
        judge.judge(&[Entry {
            index,
            table,
            first: *first,
            count: *count,
            payload,
            withheld,
            after_left_out,
            ..Entry::default()
        }]);
    }
    judge.finish()
}

fn found(judgement: &Judgement) -> BTreeSet<(Code, String, u64)> {
    let weighs = |code: Code| code.severity() == Severity::Violation;
    let findings = judgement.findings.iter().filter(|finding| weighs(finding.code));
    findings.map(|finding| (finding.code, finding.table.clone(), finding.sequence)).collect()
}

/// Nothing is found in the part alone.
fn accuses_no_more(whole: &Judgement, part: &Judgement, what: &str) {
    let surplus: Vec<_> = found(part).difference(&found(whole)).cloned().collect();
    assert!(surplus.is_empty(), "{what}: {surplus:?} is found in the part alone");
}

/// Every coup certified in the part is so in the whole. (Of a log with something wrong in it this need
/// not be: a bet's id that another coup had is seen only where both are.)
fn certifies_no_more(whole: &Judgement, part: &Judgement, what: &str) {
    let verdicts: BTreeMap<_, _> =
        whole.coup_views.iter().map(|coup| ((&coup.table, coup.sequences), coup.verdict)).collect();
    for coup in part.coup_views.iter().filter(|coup| coup.verdict == CoupVerdict::Certified) {
        let whole = verdicts.get(&(&coup.table, coup.sequences));
        assert_eq!(whole, Some(&CoupVerdict::Certified), "{what}: coup {} {:?}", coup.coup, coup.sequences);
    }
}

const BOOKS: [&str; 4] = ["es-1979", "punto-banco", "mini-punto-banco", "macau-baccarat"];

#[test]
fn every_shoe_and_every_coup_is_certified_by_itself() {
    each_is_certified_by_itself();
}

pub fn each_is_certified_by_itself() {
    for (live, book) in [(false, "es-1979"), (true, "punto-banco")] {
        let entries = sealed(book, None, 5, live);
        let whole = judge(&entries, &|_| true, &|_| false);
        for coup in whole.coup_views.iter().step_by(7) {
            let table = Some(coup.table.clone());
            for wanted in [
                Wanted { table: table.clone(), shoe: coup.shoe.clone(), coup: Some(coup.coup) },
                Wanted { table, shoe: coup.shoe.clone(), coup: None },
            ] {
                let chosen = choose(&entries, wanted);
                assert!(chosen.len() < entries.len());
                let part = judge(&entries, &|index| chosen.contains(&index), &|_| false);
                assert!(part.findings.is_empty(), "{:?}", part.findings);
                let same =
                    part.coup_views.iter().find(|view| view.shoe == coup.shoe && view.coup == coup.coup);
                assert_eq!(same.unwrap().verdict, CoupVerdict::Certified, "{book}, coup {}", coup.coup);
            }
        }
    }
}

fn choose(entries: &[Sealed], wanted: Wanted) -> BTreeSet<u64> {
    let mut slicer = Slicer::new(wanted);
    for (index, Sealed { table, first, count, payload }) in (0..).zip(entries) {
        slicer.see(&Entry { index, table, first: *first, count: *count, payload, ..Entry::default() });
    }
    slicer.chosen().clone()
}

#[test]
fn a_wrong_coup_is_wrong_by_itself() {
    let shown: usize = Fault::ALL.iter().map(|fault| is_wrong_by_itself(*fault)).sum();
    assert!(shown >= 25, "only {shown} faults are shown by their coup alone");
}

/// Each coup with a finding by itself has no other; how many of the findings are shown by the coup alone.
pub fn is_wrong_by_itself(fault: Fault) -> usize {
    let entries = sealed("punto-banco", Some(fault), 9, false);
    let whole = judge(&entries, &|_| true, &|_| false);
    let mut shown = 0;
    for finding in whole.findings.iter().filter(|finding| finding.coup.is_some()) {
        let wanted =
            Wanted { table: Some(finding.table.clone()), shoe: finding.shoe.clone(), coup: finding.coup };
        let chosen = choose(&entries, wanted);
        let part = judge(&entries, &|index| chosen.contains(&index), &|_| false);
        accuses_no_more(&whole, &part, &format!("{fault:?}"));
        shown += usize::from(found(&part).contains(&(finding.code, finding.table.clone(), finding.sequence)));
    }
    shown
}

/// A part of a night: entries are left out or withheld by their index in the log.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    book: &'static str,
    seed: u64,
    live: bool,
    /// One of every so many stretches is missing.
    stride: u64,
    /// An entry at `index` belongs to the stretch `index * step / run`.
    run: u64,
    step: u64,
    /// Whether the missing entries are left out of the copy, withheld, or a mixture of both.
    which: u8,
}

pub fn judged_alike(part: Part) {
    let Part { book, seed, live, stride, run, step, which } = part;
    let entries = sealed(book, None, seed, live);
    let whole = judge(&entries, &|_| true, &|_| false);
    assert!(whole.findings.is_empty());
    let picked = move |index: u64| (index.wrapping_mul(step) / run).is_multiple_of(stride);
    let judged = match which {
        0 => judge(&entries, &|index| !picked(index), &|_| false),
        1 => judge(&entries, &|_| true, &picked),
        _ => judge(&entries, &|index| !picked(index + 3), &picked),
    };
    let what = format!("{part:?}");
    accuses_no_more(&whole, &judged, &what);
    certifies_no_more(&whole, &judged, &what);
    assert_eq!(judged.summary.coups.violated, 0, "{what}");
}

/// Parts in which something was once found that is not there: a coup that goes on behind what is left out, the end
/// of a shoe that is left out, and coups of two shoes of which neither was loaded on record.
pub fn once_accused() -> impl Iterator<Item = Part> {
    let parts = [
        ("macau-baccarat", 0, 217, 6, 3, 0),
        ("macau-baccarat", 1, 453, 3, 7, 0),
        ("macau-baccarat", 4, 781, 9, 1, 2),
        ("macau-baccarat", 7, 479, 5, 11, 2),
        ("macau-baccarat", 807, 807, 3, 7, 2),
        ("es-1979", 3, 227, 2, 8, 2),
        ("mini-punto-banco", 3, 165, 9, 5, 2),
        ("mini-punto-banco", 232, 233, 3, 6, 0),
        ("mini-punto-banco", 331, 155, 13, 4, 2),
    ];
    parts.into_iter().map(|(book, seed, step, stride, run, which)| Part {
        book,
        seed,
        live: true,
        stride,
        run,
        step,
        which,
    })
}

#[test]
fn nothing_is_found_again_in_parts_that_once_accused() {
    once_accused().for_each(judged_alike);
}

pub fn parts() -> impl Strategy<Value = Part> {
    let night = (0..BOOKS.len(), 0_u64..1_000, any::<bool>());
    let cut = (2_u64..40, 1_u64..12, 0_u64..500, 0_u8..3);
    (night, cut).prop_map(|((book, seed, live), (stride, run, half, which))| Part {
        book: BOOKS[book],
        seed,
        live,
        stride,
        run,
        step: 2 * half + 1,
        which,
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn nothing_is_found_in_a_part_that_is_not_in_the_whole(part in parts()) {
        judged_alike(part);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Other parts each time.
    #[test]
    #[ignore = "some minutes in a release build (docs/testing.md)"]
    fn nothing_is_found_in_many_parts_that_is_not_in_the_whole(part in parts()) {
        judged_alike(part);
    }
}
