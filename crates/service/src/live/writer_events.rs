//! Observes the log's writer: counts commits, logs when and why it stops, and opens it again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use sealed_log::writer::Committed;
use sealed_log::writer::Supervisor;
use sealed_log_sled::{KeptCheckpoint, SledStore, Writer};
use tracing::error;

use crate::observe::metrics::Metrics;

/// Opens the log with all the checks of a start.
pub(crate) type Opener = Box<dyn FnMut() -> Result<Writer, String> + Send>;

/// The observer that runs on the writer's thread.
pub(crate) struct WriterObserver {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) stopped: Arc<AtomicBool>,
    /// Empty until it is known how to open the log.
    pub(crate) opener: Arc<OnceLock<Mutex<Opener>>>,
}

impl Supervisor<SledStore, KeptCheckpoint> for WriterObserver {
    fn committed(&mut self, committed: &Committed) {
        self.metrics.committed(committed);
    }

    fn stopped(&mut self, why: &str) {
        self.stopped.store(true, Ordering::Relaxed);
        self.metrics.stops.inc();
        error!(cause = why, "the log has stopped; nothing is recorded until it is opened anew");
    }

    fn reopen(&mut self) -> Result<Writer, String> {
        let opener =
            self.opener.get().ok_or("nobody said how this log is opened; start the service again")?;
        (opener.lock().unwrap_or_else(PoisonError::into_inner))()
    }
}
