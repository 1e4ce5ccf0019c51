//! One table while its events come: what is settled, and what is still open.
//!
//! ```text
//!       before the shoe        after its last coup that is behind          now
//!             │   coups that are behind   │   the coup in play               │
//! ────────────┴───────────────────────────┴──────────────────────────────────┘
//! ```
//!
//! A coup is read and checked once it is settled. If nothing is wrong with it and nothing of it is open, it is behind: the next
//! is read from there. From the first coup on of which that is not so, the rest of the shoe is read together, whenever somebody
//! asks. If something is recorded that may concern a coup that is behind (a correction, a ruling, what does not fit, a
//! hole), the whole shoe is read again. So what is said of a record never depends on when somebody asked.

use events::{Body, Event};
use serde::{Deserialize, Serialize};

use crate::Received;
use crate::checks::{self, Books, Facts, Found, TableChecked};
use crate::reading::{Absent, Grammars, Hole, Item, OpenRange, Reading, ShoeFacts, TableFacts, read};

/// By what a table is judged.
#[derive(Clone, Copy)]
pub struct Judging<'j> {
    /// What the rulebooks say of how play goes on.
    pub grammars: &'j dyn Grammars,
    /// The rulebooks.
    pub books: &'j dyn Books,
    /// When the log received the event of a sequence, and how.
    pub received: &'j dyn Fn(u64) -> Received,
}

/// What readings and their checks come to.
pub trait Results: Clone + Default {
    /// Takes what was read and checked of a part of the record.
    fn take(&mut self, reading: &Reading<'_>, checked: &TableChecked);
    /// Takes what is found because the record ends.
    fn end(&mut self, found: Vec<Found>);
}

/// What is known at a point of a record at which no coup is in play.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Known {
    facts: Facts,
    shoe: Option<ShoeFacts>,
}

/// What was recorded.
#[derive(Debug, Clone)]
enum Recorded {
    Event(u64, Event),
    Hole(Hole),
}

/// One table.
#[derive(Debug, Clone, Default)]
pub struct Table<R> {
    /// Before the shoe.
    before: Known,
    /// The events of the shoe.
    recorded: Vec<Recorded>,
    /// After its last coup that is behind.
    now: Known,
    /// How much of what is recorded is behind.
    behind: usize,
    /// What the coups that are behind come to.
    results: R,
    /// A coup is not behind, and none that follows in the shoe will be.
    held: bool,
}

/// A part of a record that was read and checked.
struct Part<R> {
    results: R,
    /// What is known after it.
    after: Known,
    /// Whether nothing of it depends on what follows.
    is_closed: bool,
    /// Whether all of it is as an honest record is.
    is_plain: bool,
    /// Whether all that is read is right.
    is_right: bool,
}

impl<R: Results> Table<R> {
    /// A table as it was when it was saved: it takes the events since then next.
    #[must_use]
    pub fn restored(before: Known) -> Self {
        Self { now: before.clone(), before, ..Self::default() }
    }

    /// What was true before the events that are not over: it is saved with these.
    #[must_use]
    pub const fn before(&self) -> &Known {
        &self.before
    }

    /// How many events are not over.
    #[must_use]
    pub fn open_events(&self) -> usize {
        self.recorded.iter().filter(|recorded| matches!(recorded, Recorded::Event(..))).count()
    }

    /// The next event of a table. If it begins another shoe, what was before it is over, and this is what that came to.
    pub fn take(&mut self, sequence: u64, event: Event, judging: Judging<'_>) -> Option<R> {
        if matches!(event.body, Body::Unknown(_)) {
            self.miss(Hole { first: sequence, events: 1, why: Absent::NewerKind });
            return None;
        }
        // What comes before the first shoe is read with it.
        let closes = matches!(event.body, Body::ShoeLoaded(_)) && self.has_a_shoe();
        let closed = if closes { self.close(judging) } else { None };
        let settled = matches!(event.body, Body::CoupSettled(_));
        self.recorded.push(Recorded::Event(sequence, event));
        if settled && !self.held {
            self.advance(judging);
        }
        closed
    }

