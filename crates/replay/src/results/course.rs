//! What was in force at a table, and which shoe was in play, at each sequence.

use std::collections::BTreeSet;

use baccarat::Rulebook;
use events::{Body, Name, TableOpened};

use super::Evidence;
use super::since::Since;
use crate::Currency;
use crate::checks::{Book, Books};
use crate::reading::Standing;

/// The openings of a table and its shoes, by sequence.
pub(super) struct Course<'r> {
    books: &'r dyn Books,
    /// From which on it holds: the opening in force; `None`: the table is closed.
    in_force: Since<Option<&'r TableOpened>>,
    /// The openings.
    openings: Since<&'r TableOpened>,
    /// Where the table closes.
    closings: BTreeSet<u64>,
    /// The last opening before the part, in force or not.
    last_opened: Option<&'r TableOpened>,
    /// The shoes that were loaded, by the sequences of their loadings.
    shoes: Since<ShoeInPlay<'r>>,
    /// Sequence of the last loading before the part; 0: none was.
    last_loaded: u64,
    /// By its place in the reading: sequence of the loading of a shoe; 0 if none is recorded.
    loadings: Vec<u64>,
    /// Corrections that count: the sequence of the event that each corrects.
    corrects: Since<u64>,
}

/// A shoe that was loaded.
#[derive(Clone, Copy)]
pub(super) struct ShoeInPlay<'r> {
    pub(super) id: &'r Name,
    /// Its place in the reading; `None`: nothing of it is in there.
    pub(super) place: Option<usize>,
    /// Sequence from which on it is not in play; `u64::MAX`: it is.
    pub(super) over: u64,
    /// Whether it was loaded before the part.
    pub(super) was_in_play: bool,
}

impl<'r> Course<'r> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else opens or closes a table")]
    pub(super) fn of<'a: 'r>(evidence: &Evidence<'r, 'a>) -> Self {
        let Evidence { reading, checked, books, before, .. } = *evidence;
        let (mut in_force, mut openings) = (vec![(0, before.opened.as_deref())], Vec::new());
        let mut closings = BTreeSet::new();
        for told in &reading.around {
            match told.value {
                Body::TableOpened(opened) => {
                    in_force.push((told.sequence, Some(&**opened)));
                    openings.push((told.sequence, &**opened));
                }
                // What is found at the closing is found before it.
                Body::TableClosed(_) => {
                    closings.insert(told.sequence);
                    in_force.push((told.sequence.saturating_add(1), None));
                }
                _ => {}
            }
        }
        let goes_on = reading.shoes.first().is_some_and(|shoe| shoe.loading.is_none());
        let was_in_play = before.shoe.as_ref().map(|id| {
            let place = goes_on.then_some(0);
            let over = place.map_or(checked.before_over, |place| checked.over.get(&place).copied());
            (before.last_loaded, ShoeInPlay { id, place, over: over.unwrap_or(u64::MAX), was_in_play: true })
        });
        let mut loadings = Vec::with_capacity(reading.shoes.len());
        let mut shoes: Vec<(u64, ShoeInPlay<'r>)> = was_in_play.into_iter().collect();
        for (at, shoe) in reading.shoes.iter().enumerate() {
            let continued = if at == 0 { was_in_play.map_or(0, |(loaded, _)| loaded) } else { 0 };
            loadings.push(shoe.loading.map_or(continued, |loading| loading.sequence));
            if let Some(loading) = shoe.loading {
                let (id, over) = (&loading.value.shoe, checked.over.get(&at).copied().unwrap_or(u64::MAX));
                let in_play = ShoeInPlay { id, place: Some(at), over, was_in_play: false };
                shoes.push((loading.sequence, in_play));
            }
        }
        let counts = reading.corrections.iter().filter(|one| one.standing == Standing::Counts);
        let corrects = Since::of(counts.map(|one| (one.sequence, one.corrects)).collect());
        let (in_force, openings, shoes) = (Since::of(in_force), Since::of(openings), Since::of(shoes));
        let last_opened = before.last_opened.as_deref();
        let last_loaded = before.last_loaded;
        Self { books, in_force, openings, closings, last_opened, shoes, last_loaded, loadings, corrects }
    }

    /// The opening in force at a sequence.
    pub(super) fn opened(&self, at: u64) -> Option<&'r TableOpened> {
        self.in_force.last(at)?.1
    }

    /// The rulebook in force at a sequence; `None`: the table is not open.
    pub(super) fn book(&self, at: u64) -> Option<Book<'r>> {
        self.opened(at).map(|opened| self.books.of(opened))
    }

    /// The openings from one sequence up to another.
    pub(super) fn openings(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, Book<'r>)> + '_ {
        let openings = self.openings.from(from).take_while(move |(at, _)| *at < to);
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

    fn last_opened(&self, at: u64) -> Option<&'r TableOpened> {
        self.openings.last(at).map(|(_, opened)| *opened).or(self.last_opened)
    }

    /// The rulebook of the last opening up to a sequence, if it is approved and can be read.
    pub(super) fn last_rules(&self, at: u64) -> Option<&'r Rulebook> {
        known(self.books.of(self.last_opened(at)?))
    }

    /// The currency of the last opening up to a sequence.
    pub(super) fn currency(&self, at: u64) -> Option<Currency> {
        self.last_opened(at).map(Currency::of)
    }

    /// The shoe in play at a sequence: sequence of its loading.
    pub(super) fn shoe(&self, at: u64) -> Option<u64> {
        let (loaded, shoe) = self.shoes.last(at)?;
        (at < shoe.over).then_some(*loaded)
    }

    /// The same of what is found on the clock: that of the closing with which a shoe is over is the shoe's.
    pub(super) fn shoe_of_clock(&self, at: u64) -> Option<u64> {
        let closes = self.closings.contains(&at);
        self.shoe(at).or_else(|| self.shoe(at.checked_sub(1).filter(|_| closes)?))
    }

    /// The shoes that were loaded, with the sequences of their loadings.
    pub(super) fn shoes(&self) -> impl Iterator<Item = (u64, ShoeInPlay<'r>)> + '_ {
        self.shoes.from(0).copied()
    }

    /// Sequence of the loading of a shoe, by its place in the reading; 0 if none is recorded.
    pub(super) fn loaded(&self, place: usize) -> u64 {
        self.loadings.get(place).copied().unwrap_or_default()
    }

    /// The id of the shoe that was loaded at a sequence.
    pub(super) fn id(&self, loaded: u64) -> Option<String> {
        self.shoes.at(loaded).map(|shoe| shoe.id.to_string())
    }

    /// The id of the shoe at this place in the reading, for a coup that began here; `None`: the shoe was not in play any more, or
    /// no loading of it is recorded.
    pub(super) fn id_of_coup(&self, place: usize, began: u64) -> Option<String> {
        let shoe = self.shoes.at(self.loaded(place))?;
        (began < shoe.over).then(|| shoe.id.to_string())
    }

    /// Where the last shoe up to a sequence was loaded; 0: none was.
    pub(super) fn last_loaded(&self, at: u64) -> u64 {
        self.shoes.last(at).map_or(self.last_loaded, |(loaded, _)| *loaded)
    }

    /// Where the event stands that is judged as it is corrected; any other event stands where it is.
    pub(super) fn stands(&self, at: u64) -> u64 {
        self.corrects.at(at).copied().unwrap_or(at)
    }
}

fn known(book: Book<'_>) -> Option<&Rulebook> {
    match book {
        Book::Known(tables) => Some(tables.rules()),
        Book::NotApproved | Book::NotReadable => None,
    }
}
