//! The opening and closing of a table (`docs/judging.md`, "Tables").

use events::TableOpened;

use super::Checked;
use super::before::Before;
use crate::Code;
use crate::reading::Told;
use crate::sink::Accusation;
use crate::statement::OfTable;

/// Checks an opening.
pub(super) fn opening(opened: &Told<'_, TableOpened>, before: &Before<'_>) -> Checked {
    let mut checked = Checked::default();
    if before.opened.is_some() && !before.is_missing_since {
        let (expected, recorded) = (OfTable::ClosedFirst, OfTable::OpenedWhileOpen);
        checked.accuse(opened.sequence, Accusation::new(Code::TableAlreadyOpen, expected, recorded));
    }
    checked
}
