//! What an ingest sealed.

use super::format::{counted, grouped};

/// What an ingest came to.
pub(crate) fn ingested(events: u64, entries: u64, already_there: u64, conflicts: u64, log: &str) -> String {
    let mut text = if entries == 1 {
        format!("sealed {} in 1 entry\n", counted(events, "event"))
    } else {
        format!("sealed {} in {} entries\n", counted(events, "event"), grouped(entries))
    };
    if already_there > 0 {
        text.push_str(&format!("skipped {} that the log already holds\n", counted(already_there, "event")));
    }
    if conflicts > 0 {
        let what = "with a number under which the log already holds a different event; audit verify log will \
                    report this";
        text.push_str(&format!("recorded {} {what}\n", counted(conflicts, "event")));
    }
    text.push_str(log);
    text.push('\n');
    text
}
