//! How far the tables are that posted lately, so that the log need not be asked at every post.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::MutexGuard as Turn;

use crate::intake::Known;

/// Tables kept in mind; what is forgotten of one, the log is asked for.
const MOST: usize = 4_096;
/// Posts to one table that may wait for each other.
const MOST_POSTS: usize = 64;

/// A table's part of the intake.
#[derive(Debug, Default)]
pub(crate) struct CachedTable(tokio::sync::Mutex<Known>);

impl CachedTable {
    /// Waits until nobody else takes in events of the table.
    pub(crate) async fn turn(&self) -> Turn<'_, Known> {
        self.0.lock().await
    }
}

/// The tables that posted lately.
#[derive(Debug, Default)]
pub(crate) struct TableCache(Mutex<BTreeMap<String, Arc<CachedTable>>>);

impl TableCache {
    /// A table: one for all who post to it; `None` where too many of them wait already.
    pub(crate) fn table(&self, name: &str) -> Option<Arc<CachedTable>> {
        let mut tables = self.tables();
        if let Some(table) = tables.get(name) {
            return (Arc::strong_count(table) <= MOST_POSTS).then(|| Arc::clone(table));
        }
        if tables.len() >= MOST {
            // Not those that somebody posts to just now.
            tables.retain(|_, table| Arc::strong_count(table) > 1);
        }
        Some(Arc::clone(tables.entry(name.to_owned()).or_default()))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.tables().len()
    }

    /// Forgets all of them; nobody may be posting.
    pub(crate) fn forget(&self) {
        self.tables().clear();
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Arc<CachedTable>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn idle_tables_are_forgotten_when_there_are_many_and_a_table_in_use_keeps_its_one_lock() {
        let tables = TableCache::default();
        let in_use = tables.table("in use").unwrap();
        for number in 0..3 * MOST {
            tables.table(&number.to_string()).unwrap();
            assert!(tables.len() <= MOST);
        }
        assert!(Arc::ptr_eq(&in_use, &tables.table("in use").unwrap()));
        tables.forget();
        assert_eq!(tables.len(), 0);
    }

    #[test]
    fn so_many_posts_wait_for_a_table_and_no_more() {
        let tables = TableCache::default();
        let waiting: Vec<_> = (0..MOST_POSTS).map(|_| tables.table("a").unwrap()).collect();
        assert!(tables.table("a").is_none());
        assert!(tables.table("b").is_some(), "others do not mind");
        drop(waiting);
        assert!(tables.table("a").is_some());
    }
}
