//! The newest signed head as a writer keeps it: durable in the file `head`, and as plain text in the file
//! `checkpoint` soon after, for whoever wants to take it away. Nobody waits for the latter.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use sealed_log::{HeadError, HeadSink, SignedCheckpoint};

use crate::HeadFile;
use crate::places::Places;

/// `checkpoint` is written no more often than this.
const PAUSE: Duration = Duration::from_millis(200);

/// Keeps the heads of a log that is being written. Dropped, it leaves the newest in `checkpoint` too.
#[derive(Debug)]
pub struct KeptHead {
    path: String,
    places: Places,
    copier: Copier,
}

impl KeptHead {
    pub(crate) fn open(head: &Path, checkpoint: HeadFile) -> Result<Self, HeadError> {
        let path = head.display().to_string();
        let failed = |error: std::io::Error| HeadError(format!("{path}: {error}"));
        let places = Places::open(head).map_err(failed)?;
        let copier = Copier::start(checkpoint).map_err(failed)?;
        Ok(Self { path, places, copier })
    }
}

impl HeadSink for KeptHead {
    fn keep(&mut self, head: &SignedCheckpoint) -> Result<(), HeadError> {
        self.places.put(head).map_err(|error| HeadError(format!("{}: {error}", self.path)))?;
        self.copier.tell(head.clone());
        Ok(())
    }
}

/// Copies the newest head to `checkpoint` on a thread of its own.
#[derive(Debug)]
struct Copier {
    told: Arc<(Mutex<Told>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Told {
    /// The newest head that is not in `checkpoint` yet.
    newest: Option<SignedCheckpoint>,
    is_last: bool,
}

impl Copier {
    fn start(mut checkpoint: HeadFile) -> std::io::Result<Self> {
        let told = Arc::<(Mutex<Told>, Condvar)>::default();
        let heard = Arc::clone(&told);
        let thread = std::thread::Builder::new().name("checkpoint".to_owned()).spawn(move || {
            while let Some(head) = next(&heard) {
                // What cannot be written now (a full disk) is tried again; the head itself is safe.
                if checkpoint.keep(&head).is_err() && !again(&heard, head) {
                    return;
                }
                pause(&heard);
            }
        })?;
        Ok(Self { told, thread: Some(thread) })
    }

    fn tell(&self, head: SignedCheckpoint) {
        self.change(|told| told.newest = Some(head));
    }

    fn change(&self, change: impl FnOnce(&mut Told)) {
        change(&mut self.told.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.told.1.notify_one();
    }
}

impl Drop for Copier {
    fn drop(&mut self) {
        self.change(|told| told.is_last = true);
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Waits for a head; `None` when there will be none.
fn next((told, changed): &(Mutex<Told>, Condvar)) -> Option<SignedCheckpoint> {
    let told = told.lock().unwrap_or_else(PoisonError::into_inner);
    let waiting = |told: &mut Told| told.newest.is_none() && !told.is_last;
    changed.wait_while(told, waiting).unwrap_or_else(PoisonError::into_inner).newest.take()
}

/// Leaves a head to be written later, unless there is a newer one; `false` where there is no later.
fn again((told, _): &(Mutex<Told>, Condvar), head: SignedCheckpoint) -> bool {
    let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
    let is_last = told.is_last;
    if !is_last {
        told.newest.get_or_insert(head);
    }
    !is_last
}

fn pause((told, changed): &(Mutex<Told>, Condvar)) {
    let told = told.lock().unwrap_or_else(PoisonError::into_inner);
    drop(changed.wait_timeout_while(told, PAUSE, |told| !told.is_last));
}
