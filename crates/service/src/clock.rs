//! This machine's clock, which only this file reads for the log.

use std::time::{SystemTime, UNIX_EPOCH};

/// Microseconds since 1970 UTC; negative where the clock shows an earlier time.
#[must_use]
pub fn now() -> i64 {
    let micros = |duration: std::time::Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => micros(since),
        Err(earlier) => -micros(earlier.duration()),
    }
}
