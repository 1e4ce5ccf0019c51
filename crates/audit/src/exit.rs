//! Exit statuses: a promise to scripts. The README lists them; snapshots hold them.

/// How a command ended; the worst wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything asked for holds.
    Good,
    /// Findings: a rule was broken.
    Findings,
    /// Wrong usage.
    Usage,
    /// The seal is broken, or the log does not extend the given checkpoint.
    Seal,
    /// What was read is unreadable, or of an unknown format.
    Unreadable,
    /// Nothing wrong found, but something is undecided or incomplete.
    Open,
    /// Internal error.
    OwnFault,
    /// The machine failed (`EX_IOERR` of sysexits): a full disk, a missing file, a refused connection. It says
    /// nothing about the log. [`crate::machine`] draws the border.
    Machine,
    /// Another process is writing the log: nothing was read, and the command may succeed later.
    InUse,
}

impl Exit {
    /// The status a shell sees.
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Seal => 3,
            Self::Unreadable => 4,
            Self::Open => 5,
            Self::OwnFault => 70,
            Self::Machine => 74,
            Self::InUse => 75,
        }
    }

    /// From best to worst: an undecided result weighs less than a finding, a finding less than an
    /// unreadable file, that less than trouble of the machine, and that less than a broken seal: no trouble hides
    /// one.
    const fn weight(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Open => 1,
            Self::Findings => 2,
            Self::Unreadable => 3,
            Self::Machine => 4,
            Self::Seal => 5,
            Self::Usage => 6,
            Self::InUse => 7,
            Self::OwnFault => 8,
        }
    }

    /// The worse of two.
    pub(crate) const fn worse(self, other: Self) -> Self {
        if other.weight() > self.weight() { other } else { self }
    }
}
