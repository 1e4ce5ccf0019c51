//! The page as one HTML file that needs no other: it prints well on A4.

use crate::language::texts;
use crate::shown;
use ::texts::{Page, Piece};
use desk::anchor;

const STYLE: &str = "\
@page { size: A4; margin: 18mm 16mm; }
body { font: 10.5pt/1.4 Georgia, 'Times New Roman', serif; color: #111; max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 18pt; line-height: 1.2; margin: 0 0 .6em; }
h2 { font-size: 12pt; margin: 1.5em 0 .4em; border-bottom: 1px solid #999; break-after: avoid; }
table { border-collapse: collapse; margin: .4em 0; break-inside: avoid; }
th, td { border: 1px solid #bbb; padding: .2em .5em; text-align: left; vertical-align: top; }
th { background: #f2f2f2; font-weight: bold; }
table.facts { width: 100%; }
table.facts td:first-child { width: 45%; }
table.cells td, table.cells th { text-align: center; min-width: 1.2em; }
p.sources { font-size: 9pt; margin: .3em 0; }
p.sources a { color: inherit; }
dt { font-weight: bold; margin-top: .8em; break-after: avoid; }
dd { margin: 0 0 0 1.2em; }
blockquote { margin: .2em 0; font-style: italic; white-space: pre-line; }
td, dd, dt, blockquote, h1, h2 { overflow-wrap: anywhere; }
@media print { body { margin: 0; padding: 0; max-width: none; } a { text-decoration: none; } }
";

/// The page as HTML.
pub(crate) fn html(page: &Page) -> String {
    let language = texts().language().code();
    let title = escaped(&page.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n"
    );
    page.pieces.iter().for_each(|piece| text.push_str(&written(piece)));
    text.push_str("</body>\n</html>\n");
    text
}

fn written(piece: &Piece) -> String {
    match piece {
        Piece::Heading(text) => format!("<h2>{}</h2>\n", escaped(text)),
        Piece::Paragraph(text) => format!("<p>{}</p>\n", escaped(text)),
        Piece::Facts(rows) => {
            let row = |[what, is]: &[String; 2]| {
                format!("<tr><td>{}</td><td>{}</td></tr>\n", escaped(what), escaped(is))
            };
            format!("<table class=\"facts\">\n{}</table>\n", rows.iter().map(row).collect::<String>())
        }
        Piece::Table(head, rows) => {
            let cells = |cells: &[String], tag: &str| -> String {
                cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect()
            };
            let rows: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
            let class = if head.len() > 2 { " class=\"cells\"" } else { "" };
            format!("<table{class}>\n<tr>{}</tr>\n{rows}</table>\n", cells(head, "th"))
        }
        Piece::Sources(keys) => {
            let link = |key: &String| format!("<a href=\"#{}\">[{}]</a>", anchor(key), escaped(key));
            format!("<p class=\"sources\">{}</p>\n", keys.iter().map(link).collect::<Vec<_>>().join(" "))
        }
        Piece::Source(key, source, words) => {
            let quote = match words.is_empty() {
                true => String::new(),
                false => format!("<blockquote>{}</blockquote>", escaped(words)),
            };
            let (key, source, id) = (escaped(key), escaped(source), anchor(key));
            format!("<dl><dt id=\"{id}\">[{key}]</dt><dd>{source}{quote}</dd></dl>\n")
        }
    }
}

/// A text between tags: nothing in it is a tag, and nothing in it turns the direction of reading.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in shown::lines(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
