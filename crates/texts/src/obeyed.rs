//! Characters that a terminal or a browser obeys, that turn the direction of reading, or that cannot be seen.
//!
//! Names and messages come from logs, servers and files, and whoever wrote those may want the screen to lie. Whoever
//! prints a text spells these characters out.

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};

/// Whether a character must not reach a terminal or a page as it is: control characters (C0, DEL, C1), format characters (marks of
/// direction, zero-width characters, tags), separators of lines and paragraphs, and whatever else is not seen (Unicode's
/// Default_Ignorable_Code_Point: fillers, joiners, selectors of variations).
#[must_use]
pub fn is_obeyed(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    matches!(
        category,
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    ) || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// JSON with such characters written as escapes: the same values, byte for byte the same where nothing has to be escaped.
/// Line breaks and tabs stand between values; within strings they are escaped already.
#[must_use]
pub fn json_without_obeyed(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_obeyed(c) && !matches!(c, '\n' | '\t') {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::is_obeyed;

    #[test]
    fn what_turns_hides_or_is_not_seen_is_not_shown() {
        for c in
            "\0\u{1b}\u{7f}\u{85}\u{9b}\u{ad}\u{200b}\u{202e}\u{2066}\u{2028}\u{2029}\u{feff}\u{e0041}\u{600}"
                .chars()
        {
            assert!(is_obeyed(c), "{c:?}");
        }
        // Of other categories than Cf: a joiner, fillers of Hangul, selectors of variations.
        for c in "\u{34f}\u{115f}\u{3164}\u{ffa0}\u{180b}\u{fe0f}\u{e0100}".chars() {
            assert!(is_obeyed(c), "{c:?}");
        }
        assert!(!"mesa ñ 1 百家樂 ♥ é 한 €".chars().any(is_obeyed));
    }
}
