//! Sled panics on some kinds of damage, and also where the machine fails it. A damaged store must be a finding, not a
//! crash, and a failing machine must not be called a damaged store. So every call into sled runs under this guard, which
//! reads from a panic's text whether the system refused something.

use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Mutex, Once, PoisonError};

use sealed_log::store::StoreError;

use crate::means;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What the system refused to one of sled's own threads, as far as is known. Sled does not use such threads again.
static REFUSED_TO_A_THREAD: Mutex<Option<String>> = Mutex::new(None);

/// Panics on a guarded thread, and on sled's own, are results, not messages; all others are reported as before.
fn silence_guarded_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if QUIET.get() {
                SAID.set(text_of(panic));
            } else if std::thread::current().name().is_some_and(|name| name.starts_with("sled-")) {
                if let Some(StoreError::Disk(why)) = refused_by_system(&text_of(panic), 0) {
                    *REFUSED_TO_A_THREAD.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                }
            } else {
                before(panic);
            }
        }));
    });
}

fn text_of(panic: &PanicHookInfo<'_>) -> String {
    panic.payload_as_str().unwrap_or_default().to_owned()
}

/// Runs something that calls sled; a panic becomes what the system refused, or else damage at `index`.
///
/// The state sled leaves behind after a panic is not used again: callers stop the store.
pub(crate) fn guarded<T>(index: u64, act: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    silence_guarded_panics();
    let before = QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(act));
    QUIET.set(before);
    outcome.unwrap_or_else(|_| Err(by_panic(&SAID.take(), index)))
}

fn by_panic(text: &str, index: u64) -> StoreError {
    if text.contains("failed to allocate") {
        return StoreError::Machine(means::NO_MEMORY.to_owned());
    }
    refused_by_system(text, index).unwrap_or_else(|| contradiction(index))
}

/// Sled's own message names its pages and its states, which tells an operator nothing. It says the same of what is
/// found in its files and of what one of its threads met.
fn contradiction(index: u64) -> StoreError {
    let refused = REFUSED_TO_A_THREAD.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match refused.map(StoreError::Disk).or_else(|| means::lacking().map(StoreError::Machine)) {
        Some(error) => error,
        None => StoreError::Damaged { index, why: "its files contradict themselves".to_owned() },
    }
}

/// The error of the system in a text, whose number the standard library writes in one of two ways.
fn refused_by_system(text: &str, index: u64) -> Option<StoreError> {
    let number = ["Os { code: ", "(os error "].into_iter().find_map(|before| {
        let digits = text.split_once(before)?.1;
        digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    })?;
    Some(from_io(&io::Error::from_raw_os_error(number), index))
}

fn from_io(error: &io::Error, index: u64) -> StoreError {
    if matches!(
        error.kind(),
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::NotFound
    ) {
        return StoreError::Damaged { index, why: "its files are cut off or not all there".to_owned() };
    }
    StoreError::Disk(first_line(&error.to_string()))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(200).collect()
}

/// Sled's own errors: damage is damage, the rest is the disk.
pub(crate) fn from_sled(index: u64) -> impl Fn(sled::Error) -> StoreError {
    let damaged = move |why: &str| StoreError::Damaged { index, why: why.to_owned() };
    move |error| match &error {
        sled::Error::Corruption { .. } => damaged("a checksum of its files does not hold"),
        sled::Error::CollectionNotFound(_) => damaged("a part of its files is not there"),
        sled::Error::ReportableBug(_) => contradiction(index),
        sled::Error::Unsupported(_) => damaged("its files are not of the kind this program writes"),
        // Sled wraps what it passes on; the number is in the text.
        sled::Error::Io(io) => {
            refused_by_system(&format!("{io:?}"), index).unwrap_or_else(|| from_io(io, index))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn panicking(text: &'static str) -> StoreError {
        guarded::<()>(7, || std::panic::panic_any(text)).unwrap_err()
    }

    /// Texts as sled 0.34 and the standard library write them.
    #[test]
    fn a_panic_with_an_error_of_the_system_accuses_no_store() {
        for (text, why) in [
            (
                "called `Result::unwrap()` on an `Err` value: Os { code: 5, kind: Uncategorized, message: \"x\" }",
                "Input/output error",
            ),
            (
                "called `Result::unwrap()` on an `Err` value: Io(Os { code: 28, kind: StorageFull, message: \"x\" })",
                "No space left",
            ),
            (
                "open file at \"log/store/db\": IO error: Too many open files (os error 24)",
                "Too many open files",
            ),
            (
                "failed to spawn thread: Os { code: 11, kind: WouldBlock, message: \"x\" }",
                "temporarily unavailable",
            ),
        ] {
            let error = panicking(text);
            assert!(error.is_disk() && error.to_string().contains(why), "{text}: {error}");
        }
        assert!(panicking("failed to allocate critical IO buffer").is_disk());
    }

    #[test]
    fn any_other_panic_is_damage() {
        for text in [
            "called `Option::unwrap()` on a `None` value",
            "assertion failed: self.next < 3",
            "called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: \"x\" }",
            "called `Result::unwrap()` on an `Err` value: Os { code: 22, kind: InvalidInput, message: \"x\" }",
        ] {
            assert!(matches!(panicking(text), StoreError::Damaged { index: 7, .. }), "{text}");
        }
    }
}
