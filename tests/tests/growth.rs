//! Whoever writes the record may write as much of one thing as they like: judging eight times as much of it takes about
//! eight times as long, and not sixty-four. Times are held against each other in the same run, and are those that the
//! thread had a processor, which other programs on the machine change little. A judge shares its work out among the threads
//! of a pool: here the pool of each thread is that thread alone.
#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use audit_tests::judges;
use events::{Event, Line, encode_payload};
use rayon::ThreadPoolBuilder;
use replay::Entry;
use rustix::time::{ClockId, clock_gettime};

const FEW: u32 = 1_500;
const TIMES: u32 = 8;
/// Runs of one record, of which the shortest counts.
const RUNS: usize = 3;
/// So many times as long is too long: between eight and sixty-four.
const TOO_MUCH: u32 = 24;
/// What memory that is touched for the first time may take besides: some records are judged in a millisecond.
const BESIDE: Duration = Duration::from_millis(5);
/// Events in an entry.
const AT_ONCE: usize = 200;

/// The opening of a table under the rulebook `punto-banco`.
fn opening() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/rulebooks/punto-banco.ndjson");
    std::fs::read_to_string(path).unwrap().lines().next().unwrap().to_owned()
}

fn bet(coup: u32, bet: u32) -> String {
    format!(r#"{{"BetPlaced":{{"coup":{coup},"bet":{bet},"seat":3,"kind":"punto","stake":5000}}}}"#)
}

fn taken_back(bet: u32) -> String {
    format!(r#"{{"BetWithdrawn":{{"bet":{bet}}}}}"#)
}

/// The close, and four cards with which punto wins 9 to 7.
fn dealt(coup: u32, position: u32) -> Vec<String> {
    let cards = [("9D", "punto"), ("2C", "banca"), ("KD", "punto"), ("5S", "banca")];
    let close = format!(r#"{{"BetsClosed":{{"coup":{coup}}}}}"#);
    let card = |(at, (card, to)): (u32, (&str, &str))| {
        format!(r#"{{"CardDrawn":{{"coup":{coup},"position":{at},"card":"{card}","to":"{to}"}}}}"#)
    };
    std::iter::once(close).chain((position..).zip(cards).map(card)).collect()
}

fn settled(coup: u32, bets: impl Iterator<Item = u32>, returned: u32) -> String {
    let lines: Vec<String> = bets.map(|bet| format!(r#"{{"bet":{bet},"returned":{returned}}}"#)).collect();
    let lines = lines.join(",");
    format!(
        r#"{{"CoupSettled":{{"coup":{coup},"winner":"punto","punto_total":9,"banca_total":7,"bets":[{lines}]}}}}"#
    )
}

/// A coup of seven events.
fn played(coup: u32, end: impl Fn(String) -> String) -> Vec<String> {
    let settled = end(settled(coup, coup..coup + 1, 10_000));
    [bet(coup, coup)].into_iter().chain(dealt(coup, 6 + 4 * coup)).chain([settled]).collect()
}

fn void(coup: u32) -> String {
    format!(
        r#"{{"CoupVoided":{{"coup":{coup},"reason":"stuck cards","ruled_by":"inspector-1","countersigned_by":"manager-1"}}}}"#
    )
}

/// A bet should have been another: the event of this sequence.
fn corrected(sequence: u32, said: &str) -> String {
    format!(
        r#"{{"CorrectionRecorded":{{"corrects":{sequence},"corrected":{said},"reason":"recorded wrongly","signed_by":["inspector-1","manager-1"]}}}}"#
    )
}

fn shoe(number: u32) -> [String; 2] {
    let decks: Vec<String> = (0..8).map(|deck| format!(r#""D{number}-{deck}""#)).collect();
    let decks = decks.join(",");
    [
        format!(
            r#"{{"ShoeLoaded":{{"shoe":"S{number}","decks":8,"cards":416,"deck_serials":[{decks}],"back_colours":["red","blue"]}}}}"#
        ),
        r#"{"BurnCards":{"indicator":"8D","burned":8}}"#.to_owned(),
    ]
}

/// The most lines a settlement may have.
fn lines(count: u32) -> u32 {
    count.min(8_000)
}

/// So many events of one kind, or about as many.
type Shape = fn(u32) -> Vec<String>;

/// What took time by the square before it was looked for, and what lies next to it.
const SHAPES: &[(&str, Shape)] = &[
    ("bets of one coup", |count| {
        // The same part of them has a line, however many there are.
        let bets = (1..count).map(|id| bet(1, id));
        bets.chain(dealt(1, 10)).chain([settled(1, 1..count / 2, 10_000)]).collect()
    }),
    ("bets that are left out, and lines of none", |count| {
        let bets = (1..count).map(|id| bet(1, id));
        bets.chain(dealt(1, 10)).chain([settled(1, count..count + lines(count), 10_000)]).collect()
    }),
    ("bets under one id", |count| {
        let bets = (1..count).map(|_| bet(1, 1));
        bets.chain(dealt(1, 10)).chain([settled(1, 1..2, 10_000)]).collect()
    }),
    ("bets taken back, the last first", |count| {
        let bets = (1..count).map(|id| bet(1, id)).chain((1..count).rev().map(taken_back));
        bets.chain(dealt(1, 10)).chain([settled(1, 0..0, 0)]).collect()
    }),
    ("bets taken back that nobody placed", |count| {
        (1..count).map(|id| bet(1, id)).chain((1..count).map(|id| taken_back(count + id))).collect()
    }),
    ("coups that are settled and nothing else", |count| {
        (1..count).map(|coup| settled(coup, 0..0, 0)).collect()
    }),
    ("the same, the last first", |count| (1..count).rev().map(|coup| settled(coup, 0..0, 0)).collect()),
    ("coups that are void and nothing else", |count| (1..count).map(void).collect()),
    ("voids that wait", |count| {
        let waiting = [bet(1, 1)].into_iter().chain((2..count).map(void));
        waiting.chain(dealt(1, 10)).chain([settled(1, 1..2, 10_000)]).collect()
    }),
    ("coups declared void long after, and given back, the last first", |count| {
        let played = (1..count).flat_map(|coup| [bet(coup, coup), settled(coup, coup..coup + 1, 0)]);
        let back = (1..count).rev().map(|coup| settled(coup, coup..coup + 1, 5_000));
        played.chain((1..count).map(void)).chain(back).collect()
    }),
    ("a coup settled again and again", |count| {
        let bets = (1..count).map(|id| bet(1, id)).chain(dealt(1, 10));
        bets.chain((0..count / 100).map(|_| settled(1, 1..100, 10_000))).collect()
    }),
    ("bets that are corrected", |count| {
        let bets = (1..count).map(|id| bet(1, id));
        let again = (1..count).map(|id| corrected(3 + id, &bet(1, id).replace("5000", "5500")));
        bets.chain(again).chain(dealt(1, 10)).chain([settled(1, 1..lines(count), 11_000)]).collect()
    }),
    ("bets that are corrected once the cards are dealt", |count| {
        let bets = (1..count).map(|id| bet(1, id));
        let again = (1..count).map(|id| corrected(3 + id, &bet(1, id).replace("5000", "5500")));
        bets.chain(dealt(1, 10)).chain([settled(1, 1..lines(count), 10_000)]).chain(again).collect()
    }),
    ("coups of which bet and settlement are corrected later", |count| {
        let coups = count / 8;
        let played = (1..coups).flat_map(|coup| played(coup, |end| end));
        let again = (1..coups).flat_map(|coup| {
            let (bet, end) = (bet(coup, coup).replace("5000", "5500"), settled(coup, coup..coup + 1, 11_000));
            // Two events before the first coup, seven in each.
            [corrected(7 * coup - 3, &bet), corrected(7 * coup + 3, &end)]
        });
        played.chain(again).collect()
    }),
    ("settlements that are corrected, each time by others", |count| {
        let played = (1..count).flat_map(|coup| [bet(coup, coup), settled(coup, coup..coup + 1, 0)]);
        let again = (1..count).map(|coup| {
            let again = corrected(3 + 2 * coup, &settled(coup, coup..coup + 1, 5_000));
            again.replace("inspector-1", &format!("inspector-{coup}"))
        });
        played.chain(again).collect()
    }),
    ("one settlement that is corrected again and again", |count| {
        let again = (1..count).map(|id| {
            let again = corrected(5, &settled(1, 1..2, id));
            again.replace("inspector-1", &format!("inspector-{id}"))
        });
        [bet(1, 1), settled(1, 1..2, 0)].into_iter().chain(again).collect()
    }),
    ("coups with a wrong total", |count| {
        (1..count / 7).flat_map(|coup| played(coup, |end| end.replace("total\":7", "total\":6"))).collect()
    }),
    ("coups of which all is recorded the other way round", |count| {
        let backwards = |coup| played(coup, |end| end).into_iter().rev();
        (1..count / 7).flat_map(backwards).collect()
    }),
    ("cards of three coups in turn", |count| {
        let cards = (1..count / 4).flat_map(|at| dealt(1 + at % 3, 6 + 4 * at));
        cards.filter(|event| event.contains("CardDrawn")).collect()
    }),
    ("shoes of new decks", |count| (2..count).flat_map(shoe).collect()),
];

/// How long this thread has had a processor.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap()
}

/// The record of so many events.
struct Recorded {
    events: u64,
    /// Each with its first sequence and the number of its events.
    payloads: Vec<(u64, u32, Vec<u8>)>,
}

impl Recorded {
    fn new(count: u32, shape: Shape) -> Self {
        let lines = shoe(1).into_iter().chain(shape(count));
        let wrap = |(sequence, event): (u32, String)| {
            format!(
                r#"{{"table":"T","sequence":{sequence},"occurred_at":"2026-03-01T20:00:05+01:00","event":{event}}}"#
            )
        };
        let lines = std::iter::once(opening()).chain((2..).zip(lines).map(wrap));
        let events: Vec<Event> = lines.map(|line| Line::from_json(&line).unwrap().into_event()).collect();
        let pieces = (1..).step_by(AT_ONCE).zip(events.chunks(AT_ONCE));
        let payloads = pieces.map(|(first, events)| {
            (first, u32::try_from(events.len()).unwrap(), encode_payload(events).unwrap())
        });
        Self { events: events.len() as u64, payloads: payloads.collect() }
    }

    /// How long it takes to judge it.
    fn time(&self) -> Duration {
        let mut judge = judges::new();
        let began = processor_time();
        for (index, (first, count, payload)) in (0..).zip(&self.payloads) {
            judge.judge(&[Entry {
                index,
                table: "T",
                first: *first,
                count: *count,
                payload,
                ..Entry::default()
            }]);
        }
        let judgement = judge.finish();
        assert_eq!(judgement.events, self.events);
        processor_time().checked_sub(began).unwrap()
    }
}

/// How long few and many take: the shortest of three runs each, or of many the first that is not too long.
fn few_and_many(shape: Shape) -> [Duration; 2] {
    let [few, many] = [FEW, FEW * TIMES].map(|count| Recorded::new(count, shape));
    let few = (0..RUNS).map(|_| few.time()).min().unwrap();
    let mut least = Duration::MAX;
    for _ in 0..RUNS {
        least = least.min(many.time());
        if least <= few * TOO_MUCH + BESIDE {
            break;
        }
    }
    [few, least]
}

#[test]
fn eight_times_as_much_of_anything_takes_about_eight_times_as_long() {
    let taken = too_long();
    assert!(taken.is_empty(), "{taken:#?}");
}

/// What takes too long.
fn too_long() -> Vec<(&'static str, [Duration; 2])> {
    let next = AtomicUsize::new(0);
    let measure = || {
        let mut taken = Vec::new();
        while let Some((name, shape)) = SHAPES.get(next.fetch_add(1, Ordering::Relaxed)) {
            taken.push((*name, few_and_many(*shape)));
        }
        taken
    };
    let alone = || ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(measure);
    let taken: Vec<(&str, [Duration; 2])> = thread::scope(|scope| {
        let threads = [scope.spawn(alone), scope.spawn(alone)];
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let is_too_long = |(_, [few, many]): &(&str, [Duration; 2])| *many > *few * TOO_MUCH + BESIDE;
    taken.into_iter().filter(is_too_long).collect()
}
