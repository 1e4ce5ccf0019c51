//! What the linter says of a rulebook, with what its bets cost: exact, and therefore slow, so it is kept.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, TryLockError};

use baccarat::Rulebook;
use baccarat::lint::{Report, check};

/// Rulebooks whose reports are kept.
const KEPT: usize = 64;

/// The reports, by the digest of their rulebooks.
static REPORTS: Mutex<BTreeMap<String, Arc<Report>>> = Mutex::new(BTreeMap::new());

/// The report on a rulebook. One is made at a time, so whoever asks for many rulebooks holds up one processor; `None`
/// while another one is made.
pub(crate) fn of(rulebook: &Rulebook, digest: &str) -> Option<Arc<Report>> {
    let mut reports = match REPORTS.try_lock() {
        Ok(reports) => reports,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return None,
    };
    if let Some(report) = reports.get(digest) {
        return Some(Arc::clone(report));
    }
    let report = Arc::new(check(rulebook.clone()));
    if reports.len() >= KEPT {
        reports.pop_first();
    }
    reports.insert(digest.to_owned(), Arc::clone(&report));
    Some(report)
}
