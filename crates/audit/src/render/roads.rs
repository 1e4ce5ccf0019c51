//! The scoreboard of a shoe in letters, for a terminal without colours.

use baccarat::roads::{Bead, BigCell, Pattern, PatternCell, ROWS, Roads};
use baccarat::{Side, Winner};

use crate::language::texts;

/// Columns drawn at most; a shoe has about eighty coups.
const COLUMNS: usize = 120;

pub(crate) fn roads(heading: &str, left_out: &[u32], roads: &Roads) -> String {
    let mut text = format!("{heading}\n");
    if !left_out.is_empty() {
        let numbers: Vec<String> = left_out.iter().map(ToString::to_string).collect();
        text.push_str(&format!("{}\n", texts().left_out_of_board(numbers.join(", "))));
    }
    text.push_str(&format!("{}\n\n{}\n", texts().board_legend(), texts().bead_plate()));
    draw(&mut text, 4, roads.bead_plate.iter().map(|bead| (bead.column, bead.row, bead_text(bead))));
    text.push_str(&format!("\n{}\n", texts().big_road()));
    if roads.leading_ties > 0 {
        let ties = texts().ties(roads.leading_ties.into());
        text.push_str(&format!("  {}\n", texts().ties_before(ties)));
    }
    draw(&mut text, 3, roads.big_road.iter().map(|cell| (cell.column, cell.row, big_text(cell))));
    for (name, cells) in [
        (texts().big_eye_boy(), &roads.big_eye_boy),
        (texts().small_road(), &roads.small_road),
        (texts().cockroach_road(), &roads.cockroach_road),
    ] {
        text.push_str(&format!("\n{name}\n"));
        draw(&mut text, 2, cells.iter().map(|cell| (cell.column, cell.row, pattern_text(cell))));
    }
    text
}

fn bead_text(bead: &Bead) -> String {
    let mut text = match bead.score.winner {
        Winner::Punto => "P",
        Winner::Banca => "B",
        Winner::Tie => "T",
    }
    .to_owned();
    text.push_str(if bead.score.punto_pair { "p" } else { "" });
    text.push_str(if bead.score.banca_pair { "b" } else { "" });
    text
}

fn big_text(cell: &BigCell) -> String {
    let letter = match cell.winner {
        Side::Punto => 'P',
        Side::Banca => 'B',
    };
    if cell.ties > 0 { format!("{letter}{}", cell.ties) } else { letter.to_string() }
}

fn pattern_text(cell: &PatternCell) -> String {
    match cell.pattern {
        Pattern::Regular => "+",
        Pattern::Irregular => "-",
    }
    .to_owned()
}

/// Draws cells of a width, without the empty rows at the end.
fn draw(text: &mut String, width: usize, cells: impl Iterator<Item = (usize, usize, String)>) {
    let mut rows = vec![Vec::<String>::new(); ROWS];
    for (column, row, cell) in cells.filter(|(column, ..)| *column < COLUMNS) {
        let line = &mut rows[row];
        line.resize(line.len().max(column + 1), String::new());
        line[column] = cell;
    }
    let used = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    if used == 0 {
        text.push_str(&format!("  {}\n", texts().board_empty()));
    }
    for row in &rows[..used] {
        let line: String = row.iter().map(|cell| format!("{cell:<width$}")).collect();
        text.push_str(&format!("  {}\n", line.trim_end()));
    }
}
