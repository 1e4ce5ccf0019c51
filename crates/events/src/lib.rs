//! What a table said happened.
//!
//! This room holds the vocabulary of the record: the events, their identities, their two
//! spellings (JSON at the edges, canonical CBOR in the log) and nothing else. It refuses to know
//! what an event *means*: no rule, no total, no payout is computed here, nothing is hashed, no
//! file is opened.

mod body;
mod bounds;
mod cbor;
mod chemin;
mod codec;
mod kind;
mod line;
mod name;
mod object;
mod occurred;
mod rulebook;
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
    DecodeError, EncodeError, MAX_EVENTS, decode_event_at, decode_payload, decode_payload_each,
    decode_payload_knowing, decode_payload_with_minor, encode_payload, encode_payload_at,
};
pub use kind::{KINDS, SCHEMA_MINOR};
pub use line::{Event, Line, LineError};
pub use name::{Hex32, Name, Remark, TableId, TextError};
pub use occurred::{OccurredAt, OccurredAtError};
pub use rulebook::{
    MAX_RULEBOOK_BYTES, MAX_RULEBOOK_DEPTH, RulebookDocument, RulebookDocumentError, RulebooksRead,
};
