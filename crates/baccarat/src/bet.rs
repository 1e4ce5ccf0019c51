//! Bets as data: ordered conditions over a finished coup, with what each pays.
//!
//! A new side bet needs only rows in a rulebook, and no program.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use compact_str::CompactString;
use serde::de::value::{StrDeserializer, U64Deserializer};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::outcome::{Outcome, Pair};
use crate::{Coup, Odds, Rate, Winner};

/// Name of a kind of bet: 1 to 32 of `a-z 0-9 -`, for example `banca` or `dragon-7`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BetKind(CompactString);

impl BetKind {
    /// The name.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that cannot name a kind of bet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` cannot name a kind of bet: expected 1 to 32 of a-z, 0-9 and -, such as `banca` or `dragon-7`")]
pub struct BetKindError(String);

impl FromStr for BetKind {
    type Err = BetKindError;

    fn from_str(text: &str) -> Result<Self, BetKindError> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if (1..=32).contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Self(text.into()))
        } else {
            Err(BetKindError(text.chars().take(40).collect()))
        }
    }
}

impl fmt::Display for BetKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Serialize for BetKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for BetKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::money::parsed_text(deserializer, "a kind of bet such as \"banca\"")
    }
}

/// One value or a list of values, any of which satisfies a condition. Kept as a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct OneOf<T>(Vec<T>);

impl<T: PartialEq> OneOf<T> {
    fn holds(&self, value: &T) -> bool {
        self.0.contains(value)
    }

    /// The values.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Values<T> {
            type Value = OneOf<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value or a list of values")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<OneOf<T>, E> {
                Ok(OneOf(vec![T::deserialize(StrDeserializer::<E>::new(text))?]))
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<OneOf<T>, E> {
                let number =
                    u64::try_from(number).map_err(|_| E::custom("a negative number is not allowed here"))?;
                self.visit_u64(number)
            }
            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<OneOf<T>, E> {
                Ok(OneOf(vec![T::deserialize(U64Deserializer::<E>::new(number))?]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<OneOf<T>, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = items.next_element()? {
                    values.push(value);
                }
                if values.is_empty() {
                    return Err(A::Error::custom("an empty list can never be met; leave the condition out"));
                }
                Ok(OneOf(values))
            }
        }
        deserializer.deserialize_any(Values(PhantomData))
    }
}

/// What two cards of one hand make together. Pairs are by rank: ten and jack are no pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairKind {
    /// Different ranks.
    None,
    /// Same rank, whatever the suits.
    Any,
    /// Same rank and same suit (a perfect pair).
    Suited,
    /// Same rank and colour, different suits.
    SameColour,
    /// Same rank, one red and one black.
    Mixed,
}

impl PairKind {
    /// Whether the pair is of this kind; `None` where an unread suit decides it.
    fn holds(self, pair: Pair) -> Option<bool> {
        match (self, pair) {
            (Self::None, pair) => Some(pair == Pair::None),
            (Self::Any, pair) => Some(pair != Pair::None),
            (Self::Suited | Self::SameColour | Self::Mixed, Pair::None) => Some(false),
            (Self::Suited | Self::SameColour | Self::Mixed, Pair::SuitsUnread) => None,
            (Self::Suited, pair) => Some(pair == Pair::Suited),
            (Self::SameColour, pair) => Some(pair == Pair::SameColour),
            (Self::Mixed, pair) => Some(pair == Pair::Mixed),
        }
    }
}

/// One row of a paytable: every condition given must hold; the first row that holds decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PayRow {
    /// Who won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<OneOf<Winner>>,
    /// Punto's total, 0 to 9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub punto_total: Option<OneOf<u8>>,
    /// Banca's total, 0 to 9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banca_total: Option<OneOf<u8>>,
    /// Points between the totals, 0 to 9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<OneOf<u8>>,
    /// Cards in punto's hand, 2 or 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub punto_cards: Option<OneOf<u8>>,
    /// Cards in banca's hand, 2 or 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banca_cards: Option<OneOf<u8>>,
    /// Cards in both hands, 4 to 6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<OneOf<u8>>,
    /// Whether punto has a natural.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub punto_natural: Option<bool>,
    /// Whether banca has a natural.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banca_natural: Option<bool>,
    /// What punto's first two cards make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub punto_pair: Option<OneOf<PairKind>>,
    /// What banca's first two cards make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banca_pair: Option<OneOf<PairKind>>,
    /// What the row pays.
    pub pays: Pays,
    /// Whether the table's commission is due on this win; only where the bet carries commission.
    #[serde(default = "yes")]
    pub commission: bool,
}

const fn yes() -> bool {
    true
}

impl PayRow {
    /// A row without conditions that pays nothing.
    pub(crate) const fn losing() -> Self {
        Self {
            winner: None,
            punto_total: None,
            banca_total: None,
            margin: None,
            punto_cards: None,
            banca_cards: None,
            cards: None,
            punto_natural: None,
            banca_natural: None,
            punto_pair: None,
            banca_pair: None,
            pays: Pays::Lose,
            commission: true,
        }
    }

