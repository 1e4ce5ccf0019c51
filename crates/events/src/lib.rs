//! The events that a table can record.
//!
//! This crate holds the vocabulary of the record: the events, their identities and their two forms (JSON for
//! clients, canonical CBOR in the log). It does not know what an event *means*: it computes no rule, total
//! or payout, hashes nothing and opens no file.
//!
//! [`Line`] is one event as a line of JSON; [`encode_payload`] and [`decode_payload`] are the canonical bytes.

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
