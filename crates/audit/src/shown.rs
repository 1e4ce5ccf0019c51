//! What may reach a terminal: no character that it obeys, that turns the direction of reading, or that cannot be seen.
//!
//! Names and messages come from logs, servers and files, and whoever wrote those may want the screen to lie. So texts
//! are escaped where they are printed, and a field that may hold line breaks is escaped where it is put into a text.

use std::io::{self, Write};

use crate::failure::Failure;
use crate::language::texts;
use ::texts::{is_obeyed, json_without_obeyed};

/// A text from outside as one piece of a line: its line breaks and tabs are spelled out as well.
pub(crate) fn plain(text: &str) -> String {
    escaped(text, |_| false)
}

/// The first character of a text that must not reach a terminal.
fn obeyed(text: &str) -> Option<char> {
    text.chars().find(|c| is_obeyed(*c))
}

/// Whether a text is its own [`plain`] form.
pub(crate) fn is_plain(text: &str) -> bool {
    obeyed(text).is_none()
}

/// Checks a text that a person gives to be sealed or stored for good: whoever reads it later must see it as it was
/// written.
pub(crate) fn printable(option: &str, text: &str) -> Result<(), Failure> {
    match obeyed(text) {
        None => Ok(()),
        Some(c) => {
            let code = format!("U+{:04X}", u32::from(c));
            Err(Failure::usage(texts().cannot_be_seen(option, code)))
        }
    }
}

/// Lines of this program as a terminal may show them.
pub(crate) fn lines(text: &str) -> String {
    escaped(text, |c| matches!(c, '\n' | '\t'))
}

/// JSON as a terminal may show it: the same values, byte for byte the same where nothing has to be escaped.
pub(crate) fn json(text: &str) -> String {
    json_without_obeyed(text)
}

fn escaped(text: &str, kept: impl Fn(char) -> bool) -> String {
    let obeyed = |c: char| is_obeyed(c) && !kept(c);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if obeyed(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// Escapes what is written through it, in either way; bytes that are no UTF-8 become U+FFFD.
pub(crate) struct Escaping<W: Write> {
    to: W,
    way: fn(&str) -> String,
    /// The beginning of a character whose rest is not written yet.
    cut: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    pub(crate) const fn new(to: W, way: fn(&str) -> String) -> Self {
        Self { to, way, cut: Vec::new() }
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.cut.extend_from_slice(bytes);
        let last = self.cut.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
        let is_begun = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
        let whole = self.cut.len() - if is_begun { last.len() } else { 0 };
        let text: Vec<u8> = self.cut.drain(..whole).collect();
        self.to.write_all((self.way)(&String::from_utf8_lossy(&text)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const HOSTILE: &str = "a\u{1b}[2Jb\r\u{9b}31m\u{7f}\u{202e}\u{200b}\u{ad}\u{2028}\u{feff}\u{e0041}c";

    /// A file's or server's text could otherwise move the cursor, turn the direction of reading, or add lines.
    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        let shown = r"a\u{1b}[2Jb\u{d}\u{9b}31m\u{7f}\u{202e}\u{200b}\u{ad}\u{2028}\u{feff}\u{e0041}c";
        assert_eq!(plain(HOSTILE), shown);
        assert_eq!(lines(&format!("{HOSTILE}\n\t1\n")), format!("{shown}\n\t1\n"));
        assert_eq!(plain("one\n\ttwo"), r"one\u{a}\u{9}two");
        for text in ["mesa ñ 1", "百家樂", "♥ 7", ""] {
            assert!(is_plain(text) && lines(text) == text && plain(text) == text);
        }
        assert!(!is_plain(HOSTILE) && !is_plain("one\ntwo"));
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({ "name": HOSTILE, "more": ["ñ", HOSTILE, "one\n\ttwo"] });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let shown = json(&text);
            assert!(is_plain(&shown.replace('\n', "")), "{shown:?}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }
        assert_eq!(json("{\n\t\"a\": \"ñ\"\n}"), "{\n\t\"a\": \"ñ\"\n}");
    }

    #[test]
    fn pieces_are_escaped_as_the_whole_is() {
        let text = format!("{HOSTILE}ñ♥\u{10ffff}\n{HOSTILE}");
        for size in 1..9 {
            let mut out = Escaping::new(Vec::new(), lines);
            text.as_bytes().chunks(size).for_each(|piece| out.write_all(piece).unwrap());
            assert_eq!(String::from_utf8(out.to).unwrap(), lines(&text), "pieces of {size}");
        }
        let mut out = Escaping::new(Vec::new(), lines);
        out.write_all(b"\xff\x1bx\xc3").unwrap();
        assert_eq!(String::from_utf8(out.to).unwrap(), "\u{fffd}\\u{1b}x");
    }
}
