//! Two neighbouring events of an honest record are swapped: whoever posts out of order makes one mistake, and that is
//! one finding.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use audit_tests::judges;
use events::{Body, Event, Line, encode_payload};
use replay::{Entry, Judgement};

/// The events of the short honest shoe of a rulebook.
fn honest(file: &Path) -> Vec<Event> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| Line::from_json(line).unwrap().into_event()).collect()
}

fn judge(events: &[Event]) -> Judgement {
    let (payload, count) = (encode_payload(events).unwrap(), u32::try_from(events.len()).unwrap());
    let mut judge = judges::new();
    judge.judge(&[Entry { table: "T", first: 1, count, payload: &payload, ..Entry::default() }]);
    judge.finish()
}

/// The short honest shoes of the rulebooks.
fn shoes() -> impl Iterator<Item = PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/rulebooks");
    fs::read_dir(folder).unwrap().map(|file| file.unwrap().path())
}

/// The events with the one at `from` recorded at `to`. The clock goes on as it did.
fn moved(events: &[Event], from: usize, to: usize) -> Vec<Event> {
    let mut moved = events.to_vec();
    let event = moved.remove(from);
    moved.insert(to, event);
    for (event, was) in moved.iter_mut().zip(events) {
        event.occurred_at = was.occurred_at;
    }
    moved
}

/// Pairs of events whose swap changes the play itself: the second of each comes first. What a bank
/// holds, which limits hold, who has a seat and whether the cut card was due differ between the two.
const ANOTHER_PLAY: [(&str, &str); 10] = [
    ("BetsClosed", "BetPlaced"),
    ("BetsClosed", "AbonoPlaced"),
    ("BetPlaced", "GarajeSet"),
    ("BancoCalled", "GarajeSet"),
    ("BetPlaced", "LimitsChanged"),
    ("CardDrawn", "CutCardDrawn"),
    ("SeatTaken", "SeatLeft"),
    ("DealOffered", "DealDeclined"),
    ("DealOffered", "BankPassed"),
    ("GarajeSet", "BankTaken"),
];

/// A call that is recorded before the settlement before it is read as one of the coup in play, with a wrong number and too late:
/// no event but a bet, its withdrawal or a void is read with the next coup.
const TWO_FINDINGS: [(&str, &str); 1] = [("BancoCalled", "CoupSettled")];

#[test]
fn two_swapped_neighbours_are_one_finding() {
    let (mut judged, mut wrong) = (0, BTreeMap::<_, BTreeSet<String>>::new());
    for file in shoes() {
        let events = honest(&file);
        assert!(judge(&events).findings.is_empty(), "{}", file.display());
        for at in 2..events.len() {
            let pair = (events[at].body.name(), events[at - 1].body.name());
            let found = judge(&moved(&events, at, at - 1)).findings;
            let roots: Vec<&str> =
                found.iter().filter(|found| found.cause.is_none()).map(|found| found.code.as_str()).collect();
            judged += 1;
            if roots.len() > 1 && !ANOTHER_PLAY.contains(&pair) && !TWO_FINDINGS.contains(&pair) {
                let what = format!("{} {at}: {}", file.file_stem().unwrap().display(), roots.join(" "));
                wrong.entry(pair).or_default().insert(what);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(judged > 3_500, "{judged}");
}

/// A slow card reader reports one card up to five cards later, or five cards before it.
#[test]
fn a_card_that_is_recorded_with_a_delay_is_one_finding() {
    let (mut judged, mut others) = (0, 0);
    for file in shoes() {
        let events = honest(&file);
        for first in 0..events.len().min(120) {
            let cards = events[first..].iter().take_while(|event| matches!(event.body, Body::CardDrawn(_)));
            for last in first + 1..first + cards.count() {
                for (from, to) in [(first, last), (last, first)] {
                    let found = judge(&moved(&events, from, to)).findings;
                    let codes: Vec<&str> = found.iter().map(|found| found.code.as_str()).collect();
                    assert_eq!(codes[0], "shoe-position", "{} {from} to {to}", file.display());
                    assert!(found.iter().all(|found| found.money.is_empty()));
                    (judged, others) = (judged + 1, others + usize::from(codes.len() > 1));
                }
            }
        }
    }
    // Where punto is dealt both its cards first, or the hands stand, two orders may look as right.
    assert!(others * 100 <= judged, "{others} of {judged} are more than one finding");
    assert!(judged > 2_000, "{judged}");
}

/// The event of a line under another coup's number, where it names a coup and is no ruling.
fn labelled(line: &str, away: i64) -> Option<Event> {
    let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
    let coup = line["event"].as_object_mut()?.values_mut().next()?.get_mut("coup")?;
    let number = coup.as_i64().unwrap() + away;
    *coup = number.into();
    (number > 0).then(|| Line::from_json(&line.to_string()).unwrap().into_event())
}

#[test]
fn an_event_that_carries_the_number_of_another_coup_is_one_finding() {
    let (mut judged, mut wrong) = (0, BTreeMap::<_, BTreeSet<String>>::new());
    for file in shoes() {
        let (text, mut events) = (fs::read_to_string(&file).unwrap(), honest(&file));
        for (at, line) in text.lines().enumerate() {
            for other in [1, -1, 10].into_iter().filter_map(|away| labelled(line, away)) {
                let right = std::mem::replace(&mut events[at], other);
                let found = judge(&events).findings;
                events[at] = right;
                judged += 1;
                let codes: Vec<&str> = found.iter().map(|found| found.code.as_str()).collect();
                let alone =
                    found.iter().all(|found| found.sequence == at as u64 + 1 && found.money.is_empty());
                if codes != ["coup-label"] || !alone {
                    let what = format!("{} {at}: {}", file.file_stem().unwrap().display(), codes.join(" "));
                    wrong.entry(events[at].body.name()).or_default().insert(what);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(judged > 5_000, "{judged}");
}
