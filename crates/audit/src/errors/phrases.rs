//! English texts that libraries hand on inside their errors, and what they are in Spanish.
//!
//! A phrase has holes, numbered from the left: `block {0}: {1}`. In its Spanish `{0}` is what stands in the hole,
//! `{~0}` the same in Spanish, `{/0}` that behind a path, and `{:0}` that as a cause, behind a colon or as a detail in
//! brackets. What is no known phrase is never guessed.

use std::io;

use super::{
    Spanish as _, archive, checkpoints, client, entries, events, folder, keys, proofs, service, store,
};
use super::{system, witness, writer};

/// A text in English and in Spanish, with holes.
pub(super) type Phrase = (&'static str, &'static str);

/// Phrases within phrases that are looked for. What a stranger wrote cannot ask for more.
const DEEPEST: usize = 6;

/// All that is known, the general ones last.
pub(super) const ALL: [&[Phrase]; 14] = [
    store::PHRASES,
    archive::PHRASES,
    folder::PHRASES,
    keys::PHRASES,
    checkpoints::PHRASES,
    proofs::PHRASES,
    entries::PHRASES,
    writer::PHRASES,
    witness::PHRASES,
    client::PHRASES,
    service::PHRASES,
    events::PHRASES,
    events::OF_READERS,
    system::PHRASES,
];

/// The text in Spanish, if it is known.
pub(super) fn known(english: &str) -> Option<String> {
    known_at(english, 0)
}

/// The text in Spanish, or as a detail.
pub(super) fn or_detail(english: &str) -> String {
    or_detail_at(english, 0)
}

/// The text as the cause of what stands before.
pub(super) fn because(english: &str) -> String {
    because_at(english, 0)
}

/// The same of a text that may begin with a path and a colon. The path may hold colons too.
pub(super) fn behind_path(english: &str) -> String {
    behind_path_at(english, 0)
}

fn behind_path_at(english: &str, depth: usize) -> String {
    let spanish =
        |(at, _)| known_at(&english[at + 2..], depth).map(|spanish| format!("{}: {spanish}", &english[..at]));
    known_at(english, depth)
        .or_else(|| english.match_indices(": ").find_map(spanish))
        .unwrap_or_else(|| format!("(detalle: {english})"))
}

fn or_detail_at(english: &str, depth: usize) -> String {
    known_at(english, depth).unwrap_or_else(|| format!("(detalle: {english})"))
}

fn because_at(english: &str, depth: usize) -> String {
    known_at(english, depth)
        .map_or_else(|| format!(" (detalle: {english})"), |spanish| format!(": {spanish}"))
}

fn known_at(english: &str, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    let phrase = |(pattern, spanish): &Phrase| Some(filled(spanish, &holes(pattern, english)?, depth));
    ALL.into_iter().flatten().find_map(phrase).or_else(|| of_system(english))
}

/// A text that ends in the system's words for one of its errors, as `log/head: No such file or directory (os error 2)`.
fn of_system(english: &str) -> Option<String> {
    let number = english.strip_suffix(')')?.rsplit_once(" (os error ")?.1.parse().ok()?;
    let error = io::Error::from_raw_os_error(number);
    let before = english.strip_suffix(&error.to_string())?;
    (before.is_empty() || before.ends_with(": ")).then(|| format!("{before}{}", error.spanish()))
}

/// What stands in the holes of a pattern; `None` where the text is not of this pattern.
fn holes<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut literals = pattern.split('{').enumerate().map(|(at, piece)| {
        if at == 0 { piece } else { piece.split_once('}').map_or(piece, |(_, rest)| rest) }
    });
    let mut rest = text.strip_prefix(literals.next()?)?;
    let mut found = Vec::new();
    let literals: Vec<&str> = literals.collect();
    let Some((last, between)) = literals.split_last() else { return rest.is_empty().then_some(found) };
    for literal in between {
        let (hole, behind) = rest.split_once(literal)?;
        found.push(hole);
        rest = behind;
    }
    found.push(rest.strip_suffix(last)?);
    Some(found)
}

fn filled(spanish: &str, holes: &[&str], depth: usize) -> String {
    let mut pieces = spanish.split('{');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (hole, literal) = piece.split_once('}').unwrap_or((piece, ""));
        let held = |number: &str| number.parse().ok().and_then(|number: usize| holes.get(number)).copied();
        let held = |number| held(number).unwrap_or_default();
        match (hole.as_bytes().first(), hole.get(1..)) {
            (Some(b'~'), Some(number)) => text.push_str(&or_detail_at(held(number), depth + 1)),
            (Some(b':'), Some(number)) => text.push_str(&because_at(held(number), depth + 1)),
            (Some(b'/'), Some(number)) => text.push_str(&behind_path_at(held(number), depth + 1)),
            (Some(_) | None, _) => text.push_str(held(hole)),
        }
        text.push_str(literal);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_what_stands_between() {
        assert_eq!(holes("a {0} b {1}", "a one b two b"), Some(vec!["one", "two b"]));
        assert_eq!(holes("{0} b", "one b"), Some(vec!["one"]));
        assert_eq!(holes("a", "a"), Some(vec![]));
        assert_eq!(holes("a", "a b"), None);
        assert_eq!(holes("a {0} b", "a one c"), None);
    }

    #[test]
    fn what_is_not_known_stays_as_a_detail() {
        assert_eq!(or_detail("sled said something"), "(detalle: sled said something)");
        assert_eq!(because("sled said something"), " (detalle: sled said something)");
        assert_eq!(because("it is not there"), ": no está");
        let nested = "its answer cannot be read: ".repeat(50);
        assert!(or_detail(&nested).matches("detalle").count() == 1);
    }

    /// A path before the system's words is kept, whatever it holds.
    #[test]
    fn words_of_the_system_are_known_behind_a_path() {
        let spanish = "casa: no existe: no existe el archivo o la carpeta (error 2 del sistema)";
        assert_eq!(or_detail("casa: no existe: No such file or directory (os error 2)"), spanish);
        let another = "something (os error 2)";
        assert_eq!(or_detail(another), "(detalle: something (os error 2))");
    }
}
