//! What can be wrong with a seal, and the three answers a question about it can have.

use super::detail::FaultDetail;
use std::fmt;

/// The answer to one question about a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It was shown.
    Yes,
    /// The opposite was shown.
    No,
    /// Nothing could be shown.
    Unknown,
}

impl Verdict {
    /// `yes`, `no` or `unknown`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Which promise of the seal is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// An entry's bytes are not those that were sealed.
    EntryAltered,
    /// An entry's bytes are those that were sealed, but they are not an entry.
    EntryMalformed,
    /// An entry is of a format version this program does not know.
    UnknownVersion,
    /// Entries cannot be read at all.
    Unreadable,
    /// Entries are missing.
    Missing,
    /// There are entries where none belong.
    Surplus,
    /// An entry does not name its chain's previous entry.
    Link,
    /// A payload is missing and nobody accounted for it.
    Withheld,
    /// What the log says about itself cannot be read, or does not hold.
    Notice,
    /// The tree does not have the root that was signed.
    Root,
    /// The checkpoint is not signed by the log's key, or cannot be read.
    Checkpoint,
    /// A part of the archive that holds no entries was altered, or is cut off.
    Archive,
    /// The log does not agree with a checkpoint kept elsewhere.
    Anchor,
}

impl FaultKind {
    /// A stable name in lower case, for reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EntryAltered => "entry-altered",
            Self::EntryMalformed => "entry-malformed",
            Self::UnknownVersion => "unknown-version",
            Self::Unreadable => "unreadable",
            Self::Missing => "missing",
            Self::Surplus => "surplus",
            Self::Link => "link",
            Self::Withheld => "withheld",
            Self::Notice => "notice",
            Self::Root => "root",
            Self::Checkpoint => "checkpoint",
            Self::Archive => "archive",
            Self::Anchor => "anchor",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One fault of the seal and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealFault {
    /// Log index of the first entry concerned, where there is one.
    pub index: Option<u64>,
    /// Chain concerned, where it is one and known.
    pub chain: Option<String>,
    /// Which promise is broken.
    pub kind: FaultKind,
    /// What is wrong.
    pub detail: FaultDetail,
}

/// The entry, where it is known, and what is wrong.
impl fmt::Display for SealFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "entry {index}: {}", self.detail),
            None => self.detail.fmt(f),
        }
    }
}

impl SealFault {
    pub(crate) fn new(kind: FaultKind, index: Option<u64>, detail: FaultDetail) -> Self {
        Self { index, chain: None, kind, detail }
    }
}

/// Faults kept one by one in a report; the rest is only counted.
pub const MAX_KEPT_FAULTS: usize = 10_000;

/// Keeps the first faults and counts all.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) kept: Vec<SealFault>,
    /// Faults of the log itself.
    pub(crate) seal: u64,
    /// Disagreements with checkpoints kept elsewhere.
    pub(crate) anchors: u64,
}

impl Faults {
    pub(crate) fn add(&mut self, fault: SealFault) {
        if fault.kind == FaultKind::Anchor {
            self.anchors += 1;
        } else {
            self.seal += 1;
        }
        if self.kept.len() < MAX_KEPT_FAULTS {
            self.kept.push(fault);
        }
    }

    /// Adds one that is to be reported before the others.
    pub(crate) fn add_first(&mut self, fault: SealFault) {
        self.add(fault.clone());
        self.kept.pop_if(|last| *last == fault);
        self.kept.insert(0, fault);
        self.kept.truncate(MAX_KEPT_FAULTS);
    }

    pub(crate) const fn count(&self) -> u64 {
        self.seal + self.anchors
    }
}
