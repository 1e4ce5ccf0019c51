//! A log that continues another begins in the middle of its tables' numbering: what comes first of a table there is not the
//! table's first event, and nobody may be accused of a gap before it.

use std::collections::BTreeSet;

use sealed_log::entry::LOG_CHAIN;
use sealed_log::notice::{Notice, parse_notice};

use crate::{Continued, Entry};

/// Reads a log's entries in their order, and marks the first one of each table where the log continues another.
#[derive(Debug, Clone, Default)]
pub struct Continuing {
    continued: Option<Continued>,
    /// Tables that were seen, where the log continues another.
    begun: BTreeSet<String>,
}

impl Continuing {
    /// Goes on from a state that was kept: the log that is continued, and the tables that were seen.
    #[must_use]
    pub fn resume<'a>(continued: Option<Continued>, begun: impl IntoIterator<Item = &'a str>) -> Self {
        let begun = if continued.is_some() {
            begun.into_iter().map(str::to_owned).collect()
        } else {
            BTreeSet::new()
        };
        Self { continued, begun }
    }

    /// The log that this one continues, once its first entry was seen.
    #[must_use]
    pub const fn continued(&self) -> Option<&Continued> {
        self.continued.as_ref()
    }

    /// Takes the next entry of the log, of a table or of the log itself. Gives the entry for the judge; none for a notice.
    pub fn next<'a>(&mut self, entry: Entry<'a>) -> Option<Entry<'a>> {
        if entry.table == LOG_CHAIN {
            if entry.index == 0
                && !entry.withheld
                && let Ok(Notice::LogContinued(predecessor)) = parse_notice(entry.payload)
            {
                let checkpoint = predecessor.checkpoint();
                let (origin, size) = (checkpoint.origin.clone(), checkpoint.size);
                self.continued = Some(Continued { origin, size, root: checkpoint.root_text() });
            }
            return None;
        }
        let is_first = self.continued.is_some()
            && !self.begun.contains(entry.table)
            && self.begun.insert(entry.table.to_owned());
        Some(Entry { after_left_out: entry.after_left_out || is_first, ..entry })
    }
}
