//! Live certification beside the service: a thread of its own follows the log and judges it. Ingest does
//! not wait for it; whatever happens to it, what is recorded stays recorded.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use follower::{Begun, FollowError, Follower};
use sealed_log::{SignedCheckpoint, StoreReader as _, VerifierKey};
use serde::Serialize;
use tokio::sync::watch;
use tracing::{error, info, warn};
use utoipa::ToSchema;

use crate::intake::IntakeError;
use crate::openapi::StandingTold;
use crate::problem::Problem;
use crate::room::Room;
use crate::webhook::{Teller, Telling, Webhook};

/// Most entries read before others may look at the follower.
const ENTRIES_AT_ONCE: usize = 4_096;
/// How long nothing may come before the follower looks by itself.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a follower that has caught up waits when it is woken, before it looks: under load a look takes in
/// many commits, for each of which a signature is checked.
const DEBOUNCE: Duration = Duration::from_millis(10);
/// A follower that is so many entries behind looks again at once.
const FAR_BEHIND: u64 = 1_024;
/// How much the follower's thread stands back behind those that record, where all processors are busy: it may
/// fall behind then, and catches up.
const STANDS_BACK: i32 = 10;
/// A certificate is kept this often while entries come,
const SAVE_EVERY: Duration = Duration::from_secs(30);
/// or after this many.
const SAVE_AFTER: u64 = 100_000;
/// A follower that cannot write (a full disk) tries again after this, and after twice as long each time,
const TRY_AGAIN: Duration = Duration::from_secs(2);
/// but no longer than this.
const TRY_AGAIN_MOST: Duration = Duration::from_secs(60);
/// A follower that breaks down this often without getting on is left alone.
const MOST_BREAKDOWNS: u32 = 3;

/// Whether the follower follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state", content = "why")]
pub(crate) enum Standing {
    /// It does.
    Following,
    /// It does not: what failed may pass, and then it goes on by itself; else until the service is started
    /// again.
    Stopped(String),
}

/// How far the follower is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Progress {
    /// Entries of the log that were judged,
    pub(crate) judged: u64,
    /// and how many it has.
    pub(crate) size: u64,
    #[schema(value_type = StandingTold)]
    follower: Standing,
}

impl Progress {
    pub(crate) fn of(following: &Following, room: &Room) -> Self {
        let judged = following.follower().last_checkpoint().map_or(0, |head| head.checkpoint().size);
        Self { judged, size: room.head().checkpoint().size, follower: following.standing() }
    }
}

/// What the follower found, for whoever asks.
#[derive(Debug)]
pub(crate) struct Following {
    folder: PathBuf,
    follower: RwLock<Follower>,
    standing: Mutex<Standing>,
    published: watch::Sender<u64>,
    stopping: AtomicBool,
    thread: Mutex<Option<Thread>>,
    telling: Arc<Telling>,
    begun: Begun,
}

impl Following {
    pub(crate) fn open(folder: &Path, key: VerifierKey) -> Result<Arc<Self>, FollowError> {
        let (follower, begun) = Follower::open(folder, key)?;
        let published = follower.findings().published();
        Ok(Arc::new(Self {
            folder: folder.to_owned(),
            follower: RwLock::new(follower),
            standing: Mutex::new(Standing::Following),
            published: watch::Sender::new(published),
            stopping: AtomicBool::new(false),
            thread: Mutex::default(),
            telling: Arc::default(),
            begun,
        }))
    }

    /// The thread that tells this webhook of findings.
    pub(crate) fn teller(self: &Arc<Self>, webhook: Webhook, origin: &str) -> Teller {
        Teller::new(webhook, origin, &self.folder, Arc::clone(self), Arc::clone(&self.telling))
    }

    /// How far a webhook was told.
    pub(crate) fn telling(&self) -> &Telling {
        &self.telling
    }

