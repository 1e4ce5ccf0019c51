//! Signals that would end the program where an error says more.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::low_level::emulate_default_handler;

use crate::exit::Exit;

/// How often it is looked whether a signal came.
const LOOK: Duration = Duration::from_millis(50);
/// How often a folder into which the program writes is removed, and how long in between.
const REMOVALS: u32 = 200;
const BETWEEN: Duration = Duration::from_millis(1);
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
        // The flags come after the thread, which may not start: without it, signals end the program as they always did.
        let signals = [SIGINT, SIGTERM, SIGHUP].map(|signal| (signal, Arc::<AtomicBool>::default()));
        let looked_at = signals.clone();
        let watch = move || remove_copies_at_a_signal(&looked_at);
        if thread::Builder::new().name("copies".into()).spawn(watch).is_ok() {
            for (signal, came) in signals {
                let _ = signal_hook::flag::register(signal, came);
            }
        }
    });
}

/// From here on a signal that ends the program does not remove this folder or file.
pub(crate) fn keep(made: &Path) {
    PRIVATE.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| path != made);
}

/// Flags need no open file, of which a program may have few left.
fn remove_copies_at_a_signal(signals: &[(i32, Arc<AtomicBool>)]) {
    loop {
        thread::sleep(LOOK);
        for (signal, came) in signals {
            let ends = *signal == SIGHUP || !ENDS_IN_ORDER.load(Ordering::SeqCst);
            if came.swap(false, Ordering::SeqCst) && ends {
                remove_copies_and_end(*signal);
            }
        }
    }
}

/// A thread that wants to keep or remove a copy meanwhile waits, and ends with the program.
fn remove_copies_and_end(signal: i32) {
    let copies = PRIVATE.lock().unwrap_or_else(PoisonError::into_inner);
    copies.iter().for_each(|copy| remove_while_used(copy));
    let _ = emulate_default_handler(signal);
}

/// Removes a folder into which the program may be writing: what came after the look into it makes its removal fail.
fn remove_while_used(copy: &Path) {
    for _ in 0..REMOVALS {
        let removed = fs::remove_dir_all(copy).or_else(|_| fs::remove_file(copy));
        if removed.is_ok() || fs::symlink_metadata(copy).is_err() {
            return;
        }
        thread::sleep(BETWEEN);
    }
}

/// Writing past the limit on the size of files (`ulimit -f`) is an error of that write: its message names the file, and what
/// was acknowledged before stands. The system would end the program without a word.
pub(crate) fn outlive_the_file_limit() {
    // Only the signal's own action is replaced; where that cannot be done, it stays as it is.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Where a panic cannot be passed on, as while a thread starts, the program aborts. After
/// [`an_abort_is_the_machines`] its status is then that of trouble of the machine.
pub(crate) fn tell_aborts_apart() {
    let status = i32::from(Exit::Machine.status());
    // Where the signal cannot be taken over, it ends the program as it always did.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, status, Arc::clone(refused()));
}

/// The system refused memory or a thread, and something panicked for it.
pub(crate) fn an_abort_is_the_machines() {
    refused().store(true, Ordering::SeqCst);
}

/// Whether [`an_abort_is_the_machines`] was called.
pub(crate) fn is_an_abort_the_machines() -> bool {
    refused().load(Ordering::SeqCst)
}

fn refused() -> &'static Arc<AtomicBool> {
    static REFUSED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    REFUSED.get_or_init(Arc::default)
}

/// From here on somebody else looks whether the program is asked to end, and ends it in order.
pub(crate) fn ends_in_order() {
    ENDS_IN_ORDER.store(true, Ordering::SeqCst);
}

/// A flag that is set once somebody asks the program to end (Ctrl-C, or a service manager). Asked a second time, the
/// program ends at once.
pub(crate) fn end_asked() -> Arc<AtomicBool> {
    ends_in_order();
    let asked = Arc::<AtomicBool>::default();
    for signal in [SIGINT, SIGTERM] {
        // Where a signal cannot be taken over, it ends the program as it always did. The order matters: the first signal
        // finds the flag unset.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&asked));
        let _ = signal_hook::flag::register(signal, Arc::clone(&asked));
    }
    asked
}
