//! Logs summaries of suppressed refusals even if no further ones come, and the rest at a stop.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::RefusalLog;

/// Time between two checks.
const LOOK: Duration = Duration::from_secs(1);

/// The summary thread; when this is dropped it logs the rest and ends.
#[derive(Debug)]
pub(crate) struct SummaryThread {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl SummaryThread {
    pub(crate) fn start(refusal_log: Arc<RefusalLog>) -> io::Result<Self> {
        let (stop, stopped) = channel();
        let thread = std::thread::Builder::new()
            .name("noise".to_owned())
            .spawn(move || keep(&refusal_log, &stopped))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for SummaryThread {
    fn drop(&mut self) {
        drop(self.stop.take());
        // A panic of the thread was already printed.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn keep(refusal_log: &RefusalLog, stopped: &Receiver<()>) {
    while stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        refusal_log.report(Instant::now());
    }
    refusal_log.report_all();
}
