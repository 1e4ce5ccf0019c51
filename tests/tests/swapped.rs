//! Two neighbouring events of an honest record change places: whoever posts out of order makes one mistake, and that is
//! one finding.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use events::{Event, Line, encode_payload};
use replay::{Entry, Judge, Judgement};

/// The events of the short honest shoe of a rulebook.
fn honest(file: &Path) -> Vec<Event> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| Line::from_json(line).unwrap().into_event()).collect()
}

fn judge(events: &[Event]) -> Judgement {
    let (payload, count) = (encode_payload(events).unwrap(), u32::try_from(events.len()).unwrap());
    let mut judge = Judge::default();
    judge.judge(&[Entry { table: "T", first: 1, count, payload: &payload, ..Entry::default() }]);
    judge.finish()
}

/// The events with the one at this place recorded before the one before it. The clock goes on as it did.
fn swapped(events: &[Event], at: usize) -> Vec<Event> {
    let mut events = events.to_vec();
    let (before, behind) = (events[at - 1].occurred_at, events[at].occurred_at);
    events.swap(at - 1, at);
    (events[at - 1].occurred_at, events[at].occurred_at) = (before, behind);
    events
}

/// Pairs of events after whose change of places play itself is another: the second of each comes first. What a bank
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

#[test]
fn two_neighbours_that_change_places_are_one_finding() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/rulebooks");
    let (mut judged, mut told) = (0, BTreeMap::<_, BTreeSet<String>>::new());
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        let events = honest(&file);
        assert!(judge(&events).findings.is_empty(), "{}", file.display());
        for at in 2..events.len() {
            let pair = (events[at].body.name(), events[at - 1].body.name());
            let found = judge(&swapped(&events, at)).findings;
            let roots: Vec<&str> =
                found.iter().filter(|found| found.cause.is_none()).map(|found| found.code.as_str()).collect();
            judged += 1;
            if roots.len() > 1 && !ANOTHER_PLAY.contains(&pair) {
                let what = format!("{} {at}: {}", file.file_stem().unwrap().display(), roots.join(" "));
                told.entry(pair).or_default().insert(what);
            }
        }
    }
    assert!(told.is_empty(), "{told:#?}");
    assert!(judged > 3_500, "{judged}");
}
