//! One session of a table: the parts of its lines that differ from its other sessions.

use crate::script::Script;

/// One session of a table.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// Number of sessions before it.
    pub(crate) number: u64,
    /// The beginning of every line of the table, up to the sequence.
    pub(crate) prefix: String,
    /// The days of the session.
    pub(crate) days: Vec<String>,
}

impl Session {
    /// The first of a table of this name.
    pub(crate) fn first(script: &Script, table: &str) -> Self {
        let days = script.days(0).unwrap_or_default();
        Self { number: 0, prefix: Script::prefix(table), days }
    }

    /// Becomes the next session; `false` if no day is left for it.
    pub(crate) fn go_on(&mut self, script: &Script) -> bool {
        let Some(days) = script.days(self.number + 1) else { return false };
        self.number += 1;
        self.days = days;
        true
    }
}
