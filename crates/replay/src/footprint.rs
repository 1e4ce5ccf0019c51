//! What judges hold of the tables of a log in memory, and what they may hold at once.

/// The memory that judges take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Tables, of the judge that has most.
    pub tables: usize,
    /// About how many bytes all tables take: what is kept of their events, and what follows from them.
    pub bytes: u64,
}

impl Footprint {
    /// The most that may be judged at once: a quiet table takes some eight kilobytes, so these tables take two gigabytes.
    pub const AT_ONCE: Self = Self { tables: 250_000, bytes: 2 << 30 };

    /// That of two judges together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { tables: self.tables.max(other.tables), bytes: self.bytes.saturating_add(other.bytes) }
    }

    /// Whether neither number is above that of `most`.
    #[must_use]
    pub const fn is_within(self, most: Self) -> bool {
        self.tables <= most.tables && self.bytes <= most.bytes
    }
}
