//! The five scoreboards of a shoe as drawings, in the colours that tables use: punto blue, banca red, ties green.

use askama::Template;
use baccarat::roads::{Pattern, ROWS, Roads};
use baccarat::{Side, Winner};
use texts::Texts;

/// Columns drawn at most; a shoe has about eighty coups.
const COLUMNS: usize = 200;

/// How a mark of a scoreboard is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A filled disc with a letter: the bead plate.
    Bead,
    /// A ring: the big road, and with a thinner line the big eye boy.
    Ring,
    /// A filled disc: the small road.
    Disc,
    /// A slanted line: the cockroach road.
    Slash,
}

/// One mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Middle of the cell, in units of the drawing.
    pub(crate) x: usize,
    pub(crate) y: usize,
    /// `punto`, `banca`, `tie`, `regular` or `irregular`.
    pub(crate) colour: &'static str,
    /// A letter or the number of ties.
    pub(crate) label: String,
    pub(crate) punto_pair: bool,
    pub(crate) banca_pair: bool,
}

/// One scoreboard, drawn.
#[derive(Debug, Clone, PartialEq, Eq, Template)]
#[template(path = "board.html")]
pub(crate) struct Board {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// Width and height of the drawing.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Width of a cell.
    pub(crate) cell: usize,
    pub(crate) marks: Vec<Mark>,
}

impl Board {
    fn is_bead(&self) -> bool {
        self.shape == Shape::Bead
    }

    fn is_ring(&self) -> bool {
        self.shape == Shape::Ring
    }

    fn is_disc(&self) -> bool {
        self.shape == Shape::Disc
    }

    /// Radius of a mark.
    fn radius(&self) -> usize {
        self.cell * 2 / 5
    }

    fn left(&self, mark: &Mark) -> usize {
        mark.x - self.cell * 2 / 7
    }

    fn right(&self, mark: &Mark) -> usize {
        mark.x + self.cell * 2 / 7
    }

    fn top(&self, mark: &Mark) -> usize {
        mark.y - self.cell * 2 / 7
    }

    fn bottom(&self, mark: &Mark) -> usize {
        mark.y + self.cell * 2 / 7
    }

    /// The lines between the cells.
    fn grid(&self) -> String {
        let Self { width, height, cell, .. } = *self;
        let upright = (0..=width / cell).map(|column| format!("M{} 0v{height}", column * cell));
        let level = (0..=ROWS).map(|row| format!("M0 {}h{width}", row * cell));
        upright.chain(level).collect()
    }

    /// The board for those who hear the page.
    fn spoken(&self) -> String {
        let marks = self.marks.iter().map(|mark| match mark.label.as_str() {
            "" => mark.colour,
            label => label,
        });
        marks.take(100).collect::<Vec<_>>().join(" ")
    }
}

struct Cell {
    column: usize,
    row: usize,
    mark: Mark,
}

impl Cell {
    fn at(column: usize, row: usize, colour: &'static str, label: String) -> Self {
        let mark = Mark { x: 0, y: 0, colour, label, punto_pair: false, banca_pair: false };
        Self { column, row, mark }
    }
}

fn board(name: String, shape: Shape, cell: usize, cells: Vec<Cell>) -> Board {
    let columns = cells.iter().map(|one| one.column + 1).max().unwrap_or(0).clamp(12, COLUMNS);
    let drawn = cells.into_iter().filter(|one| one.column < COLUMNS);
    let marks = drawn.map(|one| {
        let middle = |at: usize| at * cell + cell / 2;
        Mark { x: middle(one.column), y: middle(one.row), ..one.mark }
    });
    Board { name, shape, width: columns * cell, height: ROWS * cell, cell, marks: marks.collect() }
}

/// The five scoreboards, in the order in which tables show them.
pub(crate) fn boards(roads: &Roads, texts: Texts) -> Vec<Board> {
    let letter = |winner: Winner| match winner {
        Winner::Punto => ("punto", "P"),
        Winner::Banca => ("banca", "B"),
        Winner::Tie => ("tie", texts.language().of("T", "E")),
    };
    let beads = roads.bead_plate.iter().map(|bead| {
        let (colour, letter) = letter(bead.score.winner);
        let mut cell = Cell::at(bead.column, bead.row, colour, letter.to_owned());
        cell.mark.punto_pair = bead.score.punto_pair;
        cell.mark.banca_pair = bead.score.banca_pair;
        cell
    });
    let big = roads.big_road.iter().map(|streak| {
        let colour = match streak.winner {
            Side::Punto => "punto",
            Side::Banca => "banca",
        };
        let ties = if streak.ties > 0 { streak.ties.to_string() } else { String::new() };
        let mut cell = Cell::at(streak.column, streak.row, colour, ties);
        cell.mark.punto_pair = streak.punto_pair;
        cell.mark.banca_pair = streak.banca_pair;
        cell
    });
    let derived = |cells: &[baccarat::roads::PatternCell]| {
        let cell = |cell: &baccarat::roads::PatternCell| {
            let colour = match cell.pattern {
                Pattern::Regular => "regular",
                Pattern::Irregular => "irregular",
            };
            Cell::at(cell.column, cell.row, colour, String::new())
        };
        cells.iter().map(cell).collect()
    };
    vec![
        board(texts.bead_plate(), Shape::Bead, 28, beads.collect()),
        board(texts.big_road_name(), Shape::Ring, 22, big.collect()),
        board(texts.big_eye_boy_name(), Shape::Ring, 14, derived(&roads.big_eye_boy)),
        board(texts.small_road(), Shape::Disc, 14, derived(&roads.small_road)),
        board(texts.cockroach_road(), Shape::Slash, 14, derived(&roads.cockroach_road)),
    ]
}

#[cfg(test)]
mod tests {
    use baccarat::roads::Score;
    use texts::Language;

    use super::*;

    #[test]
    fn marks_stand_in_the_middle_of_their_cells() {
        let score = |winner| Score { winner, punto_pair: true, banca_pair: false };
        let roads = Roads::of(&[Winner::Banca, Winner::Tie, Winner::Punto].map(score));
        let boards = boards(&roads, Texts::of(Language::English));
        let marks = |board: &Board| -> Vec<(usize, usize, &str, String)> {
            board.marks.iter().map(|mark| (mark.x, mark.y, mark.colour, mark.label.clone())).collect()
        };
        assert_eq!(
            marks(&boards[0]),
            [(14, 14, "banca", "B".into()), (14, 42, "tie", "T".into()), (14, 70, "punto", "P".into())]
        );
        assert_eq!(marks(&boards[1]), [(11, 11, "banca", "1".into()), (33, 11, "punto", String::new())]);
        assert!(boards[0].marks.iter().all(|mark| mark.punto_pair && !mark.banca_pair));
        assert!(boards.iter().skip(2).all(|board| board.marks.is_empty() && board.height == 84));
    }
}
