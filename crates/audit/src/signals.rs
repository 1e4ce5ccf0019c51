//! Signals that would end the program where an error says more.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};

/// Writing past the limit on the size of files (`ulimit -f`) is an error of that write: its message names the file, and what
/// was acknowledged before stands. The system would end the program without a word.
pub(crate) fn outlive_the_file_limit() {
    // Only the signal's own action is replaced; where that cannot be done, it stays as it is.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// A flag that is set once somebody asks the program to end (Ctrl-C, or a service manager). Asked a second time, the
/// program ends at once.
pub(crate) fn end_asked() -> Arc<AtomicBool> {
    let asked = Arc::<AtomicBool>::default();
    for signal in [SIGINT, SIGTERM] {
        // Where a signal cannot be taken over, it ends the program as it always did. The order matters: the first signal
        // finds the flag unset.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&asked));
        let _ = signal_hook::flag::register(signal, Arc::clone(&asked));
    }
    asked
}
