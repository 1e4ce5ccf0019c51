//! One slip in an honest record of chemin de fer, as `slips.rs` has it of punto y banca.
//!
//! `READING_SLIPS=1000` plants so many of each kind.

use std::collections::BTreeMap;

use baccarat::Face;
use events::{Announced, BankSettled, Body, CoupVoided, DrawDecided, Event, Irregularity};
use replay::Code;

use super::found;
use super::records::Record;
use super::slips::{Caught, Dice, Planted, Slip, Theft, caught, honest_if, plant, robbed, show};

const SLIPS: &[Slip] = &[
    Slip::Lost("BetPlaced"),
    Slip::Lost("AbonoPlaced"),
    Slip::Lost("BetsClosed"),
    Slip::Lost("CardDrawn"),
    Slip::Lost("DrawDecided"),
    Slip::Lost("BancoCalled"),
    Slip::Lost("PuntoHolder"),
    Slip::Lost("BankSettled"),
    Slip::Lost("CoupSettled"),
    Slip::Lost("GarajeSet"),
    Slip::Lost("BankTaken"),
    Slip::Lost("BankPassed"),
    Slip::Lost("DealOffered"),
    Slip::Lost("DealDeclined"),
    Slip::Lost("ShoeEnded"),
    Slip::Doubled("BetPlaced"),
    Slip::Doubled("AbonoPlaced"),
    Slip::Doubled("BetsClosed"),
    Slip::Doubled("CardDrawn"),
    Slip::Doubled("DrawDecided"),
    Slip::Doubled("BancoCalled"),
    Slip::Doubled("PuntoHolder"),
    Slip::Doubled("BankSettled"),
    Slip::Doubled("CoupSettled"),
    Slip::Doubled("GarajeSet"),
    Slip::Doubled("BankTaken"),
    Slip::Doubled("BankPassed"),
    Slip::Doubled("DealOffered"),
    Slip::Doubled("DealDeclined"),
    Slip::Doubled("PlayersPresent"),
    Slip::Doubled("LeaveGiven"),
    Slip::Doubled("CutCardDrawn"),
    Slip::Doubled("ShoeEnded"),
    Slip::Moved("BetsClosed"),
    Slip::Moved("CardDrawn"),
    Slip::Moved("DrawDecided"),
    Slip::Moved("BankSettled"),
    Slip::Moved("CoupSettled"),
    Slip::Moved("DealDeclined"),
    Slip::Mislabelled("BetPlaced"),
    Slip::Mislabelled("AbonoPlaced"),
    Slip::Mislabelled("BancoCalled"),
    Slip::Mislabelled("BetsClosed"),
    Slip::Mislabelled("PuntoHolder"),
    Slip::Mislabelled("CardDrawn"),
    Slip::Mislabelled("DrawDecided"),
    Slip::Mislabelled("BankSettled"),
    Slip::Mislabelled("CoupSettled"),
    Slip::Misread("position"),
    Slip::Misread("hand"),
    Slip::Misread("card"),
    Slip::Misread("bet"),
    Slip::Misread("total"),
    Slip::Misread("winner"),
    Slip::Misread("cut card"),
    Slip::Misread("cards left"),
    Slip::Misread("won"),
    Slip::Misread("lost"),
    Slip::Misread("commission"),
    Slip::Misread("bank"),
    Slip::Misread("garaje"),
    Slip::Misread("set aside"),
    Slip::Misread("passed"),
];

/// Slips that are no finding.
const NOT_FOUND: &[Slip] = &[
    // What a hand announced, who called banco and who held the cards need not be recorded.
    Slip::Lost("DrawDecided"),
    Slip::Lost("BancoCalled"),
    Slip::Lost("PuntoHolder"),
    Slip::Lost("DealOffered"),
    Slip::Lost("DealDeclined"),
    Slip::Doubled("BetsClosed"),
    Slip::Doubled("DrawDecided"),
    Slip::Doubled("BancoCalled"),
    Slip::Doubled("DealOffered"),
    Slip::Doubled("PlayersPresent"),
    Slip::Doubled("LeaveGiven"),
    Slip::Doubled("ShoeEnded"),
    // What the stakes do not cover is set aside once, whatever is said of it again.
    Slip::Doubled("GarajeSet"),
    Slip::Moved("BetsClosed"),
    Slip::Moved("CardDrawn"),
    Slip::Moved("DrawDecided"),
    // An account is judged with the settlement, wherever it stands before it.
    Slip::Moved("BankSettled"),
    Slip::Mislabelled("DrawDecided"),
    // The first card of a shoe without a burn lies where the record says.
    Slip::Misread("position"),
];

