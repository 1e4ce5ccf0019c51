//! Tells of what was held back also when nothing more comes, and the rest of it at a stop.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Noise;

/// Between two looks.
const LOOK: Duration = Duration::from_secs(1);

/// The thread that tells; when this is dropped it tells the rest and ends.
#[derive(Debug)]
pub(crate) struct Keeper {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    pub(crate) fn start(noise: Arc<Noise>) -> io::Result<Self> {
        let (stop, stopped) = channel();
        let thread =
            std::thread::Builder::new().name("noise".to_owned()).spawn(move || keep(&noise, &stopped))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.stop.take());
        // One that broke down is told by the panic itself.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn keep(noise: &Noise, stopped: &Receiver<()>) {
    while stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        noise.tell(Instant::now());
    }
    noise.tell_all();
}
