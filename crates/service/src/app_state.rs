//! The state that all requests share: the handle of the log's writer, the newest checkpoint, and the limits.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use door::{Connections, Expiry};
use prometheus_client::metrics::counter::Counter;
use replay::Program;
use sealed_log::entry::ProducerId;
use sealed_log::writer::{ReopenError, SequencerHandle};
use sealed_log_sled::SledReader;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tokio::sync::Semaphore;

use crate::live::following::Following;
use crate::live::house::HouseBoard;
use crate::live::witnessing::Witnessing;
use crate::observe::metrics::Metrics;
use crate::problem::Problem;
use crate::routes::archive::ARCHIVES;
use crate::routes::bodies::Bodies;
use crate::routes::findings::STREAMS;
use crate::routes::streams::Streams;
use intake::clock::now;
use intake::{Counts, Intake, IntakeError, Observer};

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
    /// Takes posts in.
    pub(crate) intake: Arc<Intake<SledReader>>,
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
    acknowledged: Arc<Acknowledged>,
    stopped: Arc<AtomicBool>,
    /// Whether posts are refused, because the log is written another way.
    refuses_posts: AtomicBool,
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
        let acknowledged = Arc::new(Acknowledged {
            counters: Arc::clone(&instruments.metrics),
            following: OnceLock::new(),
            checkpoint_signed_at: AtomicI64::new(now()),
        });
        Self {
            key,
            producer,
            bounds,
            post_slots: Arc::new(Semaphore::new(bounds.posts)),
            intake: Arc::new(Intake::new(log.clone(), bounds.body, Arc::clone(&acknowledged) as _)),
            log,
            bodies: Bodies::new(
                bounds.body,
                bounds.body.saturating_mul(bounds.posts.min(LONGEST_BODIES)),
                BODY_TIME,
            ),
            forms: Bodies::new(FORM, FORM * FORMS, FORM_TIME),
            streams: Streams::new(share(STREAMS)),
            archives: Arc::new(Semaphore::new(share(ARCHIVES))),
            searches: Arc::new(Semaphore::new(1)),
            acknowledged,
            witnessing: OnceLock::new(),
            house: OnceLock::new(),
            counters: instruments.metrics,
            program: OnceLock::new(),
            is_https: OnceLock::new(),
            tls_expiry: OnceLock::new(),
            stopped: instruments.stopped,
            refuses_posts: AtomicBool::new(false),
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

    /// A reader of the log as of its newest commit.
    pub(crate) fn reader(&self) -> Result<SledReader, Problem> {
        Ok(self.log.reader().map_err(IntakeError::from)?)
    }

    /// Live certification, if it is enabled.
    pub(crate) fn certification(&self) -> Option<&Arc<Following>> {
        self.acknowledged.following.get()
    }

    /// Live certification, or a problem if it is not enabled.
    pub(crate) fn following(&self) -> Result<Arc<Following>, Problem> {
        self.certification().cloned().ok_or_else(Problem::not_certified)
    }

    /// Enables live certification.
    pub(crate) fn certify(&self, following: Arc<Following>) {
        // A service has one follower; a second one is not started.
        let _ = self.acknowledged.following.set(following);
    }

    /// When the newest checkpoint was signed, microseconds since 1970 UTC.
    pub(crate) fn checkpoint_signed_at(&self) -> i64 {
        self.acknowledged.checkpoint_signed_at.load(Ordering::Relaxed)
    }

    /// The checkpoint with which the service started was signed at this earlier time.
    pub(crate) fn checkpoint_was_signed(&self, at: i64) {
        self.acknowledged.checkpoint_signed_at.fetch_min(at, Ordering::Relaxed);
    }

    pub(crate) fn posts_in_work(&self) -> usize {
        self.bounds.posts.saturating_sub(self.post_slots.available_permits())
    }

    pub(crate) const fn connections(&self) -> &Connections {
        &self.connections
    }

    /// Opens a stopped log again. This blocks, so it must not be called on an async thread.
    pub(crate) fn reopen(&self) -> Result<u64, ReopenError> {
        let opened = || {
            self.acknowledged.note();
            self.stopped.store(false, Ordering::Relaxed);
        };
        Ok(self.intake.reopen(opened)?.checkpoint().size)
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

/// What happens whenever entries were acknowledged.
#[derive(Debug)]
struct Acknowledged {
    counters: Arc<Metrics>,
    /// Live certification, if it is enabled.
    following: OnceLock<Arc<Following>>,
    /// When the newest checkpoint was signed, microseconds since 1970 UTC.
    checkpoint_signed_at: AtomicI64,
}

impl Acknowledged {
    /// There is a new checkpoint.
    fn note(&self) {
        self.checkpoint_signed_at.store(now(), Ordering::Relaxed);
        if let Some(following) = self.following.get() {
            following.wake();
        }
    }
}

impl Observer for Acknowledged {
    fn taken(&self, counts: &Counts) {
        let Counts { recorded, already_there, conflicts, not_compared: _ } = counts;
        add(&self.counters.events, *recorded);
        add(&self.counters.repeated, *already_there);
        add(&self.counters.conflicts, *conflicts);
    }

    fn acknowledged(&self, entries: usize, took: Duration) {
        self.counters.post_durable(took);
        self.note();
        add(&self.counters.entries, entries as u64);
    }
}

pub(crate) fn add(counter: &Counter, count: u64) {
    counter.inc_by(count);
}
