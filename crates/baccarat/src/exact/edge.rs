//! What a bet costs: exact fractions, no rounding before the last printed digit.
//!
//! An edge is what the house keeps, on average, of each unit staked on a fresh shoe; a push keeps
//! nothing and its stake counts. Commission is taken as its exact share of the winnings: the
//! rounding of payouts and commission to minor units depends on the stake and is left out.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::Tally;
use crate::{BetRule, CommissionRules, Decision, Pays, Paytable};

/// An exact fraction in lowest terms, which may be negative.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fraction(BigRational);

impl Fraction {
    /// `part / whole`; nothing where `whole` is 0.
    #[must_use]
    pub fn new(part: u128, whole: u128) -> Self {
        Self(ratio(part, whole.max(1)))
    }

    /// Below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        *self.0.numer() < BigInt::ZERO
    }

    /// The same without its sign.
    #[must_use]
    pub(crate) fn magnitude(&self) -> Self {
        if self.is_negative() { Self(-self.0.clone()) } else { self.clone() }
    }

    /// As a percentage with so many digits after the point (at most 12), to the nearest, a half away
    /// from zero: 12,351/1,000,000 with four digits is `1.2351`.
    #[must_use]
    pub fn percent(&self, digits: u32) -> String {
        let digits = digits.min(12);
        let scaled = self.magnitude().0 * ratio(100 * 10_u128.pow(digits), 1) + ratio(1, 2);
        let text = format!("{:0>width$}", scaled.to_integer().to_string(), width = digits as usize + 1);
        let (whole, rest) = text.split_at(text.len() - digits as usize);
        let point = if digits == 0 { "" } else { "." };
        let sign = if self.is_negative() && text.bytes().any(|digit| digit != b'0') { "-" } else { "" };
        format!("{sign}{whole}{point}{rest}")
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0.numer(), self.0.denom())
    }
}

fn ratio(part: u128, whole: u128) -> BigRational {
    BigRational::new(part.into(), whole.into())
}

/// How often a bet is won, pushed and lost, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// Draws that pay something.
    pub wins: u128,
    /// Draws that give the stake back.
    pub pushes: u128,
    /// Draws that lose the stake.
    pub losses: u128,
    /// What the house keeps of each unit staked; negative where the bet favours the player.
    pub edge: Fraction,
}

/// Prices a bet on every draw counted.
///
/// A bet that some outcome leaves undecided (only unread suits can) is counted as lost there; a
/// [`Tally`] has no such outcome.
#[must_use]
pub fn price(bet: &BetRule, commission: Option<&CommissionRules>, tally: &Tally) -> Price {
    let paytable = Paytable::new(bet);
    let mut price = Price { wins: 0, pushes: 0, losses: 0, edge: Fraction::new(0, 1) };
    let mut won: Vec<(Decision, u128)> = Vec::new();
    for (outcome, draws) in tally.outcomes() {
        match paytable.decide(outcome) {
            Some(decision @ Decision { pays: Pays::Wins(_), .. }) => {
                price.wins += draws;
                match won.iter_mut().find(|(known, _)| *known == decision) {
                    Some((_, sum)) => *sum += draws,
                    None => won.push((decision, draws)),
                }
            }
            Some(Decision { pays: Pays::Push, .. }) => price.pushes += draws,
            Some(Decision { pays: Pays::Lose, .. }) | None => price.losses += draws,
        }
    }
    let mut kept = ratio(price.losses, 1);
    for (decision, draws) in won {
        kept -= winnings(decision, commission) * ratio(draws, 1);
    }
    price.edge = Fraction(kept / ratio(tally.draws().max(1), 1));
    price
}

/// What a unit staked wins under a decision, commission taken off.
fn winnings(decision: Decision, commission: Option<&CommissionRules>) -> BigRational {
    let Pays::Wins(odds) = decision.pays else { return ratio(0, 1) };
    let won = ratio(odds.wins().into(), odds.per().into());
    match commission {
        Some(rules) if decision.commission => {
            let share = ratio(rules.rate.numerator().into(), rules.rate.denominator().into());
            won * (ratio(1, 1) - share)
        }
        Some(_) | None => won,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_go_to_the_nearest_a_half_away_from_zero() {
        let percent = |part, whole, digits| Fraction::new(part, whole).percent(digits);
        assert_eq!(percent(12_351, 1_000_000, 4), "1.2351");
        assert_eq!(percent(123_515, 10_000_000, 4), "1.2352");
        assert_eq!(percent(123_514, 10_000_000, 4), "1.2351");
        assert_eq!(percent(0, 7, 4), "0.0000");
        assert_eq!(percent(1, 1, 0), "100");
        assert_eq!(percent(1, 200, 0), "1");
        let lost = Fraction(-ratio(123_515, 10_000_000));
        assert_eq!(lost.percent(4), "-1.2352");
        assert_eq!(Fraction(-ratio(1, 10_000_000)).percent(4), "0.0000");
        assert_eq!(lost.magnitude(), Fraction::new(24_703, 2_000_000));
    }
}
