//! Ends a stop in time, whatever is still running. What was acknowledged is durable, so nothing is worth a
//! longer wait.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// A timer that runs until it is dropped.
#[derive(Debug)]
pub(crate) struct Deadline {
    _running: Sender<()>,
}

impl Deadline {
    /// Starts a timer that calls `late` when `time` has passed.
    pub(crate) fn begin(time: Duration, late: impl FnOnce() + Send + 'static) -> std::io::Result<Self> {
        let (running, ended) = channel::<()>();
        let watch = move || {
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                late();
            }
        };
        std::thread::Builder::new().name("deadline".to_owned()).spawn(watch)?;
        Ok(Self { _running: running })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn who_is_done_in_time_is_not_late() {
        let (late, reported) = channel();
        let again = late.clone();
        drop(Deadline::begin(Duration::from_millis(100), move || late.send("first").unwrap()).unwrap());
        let second = Deadline::begin(Duration::from_millis(300), move || again.send("second").unwrap());
        assert_eq!(reported.recv_timeout(Duration::from_secs(20)).unwrap(), "second");
        drop(second.unwrap());
        assert!(reported.recv().is_err(), "nobody else was late");
    }
}
