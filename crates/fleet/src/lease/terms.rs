//! The times of a lease.

use std::time::Duration;

/// The times of a lease. All follow from its time to live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    ttl: Duration,
}

impl Terms {
    /// Shortest time to live: an answer of replicated servers must fit into an eighth of it.
    pub const SHORTEST: Duration = Duration::from_secs(1);
    /// Longest time to live.
    pub const LONGEST: Duration = Duration::from_secs(600);

    /// The terms of this time to live. `None` outside [`Terms::SHORTEST`] to [`Terms::LONGEST`].
    #[must_use]
    pub fn new(ttl: Duration) -> Option<Self> {
        (Self::SHORTEST..=Self::LONGEST).contains(&ttl).then_some(Self { ttl })
    }

    /// How long a candidate watches before it takes over.
    #[must_use]
    pub fn ttl(self) -> Duration {
        self.ttl
    }

    /// The time to live in milliseconds.
    pub(crate) fn millis(self) -> u64 {
        u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX)
    }

    /// How long after the beginning of a renewal a commit may begin.
    #[must_use]
    pub fn commits(self) -> Duration {
        self.ttl / 2
    }

    /// How long after the beginning of a renewal the next one is due.
    #[must_use]
    pub fn renewal(self) -> Duration {
        self.ttl / 4
    }

    /// How often a candidate reads the record, and how long an answer is waited for.
    #[must_use]
    pub fn reading(self) -> Duration {
        self.ttl / 8
    }

    /// How long after an answer that did not come the record is read again.
    #[must_use]
    pub fn again(self) -> Duration {
        self.ttl / 32
    }
}
