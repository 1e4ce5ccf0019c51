//! What is true of a table before a moment of its record.

use events::{Body, Limits, TableOpened};

use super::moments::{Moment, What};
use super::paytables::Paytables;

/// The rulebook of an opening.
#[derive(Debug, Clone, Copy)]
pub enum Book<'r> {
    /// It is approved and can be read.
    Known(&'r Paytables<'r>),
    /// Whoever asks has not approved it.
    NotApproved,
    /// It cannot be read.
    NotReadable,
}

/// The rulebook of each opening, or another one that the reader asked for.
pub trait Books {
    /// The rulebook under which this opening plays.
    fn of(&self, opened: &TableOpened) -> Book<'_>;
}

/// What is true before a moment.
#[derive(Clone)]
pub(super) struct Before<'r> {
    books: &'r dyn Books,
    /// The opening in force, until the table closes.
    pub(super) opened: Option<&'r TableOpened>,
    /// Its rulebook.
    pub(super) book: Option<Book<'r>>,
    /// The limits in force.
    pub(super) limits: Option<&'r Limits>,
    /// Whether events are missing since that opening.
    pub(super) is_missing_since: bool,
}

impl<'r> Before<'r> {
    /// Before anything is recorded.
    pub(super) const fn nothing(books: &'r dyn Books) -> Self {
        Self { books, opened: None, book: None, limits: None, is_missing_since: false }
    }

    /// The rulebook in force, if it is known.
    pub(super) const fn rules(&self) -> Option<&'r Paytables<'r>> {
        match self.book {
            Some(Book::Known(tables)) => Some(tables),
            Some(Book::NotApproved | Book::NotReadable) | None => None,
        }
    }

    /// What is true after this.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else changes it")]
    pub(super) fn take<'a: 'r>(&mut self, moment: &Moment<'r, 'a>) {
        let told = match moment.what {
            What::Around(told) => told,
            What::Missing(_) => {
                self.is_missing_since = true;
                return;
            }
            _ => return,
        };
        match told.value {
            Body::TableOpened(opened) => {
                (self.opened, self.book) = (Some(&**opened), Some(self.books.of(opened)));
                (self.limits, self.is_missing_since) = (Some(&opened.limits), false);
            }
            Body::TableClosed(_) => (self.opened, self.book, self.limits) = (None, None, None),
            Body::LimitsChanged(limits) => self.limits = Some(limits),
            _ => {}
        }
    }
}
