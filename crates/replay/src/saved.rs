//! Saves a judge as JSON and loads it again, with everything it knows of every table.
//!
//! The saved judge is not evidence. Only the same version of this program loads it, and the loaded judge gives the
//! same result as one that was never saved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baccarat::Rulebook;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::house_edges::HouseEdges;
use crate::identity::TextsOfLog;
use crate::judge::{Finished, Judge};
use crate::kept::Kept;
use crate::ledger::Ledger;
use crate::question::Question;
use crate::revision::JUDGE;
use crate::rules::Rules;
use crate::stages::Judged;
use crate::{RulebookUsed, Unreadable, Wanted};

/// Version of the saved form; other versions are not loaded. It is raised when the fields of the state change; a
/// change of judging raises the judge's revision (`revision.rs`), which is compared as well.
pub(crate) const FORM: u32 = 17;

/// Why a saved judge cannot be loaded. The caller begins anew at the log's first entry.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// It was saved by another version of the judge.
    #[error("it was saved by {found} (form {form}), and this is {JUDGE} (form {FORM})")]
    Version {
        /// The version that saved it.
        found: String,
        /// The form in which it was saved.
        form: u32,
    },
    /// It is not a saved judge.
    #[error("it is not a saved judge: {0}")]
    Illegible(#[from] serde_json::Error),
}

#[derive(Deserialize)]
struct Header {
    form: u32,
    judge: String,
}

#[derive(Serialize, Deserialize)]
struct Saved<T, F> {
    form: u32,
    judge: String,
    approved: Option<BTreeSet<String>>,
    tables: T,
    findings: F,
    texts: TextsOfLog,
    house_edges: HouseEdges,
    entries: u64,
    unreadable: Vec<Unreadable>,
    unreadable_count: u64,
}

impl Judge {
    /// Saves the judge. The saved judge makes no coup views and judges by the tables' own rulebooks.
    ///
    /// Serialising it as JSON never fails for what a log can hold. It may be long, some 100 KB per table.
    pub fn save(&self) -> impl Serialize + '_ {
        let used = self.tables.values().flat_map(|record| record.rulebooks());
        let used: BTreeMap<&str, &RulebookUsed> = used.map(|used| (&*used.digest, used)).collect();
        Saved {
            form: FORM,
            judge: JUDGE.to_owned(),
            approved: self.question.approved.clone(),
            tables: &self.tables,
            findings: &self.kept,
            texts: self.texts.clone(),
            house_edges: self.question.edges_of(used.into_values().cloned().collect()),
            entries: self.entries,
            unreadable: self.unreadable.clone(),
            unreadable_count: self.unreadable_count,
        }
    }

    /// Loads a saved judge. Besides the text, this takes little more memory than the judge itself.
    ///
    /// # Errors
    /// [`SavedError`].
    pub fn load(text: &str) -> Result<Self, SavedError> {
        let Header { form, judge } = serde_json::from_str(text)?;
        if form != FORM || judge != JUDGE {
            return Err(SavedError::Version { found: judge, form });
        }
        let saved: Saved<BTreeMap<String, &RawValue>, Kept> = serde_json::from_str(text)?;
        let question = Question::new(saved.approved, None::<Wanted>).with_edges(saved.house_edges);
        let question = Arc::new(question);
        let (mut tables, mut texts) = (BTreeMap::new(), BTreeSet::new());
        // One table after the other: each has the texts written out that tables share, and shares them before the
        // next is read.
        for (id, text) in saved.tables {
            let record = Judged::loaded(text.get(), &question, &mut texts)?;
            tables.insert(id, Box::new(record));
        }
        Ok(Self {
            question,
            held: tables.values().fold(0, |held, record| held.saturating_add(record.held())),
            tables,
            awake: BTreeSet::new(),
            kept: saved.findings,
            ledger: Ledger::default(),
            texts: saved.texts,
            entries: saved.entries,
            unreadable: saved.unreadable,
            unreadable_count: saved.unreadable_count,
            listed: Vec::new(),
            finished: Finished::default(),
        })
    }
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.digest, self.book.canonical_json()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (digest, text) = <(String, String)>::deserialize(deserializer)?;
        let book = Rulebook::from_json("the saved rulebook", &text).map_err(D::Error::custom)?;
        Ok(Self::of(book, digest, Some(text.into())))
    }
}

/// Serialises maps whose keys are not texts as lists of pairs.
pub(crate) mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer, K: Serialize, V: Serialize>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(crate) fn deserialize<'de, D, K, V>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        D: Deserializer<'de>,
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
    {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

/// Serialises shared bytes as Base64 text.
pub(crate) mod bytes {
    use std::sync::Arc;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(Arc::from).map_err(D::Error::custom)
    }
}
