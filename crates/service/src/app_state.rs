//! What every request shares: the log's one writer, its newest head, and a lock for each table.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use door::Connections;
use prometheus_client::metrics::counter::Counter;
use sealed_log::{ProducerId, ReopenError, SequencerHandle, SignedCheckpoint, VerifierKey};
use sealed_log_sled::SledReader;
use tokio::sync::{RwLockReadGuard, Semaphore};

use crate::archive::ARCHIVES;
use crate::bodies::Bodies;
use crate::findings::STREAMS;
use crate::following::Following;
use crate::intake::IntakeError;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::table_cache::TableCache;

/// What one request, and all of them together, may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Longest body of a post, bytes.
    pub body: usize,
    /// Posts being worked on at once; others are told to come again.
    pub posts: usize,
}

/// Bodies take no more memory together than so many of the longest,
const LONGEST_BODIES: usize = 16;
/// and those of long posts that are being worked on no more than so many: decoded they take several times that.
const LONGEST_AT_WORK: usize = 4;

impl Default for Bounds {
    fn default() -> Self {
        Self { body: 8 << 20, posts: 512 }
    }
}

/// What the room is watched by.
#[derive(Debug)]
pub(crate) struct Instruments {
    pub(crate) metrics: Arc<Metrics>,
    /// Whether the log has stopped; set by who attends its writer.
    pub(crate) stopped: Arc<AtomicBool>,
    pub(crate) connections: Connections,
}

/// What every request shares.
#[derive(Debug)]
pub(crate) struct AppState {
    pub(crate) log: SequencerHandle<SledReader>,
    pub(crate) key: VerifierKey,
    pub(crate) producer: ProducerId,
    pub(crate) bounds: Bounds,
    pub(crate) post_slots: Arc<Semaphore>,
    /// What takes long on a processor, one of these at a time less than there are processors.
    pub(crate) cpu_permits: Semaphore,
    /// Bytes of long posts that are being worked on.
    pub(crate) long_posts: Semaphore,
    /// Bodies of posts.
    pub(crate) bodies: Arc<Bodies>,
    /// Streams of findings.
    pub(crate) streams: Arc<Semaphore>,
    /// Archives being written.
    pub(crate) archives: Arc<Semaphore>,
    /// Searches for a digest.
    pub(crate) searches: Arc<Semaphore>,
    /// Live certification, where the service does it.
    pub(crate) following: OnceLock<Arc<Following>>,
    pub(crate) counters: Arc<Metrics>,
    /// When the newest head was signed, microseconds since 1970 UTC.
    checkpoint_signed_at: AtomicI64,
    pub(crate) tables: TableCache,
    stopped: Arc<AtomicBool>,
    /// Posts read-hold it from comparing with the log to its answer; opening the log anew write-holds
    /// it, so that what a post compared with is the log its entries go to.
    reopen_lock: tokio::sync::RwLock<()>,
    connections: Connections,
}

impl AppState {
    pub(crate) fn new(
        log: SequencerHandle<SledReader>,
        key: VerifierKey,
        producer: ProducerId,
        bounds: Bounds,
        instruments: Instruments,
    ) -> Self {
        // What takes a place for long leaves most places to others.
        let share = |most: usize| most.min(instruments.connections.limit() / 4).max(1);
        Self {
            log,
            key,
            producer,
            bounds,
            post_slots: Arc::new(Semaphore::new(bounds.posts)),
            cpu_permits: Semaphore::new(
                available_parallelism().map_or(1, |processors| processors.get() - 1).max(1),
            ),
            long_posts: Semaphore::new(
                bounds.body.saturating_mul(LONGEST_AT_WORK).min(Semaphore::MAX_PERMITS),
            ),
            bodies: Bodies::new(bounds.body, bounds.body.saturating_mul(bounds.posts.min(LONGEST_BODIES))),
            streams: Arc::new(Semaphore::new(share(STREAMS))),
            archives: Arc::new(Semaphore::new(share(ARCHIVES))),
            searches: Arc::new(Semaphore::new(1)),
            following: OnceLock::new(),
            counters: instruments.metrics,
            checkpoint_signed_at: AtomicI64::new(now()),
            tables: TableCache::default(),
            stopped: instruments.stopped,
            reopen_lock: tokio::sync::RwLock::default(),
            connections: instruments.connections,
        }
    }

    /// The newest head that is durable.
    pub(crate) fn signed_checkpoint(&self) -> Arc<SignedCheckpoint> {
        self.log.head()
    }

    /// Entries were acknowledged, so there is a new head.
    pub(crate) fn acknowledged(&self) {
        self.checkpoint_signed_at.store(now(), Ordering::Relaxed);
        if let Some(following) = self.following.get() {
            following.wake();
        }
    }

    /// The log as the newest commit left it.
    pub(crate) fn reader(&self) -> Result<SledReader, Problem> {
        Ok(self.log.reader().map_err(IntakeError::from)?)
    }

    /// Live certification.
    pub(crate) fn following(&self) -> Result<Arc<Following>, Problem> {
        self.following.get().cloned().ok_or_else(Problem::not_certified)
    }

    /// When the newest head was signed, microseconds since 1970 UTC.
    pub(crate) fn checkpoint_signed_at(&self) -> i64 {
        self.checkpoint_signed_at.load(Ordering::Relaxed)
    }

    /// The head the service started with was signed before, at this moment.
    pub(crate) fn checkpoint_was_signed(&self, at: i64) {
        self.checkpoint_signed_at.fetch_min(at, Ordering::Relaxed);
    }

    pub(crate) fn posts_in_work(&self) -> usize {
        self.bounds.posts.saturating_sub(self.post_slots.available_permits())
    }

    pub(crate) const fn connections(&self) -> &Connections {
        &self.connections
    }

    /// To be held from before a post is compared with the log until it is answered for.
    pub(crate) fn reopen_lock(&self) -> Result<RwLockReadGuard<'_, ()>, Problem> {
        self.reopen_lock.try_read().map_err(|_| Problem::stopped("the log is being opened anew"))
    }

    /// Opens a log that has stopped anew; not to be called where requests are answered, it waits. What
    /// was known of its tables is forgotten: entries that were never acknowledged may be there after all.
    pub(crate) fn reopen(&self) -> Result<u64, ReopenError> {
        let _nobody_else = self.reopen_lock.blocking_write();
        let signed = self.log.reopen()?;
        self.tables.forget();
        self.acknowledged();
        self.stopped.store(false, Ordering::Relaxed);
        Ok(signed.checkpoint().size)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

pub(crate) fn add(counter: &Counter, count: u64) {
    counter.inc_by(count);
}

/// Microseconds since 1970 UTC.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
