//! A log may name as many tables as somebody opens, and most of them are quiet: what each costs the judge in
//! memory, which verify and the follower share.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use casino::{Plan, simulate};
use events::{BetsClosed, Body, Event, RulebookDocument, encode_payload};
use replay::{Entry, Finding, Judge, TableState};
use serde_json::{Value, json};

/// Counts the bytes that are in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
/// The most that was in use.
static MOST_IN_USE: AtomicUsize = AtomicUsize::new(0);

/// What an allocator gives for so many bytes.
fn given(layout: Layout) -> usize {
    layout.size().next_multiple_of(16)
}

#[allow(unsafe_code, reason = "an allocator is asked by unsafe calls alone; this one hands them on")]
// SAFETY: every call goes on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let before = IN_USE.fetch_add(given(layout), Ordering::Relaxed);
        MOST_IN_USE.fetch_max(before + given(layout), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(given(layout), Ordering::Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What a quiet table has seen.
#[derive(Debug, Clone, Copy)]
enum Seen {
    Opening,
    BeginOfACoup,
    OneCoup,
}

/// The events of one, all of them in its one entry.
fn events(seen: Seen) -> Vec<Event> {
    let plan = Plan { tables: 1, shoes: 1, seed: 5, ..Plan::new(baccarat::builtin("punto-banco").unwrap()) };
    let events: Vec<Event> = simulate(&plan).lines.map(events::Line::into_event).collect();
    let settled = events.iter().position(|event| matches!(event.body, Body::CoupSettled(_))).unwrap();
    let count = match seen {
        Seen::Opening => 1,
        Seen::BeginOfACoup => settled,
        Seen::OneCoup => settled + 1,
    };
    events[..count].to_vec()
}

/// The same under a rulebook that is this table's alone.
fn with_own_rulebook(events: &[Event], table: &str) -> Vec<Event> {
    let mut events = events.to_vec();
    if let Body::TableOpened(opened) = &mut events[0].body {
        let own = format!("\"id\":\"{}-", table.to_lowercase());
        let text = opened.rulebook.as_str().replacen("\"id\":\"", &own, 1);
        opened.rulebook = RulebookDocument::from_json(&text).unwrap();
    }
    events
}

/// A judge of so many tables.
fn judge_of(tables: usize, seen: Seen, own_rulebooks: bool) -> Judge {
    let events = events(seen);
    let mut judge = Judge::default();
    for first in (0..tables).step_by(1_000) {
        let names: Vec<String> = (first..tables.min(first + 1_000)).map(|at| format!("T-{at:05}")).collect();
        let payload = |name: &String| match own_rulebooks {
            true => encode_payload(&with_own_rulebook(&events, name)).unwrap(),
            false => encode_payload(&events).unwrap(),
        };
        let payloads: Vec<Vec<u8>> = names.iter().map(payload).collect();
        let count = u32::try_from(events.len()).unwrap();
        let entry =
            |((index, table), payload)| Entry { index, table, first: 1, count, payload, ..Entry::default() };
        let entries =
            (first as u64..).zip(names.iter().map(String::as_str)).zip(payloads.iter().map(Vec::as_slice));
        judge.judge(&entries.map(entry).collect::<Vec<_>>());
    }
    judge
}

/// Bytes in use for each of so many tables, once all were judged, and coups that were certified.
fn judged(tables: usize, seen: Seen, own_rulebooks: bool) -> (usize, u64) {
    let before = IN_USE.load(Ordering::Relaxed);
    let judge = judge_of(tables, seen, own_rulebooks);
    let each = (IN_USE.load(Ordering::Relaxed) - before) / tables;
    let judgement = judge.finish();
    assert_eq!((judgement.tables, judgement.findings.len()), (tables as u64, 0));
    (each, judgement.summary.coups.certified)
}

/// What is in use is counted for the whole process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Holds what each of so many tables costs.
fn hold(tables: usize) {
    let _alone = ALONE.lock();
    let opening = encode_payload(&events(Seen::Opening)).unwrap().len();
    let coups = tables as u64;
    // What a shape holds at most for each table, and what it certifies.
    for (name, seen, own, most, certified) in [
        ("opened", Seen::Opening, false, 2_000, 0),
        ("in their first coup", Seen::BeginOfACoup, false, 6_600, 0),
        ("one coup settled", Seen::OneCoup, false, 6_600, coups),
        ("opened, each under a rulebook of its own", Seen::Opening, true, opening + 3_000, 0),
        ("one coup settled, each under a rulebook of its own", Seen::OneCoup, true, opening + 8_200, coups),
    ] {
        // What is made once for the process is no table's.
        judged(100, seen, own);
        let (each, coups) = judged(tables, seen, own);
        println!("{tables} tables {name}: {each} bytes each");
        assert!(each <= most, "{name}: {each} bytes a table, at most {most}");
        assert_eq!(coups, certified.min(tables as u64), "{name}");
    }
}

/// What tables share is written out for each of them in a saved judge: to load it takes no more than to have judged them.
#[test]
fn a_saved_judge_is_loaded_in_little_more_memory_than_it_holds() {
    const TABLES: usize = 1_000;
    let _alone = ALONE.lock();
    let in_use = || IN_USE.load(Ordering::Relaxed);
    let shapes = [(Seen::Opening, false), (Seen::OneCoup, false), (Seen::Opening, true)];
    for (seen, own_rulebooks) in shapes {
        judge_of(100, seen, own_rulebooks);
        let before = in_use();
        let judge = judge_of(TABLES, seen, own_rulebooks);
        let judged = in_use() - before;
        let saved = serde_json::to_string(&judge.save()).unwrap();
        drop(judge);
        let before = in_use();
        MOST_IN_USE.store(before, Ordering::Relaxed);
        let loaded = Judge::load(&saved).unwrap();
        let (held, most) = (in_use() - before, MOST_IN_USE.load(Ordering::Relaxed) - before);
        println!(
            "{seen:?}: {judged} judged, {} saved, {held} loaded, {most} while it is loaded",
            saved.len()
        );
        assert!(held <= judged + judged / 4, "{held} loaded, {judged} judged");
        assert!(most <= held + 500 * TABLES, "{most} while it is loaded, {held} loaded");
        assert_eq!(loaded.footprint().tables, TABLES);
    }
}

/// One table's night in entries of 25 events, each with the sequence of its first. One comes so late that the
/// shoe it belongs to was judged without it and has to be played back.
fn night_with_a_late_entry(book: &str, late: usize) -> Vec<(u64, Vec<Event>)> {
    let plan = Plan { tables: 1, shoes: 4, seed: 11, ..Plan::new(baccarat::builtin(book).unwrap()) };
    let events: Vec<Event> = simulate(&plan).lines.map(events::Line::into_event).collect();
    let events = with_own_rulebook(&events, "t");
    let mut entries: Vec<(u64, Vec<Event>)> =
        (1..).step_by(25).zip(events.chunks(25)).map(|(first, some)| (first, some.to_vec())).collect();
    let comes = entries.remove(late);
    entries.insert(late + 22, comes);
    entries
}

/// What one table's night comes to, among tables under so many rulebooks that its own is not shared, and beside a crowd
/// that has a window after each of its entries, so that it comes to rest, or none.
fn found_beside(night: &[(u64, Vec<Event>)], crowd: bool) -> (TableState, Vec<Finding>) {
    let mut judge = Judge::default();
    let opening = events(Seen::Opening);
    for other in 0..70 {
        let table = format!("other-{other}");
        let payload = encode_payload(&with_own_rulebook(&opening, &table)).unwrap();
        judge.judge(&[Entry {
            index: 0,
            table: &table,
            first: 1,
            count: 1,
            payload: &payload,
            ..Entry::default()
        }]);
    }
    let names: Vec<String> = (0..1_100).map(|at| format!("crowd-{at}")).collect();
    let closed = Event { body: Body::BetsClosed(BetsClosed { coup: 1 }), ..opening[0].clone() };
    let payload = encode_payload(&[closed]).unwrap();
    let one = |table| Entry { index: 0, table, first: 1, count: 1, payload: &payload, ..Entry::default() };
    let window: Vec<Entry<'_>> = names.iter().map(|table| one(table.as_str())).collect();
    for (index, (first, events)) in (1..).zip(night) {
        let (count, payload) = (u32::try_from(events.len()).unwrap(), encode_payload(events).unwrap());
        judge.judge(&[Entry {
            index,
            table: "T",
            first: *first,
            count,
            payload: &payload,
            ..Entry::default()
        }]);
        if crowd {
            judge.judge(&window);
        }
    }
    let state = judge.table_state("T").unwrap();
    let findings = judge.finish().findings;
    (state, findings.into_iter().filter(|finding| finding.table == "T").collect())
}

#[test]
fn a_table_that_rested_goes_on_as_if_it_had_not() {
    let _alone = ALONE.lock();
    for (book, late) in
        [("punto-banco", 1), ("punto-banco", 30), ("es-1979", 2), ("chemin-de-fer-es-1979", 1)]
    {
        let night = night_with_a_late_entry(book, late);
        let (alone, beside) = (found_beside(&night, false), found_beside(&night, true));
        assert!(alone.0.coups.total() > 100, "{book}: {:?}", alone.0.coups);
        assert_eq!(alone, beside, "{book}, entry {late} late");
    }
}

#[test]
fn a_quiet_table_costs_little() {
    hold(4_000);
}

#[test]
#[ignore = "takes minutes without optimisation: cargo test --release -p audit-tests --test crowds -- --ignored --nocapture"]
fn forty_thousand_quiet_tables_cost_as_little_each() {
    hold(40_000);
}

/// What is kept of tables that were judged in earlier passes over the log counts as well, up to the end of the log: the longer
/// their names, the more.
#[test]
fn what_is_kept_of_tables_that_were_judged_is_counted() {
    let _alone = ALONE.lock();
    const TABLES: usize = 20_000;
    for (length, ledger) in [(8, false), (64, false), (8, true), (64, true)] {
        let before = IN_USE.load(Ordering::Relaxed);
        let mut judge = if ledger { Judge::with_ledger(None) } else { Judge::default() };
        judge.begin_passes();
        for first in (0..TABLES).step_by(1_000) {
            let names: Vec<String> =
                (first..first + 1_000).map(|number| format!("T-{number:0>0$}", length - 2)).collect();
            let entry = |name| Entry { table: name, first: 1, count: 1, withheld: true, ..Entry::default() };
            judge.judge(&names.iter().map(|name| entry(name)).collect::<Vec<_>>());
            judge.end_pass();
        }
        let (counted, kept) = (judge.footprint().bytes as usize, IN_USE.load(Ordering::Relaxed) - before);
        MOST_IN_USE.store(IN_USE.load(Ordering::Relaxed), Ordering::Relaxed);
        let judgement = judge.finish();
        let most = MOST_IN_USE.load(Ordering::Relaxed) - before;
        drop(judgement);
        println!(
            "names of {length} bytes, ledger {ledger}: {} kept, {} at most, {} counted, each",
            kept / TABLES,
            most / TABLES,
            counted / TABLES
        );
        assert!(kept <= counted && most <= counted, "names of {length} bytes, ledger {ledger}");
    }
}

/// One event of each kind, as the published vectors write it in full.
fn one_of_each_kind() -> BTreeMap<String, Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/table-events/vectors/good.jsonl");
    let mut kinds = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let line: Value = serde_json::from_str(vector["line"].as_str().unwrap()).unwrap();
        let (kind, event) = line["event"].as_object().unwrap().iter().next().unwrap();
        // The last of them is the fullest.
        kinds.insert(kind.clone(), json!({ kind: event }));
    }
    assert_eq!(kinds.len(), events::KINDS, "a kind has no vector: {:?}", kinds.keys());
    kinds
}

