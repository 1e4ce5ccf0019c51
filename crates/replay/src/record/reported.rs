//! The findings of a table that were already reported while the log was still being written, so that the judge
//! can take one back when a later event explains it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Code, Finding};

/// A finding that was reported and no longer holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TakenBack {
    /// The table.
    pub table: String,
    /// Sequence of the finding.
    pub sequence: u64,
    /// Log index of the entry it named.
    pub entry: u64,
    /// Its code.
    pub code: Code,
    /// Its shoe.
    pub shoe: Option<String>,
    /// Its coup.
    pub coup: Option<u32>,
}

/// The reported findings that may still be taken back, and those not taken by the caller yet.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Reported {
    open: Vec<(u128, TakenBack)>,
    fresh: Vec<Finding>,
    taken_back: Vec<TakenBack>,
}

fn mark(finding: &Finding) -> u128 {
    let text = serde_json::to_vec(finding).unwrap_or_default();
    let mut half = [0; 16];
    half.copy_from_slice(&blake3::hash(&text).as_bytes()[..16]);
    u128::from_be_bytes(half)
}

fn remembered(finding: &Finding) -> (u128, TakenBack) {
    let Finding { table, sequence, entry, code, shoe, coup, .. } = finding;
    let (table, shoe) = (table.clone(), shoe.clone());
    let gone = TakenBack { table, sequence: *sequence, entry: *entry, code: *code, shoe, coup: *coup };
    (mark(finding), gone)
}

impl Reported {
    /// Adds a finding that will not be taken back.
    pub(crate) fn report_final(&mut self, finding: Finding) {
        self.fresh.push(finding);
    }

    /// Replaces the findings that may still be taken back by these.
    pub(crate) fn report_again(&mut self, found: &[Finding]) {
        let mut gone: BTreeMap<u128, Vec<TakenBack>> = BTreeMap::new();
        for (mark, reported) in std::mem::take(&mut self.open) {
            gone.entry(mark).or_default().push(reported);
        }
        for finding in found {
            let (mark, now) = remembered(finding);
            if gone.get_mut(&mark).and_then(Vec::pop).is_none() {
                self.fresh.push(finding.clone());
            }
            self.open.push((mark, now));
        }
        // What was found since the last entry was not reported yet.
        let is_gone = |finding: &Finding, gone: &mut BTreeMap<u128, Vec<TakenBack>>| {
            !gone.is_empty() && gone.get_mut(&mark(finding)).and_then(Vec::pop).is_some()
        };
        self.fresh.retain(|finding| !is_gone(finding, &mut gone));
        self.taken_back.extend(gone.into_values().flatten());
    }

    /// Everything reported so far is final.
    pub(crate) fn settle(&mut self) {
        self.open.clear();
    }

    /// Takes what is new since the last call, in the order of the log.
    pub(crate) fn take(&mut self) -> (Vec<Finding>, Vec<TakenBack>) {
        self.fresh.sort_unstable();
        self.taken_back.sort_unstable();
        (std::mem::take(&mut self.fresh), std::mem::take(&mut self.taken_back))
    }
}
