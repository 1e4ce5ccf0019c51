//! Which entries of a log an inspector needs to judge one shoe or one coup: those asked for, and
//! the little before them without which nothing could be judged.

use std::collections::{BTreeMap, BTreeSet};

use events::{Body, Event};

use crate::{Entry, Wanted};

/// Chooses entries while a log is read, in log order.
///
/// Of a table it takes all entries; of a shoe those from its `ShoeLoaded` to the next; of a coup
/// those from the end of the coup before it to its own end, what opened its shoe, and what was
/// ruled of it later in the shoe. Before these come the table's opening and its changes of limits.
#[derive(Debug)]
pub struct Slicer {
    wanted: Wanted,
    tables: BTreeMap<String, Table>,
    chosen: BTreeSet<u64>,
    shoes: BTreeSet<Option<String>>,
}

#[derive(Debug, Default)]
struct Table {
    /// Entries that hold the table's opening and later changes of its limits.
    opening: Vec<u64>,
    /// Entries from the shoe's beginning up to its first coup.
    shoe_opening: Vec<u64>,
    /// Entries since the last coup or shoe was over, the one that said so included.
    since: Vec<u64>,
    shoe: Option<String>,
    /// Whether the shoe's first coup has begun.
    begun: bool,
    /// The coup in play.
    coup: Option<u32>,
    /// Sequences of the coup asked for in the shoe that is in play.
    taken: Option<(u64, u64)>,
}

impl Slicer {
    /// Chooses for what is wanted; a table must be.
    #[must_use]
    pub fn new(wanted: Wanted) -> Self {
        Self { wanted, tables: BTreeMap::new(), chosen: BTreeSet::new(), shoes: BTreeSet::new() }
    }

    /// Looks at the next entry of the log.
    pub fn see(&mut self, entry: &Entry<'_>) {
        if self.wanted.table.as_deref().is_some_and(|table| table != entry.table) {
            return;
        }
        let state = self.tables.entry(entry.table.to_owned()).or_default();
        let mut look = Look {
            index: entry.index,
            wanted: &self.wanted,
            chosen: &mut self.chosen,
            shoes: &mut self.shoes,
        };
        // What cannot be decoded may hold anything: it is handed on where it stands among what is.
        let events = events::decode_payload(entry.payload).unwrap_or_default();
        if events.is_empty() {
            look.nothing_known(state);
        }
        for (sequence, event) in (entry.first..).zip(&events) {
            look.at(state, sequence, event);
        }
        state.since.push(entry.index);
    }

    /// Log indexes of the chosen entries.
    #[must_use]
    pub const fn chosen(&self) -> &BTreeSet<u64> {
        &self.chosen
    }

    /// The shoes in which something was chosen; several where a coup's number alone was asked for.
    #[must_use]
    pub const fn shoes(&self) -> &BTreeSet<Option<String>> {
        &self.shoes
    }
}

/// One look at one entry.
struct Look<'a> {
    index: u64,
    wanted: &'a Wanted,
    chosen: &'a mut BTreeSet<u64>,
    shoes: &'a mut BTreeSet<Option<String>>,
}

impl Look<'_> {
    fn at(&mut self, table: &mut Table, sequence: u64, event: &Event) {
        match &event.body {
            Body::TableOpened(_) => table.opening = vec![self.index],
            Body::LimitsChanged(_) => table.opening.push(self.index),
            Body::ShoeLoaded(loaded) => {
                let (opening, since) = (std::mem::take(&mut table.opening), Vec::new());
                *table = Table { opening, since, shoe: Some(loaded.shoe.to_string()), ..Table::default() };
            }
            _ => {}
        }
        if let Some(coup) = begun_by(&event.body) {
            (table.coup, table.begun) = (Some(coup), true);
        }
        if !table.begun && table.shoe_opening.last() != Some(&self.index) {
            table.shoe_opening.push(self.index);
        }
        self.choose(table, sequence, &event.body);
        if matches!(event.body, Body::CoupSettled(_) | Body::CoupVoided(_) | Body::ShoeEnded(_)) {
            table.since.clear();
            table.coup = None;
        }
    }

    fn choose(&mut self, table: &mut Table, sequence: u64, body: &Body) {
        let this_shoe = self.wanted.shoe.is_none() || self.wanted.shoe == table.shoe;
        let Some(coup) = self.wanted.coup else {
            if this_shoe {
                self.take(table);
            }
            return;
        };
        let corrects = match body {
            Body::CorrectionRecorded(correction) => {
                table.taken.is_some_and(|(first, last)| (first..=last).contains(&correction.corrects))
            }
            _ => false,
        };
        if this_shoe && (coup_of(body) == Some(coup) || corrects) {
            let first = table.taken.map_or(sequence, |(first, _)| first);
            table.taken = Some((first, sequence));
            if table.coup == Some(coup) {
                self.chosen.extend(&table.since);
            }
            self.chosen.extend(&table.shoe_opening);
            self.take(table);
        }
    }

    fn take(&mut self, table: &Table) {
        self.chosen.extend(&table.opening);
        self.chosen.insert(self.index);
        self.shoes.insert(table.shoe.clone());
    }

    fn nothing_known(&mut self, table: &Table) {
        if self.wanted.coup.is_none() && (self.wanted.shoe.is_none() || self.wanted.shoe == table.shoe) {
            self.take(table);
        }
    }
}

/// The coup an event belongs to by its own word.
fn coup_of(body: &Body) -> Option<u32> {
    match body {
        Body::CoupSettled(settled) => Some(settled.coup),
        Body::CoupVoided(voided) => Some(voided.coup),
        Body::IrregularityRecorded(irregularity) => irregularity.coup,
        other => begun_by(other),
    }
}

/// The coup that is in play once this was said.
fn begun_by(body: &Body) -> Option<u32> {
    match body {
        Body::BetPlaced(placed) => Some(placed.coup),
        Body::BetsClosed(closed) => Some(closed.coup),
        Body::PuntoHolder(holder) => Some(holder.coup),
        Body::CardDrawn(drawn) => Some(drawn.coup),
        _ => None,
    }
}
