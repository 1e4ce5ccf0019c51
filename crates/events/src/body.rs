//! The bodies of events, version 1: what a table can record. The events of chemin de fer are in
//! `chemin.rs`, those that minor version 2 brought in `minor_two.rs`.
//!
//! Sums are minor units of the table's currency. Coups are numbered from 1 within their shoe;
//! positions are numbered from 1 at the first card that leaves the shoe (the burn's indicator).

use baccarat::{BetKind, Face, Money, Side, Winner};
use serde::{Deserialize, Serialize};

use crate::chemin::{
    AbonoPlaced, BancoCalled, BankBid, BankPassed, BankSettled, BankTaken, DrawDecided, GarajeSet,
    LeaveGiven, PlayersPresent,
};
use crate::minor_two::{CardReplaced, Extension, ValuesComputed};
use crate::object::{object, objects, optional_object};
use crate::{Hex32, Name, Remark, RulebookDocument};

/// What happened. Large records are boxed: events of play are many and are moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Body {
    /// A shoe was loaded.
    ShoeLoaded(Box<ShoeLoaded>),
    /// Cards were burned at the start of a shoe.
    BurnCards(BurnCards),
    /// A bet was placed.
    BetPlaced(BetPlaced),
    /// A card left the shoe during a coup.
    CardDrawn(CardDrawn),
    /// A coup was settled.
    CoupSettled(CoupSettled),
    /// The table opened under a rulebook.
    TableOpened(Box<TableOpened>),
    /// The table closed.
    TableClosed(TableClosed),
    /// The limits changed.
    LimitsChanged(Limits),
    /// Somebody sat down.
    SeatTaken(Seat),
    /// Somebody left.
    SeatLeft(Seat),
    /// The deal was offered to a seat.
    DealOffered(Deal),
    /// A seat took the deal.
    DealAccepted(Deal),
    /// A seat let the deal pass.
    DealDeclined(Deal),
    /// A bet was taken back.
    BetWithdrawn(BetWithdrawn),
    /// "No va más".
    BetsClosed(BetsClosed),
    /// Who holds punto's cards.
    PuntoHolder(PuntoHolder),
    /// The cut card came out.
    CutCardDrawn(CutCardDrawn),
    /// Commission was collected from a seat's box.
    CommissionCollected(CommissionCollected),
    /// A coup was declared void: every stake comes back.
    CoupVoided(CoupVoided),
    /// Something irregular was ruled upon.
    IrregularityRecorded(Box<Irregularity>),
    /// An earlier event was recorded wrongly; it stays, and this says what it should have been.
    CorrectionRecorded(CorrectionRecorded),
    /// The shoe ended.
    ShoeEnded(ShoeEnded),
    /// Chemin de fer: somebody has the bank.
    BankTaken(BankTaken),
    /// Chemin de fer: the banker gives up the bank.
    BankPassed(BankPassed),
    /// Chemin de fer: somebody plays for the bank, whole or in half.
    BancoCalled(BancoCalled),
    /// Chemin de fer: a stake in addition to the bank, on the difference.
    AbonoPlaced(AbonoPlaced),
    /// Chemin de fer: part of the banker's money leaves play, or comes back into it.
    GarajeSet(GarajeSet),
    /// Chemin de fer: a hand says whether it draws.
    DrawDecided(DrawDecided),
    /// Chemin de fer: how many players are at the table.
    PlayersPresent(PlayersPresent),
    /// Chemin de fer: what the bank won or lost in a coup, recorded before the coup is settled.
    BankSettled(BankSettled),
    /// Chemin de fer: a bid in the auction of the bank.
    BankBid(BankBid),
    /// Chemin de fer: leave was given for what needs leave.
    LeaveGiven(LeaveGiven),
    /// A damaged card was removed and replaced by the same card of another deck.
    CardReplaced(Box<CardReplaced>),
    /// Values of a coup's settlement were computed, and not read.
    ValuesComputed(ValuesComputed),
    /// Another system keeps something in the record; nothing is judged by it.
    ExtensionRecorded(Box<Extension>),
    /// An event of a newer minor version: kept, not understood.
    #[serde(skip_serializing)]
    Unknown(UnknownEvent),
}

