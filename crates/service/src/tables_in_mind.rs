//! How far the tables are that posted lately, so that the log need not be asked at every post.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::intake::Seen;

/// Tables kept in mind; what is forgotten of one, the log is asked for.
const MOST: usize = 4_096;

/// A table's part of the intake; whoever holds its lock is the only one who takes in events of it.
pub(crate) type TableLock = Arc<tokio::sync::Mutex<Seen>>;

/// The tables that posted lately.
#[derive(Debug, Default)]
pub(crate) struct TablesInMind(Mutex<BTreeMap<String, TableLock>>);

impl TablesInMind {
    /// A table's lock: one for all who post to it.
    pub(crate) fn table(&self, name: &str) -> TableLock {
        let mut tables = self.tables();
        if let Some(table) = tables.get(name) {
            return Arc::clone(table);
        }
        if tables.len() >= MOST {
            // Not those that somebody posts to just now.
            tables.retain(|_, table| Arc::strong_count(table) > 1);
        }
        Arc::clone(tables.entry(name.to_owned()).or_default())
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.tables().len()
    }

    /// Forgets all of them; nobody may be posting.
    pub(crate) fn forget(&self) {
        self.tables().clear();
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, TableLock>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_tables_are_forgotten_when_there_are_many_and_a_table_in_use_keeps_its_one_lock() {
        let tables = TablesInMind::default();
        let in_use = tables.table("in use");
        for number in 0..3 * MOST {
            tables.table(&number.to_string());
            assert!(tables.len() <= MOST);
        }
        assert!(Arc::ptr_eq(&in_use, &tables.table("in use")));
        tables.forget();
        assert_eq!(tables.len(), 0);
    }
}
