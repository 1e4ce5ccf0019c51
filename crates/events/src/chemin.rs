//! The bodies of events that only chemin de fer has, since minor version 1: a player is the bank.
//!
//! Sums are minor units of the table's currency. A standing player is recorded with the seat behind
//! which they stand, and with a name other than that of the player who sits there.

use baccarat::{Money, Side};
use serde::{Deserialize, Serialize};

use crate::Name;
use crate::object::objects;

/// How someone got the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BankHow {
    /// It was their turn.
    Turn,
    /// No seated player wanted it, and a standing player did.
    Standing,
    /// It was auctioned.
    Auction,
    /// Nobody wanted it, and the player who gave it up took it again for the same sum.
    Retaken,
    /// Nobody bought it, and it went to the right of the player who gave it up, for the least sum.
    Minimum,
    /// The banker who won the last coup of a shoe goes on in the next with the same sum.
    Continued,
}

/// A partner who shares the banker's wins and losses and has no say in the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Partner {
    /// Who.
    pub player: Name,
    /// Their part of the bank.
    pub amount: Money,
}

/// Chemin de fer: somebody has the bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BankTaken {
    /// The seat, or the one behind which the banker stands.
    pub seat: u8,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Name>,
    /// All that is put up, the partners' parts included.
    pub amount: Money,
    /// How they got it.
    pub how: BankHow,
    /// Who shares it, at most 16.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "objects")]
    #[cfg_attr(feature = "schema", schema(max_items = 16))]
    pub partners: Vec<Partner>,
}

/// Why a banker gives up the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BankWhy {
    /// Punto won.
    Lost,
    /// By choice.
    Voluntary,
    /// The bank was taken and its banker would not deal even once.
    Refused,
    /// The banker leaves.
    Left,
    /// The shoe is over.
    ShoeEnd,
}

/// Chemin de fer: the banker gives up the bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BankPassed {
    /// The banker's seat.
    pub seat: u8,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Name>,
    /// What the banker takes away: the bank and the garaje.
    pub amount: Money,
    /// Why.
    pub why: BankWhy,
}

/// What a player calls to play for the bank, whole or half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// «Banco»: the whole bank.
    Banco,
    /// «Banco con la mesa»: half of it.
    ConLaMesa,
    /// «Con la mesa y último completo»: the other half.
    UltimoCompleto,
    /// «Banco seguido»: the whole bank, by whoever called banco and lost.
    Seguido,
    /// Banco of several players together.
    Asociado,
}

impl Call {
    /// As it is called at the table.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Banco => "banco",
            Self::ConLaMesa => "banco con la mesa",
            Self::UltimoCompleto => "con la mesa y último completo",
            Self::Seguido => "banco seguido",
            Self::Asociado => "banco en asociación",
        }
    }
}

/// Chemin de fer: somebody plays for the bank, whole or in half.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BancoCalled {
    /// The coup.
    pub coup: u32,
    /// The seat, or the one behind which they stand.
    pub seat: u8,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Name>,
    /// What was called.
    pub call: Call,
}

/// Chemin de fer: a stake in addition to the bank, on the difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AbonoPlaced {
    /// The coup.
    pub coup: u32,
    /// The bet's id, never used twice at a table. Above 2^53 - 1 readers in JavaScript lose its last digits.
    pub bet: u64,
    /// The seat, or the one behind which they stand.
    pub seat: u8,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Name>,
    /// Stake.
    pub stake: Money,
}

/// Why part of the banker's money is out of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Garaje {
    /// Winnings the banker sets aside by choice.
    Voluntary,
    /// What the stakes of a coup do not cover, for that coup.
    Compulsory,
    /// What lies above the bank's maximum.
    Improper,
    /// «Todo va»: everything set aside comes into play again.
    TodoVa,
}

/// Chemin de fer: part of the banker's money leaves play, or comes back into it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GarajeSet {
    /// Why.
    pub kind: Garaje,
    /// The sum that leaves play, or comes back into it.
    pub amount: Money,
}

/// What a hand says about a third card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Announced {
    /// «No».
    No,
    /// «Carta».
    Carta,
}

impl Announced {
    /// As it is said at the table.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Carta => "carta",
        }
    }
}

/// Whether the croupier was asked: punto for advice, the banker for the chart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Counsel {
    /// No.
    #[default]
    None,
    /// Yes.
    Croupier,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
fn unasked(counsel: &Counsel) -> bool {
    *counsel == Counsel::None
}

/// Chemin de fer: a hand says whether it draws.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DrawDecided {
    /// The coup.
    pub coup: u32,
    /// Whose decision.
    pub hand: Side,
    /// What was announced.
    pub decision: Announced,
    /// Whether the croupier was asked first.
    #[serde(default, skip_serializing_if = "unasked")]
    pub counsel: Counsel,
}

/// Chemin de fer: how many players are at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayersPresent {
    /// Players at the table, seated and standing, the banker included.
    pub players: u16,
}

/// Chemin de fer: what the bank won or lost in a coup, recorded before the coup is settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BankSettled {
    /// The coup.
    pub coup: u32,
    /// What the bank won, before commission.
    pub won: Money,
    /// What the bank paid.
    pub lost: Money,
    /// What went to the house out of what was won.
    pub commission: Money,
    /// The bank afterwards.
    pub bank: Money,
    /// What is set aside afterwards.
    pub garaje: Money,
}

/// Chemin de fer: a bid in the auction of the bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BankBid {
    /// The seat, or the one behind which they stand.
    pub seat: u8,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Name>,
    /// The sum they would put up.
    pub amount: Money,
}

/// What needs leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Leave {
    /// A bank without a maximum.
    UnlimitedBank,
    /// Free play of whoever calls banco.
    FreePlay,
}

/// Chemin de fer: leave was given for what needs leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LeaveGiven {
    /// For what.
    pub leave: Leave,
    /// The office that grants it, such as `director-de-juegos`.
    pub office: Name,
    /// Who signs for it.
    pub given_by: Name,
}
