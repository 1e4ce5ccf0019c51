//! The vault: the seal's store ([`StoreWriter`](sealed_log::store::StoreWriter) and its readers) on sled, the only crate that names sled.
//!
//! It keeps bytes and gives them back. It never interprets, deletes or overwrites an entry
//! (a payload that must go by law goes by writing the store anew, [`LogFolder::erase`]), and it does not decide what is intact: the seal does, because sled opens some damaged folders
//! without a word.

mod bundle;
mod bundles;
mod chains;
mod closing;
mod copying;
mod disk;
mod erasing;
mod folder;
mod folder_error;
mod guard;
mod head;
mod kept;
mod keys;
mod load;
mod medium;
mod open;
mod pieces;
mod places;
mod reader;
mod refill;
mod restoring;
mod running;
mod sealing;
mod space;
mod state;
mod store;
mod tail;
mod upper;
mod whole;

pub use folder::{LogFolder, Writer};
pub use folder_error::{DAMAGED_ADVICE, FolderError};
pub use head::HeadFile;
pub use kept::KeptHead;
pub use reader::SledReader;
pub use restoring::Restoring;
pub use store::SledStore;
