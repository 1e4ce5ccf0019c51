//! The texts that the clauses of a rulebook follow, for a report that shows what a finding cites.

use std::collections::BTreeMap;
use std::sync::Arc;

use baccarat::Rulebook;

/// One text: the document and the passage in it, and its words where the rulebook quotes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The document and the passage in it.
    pub source: String,
    /// The words, in the language of the source; may be empty.
    pub text: String,
}

/// The texts by the clause that follows them, as the rulebook file names it.
#[derive(Debug, Clone, Default)]
pub struct Passages(Arc<BTreeMap<String, Vec<Passage>>>);

impl Passages {
    pub(crate) fn of(book: &Rulebook) -> Self {
        let of_clause = |clause: baccarat::Clause| {
            let cited = book.citations_of(&clause).map(|(_, citation)| Passage {
                source: citation.source.clone(),
                text: citation.text.clone(),
            });
            (clause.path(), cited.collect())
        };
        Self(Arc::new(book.clauses().into_iter().map(of_clause).collect()))
    }

    /// What a clause follows.
    #[must_use]
    pub fn of_clause(&self, clause: &str) -> &[Passage] {
        self.0.get(clause).map(Vec::as_slice).unwrap_or_default()
    }
}

/// A rulebook's digest says already whether its texts are the same.
impl PartialEq for Passages {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Passages {}
