//! What results need to know of what came before a part of a record.

use events::Body;
use serde::{Deserialize, Serialize};

use super::Evidence;
use super::since::Since;
use crate::Reason;
use crate::sink::Location;

/// What was before a part.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Begun {
    /// The shoe in play.
    pub(super) shoe: ShoeSoFar,
    /// Rulings that concern the next coup: one of this number, if they name one.
    pub(super) ruled: Vec<Option<u32>>,
    /// Sequence of the first loading at the table; 0: none is recorded.
    pub(super) first_loaded: u64,
    /// Whether it was recorded who deals since the table was opened.
    pub(super) says_who_deals: bool,
    /// The last wrong account of a bank: the next may follow from it.
    pub(super) bank_wrong: Option<Location>,
}

/// What a shoe comes to so far.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct ShoeSoFar {
    /// Whether something is wrong.
    pub(super) is_violated: bool,
    /// The first reason for which it is not known whether all is right, and at which sequence.
    pub(super) reason: Option<(u64, Reason)>,
    /// The same if it is of no event.
    pub(super) open: Option<Reason>,
    /// Whether its end is recorded.
    pub(super) is_ended: bool,
}

impl ShoeSoFar {
    /// For this reason, at this sequence, it is not known whether all is right.
    pub(super) fn add(&mut self, reason: Option<(u64, Reason)>) {
        self.reason = self.reason.into_iter().chain(reason).min_by_key(|(at, _)| *at);
    }
}

/// From which sequences on it is recorded, or not, who deals since the table was opened.
pub(super) struct SaysWhoDeals {
    before: bool,
    since: Since<bool>,
}

impl SaysWhoDeals {
    /// Whether that is recorded before a sequence.
    pub(super) fn says_before(&self, at: u64) -> bool {
        let last = at.checked_sub(1).and_then(|last| self.since.last(last));
        last.map_or(self.before, |(_, says)| *says)
    }
}

/// Where it is recorded who deals; `before`: whether that is recorded before the part.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else says who deals")]
pub(super) fn says_who_deals(evidence: &Evidence<'_, '_>, before: bool) -> SaysWhoDeals {
    let says = |body: &Body| match body {
        Body::TableOpened(_) => Some(false),
        Body::DealOffered(_) | Body::DealAccepted(_) | Body::DealDeclined(_) => Some(true),
        _ => None,
    };
    let around = &evidence.reading.around;
    let since = around.iter().filter_map(|told| Some((told.sequence, says(told.value)?)));
    SaysWhoDeals { before, since: Since::of(since.collect()) }
}
