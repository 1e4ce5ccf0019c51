//! The sequences of a table's newest shoes: which events must be read to see one of them.

use std::collections::VecDeque;

use events::Name;
use serde::{Deserialize, Serialize};

/// Most shoes of one table whose locations are kept.
pub const MAX_SHOE_LOCATIONS: usize = 256;

/// The sequences of one shoe in its table's numbering.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShoeLocation {
    /// The shoe.
    pub shoe: String,
    /// Sequence of the event that loaded it.
    pub first: u64,
    /// Sequence of the last event before the next shoe was loaded; `None` for the newest shoe.
    pub last: Option<u64>,
    /// Sequence of the table's opening, and of the limits in force when the shoe was loaded.
    pub opening: Vec<u64>,
}

/// The locations of a table's newest shoes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct ShoeLocations {
    opening: Vec<u64>,
    shoes: VecDeque<ShoeLocation>,
}

impl ShoeLocations {
    pub(crate) fn open(&mut self, sequence: u64) {
        self.opening = vec![sequence];
    }

    /// Notes new limits, which replace those before them.
    pub(crate) fn limit(&mut self, sequence: u64) {
        self.opening.truncate(1);
        self.opening.push(sequence);
    }

    pub(crate) fn load(&mut self, shoe: &Name, sequence: u64) {
        if let Some(before) = self.shoes.back_mut() {
            before.last = Some(sequence.saturating_sub(1));
        }
        if self.shoes.len() >= MAX_SHOE_LOCATIONS {
            self.shoes.pop_front();
        }
        let opening = self.opening.clone();
        self.shoes.push_back(ShoeLocation { shoe: shoe.to_string(), first: sequence, last: None, opening });
    }

    /// The shoe that was loaded at this sequence.
    pub(crate) fn loaded_at(&self, sequence: u64) -> Option<&str> {
        let location = self.shoes.iter().rev().find(|location| location.first == sequence)?;
        Some(&location.shoe)
    }

    pub(crate) fn shoes(&self) -> impl DoubleEndedIterator<Item = &ShoeLocation> {
        self.shoes.iter()
    }
}
