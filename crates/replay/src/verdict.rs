//! The verdict on a coup or a shoe, and the reasons why one could not be decided.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Result for one coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoupVerdict {
    /// Dealing, result and every payout were derived and agree with the record.
    Certified,
    /// The same of bytes that were not shown to be those sealed; no judge says so of its own accord.
    Judged,
    /// A rule was broken.
    Violated,
    /// Not wrong as far as the record shows, but not shown to be right.
    Undecided,
}

impl CoupVerdict {
    /// The same in a log whose seal was not shown to hold: nothing in it is certified.
    #[must_use]
    pub const fn unsealed(self) -> Self {
        match self {
            Self::Certified | Self::Judged => Self::Judged,
            Self::Violated => Self::Violated,
            Self::Undecided => Self::Undecided,
        }
    }
}

impl fmt::Display for CoupVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Certified => "certified",
            Self::Judged => "judged",
            Self::Violated => "violated",
            Self::Undecided => "undecided",
        })
    }
}

/// Why a coup or a shoe could not be decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Events are missing from the table's numbering.
    EventsMissing,
    /// An event of a newer kind.
    EventUnknown,
    /// An entry that cannot be read.
    EntryUnreadable,
    /// Events whose payload is withheld from this copy, or erased.
    PayloadWithheld,
    /// Entries that this copy of the log leaves out.
    LeftOut,
    /// No rulebook was in force.
    RulebookMissing,
    /// The rulebook is of a format this program does not know.
    RulebookUnreadable,
    /// The rulebook is none of those approved.
    RulebookUnapproved,
    /// No shoe was loaded: nobody knows which cards there were.
    ShoeMissing,
    /// A stake is outside the limits last recorded, and events are missing that may have changed them.
    LimitsUnknown,
    /// A card that decides was not read.
    CardUnread,
    /// A suit that decides was not read.
    SuitUnread,
    /// The coup was declared void; who ruled is recorded, whether rightly cannot be derived.
    Voided,
    /// A card was removed by a ruling that the rulebook does not provide for, or a ruling alone says
    /// who won: only attested.
    Ruled,
    /// An event of the coup was corrected: which of the two stories is true is only attested.
    Corrected,
    /// The rulebook does not say what decides.
    RuleSilent,
    /// Players were not counted, and fewer than the rulebook asks for are known to sit.
    PlayersNotCounted,
    /// Some bets of the coup have names and others have none: whose these are decides.
    PlayerUnnamed,
    /// The record ends before the coup was settled.
    NotSettledYet,
    /// The record says that it does not know what was burned.
    BurnNotRecorded,
    /// Players deal, and the table never records who.
    DealNotRecorded,
    /// A coup was dealt, and nothing says who held punto's cards.
    HolderNotRecorded,
    /// The record ends before the shoe did: what comes of it may still be wrong.
    NotEndedYet,
    /// The record ends before the commission marked in the shoe was collected.
    NotCollectedYet,
}

impl Reason {
    /// Every reason, in the order of `docs/findings.md`.
    pub const ALL: &'static [Self] = &[
        Self::EventsMissing,
        Self::EventUnknown,
        Self::EntryUnreadable,
        Self::PayloadWithheld,
        Self::LeftOut,
        Self::RulebookMissing,
        Self::RulebookUnreadable,
        Self::RulebookUnapproved,
        Self::ShoeMissing,
        Self::LimitsUnknown,
        Self::CardUnread,
        Self::SuitUnread,
        Self::Voided,
        Self::Ruled,
        Self::Corrected,
        Self::RuleSilent,
        Self::PlayersNotCounted,
        Self::PlayerUnnamed,
        Self::NotSettledYet,
        Self::BurnNotRecorded,
        Self::DealNotRecorded,
        Self::HolderNotRecorded,
        Self::NotEndedYet,
        Self::NotCollectedYet,
    ];

    /// As it is printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EventsMissing => "events-missing",
            Self::EventUnknown => "event-unknown",
            Self::EntryUnreadable => "entry-unreadable",
            Self::PayloadWithheld => "payload-withheld",
            Self::LeftOut => "left-out",
            Self::RulebookMissing => "rulebook-missing",
            Self::RulebookUnreadable => "rulebook-unreadable",
            Self::RulebookUnapproved => "rulebook-unapproved",
            Self::ShoeMissing => "shoe-missing",
            Self::LimitsUnknown => "limits-unknown",
            Self::CardUnread => "card-unread",
            Self::SuitUnread => "suit-unread",
            Self::Voided => "voided",
            Self::Ruled => "ruled",
            Self::Corrected => "corrected",
            Self::RuleSilent => "rule-silent",
            Self::PlayersNotCounted => "players-not-counted",
            Self::PlayerUnnamed => "player-unnamed",
            Self::NotSettledYet => "not-settled-yet",
            Self::BurnNotRecorded => "burn-not-recorded",
            Self::DealNotRecorded => "deal-not-recorded",
            Self::HolderNotRecorded => "holder-not-recorded",
            Self::NotEndedYet => "not-ended-yet",
            Self::NotCollectedYet => "not-collected-yet",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let known = Self::ALL.iter().copied().find(|reason| reason.as_str() == text);
        known.ok_or_else(|| D::Error::custom(format!("`{text}` is no reason")))
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
