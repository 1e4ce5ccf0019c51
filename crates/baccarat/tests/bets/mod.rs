//! Bets: what a paytable decides, and what every bet of the trade costs.
#![allow(clippy::unwrap_used, missing_docs)]

mod decisions;
mod prices;
