//! The events that a table can record.
//!
//! This crate holds the vocabulary of the record: the events, their identities and their two forms (JSON for
//! clients, canonical CBOR in the log). It does not know what an event *means*: it computes no rule, total
//! or payout, hashes nothing and opens no file.
//!
//! # One event, two forms
//!
//! [`Line`] is one event as a line of JSON; [`encode_payload`] and [`decode_payload`] are the canonical bytes.
//!
//! ```
//! use events::{Line, decode_payload, encode_payload};
//!
//! let line = Line::from_json(
//!     r#"{"table":"PB-01","sequence":7,"occurred_at":"2026-03-01T20:00:00+01:00",
//!         "event":{"BetPlaced":{"coup":1,"bet":12,"seat":3,"kind":"banca","stake":10000}}}"#,
//! )?;
//! assert_eq!((line.event.coup(), line.event.bet()), (Some(1), Some(12)));
//!
//! // An event has one spelling in canonical bytes, however its JSON was written.
//! let event = line.into_event();
//! let bytes = encode_payload(&[event.clone()])?;
//! assert_eq!(decode_payload(&bytes)?, [event]);
//!
//! // What is no event is refused, and the message names the field.
//! let wrong = r#"{"table":"PB-01","sequence":8,"occurred_at":"2026-03-01T20:00:00+01:00",
//!                 "event":{"BetPlaced":{"coup":1,"bet":13,"seat":3,"kind":"banca","stake":-1}}}"#;
//! assert!(Line::from_json(wrong).is_err_and(|error| error.message.contains("stake")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What happened
//!
//! [`Body`] lists the kinds of event, and [`SCHEMA_MINOR`] is the newest minor version among them. A kind of a newer minor
//! version is read as [`Body::Unknown`] and kept. Two lines may spell one event differently: [`Line::same_as`] compares
//! them, and [`Line::records`] compares a line with an event that was sealed.

mod body;
mod bounds;
mod cbor;
mod chemin;
mod codec;
mod kind;
mod line;
mod minor_two;
mod name;
mod named;
mod object;
mod occurred;
mod rulebook;
mod same;
#[cfg(feature = "schema")]
mod schema;
mod strict_json;

pub use body::{
    BetLimit, BetPlaced, BetSettled, BetWithdrawn, BetsClosed, Body, BurnCards, CardDrawn,
    CommissionCollected, CommissionReason, CorrectionRecorded, CoupSettled, CoupVoided, CutCardDrawn, Deal,
    Destination, Holder, Irregularity, Limits, OrderReveal, PuntoHolder, Seat, ShoeEnded, ShoeLoaded,
    TableClosed, TableOpened, UnknownEvent,
};
pub use chemin::{
    AbonoPlaced, Announced, BancoCalled, BankBid, BankHow, BankPassed, BankSettled, BankTaken, BankWhy, Call,
    Counsel, DrawDecided, Garaje, GarajeSet, Leave, LeaveGiven, Partner, PlayersPresent,
};
pub use codec::{
    DecodeError, EncodeError, MAX_EVENTS, decode_event_at, decode_payload, decode_payload_knowing,
    decode_payload_with_minor, encode_payload, encode_payload_at,
};
pub use kind::{KINDS, SCHEMA_MINOR};
pub use line::{Event, Line, LineError};
pub use minor_two::{CardReplaced, ComputedValue, Extension, ValuesComputed};
pub use name::{Data, Hex32, Name, Remark, TableId, TextError};
pub use named::Role;
pub use occurred::{OccurredAt, OccurredAtError};
pub use rulebook::{
    MAX_RULEBOOK_BYTES, MAX_RULEBOOK_DEPTH, RulebookDocument, RulebookDocumentError, RulebooksRead,
};
