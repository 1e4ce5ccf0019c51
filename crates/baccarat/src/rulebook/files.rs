//! The files a rulebook is read from, and where in them a key stands.

use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, or another name of the text.
    pub file: String,
    /// Line and column, the first being 1; a column is a character. Absent where the text has no lines.
    pub position: Option<(usize, usize)>,
}

impl Place {
    /// A text as a whole.
    pub(crate) fn whole(file: &str) -> Self {
        Self { file: file.to_owned(), position: None }
    }

    /// The place of a byte of a file.
    pub(crate) fn at(file: &str, text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self { file: file.to_owned(), position: Some((line, column)) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some((line, column)) => write!(f, "{}:{line}:{column}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// A file and those it extends, in that order: name and text of each.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<(String, String)>);

impl Files {
    pub(crate) fn push(&mut self, name: &str, text: &str) {
        self.0.push((name.to_owned(), text.to_owned()));
    }

    /// Where a key stands: in the first file that has it; a key that none has, where the section stands
    /// that should have it.
    pub(crate) fn place(&self, key: &str) -> Place {
        let mut best: Option<(usize, Place)> = None;
        for (name, text) in &self.0 {
            let (table, _) = DeTable::parse_recoverable(text);
            let (left, byte) = reached(table.get_ref(), key, 0);
            if best.as_ref().is_none_or(|(least, _)| left < *least) {
                best = Some((left, Place::at(name, text, byte)));
            }
        }
        best.map_or_else(|| Place::whole(""), |(_, place)| place)
    }
}

/// How many characters of the key are left where the table ends, and the byte up to which it leads; `here`
/// is where the table stands.
fn reached(table: &DeTable<'_>, key: &str, here: usize) -> (usize, usize) {
    let named = |name: &str| after(key, name).or_else(|| after(key, &name.escape_debug().to_string()));
    let names = table.iter().filter_map(|(name, value)| Some((name, value, named(name.get_ref())?)));
    // Of the names that fit, the longest: `1.3` before `1`.
    match names.min_by_key(|(_, _, rest)| rest.len()) {
        None => (key.len(), here),
        Some((name, value, rest)) => within(value, rest, name.span().start),
    }
}

/// The same within a value.
fn within(value: &Spanned<DeValue<'_>>, rest: &str, here: usize) -> (usize, usize) {
    match value.get_ref() {
        DeValue::Table(members) if rest.starts_with('.') => reached(members, &rest[1..], here),
        DeValue::Array(values) => match element(values.iter(), rest) {
            Some((value, rest)) => within(value, rest, value.span().start),
            None => (rest.len(), here),
        },
        DeValue::Table(_)
        | DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => (rest.len(), here),
    }
}

/// The element that `[2]...` names, and what is left of the key.
fn element<'v, 'k, V>(mut values: impl Iterator<Item = V> + 'v, key: &'k str) -> Option<(V, &'k str)> {
    let (index, rest) = key.strip_prefix('[')?.split_once(']')?;
    Some((values.nth(index.parse().ok()?)?, rest))
}

/// What follows a name in a key: nothing, `.` and more, or `[` and more.
fn after<'k>(key: &'k str, name: &str) -> Option<&'k str> {
    let rest = key.strip_prefix(name)?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stands_in_the_first_file_that_has_it() {
        let mut files = Files::default();
        files.push(
            "top",
            "id = 'x'\n[bets.tie]\nrows = [\n  { pays = '8:1' },\n  { pays = 'ñ', cards = 9 },\n]\n",
        );
        files.push(
            "base",
            "[shoe]\ndecks = [6]\n[citations.'1.3']\nsource = 's'\n[[forbidden-pairs]]\nbets = []\n",
        );
        for (key, place) in [
            ("id", "top:1:1"),
            ("bets.tie.rows[1].cards", "top:5:17"),
            ("bets.tie.rows[0].pays", "top:4:5"),
            ("bets.tie.rows[0]", "top:4:3"),
            ("bets.tie.title", "top:2:7"),
            ("shoe.decks", "base:2:1"),
            ("shoe.cite", "base:1:2"),
            ("citations.1.3.source", "base:4:1"),
            ("forbidden-pairs[0].bets", "base:6:1"),
            ("nothing", "top:1:1"),
        ] {
            assert_eq!(files.place(key).to_string(), place, "{key}");
        }
    }
}