/// Slips that may be several findings.
const MAY_BE_SEVERAL: &[Slip] = &[
    Slip::Lost("BetPlaced"),
    Slip::Lost("CardDrawn"),
    Slip::Lost("CoupSettled"),
    // A bank that nobody took is missing in each coup, and passed by somebody who has it not.
    Slip::Lost("BankTaken"),
    Slip::Lost("BankPassed"),
    Slip::Lost("DealOffered"),
    Slip::Lost("DealDeclined"),
    Slip::Moved("BetsClosed"),
    Slip::Moved("CardDrawn"),
    Slip::Moved("CoupSettled"),
    Slip::Moved("DealDeclined"),
    Slip::Mislabelled("PuntoHolder"),
    Slip::Misread("card"),
    Slip::Misread("winner"),
    Slip::Misread("set aside"),
];

/// Slips that a theft may look like.
const MAY_BE_MONEY: &[Slip] = &[
    Slip::Lost("BetPlaced"),
    Slip::Lost("AbonoPlaced"),
    // Nothing says what the banker won, or took away.
    Slip::Lost("BankSettled"),
    Slip::Lost("BankTaken"),
    Slip::Lost("BankPassed"),
    Slip::Doubled("CoupSettled"),
    Slip::Doubled("BankPassed"),
    Slip::Moved("BetsClosed"),
    Slip::Moved("BankSettled"),
    Slip::Moved("CoupSettled"),
    Slip::Misread("card"),
    // The record says that the banker has, or took away, another sum.
    Slip::Misread("commission"),
    Slip::Misread("bank"),
    Slip::Misread("garaje"),
    Slip::Misread("passed"),
];

/// Slips after which the next coup may be found to have begun too early, or against a bank that nobody has.
const MAY_ACCUSE: &[Slip] =
    &[Slip::Lost("CoupSettled"), Slip::Moved("CoupSettled"), Slip::Mislabelled("PuntoHolder")];

