//! Sled panics on some kinds of damage. A damaged store must be a finding, not a crash, so every
//! call into sled runs behind this guard.

use std::cell::Cell;
use std::io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use sealed_log::store::StoreError;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Panics on a guarded thread are results, not messages; all others are reported as before.
fn silence_guarded_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                before(panic);
            }
        }));
    });
}

/// Runs something that calls sled; a panic becomes damage at `index`.
///
/// The state sled leaves behind after a panic is not used again: callers stop the store.
pub(crate) fn guarded<T>(index: u64, act: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    silence_guarded_panics();
    let before = QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(act));
    QUIET.set(before);
    outcome.unwrap_or_else(|_| Err(StoreError::Damaged { index, why: CONTRADICTION.to_owned() }))
}

/// Sled's own message names its pages and its states, which tells an operator nothing.
const CONTRADICTION: &str = "its files contradict themselves";

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(200).collect()
}

/// Sled's own errors: damage is damage, the rest is the disk.
pub(crate) fn from_sled(index: u64) -> impl Fn(sled::Error) -> StoreError {
    let damaged = move |why: &str| StoreError::Damaged { index, why: why.to_owned() };
    move |error| match &error {
        sled::Error::Corruption { .. } => damaged("a checksum of its files does not hold"),
        sled::Error::CollectionNotFound(_) => damaged("a part of its files is not there"),
        sled::Error::ReportableBug(_) => damaged(CONTRADICTION),
        sled::Error::Io(io) if matches!(io.kind(), UnexpectedEof | InvalidData | NotFound) => {
            damaged("its files are cut off or not all there")
        }
        sled::Error::Unsupported(_) => damaged("its files are not of the kind this program writes"),
        sled::Error::Io(_) => StoreError::Disk(first_line(&error.to_string())),
    }
}