    /// Whether the row holds; `None` where an unread suit decides it.
    pub(crate) fn holds(&self, outcome: &Outcome) -> Option<bool> {
        let (punto, banca) = (outcome.punto, outcome.banca);
        let plain = met(self.winner.as_ref(), &outcome.winner())
            && met(self.punto_total.as_ref(), &punto.total)
            && met(self.banca_total.as_ref(), &banca.total)
            && met(self.margin.as_ref(), &punto.total.abs_diff(banca.total))
            && met(self.punto_cards.as_ref(), &punto.cards())
            && met(self.banca_cards.as_ref(), &banca.cards())
            && met(self.cards.as_ref(), &(punto.cards() + banca.cards()))
            && self.punto_natural.is_none_or(|natural| natural == punto.is_natural())
            && self.banca_natural.is_none_or(|natural| natural == banca.is_natural());
        if !plain {
            return Some(false);
        }
        both(pair_met(self.punto_pair.as_ref(), punto.pair), pair_met(self.banca_pair.as_ref(), banca.pair))
    }
}

fn met<T: PartialEq>(condition: Option<&OneOf<T>>, value: &T) -> bool {
    condition.is_none_or(|allowed| allowed.holds(value))
}

/// Three-valued "any of the pair kinds".
fn pair_met(condition: Option<&OneOf<PairKind>>, pair: Pair) -> Option<bool> {
    let Some(kinds) = condition else { return Some(true) };
    let answers = || kinds.values().iter().map(|kind| kind.holds(pair));
    if answers().any(|answer| answer == Some(true)) {
        Some(true)
    } else if answers().any(|answer| answer.is_none()) {
        None
    } else {
        Some(false)
    }
}

/// Three-valued "and".
fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        (None, _) | (_, None) => None,
    }
}

/// What a row of a paytable pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pays {
    /// The stake and its winnings come back; spelled `8:1` (`9 for 1` is read too).
    Wins(Odds),
    /// The stake comes back; spelled `push`.
    Push,
    /// The stake is lost; spelled `lose`.
    Lose,
}

impl FromStr for Pays {
    type Err = crate::RatioError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "push" => Ok(Self::Push),
            "lose" => Ok(Self::Lose),
            odds => odds.parse().map(Self::Wins),
        }
    }
}

impl fmt::Display for Pays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wins(odds) => odds.fmt(f),
            Self::Push => f.write_str("push"),
            Self::Lose => f.write_str("lose"),
        }
    }
}

impl Serialize for Pays {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pays {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::money::parsed_text(deserializer, "odds such as \"8:1\", \"push\" or \"lose\"")
    }
}

/// A kind of bet: its paytable and what else binds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BetRule {
    /// What people call it.
    pub title: String,
    /// Rows in order; a coup that meets none loses the stake.
    pub rows: Vec<PayRow>,
    /// Whether the table's commission is due on wins.
    #[serde(default)]
    pub commission: bool,
    /// Largest stake as a share of the table's maximum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<Rate>,
    /// Main bets, of which the same player must have one in the same coup; empty: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<BetKind>,
    /// Largest stake as a share of the player's stakes on the bets it requires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap_of_required: Option<Rate>,
    /// Whether the table's minimum binds it (a side bet may be smaller).
    #[serde(default)]
    pub minimum_binds: bool,
    /// Keys of the citations it follows.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// How a bet is decided by a coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// What it pays.
    pub pays: Pays,
    /// Whether commission is due on the win.
    pub commission: bool,
}

impl BetRule {
    /// Decides the bet; `None` only where unread suits decide it, because different suits would pay
    /// differently.
    #[must_use]
    pub fn decide(&self, coup: &Coup) -> Option<Decision> {
        self.decide_outcome(&Outcome::of(coup))
    }

    pub(crate) fn decide_outcome(&self, outcome: &Outcome) -> Option<Decision> {
        for row in &self.rows {
            match row.holds(outcome) {
                Some(true) => {
                    let commission = self.commission && row.commission && matches!(row.pays, Pays::Wins(_));
                    return Some(Decision { pays: row.pays, commission });
                }
                Some(false) => {}
                None => return self.decide_whatever_the_pair(outcome),
            }
        }
        Some(Decision { pays: Pays::Lose, commission: false })
    }

    /// The decision, if it is the same for every kind of pair that the first unread pair may be.
    fn decide_whatever_the_pair(&self, outcome: &Outcome) -> Option<Decision> {
        let [first, rest @ ..] = Pair::READ.map(|pair| with_pair_read(*outcome, pair));
        let decision = self.decide_outcome(&first)?;
        rest.iter().all(|other| self.decide_outcome(other) == Some(decision)).then_some(decision)
    }

    pub(crate) fn looks_at_pairs(&self) -> bool {
        self.rows.iter().any(|row| row.punto_pair.is_some() || row.banca_pair.is_some())
    }
}

/// The outcome as if the first pair of unread suits were this one.
fn with_pair_read(mut outcome: Outcome, pair: Pair) -> Outcome {
    if outcome.punto.pair == Pair::SuitsUnread {
        outcome.punto.pair = pair;
    } else {
        outcome.banca.pair = pair;
    }
    outcome
}
