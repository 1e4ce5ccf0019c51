//! All late checks of what was played at a table, each where it stands in the record.

use std::collections::BTreeMap;

use events::Body;

use super::before::{Before, Books};
use super::coup::{CoupChecked, coup};
use super::moments::{Moment, What, moments};
use super::opening::opening;
use super::shoe_cards::ShoeCards;
use super::{Checked, Found};
use crate::reading::{Reading, Told};

/// What is wrong at a table, and what its coups come to.
#[derive(Debug, Clone, Default)]
pub struct TableChecked {
    /// What is wrong, in the order of the record.
    pub found: Vec<Found>,
    /// By the place of the shoe in the reading, and of the coup in the shoe. A coup that is not checked is not here.
    pub coups: BTreeMap<(usize, usize), CoupChecked>,
}

/// Checks all that was played.
#[must_use]
pub fn table<'r, 'a: 'r>(reading: &'r Reading<'a>, books: &'r dyn Books) -> TableChecked {
    let cards = reading.shoes.iter().map(ShoeCards::of).collect();
    let mut all = All { reading, cards, before: Before::nothing(books), checked: TableChecked::default() };
    for moment in moments(reading) {
        all.check(&moment);
        all.before.take(&moment);
    }
    all.checked.found.sort_by_key(|found| found.sequence);
    all.checked
}

struct All<'r, 'a> {
    reading: &'r Reading<'a>,
    /// Of each shoe.
    cards: Vec<ShoeCards<'r, 'a>>,
    before: Before<'r>,
    checked: TableChecked,
}

impl<'r, 'a: 'r> All<'r, 'a> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others are not written yet")]
    fn check(&mut self, moment: &Moment<'r, 'a>) {
        match (moment.what, moment.shoe.zip(moment.coup)) {
            (What::Around(told), _) => self.around(told),
            (What::Over, Some((shoe, at))) => self.coup(shoe, at),
            _ => {}
        }
    }

    /// What is found belongs to this coup, unless it says otherwise.
    fn add(&mut self, coup: Option<u32>, checked: Checked) {
        let of = |found: Found| Found { coup: found.coup.or(coup), ..found };
        self.checked.found.extend(checked.found.into_iter().map(of));
    }

    fn around(&mut self, told: &Told<'a, Body>) {
        let Told { sequence, corrected_by, .. } = *told;
        if let Body::TableOpened(value) = told.value {
            let checked = opening(&Told { sequence, value: &**value, corrected_by }, &self.before);
            self.add(None, checked);
        }
    }

    fn coup(&mut self, shoe: usize, at: usize) {
        let Some(tables) = self.before.rules() else { return };
        let checked = coup(&self.cards[shoe], at, tables);
        self.add(Some(self.reading.shoes[shoe].coups[at].number), checked.checked.clone());
        self.checked.coups.insert((shoe, at), checked);
    }
}
