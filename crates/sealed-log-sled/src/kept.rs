//! The newest signed head as a writer keeps it outside the store, which holds it already: written to the file
//! `head` at once, so that a program that is killed leaves it there, put on the medium by a thread of its own,
//! so that nobody waits for that, and as plain text in the file `checkpoint` soon after, for whoever wants to
//! take it away.

use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use sealed_log::{HeadError, HeadSink, SignedCheckpoint};

use crate::HeadFile;
use crate::places::Places;

/// `head` is put on the medium no more often than this,
const HEAD_PAUSE: Duration = Duration::from_millis(5);
/// and `checkpoint` written no more often than this.
const CHECKPOINT_PAUSE: Duration = Duration::from_millis(200);

/// Keeps the heads of a log that is being written. Dropped, it leaves the newest in both files.
#[derive(Debug)]
pub struct KeptHead {
    path: String,
    places: Arc<Places>,
    synced: Copier,
}

impl KeptHead {
    pub(crate) fn open(head: &Path, checkpoint: HeadFile) -> Result<Self, HeadError> {
        let path = head.display().to_string();
        let failed = |error: io::Error| HeadError(format!("{path}: {error}"));
        let places = Arc::new(Places::open(head).map_err(failed)?);
        let checkpoint = Copier::start("checkpoint", checkpoint, CHECKPOINT_PAUSE).map_err(failed)?;
        let synced = Synced { path: path.clone(), places: Arc::clone(&places), checkpoint };
        let synced = Copier::start("head", synced, HEAD_PAUSE).map_err(failed)?;
        Ok(Self { path, places, synced })
    }
}

impl HeadSink for KeptHead {
    fn keep(&mut self, head: &SignedCheckpoint) -> Result<(), HeadError> {
        self.follow(&Arc::new(head.clone()))?;
        self.synced.wait()
    }

    fn follow(&mut self, head: &Arc<SignedCheckpoint>) -> Result<(), HeadError> {
        self.places.put(head).map_err(|error| HeadError(format!("{}: {error}", self.path)))?;
        self.synced.tell(head)
    }
}

/// The file `head` on the medium, and who copies what stands there to `checkpoint`.
#[derive(Debug)]
struct Synced {
    path: String,
    places: Arc<Places>,
    checkpoint: Copier,
}

impl HeadSink for Synced {
    fn keep(&mut self, head: &SignedCheckpoint) -> Result<(), HeadError> {
        self.places.sync().map_err(|error| HeadError(format!("{}: {error}", self.path)))?;
        // What cannot be written now (a full disk) is tried again; the head itself is safe.
        let _ = self.checkpoint.tell(&Arc::new(head.clone()));
        Ok(())
    }
}

/// Brings the newest head to where it is kept, on a thread of its own; what fails is tried again.
#[derive(Debug)]
struct Copier {
    told: Arc<Told>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Told {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The newest head that is not there yet.
    newest: Option<Arc<SignedCheckpoint>>,
    doing: Doing,
    /// Why the last try failed.
    failed: Option<HeadError>,
    /// There will be no more heads.
    is_last: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Doing {
    #[default]
    Waiting,
    Writing,
    Pausing,
}

impl Copier {
    fn start(name: &str, mut file: impl HeadSink + 'static, pause: Duration) -> io::Result<Self> {
        let told = Arc::<Told>::default();
        let heard = Arc::clone(&told);
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            while let Some(head) = heard.next() {
                let kept = file.keep(&head);
                if !heard.written(head, kept.err(), pause) {
                    return;
                }
            }
        })?;
        Ok(Self { told, thread: Some(thread) })
    }

    /// Hands a head over. An error is that of the head before.
    fn tell(&self, head: &Arc<SignedCheckpoint>) -> Result<(), HeadError> {
        let mut state = self.told.state();
        state.newest = Some(Arc::clone(head));
        if state.doing == Doing::Waiting {
            self.told.changed.notify_all();
        }
        state.failed.clone().map_or(Ok(()), Err)
    }

    /// Waits until what was handed over is there.
    fn wait(&self) -> Result<(), HeadError> {
        let ongoing = |state: &mut State| {
            state.failed.is_none() && (state.newest.is_some() || state.doing == Doing::Writing)
        };
        let state = self.told.changed.wait_while(self.told.state(), ongoing);
        state.unwrap_or_else(PoisonError::into_inner).failed.clone().map_or(Ok(()), Err)
    }
}

impl Drop for Copier {
    fn drop(&mut self) {
        self.told.state().is_last = true;
        self.told.changed.notify_all();
        drop(self.thread.take().map(JoinHandle::join));
    }
}

impl Told {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a head; `None` when there will be none.
    fn next(&self) -> Option<Arc<SignedCheckpoint>> {
        let mut state = self.state();
        state.doing = Doing::Waiting;
        let waiting = |state: &mut State| state.newest.is_none() && !state.is_last;
        let mut state = self.changed.wait_while(state, waiting).unwrap_or_else(PoisonError::into_inner);
        state.doing = Doing::Writing;
        state.newest.take()
    }

    /// Notes what became of a head, and pauses; `false` where it was not written and there is no later.
    fn written(&self, head: Arc<SignedCheckpoint>, failed: Option<HeadError>, pause: Duration) -> bool {
        let mut state = self.state();
        state.doing = Doing::Pausing;
        if failed.is_some() {
            if state.is_last {
                return false;
            }
            state.newest.get_or_insert(head);
        }
        state.failed = failed;
        self.changed.notify_all();
        drop(self.changed.wait_timeout_while(state, pause, |state| !state.is_last));
        true
    }
}
