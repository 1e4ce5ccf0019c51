//! The state that all requests share: the handle of the log's writer, the newest checkpoint, and the limits.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::Duration;

use door::{Connections, Expiry};
use prometheus_client::metrics::counter::Counter;
use replay::Program;
use sealed_log::entry::ProducerId;
use sealed_log::writer::{ReopenError, SequencerHandle};
use sealed_log_sled::SledReader;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tokio::sync::{RwLockReadGuard, Semaphore};

use crate::live::following::Following;
use crate::live::house::HouseBoard;
use crate::live::witnessing::Witnessing;
use crate::observe::metrics::Metrics;
use crate::problem::Problem;
use crate::routes::archive::ARCHIVES;
use crate::routes::bodies::Bodies;
use crate::routes::findings::STREAMS;
use crate::routes::streams::Streams;
use intake::IntakeError;
use intake::TableCache;
use intake::clock::now;

/// Limits for one post and for all posts together.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Longest body of a post, bytes.
    pub body: usize,
    /// Most posts that are processed at the same time; others are rejected with 429.
    pub posts: usize,
}

/// Longest time for receiving a body.
const BODY_TIME: Duration = Duration::from_secs(30);
/// Longest form, bytes: a token's text and an address to go back to.
const FORM: usize = 8 << 10;
/// All forms together use at most the memory of so many.
const FORMS: usize = 64;
/// Longest time for receiving a form.
const FORM_TIME: Duration = Duration::from_secs(10);
/// All bodies together use at most the memory of so many bodies of the greatest length.
const LONGEST_BODIES: usize = 16;
/// Long posts that are processed hold at most so many bodies of the greatest length; decoded they take
/// several times that.
const LONGEST_AT_WORK: usize = 4;

impl Default for Bounds {
    fn default() -> Self {
        Self { body: 8 << 20, posts: 512 }
    }
}

/// Parts that are shared with the server and the writer's observer.
#[derive(Debug)]
pub(crate) struct Instruments {
    pub(crate) metrics: Arc<Metrics>,
    /// Whether the log has stopped; set by the writer's observer.
    pub(crate) stopped: Arc<AtomicBool>,
    pub(crate) connections: Connections,
}

