//! The settings of one judgement (approved rulebooks, wanted coups, another rulebook) and a cache of the
//! rulebooks it has read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use baccarat::Rulebook;
use events::RulebooksRead;

use crate::house_edges::HouseEdges;
use crate::rules::Rules;
use crate::summary::RulebookUsed;
use crate::{CoupPlace, Wanted};

/// What the whole judgement is asked for.
#[derive(Debug, Default)]
pub(crate) struct Question {
    /// Only these rulebook digests are approved; `None`: any.
    pub(crate) approved: Option<BTreeSet<String>>,
    /// The coups of which views are made.
    pub(crate) wanted: Option<Wanted>,
    /// More coups of which views are made: table, shoe and number.
    viewed: BTreeSet<(String, Option<String>, u32)>,
    /// Whether every coup that is over is listed.
    pub(crate) lists_coups: bool,
    /// Whether a ledger is kept.
    pub(crate) ledger: bool,
    /// Rules to judge by instead of those the tables were opened under.
    instead: Option<Arc<Rules>>,
    /// Rulebooks read already, by digest: tables open under the same one again and again.
    read: Mutex<BTreeMap<String, Arc<Rules>>>,
    /// Rulebooks as events carry them, whose texts tables keep with their openings.
    pub(crate) documents: RulebooksRead,
    /// Digests of the built-in rulebooks that were asked about, by id.
    built_in: Mutex<BTreeMap<&'static str, Option<String>>>,
    /// What the house keeps under rulebooks that nobody here has approved.
    house_edges: Mutex<HouseEdges>,
}

/// Rulebooks kept once they were read; a log that has more reads the others anew.
const MAX_READ: usize = 64;

impl Question {
    pub(crate) fn new(approved: Option<BTreeSet<String>>, wanted: Option<Wanted>) -> Self {
        Self { approved, wanted, ..Self::default() }
    }

    pub(crate) fn with_ledger(approved: Option<BTreeSet<String>>) -> Self {
        Self { approved, ledger: true, ..Self::default() }
    }

    pub(crate) fn under(book: Rulebook) -> Self {
        let digest = book.digest().to_string();
        Self { instead: Some(Rules::new(book, digest, None)), ..Self::default() }
    }

    /// The place of every coup is listed.
    pub(crate) fn listing(approved: Option<BTreeSet<String>>) -> Self {
        Self { approved, lists_coups: true, ..Self::default() }
    }

    /// Views are made of these coups.
    pub(crate) fn viewing<'a>(
        approved: Option<BTreeSet<String>>,
        coups: impl IntoIterator<Item = &'a CoupPlace>,
    ) -> Self {
        let viewed =
            coups.into_iter().map(|place| (place.table.clone(), place.shoe.clone(), place.coup)).collect();
        Self { approved, viewed, ..Self::default() }
    }

    /// Whether views of any coup are made.
    pub(crate) fn asks_for_views(&self) -> bool {
        self.wanted.is_some() || !self.viewed.is_empty()
    }

    /// Whether a view is made of this coup.
    pub(crate) fn wants(&self, table: &str, shoe: Option<&str>, coup: u32) -> bool {
        let viewed = || self.viewed.contains(&(table.to_owned(), shoe.map(str::to_owned), coup));
        self.wanted.as_ref().is_some_and(|wanted| wanted.matches(table, shoe, coup))
            || (!self.viewed.is_empty() && viewed())
    }

    /// Whether the commission boxes of this shoe are asked for.
    pub(crate) fn wants_boxes(&self, table: &str, shoe: Option<&str>) -> bool {
        let wanted = self.wanted.as_ref().filter(|wanted| wanted.coup.is_none());
        wanted.is_some_and(|wanted| wanted.matches(table, shoe, 0))
    }

    /// Whether another rulebook is asked about than those the tables were opened under.
    pub(crate) const fn asks_for_another(&self) -> bool {
        self.instead.is_some()
    }

    /// The digest of the built-in rulebook with this id.
    pub(crate) fn built_in(&self, id: &str) -> Option<String> {
        let (name, text) = baccarat::builtins().find(|(name, _)| *name == id)?;
        let mut known = self.built_in.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || Rulebook::from_toml(name, text).ok().map(|book| book.digest().to_string());
        known.entry(name).or_insert_with(read).clone()
    }

    /// Says of rulebooks that tables were judged by whether nobody here has approved them, and of those what the house
    /// keeps.
    pub(crate) fn standing(&self, mut used: Vec<RulebookUsed>) -> Vec<RulebookUsed> {
        for used in used.iter_mut().filter(|_| self.approved.is_none() && !self.asks_for_another()) {
            used.unapproved = self.built_in(&used.id).is_none_or(|digest| digest != used.digest);
        }
        self.house_edges.lock().unwrap_or_else(PoisonError::into_inner).price(&mut used);
        used
    }

    /// What was worked out of the rulebooks that tables were judged by. A state that is saved has no text of those that are in
    /// force no more.
    pub(crate) fn edges_of(&self, used: Vec<RulebookUsed>) -> HouseEdges {
        self.standing(used);
        self.house_edges.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same question with what was worked out before.
    pub(crate) fn with_edges(self, edges: HouseEdges) -> Self {
        Self { house_edges: Mutex::new(edges), ..self }
    }

    /// The rules of a rulebook's text; `None` where its form is not known.
    pub(crate) fn rules(&self, text: &Arc<str>, digest: String) -> Option<Arc<Rules>> {
        if let Some(instead) = &self.instead {
            return Some(Arc::clone(instead));
        }
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = read.get(&digest) {
            return Some(Arc::clone(rules));
        }
        let book = Rulebook::from_json("the table's rulebook", text).ok()?;
        let rules = Rules::new(book, digest, Some(Arc::clone(text)));
        if read.len() < MAX_READ {
            read.insert(rules.digest.clone(), Arc::clone(&rules));
        }
        Some(rules)
    }
}
