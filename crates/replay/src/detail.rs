//! Views of whole coups for people and for JSON: cards, totals, what the rules asked for, every bet.

use baccarat::roads::Score;
use baccarat::{Card, Draw, Side, Winner};
use serde::Serialize;

use crate::statement::EventName;
use crate::{BankView, CoupAccount, CoupCorrected, CoupVerdict, Currency, Finding, Reason};

/// The coups of which views are made; empty fields match everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only this table.
    pub table: Option<String>,
    /// Only this shoe.
    pub shoe: Option<String>,
    /// Only this coup.
    pub coup: Option<u32>,
}

impl Wanted {
    pub(crate) fn matches(&self, table: &str, shoe: Option<&str>, coup: u32) -> bool {
        self.table.as_deref().is_none_or(|wanted| wanted == table)
            && self.shoe.as_deref().is_none_or(|wanted| Some(wanted) == shoe)
            && self.coup.is_none_or(|wanted| wanted == coup)
    }
}

/// One card of a coup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CardView {
    /// Position in the shoe.
    pub position: u16,
    /// The card as recorded.
    #[cfg_attr(feature = "schema", schema(value_type = baccarat::Face))]
    pub card: String,
    /// `punto`, `banca` or `removed`.
    #[cfg_attr(feature = "schema", schema(value_type = events::Destination))]
    pub to: String,
}

/// Why a hand drew or stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ThirdCard {
    /// The hand.
    pub side: Side,
    /// Its two-card total.
    pub total: u8,
    /// Value of punto's third card, for banca where punto drew.
    pub against: Option<u8>,
    /// What the tableau says: `draws` or `stands`; `natural` where the coup was over.
    pub rule: String,
    /// Whether it has a third card.
    pub drew: bool,
}

/// A sum returned and its commission, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SettlementView {
    /// Returned, stake included.
    pub returned: u64,
    /// Commission collected or marked.
    pub commission: u64,
}

/// One bet of a coup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetView {
    /// The bet's id.
    pub bet: u64,
    /// The seat.
    pub seat: u8,
    /// The player's name, where it is recorded.
    pub player: Option<String>,
    /// Kind, as the rulebook names it; `?` where it does not.
    pub kind: String,
    /// Stake in minor units.
    pub stake: u64,
    /// Whether it was taken back.
    pub withdrawn: bool,
    /// What was due; absent where it cannot be derived.
    pub expected: Option<SettlementView>,
    /// What was recorded; absent where it was left out.
    pub recorded: Option<SettlementView>,
}

/// The totals of one seat's box in one shoe, in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CommissionView {
    /// The table.
    pub table: String,
    /// The shoe; absent where none was loaded.
    pub shoe: Option<String>,
    /// The table's currency.
    pub currency: Option<Currency>,
    /// The seat.
    pub seat: u8,
    /// Marked in its box.
    pub marked: u64,
    /// Collected from it.
    pub collected: u64,
    /// Marked and not collected by the end of the shoe.
    pub outstanding: u64,
}

/// The view of one coup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CoupView {
    /// The table.
    pub table: String,
    /// The shoe.
    pub shoe: Option<String>,
    /// Number within the shoe.
    pub coup: u32,
    /// Rulebook in force.
    pub rulebook: Option<String>,
    /// The table's currency.
    pub currency: Option<Currency>,
    /// Sequence of its first and last event.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<u64>, min_items = 2, max_items = 2))]
    pub sequences: (u64, u64),
    /// Log index of the entries that hold these two.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<u64>, min_items = 2, max_items = 2))]
    pub entries: (u64, u64),
    /// Time of the last event, as recorded.
    pub settled_at: String,
    /// Every card drawn.
    pub cards: Vec<CardView>,
    /// Totals of the hands as dealt, punto and banca.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<u16>>, min_items = 2, max_items = 2))]
    pub totals: Option<(u8, u8)>,
    /// Totals as announced.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<u16>>, min_items = 2, max_items = 2))]
    pub totals_recorded: Option<(u8, u8)>,
    /// Winner by the hands as dealt.
    pub winner: Option<Winner>,
    /// Winner as announced.
    pub winner_recorded: Option<Winner>,
    /// Which of the winner and totals as recorded a program computed from the cards: no one announced or read them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub computed: Vec<events::ComputedValue>,
    /// Why each hand drew or stood.
    pub third_cards: Vec<ThirdCard>,
    /// Every bet.
    pub bets: Vec<BetView>,
    /// What its bets returned, and what was due for them by the cards as dealt and by the rules.
    pub account: CoupAccount,
    /// What corrections of observations moved in it, by the first version and by the corrected one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub corrected: Option<CoupCorrected>,
    /// The bank, in chemin de fer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub bank: Option<BankView>,
    /// Result.
    pub verdict: CoupVerdict,
    /// Whether its certification rests on a ruling, a void or a correction.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub subject_to_ruling: bool,
    /// Why it is undecided.
    pub undecided: Option<Reason>,
    /// Its findings.
    pub findings: Vec<Finding>,
    /// What was ruled on it, and corrected in it, in the order of the record: the first [`CoupView::MOST_RULINGS`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rulings: Vec<RulingView>,
    /// How many more there are.
    #[serde(skip_serializing_if = "is_none")]
    pub more_rulings: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

