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
    begun: Begun,
}

/// The tables that were seen of a log, or of a chain of logs, whose beginning is not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Begun(BTreeSet<String>);

impl Begun {
    /// Takes the next entry, and marks it if it is the first one of its table.
    pub(crate) fn next<'a>(&mut self, entry: Entry<'a>) -> Entry<'a> {
        let is_first = !self.0.contains(entry.table) && self.0.insert(entry.table.to_owned());
        Entry { after_left_out: entry.after_left_out || is_first, ..entry }
    }
}

impl Continuing {
    /// Goes on from a state that was kept: the log that is continued, and the tables that were seen.
    #[must_use]
    pub fn resume<'a>(continued: Option<Continued>, begun: impl IntoIterator<Item = &'a str>) -> Self {
        let mut seen = Begun::default();
        if continued.is_some() {
            seen.0.extend(begun.into_iter().map(str::to_owned));
        }
        Self { continued, begun: seen }
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
        Some(if self.continued.is_some() { self.begun.next(entry) } else { entry })
    }
}
