//! What a producer is told about a message, as JSON on `receipt.<site>.<table>`.

use serde::{Deserialize, Serialize};

use crate::{Committed, NotRecorded, Recorded};

/// The format of receipts that is written, and the only one that is read.
pub const FORMAT: u64 = 1;
/// The header with the id that a producer gives a message, and that comes back in its receipt.
pub(crate) const MESSAGE_ID: &str = "audit-message";
/// Longest such id, in bytes. It is of visible ASCII.
const MAX_ID_BYTES: usize = 128;
/// Longest reason in a receipt or a header, in bytes.
const MAX_REASON_BYTES: usize = 1024;

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Its events are sealed, and the lease says so.
    Recorded {
        /// The log.
        origin: String,
        /// The size of the log's checkpoint that covers the events.
        size: u64,
        /// What became of the events.
        #[serde(flatten)]
        recorded: Recorded,
    },
    /// Its events are sealed: in this log or one before it. The holder that sealed them had no time to say so.
    SealedBefore {
        /// The log.
        origin: String,
        /// The size of the log's checkpoint that covers the events.
        size: u64,
    },
    /// No log takes it; it is kept in the stream of refused messages.
    Refused {
        /// Why.
        reason: String,
    },
}

/// What a producer is told about a message.
///
/// It is not signed. A proof is in the log that it names: entries by index, under the checkpoint of that size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The format: 1.
    pub format: u64,
    /// The id that the producer gave the message, if it gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The table. Where the subject names none, its last token.
    pub table: String,
    /// What became of the message.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Receipt {
    /// The receipt of a message that was refused.
    pub(crate) fn refused(message: Option<String>, table: String, reason: &str) -> Self {
        Self { format: FORMAT, message, table, outcome: Outcome::Refused { reason: shortened(reason) } }
    }

    /// The receipt of a message that was recorded.
    pub(crate) fn recorded(
        message: Option<String>,
        table: String,
        (origin, size): (String, u64),
        recorded: Recorded,
    ) -> Self {
        Self { format: FORMAT, message, table, outcome: Outcome::Recorded { origin, size, recorded } }
    }

    /// The receipt of a message that an earlier holder has sealed.
    pub(crate) fn sealed_before(message: Option<String>, table: String, before: &Committed) -> Self {
        let outcome = Outcome::SealedBefore { origin: before.origin.clone(), size: before.size };
        Self { format: FORMAT, message, table, outcome }
    }

    /// Reads a receipt. `None`: it is not one of this format.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok().filter(|receipt: &Self| receipt.format == FORMAT)
    }
}

/// The id of a message, if it may be repeated.
pub(crate) fn message_id(headers: Option<&async_nats::HeaderMap>) -> Option<String> {
    let id = headers?.get(MESSAGE_ID)?.as_str();
    let is_plain =
        !id.is_empty() && id.len() <= MAX_ID_BYTES && id.bytes().all(|byte| byte.is_ascii_graphic());
    is_plain.then(|| id.to_owned())
}

/// A reason that fits into a header: one line, of bounded length.
pub(crate) fn shortened(reason: &str) -> String {
    let mut text: String =
        reason.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let mut end = MAX_REASON_BYTES.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// What became of one message.
pub(crate) type Judged = Result<Recorded, NotRecorded>;

#[cfg(test)]
mod tests {
    use super::{Outcome, Receipt, shortened};
    use crate::Recorded;

    #[test]
    fn a_receipt_is_read_as_it_was_written() {
        let recorded = Recorded { first_sequence: 3, last_sequence: 9, recorded: 7, ..Recorded::default() };
        let receipt =
            Receipt::recorded(Some("a-1".into()), "7".into(), ("casino.example/1".into(), 40), recorded);
        let text = serde_json::to_string(&receipt).expect("JSON");
        assert_eq!(
            text,
            r#"{"format":1,"message":"a-1","table":"7","outcome":"recorded","origin":"casino.example/1","size":40,"first_sequence":3,"last_sequence":9,"entries":[],"recorded":7,"already_there":0,"conflicts":0}"#
        );
        assert_eq!(Receipt::parse(text.as_bytes()), Some(receipt));
        let refused = Receipt::refused(None, "7".into(), "not\nJSON");
        let text = serde_json::to_string(&refused).expect("JSON");
        assert_eq!(text, r#"{"format":1,"table":"7","outcome":"refused","reason":"not JSON"}"#);
        assert!(matches!(
            Receipt::parse(text.as_bytes()),
            Some(Receipt { outcome: Outcome::Refused { .. }, .. })
        ));
        assert_eq!(Receipt::parse(text.replace("\":1", "\":2").as_bytes()), None);
    }

    #[test]
    fn a_reason_is_one_line_of_bounded_length() {
        assert_eq!(shortened("a\r\nb\u{1b}[31m"), "a  b [31m");
        assert!(shortened(&"ñ".repeat(2000)).len() <= 1024);
    }
}
