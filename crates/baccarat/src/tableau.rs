//! The tableau: who draws a third card, as a table of values.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Points;

/// What a hand has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Draw {
    /// Takes a third card (*T*).
    Draws,
    /// Stands (*P*).
    Stands,
    /// May choose (*O*); only in chemin de fer.
    Optional,
    /// The source does not say (*U*); only in chemin de fer. A coup that comes to it is undecided.
    Unstated,
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Draws => "draws",
            Self::Stands => "stands",
            Self::Optional => "may choose",
            Self::Unstated => "has no stated rule",
        })
    }
}

/// Drawing rules for two-card totals of 0 to 7 (8 and 9 are naturals and end the coup).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "TableauText", into = "TableauText")]
pub struct Tableau {
    punto: [Draw; 8],
    banca: [[Draw; 11]; 8],
    cite: Vec<String>,
}

/// Draws and stands, as the sources print them.
const T: Draw = Draw::Draws;
const P: Draw = Draw::Stands;

/// Columns 0 to 9, then a punto that stood.
#[rustfmt::skip]
const USUAL_BANCA: [[Draw; 11]; 8] = [
    [T, T, T, T, T, T, T, T, T, T, T],
    [T, T, T, T, T, T, T, T, T, T, T],
    [T, T, T, T, T, T, T, T, T, T, T],
    [T, T, T, T, T, T, T, T, P, T, T],
    [P, P, T, T, T, T, T, T, P, P, T],
    [P, P, P, P, T, T, T, T, P, P, T],
    [P, P, P, P, P, P, T, T, P, P, P],
    [P, P, P, P, P, P, P, P, P, P, P],
];

impl Tableau {
    /// The tableau on which every complete source agrees, read by the value of punto's third card
    /// (Orden of 9 October 1979, 07.VI.2). It cites nothing.
    #[must_use]
    pub const fn usual() -> Self {
        Self { punto: [T, T, T, T, T, T, P, P], banca: USUAL_BANCA, cite: Vec::new() }
    }

    /// What punto does on a two-card total; stands on 8 and 9, which end the coup.
    #[must_use]
    pub fn punto(&self, total: Points) -> Draw {
        self.punto.get(usize::from(total.get())).copied().unwrap_or(Draw::Stands)
    }

    /// What banca does on its two-card total, given the column: 0 to 9 as the rulebook reads it
    /// (value of punto's third card), or `None` when punto stood.
    #[must_use]
    pub fn banca(&self, total: Points, column: Option<Points>) -> Draw {
        let column = column.map_or(10, |points| usize::from(points.get()));
        self.banca.get(usize::from(total.get())).map_or(Draw::Stands, |row| row[column])
    }

    /// Keys of the citations the tableau follows.
    #[must_use]
    pub fn cite(&self) -> &[String] {
        &self.cite
    }
}

/// A tableau as written in a rulebook file: `T` draws, `P` stands; in chemin de fer `O` may choose,
/// `U` is not stated.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct TableauText {
    /// One letter per two-card total 0 to 7.
    punto: String,
    /// One row per total 0 to 7: ten letters for the columns 0 to 9, then one for "punto stood".
    banca: Vec<String>,
    #[serde(default)]
    cite: Vec<String>,
}

/// A tableau that is not complete or not legible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableauError {
    /// Not eight rows.
    #[error("tableau.banca has {0} rows; expected 8, for banca's totals 0 to 7")]
    Rows(usize),
    /// A row of the wrong length.
    #[error("tableau.{row} is `{text}`; expected {expected}")]
    Row {
        /// Which row.
        row: String,
        /// The text of the row.
        text: String,
        /// What is expected.
        expected: &'static str,
    },
}

fn letters<const N: usize>(row: &str, text: &str, expected: &'static str) -> Result<[Draw; N], TableauError> {
    let wrong = || TableauError::Row { row: row.to_owned(), text: text.to_owned(), expected };
    let mut draws = [Draw::Stands; N];
    let mut marks = text.chars().filter(|mark| *mark != ' ');
    for draw in &mut draws {
        *draw = match marks.next() {
            Some('T') => Draw::Draws,
            Some('P') => Draw::Stands,
            Some('O') => Draw::Optional,
            Some('U') => Draw::Unstated,
            Some(_) | None => return Err(wrong()),
        };
    }
    if marks.next().is_some() { Err(wrong()) } else { Ok(draws) }
}

fn text(draws: &[Draw]) -> String {
    draws
        .iter()
        .map(|draw| match draw {
            Draw::Draws => 'T',
            Draw::Stands => 'P',
            Draw::Optional => 'O',
            Draw::Unstated => 'U',
        })
        .collect()
}

impl TryFrom<TableauText> for Tableau {
    type Error = TableauError;

    fn try_from(given: TableauText) -> Result<Self, TableauError> {
        if given.banca.len() != 8 {
            return Err(TableauError::Rows(given.banca.len()));
        }
        let punto =
            letters("punto", &given.punto, "8 letters T (draws) or P (stands), for punto's totals 0 to 7")?;
        let mut banca = [[Draw::Stands; 11]; 8];
        for (total, row) in given.banca.iter().enumerate() {
            banca[total] = letters(
                &format!("banca[{total}]"),
                row,
                "11 letters T (draws) or P (stands): columns 0 to 9, then the case where punto stood",
            )?;
        }
        Ok(Self { punto, banca, cite: given.cite })
    }
}

impl From<Tableau> for TableauText {
    fn from(tableau: Tableau) -> Self {
        Self {
            punto: text(&tableau.punto),
            banca: tableau.banca.iter().map(|row| text(row)).collect(),
            cite: tableau.cite,
        }
    }
}
