//! How text from outside is shown on a screen.
//!
//! Names and messages come from logs, servers, files and arguments, and their author may want the screen to lie. So
//! characters that a terminal or a browser acts on, that turn the direction of reading, or that cannot be seen are
//! written as escapes (`\u{1b}`) wherever text is printed. This is the only place that decides which characters
//! these are, and how they are written.

use std::borrow::Cow;

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, NoncharacterCodePoint};
use icu_properties::{CodePointMapData, CodePointSetData};

/// Whether a character must not be shown as it is: control characters (C0, DEL, C1), format characters (marks of
/// direction, zero-width characters, tags), separators of lines and paragraphs, and all others that cannot be seen
/// (Unicode's Default_Ignorable_Code_Point: fillers, joiners, variation selectors; signs that are drawn as nothing; code
/// points that are no characters). Blanks between words are shown as they are.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
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
        || CodePointSetData::new::<NoncharacterCodePoint>().contains(c)
        || matches!(c, BRAILLE_BLANK | NULL_NOTEHEAD)
}

/// Signs that are drawn as nothing, though their categories are those of signs.
const BRAILLE_BLANK: char = '\u{2800}';
const NULL_NOTEHEAD: char = '\u{1d159}';

/// Text from outside as part of one line: line breaks and tabs are written as escapes too.
#[must_use]
pub fn plain(text: &str) -> String {
    escaped(text, |_| false, |c, out| out.extend(c.escape_unicode())).into_owned()
}

/// Lines of this program, with text from outside in them.
#[must_use]
pub fn lines(text: &str) -> String {
    escaped(text, is_layout, |c, out| out.extend(c.escape_unicode())).into_owned()
}

/// JSON with the escapes of JSON: its values are unchanged, and so are its bytes if nothing has to be escaped.
/// Line breaks and tabs are only between values here, because JSON escapes those within strings.
#[must_use]
pub fn json(text: &str) -> Cow<'_, str> {
    escaped(text, is_layout, |c, out| {
        c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
    })
}

const fn is_layout(c: char) -> bool {
    matches!(c, '\n' | '\t')
}

fn escaped(text: &str, is_kept: fn(char) -> bool, escape: fn(char, &mut String)) -> Cow<'_, str> {
    let must_go = |c: char| is_unsafe(c) && !is_kept(c);
    let Some(first) = text.find(must_go) else { return Cow::Borrowed(text) };
    let (before, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 8);
    out.push_str(before);
    for c in rest.chars() {
        if must_go(c) { escape(c, &mut out) } else { out.push(c) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const HOSTILE: &str = "a\u{1b}[2Jb\r\u{9b}31m\u{7f}\u{202e}\u{200b}\u{ad}\u{2028}\u{feff}\u{e0041}c";

    #[test]
    fn characters_that_act_turn_or_hide_are_unsafe() {
        for c in
            "\0\u{1b}\u{7f}\u{85}\u{9b}\u{ad}\u{200b}\u{202e}\u{2066}\u{2028}\u{2029}\u{feff}\u{e0041}\u{600}"
                .chars()
        {
            assert!(is_unsafe(c), "{c:?}");
        }
        // Of other categories than Cf: a joiner, fillers of Hangul, selectors of variations.
        for c in "\u{34f}\u{115f}\u{3164}\u{ffa0}\u{180b}\u{fe0f}\u{e0100}".chars() {
            assert!(is_unsafe(c), "{c:?}");
        }
        // Drawn as nothing, and no characters.
        for c in "\u{2800}\u{1d159}\u{fdd0}\u{fdef}\u{fffe}\u{ffff}\u{1fffe}\u{10ffff}".chars() {
            assert!(is_unsafe(c), "{c:?}");
        }
        assert!(!"mesa ñ 1 百家樂 ♥ é 한 €".chars().any(is_unsafe));
    }

    #[test]
    fn they_are_written_as_escapes() {
        let shown = r"a\u{1b}[2Jb\u{d}\u{9b}31m\u{7f}\u{202e}\u{200b}\u{ad}\u{2028}\u{feff}\u{e0041}c";
        assert_eq!(plain(HOSTILE), shown);
        assert_eq!(lines(&format!("{HOSTILE}\n\t1\n")), format!("{shown}\n\t1\n"));
        assert_eq!(plain("one\n\ttwo"), r"one\u{a}\u{9}two");
        for text in ["mesa ñ 1", "百家樂", "♥ 7", ""] {
            assert!(plain(text) == text && lines(text) == text);
        }
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({ "name": HOSTILE, "more": ["ñ", HOSTILE, "one\n\ttwo"] });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let shown = json(&text);
            assert!(!shown.contains(|c| is_unsafe(c) && c != '\n'), "{shown:?}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }
        assert_eq!(json("{\n\t\"a\": \"ñ\"\n}"), "{\n\t\"a\": \"ñ\"\n}");
    }
}
