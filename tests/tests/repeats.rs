//! An event that is recorded again: the same evidence twice accuses nobody, two stories under one number
//! do, and what is too far back to be compared is left open.
#![allow(clippy::unwrap_used)]

use casino::{Plan, simulate};
use events::{Event, Line, encode_payload};
use replay::statement::{Differs, OfRecord};
use replay::{Code, Entry, Judge, Judgement, MAX_COMPARED, Statement, Style, Verdict};

/// The events of one table, some thousand.
fn table() -> Vec<Event> {
    let book = baccarat::builtin("es-1979").unwrap();
    let lines = simulate(&Plan { seed: 7, shoes: 12, ..Plan::new(book) }).lines;
    let events: Vec<Event> = lines.map(Line::into_event).collect();
    assert!(events.len() > MAX_COMPARED + 1_000, "{}", events.len());
    events
}

/// Entries of these events each: sequence of the first, and the events.
type Entries = Vec<(u64, Vec<Event>)>;

fn cut(events: &[Event], at_once: usize) -> Entries {
    let firsts = (1..).step_by(at_once);
    firsts.zip(events.chunks(at_once)).map(|(first, events)| (first, events.to_vec())).collect()
}

fn judge(entries: &Entries, paused: bool) -> Judgement {
    let mut judge = Judge::default();
    for (index, (first, events)) in (0..).zip(entries) {
        let (payload, count) = (encode_payload(events).unwrap(), events.len() as u32);
        let (table, first) = ("T", *first);
        judge.judge(&[Entry { index, table, first, count, payload: &payload, ..Entry::default() }]);
        if paused && index % 50 == 0 {
            let saved = serde_json::to_string(&judge.save()).unwrap();
            judge = Judge::load(&saved).unwrap();
        }
    }
    judge.finish()
}

fn later(event: &Event) -> Event {
    let at = event.occurred_at;
    let occurred_at = events::OccurredAt::new(at.micros() + 1, at.offset_minutes()).unwrap();
    Event { occurred_at, body: event.body.clone() }
}

#[test]
fn the_same_events_again_however_they_are_grouped_change_nothing() {
    let events = table();
    let plain = judge(&cut(&events, 20), false);
    assert_eq!((plain.certified(), plain.complete(), plain.repeated_events), (Verdict::Yes, Verdict::Yes, 0));
    for at_once in [1, 7, 40] {
        let mut entries = cut(&events, 20);
        let again: Entries = cut(&events[..2_000], at_once).into_iter().rev().collect();
        entries.splice(100..100, again);
        let repeated = judge(&entries, at_once == 7);
        assert_eq!(repeated.findings, [], "{at_once} at once");
        assert_eq!((repeated.certified(), repeated.complete()), (Verdict::Yes, Verdict::Yes));
        assert_eq!((repeated.events, repeated.repeated_events), (plain.events, 2_000));
        assert_eq!(repeated.summary.coups, plain.summary.coups);
    }
}

#[test]
fn two_events_under_one_number_are_reported_with_both_entries() {
    let events = table();
    for paused in [false, true] {
        let mut entries = cut(&events, 20);
        // Sequences 61 to 80 are entry 3; the same again, but for two of them.
        let (first, mut again) = entries[3].clone();
        again[4] = later(&again[4]);
        again[9] = later(&again[9]);
        entries.insert(30, (first, again));
        let judgement = judge(&entries, paused);
        let [finding] = &judgement.findings[..] else { panic!("{:?}", judgement.findings) };
        assert_eq!((finding.code, finding.entry, finding.sequence), (Code::SequenceConflict, 30, 65));
        assert_eq!(finding.expected, OfRecord::EventOfEntry { sequence: 65, entry: 3 }.into());
        // Statements with one English text are equal, and that does not say in what the events differ.
        let differs = Differs::of(vec!["occurred_at".into()]);
        let recorded: Statement = OfRecord::AnotherInEntry { entry: 30, differs }.into();
        assert_eq!(finding.recorded, recorded);
        let style = Style { differences: true, ..Style::default() };
        assert_eq!(finding.recorded.text(style), recorded.text(style));
        assert_eq!(
            finding.recorded.text(style),
            "another under that number in entry 30; they differ in `occurred_at`"
        );
        assert_eq!(finding.shoe.as_deref(), Some("S-PB-01-1"));
        assert_eq!((judgement.certified(), judgement.repeated_events), (Verdict::No, 18));
    }
}

