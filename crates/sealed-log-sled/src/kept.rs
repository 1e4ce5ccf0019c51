//! Keeps the newest signed checkpoint outside the store, which holds it already. It is written to the `head` file at
//! once, so that a program that is killed leaves it there; a thread of its own flushes that file, so that no append
//! waits for the flush; and soon after it is written as plain text to the file `checkpoint`, which people copy.

use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use sealed_log::writer::{CheckpointSink, CheckpointSinkError};
use tlog::checkpoint::SignedCheckpoint;

use crate::CheckpointFile;
use crate::slots::Slots;

/// Pause between two flushes of the `head` file.
const FLUSH_PAUSE: Duration = Duration::from_millis(5);
/// Pause between two writes of the file `checkpoint`.
const CHECKPOINT_PAUSE: Duration = Duration::from_millis(200);

/// Keeps the checkpoints of a log that is being written. Dropped, it leaves the newest in both files, unless they
/// cannot be written.
#[derive(Debug)]
pub struct KeptCheckpoint {
    slots: Arc<Slots>,
    synced: Copier,
}

impl KeptCheckpoint {
    pub(crate) fn open(head: &Path, mut checkpoint: CheckpointFile) -> Result<Self, CheckpointSinkError> {
        let failed = |error: io::Error| CheckpointSinkError(format!("{}: {error}", head.display()));
        let slots = Arc::new(Slots::open(head).map_err(failed)?);
        let copied =
            Copier::start("checkpoint", CHECKPOINT_PAUSE, true, move |signed| checkpoint.keep(signed));
        let (copied, written) = (copied.map_err(failed)?, Arc::clone(&slots));
        let synced = Copier::start("head", FLUSH_PAUSE, false, move |signed| {
            written.sync()?;
            // What cannot be written now (a full disk) is tried again; the checkpoint itself is safe.
            let _ = copied.hand_over(signed);
            Ok(())
        });
        Ok(Self { slots, synced: synced.map_err(failed)? })
    }
}

impl CheckpointSink for KeptCheckpoint {
    fn keep(&mut self, signed: &SignedCheckpoint) -> Result<(), CheckpointSinkError> {
        self.follow(&Arc::new(signed.clone()))?;
        self.synced.wait()
    }

    fn follow(&mut self, signed: &Arc<SignedCheckpoint>) -> Result<(), CheckpointSinkError> {
        self.slots.put(signed)?;
        self.synced.hand_over(signed)
    }
}

/// Brings the newest checkpoint to where it is kept, on a thread of its own.
#[derive(Debug)]
struct Copier {
    handover: Arc<Handover>,
    thread: Option<JoinHandle<()>>,
}

/// What the writer and the thread share.
#[derive(Debug, Default)]
struct Handover {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The newest checkpoint that is not there yet.
    newest: Option<Arc<SignedCheckpoint>>,
    /// The thread waits for a checkpoint: else it need not be woken for one.
    is_waiting: bool,
    /// The thread writes a checkpoint.
    is_writing: bool,
    /// Why the last try failed.
    failed: Option<CheckpointSinkError>,
    /// There will be no more checkpoints.
    is_last: bool,
}

impl Copier {
    /// With `again` what fails is tried again; else it has failed for good: a flush that is made again
    /// after it failed says nothing.
    fn start(
        name: &str,
        pause: Duration,
        again: bool,
        mut keep: impl FnMut(&Arc<SignedCheckpoint>) -> Result<(), CheckpointSinkError> + Send + 'static,
    ) -> io::Result<Self> {
        let handover = Arc::<Handover>::default();
        let receiver = Arc::clone(&handover);
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            while let Some(signed) = receiver.next() {
                let kept = keep(&signed);
                if !receiver.written(signed, kept.err(), again) {
                    return;
                }
                receiver.pause(pause);
            }
        })?;
        Ok(Self { handover, thread: Some(thread) })
    }

    /// Hands a checkpoint to the thread. An error is that of the checkpoint before.
    fn hand_over(&self, signed: &Arc<SignedCheckpoint>) -> Result<(), CheckpointSinkError> {
        let mut state = self.handover.state();
        state.newest = Some(Arc::clone(signed));
        if state.is_waiting {
            self.handover.changed.notify_all();
        }
        state.failed.clone().map_or(Ok(()), Err)
    }

    /// Waits until what was handed over is there.
    fn wait(&self) -> Result<(), CheckpointSinkError> {
        let ongoing =
            |state: &mut State| state.failed.is_none() && (state.newest.is_some() || state.is_writing);
        let state = self.handover.changed.wait_while(self.handover.state(), ongoing);
        state.unwrap_or_else(PoisonError::into_inner).failed.clone().map_or(Ok(()), Err)
    }
}

