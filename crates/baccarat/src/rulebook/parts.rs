//! The clauses of a rulebook, one type each. Each carries the keys of the texts it follows.

use super::*;

/// A text a clause follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Citation {
    /// The document and the passage in it.
    pub source: String,
    /// The words, in the language of the source.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// A clause without parameters: only the texts it follows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Cited {
    /// Keys of citations.
    pub cite: Vec<String>,
}

/// First and last day on which a rulebook holds, as `YYYY-MM-DD`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Effective {
    /// First day.
    pub from: String,
    /// Last day; absent while it is in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// Decks in the shoe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ShoeRules {
    /// Allowed numbers of 52-card decks, each 1 to 12.
    pub decks: BTreeSet<u8>,
    /// Whether a shoe's id and a deck's serial may come again at one table.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reuse: bool,
    /// Whether a shoe may stay loaded over a closing of the table.
    #[serde(default, skip_serializing_if = "is_false")]
    pub overnight: bool,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// What may still be dealt once the cut card has come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LastCoup {
    /// The coup in play is the last.
    FinishCoup,
    /// The coup in play and one more.
    OneMore,
    /// The coup in play and five more ("last five hands").
    FiveMore,
}

impl LastCoup {
    /// Coups allowed after the one in play.
    #[must_use]
    pub const fn coups_after(self) -> u32 {
        match self {
            Self::FinishCoup => 0,
            Self::OneMore => 1,
            Self::FiveMore => 5,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
pub(super) const fn is_false(value: &bool) -> bool {
    !*value
}

/// The cut card (*carta de detención*).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CutCardRules {
    /// Least number of cards behind it.
    pub cards_behind: u16,
    /// Which coup is the last.
    pub last_coup: LastCoup,
    /// Whether a coup whose first card would have been the cut card counts as one of the coups
    /// still to come.
    #[serde(default, skip_serializing_if = "is_false")]
    pub first_card_counts: bool,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// Order of the first four cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DealOrder {
    /// Punto, banca, punto, banca.
    Alternate,
    /// Punto, punto, banca, banca.
    Pairs,
}

impl DealOrder {
    /// The hands that get the first four cards.
    #[must_use]
    pub const fn first_four(self) -> [Side; 4] {
        match self {
            Self::Alternate => [Side::Punto, Side::Banca, Side::Punto, Side::Banca],
            Self::Pairs => [Side::Punto, Side::Punto, Side::Banca, Side::Banca],
        }
    }
}

/// Who draws the cards from the shoe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dealer {
    /// Players in turn from the lowest seat; the shoe passes when punto wins.
    Players,
    /// The croupier.
    Croupier,
    /// The croupier, who may offer the deal to the players.
    Either,
    /// Whoever has the bank (chemin de fer).
    Banker,
}

/// Who holds punto's cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PuntoHolderRule {
    /// The seat with the highest bet on punto; the croupier where nobody bet on it.
    HighestPuntoBet,
    /// The croupier, always.
    Croupier,
    /// Whoever called banco; else the seated player with the highest bet (chemin de fer).
    Banco,
}

/// Which of equal highest bets on punto gets the cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// The source does not say: any of them is legal.
    Unstated,
    /// The lowest seat number.
    LowestSeat,
    /// The bet placed first.
    FirstPlaced,
    /// The seat that comes first on the banker's right (chemin de fer).
    Priority,
}

/// Whose turn to deal it is when a new shoe is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NewShoe {
    /// The source does not say: either is legal.
    #[default]
    Unstated,
    /// The turn goes on where it was.
    GoesOn,
    /// The turn begins anew at the lowest seat.
    Anew,
}

impl NewShoe {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
    const fn is_unstated(&self) -> bool {
        matches!(self, Self::Unstated)
    }
}

/// The deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DealRules {
    /// Order of the first four cards.
    pub order: DealOrder,
    /// Who draws them.
    pub dealer: Dealer,
    /// Who holds punto's.
    pub punto_holder: PuntoHolderRule,
    /// Between equal bets.
    pub tie_break: TieBreak,
    /// Whose turn it is in a new shoe, where players deal.
    #[serde(default, skip_serializing_if = "NewShoe::is_unstated")]
    pub new_shoe: NewShoe,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// What the columns 0 to 9 of banca's table mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Columns {
    /// The value of punto's third card.
    #[default]
    ThirdCard,
    /// Punto's total after its third card (one source's heading; it misplays coups).
    PuntoTotal,
}

