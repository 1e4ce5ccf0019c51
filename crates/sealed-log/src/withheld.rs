//! Which entries of a log were read as stand-ins only.

use crate::bundle::Bundle;

/// Withheld entries that are named one by one, at most.
pub const MAX_KEPT_WITHHELD: usize = 10_000;

/// Counts withheld entries and keeps the first.
#[derive(Debug, Default)]
pub(crate) struct Withheld {
    pub(crate) count: u64,
    pub(crate) first: Vec<u64>,
}

impl Withheld {
    /// Takes note of an opened bundle's.
    pub(crate) fn note(&mut self, bundle: &Bundle) {
        for index in bundle.withheld_indexes() {
            self.count += 1;
            if self.first.len() < MAX_KEPT_WITHHELD {
                self.first.push(index);
            }
        }
    }
}