    /// The follower as it stands; it waits meanwhile.
    pub(crate) fn follower(&self) -> RwLockReadGuard<'_, Follower> {
        self.follower.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Told whenever findings are published: how many there are.
    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.published.subscribe()
    }

    pub(crate) fn standing(&self) -> Standing {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether nothing is judged for now.
    pub(crate) fn is_stopped(&self) -> bool {
        self.standing() != Standing::Following
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// There is a new head.
    pub(crate) fn wake(&self) {
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            thread.unpark();
        }
    }

    /// The service stops: streams end, the last certificate is kept.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.published.send_modify(|_| {});
        self.wake();
    }

    pub(crate) fn start(self: &Arc<Self>, room: &Arc<Room>) -> std::io::Result<JoinHandle<()>> {
        let (following, room) = (Arc::clone(self), Arc::clone(room));
        let thread =
            std::thread::Builder::new().name("follower".to_owned()).spawn(move || following.run(&room))?;
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread.thread().clone());
        Ok(thread)
    }

    fn run(&self, room: &Room) {
        // Of this thread alone, as Linux has it. Where it is not to be had the system decides.
        let _ = rustix::process::nice(STANDS_BACK);
        match &self.begun {
            Begun::From(size) => info!(size, "live certification goes on from its last certificate"),
            Begun::Anew(None) => info!("live certification begins"),
            Begun::Anew(Some(why)) => warn!(why, "live certification begins anew"),
        }
        let (mut breakdowns, mut farthest, mut pause) = (0, 0, TRY_AGAIN);
        loop {
            let ended = catch_unwind(AssertUnwindSafe(|| self.follow(room)));
            let why = match ended {
                Ok(Ok(())) => return,
                Ok(Err(error @ FollowError::Folder { .. })) => {
                    pause = if self.follower().size() > farthest { TRY_AGAIN } else { pause };
                    farthest = farthest.max(self.follower().size());
                    if self.resumes(room, &error, pause) {
                        pause = TRY_AGAIN_MOST.min(pause * 2);
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
            let key = room.key.clone();
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

    /// Waits until the follower can go on from its last certificate; `false` if it cannot, or the service
    /// stops.
    fn resumes(&self, room: &Room, error: &FollowError, pause: Duration) -> bool {
        warn!(why = %error, again_in = ?pause, "live certification stands still; recording goes on");
        self.stands(Standing::Stopped(error.to_string()));
        loop {
            let begun = Instant::now();
            while begun.elapsed() < pause && !self.is_stopping() {
                std::thread::park_timeout(pause.saturating_sub(begun.elapsed()));
            }
            if self.is_stopping() {
                return false;
            }
            match Follower::open(&self.folder, room.key.clone()) {
                Ok((anew, _)) => {
                    info!(size = anew.size(), "live certification goes on from its last certificate");
                    self.take_up(anew);
                    self.stands(Standing::Following);
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
        self.stands(Standing::Stopped(why));
    }

    fn stands(&self, standing: Standing) {
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = standing;
        self.published.send_modify(|_| {});
    }

    /// Follows until the service stops.
    fn follow(&self, room: &Room) -> Result<(), FollowError> {
        let (mut saved, mut saved_at) = (self.follower().size(), Instant::now());
        let mut towards = None;
        while !self.is_stopping() {
            let got_on = self.step(room, &mut towards)?;
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

    /// Reads on towards a head, which stays the same until it is reached: so there are findings also while
    /// more is recorded than can be judged. Gives whether there is more to be read now.
    fn step(&self, room: &Room, towards: &mut Option<Arc<SignedCheckpoint>>) -> Result<bool, FollowError> {
        let head = Arc::clone(towards.get_or_insert_with(|| room.head()));
        let (from, size) = (self.follower().size(), head.checkpoint().size);
        if from < size {
            let most = usize::try_from(size - from).unwrap_or(usize::MAX).min(ENTRIES_AT_ONCE);
            // A log that has stopped, or cannot be read here, is told of elsewhere.
            let Ok(entries) = some_entries(room, from, most) else {
                return Ok(false);
            };
            self.follower.write().unwrap_or_else(PoisonError::into_inner).read(&entries)?;
            if entries.is_empty() || from + (entries.len() as u64) < size {
                return Ok(!entries.is_empty());
            }
        }
        *towards = None;
        if self.follower().last_checkpoint().is_some_and(|reached| reached == &*head) {
            return Ok(false);
        }
        let published = self.follower.write().unwrap_or_else(PoisonError::into_inner).reach(&head)?;
        self.published.send_if_modified(|known| std::mem::replace(known, published) != published);
        Ok(room.head().checkpoint().size.saturating_sub(size) > FAR_BEHIND)
    }
}

/// Reads on beside the log's writer; a store gives a bundle at a time.
fn some_entries(room: &Room, from: u64, most: usize) -> Result<Vec<Vec<u8>>, Problem> {
    let (store, mut entries) = (room.reader()?, Vec::new());
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