/// Seat numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SeatRules {
    /// Numbers a table may have, each 1 to 99. A smaller table ends at a lower number.
    pub numbers: BTreeSet<u8>,
    /// Numbers a table may leave out between its lowest and its highest; absent: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_leave_out: Option<BTreeSet<u8>>,
    /// Whether a seated player may bet only in their own place at the table.
    #[serde(default, skip_serializing_if = "is_false")]
    pub own_place: bool,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

impl SeatRules {
    /// Numbers that a table with these seats lacks although it may not leave them out: those
    /// below its highest seat. Seats the rulebook does not know are not looked at.
    #[must_use]
    pub fn wrongly_left_out(&self, seats: &BTreeSet<u8>) -> Vec<u8> {
        let (Some(optional), Some(highest)) = (&self.may_leave_out, seats.last()) else { return Vec::new() };
        let needed = self.numbers.range(..highest).filter(|number| !optional.contains(number));
        needed.filter(|number| !seats.contains(number)).copied().collect()
    }
}

/// Two kinds of bet that one player may not place in one coup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ForbiddenPair {
    /// The two kinds.
    pub bets: [BetKind; 2],
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// What happens to a stake above its limit that was accepted all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverLimit {
    /// It is settled in full.
    PaidInFull,
    /// The part above the limit comes back, the rest is settled.
    Capped,
    /// The whole stake comes back.
    Void,
}

/// Table limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LimitRules {
    /// The maximum must be one of these times the minimum; empty: free.
    #[serde(default)]
    pub maximum_over_minimum: BTreeSet<u32>,
    /// Whether a table may ask for stakes in multiples of a unit.
    pub multiples_allowed: bool,
    /// Whether that unit, where a table asks for one, has to be the table's minimum.
    #[serde(default)]
    pub multiple_is_minimum: bool,
    /// What happens above the limit.
    pub over_limit: OverLimit,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// When commission is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Charge {
    /// Deducted from the payout.
    Collected,
    /// Marked in the seat's box; paid at the end of the shoe or before leaving.
    Boxed,
}

impl fmt::Display for Charge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Collected => "collected",
            Self::Boxed => "boxed",
        })
    }
}

/// Commission on winning bets that carry it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommissionRules {
    /// Share of the winnings.
    pub rate: Rate,
    /// When it is paid.
    pub charge: Charge,
    /// Rounding, with its unit.
    pub rounding: Rounding,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// What has to follow from an irregularity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consequence {
    /// The cards concerned leave the game; bets stay.
    CardRemoved,
    /// The cards concerned keep their position and value.
    CardStays,
    /// The cards concerned are the first of the next coup.
    NextCoup,
    /// The coup is void: every stake comes back.
    CoupVoid,
    /// The source leaves it to whoever rules: only attested.
    Ruling,
    /// The card concerned is banca's third where punto asks for none (chemin de fer, as all below).
    BancaTakesCard,
    /// Banca's first two cards count 0; the surplus card concerned leaves the game.
    BancaCountsZero,
    /// Of the two cards concerned punto keeps the one that gives it the higher total.
    HigherCard,
    /// Of the two cards concerned banca keeps the one that gives it the lower total.
    LowerCard,
    /// Punto counts 9.
    PuntoCountsNine,
    /// Banca loses the coup.
    BancaLoses,
    /// Punto loses the coup.
    PuntoLoses,
    /// Banca plays by its table.
    ChartBinds,
    /// Banca plays by its table, and draws where that leaves the choice.
    ChartDraws,
}

impl fmt::Display for Consequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::CardRemoved => "the card removed",
            Self::CardStays => "the card kept in its place",
            Self::NextCoup => "the card first in the next coup",
            Self::CoupVoid => "the coup void",
            Self::Ruling => "what is ruled",
            Self::BancaTakesCard => "the card banca's third where punto asks for none",
            Self::BancaCountsZero => "banca's two cards counted as 0 and the surplus card removed",
            Self::HigherCard => "of the two cards, the one that gives punto more",
            Self::LowerCard => "of the two cards, the one that gives banca less",
            Self::PuntoCountsNine => "punto counted as 9",
            Self::BancaLoses => "the coup lost for banca",
            Self::PuntoLoses => "the coup lost for punto",
            Self::ChartBinds => "banca by its table",
            Self::ChartDraws => "banca by its table, drawing where it may choose",
        })
    }
}

/// A kind of irregularity and what has to follow from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct IrregularityRules {
    /// What has to follow.
    pub consequence: Consequence,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}
