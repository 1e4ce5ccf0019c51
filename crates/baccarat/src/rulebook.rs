//! A rulebook: the rules of a jurisdiction as values, each with the text it comes from.
//!
//! A rulebook is read from a TOML file (people write those) or from its canonical JSON (the log
//! carries that). It is never edited: a changed regulation is a new rulebook with a new name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BetKind, BetRule, Decision, Money, Pays, Rate, Rounding, Side, Tableau};

mod burn;
mod card_values;
pub(crate) mod check;
mod chemin;
mod clause;
mod error;
pub(crate) mod files;
pub mod form;
pub(crate) mod holes;
pub(crate) mod load;
pub(crate) mod overlay;
mod parts;
mod record;
mod syntax;
mod unique;

pub use burn::{BurnMethod, BurnRules};
pub use card_values::CardValues;
pub(crate) use card_values::usual_points;
pub use chemin::{
    AbonoRules, BancaPlay, BankRules, ChartBinds, ChartRules, CheminRules, FreePlayRules, Game, GarajeRules,
    PlayerRules, TurnRules,
};
pub use clause::Clause;
pub use error::{Problem, RulebookError};
pub use files::Place;
pub use load::{Digest, builtin, builtins, superseded_by};
pub use overlay::ReadBase;
pub use parts::*;
pub use record::{ClockRules, RulingRules};

/// The rules a table is judged by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rulebook {
    /// Version of this format, 1.
    pub format: u32,
    /// Short name: 1 to 64 of `a-z 0-9 -`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it holds (ISO 3166 code or a house's name).
    pub jurisdiction: String,
    /// When it holds.
    pub effective: Effective,
    /// The texts it follows, by the key its clauses cite.
    #[serde(deserialize_with = "unique::map")]
    pub citations: BTreeMap<String, Citation>,
    /// Decks in the shoe.
    pub shoe: ShoeRules,
    /// The cut card and the last coup.
    pub cut_card: CutCardRules,
    /// Cards burned at the start of a shoe.
    pub burn: BurnRules,
    /// Who deals, in what order, and who holds punto's cards.
    pub deal: DealRules,
    /// What the cards count and which hand wins; the same in every source.
    #[serde(default)]
    pub card_values: CardValues,
    /// A two-card 8 or 9 ends the coup; the same in every source.
    #[serde(default)]
    pub naturals: Cited,
    /// Bets are accepted until "no va más"; the same in every source.
    #[serde(default)]
    pub betting: Cited,
    /// Winning bets are paid and losing ones collected; the same in every source.
    #[serde(default)]
    pub settlement: Cited,
    /// What the columns 0 to 9 of banca's table mean.
    #[serde(default)]
    pub columns: Columns,
    /// Who draws a third card.
    pub tableau: Tableau,
    /// Seat numbers.
    pub seats: SeatRules,
    /// Bets one player may not place in the same coup: pairs of kinds.
    #[serde(default)]
    pub forbidden_pairs: Vec<ForbiddenPair>,
    /// Minimum, maximum, multiples.
    pub limits: LimitRules,
    /// Commission on winning bets that carry it; absent where the house takes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commission: Option<CommissionRules>,
    /// Rounding of payouts that are no whole number of minor units.
    pub payout_rounding: Rounding,
    /// What has to follow from irregularities, by the code under which they are recorded.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "unique::map")]
    pub irregularities: BTreeMap<String, IrregularityRules>,
    /// How exact clocks have to be; absent: the usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockRules>,
    /// Who signs rulings; absent: two people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rulings: Option<RulingRules>,
    /// What only chemin de fer has; absent where the house is the bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chemin: Option<Box<CheminRules>>,
    /// Every kind of bet offered.
    #[serde(deserialize_with = "unique::map")]
    pub bets: BTreeMap<BetKind, BetRule>,
}

/// What has to be returned for a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// Paid back to the seat, stake included, commission deducted where it is collected at once.
    pub returned: Money,
    /// Commission collected or marked in the seat's box.
    pub commission: Money,
}

impl Rulebook {
    /// The house's share of a win that carries commission, rounded; nothing where it takes none.
    #[must_use]
    pub fn commission_on(&self, won: Money) -> Money {
        let share = |rules: &CommissionRules| {
            won.times(rules.rate.numerator(), rules.rate.denominator(), rules.rounding)
        };
        self.commission.as_ref().map_or(Money::ZERO, share)
    }

    /// What a stake returns under a decision.
    #[must_use]
    pub fn settle(&self, stake: Money, decision: Decision) -> Settlement {
        let odds = match decision.pays {
            Pays::Lose => return Settlement { returned: Money::ZERO, commission: Money::ZERO },
            Pays::Push => return Settlement { returned: stake, commission: Money::ZERO },
            Pays::Wins(odds) => odds,
        };
        let won = stake.times(odds.wins(), odds.per(), self.payout_rounding);
        let commission = if decision.commission { self.commission_on(won) } else { Money::ZERO };
        let deducted = match self.commission.as_ref().map(|rules| rules.charge) {
            Some(Charge::Collected) => commission,
            Some(Charge::Boxed) | None => Money::ZERO,
        };
        Settlement { returned: stake.plus(won).minus(deducted), commission }
    }
}
