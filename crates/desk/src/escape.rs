//! What may reach a page: no markup from outside, no character that turns the direction of reading or cannot be seen.

use std::fmt::{self, Write};

use askama::filters::Escaper;
use texts::is_obeyed;

/// The escaper of every template (`askama.toml`).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown;

impl Escaper for Shown {
    fn write_escaped_str<W: Write>(&self, mut dest: W, string: &str) -> fmt::Result {
        let mut from = 0;
        for (at, c) in string.char_indices() {
            let spelled = match c {
                '<' => "&#60;",
                '>' => "&#62;",
                '&' => "&#38;",
                '"' => "&#34;",
                '\'' => "&#39;",
                '\n' | '\t' => continue,
                c if is_obeyed(c) => "",
                _ => continue,
            };
            dest.write_str(&string[from..at])?;
            match spelled {
                "" => write!(dest, "{}", c.escape_unicode())?,
                spelled => dest.write_str(spelled)?,
            }
            from = at + c.len_utf8();
        }
        dest.write_str(&string[from..])
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
