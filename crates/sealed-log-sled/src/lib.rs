//! The store of a sealed log on sled: [`SledStore`] implements [`StoreWriter`](sealed_log::store::StoreWriter), and
//! [`LogFolder`] keeps it in a folder beside the newest signed checkpoint. No other crate names sled.
//!
//! It keeps bytes and returns them. It never interprets, deletes or overwrites an entry; a payload that the law wants
//! erased is erased by writing the whole store anew ([`LogFolder::erase`]). It does not decide whether a log is intact:
//! `sealed_log` checks every entry, because sled opens some damaged folders without an error.

mod beside;
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
mod means;
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

pub use beside::{FileTrouble, WhatIsWrong};
pub use checkpoint_file::{CheckpointFile, CheckpointFileError};
pub use folder::{LogFolder, Writer};
pub use folder_error::{DAMAGED_ADVICE, FolderError};
pub use kept::KeptCheckpoint;
pub use reader::SledReader;
pub use restoring::Restoring;
pub use store::SledStore;
