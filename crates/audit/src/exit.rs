//! Exit statuses: a promise to scripts. `docs/running.md` lists them; snapshots hold them.

use replay::fleet::FleetReport;
use replay::{Report, Severity, Verdict, Verdicts};

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

    /// The status of a report: the worst of what it says. `asks_anchor` leaves it open where the log is not anchored.
    pub(crate) fn of(report: &Report, asks_anchor: bool) -> Self {
        let verdicts = report.verdicts;
        let mut exit = Self::Good;
        if verdicts.intact == Verdict::No || verdicts.anchored == Verdict::No {
            exit = exit.worse(Self::Seal);
        } else if !report.seal.of_another_log.is_empty() || !report.seal.invalid_checkpoints.is_empty() {
            exit = exit.worse(Self::Usage);
        }
        if report.unreadable_count > 0 {
            exit = exit.worse(Self::Unreadable);
        }
        if report.summary.findings_by_code.keys().any(|code| code.severity() == Severity::Violation) {
            exit = exit.worse(Self::Findings);
        }
        let is_open = is_open(verdicts) || (asks_anchor && verdicts.anchored == Verdict::Unknown);
        if is_open { exit.worse(Self::Open) } else { exit }
    }

    /// The status of the logs of a house: the worst of what their report says. Logs that contradict each other are as bad
    /// as a broken seal. `asks_anchor` leaves it open where not every log is anchored.
    pub(crate) fn of_fleet(report: &FleetReport, asks_anchor: bool) -> Self {
        let verdicts = report.verdicts;
        let mut exit = Self::Good;
        let is_refuted = verdicts.intact == Verdict::No || verdicts.anchored == Verdict::No;
        let mut seals = report.logs.iter().map(|log| &log.seal);
        if is_refuted || report.contradiction_count > 0 {
            exit = exit.worse(Self::Seal);
        } else if seals.any(|seal| !seal.of_another_log.is_empty() || !seal.invalid_checkpoints.is_empty()) {
            exit = exit.worse(Self::Usage);
        }
        if report.unreadable_count > 0 {
            exit = exit.worse(Self::Unreadable);
        }
        if report.summary.findings_by_code.keys().any(|code| code.severity() == Severity::Violation) {
            exit = exit.worse(Self::Findings);
        }
        let is_open = is_open(verdicts) || (asks_anchor && verdicts.anchored == Verdict::Unknown);
        if is_open { exit.worse(Self::Open) } else { exit }
    }

    /// The worse of two.
    pub(crate) const fn worse(self, other: Self) -> Self {
        if other.weight() > self.weight() { other } else { self }
    }
}

/// Whether one of the verdicts that every log is asked for is not shown.
fn is_open(verdicts: Verdicts) -> bool {
    [verdicts.intact, verdicts.complete, verdicts.certified].iter().any(|verdict| *verdict != Verdict::Yes)
}
