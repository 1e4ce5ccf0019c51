//! English texts that libraries hand on inside their errors, and what they are in Spanish.
//!
//! A phrase has holes, numbered from the left: `block {0}: {1}`. In its Spanish `{0}` is what stands in the hole,
//! `{~0}` the same in Spanish, `{/0}` that behind a path, and `{:0}` that as a cause, behind a colon or as a detail in
//! brackets. What is no known phrase is never guessed.

/// A text in English and in Spanish, with holes.
pub type Phrase = (&'static str, &'static str);

/// Phrases within phrases that are looked for. What a stranger wrote cannot ask for more.
const DEEPEST: usize = 6;

/// Phrases that are known, the general ones last.
#[derive(Debug, Clone, Copy)]
pub struct Phrases {
    /// Lists of them.
    pub lists: &'static [&'static [Phrase]],
    /// What else may be known of a text that none of them is.
    pub otherwise: fn(&str) -> Option<String>,
}

impl Phrases {
    /// The text in Spanish, if it is known.
    #[must_use]
    pub fn known(&self, english: &str) -> Option<String> {
        self.known_at(english, 0)
    }

    /// The text in Spanish, or as a detail.
    #[must_use]
    pub fn or_detail(&self, english: &str) -> String {
        self.or_detail_at(english, 0)
    }

    /// The text as the cause of what stands before.
    #[must_use]
    pub fn because(&self, english: &str) -> String {
        self.because_at(english, 0)
    }

    /// The same of a text that may begin with a path and a colon. The path may hold colons too.
    #[must_use]
    pub fn behind_path(&self, english: &str) -> String {
        self.behind_path_at(english, 0)
    }

    fn behind_path_at(&self, english: &str, depth: usize) -> String {
        let spanish = |(at, _)| {
            self.known_at(&english[at + 2..], depth).map(|spanish| format!("{}: {spanish}", &english[..at]))
        };
        self.known_at(english, depth)
            .or_else(|| english.match_indices(": ").find_map(spanish))
            .unwrap_or_else(|| format!("(detalle: {english})"))
    }

    fn or_detail_at(&self, english: &str, depth: usize) -> String {
        self.known_at(english, depth).unwrap_or_else(|| format!("(detalle: {english})"))
    }

    fn because_at(&self, english: &str, depth: usize) -> String {
        self.known_at(english, depth)
            .map_or_else(|| format!(" (detalle: {english})"), |spanish| format!(": {spanish}"))
    }

    fn known_at(&self, english: &str, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let phrase =
            |(pattern, spanish): &Phrase| Some(self.filled(spanish, &holes(pattern, english)?, depth));
        self.lists.iter().copied().flatten().find_map(phrase).or_else(|| (self.otherwise)(english))
    }

    fn filled(&self, spanish: &str, holes: &[&str], depth: usize) -> String {
        let mut pieces = spanish.split('{');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (hole, literal) = piece.split_once('}').unwrap_or((piece, ""));
            let held =
                |number: &str| number.parse().ok().and_then(|number: usize| holes.get(number)).copied();
            let held = |number| held(number).unwrap_or_default();
            match (hole.as_bytes().first(), hole.get(1..)) {
                (Some(b'~'), Some(number)) => text.push_str(&self.or_detail_at(held(number), depth + 1)),
                (Some(b':'), Some(number)) => text.push_str(&self.because_at(held(number), depth + 1)),
                (Some(b'/'), Some(number)) => text.push_str(&self.behind_path_at(held(number), depth + 1)),
                (Some(_) | None, _) => text.push_str(held(hole)),
            }
            text.push_str(literal);
        }
        text
    }
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
    fn what_stands_in_a_hole_is_said_in_spanish_too() {
        let phrases = Phrases {
            lists: &[&[("{0} holds {1}", "{/0} contiene {1}"), ("why: {0}", "motivo{:0}"), ("no", "no lo")]],
            otherwise: |english| (english == "a box").then(|| "una caja".to_owned()),
        };
        assert_eq!(phrases.or_detail("a box holds cards"), "una caja contiene cards");
        assert_eq!(phrases.behind_path("a: b: a box"), "a: b: una caja");
        assert_eq!(phrases.or_detail("why: a box"), "motivo: una caja");
        assert_eq!(phrases.or_detail("why: what"), "motivo (detalle: what)");
        assert_eq!(phrases.because("what"), " (detalle: what)");
        assert_eq!(phrases.known("what"), None);
        assert!(phrases.or_detail(&"why: ".repeat(50)).matches("detalle").count() == 1);
    }
}
