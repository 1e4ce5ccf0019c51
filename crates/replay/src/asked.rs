//! The rulebooks of one table's openings, as a question asks for them: each is read, approved and prepared once.

use std::sync::{Arc, OnceLock};

use baccarat::{Digest, Rulebook};
use events::{RulebookDocument, TableOpened};

use crate::checks::{Book, Books, JudgedBy};
use crate::question::Question;
use crate::reading::{Grammar, Grammars, Unknown};
use crate::rules::Rules;
use crate::{Judge, RulebookUsed};

/// The rulebooks of a table. Each is read once, and kept while its shoe is in play.
#[derive(Debug, Clone)]
pub struct Asked {
    question: Arc<Question>,
    read: Next,
}

/// A rulebook that was read, and those that were read after it: what is lent of one stays where it is.
#[derive(Debug, Clone)]
struct Read {
    text: Arc<str>,
    rules: Result<Arc<Rules>, Not>,
    next: Next,
}

type Next = OnceLock<Box<Read>>;

/// Why nothing is judged by a rulebook.
#[derive(Debug, Clone, Copy)]
enum Not {
    Approved,
    Readable,
}

impl Asked {
    /// As this judge asks for them. No rulebook was read yet.
    #[must_use]
    pub fn by(judge: &Judge) -> Self {
        Self::new(Arc::clone(&judge.question))
    }

    pub(crate) const fn new(question: Arc<Question>) -> Self {
        Self { question, read: OnceLock::new() }
    }

    /// Drops all rulebooks. A rulebook that is needed later is read again.
    pub(crate) fn forget(&mut self) {
        self.read = OnceLock::new();
    }

    /// What is asked.
    pub(crate) fn question(&self) -> &Question {
        &self.question
    }

    fn rules(&self, rulebook: &RulebookDocument) -> Result<&Arc<Rules>, Not> {
        let text = rulebook.as_str();
        let mut next = &self.read;
        loop {
            let read = next.get_or_init(|| Box::new(self.read(rulebook.shared())));
            // Mostly it is one text in memory.
            if std::ptr::eq(&*read.text, text) || *read.text == *text {
                return read.rules.as_ref().map_err(|why| *why);
            }
            next = &read.next;
        }
    }

    /// The rulebook of this text, if it is approved and can be read.
    pub(crate) fn rulebook(&self, text: &RulebookDocument) -> Option<&Rulebook> {
        self.rules(text).ok().map(|rules| &*rules.book)
    }

    fn read(&self, text: Arc<str>) -> Read {
        let digest = Digest::of(&text).to_string();
        let is_approved = self.question.approved.as_ref().is_none_or(|approved| approved.contains(&digest));
        let rules = || self.question.rules(&text, digest).ok_or(Not::Readable);
        let rules = if is_approved { rules() } else { Err(Not::Approved) };
        Read { rules, text, next: OnceLock::new() }
    }
}

impl Books for Asked {
    fn of(&self, opened: &TableOpened) -> Book<'_> {
        match self.rules(&opened.rulebook) {
            Ok(rules) => Book::Known(rules.paytables()),
            Err(Not::Approved) => Book::NotApproved,
            Err(Not::Readable) => Book::NotReadable,
        }
    }

    fn judged_by(&self) -> JudgedBy {
        match &self.question.approved {
            _ if self.question.asks_for_another() => JudgedBy::Another,
            Some(_) => JudgedBy::Approved,
            None => JudgedBy::ItsOwn,
        }
    }

    fn built_in(&self, id: &str) -> Option<String> {
        self.question.built_in(id)
    }

    fn used(&self, opened: &TableOpened) -> Option<Arc<RulebookUsed>> {
        self.rules(&opened.rulebook).ok().map(|rules| Arc::clone(&rules.used.0))
    }
}

impl Grammars for Asked {
    fn of(&self, opened: &TableOpened) -> &dyn Grammar {
        match self.rules(&opened.rulebook) {
            Ok(rules) => &*rules.book,
            Err(_) => &Unknown,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use events::Body;

    use super::*;

    /// The openings of three tables, each under another rulebook.
    fn openings() -> Vec<TableOpened> {
        let opening = |name| {
            let plan = casino::Plan { shoes: 1, ..casino::Plan::new(baccarat::builtin(name).unwrap()) };
            let first = casino::simulate(&plan).lines.next().unwrap().into_event();
            let Body::TableOpened(opened) = first.body else { panic!("a table opens first") };
            *opened
        };
        ["punto-banco", "ez-baccarat", "chemin-de-fer-es-1979"].map(opening).into()
    }

    #[test]
    fn a_rulebook_is_read_once_for_all_tables_and_each_opening_has_its_own() {
        let question = Arc::new(Question::default());
        let (one, other) = (Asked::new(Arc::clone(&question)), Asked::new(question));
        let openings = openings();
        for opened in openings.iter().chain(&openings) {
            let (Book::Known(tables), Book::Known(same)) =
                (Books::of(&one, opened), Books::of(&other, opened))
            else {
                panic!("it is known");
            };
            assert!(std::ptr::eq(tables, same));
            let used = one.used(opened).unwrap();
            assert_eq!(tables.rules().id, used.id);
            assert_eq!(Digest::of(opened.rulebook.as_str()).to_string(), used.digest);
        }
    }

    #[test]
    fn what_is_not_approved_is_not_judged_by() {
        let openings = openings();
        let digest = Digest::of(openings[0].rulebook.as_str()).to_string();
        let asked = Asked::new(Arc::new(Question::new(Some(BTreeSet::from([digest])), None)));
        assert!(matches!(Books::of(&asked, &openings[0]), Book::Known(_)));
        assert!(matches!(Books::of(&asked, &openings[1]), Book::NotApproved));
        assert_eq!((asked.judged_by(), asked.used(&openings[1])), (JudgedBy::Approved, None));
        // Where another rulebook is asked for, every opening is judged by that.
        let another = Asked::new(Arc::new(Question::under(baccarat::builtin("punto-banco").unwrap())));
        let (one, other) = (another.used(&openings[1]), another.used(&openings[2]));
        assert!(one.is_some() && one == other && another.judged_by() == JudgedBy::Another);
    }
}
