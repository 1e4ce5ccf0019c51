//! Checks a table's clock against itself and against the log's clock, shoe by shoe.
//!
//! For each shoe only the largest deviations are kept, with their locations. The rulebook says how large a
//! deviation may be.

use baccarat::Rulebook;
use events::OccurredAt;
use serde::{Deserialize, Serialize};

use crate::Code;
use crate::sink::{Accusation, Location};
use crate::statement::{OfRecord, Span};

/// The producer of entries that were read from a file. A colon and the name of the person or system may follow.
const FROM_FILE: &str = "audit-ingest";

/// When the log received an entry, in microseconds since 1970, and how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Received {
    /// Nothing is known of it.
    #[default]
    Unknown,
    /// A service took it in as it happened.
    ByService(i64),
    /// It was read from a file.
    FromFile(i64),
}

impl Received {
    /// What the producer of an entry says of how it was received.
    pub(crate) fn of(producer: &str, received_at: i64) -> Self {
        let named = |rest: &str| rest.is_empty() || rest.starts_with(':');
        match producer.strip_prefix(FROM_FILE).is_some_and(named) {
            true => Self::FromFile(received_at),
            false => Self::ByService(received_at),
        }
    }
}

/// A deviation, in microseconds, and the event that shows it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Deviation {
    micros: i64,
    location: Location,
    at: OccurredAt,
}

impl Deviation {
    fn span(&self) -> Span {
        Span(self.micros.unsigned_abs())
    }
}

/// The clock since a shoe was loaded, or since the table was opened.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct ShoeClock {
    latest: Option<OccurredAt>,
    /// The largest step back behind the latest earlier time, with that time.
    back: Option<Box<(Deviation, OccurredAt)>>,
    /// The largest lead over the log's own clock.
    ahead: Option<Deviation>,
    /// The longest delay between an event and its recording.
    late: Option<Deviation>,
}

impl ShoeClock {
    /// A clock whose last event before was then.
    pub(crate) fn after(latest: Option<OccurredAt>) -> Self {
        Self { latest, ..Self::default() }
    }

    /// An event was recorded.
    pub(crate) fn see(&mut self, at: OccurredAt, received: Received, location: Location) {
        let behind = |latest: OccurredAt| latest.micros().saturating_sub(at.micros());
        match self.latest {
            Some(latest) if behind(latest) > 0 => {
                let deviation = Deviation { micros: behind(latest), location, at };
                if self.back.as_deref().is_none_or(|(most, _)| deviation.micros > most.micros) {
                    self.back = Some(Box::new((deviation, latest)));
                }
            }
            Some(_) | None => self.latest = Some(at),
        }
        if let Received::ByService(received) = received {
            let ahead = at.micros().saturating_sub(received);
            keep_largest(&mut self.ahead, Deviation { micros: ahead, location, at });
            keep_largest(&mut self.late, Deviation { micros: ahead.saturating_neg(), location, at });
        }
    }

    /// Reports the deviations that exceed what the rulebook allows.
    pub(crate) fn judge(&self, book: &Rulebook) -> impl Iterator<Item = Accusation> {
        let (step, ahead, within) = (book.clock_step(), book.clock_ahead(), book.recorded_within());
        let beyond = |deviation: &Deviation, most: u64| i128::from(deviation.micros) > i128::from(most);
        let back = self.back.as_deref().filter(|(back, _)| beyond(back, step)).map(|(back, latest)| {
            let expected = OfRecord::NotBefore { time: *latest };
            Accusation::new(Code::TimeBackwards, expected, OfRecord::Time { time: back.at }).at(back.location)
        });
        let ahead = self.ahead.filter(|most| beyond(most, ahead)).map(|most| {
            let expected = OfRecord::AheadAtMost { by: Span(ahead) };
            let recorded = OfRecord::AheadBy { time: most.at, by: most.span() };
            Accusation::new(Code::ClockAhead, expected, recorded).at(most.location)
        });
        let late = self.late.filter(|most| beyond(most, within)).map(|most| {
            let expected = OfRecord::RecordedWithin { within: Span(within) };
            let recorded = OfRecord::RecordedLater { time: most.at, by: most.span() };
            Accusation::new(Code::RecordedLate, expected, recorded).at(most.location)
        });
        [back, ahead, late].into_iter().flatten()
    }
}

/// The first of the largest stays.
fn keep_largest(kept: &mut Option<Deviation>, deviation: Deviation) {
    if deviation.micros > 0 && kept.is_none_or(|most| deviation.micros > most.micros) {
        *kept = Some(deviation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_read_a_file_says_so() {
        for (producer, expected) in [
            ("audit-ingest", Received::FromFile(7)),
            ("audit-ingest:pit-7", Received::FromFile(7)),
            ("audit-ingester", Received::ByService(7)),
            ("audit-serve", Received::ByService(7)),
        ] {
            assert_eq!(Received::of(producer, 7), expected, "{producer}");
        }
    }
}
