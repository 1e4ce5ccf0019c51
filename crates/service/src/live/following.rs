//! Live certification: a separate thread follows the log and judges it. Ingest does not wait for it; if it
//! fails, what is recorded stays recorded.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use follower::{Begun, FollowError, Follower};
use sealed_log::store::StoreReader as _;
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tokio::sync::watch;
use tracing::{error, info, warn};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::live::webhook::{Deliveries, Webhook, WebhookSender};
use crate::problem::Problem;
use crate::routes::openapi::FollowerStateSchema;
use intake::IntakeError;

/// Most entries judged before readers of the follower get a turn.
const ENTRIES_AT_ONCE: usize = 4_096;
/// Longest pause before the follower checks for entries by itself.
const PAUSE: Duration = Duration::from_millis(500);
/// Debounce: pause between waking and reading. Under load one step then covers many commits, and each step
/// checks a signature.
const DEBOUNCE: Duration = Duration::from_millis(10);
/// With at least this many entries to judge, the follower continues without a pause.
const FAR_BEHIND: u64 = 1_024;
/// The nice value of the follower's thread, so that recording comes first on a busy machine. The follower
/// then falls behind and catches up later.
const NICE: i32 = 10;
/// Most time between two saved certificates while entries arrive.
const SAVE_EVERY: Duration = Duration::from_secs(30);
/// Most entries between two saved certificates.
const SAVE_AFTER: u64 = 100_000;
/// First pause after a failed write (a full disk); each further pause is twice as long.
const FIRST_RETRY: Duration = Duration::from_secs(2);
/// Longest pause after a failed write.
const LONGEST_RETRY: Duration = Duration::from_secs(60);
/// A follower that panics this often without progress is not restarted.
const MOST_BREAKDOWNS: u32 = 3;

/// The state of live certification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state", content = "why")]
pub(crate) enum FollowerState {
    /// It judges entries as they come.
    Following,
    /// It has stopped. If the cause may pass it continues by itself, else after the service is restarted.
    Stopped(String),
}

/// How far live certification is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Progress {
    /// Entries of the log that were judged.
    pub(crate) judged: u64,
    /// Entries of the log.
    pub(crate) size: u64,
    #[schema(value_type = FollowerStateSchema)]
    follower: FollowerState,
}

impl Progress {
    pub(crate) fn of(following: &Following, app: &AppState) -> Self {
        let judged = following.follower().last_checkpoint().map_or(0, |signed| signed.checkpoint().size);
        Self { judged, size: app.signed_checkpoint().checkpoint().size, follower: following.state() }
    }
}

/// The follower and its thread, shared with all requests.
#[derive(Debug)]
pub(crate) struct Following {
    folder: PathBuf,
    follower: RwLock<Follower>,
    state: Mutex<FollowerState>,
    published: watch::Sender<u64>,
    stopping: AtomicBool,
    thread: Mutex<Option<Thread>>,
    deliveries: Arc<Deliveries>,
    begun: Begun,
}

impl Following {
    pub(crate) fn open(folder: &Path, key: VerifierKey) -> Result<Arc<Self>, FollowError> {
        let (follower, begun) = Follower::open(folder, key)?;
        let published = follower.findings().published();
        Ok(Arc::new(Self {
            folder: folder.to_owned(),
            follower: RwLock::new(follower),
            state: Mutex::new(FollowerState::Following),
            published: watch::Sender::new(published),
            stopping: AtomicBool::new(false),
            thread: Mutex::default(),
            deliveries: Arc::default(),
            begun,
        }))
    }

    /// The sender that posts findings to this webhook.
    pub(crate) fn webhook_sender(self: &Arc<Self>, webhook: Webhook, origin: &str) -> WebhookSender {
        WebhookSender::new(webhook, origin, &self.folder, Arc::clone(self), Arc::clone(&self.deliveries))
    }

    /// How far the webhook is.
    pub(crate) fn deliveries(&self) -> &Deliveries {
        &self.deliveries
    }

