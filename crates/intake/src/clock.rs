//! This machine's clock, which only this file reads for the log.

use std::time::{SystemTime, UNIX_EPOCH};

use time::{OffsetDateTime, PrimitiveDateTime};

/// Microseconds since 1970 UTC; negative where the clock shows an earlier time.
#[must_use]
pub fn now() -> i64 {
    let micros = |duration: std::time::Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => micros(since),
        Err(earlier) => -micros(earlier.duration()),
    }
}

/// The same as a date, in whole seconds; `None` outside the years -9999 to 9999, which have no form in a file.
#[must_use]
pub fn date() -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp(now().div_euclid(1_000_000)).ok()
}

/// The same for comparing: after the year 9999 everything that ends has ended.
#[must_use]
pub fn date_to_compare() -> OffsetDateTime {
    date().unwrap_or_else(|| PrimitiveDateTime::MAX.assume_utc())
}
