//! Characters that a terminal or a browser obeys, that turn the direction of reading, or that cannot be seen.
//!
//! Names and messages come from logs, servers and files, and whoever wrote those may want the screen to lie. Whoever
//! prints a text spells these characters out.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// Whether a character must not reach a terminal or a page as it is: control characters (C0, DEL, C1), format characters (marks of
/// direction, zero-width characters, tags), and separators of lines and paragraphs.
#[must_use]
pub fn is_obeyed(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    matches!(
        c.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    )
}
