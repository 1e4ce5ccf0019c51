//! The scoreboard of a shoe: bead plate, big road, and the three roads derived from it.
//!
//! It is derived from finished coups and never recorded as truth, and every shoe begins an empty
//! one («Reglamento Baccarat o Punto y Banca», Seguimiento de las últimas manos ganadoras). It
//! predicts nothing.
//!
//! A *streak* is a run of equal values, drawn downwards as one column. A column that reaches the
//! sixth row, or another column's tail, turns right. What the derived roads compare are streaks,
//! not drawn columns.

use serde::Serialize;

use crate::{Side, Winner};

/// Rows of every road.
pub const ROWS: usize = 6;

/// The scoreboard's mark for a coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Score {
    /// Who won.
    pub winner: Winner,
    /// Whether punto's first two cards pair.
    pub punto_pair: bool,
    /// Whether banca's first two cards pair.
    pub banca_pair: bool,
}

/// Whether the pattern of the big road repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// It repeats: drawn red.
    Regular,
    /// It does not: drawn blue.
    Irregular,
}

/// A cell of the bead plate: every coup in order, six to a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Bead {
    /// From the left, from 0.
    pub column: usize,
    /// From the top, 0 to 5.
    pub row: usize,
    /// What the coup came to.
    #[serde(flatten)]
    pub score: Score,
}

/// A cell of the big road: one coup that punto or banca won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BigCell {
    /// From the left, from 0.
    pub column: usize,
    /// From the top, 0 to 5.
    pub row: usize,
    /// Who won.
    pub winner: Side,
    /// Ties that followed it.
    pub ties: u32,
    /// Whether punto's first two cards paired.
    pub punto_pair: bool,
    /// Whether banca's first two cards paired.
    pub banca_pair: bool,
}

/// A cell of a derived road.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PatternCell {
    /// From the left, from 0.
    pub column: usize,
    /// From the top, 0 to 5.
    pub row: usize,
    /// What it says.
    pub pattern: Pattern,
}

/// All roads of one shoe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Roads {
    /// Every coup in order.
    pub bead_plate: Vec<Bead>,
    /// Ties before the first coup that punto or banca won.
    pub leading_ties: u32,
    /// Streaks of punto and banca.
    pub big_road: Vec<BigCell>,
    /// Each streak against the one before it.
    pub big_eye_boy: Vec<PatternCell>,
    /// Against the one two before it.
    pub small_road: Vec<PatternCell>,
    /// Against the one three before it.
    pub cockroach_road: Vec<PatternCell>,
}

impl Roads {
    /// The roads of one shoe's coups, in order.
    #[must_use]
    pub fn of(scores: &[Score]) -> Self {
        let (leading_ties, big_road) = big_road(scores);
        let winners: Vec<Side> = big_road.iter().map(|cell| cell.winner).collect();
        let derived = |distance| pattern_cells(&patterns(&winners, distance));
        Self {
            bead_plate: bead_plate(scores),
            leading_ties,
            big_eye_boy: derived(1),
            small_road: derived(2),
            cockroach_road: derived(3),
            big_road,
        }
    }
}

fn bead_plate(scores: &[Score]) -> Vec<Bead> {
    let cell = |(position, score): (usize, &Score)| Bead {
        column: position / ROWS,
        row: position % ROWS,
        score: *score,
    };
    scores.iter().enumerate().map(cell).collect()
}

fn big_road(scores: &[Score]) -> (u32, Vec<BigCell>) {
    let mut leading_ties = 0;
    let mut cells: Vec<BigCell> = Vec::new();
    for score in scores {
        let winner = match score.winner {
            Winner::Punto => Side::Punto,
            Winner::Banca => Side::Banca,
            Winner::Tie => {
                *cells.last_mut().map_or(&mut leading_ties, |cell| &mut cell.ties) += 1;
                continue;
            }
        };
        let Score { punto_pair, banca_pair, .. } = *score;
        cells.push(BigCell { column: 0, row: 0, winner, ties: 0, punto_pair, banca_pair });
    }
    let winners: Vec<Side> = cells.iter().map(|cell| cell.winner).collect();
    for (cell, (column, row)) in cells.iter_mut().zip(positions(&winners)) {
        (cell.column, cell.row) = (column, row);
    }
    (leading_ties, cells)
}

/// Where each value of a road is drawn: column and row.
fn positions<T: PartialEq>(values: &[T]) -> Vec<(usize, usize)> {
    let mut taken: Vec<[bool; ROWS]> = Vec::new();
    let mut positions: Vec<(usize, usize)> = Vec::with_capacity(values.len());
    let (mut began, mut turned) = (0, false);
    for (at, value) in values.iter().enumerate() {
        let free = |column: usize, row: usize| taken.get(column).is_none_or(|rows| !rows[row]);
        let goes_on = at > 0 && values[at - 1] == *value;
        let position = match positions.last() {
            Some(&(column, row)) if goes_on => {
                turned = turned || row + 1 == ROWS || !free(column, row + 1);
                if turned { (column + 1, row) } else { (column, row + 1) }
            }
            Some(_) => {
                began = (began + 1..).find(|column| free(*column, 0)).unwrap_or(began + 1);
                turned = false;
                (began, 0)
            }
            None => (0, 0),
        };
        let (column, row) = position;
        if taken.len() <= column {
            taken.resize(column + 1, [false; ROWS]);
        }
        taken[column][row] = true;
        positions.push(position);
    }
    positions
}

/// The marks of a derived road, from its first coup on: each streak is compared with the one `distance` before it.
fn patterns(winners: &[Side], distance: usize) -> Vec<Pattern> {
    let mut streaks: Vec<usize> = Vec::new();
    let mut patterns = Vec::new();
    for (at, winner) in winners.iter().enumerate() {
        match streaks.last_mut() {
            Some(length) if winners[at - 1] == *winner => *length += 1,
            Some(_) | None => streaks.push(1),
        }
        patterns.extend(pattern(&streaks, distance));
    }
    patterns
}

/// The mark of the newest coup, given the lengths of the streaks up to it. `None` before the road begins, which is
/// at the second coup of the streak after the first `distance`, or else with the next streak.
fn pattern(streaks: &[usize], distance: usize) -> Option<Pattern> {
    let newest = streaks.len().checked_sub(1)?;
    let regular = if streaks[newest] == 1 {
        // A new streak: were the two streaks before it equally long?
        let before = newest.checked_sub(1)?;
        streaks[before] == streaks[before.checked_sub(distance)?]
    } else {
        // A streak goes on: it departs from the other one only where that one just ended.
        streaks[newest] != streaks[newest.checked_sub(distance)?] + 1
    };
    Some(if regular { Pattern::Regular } else { Pattern::Irregular })
}

fn pattern_cells(patterns: &[Pattern]) -> Vec<PatternCell> {
    let cell =
        |(pattern, (column, row)): (&Pattern, (usize, usize))| PatternCell { column, row, pattern: *pattern };
    patterns.iter().zip(positions(patterns)).map(cell).collect()
}
