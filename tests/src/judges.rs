//! Judges that share what they have read of rulebooks, for tests that judge thousands of short records. To read a rulebook
//! takes longer than to judge one of those.

use std::cell::Cell;
use std::sync::LazyLock;

use replay::{Judge, Wanted};

/// The judge in use, and the same question answered by the stages.
type Both = LazyLock<[Judge; 2]>;

static DEFAULT: Both = LazyLock::new(|| [Judge::default(), Judge::default().by_stages()]);
static VIEWING: Both = LazyLock::new(|| {
    let viewing = || Judge::new(None, Some(Wanted::default()));
    [viewing(), viewing().by_stages()]
});
static WITH_LEDGER: Both = LazyLock::new(|| [Judge::with_ledger(None), Judge::with_ledger(None).by_stages()]);

thread_local! {
    static BY_STAGES: Cell<bool> = const { Cell::new(false) };
}

fn one(both: &Both) -> Judge {
    let [in_use, by_stages] = &**both;
    if are_by_stages() { by_stages.clone() } else { in_use.clone() }
}

/// Whether a judge that is asked for here is one by the stages.
#[must_use]
pub fn are_by_stages() -> bool {
    BY_STAGES.get()
}

/// Calls `with`; every judge that it asks this module for on this thread is one by the stages.
///
/// It must not be called on a thread of a pool, which may begin something else while it waits.
pub fn by_stages<T>(with: impl FnOnce() -> T) -> T {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            BY_STAGES.set(self.0);
        }
    }
    let _before = Before(BY_STAGES.replace(true));
    with()
}

/// As [`Judge::default`].
#[must_use]
pub fn new() -> Judge {
    one(&DEFAULT)
}

/// A judge that makes views of all coups.
#[must_use]
pub fn viewing() -> Judge {
    one(&VIEWING)
}

/// As [`Judge::with_ledger`], of any rulebook.
#[must_use]
pub fn with_ledger() -> Judge {
    one(&WITH_LEDGER)
}
