//! What the checks know of a table between two ranges of its record.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use events::{Name, ShoeLoaded, TableOpened};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::bank::Bank;
use super::before::{Before, Books, Standing};
use super::clock::Clock;
use super::loading::Loadings;
use super::names::Names;
use super::numbers::Numbers;
use super::opening::Openings;
use super::play::Lasting;
use super::remarks::BetIds;
use super::seats::Seats;
use super::shoe::CameOut;
use crate::boxes::Account;
use crate::caps::Cap;
use crate::reading::{OpenRange, Reading};
use crate::shoe::composition::Composition;

/// What is known of a table before a range of its record. Between coups it is all that the checks need of what came before.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Facts {
    pub(super) standing: Standing,
    pub(super) openings: Openings,
    pub(super) loadings: Loadings,
    pub(super) bet_ids: BetIds,
    pub(super) seats: Seats,
    pub(super) names: Names,
    pub(super) clock: Clock,
    pub(super) lasting: Lasting,
    /// The shoe in play.
    pub(super) shoe: Option<Box<ShoeSoFar>>,
    /// At a table of chemin de fer.
    pub(super) bank: Option<Box<Bank>>,
}

/// What is known of the shoe in play.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ShoeSoFar {
    pub(super) loaded: Arc<ShoeLoaded>,
    /// The opening under which it was first played.
    pub(super) opened: Option<Arc<TableOpened>>,
    /// The cards that were read.
    pub(super) read: Composition,
    pub(super) out: CameOut,
    pub(super) numbers: Numbers,
}

impl ShoeSoFar {
    /// A shoe is loaded.
    pub(super) fn load(loaded: &ShoeLoaded) -> Self {
        Self {
            loaded: Arc::new(loaded.clone()),
            opened: None,
            read: Composition::new(loaded.decks),
            out: CameOut::nothing(loaded.decks),
            numbers: Numbers::default(),
        }
    }
}

/// What is in force at a table between two ranges of its record.
#[derive(Debug, Clone, Default)]
pub struct InForce {
    /// The opening in force; `None`: the table is closed.
    pub opened: Option<Arc<TableOpened>>,
    /// The last opening, in force or not.
    pub last_opened: Option<Arc<TableOpened>>,
    /// The id of the shoe in play.
    pub shoe: Option<Name>,
    /// Sequence of the last loading; 0: none is recorded.
    pub last_loaded: u64,
}

impl Facts {
    /// What is in force.
    #[must_use]
    pub fn in_force(&self) -> InForce {
        InForce {
            opened: self.standing.opened().cloned(),
            last_opened: self.standing.last_opened.clone(),
            shoe: self.loadings.in_play().cloned(),
            last_loaded: self.loadings.last_loaded(),
        }
    }

    /// There is more of this than is kept, which is reported: what begins before the table opens again is open.
    pub(crate) fn note_forgotten(&mut self, cap: Cap) {
        self.openings.note_forgotten(cap);
    }

    /// Keeps each text of a rulebook once, also with those of other tables.
    pub(crate) fn share(&mut self, texts: &mut BTreeSet<Arc<str>>) {
        let of_shoe = self.shoe.iter_mut().filter_map(|shoe| shoe.opened.as_mut());
        let all = self.standing.last_opened.iter_mut().chain(of_shoe);
        all.for_each(|opened| Arc::make_mut(opened).rulebook.share(texts));
    }

    /// What was marked and collected by seat since all boxes had to be empty, and whether they hold anything.
    pub(super) fn boxes_left(&self) -> (BTreeMap<u8, Account>, bool) {
        self.lasting.boxes_left()
    }

    /// What is wrong if the record ends here.
    #[must_use]
    pub fn end(&self, books: &dyn Books) -> Checked {
        let (mut clock, mut checked) = (self.clock.clone(), Checked::default());
        let range = OpenRange::default();
        clock.judge(&Before::of(&self.standing, books, (&Reading::default(), &range), &[]), &mut checked);
        if let Some(shoe) = &self.shoe {
            shoe.out.clone().burn_is_over(&mut checked);
        }
        checked
    }
}
