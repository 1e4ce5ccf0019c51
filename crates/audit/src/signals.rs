//! Signals that would end the program where an error says more.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Folders and files that go with the program, however it is asked to end.
static PRIVATE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Whether somebody looks at a flag and ends the program in order.
static ENDS_IN_ORDER: AtomicBool = AtomicBool::new(false);

/// Removes a folder or a file if a signal ends the program: it holds a private copy of a log, which may name players. In the
/// usual end whoever made it removes it.
pub(crate) fn remove_if_ended(copy: &Path) {
    static WATCHING: OnceLock<()> = OnceLock::new();
    PRIVATE.lock().unwrap_or_else(PoisonError::into_inner).push(copy.to_owned());
    WATCHING.get_or_init(|| {
        // Where signals cannot be watched, they end the program as they always did.
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
            thread::spawn(move || {
                for signal in signals.forever() {
                    if signal == SIGHUP || !ENDS_IN_ORDER.load(Ordering::SeqCst) {
                        let copies = PRIVATE.lock().unwrap_or_else(PoisonError::into_inner);
                        for copy in copies.iter() {
                            let _ = fs::remove_dir_all(copy).or_else(|_| fs::remove_file(copy));
                        }
                        let _ = emulate_default_handler(signal);
                    }
                }
            });
        }
    });
}

/// Writing past the limit on the size of files (`ulimit -f`) is an error of that write: its message names the file, and what
/// was acknowledged before stands. The system would end the program without a word.
pub(crate) fn outlive_the_file_limit() {
    // Only the signal's own action is replaced; where that cannot be done, it stays as it is.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// A flag that is set once somebody asks the program to end (Ctrl-C, or a service manager). Asked a second time, the
/// program ends at once.
pub(crate) fn end_asked() -> Arc<AtomicBool> {
    ENDS_IN_ORDER.store(true, Ordering::SeqCst);
    let asked = Arc::<AtomicBool>::default();
    for signal in [SIGINT, SIGTERM] {
        // Where a signal cannot be taken over, it ends the program as it always did. The order matters: the first signal
        // finds the flag unset.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&asked));
        let _ = signal_hook::flag::register(signal, Arc::clone(&asked));
    }
    asked
}
