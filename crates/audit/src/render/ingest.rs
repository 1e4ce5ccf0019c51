//! What an ingest sealed.

use crate::language::texts;

/// What an ingest came to.
pub(crate) fn ingested(events: u64, entries: u64, already_there: u64, conflicts: u64, log: &str) -> String {
    let (sealed, entries) = (texts().events(events), texts().entries(entries));
    let mut text = format!("{}\n", texts().sealed(sealed, entries));
    if already_there > 0 {
        text.push_str(&format!("{}\n", texts().skipped(texts().events(already_there))));
    }
    if conflicts > 0 {
        text.push_str(&format!("{}\n", texts().conflicting(texts().events(conflicts))));
    }
    text.push_str(log);
    text.push('\n');
    text
}
