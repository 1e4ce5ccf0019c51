//! Work beside the requests: measures the log's folder, and opens a stopped log again once its disk has free
//! space.
//!
//! It answers no requests. The checks of `sealed-log` decide whether a reopened log may be used.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, UNIX_EPOCH};

use sealed_log_sled::LogFolder;
use tracing::{info, warn};

use crate::app_state::AppState;

/// Time between two checks of the log's state.
const LOOK: Duration = Duration::from_secs(2);
/// Time between two measurements of the folder.
const MEASURE: Duration = Duration::from_secs(10);
/// Longest time between two attempts to open a log whose disk has free space.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The maintenance thread; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Maintenance {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Maintenance {
    pub(crate) fn start(app: Arc<AppState>, folder: LogFolder) -> std::io::Result<Self> {
        let (stop, stopped) = channel();
        let round = Round { app, folder, measured: None, pause: LOOK, next_try: None, reported: false };
        let thread =
            std::thread::Builder::new().name("caretaker".to_owned()).spawn(move || round.walk(&stopped))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Maintenance {
    fn drop(&mut self) {
        drop(self.stop.take());
        // A panic of the thread was already printed; the log closes all the same.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// What is remembered between two checks.
struct Round {
    app: Arc<AppState>,
    folder: LogFolder,
    measured: Option<Instant>,
    /// How long to wait after a failed attempt.
    pause: Duration,
    next_try: Option<Instant>,
    /// Whether the lack of space was already logged.
    reported: bool,
}

impl Round {
    fn walk(mut self, stopped: &Receiver<()>) {
        let signed = self.folder.checkpoint().metadata().and_then(|file| file.modified());
        if let Some(since) = signed.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()) {
            self.app.checkpoint_was_signed(i64::try_from(since.as_micros()).unwrap_or(i64::MAX));
        }
        loop {
            if self.measured.is_none_or(|at| at.elapsed() >= MEASURE) {
                self.measure();
            }
            if self.app.is_stopped() && self.next_try.is_none_or(|at| Instant::now() >= at) {
                self.reopen();
            }
            match stopped.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn measure(&mut self) {
        self.measured = Some(Instant::now());
        match self.folder.bytes() {
            Ok(bytes) => {
                self.app.counters.disk.set(i64::try_from(bytes).unwrap_or(i64::MAX));
            }
            Err(error) => warn!(%error, "the log's folder cannot be measured"),
        }
        match self.folder.free() {
            Ok(bytes) => {
                self.app.counters.disk_free.set(i64::try_from(bytes).unwrap_or(i64::MAX));
            }
            Err(error) => warn!(%error, "the free space of the log's disk cannot be measured"),
        }
    }

    fn reopen(&mut self) {
        if let Err(error) = self.folder.has_space() {
            if !self.reported {
                warn!(%error, "the log stays stopped until the disk has free space; what is recorded can be read");
            }
            self.reported = true;
            return;
        }
        match self.app.reopen() {
            Ok(size) => {
                self.app.counters.reopened.inc();
                (self.pause, self.next_try, self.reported) = (LOOK, None, false);
                info!(size, "the log was opened anew and checked; posts are taken again");
            }
            Err(error) => {
                self.next_try = Some(Instant::now() + self.pause);
                warn!(%error, again_in_seconds = self.pause.as_secs(), "the log stays closed");
                self.pause = (self.pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}
