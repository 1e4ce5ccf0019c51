//! The findings of a table that were already reported while the log was still being written, so that the judge
//! can take one back when a later event explains it.

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
pub(super) struct Reported {
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
    /// Adds findings.
    pub(super) fn report(&mut self, found: Vec<Finding>) {
        self.open.extend(found.iter().map(remembered));
        self.fresh.extend(found);
    }

    /// Adds a finding that will not be taken back.
    pub(super) fn report_final(&mut self, finding: Finding) {
        self.fresh.push(finding);
    }

    /// Replaces the findings that may still be taken back by these.
    pub(super) fn report_again(&mut self, found: Vec<Finding>) {
        let mut before = std::mem::take(&mut self.open);
        for finding in found {
            let now = remembered(&finding);
            match before.iter().position(|reported| *reported == now) {
                Some(at) => {
                    before.swap_remove(at);
                }
                None => self.fresh.push(finding),
            }
            self.open.push(now);
        }
        for (mark, gone) in before {
            // What was found since the last entry was not reported yet.
            match self.fresh.iter().position(|finding| remembered(finding).0 == mark) {
                Some(at) => {
                    self.fresh.remove(at);
                }
                None => self.taken_back.push(gone),
            }
        }
    }

    /// Everything reported so far is final.
    pub(super) fn settle(&mut self) {
        self.open.clear();
    }

    /// Takes what is new since the last call, in the order of the log.
    pub(super) fn take(&mut self) -> (Vec<Finding>, Vec<TakenBack>) {
        self.fresh.sort_unstable();
        self.taken_back.sort_unstable();
        (std::mem::take(&mut self.fresh), std::mem::take(&mut self.taken_back))
    }
}
