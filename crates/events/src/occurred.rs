//! When an event happened: an instant with the local offset in which it was recorded.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

use crate::name::Text;

/// An instant in microseconds since 1970 UTC, with the local offset from UTC in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OccurredAt {
    micros: i64,
    offset_minutes: i16,
}

/// A time that is not legible or out of range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a time: expected RFC 3339 with an offset and at most six decimals, from 1970 to 9999, for example `2026-03-01T21:04:05.123456+01:00`"
)]
pub struct OccurredAtError(String);

impl OccurredAt {
    /// 9999-12-31T23:59:59.999999Z.
    const LAST: i64 = 253_402_300_799_999_999;
    /// Largest distance from UTC: a day less a minute.
    const FARTHEST: i16 = 24 * 60 - 1;

    /// An instant; `None` outside 1970 to 9999 (in UTC *and* in local time) or with an offset of a day or more.
    #[must_use]
    pub fn new(micros: i64, offset_minutes: i16) -> Option<Self> {
        let local = micros.checked_add(i64::from(offset_minutes) * 60_000_000)?;
        let range = 0..=Self::LAST;
        let legible = range.contains(&micros) && range.contains(&local);
        (legible && (-Self::FARTHEST..=Self::FARTHEST).contains(&offset_minutes))
            .then_some(Self { micros, offset_minutes })
    }

    /// Microseconds since 1970 UTC.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.micros
    }

    /// The local day, as `YYYY-MM-DD`.
    #[must_use]
    pub fn local_day(self) -> String {
        self.to_string().chars().take(10).collect()
    }

    /// The local day, counted from 1970-01-01, which is 0.
    pub(crate) const fn local_day_number(self) -> i64 {
        (self.micros + self.offset_minutes as i64 * 60_000_000).div_euclid(24 * 3_600_000_000)
    }

    /// Minutes the local clock was ahead of UTC.
    #[must_use]
    pub const fn offset_minutes(self) -> i16 {
        self.offset_minutes
    }
}

impl FromStr for OccurredAt {
    type Err = OccurredAtError;

    fn from_str(text: &str) -> Result<Self, OccurredAtError> {
        let wrong = || OccurredAtError(text.chars().take(40).collect());
        let moment = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| wrong())?;
        let nanos = moment.unix_timestamp_nanos();
        let offset = moment.offset().whole_seconds();
        if nanos % 1_000 != 0 || offset % 60 != 0 {
            return Err(wrong());
        }
        let micros = i64::try_from(nanos / 1_000).map_err(|_| wrong())?;
        let offset = i16::try_from(offset / 60).map_err(|_| wrong())?;
        Self::new(micros, offset).ok_or_else(wrong)
    }
}

impl fmt::Display for OccurredAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.micros) * 1_000)
            .map_err(|_| fmt::Error)?;
        let offset =
            UtcOffset::from_whole_seconds(i32::from(self.offset_minutes) * 60).map_err(|_| fmt::Error)?;
        let local = moment.checked_to_offset(offset).ok_or(fmt::Error)?;
        let (hours, minutes) = (self.offset_minutes.abs() / 60, self.offset_minutes.abs() % 60);
        let sign = if self.offset_minutes < 0 { '-' } else { '+' };
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}{sign}{hours:02}:{minutes:02}",
            local.year(),
            u8::from(local.month()),
            local.day(),
            local.hour(),
            local.minute(),
            local.second(),
            local.microsecond(),
        )
    }
}

impl Serialize for OccurredAt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for OccurredAt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Text::deserialize(deserializer)?.0.parse().map_err(serde::de::Error::custom)
    }
}