    /// The follower; it does not judge while this is held.
    pub(crate) fn follower(&self) -> RwLockReadGuard<'_, Follower> {
        self.follower.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notified whenever findings are published, with their number.
    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.published.subscribe()
    }

    pub(crate) fn state(&self) -> FollowerState {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether nothing is judged for now.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state() != FollowerState::Following
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Wakes the thread: there is a new checkpoint.
    pub(crate) fn wake(&self) {
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            thread.unpark();
        }
    }

    /// Ends streams and the thread; the thread saves a last certificate.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.published.send_modify(|_| {});
        self.wake();
    }

    pub(crate) fn start(self: &Arc<Self>, app: &Arc<AppState>) -> std::io::Result<JoinHandle<()>> {
        let (following, app) = (Arc::clone(self), Arc::clone(app));
        let thread =
            std::thread::Builder::new().name("follower".to_owned()).spawn(move || following.run(&app))?;
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread.thread().clone());
        Ok(thread)
    }

    fn run(&self, app: &AppState) {
        // On Linux this sets the value of this thread alone. If it fails, the thread runs with normal
        // priority.
        let _ = rustix::process::nice(NICE);
        match &self.begun {
            Begun::From(size) => info!(size, "live certification goes on from its last certificate"),
            Begun::Anew(None) => info!("live certification begins"),
            Begun::Anew(Some(why)) => warn!(why, "live certification begins anew"),
        }
        let (mut breakdowns, mut farthest, mut pause) = (0, 0, FIRST_RETRY);
        loop {
            let ended = catch_unwind(AssertUnwindSafe(|| self.follow(app)));
            let why = match ended {
                Ok(Ok(())) => return,
                Ok(Err(error @ FollowError::Folder { .. })) => {
                    pause = if self.follower().size() > farthest { FIRST_RETRY } else { pause };
                    farthest = farthest.max(self.follower().size());
                    if self.resumes(app, &error, pause) {
                        pause = LONGEST_RETRY.min(pause * 2);
                        continue;
                    }
                    return;
                }
                Ok(Err(error)) => return self.give_up(error.to_string()),
                Err(_) => "the follower broke down; this is a mistake of this program".to_owned(),
            };
            let size = self.follower().size();
            breakdowns = if size > farthest { 1 } else { breakdowns + 1 };
            farthest = farthest.max(size);
            let key = app.key.clone();
            match Follower::open(&self.folder, key) {
                Ok((anew, _)) if breakdowns < MOST_BREAKDOWNS => {
                    warn!(
                        size = anew.size(),
                        "the follower broke down and goes on from its last certificate"
                    );
                    self.take_up(anew);
                }
                Ok(_) => return self.give_up(why),
                Err(error) => return self.give_up(error.to_string()),
            }
        }
    }

    /// Waits until the follower can continue from its last certificate; `false` if it cannot, or if the
    /// service stops.
    fn resumes(&self, app: &AppState, error: &FollowError, pause: Duration) -> bool {
        warn!(why = %error, again_in = ?pause, "live certification is paused; recording goes on");
        self.set_state(FollowerState::Stopped(error.to_string()));
        loop {
            let begun = Instant::now();
            while begun.elapsed() < pause && !self.is_stopping() {
                std::thread::park_timeout(pause.saturating_sub(begun.elapsed()));
            }
            if self.is_stopping() {
                return false;
            }
            match Follower::open(&self.folder, app.key.clone()) {
                Ok((anew, _)) => {
                    info!(size = anew.size(), "live certification goes on from its last certificate");
                    self.take_up(anew);
                    self.set_state(FollowerState::Following);
                    return true;
                }
                Err(FollowError::Folder { .. }) => {}
                Err(error) => {
                    self.give_up(error.to_string());
                    return false;
                }
            }
        }
    }

    fn take_up(&self, anew: Follower) {
        *self.follower.write().unwrap_or_else(PoisonError::into_inner) = anew;
        self.follower.clear_poison();
    }

    fn give_up(&self, why: String) {
        error!(why, "live certification has stopped; recording goes on");
        self.set_state(FollowerState::Stopped(why));
    }

    fn set_state(&self, state: FollowerState) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        self.published.send_modify(|_| {});
    }

    /// Follows until the service stops.
    fn follow(&self, app: &AppState) -> Result<(), FollowError> {
        let (mut saved, mut saved_at) = (self.follower().size(), Instant::now());
        let mut towards = None;
        while !self.is_stopping() {
            let got_on = self.step(app, &mut towards)?;
            let size = self.follower().size();
            let due = size >= saved + SAVE_AFTER || (size > saved && saved_at.elapsed() >= SAVE_EVERY);
            if due && self.follower().current_checkpoint().is_some() {
                self.follower().save()?;
                (saved, saved_at) = (size, Instant::now());
            }
            if !got_on {
                std::thread::park_timeout(PAUSE);
                std::thread::sleep(DEBOUNCE);
            }
        }
        self.follower().save()
    }

    /// Judges entries up to a checkpoint, which stays the target until it is reached: findings are then
    /// published even if more is recorded than can be judged. Returns whether there is more to judge now.
    fn step(&self, app: &AppState, towards: &mut Option<Arc<SignedCheckpoint>>) -> Result<bool, FollowError> {
        let signed = Arc::clone(towards.get_or_insert_with(|| app.signed_checkpoint()));
        let (from, size) = (self.follower().size(), signed.checkpoint().size);
        if from < size {
            let most = usize::try_from(size - from).unwrap_or(usize::MAX).min(ENTRIES_AT_ONCE);
            // A log that has stopped or cannot be read is reported elsewhere.
            let Ok(entries) = some_entries(app, from, most) else {
                return Ok(false);
            };
            self.follower.write().unwrap_or_else(PoisonError::into_inner).read(&entries)?;
            if entries.is_empty() || from + (entries.len() as u64) < size {
                return Ok(!entries.is_empty());
            }
        }
        *towards = None;
        if self.follower().last_checkpoint().is_some_and(|reached| reached == &*signed) {
            return Ok(false);
        }
        let published = self.follower.write().unwrap_or_else(PoisonError::into_inner).reach(&signed)?;
        self.published.send_if_modified(|known| std::mem::replace(known, published) != published);
        Ok(app.signed_checkpoint().checkpoint().size.saturating_sub(size) > FAR_BEHIND)
    }
}

/// Reads the next entries without the log's writer; the store returns one stored group of entries at a time.
fn some_entries(app: &AppState, from: u64, most: usize) -> Result<Vec<Vec<u8>>, Problem> {
    let (store, mut entries) = (app.reader()?, Vec::new());
    while entries.len() < most {
        let next = from + entries.len() as u64;
        let more = store.read(next, most - entries.len()).map_err(IntakeError::from)?;
        if more.is_empty() {
            break;
        }
        entries.extend(more);
    }
    Ok(entries)
}
