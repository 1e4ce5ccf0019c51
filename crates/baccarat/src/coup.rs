//! A finished coup: two hands and who won.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Hand;

/// One of the two hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The players' hand.
    Punto,
    /// The bank's hand.
    Banca,
}

impl Side {
    /// Both hands.
    pub const ALL: [Self; 2] = [Self::Punto, Self::Banca];

    /// The other hand.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Punto => Self::Banca,
            Self::Banca => Self::Punto,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Punto => "punto",
            Self::Banca => "banca",
        })
    }
}

/// How a coup ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Winner {
    /// Punto is nearer to nine.
    Punto,
    /// Banca is nearer to nine.
    Banca,
    /// Equal totals (*empate*).
    Tie,
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Punto => "punto",
            Self::Banca => "banca",
            Self::Tie => "tie",
        })
    }
}

/// Two complete hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coup {
    /// The players' hand.
    pub punto: Hand,
    /// The bank's hand.
    pub banca: Hand,
}

impl Coup {
    /// Who won: the higher total; equal totals are a tie.
    #[must_use]
    pub fn winner(&self) -> Winner {
        match self.punto.total().cmp(&self.banca.total()) {
            std::cmp::Ordering::Greater => Winner::Punto,
            std::cmp::Ordering::Less => Winner::Banca,
            std::cmp::Ordering::Equal => Winner::Tie,
        }
    }

    /// Points between the two totals, 0 to 9.
    #[must_use]
    pub fn margin(&self) -> u8 {
        self.punto.total().get().abs_diff(self.banca.total().get())
    }

    /// The hand of a side.
    #[must_use]
    pub const fn hand(&self, side: Side) -> &Hand {
        match side {
            Side::Punto => &self.punto,
            Side::Banca => &self.banca,
        }
    }
}
