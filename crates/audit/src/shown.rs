//! What may reach a terminal: texts are escaped where they are printed ([`texts::screen`] says how).

use std::io::{self, Write};

use crate::failure::Failure;
use crate::language::texts;
use ::texts::screen;
pub(crate) use ::texts::screen::{lines, plain};

/// The first character of a text that must not reach a terminal.
fn unsafe_one(text: &str) -> Option<char> {
    text.chars().find(|c| screen::is_unsafe(*c))
}

/// Whether a text is its own [`plain`] form.
pub(crate) fn is_plain(text: &str) -> bool {
    unsafe_one(text).is_none()
}

/// Checks a text that a person gives to be sealed or stored for good: whoever reads it later must see it as it was
/// written.
pub(crate) fn printable(option: &str, text: &str) -> Result<(), Failure> {
    match unsafe_one(text) {
        None => Ok(()),
        Some(c) => {
            let code = format!("U+{:04X}", u32::from(c));
            Err(Failure::usage(texts().cannot_be_seen(option, code)))
        }
    }
}

/// JSON as a terminal may show it.
pub(crate) fn json(text: &str) -> String {
    screen::json(text).into_owned()
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
