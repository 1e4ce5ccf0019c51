//! The day at the place whose law a rulebook is.
//!
//! An event states its offset from UTC itself, so whoever writes it could stay in yesterday by claiming an offset that
//! nobody's clock has there. The day is therefore taken at the nearest offset that the clocks of the place can have.

use events::OccurredAt;

/// Offsets from UTC in minutes, the least and the largest of the year and of all its zones, by ISO 3166 code.
const OFFSETS: &[(&str, i16, i16)] = &[
    ("AD", 60, 120),
    ("ES", 0, 120),
    ("GB", 0, 60),
    ("HK", 480, 480),
    ("IE", 0, 60),
    ("IT", 60, 120),
    ("MC", 60, 120),
    ("MO", 480, 480),
    ("MT", 60, 120),
    ("PH", 480, 480),
    ("PT", -60, 60),
    ("SG", 480, 480),
    ("US", -600, -240),
];

/// Offsets that clocks have anywhere.
const ANYWHERE: (i16, i16) = (-720, 840);

/// The local day of an event, as `YYYY-MM-DD`, at the place of a jurisdiction: an ISO 3166 code, alone or with a
/// subdivision (`US-PA`), or anything else, which may be anywhere.
pub(crate) fn day_at(time: OccurredAt, jurisdiction: &str) -> String {
    let country = jurisdiction.split('-').next().unwrap_or_default();
    let known = OFFSETS.iter().find(|(code, ..)| *code == country);
    let (least, largest) = known.map_or(ANYWHERE, |(_, least, largest)| (*least, *largest));
    let offset = time.offset_minutes().clamp(least, largest);
    OccurredAt::new(time.micros(), offset).unwrap_or(time).local_day()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use super::*;

    #[test]
    fn no_offset_stays_in_yesterday() {
        for (time, jurisdiction, day) in [
            ("2026-01-01T00:30:00+01:00", "ES", "2026-01-01"),
            ("2025-12-31T23:30:00Z", "ES", "2025-12-31"),
            // One in the afternoon in Madrid, whatever the clock says of itself.
            ("2025-12-31T12:01:00-23:59", "ES", "2026-01-01"),
            ("2025-12-31T23:59:00-12:00", "ES", "2026-01-01"),
            // Half past eleven in the evening in Macau is not tomorrow.
            ("2026-01-01T10:30:00+19:00", "MO", "2025-12-31"),
            ("2025-12-31T16:00:00Z", "MO", "2026-01-01"),
            ("2026-01-01T00:30:00-05:00", "US-PA", "2026-01-01"),
            ("2025-12-31T23:59:00-12:00", "Casino X", "2025-12-31"),
            ("2025-12-31T23:59:00-23:59", "Casino X", "2026-01-01"),
            ("1970-01-01T00:00:00Z", "US", "1970-01-01"),
        ] {
            assert_eq!(day_at(time.parse().unwrap(), jurisdiction), day, "{time} {jurisdiction}");
        }
    }
}
