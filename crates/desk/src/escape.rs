//! What may reach a page: no markup from outside, no character that turns the direction of reading or cannot be seen.

use std::fmt::{self, Write};

use askama::filters::{Escaper, Html};
use texts::screen;

/// The escaper of every template (`askama.toml`).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown;

impl Escaper for Shown {
    fn write_escaped_str<W: Write>(&self, dest: W, string: &str) -> fmt::Result {
        Html.write_escaped_str(dest, &screen::lines(string))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn markup_and_characters_that_turn_or_hide_text_are_spelled_out() {
        let mut page = String::new();
        Shown.write_escaped_str(&mut page, "a<b>&\"'\u{202e}\u{200b}\u{1b}ñ♥\n").unwrap();
        assert_eq!(page, "a&#60;b&#62;&#38;&#34;&#39;\\u{202e}\\u{200b}\\u{1b}ñ♥\n");
    }
}