#[test]
fn a_slip_at_the_bank_is_a_finding() {
    let most: usize = std::env::var("READING_SLIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let records = honest_if(|books| !books.is_punto_y_banca());
    assert!(!records.is_empty());
    let mut dice = Dice(0x5eed_0024);
    for slip in SLIPS {
        let (mut planted, mut tries, mut counts, mut innocent, mut money) = (0, 0, BTreeMap::new(), 0, 0);
        while planted < most && tries < most * 20 {
            tries += 1;
            let record = &records[dice.below(records.len())];
            let Some((record, of)) = plant(*slip, record, &mut dice) else { continue };
            planted += 1;
            let mut found = found::checked(&record, &record.read()).found;
            // That an event was moved shows its clock as well.
            found.retain(|one| one.follows.is_none() && one.code != Code::TimeBackwards);
            let other = |coup: u32| of.coup.is_some_and(|of| of != coup);
            innocent += usize::from(found.iter().filter_map(|one| one.coup).any(other));
            money += usize::from(found.iter().any(|one| !one.money.is_empty()));
            *counts.entry(found.len().min(3)).or_insert(0_usize) += 1;
            if found.len() != 1 || found.iter().any(|one| !one.money.is_empty()) {
                let codes: Vec<_> = found
                    .iter()
                    .map(|one| {
                        (
                            one.code.as_str(),
                            one.sequence,
                            one.coup,
                            one.money.first().map(|of| of.minor_units),
                        )
                    })
                    .collect();
                show(&format!("{slip:?} found {codes:?}"), &record, of);
            }
        }
        eprintln!(
            "{slip:?}: {planted}, by the number of findings {counts:?}, {innocent} in another coup, {money} with money"
        );
        let is_one = counts.get(&1) == Some(&planted);
        assert!(is_one || NOT_FOUND.contains(slip) || MAY_BE_SEVERAL.contains(slip), "{slip:?}: {counts:?}");
        assert!(!counts.contains_key(&0) || NOT_FOUND.contains(slip), "{slip:?}: {counts:?}");
        assert!(innocent == 0 || MAY_ACCUSE.contains(slip), "{slip:?}: {innocent}");
        assert!(money == 0 || MAY_BE_MONEY.contains(slip), "{slip:?}: {money}");
    }
}

/// Slips after which it is not known which cards were dealt, or what was staked in time.
const MAY_BE_OPEN: &[Slip] = &[
    Slip::Lost("BetPlaced"),
    Slip::Lost("AbonoPlaced"),
    Slip::Lost("CardDrawn"),
    // No stake is covered by a bank of which nothing is known.
    Slip::Lost("BankTaken"),
    Slip::Doubled("CoupSettled"),
    Slip::Moved("BetsClosed"),
    Slip::Moved("CoupSettled"),
    // What carries the number of the next coup may begin it.
    Slip::Mislabelled("PuntoHolder"),
    Slip::Mislabelled("DrawDecided"),
    Slip::Misread("card"),
    Slip::Misread("hand"),
];

/// A thief pays the wrong hand and makes a slip beside it that might explain it.
#[test]
fn no_slip_at_the_bank_hides_a_settlement_that_pays_the_wrong_hand() {
    let most: usize = std::env::var("READING_SLIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let records = honest_if(|books| !books.is_punto_y_banca());
    let mut dice = Dice(0x5eed_0025);
    let (mut thefts, mut open) = (0, Vec::new());
    for slip in SLIPS {
        let (mut planted, mut tries, mut table) = (0, 0, BTreeMap::new());
        while planted < most && tries < most * 20 {
            tries += 1;
            let record = &records[dice.below(records.len())];
            let Some((slipped, of)) = plant(*slip, record, &mut dice) else { continue };
            let next = slipped.events.iter().filter(|(at, _)| *at >= of.sequence);
            let Some(coup) = of.coup.or_else(|| next.filter_map(|(_, event)| event.body.coup()).next())
            else {
                continue;
            };
            let Some(theft) = robbed(&slipped, coup, &mut dice) else { continue };
            planted += 1;
            let caught = caught(&theft, coup);
            show(&format!("{slip:?} {caught:?}"), &theft.record, of);
            *table.entry(caught).or_insert(0_usize) += 1;
        }
        eprintln!("{slip:?}: {table:?}");
        assert!(!table.contains_key(&Caught::Hidden), "{slip:?}: {table:?}");
        let is_exact = table.get(&Caught::Exact) == Some(&planted);
        if planted > 0 && !is_exact && !MAY_BE_OPEN.contains(slip) {
            open.push((slip, table));
        }
        thefts += planted;
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(thefts > 500, "{thefts}");
}

/// What a thief writes beside a settlement that pays the wrong hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cover {
    /// A void, once the stakes are paid.
    VoidAfterwards,
    /// A ruling that the inspector gives as he sees fit.
    Ruling,
    /// Another account, in which the bank lost what was paid.
    AnotherAccount,
    /// The account after the settlement.
    LateAccount,
    /// Whoever called banco is said to have called it again, and a hand to have announced something else.
    SaidAgain,
    /// A card of the coup that nobody read.
    UnreadCard,
    /// One event before the settlement that is missing.
    Gap,
}

const COVERS: &[Cover] = &[
    Cover::VoidAfterwards,
    Cover::Ruling,
    Cover::AnotherAccount,
    Cover::LateAccount,
    Cover::SaidAgain,
    Cover::UnreadCard,
    Cover::Gap,
];

/// Covers after which money that is certain is not always known.
const LEAVES_OPEN: &[Cover] = &[Cover::UnreadCard, Cover::Gap];

/// The same record with a cover of a coup; `None` if it has nothing to cover with.
fn cover(cover: Cover, record: &Record, coup: u32) -> Option<Record> {
    let mut events = record.events.clone();
    let of_coup = |body: &Body| body.coup() == Some(coup);
    let place = |wanted: &dyn Fn(&Body) -> bool| {
        record.events.iter().position(|(_, event)| of_coup(&event.body) && wanted(&event.body))
    };
    let settled = place(&|body| matches!(body, Body::CoupSettled(_)))?;
    let account = place(&|body| matches!(body, Body::BankSettled(_)))?;
    let signers = || ("inspector-7".parse().unwrap(), Some("manager-7".parse().unwrap()));
    let mut write = |at: usize, body: Body| {
        let event = Event { body, ..record.events[settled].1.clone() };
        events.insert(at, (0, event));
    };
    match cover {
        Cover::VoidAfterwards => {
            let (ruled_by, countersigned_by) = signers();
            let reason = "an error".parse().unwrap();
            write(settled + 1, Body::CoupVoided(CoupVoided { coup, reason, ruled_by, countersigned_by }));
        }
        Cover::Ruling => {
            let (ruled_by, countersigned_by) = signers();
            let (code, ruling) = ("not-provided-for".parse().unwrap(), "as paid".parse().unwrap());
            let (coup, positions) = (Some(coup), Vec::new());
            let ruled = Irregularity { code, coup, positions, ruling, ruled_by, countersigned_by };
            write(settled, Body::IrregularityRecorded(Box::new(ruled)));
        }
        Cover::AnotherAccount => {
            let Body::BankSettled(account_of) = &record.events[account].1.body else { return None };
            let (won, lost) = (account_of.lost, account_of.won);
            write(account + 1, Body::BankSettled(BankSettled { won, lost, ..account_of.clone() }));
        }
        Cover::LateAccount => events.swap(account, settled),
        Cover::SaidAgain => {
            let decided = place(&|body| matches!(body, Body::DrawDecided(_)))?;
            let Body::DrawDecided(decided) = &record.events[decided].1.body else { return None };
            let other = if decided.decision == Announced::No { Announced::Carta } else { Announced::No };
            write(account, Body::DrawDecided(DrawDecided { decision: other, ..decided.clone() }));
        }
        Cover::UnreadCard => {
            let card = place(&|body| matches!(body, Body::CardDrawn(_)))?;
            let Body::CardDrawn(drawn) = &mut events[card].1.body else { return None };
            drawn.card = Face::Unseen;
        }
        Cover::Gap => drop(events.remove(account)),
    }
    let numbers = 1..;
    let is_gap = cover == Cover::Gap;
    let numbered = numbers.zip(events).map(|(at, (_, event))| {
        let behind = is_gap && at > u64::try_from(account).unwrap();
        (if behind { at + 1 } else { at }, event)
    });
    Some(Record::new(record.name.clone(), record.table.clone(), numbered.collect()))
}

#[test]
fn nothing_that_a_thief_writes_beside_a_theft_hides_it() {
    let records = honest_if(|books| !books.is_punto_y_banca());
    let mut dice = Dice(0x5eed_0026);
    for of in COVERS {
        let (mut thefts, mut tries, mut table) = (0, 0, BTreeMap::new());
        while thefts < 40 && tries < 800 {
            tries += 1;
            let record = &records[dice.below(records.len())];
            let coup = u32::try_from(1 + dice.below(14)).unwrap();
            let Some(theft) = robbed(record, coup, &mut dice) else { continue };
            let Some(covered) = cover(*of, &theft.record, coup) else { continue };
            thefts += 1;
            let theft = Theft { record: covered, ..theft };
            let caught = caught(&theft, coup);
            let settled =
                theft.record.events.iter().find(
                    |(_, event)| matches!(&event.body, Body::CoupSettled(settled) if settled.coup == coup),
                );
            let sequence = settled.map_or(0, |(at, _)| *at);
            show(&format!("{of:?} {caught:?}"), &theft.record, Planted { sequence, coup: Some(coup) });
            *table.entry(caught).or_insert(0_usize) += 1;
        }
        eprintln!("{of:?}: {table:?}");
        assert_eq!(thefts, 40, "{of:?}");
        assert!(!table.contains_key(&Caught::Hidden), "{of:?}: {table:?}");
        assert!(table.get(&Caught::Exact) == Some(&40) || LEAVES_OPEN.contains(of), "{of:?}: {table:?}");
    }
}
