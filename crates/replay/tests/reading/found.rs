//! What the checks make of a record.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use baccarat::Rulebook;
use events::TableOpened;
use replay::checks::{self, Book, JudgedBy, Paytables, TableChecked};
use replay::reading::Reading;

use super::records::{Books, Record};

/// The paytables of a record's openings.
pub struct Tables<'r>(BTreeMap<&'r str, Paytables>, &'r Books);

impl<'r> Tables<'r> {
    pub fn of(books: &'r Books) -> Self {
        Self(books.readable().map(|(text, book)| (text, Paytables::of(Arc::clone(book)))).collect(), books)
    }
}

impl checks::Books for Tables<'_> {
    fn of(&self, opened: &TableOpened) -> Book<'_> {
        match self.0.get(opened.rulebook.as_str()) {
            _ if !self.1.is_approved(opened.rulebook.as_str()) => Book::NotApproved,
            Some(tables) => Book::Known(tables),
            None => Book::NotReadable,
        }
    }

    fn judged_by(&self) -> JudgedBy {
        if self.1.approved.is_some() { JudgedBy::Approved } else { JudgedBy::ItsOwn }
    }

    fn built_in(&self, id: &str) -> Option<String> {
        static DIGESTS: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
            let digest = |name, text| Rulebook::from_toml(name, text).unwrap().digest().to_string();
            baccarat::builtins().map(|(name, text)| (name, digest(name, text))).collect()
        });
        DIGESTS.get(id).cloned()
    }
}

/// What the checks make of a record.
pub fn checked(record: &Record, reading: &Reading<'_>) -> TableChecked {
    let (range, tables) = (record.range(), Tables::of(&record.books));
    let received = |sequence: u64| record.received.get(&sequence).copied().unwrap_or_default();
    checks::table(reading, &range, &tables, &received)
}
