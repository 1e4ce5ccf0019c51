//! Exact money: integers of minor units, ratios for odds and rates, one explicit rounding.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Reads a type from its text form; the error is the type's own message.
pub(crate) fn parsed_text<'de, D, T>(deserializer: D, expected: &'static str) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
    T::Err: fmt::Display,
{
    struct Text<T>(&'static str, std::marker::PhantomData<T>);
    impl<T: FromStr> serde::de::Visitor<'_> for Text<T>
    where
        T::Err: fmt::Display,
    {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }
    deserializer.deserialize_str(Text(expected, std::marker::PhantomData))
}

/// A sum of money in minor units (cents of a euro), never negative.
///
/// A *recorded* sum is at most [`Money::MAX_RECORDED`]; a payout derived from one fits as well,
/// because odds are at most 1,000 to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(u64);

/// A sum beyond [`Money::MAX_RECORDED`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an amount of {0} minor units is more than the largest allowed, {max}", max = Money::MAX_RECORDED.0)]
pub struct MoneyError(u64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest sum an event may carry: 2^53 - 1, which every JSON reader keeps exact.
    pub const MAX_RECORDED: Self = Self((1 << 53) - 1);

    /// A recorded sum.
    ///
    /// # Errors
    /// Above [`Money::MAX_RECORDED`].
    pub const fn new(minor_units: u64) -> Result<Self, MoneyError> {
        if minor_units <= Self::MAX_RECORDED.0 { Ok(Self(minor_units)) } else { Err(MoneyError(minor_units)) }
    }

    /// Minor units.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Sum; stops at the largest integer.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Difference, nothing where `other` is larger.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Signed difference `self - other` in minor units.
    #[must_use]
    pub fn over(self, other: Self) -> i128 {
        i128::from(self.0) - i128::from(other.0)
    }

    /// This sum times a ratio, rounded.
    #[must_use]
    pub fn times(self, numerator: u32, denominator: u32, rounding: Rounding) -> Self {
        let product = u128::from(self.0) * u128::from(numerator);
        Self(u64::try_from(rounding.divide(product, u128::from(denominator))).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(u64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// A text that is no ratio.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct RatioError {
    text: String,
    expected: &'static str,
}

fn ratio(text: &str, mark: char, expected: &'static str) -> Result<(u32, u32), RatioError> {
    let wrong = || RatioError { text: text.chars().take(40).collect(), expected };
    let (numerator, denominator) = text.split_once(mark).ok_or_else(wrong)?;
    let number = |digits: &str| -> Result<u32, RatioError> {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain { digits.parse().map_err(|_| wrong()) } else { Err(wrong()) }
    };
    let (numerator, denominator) = (number(numerator)?, number(denominator)?);
    if denominator == 0 { Err(wrong()) } else { Ok((numerator, denominator)) }
}

/// Odds "to one": `8:1` wins eight times the stake, `1:2` half of it. Houses that print odds "for
/// one" count the stake among what they pay: `9 for 1` is read too and is the same as `8:1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Odds {
    wins: u32,
    per: u32,
}

impl Odds {
    /// The largest multiple of a stake a bet may win.
    pub const MOST: u32 = 1_000;

    /// The winnings for each `per` staked.
    #[must_use]
    pub const fn wins(self) -> u32 {
        self.wins
    }

    /// The stake for which `wins` is won.
    #[must_use]
    pub const fn per(self) -> u32 {
        self.per
    }
}

impl FromStr for Odds {
    type Err = RatioError;

    fn from_str(text: &str) -> Result<Self, RatioError> {
        let expected = "odds such as `8:1`, `1:2` (won : staked) or `9 for 1` (paid, stake included), \
                        at most 1000:1";
        let (wins, per) = match text.split_once(" for ") {
            None => ratio(text, ':', expected)?,
            Some((paid, staked)) => {
                let (paid, staked) = ratio(&format!("{paid}:{staked}"), ':', expected)?;
                let wins = paid.checked_sub(staked).filter(|wins| *wins > 0);
                (wins.ok_or_else(|| RatioError { text: text.to_owned(), expected })?, staked)
            }
        };
        let sane = u64::from(wins) <= u64::from(per) * u64::from(Self::MOST);
        if sane { Ok(Self { wins, per }) } else { Err(RatioError { text: text.to_owned(), expected }) }
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.wins, self.per)
    }
}

/// A share between nothing and the whole: `5/100`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rate {
    numerator: u32,
    denominator: u32,
}

impl Rate {
    /// The numerator.
    #[must_use]
    pub const fn numerator(self) -> u32 {
        self.numerator
    }

    /// The denominator, never 0.
    #[must_use]
    pub const fn denominator(self) -> u32 {
        self.denominator
    }
}

impl FromStr for Rate {
    type Err = RatioError;

    fn from_str(text: &str) -> Result<Self, RatioError> {
        let expected = "a share such as `5/100`, from 0 to 1";
        let (numerator, denominator) = ratio(text, '/', expected)?;
        if numerator <= denominator {
            Ok(Self { numerator, denominator })
        } else {
            Err(RatioError { text: text.to_owned(), expected })
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

macro_rules! text_form {
    ($type:ty, $expected:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                parsed_text(deserializer, $expected)
            }
        }
    };
}
text_form!(Odds, "odds such as \"8:1\" or \"1:2\"");
text_form!(Rate, "a share such as \"5/100\"");

/// Which way a remainder goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundingMode {
    /// Towards nothing.
    Down,
    /// Away from nothing.
    Up,
    /// To the nearest unit, a half upwards.
    HalfUp,
    /// To the nearest unit, a half to the even one.
    HalfEven,
}

/// Rounding to whole multiples of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rounding {
    /// Which way.
    pub mode: RoundingMode,
    /// The smallest sum paid or marked, in minor units, at least 1.
    pub unit: std::num::NonZeroU32,
}

