//! Events that say something of the record and are no part of the play: a card that was replaced, values that were
//! computed, and extensions. They are taken before an event is attributed to a coup, so they neither begin a coup nor
//! come between two events of one.

use events::{Body, Event, Extension, Irregularity, ValuesComputed};

use super::Table;

/// The code of the ruling that a [`Body::CardReplaced`] is.
const CARD_REPLACED: &str = "card-replaced";

/// Most extensions of a shoe (or since the last one, before it is loaded) that are passed over; those beyond count as
/// events that the judge does not know.
const MOST_EXTENSIONS: u64 = 1_024;

/// Most bytes of their names and data.
const MOST_EXTENSION_BYTES: u64 = 256 << 10;

impl Table {
    /// A card that was replaced: the shoe may hold it once more, and for everything else it is a ruling on the card at that
    /// position. Returns that ruling.
    pub(super) fn ruling_of(&mut self, event: &Event) -> Option<Event> {
        let Body::CardReplaced(replaced) = &event.body else { return None };
        if let Some(shoe) = self.shoe.as_mut() {
            shoe.replace(replaced.position, replaced.card);
        }
        #[allow(clippy::expect_used, reason = "the code is a name")]
        let code = CARD_REPLACED.parse().expect("a name");
        let ruling = Irregularity {
            code,
            coup: replaced.coup,
            positions: vec![replaced.position],
            ruling: replaced.reason.clone(),
            ruled_by: replaced.ruled_by.clone(),
            countersigned_by: replaced.countersigned_by.clone(),
        };
        Some(Event { occurred_at: event.occurred_at, body: Body::IrregularityRecorded(Box::new(ruling)) })
    }

    /// Takes an event that is no part of the play; whether it was one.
    pub(super) fn notes(&mut self, body: &Body) -> bool {
        if let Body::ValuesComputed(computed) = body {
            self.note_computed(computed);
            true
        } else if let Body::ExtensionRecorded(extension) = body {
            self.may_extend(extension)
        } else {
            false
        }
    }

    /// Values of a settlement were computed. They are compared with the cards like those that were read: one that differs
    /// is wrong all the same. One that agrees confirms nothing, so they are counted.
    fn note_computed(&mut self, computed: &ValuesComputed) {
        self.tally.summary.attested.values_computed += computed.values.len() as u64;
        if let Some(play) = self.play.as_mut().filter(|play| play.number == computed.coup) {
            play.computed.extend(computed.values.iter().copied());
            play.computed.sort_unstable();
            play.computed.dedup();
        }
    }

    /// Counts an extension; whether it is passed over.
    fn may_extend(&mut self, extension: &Extension) -> bool {
        let bytes = (extension.name.as_str().len() + extension.data.as_str().len()) as u64;
        self.tally.summary.attested.extensions += 1;
        self.tally.summary.attested.extension_bytes += bytes;
        *self.extended = (self.extended.0 + 1, self.extended.1 + bytes);
        self.extended.0 <= MOST_EXTENSIONS && self.extended.1 <= MOST_EXTENSION_BYTES
    }
}
