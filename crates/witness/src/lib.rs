//! A witness (C2SP tlog-witness): it signs a log's checkpoint once it has seen that the log only grew
//! since the one it signed before, and never two histories. And the client that asks witnesses.
//!
//! This crate knows checkpoints, proofs and signatures. It never sees an entry, and does not know what a
//! log is about.
//!
//! # Cosign what grew, refuse what was rewritten
//!
//! ```
//! use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
//! use tlog::consistency::ConsistencyProof;
//! use tlog::cosignature::WitnessSigningKey;
//! use tlog::note::SigningKey;
//! use tlog::tree::{Frontier, TreeHash, leaf_hash};
//! use witness::{MemoryState, Refusal, Witness};
//!
//! let log = SigningKey::from_seed("example.com/log", &[7; 32])?;
//! let key = WitnessSigningKey::from_seed("witness.example", &[9; 32])?;
//! // A witness that forgets is no witness: a real one has a `StateFolder`.
//! let witness = Witness::open(key, [log.verifier_key()], MemoryState::default())?;
//!
//! let checkpoint = |leaves: &[TreeHash]| {
//!     let mut tree = Frontier::default();
//!     tree.extend(leaves);
//!     Checkpoint::of("example.com/log", &tree)
//! };
//! // A request is a checkpoint that the log signed, and the proof that its log begins with the older one.
//! let request = |old: &[TreeHash], new: &[TreeHash]| {
//!     let signed = SignedCheckpoint::sign(&checkpoint(new), &log).expect("it is the log's key");
//!     ConsistencyProof::make(new, &checkpoint(old), &signed).expect("it only grew").to_string()
//! };
//! let leaves = ["first", "second", "third"].map(|record| leaf_hash(record.as_bytes()));
//! let time = 1_790_000_000;
//!
//! witness.add_checkpoint(request(&[], &leaves[..2]).as_bytes(), time)?;
//! let cosigned = witness.add_checkpoint(request(&leaves[..2], &leaves).as_bytes(), time)?;
//! assert_eq!(cosigned.checkpoint.size, 3);
//!
//! // Another history of the same size is not signed, whatever the log says of it.
//! let forged = ["first", "forged", "third"].map(|record| leaf_hash(record.as_bytes()));
//! let refused = witness.add_checkpoint(request(&forged, &forged).as_bytes(), time);
//! assert!(matches!(refused, Err(Refusal::Forked { size: 3 })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Server`] answers such requests over HTTP, and [`submit`] asks several witnesses for their cosignatures.

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
pub use decision::{MAX_PROOF_HASHES, decide};
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
