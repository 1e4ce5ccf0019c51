//! One of a table's sessions: what its lines have that those of the table's other sessions do not.

use crate::script::Script;

/// One of a table's sessions.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// How many were before it.
    pub(crate) number: u64,
    /// What every line of the table begins with, up to the sequence.
    pub(crate) prefix: String,
    /// Its days.
    pub(crate) days: Vec<String>,
}

impl Session {
    /// The first of a table of this name.
    pub(crate) fn first(script: &Script, table: &str) -> Self {
        let days = script.days(0).unwrap_or_default();
        Self { number: 0, prefix: Script::prefix(table), days }
    }

    /// Becomes the one after it; `false` where no day is left for that.
    pub(crate) fn go_on(&mut self, script: &Script) -> bool {
        let Some(days) = script.days(self.number + 1) else { return false };
        self.number += 1;
        self.days = days;
        true
    }
}
