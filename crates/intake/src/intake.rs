//! Taking events into a log while it is written: posts of many tables at once, within limits.

use std::fmt;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use sealed_log::store::StoreReader;
use sealed_log::writer::{ReopenError, SequencerHandle};
use tlog::checkpoint::SignedCheckpoint;
use tokio::sync::{RwLock, RwLockReadGuard, Semaphore};

use crate::post::{Gone, NotTaken, Post};
use crate::sort::Counts;
use crate::tables::TableCache;

/// Long posts that are processed hold at most so many bodies of the greatest length; decoded they take
/// several times that.
const LONGEST_AT_WORK: usize = 4;

/// Hears of what is taken in.
pub trait Observer: fmt::Debug + Send + Sync {
    /// The events of a post are in the log.
    fn taken(&self, counts: &Counts);

    /// So many new entries are durable, so long after they were handed to the log.
    fn acknowledged(&self, entries: usize, took: Duration);
}

/// Takes events into a log.
#[derive(Debug)]
pub struct Intake<R> {
    pub(crate) log: SequencerHandle<R>,
    pub(crate) longest: usize,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) tables: TableCache,
    /// Limits processor-bound work to one less than the number of processors.
    pub(crate) processors: Semaphore,
    /// Limits the bytes of long posts that are processed.
    pub(crate) long_posts: Semaphore,
    /// Posts hold this for reading from the comparison with the log until they are durable; reopening the log
    /// holds it for writing. So a post's entries go to the log it was compared with.
    reopening: RwLock<()>,
}

impl<R: StoreReader + Clone> Intake<R> {
    /// Takes posts of at most `longest` bytes.
    #[must_use]
    pub fn new(log: SequencerHandle<R>, longest: usize, observer: Arc<dyn Observer>) -> Self {
        let processors = available_parallelism().map_or(1, |processors| processors.get() - 1).max(1);
        Self {
            log,
            longest,
            observer,
            tables: TableCache::default(),
            processors: Semaphore::new(processors),
            long_posts: Semaphore::new(longest.saturating_mul(LONGEST_AT_WORK).min(Semaphore::MAX_PERMITS)),
            reopening: RwLock::default(),
        }
    }

    /// A post to a table, from a sender who may go away before it is recorded.
    pub const fn post<'a>(&'a self, table: &'a str, gone: Gone) -> Post<'a, R> {
        Post { intake: self, table, gone }
    }

    /// How many tables have their recorded numbers in memory.
    #[must_use]
    pub fn tables_known(&self) -> usize {
        self.tables.count()
    }

    /// Opens a stopped log again. This blocks, so it must not be called on an async thread. What was known
    /// of its tables is dropped: entries that were never acknowledged may exist after all. No post is under way
    /// while `opened` runs.
    ///
    /// # Errors
    /// [`ReopenError`] if it cannot be opened; this can be called again.
    pub fn reopen(&self, opened: impl FnOnce()) -> Result<Arc<SignedCheckpoint>, ReopenError> {
        let _nobody_else = self.reopening.blocking_write();
        let signed = self.log.reopen()?;
        self.tables.forget();
        opened();
        Ok(signed)
    }

    pub(crate) fn not_reopened(&self) -> Result<RwLockReadGuard<'_, ()>, NotTaken> {
        let reopening = |_| NotTaken::Stopped("the log is being opened anew".to_owned());
        self.reopening.try_read().map_err(reopening)
    }
}