#[test]
fn another_story_posted_backwards_is_one_finding_as_well() {
    let events = table();
    let mut entries = cut(&events, 20);
    let again = (60..70).map(|at| (at as u64 + 1, vec![later(&events[at])]));
    entries.splice(30..30, again.rev());
    let judgement = judge(&entries, false);
    let [finding] = &judgement.findings[..] else { panic!("{:?}", judgement.findings) };
    assert_eq!((finding.code, finding.entry, finding.sequence), (Code::SequenceConflict, 30, 70));
}

#[test]
fn the_shoe_of_another_story_is_violated_though_it_was_over_long_ago() {
    let events = table();
    let loads = |event: &Event| matches!(event.body, events::Body::ShoeLoaded(_));
    let loaded: Vec<usize> = (0..events.len()).filter(|at| loads(&events[*at])).collect();
    let shoes = judge(&cut(&events, 20), false).summary.shoes;
    // The last events of the second shoe and the first of the third, while the fourth and the fifth are in play.
    let (from, to) = (loaded[2] - 3, loaded[2] + 3);
    let again: Vec<Event> = events[from..to].iter().map(later).collect();
    let over = (Code::SequenceConflict, loaded[2] as u64 - 2);
    for (at, paused) in [(loaded[3], false), (loaded[4], false), (loaded[4], true)] {
        let mut entries = cut(&events, 20);
        entries.insert(at / 20 + 2, (from as u64 + 1, again.clone()));
        let judgement = judge(&entries, paused);
        let [finding] = &judgement.findings[..] else { panic!("{:?}", judgement.findings) };
        assert_eq!((finding.code, finding.sequence), over);
        assert_eq!(finding.shoe.as_deref(), Some("S-PB-01-2"));
        let now = judgement.summary.shoes;
        assert_eq!((now.certified, now.violated), (shoes.certified - 2, 2), "{at} {paused}");
    }
}

#[test]
fn what_is_too_far_back_to_be_compared_is_left_open_and_accuses_nobody() {
    let events = table();
    let at = MAX_COMPARED / 20 + 10;
    for change in [false, true] {
        let mut entries = cut(&events, 20);
        let (first, mut again) = entries[0].clone();
        if change {
            again[0] = later(&again[0]);
        }
        entries.insert(at, (first, again));
        let judgement = judge(&entries, true);
        let [finding] = &judgement.findings[..] else { panic!("{:?}", judgement.findings) };
        assert_eq!((finding.code, finding.sequence), (Code::SequenceLate, 1));
        assert_eq!((judgement.certified(), judgement.complete()), (Verdict::Unknown, Verdict::Unknown));
    }
    // One just near enough is compared.
    let mut entries = cut(&events, 20);
    entries.insert(at, entries[at - MAX_COMPARED / 20 + 1].clone());
    assert_eq!(judge(&entries, false).findings, []);
}

#[test]
fn an_event_whose_first_record_is_withheld_is_not_held_against_anybody() {
    let events = table();
    let payloads: Vec<Vec<u8>> = events[..200].chunks(20).map(|some| encode_payload(some).unwrap()).collect();
    let mut judge = Judge::default();
    for (index, payload) in (0..).zip(&payloads) {
        let (first, withheld) = (index * 20 + 1, index == 5);
        let payload: &[u8] = if withheld { &[] } else { payload };
        judge.judge(&[Entry { index, table: "T", first, count: 20, payload, withheld, ..Entry::default() }]);
    }
    judge.judge(&[Entry {
        index: 10,
        table: "T",
        first: 101,
        count: 20,
        payload: &payloads[5],
        ..Entry::default()
    }]);
    let judgement = judge.finish();
    assert_eq!(judgement.summary.findings_by_code.keys().collect::<Vec<_>>(), [&Code::SequenceLate]);
    assert_eq!(judgement.violations(), 0);
}
