//! A cache of what is known about tables with recent posts, so that the log need not be read for every post.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::MutexGuard as Turn;

use crate::known::Known;

/// Most tables in the cache; others are read from the log again.
const MOST: usize = 4_096;
/// Most posts that may wait for each other at one table.
const MOST_POSTS: usize = 64;

/// The cached state of one table.
#[derive(Debug, Default)]
pub(crate) struct CachedTable(tokio::sync::Mutex<Known>);

impl CachedTable {
    /// Waits until no other post to the table is processed.
    pub(crate) async fn turn(&self) -> Turn<'_, Known> {
        self.0.lock().await
    }
}

/// The cached tables.
#[derive(Debug, Default)]
pub(crate) struct TableCache(Mutex<BTreeMap<String, Arc<CachedTable>>>);

impl TableCache {
    /// The entry of a table, shared by all posts to it; `None` if too many of them are waiting.
    pub(crate) fn table(&self, name: &str) -> Option<Arc<CachedTable>> {
        let mut tables = self.tables();
        if let Some(table) = tables.get(name) {
            return (Arc::strong_count(table) <= MOST_POSTS).then(|| Arc::clone(table));
        }
        if tables.len() >= MOST {
            // Tables with a post under way stay.
            tables.retain(|_, table| Arc::strong_count(table) > 1);
        }
        Some(Arc::clone(tables.entry(name.to_owned()).or_default()))
    }

    /// Number of cached tables.
    pub(crate) fn count(&self) -> usize {
        self.tables().len()
    }

    /// Drops all of them; no post may be under way.
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
            assert!(tables.count() <= MOST);
        }
        assert!(Arc::ptr_eq(&in_use, &tables.table("in use").unwrap()));
        tables.forget();
        assert_eq!(tables.count(), 0);
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
