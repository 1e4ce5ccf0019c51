//! How numbers, sums, moments, paths and tables are written for people.

use std::path::Path;

use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use replay::Currency;

use crate::language::texts;
use crate::shown::plain;

/// Rows under headings, in columns. A cell is one piece of a line, whatever is in it.
pub(crate) fn table<const N: usize>(
    headings: [impl AsRef<str>; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(headings.iter().map(AsRef::as_ref));
    for row in rows {
        table.add_row(row.map(|cell| plain(&cell)));
    }
    let mut text = String::new();
    for line in table.to_string().lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    texts().grouped(number)
}

/// A path as one word of a command that can be pasted into a shell.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// `event 7`, `events 7 to 9`: which of a table's events an entry holds.
pub(crate) fn events(first: u64, last: u64) -> String {
    if first == last { texts().the_event(first) } else { texts().the_events(first, last) }
}

/// A card as a person reads it: `TH` as `10♥`. What is no card stays as it is.
pub(crate) fn card(text: &str) -> String {
    let suit = |suit: char| match suit {
        'S' => Some('♠'),
        'H' => Some('♥'),
        'D' => Some('♦'),
        'C' => Some('♣'),
        _ => None,
    };
    let symbol = text.chars().last().filter(|_| text.len() > 1).and_then(suit);
    let Some(symbol) = symbol else { return text.to_owned() };
    let rank = &text[..text.len() - 1];
    format!("{}{symbol}", if rank == "T" { "10" } else { rank })
}

/// Seconds since 1970 as UTC date and time.
pub(crate) fn moment(seconds: u64) -> String {
    texts().moment(seconds)
}

/// A sum in the table's currency, whose name is one piece of a line.
pub(crate) fn money(minor_units: i128, currency: Option<&Currency>) -> String {
    texts().money(minor_units, currency)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        let words = ["/tmp/log-1.x", "lo g/new one", "it's", ""].map(|path| shell_word(Path::new(path)));
        assert_eq!(words, ["/tmp/log-1.x", "'lo g/new one'", r"'it'\''s'", "''"]);
    }

    #[test]
    fn suits_are_symbols() {
        let cards = ["TH", "AS", "QD", "2C", "H", "??", "7?"].map(card);
        assert_eq!(cards, ["10♥", "A♠", "Q♦", "2♣", "H", "??", "7?"]);
    }
}
