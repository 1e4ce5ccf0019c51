//! A judge put aside and taken up again: what it knows of every table, as JSON.
//!
//! It is the judge's own note to itself, not evidence: only the same version of this program takes it
//! up again, and what it then says is what it would have said without the pause.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baccarat::Rulebook;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::judge::Judge;
use crate::kept::Kept;
use crate::question::Question;
use crate::report::JUDGE;
use crate::rules::Rules;
use crate::table::Table;
use crate::{Unreadable, Wanted};

/// Form of what is put aside; another one is not taken up.
const FORM: u32 = 4;

/// Why a judge cannot be taken up again; begin anew.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// Another version of the judge put it aside.
    #[error("it was put aside by {found} (form {form}), and this is {JUDGE} (form {FORM})")]
    Version {
        /// Who put it aside,
        found: String,
        /// and in which form.
        form: u32,
    },
    /// It is not what was put aside.
    #[error("it is no judge that was put aside: {0}")]
    Illegible(#[from] serde_json::Error),
}

#[derive(Deserialize)]
struct Head {
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
    entries: u64,
    unreadable: Vec<Unreadable>,
    unreadable_count: u64,
}

impl Judge {
    /// Puts the judge aside. One that tells coups or judges by another rulebook forgets that.
    ///
    /// Never fails to be written as JSON for what a log can hold; it may be long, some 100 KB a table.
    pub fn save(&self) -> impl Serialize + '_ {
        Saved {
            form: FORM,
            judge: JUDGE.to_owned(),
            approved: self.question.approved.clone(),
            tables: &self.tables,
            findings: &self.kept,
            entries: self.entries,
            unreadable: self.unreadable.clone(),
            unreadable_count: self.unreadable_count,
        }
    }

    /// Takes up a judge that was put aside.
    ///
    /// # Errors
    /// [`SavedError`].
    pub fn load(text: &str) -> Result<Self, SavedError> {
        let Head { form, judge } = serde_json::from_str(text)?;
        if form != FORM || judge != JUDGE {
            return Err(SavedError::Version { found: judge, form });
        }
        let saved: Saved<BTreeMap<String, Table>, Kept> = serde_json::from_str(text)?;
        let question = Arc::new(Question::new(saved.approved, None::<Wanted>));
        let mut tables = saved.tables;
        tables.values_mut().for_each(|table| table.ask(&question));
        Ok(Self {
            question,
            tables,
            kept: saved.findings,
            entries: saved.entries,
            unreadable: saved.unreadable,
            unreadable_count: saved.unreadable_count,
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
        let book = Rulebook::from_json("the rulebook put aside", &text).map_err(D::Error::custom)?;
        Ok(Self::of(book, digest))
    }
}

/// Maps whose keys are no texts, as lists of pairs.
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

/// Entries that wait for a gap to be filled: their events as the canonical bytes they came in.
pub(crate) mod waiting {
    use std::collections::BTreeMap;

    use events::{EncodeError, Event, SCHEMA_MINOR, encode_payload, encode_payload_at};
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::Reason;
    use crate::table::{Content, Told};

    type Waiting = BTreeMap<u64, (u64, Content)>;
    type Kept = (u64, u64, Result<Vec<u8>, (u32, Reason)>);

    pub(crate) fn serialize<S: Serializer>(waiting: &Waiting, serializer: S) -> Result<S::Ok, S::Error> {
        let kept = |(first, (entry, content)): (&u64, &(u64, Content))| -> Result<Kept, S::Error> {
            let content = match content {
                Ok(told) => Ok(bytes_of(told).map_err(S::Error::custom)?),
                Err(unknown) => Err(*unknown),
            };
            Ok((*first, *entry, content))
        };
        waiting.iter().map(kept).collect::<Result<Vec<Kept>, _>>()?.serialize(serializer)
    }

    /// Events of a kind this version does not know are written under the next minor version: every
    /// event keeps its bytes.
    fn bytes_of(told: &[Told]) -> Result<Vec<u8>, EncodeError> {
        let events: Vec<Event> = told.iter().map(|told| told.event.clone()).collect();
        if events.iter().any(|event| event.body.minor().is_none()) {
            encode_payload_at(SCHEMA_MINOR + 1, &events)
        } else {
            encode_payload(&events)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Waiting, D::Error> {
        let waits = |(first, entry, content): Kept| -> Result<(u64, (u64, Content)), D::Error> {
            let content = match content {
                Ok(bytes) => Ok(events::decode_payload_each(&bytes, Told::new).map_err(D::Error::custom)?),
                Err(unknown) => Err(unknown),
            };
            Ok((first, (entry, content)))
        };
        Vec::<Kept>::deserialize(deserializer)?.into_iter().map(waits).collect()
    }
}
