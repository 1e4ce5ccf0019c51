//! The page as Markdown.

use crate::shown;
use ::texts::{Page, Piece};

/// The page as Markdown.
pub(crate) fn markdown(page: &Page) -> String {
    let mut text = format!("# {}\n", escaped(&page.title));
    page.pieces.iter().for_each(|piece| text.push_str(&written(piece)));
    text
}

fn written(piece: &Piece) -> String {
    match piece {
        Piece::Heading(text) => format!("\n## {}\n", escaped(text)),
        Piece::Paragraph(text) => format!("\n{}\n", escaped(text)),
        Piece::Facts(rows) => {
            let row = |[what, is]: &[String; 2]| format!("| {} | {} |\n", escaped(what), escaped(is));
            format!("\n| | |\n|---|---|\n{}", rows.iter().map(row).collect::<String>())
        }
        Piece::Table(head, rows) => {
            let line = |cells: &[String]| {
                let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
                format!("| {} |\n", cells.join(" | "))
            };
            let rows: String = rows.iter().map(|row| line(row)).collect();
            format!("\n{}|{}\n{rows}", line(head), "---|".repeat(head.len()))
        }
        Piece::Sources(keys) => {
            let keys: Vec<String> = keys.iter().map(|key| escaped(&format!("[{key}]"))).collect();
            format!("\n{}\n", keys.join(" "))
        }
        Piece::Source(key, source, words) => {
            let quote = match words.is_empty() {
                true => String::new(),
                false => format!("\n> {}\n", escaped(words)),
            };
            format!("\n**{}** {}\n{quote}", escaped(&format!("[{key}]")), escaped(source))
        }
    }
}

/// A text in which nothing is markup, in one line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in shown::lines(&text.replace(['\n', '\t'], " ")).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}
