//! One slip in an honest record: the reading has to make one remark, at the slip.
//!
//! `READING_SLIPS=10000` plants so many of each kind. The figures are in `docs/detection.md`.

use std::collections::BTreeMap;

use baccarat::{Card, Face, Rank, Rulebook, Suit, Winner};
use events::{Body, Destination, Event};
use replay::checks;
use replay::reading::{CoupRecord, Explanation, Lost, Misread};

use super::records::{Record, fixtures, of_lines};

/// The same numbers on every machine (Marsaglia's xorshift64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

/// What is done to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slip {
    Lost(&'static str),
    Doubled(&'static str),
    Moved(&'static str),
    Mislabelled(&'static str),
    Misread(&'static str),
}

const SLIPS: &[Slip] = &[
    Slip::Lost("BurnCards"),
    Slip::Lost("BetPlaced"),
    Slip::Lost("BetsClosed"),
    Slip::Lost("CardDrawn"),
    Slip::Lost("CoupSettled"),
    Slip::Lost("ShoeEnded"),
    Slip::Doubled("BurnCards"),
    Slip::Doubled("BetPlaced"),
    Slip::Doubled("BetsClosed"),
    Slip::Doubled("CardDrawn"),
    Slip::Doubled("CutCardDrawn"),
    Slip::Doubled("CoupSettled"),
    Slip::Doubled("ShoeEnded"),
    Slip::Moved("BetsClosed"),
    Slip::Moved("CardDrawn"),
    Slip::Moved("CoupSettled"),
    Slip::Mislabelled("BetPlaced"),
    Slip::Mislabelled("BetsClosed"),
    Slip::Mislabelled("CardDrawn"),
    Slip::Mislabelled("CoupSettled"),
    Slip::Misread("position"),
    Slip::Misread("hand"),
    Slip::Misread("card"),
    Slip::Misread("burned"),
    Slip::Misread("bet"),
    Slip::Misread("total"),
    Slip::Misread("winner"),
    Slip::Misread("cut card"),
    Slip::Misread("cards left"),
];

/// What the reading made of a slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// One remark, at the slip, certain.
    Certain,
    /// One remark, at the slip, with alternatives.
    Alternatives,
    /// One remark, elsewhere.
    Elsewhere,
    /// No remark.
    None,
    Several,
    Unexplained,
}

const ALL: [Outcome; 6] = [
    Outcome::Certain,
    Outcome::Alternatives,
    Outcome::Elsewhere,
    Outcome::None,
    Outcome::Several,
    Outcome::Unexplained,
];

/// Where a slip is: its event in the changed record, and its coup.
#[derive(Debug, Clone, Copy)]
struct Planted {
    sequence: u64,
    coup: Option<u32>,
}

fn numbered(events: Vec<Event>, like: &Record) -> Record {
    let first = like.events[0].0;
    Record::new(like.name.clone(), like.table.clone(), (first..).zip(events).collect())
}

#[allow(clippy::wildcard_enum_match_arm, reason = "no other event is given another coup's number")]
fn relabel(body: &mut Body, coup: u32) {
    match body {
        Body::BetPlaced(placed) => placed.coup = coup,
        Body::BetsClosed(closed) => closed.coup = coup,
        Body::CardDrawn(drawn) => drawn.coup = coup,
        Body::CoupSettled(settled) => settled.coup = coup,
        _ => unreachable!("events of a coup"),
    }
}

/// Another card that counts something else.
fn other_card(face: Face, dice: &mut Dice) -> Face {
    let points = face.card().unwrap().points();
    loop {
        let rank = Rank::ALL[dice.below(13)];
        if rank.points() != points {
            return Face::Seen(Card::new(rank, Suit::ALL[dice.below(4)]));
        }
    }
}

/// Says something wrong in an event; `false` where nothing can be.
fn misread(what: &str, body: &mut Body, dice: &mut Dice) -> bool {
    match (what, body) {
        ("position", Body::CardDrawn(drawn)) => {
            let by = u16::try_from(1 + dice.below(40)).unwrap();
            drawn.position = if dice.below(2) == 0 {
                drawn.position + by
            } else {
                drawn.position.saturating_sub(by).max(1)
            };
        }
        ("hand", Body::CardDrawn(drawn)) => {
            drawn.to = match drawn.to {
                Destination::Punto => Destination::Banca,
                Destination::Banca => Destination::Punto,
                Destination::Removed => return false,
            };
        }
        ("card", Body::CardDrawn(drawn)) => drawn.card = other_card(drawn.card, dice),
        ("burned", Body::BurnCards(burn)) => {
            burn.burned = burn.burned.wrapping_add(1 + u8::try_from(dice.below(5)).unwrap());
            burn.faces.clear();
        }
        ("bet", Body::CoupSettled(settled)) => {
            let lines = settled.bets.len();
            let Some(line) = settled.bets.get_mut(dice.below(lines)) else { return false };
            line.bet += 1_000_000;
        }
        ("total", Body::CoupSettled(settled)) => {
            let by = 1 + u8::try_from(dice.below(9)).unwrap();
            let total = if dice.below(2) == 0 { &mut settled.punto_total } else { &mut settled.banca_total };
            *total = (*total + by) % 10;
        }
        ("winner", Body::CoupSettled(settled)) => {
            let others: Vec<Winner> = [Winner::Punto, Winner::Banca, Winner::Tie]
                .into_iter()
                .filter(|winner| *winner != settled.winner)
                .collect();
            settled.winner = *dice.pick(&others).unwrap();
        }
        ("cut card", Body::CutCardDrawn(cut)) => {
            cut.position += 1 + u16::try_from(dice.below(9)).unwrap();
        }
        ("cards left", Body::ShoeEnded(end)) => {
            end.cards_left += 1 + u16::try_from(dice.below(9)).unwrap();
        }
        _ => return false,
    }
    true
}

/// Whether a slip of this kind can be made at an event.
fn suits(slip: Slip, body: &Body) -> bool {
    match slip {
        Slip::Lost(name) | Slip::Doubled(name) | Slip::Moved(name) | Slip::Mislabelled(name) => {
            body.name() == name
        }
        Slip::Misread(what) => misread(what, &mut body.clone(), &mut Dice(1)),
    }
}

/// Makes one slip in a record.
fn plant(slip: Slip, record: &Record, dice: &mut Dice) -> Option<(Record, Planted)> {
    let mut events: Vec<Event> = record.events.iter().map(|(_, event)| event.clone()).collect();
    let places: Vec<usize> = (0..events.len()).filter(|at| suits(slip, &events[*at].body)).collect();
    let at = *dice.pick(&places)?;
    let coup = events[at].body.coup();
    let mut place = at;
    match slip {
        Slip::Lost(_) => drop(events.remove(at)),
        Slip::Doubled(_) => {
            place = at + 1;
            events.insert(place, events[at].clone());
        }
        Slip::Moved(_) => {
            // Over one to four events, and over at least one of its own kind or of another step of the coup.
            let by = 1 + dice.below(4);
            place = if dice.below(2) == 0 { at.checked_sub(by)? } else { at + by };
            let over = if place < at { place..at } else { at + 1..place + 1 };
            let over = events.get(over)?;
            let matters = |event: &Event| {
                ["BetPlaced", "BetsClosed", "CardDrawn", "CoupSettled"].contains(&event.body.name())
            };
            if !over.iter().any(matters) {
                return None;
            }
            let event = events.remove(at);
            events.insert(place, event);
        }
        Slip::Mislabelled(_) => {
            let by = 1 + u32::try_from(dice.below(3)).unwrap();
            let coup = coup?;
            let other =
                if dice.below(2) == 0 { coup + by } else { coup.checked_sub(by).filter(|of| *of > 0)? };
            relabel(&mut events[at].body, other);
        }
        Slip::Misread(what) => {
            misread(what, &mut events[at].body, dice).then_some(())?;
        }
    }
    let record = numbered(events, record);
    let sequence = record.events.get(place)?.0;
    Some((record, Planted { sequence, coup }))
}

/// Whether an explanation is of this slip.
fn names(explanation: &Explanation, slip: Slip, planted: Planted) -> bool {
    let of_coup = planted.coup.is_none_or(|coup| explanation.coup() == coup);
    match (slip, explanation) {
        (Slip::Lost(name), Explanation::Lost { what, .. }) => {
            let lost = match what {
                Lost::Loading => "ShoeLoaded",
                Lost::Burn => "BurnCards",
                Lost::End => "ShoeEnded",
                Lost::Bet(_) => "BetPlaced",
                Lost::Withdrawal(_) => "BetWithdrawn",
                Lost::Close => "BetsClosed",
                Lost::Card => "CardDrawn",
                Lost::Settlement => "CoupSettled",
            };
            lost == name && of_coup
        }
        (Slip::Misread("card"), Explanation::Misread { what, .. }) => {
            of_coup && matches!(what, Misread::Face(..))
        }
        _ => explanation.at() == planted.sequence,
    }
}

fn outcome(slip: Slip, record: &Record, planted: Planted) -> Outcome {
    let reading = record.read();
    if reading.shoes.iter().flat_map(|shoe| &shoe.coups).any(|coup| coup.unexplained) {
        return Outcome::Unexplained;
    }
    let remarks: Vec<_> = reading.shoes.iter().flat_map(|shoe| &shoe.remarks).collect();
    let at_slip = |all: &[Vec<Explanation>]| all.iter().flatten().any(|one| names(one, slip, planted));
    match remarks.as_slice() {
        [] => Outcome::None,
        [one] if at_slip(&one.alternatives) && one.is_certain() => {
            let innocent = |coup: &u32| planted.coup.is_some_and(|of| of != *coup);
            if one.coups.iter().any(innocent) { Outcome::Elsewhere } else { Outcome::Certain }
        }
        [one] if at_slip(&one.alternatives) => Outcome::Alternatives,
        [_] => Outcome::Elsewhere,
        _ => Outcome::Several,
    }
}

/// Honest records, each up to the end of its first shoe.
fn honest() -> Vec<Record> {
    let records = fixtures("rulebooks").into_iter().flat_map(|file| {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        of_lines(&name, &std::fs::read_to_string(file).unwrap())
    });
    let honest = |record: &Record| {
        let reading = record.read();
        let coups = reading.shoes.iter().flat_map(|shoe| &shoe.coups);
        reading.shoes.iter().all(|shoe| shoe.remarks.is_empty())
            && coups.into_iter().all(|coup| !coup.unexplained)
    };
    records.filter(|record| record.books.is_punto_y_banca() && honest(record)).collect()
}

#[test]
fn one_slip_is_one_remark_at_the_slip() {
    let most: usize = std::env::var("READING_SLIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let show = std::env::var("READING_SHOW").ok();
    let records = honest();
    eprintln!("{} honest records", records.len());
    let mut dice = Dice(0x5eed_0020);
    let mut table: BTreeMap<Slip, BTreeMap<Outcome, usize>> = BTreeMap::new();
    for slip in SLIPS {
        let (mut planted, mut tries) = (0, 0);
        while planted < most && tries < most * 20 {
            tries += 1;
            let record = &records[dice.below(records.len())];
            let Some((record, of)) = plant(*slip, record, &mut dice) else { continue };
            planted += 1;
            let outcome = outcome(*slip, &record, of);
            *table.entry(*slip).or_default().entry(outcome).or_default() += 1;
            let wanted = show.as_ref().is_some_and(|show| format!("{slip:?} {outcome:?}").contains(show));
            if wanted {
                let reading = record.read();
                let remarks: Vec<_> = reading.shoes.iter().flat_map(|shoe| &shoe.remarks).collect();
                eprintln!("{slip:?} {outcome:?} {} {of:?}\n  {remarks:?}", record.name);
                let near = record.events.iter().filter(|(at, _)| at.abs_diff(of.sequence) < 12);
                near.for_each(|(at, event)| eprintln!("    {at} {:?}", event.body));
            }
        }
    }
    for (slip, outcomes) in &table {
        eprintln!("{slip:?}: {outcomes:?}");
        let of = |wanted: &[Outcome]| -> usize { wanted.iter().filter_map(|one| outcomes.get(one)).sum() };
        let one = [Outcome::Certain, Outcome::Alternatives];
        let right = match slip {
            // If it wins or loses by a wrong settlement, no one can tell it from a settlement that pays the wrong hand.
            Slip::Misread("card") => of(&one) + of(&[Outcome::Elsewhere]),
            // Bets that come after it are late.
            Slip::Moved("BetsClosed") => of(&one) + of(&[Outcome::None]),
            Slip::Lost(_) | Slip::Doubled(_) | Slip::Moved(_) | Slip::Mislabelled(_) | Slip::Misread(_) => {
                of(&one)
            }
        };
        assert!(right * 100 >= of(&ALL) * 99, "{slip:?}: {outcomes:?}");
    }
}

/// The same record, in which this coup is settled for another hand than the one that won.
fn robbed(record: &Record, coup: u32, dice: &mut Dice) -> Option<Record> {
    let mut events: Vec<Event> = record.events.iter().map(|(_, event)| event.clone()).collect();
    let of_coup = |event: &&mut Event| matches!(&event.body, Body::CoupSettled(of) if of.coup == coup);
    let Body::CoupSettled(settled) = &mut events.iter_mut().find(of_coup)?.body else { return None };
    let others = [(Winner::Punto, 9, 1), (Winner::Banca, 2, 8), (Winner::Tie, 6, 6)];
    let others: Vec<_> = others.into_iter().filter(|(winner, ..)| *winner != settled.winner).collect();
    (settled.winner, settled.punto_total, settled.banca_total) = *dice.pick(&others)?;
    Some(numbered(events, record))
}

/// Whether a coup would be green: everything was read, nothing is remarked on, and its cards were dealt by the rules.
fn is_certified(coup: &CoupRecord<'_>, rules: &Rulebook) -> bool {
    let checked = checks::cards(coup, rules);
    let is_read = coup.missing.is_empty() && coup.follows.is_empty() && !coup.unexplained;
    is_read && checked.open.is_none() && checked.found.is_empty()
}

/// A thief pays the wrong hand and makes a slip in the same coup that might explain it. Where the slip is read as what was
/// played, and the totals agree with that, the cards were dealt against the rules.
#[test]
fn no_slip_hides_a_settlement_that_pays_the_wrong_hand() {
    let records = honest();
    let mut dice = Dice(0x5eed_0021);
    let mut thefts = 0;
    for _ in 0..20 {
        for slip in SLIPS {
            let record = &records[dice.below(records.len())];
            let Some((slipped, planted)) = plant(*slip, record, &mut dice) else { continue };
            let Some(coup) = planted.coup else { continue };
            let Some(robbed) = robbed(&slipped, coup, &mut dice) else { continue };
            let (reading, rules) = (robbed.read(), robbed.books.only().unwrap());
            let coups = reading.shoes.iter().flat_map(|shoe| &shoe.coups);
            let of_number: Vec<_> = coups.filter(|of| of.number == coup).collect();
            let hidden = of_number.iter().all(|of| is_certified(of, rules));
            assert!(!hidden, "{slip:?} in coup {coup} of {}", record.name);
            thefts += 1;
        }
    }
    assert!(thefts > 300, "{thefts}");
}
