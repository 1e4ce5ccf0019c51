//! The games of punto y banca and chemin de fer: cards, hands, tableau, coup, rulebooks, bets and exact money.
//!
//! This crate knows the rules as values and nothing else. It knows nothing of files, clocks, events, tables
//! or players, and it has no floating point: every sum is an integer of minor units, every rate a ratio.

mod bet;
mod card;
mod coup;
mod deal;
pub mod diff;
pub mod exact;
mod hand;
pub mod lint;
mod money;
mod outcome;
pub mod roads;
mod rulebook;
#[cfg(feature = "schema")]
mod schema;
mod sentence;
mod tableau;

pub use bet::{BetKind, BetKindError, BetRule, Decision, OneOf, PairKind, PayRow, Pays};
pub use card::{Card, CardError, Face, Points, Rank, Suit};
pub use coup::{Coup, Side, Winner};
pub use deal::{Deal, Expect};
pub use hand::Hand;
pub use money::{Money, MoneyError, Odds, Rate, RatioError, Rounding, RoundingMode};
pub use outcome::{HandOutcome, Outcome, Pair, Paytable};
pub use rulebook::form;
pub use rulebook::{
    AbonoRules, BancaPlay, BankRules, BurnMethod, BurnRules, CardValues, Charge, ChartBinds, ChartRules,
    CheminRules, Citation, Cited, Clause, ClockRules, Columns, CommissionRules, Consequence, CutCardRules,
    DealOrder, DealRules, Dealer, Digest, Effective, ForbiddenPair, FreePlayRules, Game, GarajeRules,
    IrregularityRules, LastCoup, LimitRules, NewShoe, OverLimit, Place, PlayerRules, Problem,
    PuntoHolderRule, ReadBase, Rulebook, RulebookError, RulingRules, SeatRules, Settlement, ShoeRules,
    TieBreak, TurnRules, builtin, builtins, superseded_by,
};
pub use sentence::Sentence;
pub use tableau::{Draw, Tableau, TableauError};
