//! The vault: the seal's [`Store`](sealed_log::Store) on sled, the only crate that names sled.
//!
//! It keeps bytes and gives them back. It never interprets, deletes or overwrites an entry, and
//! it does not decide what is intact: the seal does, because sled opens some damaged folders
//! without a word.

mod bundle;
mod folder;
mod guard;
mod head;
mod keys;
mod store;

pub use folder::{FolderError, LogFolder, Writer};
pub use head::HeadFile;
pub use store::SledStore;
