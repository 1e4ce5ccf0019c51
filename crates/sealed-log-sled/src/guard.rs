//! Sled panics on some kinds of damage. A damaged store must be a finding, not a crash, so every
//! call into sled runs behind this guard.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use sealed_log::StoreError;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Panics on a guarded thread are results, not messages; all others are reported as before.
fn hush() {
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
    hush();
    let before = QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(act));
    QUIET.set(before);
    outcome.unwrap_or_else(|panic| {
        let why = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_else(|| "the store's files contradict themselves".to_owned());
        Err(StoreError::Damaged { index, why: first_line(&why) })
    })
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(200).collect()
}

/// Sled's own errors: damage is damage, the rest is the medium.
pub(crate) fn from_sled(index: u64) -> impl Fn(sled::Error) -> StoreError {
    move |error| match error {
        sled::Error::Corruption { .. }
        | sled::Error::CollectionNotFound(_)
        | sled::Error::ReportableBug(_) => StoreError::Damaged { index, why: first_line(&error.to_string()) },
        sled::Error::Io(_) | sled::Error::Unsupported(_) => {
            StoreError::Medium(first_line(&error.to_string()))
        }
    }
}
