//! Finds two different rulebook texts under the same id in one log.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::sink::Location;
use crate::statement::OfTable;
use crate::{Code, Finding, RuleReference};

/// Most rulebooks of one log whose texts are compared.
const MAX_IDS: usize = 65_536;
/// Most texts of one id that are distinguished.
const MAX_TEXTS: usize = 1_024;

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
        let code = Code::RulebookTwoTexts;
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
            expected: OfTable::Rulebook { rulebook: self.id.into(), digest: first.into() }.into(),
            recorded: OfTable::Digest { digest: self.digest.into() }.into(),
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
pub(crate) struct Texts(BTreeMap<String, (String, BTreeSet<String>)>);

impl Texts {
    /// Adds an opening; gives the digest seen first where this is another one, not seen before.
    pub(crate) fn add(&mut self, opening: &Opening) -> Option<String> {
        let Opening { id, digest, .. } = opening;
        if let Some((first, others)) = self.0.get_mut(id) {
            let news = first != digest && others.len() < MAX_TEXTS && others.insert(digest.clone());
            return news.then(|| first.clone());
        }
        if self.0.len() < MAX_IDS {
            self.0.insert(id.clone(), (digest.clone(), BTreeSet::new()));
        }
        None
    }
}
