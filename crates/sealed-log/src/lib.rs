//! The seal: entry digests, Merkle tree, checkpoints, proofs, archive. Bytes only.
//!
//! This room never knows what a payload means. It opens no files (what it reads and writes is
//! handed in), has no clock and no randomness of its own.

mod archive_layout;
mod archive_range;
mod archive_source;
mod archive_writer;
mod attendant;
mod bundle;
pub mod contract;
mod cose_receipt;
mod digest;
mod entry;
mod entry_proof;
mod fault;
#[cfg(test)]
mod fixture;
mod left_out;
mod links;
mod memory;
mod name;
mod notice;
mod open;
mod raw_bundle;
mod reader;
mod roots;
mod rotation;
mod seal_report;
mod sequencer;
#[cfg(test)]
mod slice_tests;
mod source;
mod stand_in;
mod store;
mod tail;
mod tape;
mod tiles;
mod withheld;
mod writer;

pub use archive_layout::ARCHIVE_VERSION;
pub use archive_range::ArchiveIndex;
pub use archive_source::{ArchiveError, ArchiveSource};
pub use archive_writer::{ArchiveSummary, ArchiveWriteError, ArchiveWriter, write_archive, write_slice};
pub use attendant::{Attendant, Committed};
pub use bundle::{Bundle, SealedEntry};
pub use cose_receipt::CoseReceipt;
pub use digest::{Digest, DigestError};
pub use entry::{
    ENTRY_VERSION, EntryError, EntryHeader, EntryView, MAX_ENTRY_BYTES, MAX_ENTRY_COUNT, encode_entry,
    parse_entry,
};
pub use entry_proof::{EntryProof, EntryProofError, MAX_PROOF_BYTES, ProveError, ProvenEntry};
pub use fault::{FaultKind, MAX_KEPT_FAULTS, SealFault, Verdict};
pub use left_out::LeftOut;
pub use memory::{MemoryReader, MemoryStore};
pub use name::{ChainName, Name, NameError, ProducerId};
pub use notice::{
    LOG_CHAIN, LOG_PRODUCER, MAX_GONE, MAX_GONE_BYTES, MAX_REASON_BYTES, MAX_REDACTED, Notice, NoticeError,
    Redaction, encode_redaction, encode_rotation, parse_notice,
};
pub use open::{OpenError, StoreState, check_store, key_history, notices};
pub use raw_bundle::RawBundle;
pub use reader::{Expectations, LogReader, Window};
pub use rotation::{KeyHistory, KeyRotation, MAX_ROTATIONS, MAX_STATEMENT_BYTES, RotationError};
pub use seal_report::{KeyTrust, SealProof, SealReport};
pub use sequencer::{LogClosed, Pending, ReopenError, Sequencer, SequencerHandle, SubmitError};
pub use source::{Claims, DamagedSource, EntrySource, SourceError, Step, StoreSource};
pub use stand_in::{KeptEntry, parse_kept, sealed_digest, stand_in_for};
pub use store::{Batch, ChainHead, StoreError, StoreReader, StoreWriter, StoredEntry};
pub use tail::LogTail;
pub use tiles::{ResourceError, StoreNodes, check_tiles, resource_bytes, tile_bytes};
pub use tlog::checkpoint::{Checkpoint, CheckpointError, SignedCheckpoint};
pub use tlog::cosignature::{Cosignature, CosignatureError, WitnessKey, WitnessSigningKey};
pub use tlog::extension::{ExtensionError, ExtensionProof, MakeExtensionError};
pub use tlog::key::{Algorithm, KeyError};
pub use tlog::note::{
    MAX_NOTE_BYTES, MAX_NOTE_SIGNATURES, NoteError, NoteSignature, SigningKey, VerifierKey,
};
pub use tlog::policy::{MAX_POLICY_WITNESSES, PolicyError, PolicyWitness, WitnessPolicy, Witnessed};
pub use tlog::proof::{
    MakeProofError, NodeSource, ProofError, TileCache, consistency_proof, inclusion_proof, range_root,
    recomputed_root, verify_consistency, verify_inclusion,
};
pub use tlog::text::ProofTextError;
pub use tlog::tile::{TILE_WIDTH, Tile, TileError, TreeResource};
pub use tlog::tree::{Frontier, FrontierError, TreeHash, empty_root, leaf_hash, node_hash, root_of};
pub use withheld::{MAX_KEPT_NOTICES, MAX_KEPT_WITHHELD};
pub use writer::{
    Acknowledgement, HeadError, HeadSink, LogWriter, MemoryHead, Receipt, Submission, WriteError,
};