/// The state that all requests share.
#[derive(Debug)]
pub(crate) struct AppState {
    pub(crate) log: SequencerHandle<SledReader>,
    pub(crate) key: VerifierKey,
    pub(crate) producer: ProducerId,
    pub(crate) bounds: Bounds,
    pub(crate) post_slots: Arc<Semaphore>,
    /// Limits processor-bound work to one less than the number of processors.
    pub(crate) cpu_permits: Semaphore,
    /// Limits the bytes of long posts that are processed.
    pub(crate) long_posts: Semaphore,
    /// Bodies of posts.
    pub(crate) bodies: Arc<Bodies>,
    /// Forms that somebody fills in, with or without a token.
    pub(crate) forms: Arc<Bodies>,
    /// Streams of findings.
    pub(crate) streams: Arc<Streams>,
    /// Archives being written.
    pub(crate) archives: Arc<Semaphore>,
    /// Searches for a digest.
    pub(crate) searches: Arc<Semaphore>,
    /// Live certification, if it is enabled.
    pub(crate) following: OnceLock<Arc<Following>>,
    /// What witnesses said of the log, where the service asks them.
    pub(crate) witnessing: OnceLock<Arc<Witnessing>>,
    /// The fleet that the service writes a partition of, if it does.
    pub(crate) house: OnceLock<Arc<HouseBoard>>,
    pub(crate) counters: Arc<Metrics>,
    /// The program that serves, if it said so.
    pub(crate) program: OnceLock<Program>,
    /// Whether people reach it over HTTPS: the service's own, or that of a proxy before it.
    pub(crate) is_https: OnceLock<()>,
    /// When its TLS certificate expires, with TLS.
    pub(crate) tls_expiry: OnceLock<Expiry>,
    /// When the newest checkpoint was signed, microseconds since 1970 UTC.
    checkpoint_signed_at: AtomicI64,
    pub(crate) tables: TableCache,
    stopped: Arc<AtomicBool>,
    /// Whether posts are refused, because the log is written another way.
    refuses_posts: AtomicBool,
    /// Posts hold this for reading from the comparison with the log until the answer; reopening the log holds
    /// it for writing. So a post's entries go to the log it was compared with.
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
        // Long requests may use only a part of the connection slots.
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
            bodies: Bodies::new(
                bounds.body,
                bounds.body.saturating_mul(bounds.posts.min(LONGEST_BODIES)),
                BODY_TIME,
            ),
            forms: Bodies::new(FORM, FORM * FORMS, FORM_TIME),
            streams: Streams::new(share(STREAMS)),
            archives: Arc::new(Semaphore::new(share(ARCHIVES))),
            searches: Arc::new(Semaphore::new(1)),
            following: OnceLock::new(),
            witnessing: OnceLock::new(),
            house: OnceLock::new(),
            counters: instruments.metrics,
            program: OnceLock::new(),
            is_https: OnceLock::new(),
            tls_expiry: OnceLock::new(),
            checkpoint_signed_at: AtomicI64::new(now()),
            tables: TableCache::default(),
            stopped: instruments.stopped,
            refuses_posts: AtomicBool::new(false),
            reopen_lock: tokio::sync::RwLock::default(),
            connections: instruments.connections,
        }
    }

    /// The URL scheme that clients use: `http` or `https`.
    pub(crate) fn scheme(&self) -> &'static str {
        if self.is_https.get().is_some() { "https" } else { "http" }
    }

    /// The newest durable checkpoint.
    pub(crate) fn signed_checkpoint(&self) -> Arc<SignedCheckpoint> {
        self.log.signed_checkpoint()
    }

    /// The newest checkpoint that enough witnesses signed, with their cosignatures.
    pub(crate) fn cosigned(&self) -> Option<Arc<SignedCheckpoint>> {
        self.witnessing.get().and_then(|witnessing| witnessing.cosigned())
    }

    /// This checkpoint, with the cosignatures of its witnesses where it has enough of them.
    pub(crate) fn with_cosignatures(&self, signed: Arc<SignedCheckpoint>) -> Arc<SignedCheckpoint> {
        self.cosigned().filter(|cosigned| cosigned.checkpoint() == signed.checkpoint()).unwrap_or(signed)
    }

    /// The checkpoint that a proof of this entry leads to: the newest one that enough witnesses signed, where it
    /// covers the entry.
    pub(crate) fn checkpoint_for(&self, index: u64) -> Arc<SignedCheckpoint> {
        let cosigned = self.cosigned().filter(|cosigned| index < cosigned.checkpoint().size);
        cosigned.unwrap_or_else(|| self.signed_checkpoint())
    }

    /// Called after entries were acknowledged: there is a new checkpoint.
    pub(crate) fn acknowledged(&self) {
        self.checkpoint_signed_at.store(now(), Ordering::Relaxed);
        if let Some(following) = self.following.get() {
            following.wake();
        }
    }

    /// A reader of the log as of its newest commit.
    pub(crate) fn reader(&self) -> Result<SledReader, Problem> {
        Ok(self.log.reader().map_err(IntakeError::from)?)
    }

    /// Live certification, or a problem if it is not enabled.
    pub(crate) fn following(&self) -> Result<Arc<Following>, Problem> {
        self.following.get().cloned().ok_or_else(Problem::not_certified)
    }

    /// When the newest checkpoint was signed, microseconds since 1970 UTC.
    pub(crate) fn checkpoint_signed_at(&self) -> i64 {
        self.checkpoint_signed_at.load(Ordering::Relaxed)
    }

    /// The checkpoint with which the service started was signed at this earlier time.
    pub(crate) fn checkpoint_was_signed(&self, at: i64) {
        self.checkpoint_signed_at.fetch_min(at, Ordering::Relaxed);
    }

    pub(crate) fn posts_in_work(&self) -> usize {
        self.bounds.posts.saturating_sub(self.post_slots.available_permits())
    }

    pub(crate) const fn connections(&self) -> &Connections {
        &self.connections
    }

    /// Held from before a post is compared with the log until it is answered.
    pub(crate) fn reopen_lock(&self) -> Result<RwLockReadGuard<'_, ()>, Problem> {
        self.reopen_lock.try_read().map_err(|_| Problem::stopped("the log is being opened anew"))
    }

    /// Opens a stopped log again. This blocks, so it must not be called on an async thread. What was cached
    /// of its tables is dropped: entries that were never acknowledged may exist after all.
    pub(crate) fn reopen(&self) -> Result<u64, ReopenError> {
        let _nobody_else = self.reopen_lock.blocking_write();
        let signed = self.log.reopen()?;
        self.tables.forget();
        self.acknowledged();
        self.stopped.store(false, Ordering::Relaxed);
        Ok(signed.checkpoint().size)
    }

    pub(crate) fn refuse_posts(&self) {
        self.refuses_posts.store(true, Ordering::Relaxed);
    }

    pub(crate) fn refuses_posts(&self) -> bool {
        self.refuses_posts.load(Ordering::Relaxed)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

pub(crate) fn add(counter: &Counter, count: u64) {
    counter.inc_by(count);
}
