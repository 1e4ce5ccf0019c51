//! The rulebooks that the tables were judged by, and one of them with its tableau, its bets and its sources.

use askama::Template;
use texts::{Page, Piece};

use crate::frame::Frame;

/// A rulebook in a line.
pub(crate) struct RulebookLine {
    pub(crate) title: String,
    pub(crate) id: String,
    pub(crate) href: String,
    pub(crate) digest: String,
    pub(crate) coups: String,
    pub(crate) is_built_in: bool,
}

#[derive(Template)]
#[template(path = "rulebooks.html")]
pub(crate) struct Rulebooks {
    pub(crate) frame: Frame,
    pub(crate) rulebooks: Vec<RulebookLine>,
}

#[derive(Template)]
#[template(path = "rulebook.html")]
pub(crate) struct Rulebook {
    pub(crate) frame: Frame,
    pub(crate) page: Page,
}

/// The name of a citation's place on a rulebook's page: letters and digits of its bytes.
#[must_use]
pub fn anchor(key: &str) -> String {
    key.bytes().fold("c-".to_owned(), |name, byte| format!("{name}{byte:02x}"))
}
