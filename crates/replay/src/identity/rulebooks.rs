//! Finds two different rulebook texts under the same id in one log.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::caps::Cap;
use crate::sink::Location;
use crate::statement::OfTable;
use crate::{Code, Finding, RuleReference, Statement};

/// A table was opened under a rulebook.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Opening {
    pub(crate) location: Location,
    pub(crate) table: String,
    pub(crate) id: String,
    pub(crate) digest: String,
}

impl Opening {
    /// Its rulebook carries the id of the one with the digest `first`.
    pub(crate) fn another_text(self, first: &str) -> Finding {
        let expected = OfTable::Rulebook { rulebook: self.id.as_str().into(), digest: first.into() };
        let recorded = OfTable::Digest { digest: self.digest.as_str().into() };
        self.finding(Code::RulebookTwoTexts, expected.into(), recorded.into())
    }

    fn finding(self, code: Code, expected: Statement, recorded: Statement) -> Finding {
        Finding {
            entry: self.location.entry,
            table: self.table,
            sequence: self.location.sequence,
            code,
            severity: code.severity(),
            shoe: None,
            coup: None,
            rule: RuleReference {
                rulebook: String::new(),
                clause: "record".to_owned(),
                citations: Vec::new(),
            },
            expected,
            recorded,
            money: Vec::new(),
            currency: None,
            sentence: code.english(),
            frase: code.spanish(),
            cause: None,
        }
    }
}

/// The id that a rulebook's text gives itself, whatever else the text contains.
pub(crate) fn id_of(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        id: String,
    }
    serde_json::from_str::<Named>(text).ok().map(|named| named.id)
}

/// The texts that one table was opened under, each as 16 bytes of a BLAKE3 digest of its id and its own digest.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Texts(Vec<[u8; 16]>);

impl Texts {
    /// Adds a text; returns whether it is new and kept, or `None` where there is no room for it.
    pub(crate) fn add(&mut self, id: &str, digest: &str) -> Option<bool> {
        let whole = blake3::hash(format!("{digest} {id}").as_bytes());
        let print: [u8; 16] = std::array::from_fn(|at| whole.as_bytes()[at]);
        if self.0.contains(&print) {
            return Some(false);
        }
        if self.0.len() >= Cap::RulebookTexts.most() {
            return None;
        }
        // Most tables have one text all their life.
        self.0.reserve_exact(1);
        self.0.push(print);
        Some(true)
    }
}

/// The texts of a log's rulebooks, by id: the digest seen first, and all others. There are no more of them than the
/// tables keep together.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct TextsOfLog {
    by_id: BTreeMap<String, (String, BTreeSet<String>)>,
}

impl TextsOfLog {
    /// Adds an opening; returns the digest of the text that was seen first under its id, if it has another one that was
    /// not seen before.
    pub(crate) fn add(&mut self, opening: &Opening) -> Option<String> {
        let Opening { id, digest, .. } = opening;
        let Some((first, others)) = self.by_id.get_mut(id) else {
            self.by_id.insert(id.clone(), (digest.clone(), BTreeSet::new()));
            return None;
        };
        (first != digest && others.insert(digest.clone())).then(|| first.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_text_under_an_id_is_reported_once() {
        let mut texts = TextsOfLog::default();
        let mut add = |id: &str, digest: &str| {
            let (location, table) = (Location::default(), "T".to_owned());
            texts.add(&Opening { location, table, id: id.to_owned(), digest: digest.to_owned() })
        };
        assert_eq!((add("house", "a"), add("other", "b"), add("house", "a")), (None, None, None));
        assert_eq!((add("house", "b"), add("house", "b")), (Some("a".to_owned()), None));
        assert_eq!(add("house", "c"), Some("a".to_owned()));
    }

    #[test]
    fn a_table_keeps_so_many_texts_and_knows_them_again() {
        let mut texts = Texts::default();
        let most = Cap::RulebookTexts.most();
        assert!((0..most).all(|number| texts.add("house", &number.to_string()) == Some(true)));
        assert_eq!((texts.add("house", "one more"), texts.add("another", "0")), (None, None));
        assert_eq!((texts.add("house", "7"), texts.0.len()), (Some(false), most));
    }
}
