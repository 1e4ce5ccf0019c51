//! Forged openings of a table: its rulebook and its currency.

use baccarat::Rulebook;
use events::{Body, RulebookDocument, TableClosed, TableOpened};

use super::Shown;
use super::coup::CoupAt;
use super::tape::Tape;
use crate::session::name;

fn opened(tape: &Tape) -> Option<TableOpened> {
    let Body::TableOpened(opened) = tape.body(0) else { return None };
    Some((**opened).clone())
}

/// The table opens and closes once more at the end.
fn open_again(tape: &mut Tape, again: TableOpened) -> Option<Shown> {
    let at = tape.push(again);
    tape.push(TableClosed {});
    Shown::at_table(at)
}

/// The next opening has another currency.
pub(super) fn currency_changed(tape: &mut Tape, _: &CoupAt) -> Option<Shown> {
    let again = TableOpened { currency: name("USD"), ..opened(tape)? };
    open_again(tape, again)
}

/// The euro has three decimals.
pub(super) fn currency_digits(tape: &mut Tape, _: &CoupAt) -> Option<Shown> {
    let wrong = TableOpened { minor_digits: 3, ..opened(tape)? };
    tape.replace(0, wrong);
    Shown::at_table(0)
}

/// The currency is one that nobody has.
pub(super) fn currency_unknown(tape: &mut Tape, _: &CoupAt) -> Option<Shown> {
    let wrong = TableOpened { currency: name("XQZ"), ..opened(tape)? };
    tape.replace(0, wrong);
    Shown::at_table(0)
}

fn document(book: &Rulebook) -> Option<RulebookDocument> {
    RulebookDocument::from_canonical(&book.canonical_json()).ok()
}

/// The same rulebook but for the decks it allows.
fn altered(book: &Rulebook, id: &str) -> Rulebook {
    let mut altered = Rulebook { id: id.to_owned(), ..book.clone() };
    let other = (1..=12).find(|decks| !altered.shoe.decks.contains(decks));
    altered.shoe.decks.extend(other);
    altered
}

/// The rulebook has the id of a built-in one and other rules.
pub(super) fn altered_rules(tape: &mut Tape, _: &CoupAt) -> Option<Shown> {
    let rulebook = document(&altered(&tape.book, &tape.book.id.clone()))?;
    let wrong = TableOpened { rulebook, ..opened(tape)? };
    tape.replace(0, wrong);
    Shown::at_table(0)
}

/// Two openings name one rulebook, and its text is another.
pub(super) fn two_texts(tape: &mut Tape, _: &CoupAt) -> Option<Shown> {
    let id = "house-rules";
    let first = document(&Rulebook { id: id.to_owned(), ..(*tape.book).clone() })?;
    let second = document(&altered(&tape.book, id))?;
    let opened = opened(tape)?;
    tape.replace(0, TableOpened { rulebook: first, ..opened.clone() });
    open_again(tape, TableOpened { rulebook: second, ..opened })
}
