//! A witness (C2SP tlog-witness): it signs a log's checkpoint once it has seen that the log only grew
//! since the one it signed before, and never two histories. And the client that asks witnesses.
//!
//! This crate knows checkpoints, proofs and signatures. It never sees an entry, and does not know what a
//! log is about.

mod checkpoint_files;
mod client;
mod decision;
mod key_file;
mod lost;
mod recovery;
mod refusal;
mod server;
mod signed_list;
mod state;
mod state_folder;
mod submission;
mod witness;

pub use client::{AskError, Contradiction, Patience};
pub use decision::{MAX_PROOF_HASHES, MAX_REQUEST_BYTES, decide, parse_request};
pub use door::{DoorError, Limits};
pub use key_file::{KeyFileError, make_key, make_key_with, read_key};
pub use lost::{Loss, LostState};
pub use recovery::Recovery;
pub use refusal::Refusal;
pub use server::Server;
pub use signed_list::SignedList;
pub use state::{MemoryState, StateError, WitnessState};
pub use state_folder::StateFolder;
pub use submission::{Asked, Submission, submit};
pub use witness::{Cosigned, Witness, origin_hash};
