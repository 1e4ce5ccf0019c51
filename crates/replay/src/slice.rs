//! Chooses the entries of a log that an inspector needs to judge one shoe or one coup: those asked for, and the
//! few before them without which the judge would leave them undecided.

use std::collections::{BTreeMap, BTreeSet};

use events::{Body, Event};

use crate::{Entry, Wanted};

/// Chooses entries while a log is read, in log order.
///
/// Of a table it takes all entries; of a shoe those from its `ShoeLoaded` to the next; of a coup
/// those from the end of the coup before it to its own end, what opened its shoe, and what was
/// ruled of it later in the shoe; in chemin de fer those since its banker took the bank as well, for
/// what the bank holds follows from them. Before these come the table's opening and its changes of limits.
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
    /// Entries since the bank was taken by whoever has it, in chemin de fer.
    bank: Vec<u64>,
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
        for (event, sequence) in events.iter().zip(entry.first..) {
            look.at(state, sequence, event);
        }
        state.since.push(entry.index);
        if !state.bank.is_empty() && state.bank.last() != Some(&entry.index) {
            state.bank.push(entry.index);
        }
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

/// What an event says that matters for where a slice begins and ends.
enum Says<'a> {
    /// The table is opened.
    Opened,
    /// Its limits change.
    Limits,
    /// Somebody takes the bank.
    Bank,
    /// A shoe is loaded.
    Shoe(&'a str),
    /// This coup is in play.
    Play(u32),
    /// This coup is over.
    Over(u32),
    /// The shoe is over.
    ShoeOver,
    /// Something about a coup, in play or not.
    About(u32),
    /// Something about the event with this sequence.
    Corrects(u64),
    /// Nothing of that.
    Else,
}

fn says(body: &Body) -> Says<'_> {
    match body {
        Body::TableOpened(_) => Says::Opened,
        Body::LimitsChanged(_) => Says::Limits,
        Body::ShoeLoaded(loaded) => Says::Shoe(loaded.shoe.as_str()),
        Body::BankTaken(_) => Says::Bank,
        Body::CoupSettled(settled) => Says::Over(settled.coup),
        Body::CoupVoided(voided) => Says::Over(voided.coup),
        Body::ShoeEnded(_) => Says::ShoeOver,
        Body::IrregularityRecorded(_) | Body::CardReplaced(_) => body.coup().map_or(Says::Else, Says::About),
        Body::CorrectionRecorded(correction) => Says::Corrects(correction.corrects),
        Body::BetPlaced(_)
        | Body::BetsClosed(_)
        | Body::PuntoHolder(_)
        | Body::CardDrawn(_)
        | Body::BancoCalled(_)
        | Body::AbonoPlaced(_)
        | Body::DrawDecided(_)
        | Body::BankSettled(_)
        | Body::ValuesComputed(_) => body.coup().map_or(Says::Else, Says::Play),
        Body::BankPassed(_)
        | Body::GarajeSet(_)
        | Body::PlayersPresent(_)
        | Body::BankBid(_)
        | Body::LeaveGiven(_)
        | Body::BurnCards(_)
        | Body::TableClosed(_)
        | Body::SeatTaken(_)
        | Body::SeatLeft(_)
        | Body::DealOffered(_)
        | Body::DealAccepted(_)
        | Body::DealDeclined(_)
        | Body::BetWithdrawn(_)
        | Body::CutCardDrawn(_)
        | Body::CommissionCollected(_)
        | Body::ExtensionRecorded(_)
        | Body::Unknown(_) => Says::Else,
    }
}

impl Look<'_> {
    fn at(&mut self, table: &mut Table, sequence: u64, event: &Event) {
        let says = says(&event.body);
        match says {
            Says::Opened => table.opening = vec![self.index],
            Says::Limits => table.opening.push(self.index),
            Says::Shoe(shoe) => {
                let (opening, bank) = (std::mem::take(&mut table.opening), std::mem::take(&mut table.bank));
                *table = Table { opening, bank, shoe: Some(shoe.to_owned()), ..Table::default() };
            }
            Says::Bank => table.bank = vec![self.index],
            Says::Play(coup) => (table.coup, table.begun) = (Some(coup), true),
            Says::Over(_) | Says::ShoeOver | Says::About(_) | Says::Corrects(_) | Says::Else => {}
        }
        if !table.begun && table.shoe_opening.last() != Some(&self.index) {
            table.shoe_opening.push(self.index);
        }
        self.choose(table, sequence, &says);
        if matches!(says, Says::Over(_) | Says::ShoeOver) {
            table.since.clear();
            table.coup = None;
        }
    }

    fn choose(&mut self, table: &mut Table, sequence: u64, says: &Says<'_>) {
        if self.wanted.shoe.is_some() && self.wanted.shoe != table.shoe {
            return;
        }
        let Some(coup) = self.wanted.coup else { return self.take(table) };
        let concerns = match says {
            Says::Play(about) | Says::Over(about) | Says::About(about) => *about == coup,
            Says::Corrects(other) => table.taken.is_some_and(|(first, last)| (first..=last).contains(other)),
            Says::Opened | Says::Limits | Says::Bank | Says::Shoe(_) | Says::ShoeOver | Says::Else => false,
        };
        if concerns {
            let first = table.taken.map_or(sequence, |(first, _)| first);
            table.taken = Some((first, sequence));
            if table.coup == Some(coup) {
                self.chosen.extend(&table.since);
            }
            self.chosen.extend(&table.shoe_opening);
            self.chosen.extend(&table.bank);
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
