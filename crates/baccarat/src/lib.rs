//! The games of punto y banca and chemin de fer: cards, hands, tableau, coup, rulebooks, bets and exact money.
//!
//! This crate knows the rules as values and nothing else. It knows nothing of files, clocks, events, tables
//! or players, and it has no floating point: every sum is an integer of minor units, every rate a ratio.
//!
//! # A coup, by its rules
//!
//! A [`Rulebook`] is a file of values, each with the paragraph it comes from. It says which card is due
//! ([`Deal::expect`]), and what each bet comes to ([`BetRule::decide`]).
//!
//! ```
//! use baccarat::{Deal, Expect, Face, Pays, Winner};
//!
//! let rules = baccarat::builtin("punto-banco")?;
//! let mut shoe = ["4H", "KS", "AC", "6D", "6C", "KD", "9H"].into_iter();
//! let mut deal = Deal::default();
//! while let (Expect::Card(side), Some(card)) = (deal.expect(&rules), shoe.next()) {
//!     deal.give(side, card.parse::<Face>()?);
//! }
//!
//! // Punto drew to five. Banca has six, and draws because punto's third card was a six.
//! assert_eq!(deal.expect(&rules), Expect::Finished);
//! let coup = deal.coup().ok_or("a card was not read")?;
//! assert_eq!((deal.count(), coup.winner()), (6, Winner::Banca));
//!
//! let (_, punto) = rules.bets.iter().find(|(kind, _)| kind.as_str() == "punto").ok_or("no bet on punto")?;
//! assert_eq!(punto.decide(&coup).map(|decision| decision.pays), Some(Pays::Lose));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What else is here
//!
//! [`exact`] counts every coup that a shoe can bring, for the house edge of a bet; [`lint`] finds what is missing or
//! contradicts itself in a rulebook, [`diff`] what two rulebooks differ in; [`roads`] draws scoreboards.

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
