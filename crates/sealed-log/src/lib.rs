//! The seal: entry digests, Merkle tree, checkpoints, proofs, archive. Bytes only.
//!
//! This room never knows what a payload means. It opens no files (what it reads and writes is
//! handed in), has no clock and no randomness of its own.

mod cbor;
mod checkpoint;
pub mod contract;
mod digest;
mod entry;
mod memory;
mod name;
mod note;
mod open;
mod proof;
mod sequencer;
mod store;
mod tree;
mod writer;

pub use checkpoint::{Checkpoint, CheckpointError, SignedCheckpoint};
pub use digest::{Digest, DigestError};
pub use entry::{
    ENTRY_VERSION, EntryError, EntryHeader, EntryView, MAX_ENTRY_BYTES, MAX_ENTRY_COUNT, encode_entry,
    parse_entry,
};
pub use memory::MemoryStore;
pub use name::{ChainName, Name, NameError, ProducerId};
pub use note::{MAX_NOTE_BYTES, MAX_NOTE_SIGNATURES, NoteError, NoteSignature, SigningKey, VerifierKey};
pub use open::{OpenError, StoreState, check_store};
pub use proof::{
    LeafSource, MakeProofError, ProofError, StoreLeaves, consistency_proof, inclusion_proof, range_root,
    verify_consistency, verify_inclusion,
};
pub use sequencer::{Pending, Sequencer, SequencerHandle, SubmitError};
pub use store::{Batch, ChainHead, Store, StoreError, StoredEntry};
pub use tree::{Frontier, FrontierError, TreeHash, empty_root, leaf_hash, node_hash, root_of};
pub use writer::{
    Acknowledgement, HeadError, HeadSink, LogWriter, MemoryHead, Receipt, Submission, WriteError,
};