    /// Whether a shoe was loaded.
    fn has_a_shoe(&self) -> bool {
        let loads = |recorded: &Recorded| matches!(recorded, Recorded::Event(_, event) if matches!(event.body, Body::ShoeLoaded(_)));
        self.before.shoe.is_some() || self.recorded.iter().any(loads)
    }

    /// Events of which nothing is known.
    pub fn miss(&mut self, hole: Hole) {
        self.recorded.push(Recorded::Hole(hole));
    }

    /// What the record since the last shoe that is over comes to, if it ends here.
    #[must_use]
    pub fn as_it_stands(&self, judging: Judging<'_>) -> R {
        let Part { mut results, after, .. } = self.open(judging);
        results.end(after.facts.end(judging.books).found);
        results
    }

    /// What is not behind, with what is; or the whole shoe, if what is not behind may concern what is.
    fn open(&self, judging: Judging<'_>) -> Part<R> {
        let part = self.read(self.behind, self.now.clone(), judging, self.results.clone());
        if part.is_plain || self.behind == 0 {
            return part;
        }
        self.read(0, self.before.clone(), judging, R::default())
    }

    /// Reads and checks what is recorded from here on.
    fn read(&self, from: usize, known: Known, judging: Judging<'_>, mut results: R) -> Part<R> {
        let items = self.recorded[from..].iter().map(|recorded| match recorded {
            Recorded::Event(sequence, event) => Item::Event(*sequence, event),
            Recorded::Hole(hole) => Item::Hole(*hole),
        });
        let range = OpenRange::of_items(items.collect());
        let opened = known.facts.opened();
        let facts = TableFacts { opened: opened.as_deref(), shoe: known.shoe };
        let reading = read(&facts, &range, judging.grammars);
        let of_range = (&reading, &range);
        let (checked, facts) = checks::range_of_table(known.facts, of_range, judging.books, judging.received);
        results.take(&reading, &checked);
        let is_closed = reading.after.is_some();
        let after = Known { facts, shoe: reading.after.and_then(|after| after.shoe) };
        let is_right = checked.shoes.is_empty() && checked.coups.values().all(checks::CoupChecked::is_right);
        Part { results, after, is_closed, is_plain: is_plain(&reading), is_right }
    }

    /// A coup is settled: it is behind if nothing is wrong with it or open.
    fn advance(&mut self, judging: Judging<'_>) {
        let (now, results) = (std::mem::take(&mut self.now), std::mem::take(&mut self.results));
        let part = self.read(self.behind, now, judging, results);
        if part.is_closed && part.is_plain && part.is_right {
            (self.now, self.behind, self.results) = (part.after, self.recorded.len(), part.results);
        } else {
            (self.now, self.behind, self.held) = (self.before.clone(), 0, true);
        }
    }

    /// A shoe is loaded: gives what the one before it came to, if nothing of it depends on what follows.
    fn close(&mut self, judging: Judging<'_>) -> Option<R> {
        if self.recorded.is_empty() {
            return None;
        }
        let part = self.open(judging);
        let is_whole = self.recorded.iter().all(|recorded| matches!(recorded, Recorded::Event(..)));
        if !is_whole || !part.is_closed {
            return None;
        }
        let after = part.after;
        self.recorded.clear();
        (self.before, self.now, self.behind, self.held) = (after.clone(), after, 0, false);
        self.results = R::default();
        Some(part.results)
    }
}

/// Whether nothing is recorded that may concern what came before.
fn is_plain(reading: &Reading<'_>) -> bool {
    let shoes = || reading.shoes.iter();
    let mut coups = shoes().flat_map(|shoe| &shoe.coups);
    reading.fits
        && reading.corrections.is_empty()
        && shoes().all(|shoe| shoe.rulings.is_empty())
        && coups.all(|coup| coup.rulings.is_empty())
}
