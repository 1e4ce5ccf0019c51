//! Prints lines on a thread of its own, so that a reader of standard output that has stopped reading holds nobody up.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use crate::language::texts;
use crate::output;

/// Most lines that wait to be printed.
const WAITING: usize = 4_096;
/// Longest time that the end waits for lines that are not printed yet.
const LAST: Duration = Duration::from_secs(2);

/// The thread.
pub(crate) struct Printer {
    lines: Lines,
    done: Receiver<()>,
}

/// Where lines to print are handed in.
#[derive(Clone)]
pub(crate) struct Lines {
    sender: SyncSender<String>,
    /// Lines that found no space, since the last one that was printed.
    lost: Arc<AtomicU64>,
}

impl Lines {
    /// Prints a line later; it is dropped and counted while [`WAITING`] others wait.
    pub(crate) fn print(&self, line: String) {
        if self.sender.try_send(line).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Printer {
    pub(crate) fn start() -> Self {
        Self::start_with(|line| {
            // The reader of standard output may be gone; the caller goes on.
            let _ = output::print_shown(line);
        })
    }

    fn start_with(print: impl Fn(&str) + Send + 'static) -> Self {
        let (sender, receiver) = sync_channel::<String>(WAITING);
        let (finished, done) = sync_channel(1);
        let lost = Arc::<AtomicU64>::default();
        let lines = Lines { sender, lost: Arc::clone(&lost) };
        // Without a thread nobody takes the lines: they are counted as lost, and the caller goes on.
        let _ = std::thread::Builder::new().name("printer".to_owned()).spawn(move || {
            for line in receiver {
                print(&line);
                note_lost(&lost);
            }
            // Whoever waited may have waited long enough.
            let _ = finished.send(());
        });
        Self { lines, done }
    }

    pub(crate) fn lines(&self) -> Lines {
        self.lines.clone()
    }

    /// Waits a moment for what is not printed yet.
    pub(crate) fn finish(self) {
        let Self { lines: Lines { sender, lost }, done } = self;
        drop(sender);
        let _ = done.recv_timeout(LAST);
        note_lost(&lost);
    }
}

fn note_lost(lost: &AtomicU64) {
    match lost.swap(0, Ordering::Relaxed) {
        0 => {}
        lost => output::note(&texts().lines_not_printed(lost)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_reader_that_stops_holds_nobody_up_and_what_is_lost_is_counted() {
        let (stopped, printed) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(Vec::new())));
        let (gate, seen) = (Arc::clone(&stopped), Arc::clone(&printed));
        let printer = Printer::start_with(move |line| {
            drop(gate.lock().unwrap());
            seen.lock().unwrap().push(line.to_owned());
        });
        let lines = printer.lines();
        let lost = Arc::clone(&lines.lost);
        let reading = stopped.lock().unwrap();
        for number in 0..WAITING + 100 {
            lines.print(number.to_string());
        }
        let found = lost.load(Ordering::Relaxed);
        assert!((99..=100).contains(&found), "{found}");
        drop((reading, lines));
        printer.finish();
        let printed = printed.lock().unwrap();
        assert_eq!(printed.len(), WAITING + 100 - found as usize);
        assert_eq!((printed[0].as_str(), lost.load(Ordering::Relaxed)), ("0", 0));
    }
}
