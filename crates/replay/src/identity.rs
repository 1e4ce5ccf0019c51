//! Names that may be used only once at a table or in a log: bet ids, shoes, decks, rulebook ids.

mod bets;
mod rulebooks;
mod things;

pub(crate) use bets::Identities;
pub(crate) use rulebooks::{Opening, Texts, TextsOfLog, id_of};
pub(crate) use things::{First, Reused};