impl Body {
    /// The coup that it names.
    #[must_use]
    pub fn coup(&self) -> Option<u32> {
        match self {
            Self::BetPlaced(placed) => Some(placed.coup),
            Self::BetsClosed(closed) => Some(closed.coup),
            Self::PuntoHolder(given) => Some(given.coup),
            Self::CardDrawn(drawn) => Some(drawn.coup),
            Self::CoupSettled(settled) => Some(settled.coup),
            Self::CoupVoided(voided) => Some(voided.coup),
            Self::BancoCalled(called) => Some(called.coup),
            Self::AbonoPlaced(placed) => Some(placed.coup),
            Self::DrawDecided(decided) => Some(decided.coup),
            Self::BankSettled(settled) => Some(settled.coup),
            Self::IrregularityRecorded(irregularity) => irregularity.coup,
            Self::CardReplaced(replaced) => replaced.coup,
            Self::ValuesComputed(computed) => Some(computed.coup),
            Self::ShoeLoaded(_)
            | Self::BurnCards(_)
            | Self::TableOpened(_)
            | Self::TableClosed(_)
            | Self::LimitsChanged(_)
            | Self::SeatTaken(_)
            | Self::SeatLeft(_)
            | Self::DealOffered(_)
            | Self::DealAccepted(_)
            | Self::DealDeclined(_)
            | Self::BetWithdrawn(_)
            | Self::CutCardDrawn(_)
            | Self::CommissionCollected(_)
            | Self::CorrectionRecorded(_)
            | Self::ShoeEnded(_)
            | Self::BankTaken(_)
            | Self::BankPassed(_)
            | Self::GarajeSet(_)
            | Self::PlayersPresent(_)
            | Self::BankBid(_)
            | Self::LeaveGiven(_)
            | Self::ExtensionRecorded(_)
            | Self::Unknown(_) => None,
        }
    }

    /// The bet that it places.
    #[must_use]
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else places a bet")]
    pub const fn bet(&self) -> Option<u64> {
        match self {
            Self::BetPlaced(placed) => Some(placed.bet),
            Self::AbonoPlaced(placed) => Some(placed.bet),
            _ => None,
        }
    }
}

/// A shoe was loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ShoeLoaded {
    /// The shoe's id.
    pub shoe: Name,
    /// 52-card decks in it.
    pub decks: u8,
    /// Cards in it, the cut card not counted.
    pub cards: u16,
    /// Cards after the cut card, if counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards_behind_cut: Option<u16>,
    /// Serial numbers of the decks, at most 16.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub deck_serials: Vec<Name>,
    /// Colours of the decks' backs, at most 16.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub back_colours: Vec<Name>,
    /// BLAKE3 of a nonce and the card order, see [`OrderReveal`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_commitment: Option<Hex32>,
}

/// Cards were burned at the start of a shoe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BurnCards {
    /// The first card, shown; it leaves the shoe as well.
    pub indicator: Face,
    /// Cards burned after it.
    pub burned: u8,
    /// Faces of the burned cards in order where they were read: empty, or one for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 255))]
    pub faces: Vec<Face>,
}

/// A bet was placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BetPlaced {
    /// The coup it is for.
    pub coup: u32,
    /// The bet's id, never used twice at a table. Above 2^53 - 1 readers in JavaScript lose its last digits.
    pub bet: u64,
    /// The seat at which it was placed.
    pub seat: u8,
    /// Who placed it, if others may bet at the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Name>,
    /// Kind of bet, as the rulebook names it.
    pub kind: BetKind,
    /// Stake.
    pub stake: Money,
}

/// Where a card went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Destination {
    /// To punto's hand.
    Punto,
    /// To banca's hand.
    Banca,
    /// Out of play.
    Removed,
}

impl Destination {
    /// The hand, if it went to one.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Punto => Some(Side::Punto),
            Self::Banca => Some(Side::Banca),
            Self::Removed => None,
        }
    }
}

impl From<Side> for Destination {
    fn from(side: Side) -> Self {
        match side {
            Side::Punto => Self::Punto,
            Side::Banca => Self::Banca,
        }
    }
}

/// A card left the shoe during a coup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CardDrawn {
    /// The coup.
    pub coup: u32,
    /// Position in the shoe, from 1.
    pub position: u16,
    /// The card, or `??`.
    pub card: Face,
    /// Where it went.
    pub to: Destination,
}

/// One bet's settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BetSettled {
    /// The bet's id.
    pub bet: u64,
    /// Returned to the player, stake included.
    pub returned: Money,
    /// Commission collected or marked in the box.
    #[serde(default, skip_serializing_if = "nothing")]
    pub commission: Money,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
fn nothing(sum: &Money) -> bool {
    *sum == Money::ZERO
}

/// A coup was settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CoupSettled {
    /// The coup.
    pub coup: u32,
    /// Who won, as announced.
    pub winner: Winner,
    /// Punto's total, as announced.
    pub punto_total: u8,
    /// Banca's total, as announced.
    pub banca_total: u8,
    /// Every bet of the coup.
    #[serde(default, deserialize_with = "objects")]
    #[cfg_attr(feature = "schema", schema(max_items = 8_192))]
    pub bets: Vec<BetSettled>,
}

