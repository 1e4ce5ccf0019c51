//! Forgeries: an honest record is altered after the play, so that it is still a record that could have been
//! written, except for what is forged.
//!
//! A forgery takes a record and a coup and returns the event that shows it. It returns `None` and leaves the
//! record as it was where the coup does not allow it.

mod boxes;
mod cards;
mod catalogue;
mod corrections;
mod coup;
mod gaps;
mod late;
mod opening;
mod payouts;
mod reading;
mod rulings;
mod shoes;
mod stakes;
mod tape;
mod unread;
mod voids;

use std::collections::BTreeMap;

use events::{Name, TableId};

use crate::stream::Target;
use crate::{Fault, Planted};
pub(crate) use catalogue::{fits, is_forged};
use coup::CoupAt;
pub(crate) use tape::Tape;

/// A forgery.
type Forge = fn(&mut Tape, &CoupAt) -> Option<Shown>;

/// A bet that nobody placed before.
const NEW_BET: u64 = 1_000_000_000_000;

/// The event that shows a forgery, and what it does.
#[derive(Debug)]
struct Shown {
    at: usize,
    coup: Option<u32>,
    in_shoe: bool,
    money: BTreeMap<u8, i64>,
    /// The part of the money that missing events may explain.
    explained: u64,
    findings: u64,
    /// Coups it makes violated, where that is not one at most.
    coups: Option<u64>,
    /// Shoes it makes violated, where that is not one at most.
    shoes: Option<u64>,
}

impl Shown {
    const fn new(at: usize, coup: Option<u32>, in_shoe: bool) -> Self {
        Self {
            at,
            coup,
            in_shoe,
            money: BTreeMap::new(),
            explained: 0,
            findings: 1,
            coups: None,
            shoes: None,
        }
    }

    /// It belongs to a coup.
    const fn in_coup(at: usize, coup: u32) -> Option<Self> {
        Some(Self::new(at, Some(coup), true))
    }

    /// It belongs to a shoe and to no coup.
    const fn in_shoe(at: usize) -> Option<Self> {
        Some(Self::new(at, None, true))
    }

    /// It belongs to the table alone.
    const fn at_table(at: usize) -> Option<Self> {
        Some(Self::new(at, None, false))
    }
}

/// Adds the money that a forgery moves: seats and what they got beyond their due.
trait Moving {
    fn moving(self, money: impl IntoIterator<Item = (u8, i64)>) -> Self;
}

impl Moving for Option<Shown> {
    fn moving(mut self, money: impl IntoIterator<Item = (u8, i64)>) -> Self {
        if let Some(shown) = self.as_mut() {
            for (seat, units) in money {
                *shown.money.entry(seat).or_default() += units;
            }
        }
        self
    }
}

/// Plants a forgery at the first coup from the target on that is fit for it, else at the first of its
/// shoe; returns the fault planted, and the mark of the event that shows it.
pub(crate) fn forge(
    tape: &mut Tape,
    target: Target,
    table: &TableId,
    planted: &[Planted],
) -> Option<(Planted, usize)> {
    let forge = catalogue::forgery_of(target.fault)?;
    let shoes = tape.shoes();
    let shoe = *shoes.get(usize::try_from(target.shoe).ok()?)?;
    // An event that shows another fault of the coup must stay.
    let taken = |number| planted.iter().any(|planted| planted.coup == Some(number));
    let free = |coup: &CoupAt| !(target.fault.takes_away() && taken(coup.number));
    let (before, after): (Vec<CoupAt>, Vec<CoupAt>) =
        tape.coups(shoe).into_iter().filter(free).partition(|coup| coup.number < target.coup);
    let (shown, fit) = after.iter().chain(&before).find_map(|coup| Some((forge(tape, coup)?, coup)))?;
    let name = tape.loaded(fit.shoe).map(|loaded| loaded.shoe.clone()).filter(|_| shown.in_shoe);
    Some(plant(tape, target.fault, &shown, name, table))
}

fn plant(
    tape: &mut Tape,
    fault: Fault,
    shown: &Shown,
    shoe: Option<Name>,
    table: &TableId,
) -> (Planted, usize) {
    let (coups, shoes) = fault.violates(shown.coup.is_some(), shown.in_shoe);
    let mark = tape.mark(shown.at);
    let planted = Planted {
        findings: shown.findings,
        money: shown
            .money
            .iter()
            .map(|(seat, units)| (*seat, *units))
            .filter(|(_, units)| *units != 0)
            .collect(),
        explained: shown.explained,
        violated_coups: shown.coups.unwrap_or(coups),
        violated_shoes: shown.shoes.unwrap_or(shoes),
        ..Planted::new(fault, table.clone(), shoe, shown.coup, tape.sequence(shown.at))
    };
    (planted, mark)
}
