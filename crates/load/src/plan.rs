//! The plan of a load.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Duration;

use baccarat::Rulebook;

use crate::LoadError;

/// Most events of one post, as the service has it.
pub const MAX_BATCH: usize = 16_384;
/// Most connections: each is a thread.
pub(crate) const MAX_CONNECTIONS: u32 = 1_024;
/// Most tables at once: each keeps what it plays in memory.
pub const MAX_TABLES: u32 = 1_024;

/// How many events come in one post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Batch {
    /// This many, 1 to [`MAX_BATCH`]; fewer at a session's end.
    Events(usize),
    /// A coup, and everything between it and the one before.
    Coup,
    /// A shoe.
    Shoe,
}

impl FromStr for Batch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "coup" => Ok(Self::Coup),
            "shoe" => Ok(Self::Shoe),
            number => match number.parse() {
                Ok(events @ 1..=MAX_BATCH) => Ok(Self::Events(events)),
                Ok(_) | Err(_) => Err(format!("expected a number from 1 to {MAX_BATCH}, `coup` or `shoe`")),
            },
        }
    }
}

impl fmt::Display for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Events(1) => f.write_str("single events"),
            Self::Events(events) => write!(f, "{events} events"),
            Self::Coup => f.write_str("a coup"),
            Self::Shoe => f.write_str("a shoe"),
        }
    }
}

/// The plan of a load.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The rules played under.
    pub rulebook: Rulebook,
    /// Tables that play at the same time, at least one per connection. A table that has played its shoes
    /// closes, and opens again for its next session, at least a day later by its clock. It is replaced by
    /// another table only if a post was abandoned, so that nobody knows what the log holds of it, or if its
    /// rulebook has no days left.
    pub tables: u32,
    /// Connections, each with a thread and its own tables.
    pub connections: u32,
    /// Shoes of a session: what a table plays before it closes, at least 1.
    pub shoes: u32,
    /// Events of a post.
    pub batch: Batch,
    /// Events per second of all tables together; `None`: as fast as answers come. With a rate, an answer's
    /// time is measured from when its post was due.
    pub rate: Option<NonZeroU64>,
    /// How long new posts are made.
    pub time: Duration,
    /// Of a hundred posts, how many lose their connection before the answer and are repeated; 0 to 100.
    pub disconnect: u8,
    /// The same seed plays the same shoes.
    pub seed: u64,
    /// Distinguishes this run's tables from those of other runs in the same log: two runs with different
    /// numbers below 36^6 use different table names.
    pub run: u64,
}

impl Plan {
    /// Refuses a plan that cannot be run.
    pub(crate) fn check(&self) -> Result<(), LoadError> {
        let within = |what: &str, given: u32, most: u32| {
            if (1..=most).contains(&given) {
                return Ok(());
            }
            Err(LoadError::Plan(format!("{given} {what}: expected 1 to {most}")))
        };
        within("connections", self.connections, MAX_CONNECTIONS)?;
        within("tables", self.tables, MAX_TABLES)?;
        within("shoes", self.shoes, 1_000)?;
        if self.tables < self.connections {
            let why = format!(
                "{} tables for {} connections: a table's posts come one after the other, so there must be a table for \
                 each connection",
                self.tables, self.connections
            );
            return Err(LoadError::Plan(why));
        }
        if self.disconnect > 100 {
            return Err(LoadError::Plan(format!(
                "{} of a hundred posts: expected 0 to 100",
                self.disconnect
            )));
        }
        Ok(())
    }
}
