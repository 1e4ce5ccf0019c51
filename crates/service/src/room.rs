//! What every request shares: the log's one writer, its newest head, and a lock for each table.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use sealed_log::{ProducerId, SequencerHandle, SignedCheckpoint, VerifierKey};
use sealed_log_sled::SledStore;
use tokio::sync::Semaphore;

use crate::archive::ARCHIVES;
use crate::findings::STREAMS;
use crate::following::Following;
use crate::intake::Seen;
use crate::problem::Problem;

/// What one request, and all of them together, may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Longest body of a post, bytes.
    pub body: usize,
    /// Posts being worked on at once; others are told to come again.
    pub posts: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { body: 8 << 20, posts: 128 }
    }
}

/// How often what happened, since the start.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) events: AtomicU64,
    pub(crate) entries: AtomicU64,
    pub(crate) repeated: AtomicU64,
    pub(crate) conflicts: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) turned_away: AtomicU64,
}

/// A table's part of the intake; whoever holds its lock is the only one who takes in events of it.
pub(crate) type TableLock = Arc<Mutex<Seen>>;

/// What every request shares.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) log: SequencerHandle<SledStore>,
    pub(crate) key: VerifierKey,
    pub(crate) producer: ProducerId,
    pub(crate) bounds: Bounds,
    pub(crate) places: Semaphore,
    /// Streams of findings.
    pub(crate) streams: Arc<Semaphore>,
    /// Archives being written.
    pub(crate) archives: Arc<Semaphore>,
    /// Searches for a digest.
    pub(crate) searches: Arc<Semaphore>,
    /// Live certification, where the service does it.
    pub(crate) following: OnceLock<Arc<Following>>,
    pub(crate) counters: Counters,
    head: RwLock<Arc<SignedCheckpoint>>,
    tables: Mutex<BTreeMap<String, TableLock>>,
    stopped: AtomicBool,
}

impl Room {
    pub(crate) fn new(
        log: SequencerHandle<SledStore>,
        head: Arc<SignedCheckpoint>,
        key: VerifierKey,
        producer: ProducerId,
        bounds: Bounds,
    ) -> Self {
        Self {
            log,
            key,
            producer,
            bounds,
            places: Semaphore::new(bounds.posts),
            streams: Arc::new(Semaphore::new(STREAMS)),
            archives: Arc::new(Semaphore::new(ARCHIVES)),
            searches: Arc::new(Semaphore::new(1)),
            following: OnceLock::new(),
            counters: Counters::default(),
            head: RwLock::new(head),
            tables: Mutex::default(),
            stopped: AtomicBool::new(false),
        }
    }

    /// The newest head that was acknowledged.
    pub(crate) fn head(&self) -> Arc<SignedCheckpoint> {
        Arc::clone(&self.head.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// A head was acknowledged; an older one than the newest changes nothing.
    pub(crate) fn acknowledged(&self, head: &Arc<SignedCheckpoint>) {
        let mut newest = self.head.write().unwrap_or_else(PoisonError::into_inner);
        if head.checkpoint().size > newest.checkpoint().size {
            *newest = Arc::clone(head);
            drop(newest);
            if let Some(following) = self.following.get() {
                following.wake();
            }
        }
    }

    /// Live certification.
    pub(crate) fn following(&self) -> Result<Arc<Following>, Problem> {
        self.following.get().cloned().ok_or_else(Problem::not_certified)
    }

    pub(crate) fn table(&self, name: &str) -> TableLock {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tables.entry(name.to_owned()).or_default())
    }

    /// The log stopped: nothing more is acknowledged.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

pub(crate) fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}

/// Microseconds since 1970 UTC.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
