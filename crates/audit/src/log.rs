//! Opens what a command is given: logs, keys, checkpoints and rulebooks.

mod checkpoint;
mod folder;
mod open;
mod read;
mod rulebook;
mod unsealed;
mod verifier_key;

pub(crate) use checkpoint::signed_checkpoint;
pub(crate) use folder::{Creation, KeyedFolder, not_opened};
pub(crate) use open::OpenedLog;
pub(crate) use read::read_all;
pub(crate) use rulebook::{language, linted, rulebook, said};
pub(crate) use verifier_key::{log_key, verifier_key};
