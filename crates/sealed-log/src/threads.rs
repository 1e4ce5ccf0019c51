//! The threads on which entries are opened and hashed.

use std::error::Error as _;
use std::io;

/// Starts the threads, unless they run already. Whoever reads or writes entries without this starts them with the first
/// entries, and panics where the system has no thread left.
///
/// # Errors
/// That the system gives no thread.
pub fn start() -> io::Result<()> {
    let Err(error) = rayon::ThreadPoolBuilder::new().build_global() else { return Ok(()) };
    // The other reason is that they run already.
    let Some(why) = error.source() else { return Ok(()) };
    Err(io::Error::other(format!(
        "no thread can be started: {why}; raise the limits (ulimit -u, ulimit -v), or stop others"
    )))
}
