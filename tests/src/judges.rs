//! Judges that share what they have read of rulebooks, for tests that judge thousands of short records. To read a rulebook
//! takes longer than to judge one of those.

use std::sync::LazyLock;

use replay::{Judge, Wanted};

static DEFAULT: LazyLock<Judge> = LazyLock::new(Judge::default);
static VIEWING: LazyLock<Judge> = LazyLock::new(|| Judge::new(None, Some(Wanted::default())));
static WITH_LEDGER: LazyLock<Judge> = LazyLock::new(|| Judge::with_ledger(None));

/// As [`Judge::default`].
#[must_use]
pub fn new() -> Judge {
    DEFAULT.clone()
}

/// A judge that makes views of all coups.
#[must_use]
pub fn viewing() -> Judge {
    VIEWING.clone()
}

/// As [`Judge::with_ledger`], of any rulebook.
#[must_use]
pub fn with_ledger() -> Judge {
    WITH_LEDGER.clone()
}
