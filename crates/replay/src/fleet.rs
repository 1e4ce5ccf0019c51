//! The logs of one house, verified together: which continues which, what contradicts what, and one judgement over each
//! chain of logs.
//!
//! A log has one writer. Where another writer takes its tables over, it begins a log of its own that names the earlier
//! one by its signed checkpoint. Only the entries below that checkpoint belong to the history; what the earlier writer
//! sealed behind it has to be in the later logs as well. This module knows neither files nor arguments: it takes seals
//! that were read, and entries in log order.
//!
//! Contradictions are certain or they are not stated: two signed statements of the house that cannot both be true. What
//! is merely not shown is in the list of what is open.

mod chains;
mod fleet_report;
mod judge;
mod sealed_twice;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use sealed_log::reader::SealReport;
use serde::Serialize;

pub use chains::{Chain, Fleet, Part, Standing};
pub use fleet_report::{
    ChainReport, Elsewhere, FleetFinding, FleetReport, FleetUnreadable, LogPart, LogReport,
    Tally as FleetTally,
};
pub use judge::FleetJudge;

/// Most contradictions, and most open questions, that are listed one by one.
pub(crate) const MAX_CONTRADICTIONS: usize = 1_000;

/// A log of the fleet as its seal was read. The reader was given what the other logs state of it
/// ([`sealed_log::reader::LogReader::with_claims`]).
#[derive(Debug)]
pub struct FleetLog {
    /// What reading its seal came to.
    pub seal: SealReport,
    /// Log index of the first entry of each table.
    pub tables: BTreeMap<String, u64>,
    /// Entries of the largest checkpoint of this log that somebody else kept and that was given; 0 without one.
    pub kept: u64,
}

impl FleetLog {
    /// What logs are ordered by, whatever order they were given in: by name, of several copies the largest first.
    #[must_use]
    pub fn order(&self) -> (Option<&String>, Reverse<u64>, Option<[u8; 32]>) {
        (self.seal.origin.as_ref(), Reverse(self.seal.size), self.seal.root)
    }
}

/// An entry of one of the logs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FleetPlace {
    /// The log's name.
    pub log: String,
    /// Log index of the entry.
    pub entry: u64,
}

/// Two statements of the house's logs that cannot both be true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Contradiction {
    /// Two copies of one log have other entries below a checkpoint that its key signed.
    Fork {
        /// The log's name.
        log: String,
        /// Entries of the checkpoint.
        size: u64,
    },
    /// Two logs have one name, and no key of the one signed the other.
    OneName {
        /// The name.
        log: String,
    },
    /// A log continues another from a checkpoint that the other's key signed, and the other has other entries.
    HandoverRefuted {
        /// The log that continues.
        log: String,
        /// The log before it.
        predecessor: String,
        /// Entries of the checkpoint.
        size: u64,
    },
    /// A log continues another from a checkpoint that no key of the other signed.
    HandoverNotSigned {
        /// The log that continues.
        log: String,
        /// The log before it.
        predecessor: String,
        /// Entries of the checkpoint.
        size: u64,
    },
    /// A log continues another from a signed checkpoint of more entries than the copy of the other has.
    HandoverBeyond {
        /// The log that continues.
        log: String,
        /// The log before it.
        predecessor: String,
        /// Entries of the checkpoint.
        size: u64,
        /// Entries of the copy.
        has: u64,
    },
    /// Two logs with entries of tables continue one log.
    TwoSuccessors {
        /// The log before them.
        predecessor: String,
        /// The log whose entries are judged as its continuation: the first by name.
        log: String,
        /// The other one, which is judged by itself.
        other: String,
    },
    /// Logs continue each other in a circle.
    Cycle {
        /// Their names.
        logs: Vec<String>,
    },
    /// A log was closed otherwise than the log says that continues it.
    ClosedOtherwise {
        /// The log that continues.
        log: String,
        /// Entries from which it says that it continues.
        size: u64,
        /// The log that was closed.
        predecessor: String,
        /// Entries after which it was closed.
        closed: u64,
        /// The log that it names as its successor.
        successor: Option<String>,
    },
    /// A table is in two logs that do not continue each other.
    TableInTwoLogs {
        /// The table.
        table: String,
        /// Its first entry in the one.
        first: FleetPlace,
        /// Its first entry in the other. Its play is judged in both.
        second: FleetPlace,
    },
    /// An event that was sealed after the handover differs from the one in the log that continues.
    SealedOtherwise {
        /// The table.
        table: String,
        /// The event's sequence.
        sequence: u64,
        /// Where it was sealed first.
        first: FleetPlace,
        /// Where its number has another event.
        second: FleetPlace,
    },
    /// An event that was sealed after the handover is not in a later log, and later logs have later events of its table.
    NotSealedAgain {
        /// The table.
        table: String,
        /// The event's sequence.
        sequence: u64,
        /// Where it was sealed.
        first: FleetPlace,
    },
}