/// How the events of a flood differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flood {
    /// In nothing.
    Same,
    /// In all that names something, but all are of one coup.
    OfOneCoup,
    /// In all that names something.
    OfNewCoups,
}

/// The event with its number in all that names something: coups, bets, events, players, shoes, decks.
fn numbered(event: &mut Value, number: u64, flood: Flood) {
    match event {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match (name.as_str(), &*value) {
                    ("coup", Value::Number(_)) if flood == Flood::OfOneCoup => *value = json!(1),
                    ("coup" | "bet" | "sequence" | "corrects" | "position" | "event", Value::Number(_)) => {
                        *value = json!(number);
                    }
                    ("player" | "shoe" | "ruled_by" | "countersigned_by", Value::String(_)) => {
                        *value = json!(format!("name-{number}"));
                    }
                    ("deck_serials" | "signed_by" | "partners", Value::Array(_)) => {
                        let text = value
                            .to_string()
                            .replace("[\"", &format!("[\"{number}-"))
                            .replace(",\"", &format!(",\"{number}-"));
                        *value = serde_json::from_str(&text).unwrap();
                    }
                    _ => numbered(value, number, flood),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| numbered(item, number, flood)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What the judge holds at most while so many events of one kind are recorded at a table in its first coup, and how much of that at
/// most it does not count.
fn held_in_flood(rulebook: &str, sample: &Value, flood: Flood, count: u64) -> (usize, usize) {
    let path = format!("{}/../fixtures/rulebooks/{rulebook}.ndjson", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| events::Line::from_json(line).unwrap());
    let lines: Vec<events::Line> = lines.collect();
    let table = lines[0].table.to_string();
    let first_bet = lines.iter().position(|line| matches!(line.event, Body::BetPlaced(_))).unwrap();
    let before = lines[..=first_bet].iter().cloned().map(events::Line::into_event).collect::<Vec<_>>();
    let offset = before.len() as u64;
    let flooded = (1..=count).map(|number| {
        let mut event = sample.clone();
        if flood != Flood::Same {
            numbered(&mut event, number + 1, flood);
        }
        let line = json!({
            "table": table, "sequence": offset + number, "occurred_at": "2026-03-01T21:00:00+01:00", "event": event,
        });
        events::Line::from_json(&line.to_string()).map(events::Line::into_event)
    });
    let mut judge = Judge::default();
    let (mut held, mut most, mut uncounted, mut first, mut index) = (0, 0, 0, 1, 0);
    let mut give = |events: &[Event], judge: &mut Judge| {
        for events in events.chunks(100) {
            let (count, payload) = (u32::try_from(events.len()).unwrap(), encode_payload(events).unwrap());
            let before = IN_USE.load(Ordering::Relaxed);
            judge.judge(&[Entry {
                index,
                table: &table,
                first,
                count,
                payload: &payload,
                ..Entry::default()
            }]);
            (first, index) = (first + u64::from(count), index + 1);
            let after = IN_USE.load(Ordering::Relaxed);
            held = held + after - before;
            most = most.max(held);
            uncounted = uncounted.max(held.saturating_sub(judge.footprint().bytes as usize));
        }
    };
    give(&before, &mut judge);
    let mut some = Vec::new();
    for event in flooded {
        match event {
            Ok(event) => some.push(event),
            // Such an event is refused before anything is recorded.
            Err(_) => break,
        }
        if some.len() == 100 {
            give(&some, &mut judge);
            some.clear();
        }
    }
    give(&some, &mut judge);
    (most, uncounted)
}

/// The most bytes that a table holds, after any number of any events. `docs/security.md` states it.
const MOST_OF_A_TABLE: usize = 128 << 20;

/// So many events of each kind, in each way in which they may differ, under a rulebook of each game.
fn floods(count: u64) {
    for (kind, sample) in one_of_each_kind() {
        for rulebook in ["punto-banco", "chemin-de-fer-es-1979"] {
            for flood in [Flood::Same, Flood::OfOneCoup, Flood::OfNewCoups] {
                let (bytes, uncounted) = held_in_flood(rulebook, &sample, flood, count);
                println!("{count} {kind} {flood:?} {rulebook}: {bytes} bytes, {uncounted} not counted");
                assert!(bytes <= MOST_OF_A_TABLE, "{count} {kind} {flood:?} {rulebook}: {bytes} bytes");
            }
        }
    }
}

#[test]
fn whatever_is_recorded_again_and_again_is_held_within_a_limit() {
    let _alone = ALONE.lock();
    floods(2_000);
}

#[test]
#[ignore = "takes long: cargo test --release -p audit-tests --test crowds million -- --ignored --nocapture"]
fn a_million_of_anything_is_held_within_a_limit() {
    let _alone = ALONE.lock();
    floods(1_000_000);
}
