//! What a reading begins from: the events of the open range, with the holes between them, and what was true before.

use events::{Body, Event, TableOpened};
use serde::{Deserialize, Serialize};

/// Why nothing is known of some events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Absent {
    /// They are missing from the numbering.
    Missing,
    /// They are sealed, and whoever has them does not show them.
    Withheld,
    /// This copy of the log leaves them out.
    LeftOut,
    /// They are sealed, and their bytes cannot be read.
    Unreadable,
    /// They are of a kind that a newer version brought, or they are extensions beyond the limit.
    NewerKind,
    /// More is recorded than the judge keeps.
    Forgotten,
}

/// Events of which nothing is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Hole {
    /// Sequence of the first.
    pub first: u64,
    /// How many.
    pub events: u64,
    /// Why.
    pub why: Absent,
}

/// One part of a range.
#[derive(Debug, Clone, Copy)]
pub enum Item<'a> {
    /// An event, with its sequence.
    Event(u64, &'a Event),
    /// Events of which nothing is known.
    Hole(Hole),
}

impl Item<'_> {
    /// The sequence at which it begins.
    #[must_use]
    pub const fn first(&self) -> u64 {
        match self {
            Self::Event(sequence, _) => *sequence,
            Self::Hole(hole) => hole.first,
        }
    }
}

/// Extensions since a shoe was loaded: nothing is judged by them, and only so many are passed over.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extensions {
    count: u64,
    bytes: u64,
}

/// Most extensions of a shoe (or since the last one, before it is loaded) that are passed over.
const MOST_EXTENSIONS: u64 = 1_024;

/// Most bytes of their names and data.
const MOST_EXTENSION_BYTES: u64 = 256 << 10;

impl Extensions {
    /// Whether it is known of the next event what it is. Of an extension too many it is not, nor of a kind that a newer version
    /// brought.
    #[allow(clippy::wildcard_enum_match_arm, reason = "every other kind is known")]
    pub fn knows(&mut self, body: &Body) -> bool {
        match body {
            Body::Unknown(_) => false,
            Body::ShoeLoaded(_) => {
                *self = Self::default();
                true
            }
            Body::ExtensionRecorded(extension) => {
                self.count += 1;
                self.bytes += (extension.name.as_str().len() + extension.data.as_str().len()) as u64;
                self.count <= MOST_EXTENSIONS && self.bytes <= MOST_EXTENSION_BYTES
            }
            _ => true,
        }
    }
}

/// The events of a table that are read together, in the order of their numbering.
#[derive(Debug, Clone, Default)]
pub struct OpenRange<'a> {
    items: Vec<Item<'a>>,
}

impl<'a> OpenRange<'a> {
    /// Events with their sequences, in their order. What is missing between two of them is a hole; so is an event of a
    /// newer kind. What is missing before the first is for the caller to say.
    #[must_use]
    pub fn of(events: impl IntoIterator<Item = (u64, &'a Event)>) -> Self {
        let (mut items, mut next, mut extensions) = (Vec::new(), None, Extensions::default());
        for (sequence, event) in events {
            let due: u64 = next.unwrap_or(sequence);
            if sequence > due {
                let missing = Hole { first: due, events: sequence - due, why: Absent::Missing };
                items.push(Item::Hole(missing));
            }
            let newer = !extensions.knows(&event.body);
            let unknown = Hole { first: sequence, events: 1, why: Absent::NewerKind };
            items.push(if newer { Item::Hole(unknown) } else { Item::Event(sequence, event) });
            next = Some(sequence.saturating_add(1));
        }
        Self { items }
    }

    /// Parts of which the caller knows more: entries that are withheld, left out or unreadable.
    #[must_use]
    pub const fn of_items(items: Vec<Item<'a>>) -> Self {
        Self { items }
    }

    /// Its parts in their order.
    #[must_use]
    pub fn items(&self) -> &[Item<'a>] {
        &self.items
    }
}

/// What is known of a shoe that was loaded before the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShoeFacts {
    /// Sequence of its loading.
    pub loaded: u64,
    /// Decks in it.
    pub decks: u8,
    /// Cards in it, as recorded.
    pub cards: u16,
    /// Position of the next card; `None`: not known.
    pub next_position: Option<u32>,
    /// Number of the next coup; `None`: not known.
    pub next_coup: Option<u32>,
    /// Whether cards were burned, or the record says that it does not know.
    pub burned: bool,
    /// Whether the cut card came out.
    pub cut: bool,
    /// Whether it ended.
    pub ended: bool,
}

/// What was true of the table before the range. No coup is in play there.
#[derive(Debug, Clone, Copy, Default)]
pub struct TableFacts<'a> {
    /// The opening in force.
    pub opened: Option<&'a TableOpened>,
    /// The shoe in play, or the last one.
    pub shoe: Option<ShoeFacts>,
}
