//! What was in force at a table, and which shoe was in play, at each sequence.

use std::collections::BTreeMap;

use baccarat::Rulebook;
use events::{Body, TableOpened};

use super::Evidence;
use crate::Currency;
use crate::checks::{Book, Books};
use crate::reading::Standing;

/// The openings of a table and its shoes, by sequence.
pub(super) struct Course<'r> {
    books: &'r dyn Books,
    /// From which on it holds: the opening in force; `None`: the table is closed.
    in_force: BTreeMap<u64, Option<&'r TableOpened>>,
    /// The openings.
    openings: BTreeMap<u64, &'r TableOpened>,
    /// Where a shoe was loaded: its place in the reading, and the sequence from which on it is not in play.
    shoes: BTreeMap<u64, (usize, u64)>,
    /// Corrections that count: the sequence of the event that each corrects.
    corrects: BTreeMap<u64, u64>,
}

impl<'r> Course<'r> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else opens or closes a table")]
    pub(super) fn of<'a: 'r>(evidence: &Evidence<'r, 'a>) -> Self {
        let Evidence { reading, checked, books, .. } = *evidence;
        let (mut in_force, mut openings) = (BTreeMap::new(), BTreeMap::new());
        for told in &reading.around {
            match told.value {
                Body::TableOpened(opened) => {
                    in_force.insert(told.sequence, Some(&**opened));
                    openings.insert(told.sequence, &**opened);
                }
                // What is found at the closing is found before it.
                Body::TableClosed(_) => drop(in_force.insert(told.sequence.saturating_add(1), None)),
                _ => {}
            }
        }
        let over = |shoe: &usize| checked.over.get(shoe).copied().unwrap_or(u64::MAX);
        let loadings = reading.shoes.iter().map(|shoe| shoe.loading).enumerate();
        let shoes = loadings.filter_map(|(at, loading)| Some((loading?.sequence, (at, over(&at)))));
        let counts = reading.corrections.iter().filter(|one| one.standing == Standing::Counts);
        let corrects = counts.map(|one| (one.sequence, one.corrects)).collect();
        Self { books, in_force, openings, shoes: shoes.collect(), corrects }
    }

    /// The opening in force at a sequence.
    pub(super) fn opened(&self, at: u64) -> Option<&'r TableOpened> {
        *self.in_force.range(..=at).next_back()?.1
    }

    /// The rulebook in force at a sequence; `None`: the table is not open.
    pub(super) fn book(&self, at: u64) -> Option<Book<'r>> {
        self.opened(at).map(|opened| self.books.of(opened))
    }

    /// The openings from one sequence up to another.
    pub(super) fn openings(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, Book<'r>)> + '_ {
        let openings = self.openings.range(from..to.max(from));
        openings.map(|(at, opened)| (*at, self.books.of(opened)))
    }

    /// Whether a player has the bank.
    pub(super) fn is_at_bank(&self, at: u64) -> bool {
        self.rules(at).is_some_and(|rules| rules.chemin.is_some())
    }

    /// The same if it is approved and can be read.
    pub(super) fn rules(&self, at: u64) -> Option<&'r Rulebook> {
        self.book(at).and_then(known)
    }

    /// The rulebook of the last opening up to a sequence, if it is approved and can be read.
    pub(super) fn last_rules(&self, at: u64) -> Option<&'r Rulebook> {
        let (_, opened) = self.openings.range(..=at).next_back()?;
        known(self.books.of(opened))
    }

    /// The currency of the last opening up to a sequence.
    pub(super) fn currency(&self, at: u64) -> Option<Currency> {
        let (_, opened) = self.openings.range(..=at).next_back()?;
        Some(Currency { code: opened.currency.to_string(), minor_digits: opened.minor_digits })
    }

    /// The shoe in play at a sequence, by its place in the reading.
    pub(super) fn shoe(&self, at: u64) -> Option<usize> {
        let (_, (shoe, over)) = self.shoes.range(..=at).next_back()?;
        (at < *over).then_some(*shoe)
    }

    /// Where the last shoe up to a sequence was loaded; 0: none was.
    pub(super) fn last_loaded(&self, at: u64) -> u64 {
        self.shoes.range(..=at).next_back().map_or(0, |(loaded, _)| *loaded)
    }

    /// Where the event stands that is judged as it is corrected; any other event stands where it is.
    pub(super) fn stands(&self, at: u64) -> u64 {
        self.corrects.get(&at).copied().unwrap_or(at)
    }
}

fn known(book: Book<'_>) -> Option<&Rulebook> {
    match book {
        Book::Known(tables) => Some(tables.rules()),
        Book::NotApproved | Book::NotReadable => None,
    }
}