impl CoupView {
    /// Most rulings and corrections that a view lists.
    pub const MOST_RULINGS: usize = 100;

    /// The scoreboard's mark for the coup, by the hands as dealt; `None` where it was void or a
    /// card was not read.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        let winner = self.winner.filter(|_| self.undecided != Some(Reason::Voided))?;
        let pair = |side: Side| {
            let to = side.to_string();
            let mut ranks =
                self.cards.iter().filter(|card| card.to == to).map(|card| card.card.chars().next());
            let first = ranks.next().flatten();
            first.is_some() && ranks.next().flatten() == first
        };
        Some(Score { winner, punto_pair: pair(Side::Punto), banca_pair: pair(Side::Banca) })
    }
}

/// What the tableau asked of both hands of a dealt coup.
pub(crate) fn third_cards(rules: &baccarat::Rulebook, hands: &baccarat::Coup) -> Vec<ThirdCard> {
    let (punto, banca) = (&hands.punto, &hands.banca);
    let natural = punto.two_card_total().get() >= 8 || banca.two_card_total().get() >= 8;
    let against = punto.third().map(Card::points);
    let rule = |draw: Draw| if natural { "natural".to_owned() } else { draw.to_string() };
    let column = against.map(|third| match rules.columns {
        baccarat::Columns::ThirdCard => third,
        baccarat::Columns::PuntoTotal => punto.two_card_total().plus(third),
    });
    vec![
        ThirdCard {
            side: Side::Punto,
            total: punto.two_card_total().get(),
            against: None,
            rule: rule(rules.tableau.punto(punto.two_card_total())),
            drew: punto.third().is_some(),
        },
        ThirdCard {
            side: Side::Banca,
            total: banca.two_card_total().get(),
            against: column.map(baccarat::Points::get),
            rule: rule(rules.tableau.banca(banca.two_card_total(), column)),
            drew: banca.third().is_some(),
        },
    ]
}

/// What the rules asked of both hands of a dealt coup of chemin de fer, in which they may choose.
pub(crate) fn third_cards_chosen(
    rules: &baccarat::Rulebook,
    hands: &baccarat::Coup,
    free: bool,
    asked: bool,
    play: baccarat::BancaPlay,
) -> Vec<ThirdCard> {
    let [mut punto, mut banca] = match <[ThirdCard; 2]>::try_from(third_cards(rules, hands)) {
        Ok(both) => both,
        Err(other) => return other,
    };
    if punto.rule != "natural" {
        punto.rule = rules.punto_draw(hands.punto.two_card_total(), free, asked).to_string();
        let third = hands.punto.third().map(Card::points);
        banca.rule = rules.banca_draw(hands.banca.two_card_total(), third, play).to_string();
    }
    vec![punto, banca]
}

/// A void, a ruling, a replaced card or a correction that concerns a coup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RulingView {
    /// Sequence of its event.
    pub sequence: u64,
    /// Log index of the entry that holds it.
    pub entry: u64,
    /// When that happened, by the table's clock, as recorded.
    pub at: String,
    /// Who signed.
    pub signed_by: Vec<String>,
    /// What they wrote: the reason, or what was ruled.
    pub text: String,
    /// What it is.
    pub what: RulingKind,
}

/// What was ruled, or corrected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RulingKind {
    /// The coup was declared void.
    Void,
    /// Something irregular was ruled upon.
    Irregularity {
        /// What kind, such as `card-face-up`.
        code: String,
        /// Positions of the cards concerned.
        positions: Vec<u16>,
    },
    /// A card was taken out, and a card of the same face put in its place.
    CardReplaced {
        /// Its position in the shoe.
        position: u16,
        /// The card.
        card: String,
    },
    /// An event of the coup was corrected.
    Correction {
        /// Sequence of the event.
        corrects: u64,
        /// What kind of event it is.
        #[cfg_attr(feature = "schema", schema(value_type = String))]
        event: EventName,
        /// Whether the coup is judged by it.
        counts: bool,
        /// The members that it changes, the first [`RulingKind::MOST_CHANGES`].
        changes: Vec<ChangedMember>,
    },
}

impl RulingKind {
    /// Most changed members that are shown of a correction.
    pub const MOST_CHANGES: usize = 16;
}

/// A member of an event that was corrected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChangedMember {
    /// Its name as JSON has it: `stake`, `bets[2].returned`.
    pub member: String,
    /// What was recorded first, as JSON; absent if it was not there.
    pub first: Option<String>,
    /// What it is now.
    pub corrected: Option<String>,
}
