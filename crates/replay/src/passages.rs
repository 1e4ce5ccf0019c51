//! The texts that the clauses of a rulebook follow, for a report that shows what a finding cites.

use std::fmt;
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

/// The texts that a rulebook quotes. They are read when somebody asks for them: this holds only the rulebook's own
/// text, which the tables under it share.
#[derive(Clone, Default)]
pub struct Passages(Option<Arc<str>>);

impl Passages {
    pub(crate) const fn of(rulebook: Option<Arc<str>>) -> Self {
        Self(rulebook)
    }

    /// The rulebook itself; `None` of a state that was saved, or where its form is not known.
    #[must_use]
    pub fn rulebook(&self) -> Option<Rulebook> {
        self.0.as_ref().and_then(|text| Rulebook::from_json("the rulebook", text).ok())
    }

    /// What a clause follows, by the clause's name in the rulebook file.
    #[must_use]
    pub fn of_clause(&self, name: &str) -> Vec<Passage> {
        let Some(book) = self.rulebook() else { return Vec::new() };
        let Some(clause) = book.clauses().into_iter().find(|clause| clause.path() == name) else {
            return Vec::new();
        };
        let passage = |citation: &baccarat::Citation| Passage {
            source: citation.source.clone(),
            text: citation.text.clone(),
        };
        book.citations_of(&clause).map(|(_, citation)| passage(citation)).collect()
    }
}

/// A rulebook's digest says already which texts it quotes, and a state that was saved has none.
impl PartialEq for Passages {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Passages {}

impl fmt::Debug for Passages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passages")
    }
}
