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

    /// There are more rulebooks than are kept, or more texts under one id.
    pub(crate) fn more_than_kept(self, cap: Cap) -> Finding {
        let accusation = crate::table::more_than_kept(cap);
        self.finding(accusation.code, accusation.expected, accusation.recorded)
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

/// The texts of a log's rulebooks, by id: the digest seen first, and all others.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Texts {
    by_id: BTreeMap<String, (String, BTreeSet<String>)>,
    /// What was forgotten, as far as it is reported.
    forgotten: BTreeSet<Cap>,
}

/// What an opening shows about the texts of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Nothing that was not known.
    NoNews,
    /// Another text than the one seen first, whose digest this is.
    Another(String),
    /// There are more than are kept: this one is forgotten. That is reported once for each limit.
    Forgotten(Cap),
}

impl Texts {
    /// Adds an opening.
    pub(crate) fn add(&mut self, opening: &Opening) -> Shown {
        let Opening { id, digest, .. } = opening;
        if let Some((first, others)) = self.by_id.get_mut(id) {
            if first == digest || others.contains(digest) {
                return Shown::NoNews;
            } else if others.len() >= Cap::RulebookTexts.most() {
                return self.forget(Cap::RulebookTexts);
            }
            others.insert(digest.clone());
            return Shown::Another(first.clone());
        }
        if self.by_id.len() >= Cap::RulebookIds.most() {
            return self.forget(Cap::RulebookIds);
        }
        self.by_id.insert(id.clone(), (digest.clone(), BTreeSet::new()));
        Shown::NoNews
    }

    fn forget(&mut self, cap: Cap) -> Shown {
        if self.forgotten.insert(cap) { Shown::Forgotten(cap) } else { Shown::NoNews }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_ids_beyond_those_kept_are_reported_once() {
        let opening = |id: String, digest: String| Opening {
            location: Location::default(),
            table: "T".to_owned(),
            id,
            digest,
        };
        let mut texts = Texts::default();
        for number in 0..=Cap::RulebookTexts.most() {
            let shown = texts.add(&opening("house".to_owned(), number.to_string()));
            assert_eq!(matches!(shown, Shown::Another(_)), number > 0);
        }
        let mut one_more = |number: usize| texts.add(&opening("house".to_owned(), number.to_string()));
        assert_eq!(one_more(5_000), Shown::Forgotten(Cap::RulebookTexts));
        assert_eq!((one_more(5_001), one_more(7)), (Shown::NoNews, Shown::NoNews));
        for number in 1..Cap::RulebookIds.most() {
            assert_eq!(texts.add(&opening(format!("house-{number}"), "0".to_owned())), Shown::NoNews);
        }
        let mut one_more = |id: &str| texts.add(&opening(id.to_owned(), "0".to_owned()));
        assert_eq!(one_more("another"), Shown::Forgotten(Cap::RulebookIds));
        assert_eq!(one_more("a-third"), Shown::NoNews);
    }
}
