//! What may bear a name once only: bets, shoes, decks, rulebooks.

mod bets;
mod rulebooks;
mod things;

pub(crate) use bets::Identities;
pub(crate) use rulebooks::{Opening, Texts, id_of};
pub(crate) use things::Reused;