impl Rounding {
    /// `product / denominator`, rounded to a multiple of the unit.
    fn divide(self, product: u128, denominator: u128) -> u128 {
        let unit = u128::from(self.unit.get());
        let whole = denominator * unit;
        let (units, rest) = match (u64::try_from(product), u64::try_from(whole)) {
            // The usual sums; dividing 64 bits is several times faster.
            (Ok(product), Ok(whole)) => (u128::from(product / whole), u128::from(product % whole)),
            (Err(_), _) | (_, Err(_)) => (product / whole, product % whole),
        };
        let up = match self.mode {
            RoundingMode::Down => false,
            RoundingMode::Up => rest > 0,
            RoundingMode::HalfUp => rest * 2 >= whole,
            RoundingMode::HalfEven => rest * 2 > whole || (rest * 2 == whole && units % 2 == 1),
        };
        (units + u128::from(up)) * unit
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn rounding(mode: RoundingMode, unit: u32) -> Rounding {
        Rounding { mode, unit: unit.try_into().unwrap() }
    }

    #[test]
    fn each_mode_rounds_its_own_way() {
        let five_percent =
            |stake: u64, mode, unit| Money::new(stake).unwrap().times(5, 100, rounding(mode, unit)).get();
        // 5 % of 1,050 is 52.5.
        assert_eq!(five_percent(1_050, RoundingMode::Down, 1), 52);
        assert_eq!(five_percent(1_050, RoundingMode::Up, 1), 53);
        assert_eq!(five_percent(1_050, RoundingMode::HalfUp, 1), 53);
        assert_eq!(five_percent(1_050, RoundingMode::HalfEven, 1), 52);
        assert_eq!(five_percent(1_070, RoundingMode::HalfEven, 1), 54);
        assert_eq!(five_percent(1_050, RoundingMode::HalfUp, 25), 50);
        assert_eq!(five_percent(1_050, RoundingMode::Up, 25), 75);
    }

    #[test]
    fn ratios_refuse_what_they_are_not() {
        for text in ["", "8", "8-1", "8:0", "-8:1", "8:1 ", "+8:1", "1001:1", "99999999999:1"] {
            assert!(text.parse::<Odds>().is_err(), "{text}");
        }
        for text in ["1 for 1", "1 for 2", "9 for 0", "9  for 1", "9 for", " for 1", "1002 for 1", "9for1"] {
            assert!(text.parse::<Odds>().is_err(), "{text}");
        }
        assert!("5/4".parse::<Rate>().is_err());
        assert_eq!("27:50".parse::<Odds>().unwrap().to_string(), "27:50");
    }

    #[test]
    fn odds_for_one_hold_the_stake() {
        assert_eq!("9 for 1".parse::<Odds>().unwrap(), "8:1".parse::<Odds>().unwrap());
        assert_eq!("3 for 2".parse::<Odds>().unwrap().to_string(), "1:2");
        assert_eq!("1001 for 1".parse::<Odds>().unwrap().to_string(), "1000:1");
    }

    #[test]
    fn the_largest_stake_at_the_longest_odds_still_fits() {
        let won = Money::MAX_RECORDED.times(Odds::MOST, 1, rounding(RoundingMode::Up, 1));
        assert_eq!(
            u128::from(won.plus(Money::MAX_RECORDED).get()),
            u128::from(Money::MAX_RECORDED.get()) * 1_001
        );
    }
}