/// Limits of one kind of bet, which replace the table's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BetLimit {
    /// Kind of bet.
    pub kind: BetKind,
    /// Least stake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Money>,
    /// Largest stake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Money>,
}

/// A table's limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Least stake.
    pub minimum: Money,
    /// Largest stake.
    pub maximum: Money,
    /// Stakes must be multiples of this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple: Option<Money>,
    /// Limits of single kinds of bet.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "objects")]
    #[cfg_attr(feature = "schema", schema(max_items = 255))]
    pub bets: Vec<BetLimit>,
}

/// The table opened under a rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TableOpened {
    /// The whole rulebook in force.
    pub rulebook: RulebookDocument,
    /// Limits.
    #[serde(deserialize_with = "object")]
    pub limits: Limits,
    /// ISO 4217 code, such as `EUR`.
    pub currency: Name,
    /// Decimal digits of the minor unit: 2 where a unit is a hundredth. At most 6.
    #[cfg_attr(feature = "schema", schema(maximum = 6))]
    pub minor_digits: u8,
    /// Seat numbers at this table.
    #[cfg_attr(feature = "schema", schema(max_items = 255))]
    pub seats: Vec<u8>,
}

/// The table closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TableClosed {}

/// A seat taken or left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The seat.
    pub seat: u8,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Name>,
}

/// The deal offered, accepted or declined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The seat.
    pub seat: u8,
}

/// A bet was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BetWithdrawn {
    /// The bet's id.
    pub bet: u64,
}

/// "No va más".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BetsClosed {
    /// The coup.
    pub coup: u32,
}

/// Who holds punto's cards; spelled `"croupier"` or `{"seat":3}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holder {
    /// The croupier.
    Croupier,
    /// The player at a seat.
    Seat(u8),
}

/// Who holds punto's cards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PuntoHolder {
    /// The coup.
    pub coup: u32,
    /// Who.
    pub holder: Holder,
}

/// The cut card came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CutCardDrawn {
    /// Position of the card it lay before: one card fewer than that had left the shoe.
    pub position: u16,
}

/// Why commission was collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CommissionReason {
    /// The shoe ended.
    ShoeEnd,
    /// The player leaves.
    Leaving,
    /// The player asked to pay.
    Request,
}

/// Commission was collected from a seat's box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CommissionCollected {
    /// The seat.
    pub seat: u8,
    /// The sum.
    pub amount: Money,
    /// Why.
    pub why: CommissionReason,
}

/// A coup was declared void: every stake comes back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CoupVoided {
    /// The coup.
    pub coup: u32,
    /// Why.
    pub reason: Remark,
    /// Who ruled.
    pub ruled_by: Name,
    /// Who signed with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub countersigned_by: Option<Name>,
}

/// Something irregular was ruled upon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Irregularity {
    /// What kind, such as `card-face-up`.
    pub code: Name,
    /// The coup, if in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coup: Option<u32>,
    /// Positions of the cards concerned, at most 16.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub positions: Vec<u16>,
    /// What was ruled.
    pub ruling: Remark,
    /// Who ruled.
    pub ruled_by: Name,
    /// Who signed with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub countersigned_by: Option<Name>,
}

/// An earlier event was recorded wrongly; it stays, and this says what it should have been.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CorrectionRecorded {
    /// Sequence of the event it corrects.
    pub corrects: u64,
    /// What the event should have said; not itself a correction.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::CorrectedBody))]
    pub corrected: Box<Body>,
    /// Why.
    pub reason: Remark,
    /// The two who sign for it.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Name>, min_items = 2, max_items = 2))]
    pub signed_by: [Name; 2],
}

/// Opens a commitment: BLAKE3 of the nonce's 32 bytes and one code byte a card must equal it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OrderReveal {
    /// The nonce.
    pub nonce: Hex32,
    /// Every card of the shoe in order, at most 624.
    #[cfg_attr(feature = "schema", schema(max_items = 624))]
    pub order: Vec<Face>,
}

/// The shoe ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ShoeEnded {
    /// Cards left in the shoe.
    pub cards_left: u16,
    /// The order committed to when it was loaded.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "optional_object")]
    pub reveal: Option<OrderReveal>,
}

/// An event of a kind or with fields this version does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEvent {
    /// Its number in the canonical form.
    pub kind: u32,
    /// Its canonical bytes.
    pub bytes: Vec<u8>,
}
