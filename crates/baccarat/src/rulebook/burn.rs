//! The burn: how many cards leave the shoe before its first coup.

use super::*;

/// How many cards are burned after the indicator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BurnMethod {
    /// As many as the indicator card's index says.
    Indicator {
        /// Cards burned for A, 2, ... 9, T, J, Q, K.
        values: [u8; 13],
    },
    /// As many as there are decks in the shoe.
    Decks,
    /// A number the house fixed, 1 to 8.
    Fixed {
        /// That number.
        count: u8,
    },
    /// No card is burned, and no indicator is shown.
    None,
}

/// The burn. Where one is made the indicator card is shown and leaves the shoe too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BurnText", into = "BurnText")]
pub struct BurnRules {
    /// How many.
    pub method: BurnMethod,
    /// Keys of citations.
    pub cite: Vec<String>,
}

/// The burn as written in a rulebook file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BurnText {
    method: MethodText,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Vec<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<u8>,
    #[serde(default)]
    cite: Vec<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MethodText {
    Indicator,
    Decks,
    Fixed,
    None,
}

/// A burn whose method and values do not go together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum BurnError {
    #[error(
        "burn.values is missing; with method \"indicator\" it has 13 numbers, for A 2 3 4 5 6 7 8 9 T J Q K"
    )]
    NoValues,
    #[error("burn.values has {0} numbers; expected 13, for A 2 3 4 5 6 7 8 9 T J Q K")]
    ValueCount(usize),
    #[error("burn.count is missing; with method \"fixed\" it is a number from 1 to 8")]
    NoCount,
    #[error("burn.values stands beside a method that is not \"indicator\"; leave it out")]
    StrayValues,
    #[error("burn.count stands beside a method that is not \"fixed\"; leave it out")]
    StrayCount,
}

impl TryFrom<BurnText> for BurnRules {
    type Error = BurnError;

    fn try_from(text: BurnText) -> Result<Self, BurnError> {
        let method = match (text.method, text.values, text.count) {
            (MethodText::Indicator, Some(values), None) => BurnMethod::Indicator {
                values: values.try_into().map_err(|values: Vec<u8>| BurnError::ValueCount(values.len()))?,
            },
            (MethodText::Indicator, None, None) => return Err(BurnError::NoValues),
            (MethodText::Fixed, None, Some(count)) => BurnMethod::Fixed { count },
            (MethodText::Fixed, None, None) => return Err(BurnError::NoCount),
            (MethodText::Decks, None, None) => BurnMethod::Decks,
            (MethodText::None, None, None) => BurnMethod::None,
            (MethodText::Indicator, _, Some(_)) | (MethodText::Decks | MethodText::None, None, Some(_)) => {
                return Err(BurnError::StrayCount);
            }
            (MethodText::Fixed | MethodText::Decks | MethodText::None, Some(_), _) => {
                return Err(BurnError::StrayValues);
            }
        };
        Ok(Self { method, cite: text.cite })
    }
}

impl From<BurnRules> for BurnText {
    fn from(rules: BurnRules) -> Self {
        let (method, values, count) = match rules.method {
            BurnMethod::Indicator { values } => (MethodText::Indicator, Some(values.to_vec()), None),
            BurnMethod::Decks => (MethodText::Decks, None, None),
            BurnMethod::Fixed { count } => (MethodText::Fixed, None, Some(count)),
            BurnMethod::None => (MethodText::None, None, None),
        };
        Self { method, values, count, cite: rules.cite }
    }
}