impl Contradiction {
    /// Whether it is about one table and not about logs: it refutes *complete* then, and otherwise *anchored*.
    #[must_use]
    pub const fn is_of_a_table(&self) -> bool {
        match self {
            Self::TableInTwoLogs { .. } | Self::SealedOtherwise { .. } | Self::NotSealedAgain { .. } => true,
            Self::Fork { .. }
            | Self::OneName { .. }
            | Self::HandoverRefuted { .. }
            | Self::HandoverNotSigned { .. }
            | Self::HandoverBeyond { .. }
            | Self::TwoSuccessors { .. }
            | Self::Cycle { .. }
            | Self::ClosedOtherwise { .. } => false,
        }
    }
}

/// What the logs given do not show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum OpenQuestion {
    /// The log that a log continues is not given.
    PredecessorMissing {
        /// The log that continues.
        log: String,
        /// The log that is missing.
        predecessor: String,
        /// Its entries that belong to the history.
        size: u64,
    },
    /// A closed log is given without the one that continues it.
    SuccessorMissing {
        /// The closed log.
        log: String,
        /// The log that is missing, where its name is known.
        successor: Option<String>,
    },
    /// Whether a log extends the checkpoint from which another continues it cannot be shown.
    HandoverNotShown {
        /// The log that continues.
        log: String,
        /// The log before it.
        predecessor: String,
        /// Entries of the checkpoint.
        size: u64,
    },
    /// A log is given twice; whether the smaller copy is the beginning of the larger one cannot be shown.
    CopyNotShown {
        /// The log's name.
        log: String,
        /// Entries of the smaller copy.
        size: u64,
    },
    /// A log without entries of tables continues a log that another log continues: it was given up.
    GivenUp {
        /// The log.
        log: String,
        /// The log before it.
        predecessor: String,
    },
    /// An event that was sealed after the handover is not in a later log yet.
    NotSealedAgainYet {
        /// The table.
        table: String,
        /// The event's sequence.
        sequence: u64,
        /// Where it was sealed.
        first: FleetPlace,
    },
    /// Events that were sealed after the handover and cannot be compared: their payloads or the later ones are withheld,
    /// left out or unreadable, or there are too many.
    NotCompared {
        /// The log that they were sealed in first.
        log: String,
        /// How many.
        events: u64,
    },
}

impl Contradiction {
    /// The logs that it speaks against: not those whose only part in it is what another log states of them.
    #[must_use]
    pub(crate) fn speaks_against(&self) -> Vec<&str> {
        match self {
            Self::Fork { log, .. } | Self::OneName { log } | Self::HandoverNotSigned { log, .. } => vec![log],
            Self::HandoverRefuted { predecessor, .. } | Self::HandoverBeyond { predecessor, .. } => {
                vec![predecessor]
            }
            Self::TwoSuccessors { log, other, .. } => vec![log, other],
            Self::Cycle { logs } => logs.iter().map(String::as_str).collect(),
            Self::ClosedOtherwise { log, predecessor, .. } => vec![log, predecessor],
            Self::TableInTwoLogs { first, second, .. } | Self::SealedOtherwise { first, second, .. } => {
                vec![&first.log, &second.log]
            }
            Self::NotSealedAgain { first, .. } => vec![&first.log],
        }
    }
}

impl OpenQuestion {
    /// The log that is given and of which it is open.
    #[must_use]
    pub fn log(&self) -> &str {
        match self {
            Self::PredecessorMissing { log, .. }
            | Self::SuccessorMissing { log, .. }
            | Self::HandoverNotShown { log, .. }
            | Self::CopyNotShown { log, .. }
            | Self::GivenUp { log, .. }
            | Self::NotCompared { log, .. } => log,
            Self::NotSealedAgainYet { first, .. } => &first.log,
        }
    }

    /// Whether it leaves open whether the tables' numbering is complete.
    #[must_use]
    pub const fn leaves_complete_open(&self) -> bool {
        match self {
            Self::PredecessorMissing { .. }
            | Self::SuccessorMissing { .. }
            | Self::HandoverNotShown { .. }
            | Self::NotSealedAgainYet { .. }
            | Self::NotCompared { .. } => true,
            Self::CopyNotShown { .. } | Self::GivenUp { .. } => false,
        }
    }
}