impl Drop for Copier {
    fn drop(&mut self) {
        self.handover.state().is_last = true;
        self.handover.changed.notify_all();
        drop(self.thread.take().map(JoinHandle::join));
    }
}

impl Handover {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a checkpoint; `None` when there will be none.
    fn next(&self) -> Option<Arc<SignedCheckpoint>> {
        let mut state = self.state();
        state.is_waiting = true;
        let waiting = |state: &mut State| state.newest.is_none() && !state.is_last;
        let mut state = self.changed.wait_while(state, waiting).unwrap_or_else(PoisonError::into_inner);
        (state.is_waiting, state.is_writing) = (false, true);
        state.newest.take()
    }

    /// Notes what became of a checkpoint; `false` where it was not written, and will not be.
    fn written(
        &self,
        signed: Arc<SignedCheckpoint>,
        failed: Option<CheckpointSinkError>,
        again: bool,
    ) -> bool {
        let mut state = self.state();
        state.is_writing = false;
        let goes_on = failed.is_none() || (again && !state.is_last);
        if failed.is_some() {
            state.newest.get_or_insert(signed);
        }
        state.failed = failed;
        self.changed.notify_all();
        goes_on
    }

    fn pause(&self, pause: Duration) {
        drop(self.changed.wait_timeout_while(self.state(), pause, |state| !state.is_last));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::slots::tests::signed;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Fails at its first `fails` tries; counts them.
    fn failing(fails: u32, again: bool) -> (Copier, Arc<AtomicU32>) {
        let tries = Arc::<AtomicU32>::default();
        let counted = Arc::clone(&tries);
        let keep = move |_: &Arc<SignedCheckpoint>| {
            let tried = counted.fetch_add(1, Ordering::SeqCst);
            if tried < fails { Err(CheckpointSinkError("disk full".to_owned())) } else { Ok(()) }
        };
        (Copier::start("test", PAUSE, again, keep).unwrap(), tries)
    }

    fn hand_over(copier: &Copier) -> Result<(), CheckpointSinkError> {
        copier.hand_over(&Arc::new(signed(0)))
    }

    const PAUSE: Duration = Duration::from_millis(1);

    #[test]
    fn a_checkpoint_that_could_not_be_flushed_is_an_error_for_good() {
        let (copier, tries) = failing(1, false);
        hand_over(&copier).unwrap();
        assert_eq!(copier.wait().unwrap_err(), CheckpointSinkError("disk full".to_owned()));
        std::thread::sleep(20 * PAUSE);
        assert!(hand_over(&copier).is_err() && copier.wait().is_err());
        drop(copier);
        assert_eq!(tries.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_failed_write_that_may_be_tried_again_is() {
        let (copier, tries) = failing(3, true);
        hand_over(&copier).unwrap();
        while tries.load(Ordering::SeqCst) < 4 {
            std::thread::sleep(PAUSE);
        }
        while copier.wait().is_err() {}
        hand_over(&copier).unwrap();
        drop(copier);
        assert_eq!(tries.load(Ordering::SeqCst), 5, "a last checkpoint is written, and none twice");
    }

    #[test]
    fn a_copier_that_can_write_nothing_ends_all_the_same() {
        let (copier, _) = failing(u32::MAX, true);
        hand_over(&copier).unwrap();
        drop(copier);
    }
}
