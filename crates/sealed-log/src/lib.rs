//! The seal: entry digests, Merkle tree, checkpoints, proofs, archive. Bytes only.
//!
//! This room never knows what a payload means. It opens no files (what it reads and writes is
//! handed in), has no clock and no randomness of its own.

pub mod archive;
pub mod entry;
#[cfg(test)]
mod fixture;
pub mod keys;
pub mod notice;
pub mod proof;
pub mod reader;
pub mod redaction;
pub mod store;
pub mod writer;

pub use archive::{
    ARCHIVE_VERSION, ArchiveError, ArchiveIndex, ArchiveSource, ArchiveSummary, ArchiveWriteError,
    ArchiveWriter, LeftOut, write_archive, write_slice,
};
pub use entry::{
    ChainName, Digest, DigestError, ENTRY_VERSION, EntryError, EntryHeader, EntryView, MAX_ENTRY_BYTES,
    MAX_ENTRY_COUNT, Name, NameError, ProducerId, encode_entry, parse_entry,
};
pub use keys::{KeyHistory, KeyRotation, MAX_ROTATIONS, MAX_STATEMENT_BYTES, RotationError};
pub use notice::{
    LOG_CHAIN, LOG_PRODUCER, MAX_GONE, MAX_GONE_BYTES, MAX_REASON_BYTES, MAX_REDACTED, Notice, NoticeError,
    Redaction, encode_redaction, encode_rotation, parse_notice,
};
pub use proof::{CoseReceipt, EntryProof, EntryProofError, MAX_PROOF_BYTES, ProveError, ProvenEntry};
pub use reader::{
    Block, Claims, DamagedSource, EntrySource, Expectations, FaultKind, KeyTrust, LogReader, LogTail,
    MAX_KEPT_FAULTS, RawBlock, SealFault, SealProof, SealReport, SealedEntry, SourceError, Step, StoreSource,
    Verdict, Window,
};
pub use redaction::{
    KeptEntry, MAX_KEPT_NOTICES, MAX_KEPT_WITHHELD, parse_kept, redact_entry, sealed_digest,
};
pub use store::contract;
pub use store::{
    ChainTip, MemoryReader, MemoryStore, OpenError, ResourceError, StoreError, StoreNodes, StoreReader,
    StoreState, StoreWriter, StoredEntry, WriteBatch, check_store, check_tiles, key_history, notices,
    resource_bytes, tile_bytes,
};
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
pub use writer::{
    Acknowledgement, CheckpointSink, CheckpointSinkError, Committed, EntryReference, LogClosed, LogWriter,
    MemoryCheckpoint, Pending, ReopenError, Sequencer, SequencerHandle, Submission, SubmitError, Supervisor,
    WriteError,
};
