//! The vault: the seal's store ([`StoreWriter`](sealed_log::store::StoreWriter) and its readers) on sled, the only crate that names sled.
//!
//! It keeps bytes and gives them back. It never interprets, deletes or overwrites an entry
//! (a payload that must go by law goes by writing the store anew, [`LogFolder::erase`]), and it does not decide what is intact: the seal does, because sled opens some damaged folders
//! without a word.

mod block;
mod blocks;
mod chains;
mod checkpoint_file;
mod closing;
mod copying;
mod disk;
mod erasing;
mod flush;
mod folder;
mod folder_error;
mod guard;
mod kept;
mod keys;
mod load;
mod open;
mod pieces;
mod reader;
mod refill;
mod restoring;
mod running;
mod sealing;
mod slots;
mod space;
mod state;
mod store;
mod tail;
mod upper;
mod whole;

pub use checkpoint_file::CheckpointFile;
pub use folder::{LogFolder, Writer};
pub use folder_error::{DAMAGED_ADVICE, FolderError};
pub use kept::KeptCheckpoint;
pub use reader::SledReader;
pub use restoring::Restoring;
pub use store::SledStore;
