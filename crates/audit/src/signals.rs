//! Signals that would end the program where an error says more.

use std::sync::Arc;

use signal_hook::consts::SIGXFSZ;

/// Writing past the limit on the size of files (`ulimit -f`) is an error of that write: its message names the file, and what
/// was acknowledged before stands. The system would end the program without a word.
pub(crate) fn outlive_the_file_limit() {
    // Only the signal's own action is replaced; where that cannot be done, it stays as it is.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}
