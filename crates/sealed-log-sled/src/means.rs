//! What sled needs of the machine, and does not work, or works on for ever, without: a clock after 1970, threads, memory.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// Sled makes up the name of a temporary folder from the time, and panics at an earlier one.
const EARLY_CLOCK: &str =
    "this machine's clock shows a time before 1970, at which no store can be opened; set the clock";
pub(crate) const NO_MEMORY: &str =
    "there is too little memory; raise the limit (ulimit -v), stop others, or use a machine with more";
/// Threads that sled starts, and keeps.
const THREADS: usize = 7;
/// Bytes of sled's page cache, and of what it reads and writes at once.
const MEMORY: usize = (super::load::CACHE_BYTES as usize) + (8 << 20);

/// What sled would lack now, if anything.
pub(crate) fn lacking() -> Option<String> {
    if SystemTime::now() < UNIX_EPOCH {
        return Some(EARLY_CLOCK.to_owned());
    }
    if Vec::<u8>::new().try_reserve_exact(MEMORY).is_err() {
        return Some(NO_MEMORY.to_owned());
    }
    start_threads().err().map(|error| {
        format!("no thread can be started: {error}; raise the limits (ulimit -u, ulimit -v), or stop others")
    })
}

/// Starts as many threads as sled will, all there at once. Sled starts them once, keeps them, and waits for ever where
/// it got none.
fn start_threads() -> io::Result<()> {
    static SLED_HAS_THEM: AtomicBool = AtomicBool::new(false);
    if SLED_HAS_THEM.load(Ordering::SeqCst) {
        return Ok(());
    }
    let started = (0..THREADS).map(|_| {
        let (end, ended) = mpsc::channel::<()>();
        let thread = thread::Builder::new().spawn(move || _ = ended.recv())?;
        Ok((end, thread))
    });
    for (end, thread) in started.collect::<io::Result<Vec<_>>>()? {
        drop(end);
        // It only waits.
        let _ = thread.join();
    }
    SLED_HAS_THEM.store(true, Ordering::SeqCst);
    Ok(())
}
