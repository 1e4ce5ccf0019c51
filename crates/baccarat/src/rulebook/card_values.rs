//! What the cards count. A rulebook file may state it, but the program knows only one set of values.

use super::*;
use crate::Rank;

/// What the cards count and which hand wins: only the texts it follows. The values themselves are
/// the same in every complete source, so a file may say them (`points`) but a rulebook does not
/// carry them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "CardValuesText", into = "CardValuesText")]
pub struct CardValues {
    /// Keys of citations.
    pub cite: Vec<String>,
}

/// The clause as written in a rulebook file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CardValuesText {
    #[serde(default, skip_serializing)]
    points: Option<String>,
    cite: Vec<String>,
}

/// What A 2 3 4 5 6 7 8 9 T J Q K count in every complete source (`1234567890000`).
pub(crate) fn usual_points() -> String {
    Rank::ALL.into_iter().map(|rank| rank.points().to_string()).collect()
}

/// Values this program does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "card-values.points is `{0}`; expected {usual}, for A 2 3 4 5 6 7 8 9 T J Q K: every complete \
     source counts so, and this program counts no other way",
    usual = usual_points()
)]
struct PointsError(String);

impl TryFrom<CardValuesText> for CardValues {
    type Error = PointsError;

    fn try_from(text: CardValuesText) -> Result<Self, PointsError> {
        match text.points {
            Some(points) if points != usual_points() => Err(PointsError(points.chars().take(40).collect())),
            Some(_) | None => Ok(Self { cite: text.cite }),
        }
    }
}

impl From<CardValues> for CardValuesText {
    fn from(values: CardValues) -> Self {
        Self { points: None, cite: values.cite }
    }
}
