//! What exactly is wrong with a seal: a value for each sentence, with what it mentions. Displayed it is English; whoever
//! writes for people in another language matches the value.

use crate::entry::{Digest, EntryError};
use crate::keys::RotationError;
use crate::notice::{NoticeError, OwnChainError};
use tlog::checkpoint::CheckpointError;
use tlog::key::KeyError;

/// What is wrong, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultDetail {
    /// An entry has another digest than the one kept for it.
    #[error("its digest is {found}, sealed was {sealed}")]
    OtherDigest {
        /// Computed from its bytes.
        found: Digest,
        /// Kept for it.
        sealed: Digest,
    },
    /// An entry has another leaf hash than the one kept for it.
    #[error("its digest {0} does not give the leaf hash that was sealed")]
    OtherLeaf(Digest),
    /// Bytes that are no entry, or one of another format version.
    #[error(transparent)]
    NotAnEntry(EntryError),
    /// Entries that cannot be read.
    #[error("{}: {why}", cannot_be_read(*count))]
    Unreadable {
        /// How many, 0 where that is not known.
        count: usize,
        /// Why.
        why: Unreadable,
    },
    /// The leaf hashes kept for entries.
    #[error("the leaf hashes kept for the entries cannot be read: {0}")]
    LeavesUnreadable(Unreadable),
    /// The store cannot be opened, in the words of whoever tried.
    #[error("{0}")]
    NotOpened(String),
    /// A gap in the log.
    #[error("entries {first} to {last} are missing")]
    Gap {
        /// First missing entry.
        first: u64,
        /// Last missing entry.
        last: u64,
    },
    /// The log ends before its checkpoint.
    #[error(
        "it and all behind it are damaged or missing: {found} entries can be read, {signed} were signed for"
    )]
    EndMissing {
        /// Entries read.
        found: u64,
        /// Entries of the checkpoint.
        signed: u64,
    },
    /// A newer checkpoint is of fewer entries than were read before.
    #[error("the log has {signed} entries, and {read} were read before")]
    Shrunk {
        /// Entries of the checkpoint.
        signed: u64,
        /// Entries read before.
        read: u64,
    },
    /// Fewer entries were read than the checkpoint is of.
    #[error("{read} entries were read, {signed} were signed for")]
    TooFewRead {
        /// Entries read.
        read: u64,
        /// Entries of the checkpoint.
        signed: u64,
    },
    /// Entries go on, and nobody knows how far.
    #[error("entries go on far past the checkpoint; reading stopped here")]
    FarBeyond,
    /// Parts of an archive that hold no further entry, and nobody knows how many.
    #[error("more and more parts come that hold no further entry; reading stopped here")]
    NothingNew,
    /// The log goes on past its checkpoint.
    #[error("entries go on past the checkpoint: {found} entries were found, {signed} were signed for")]
    Beyond {
        /// Entries read.
        found: u64,
        /// Entries of the checkpoint.
        signed: u64,
    },
    /// Entries that were there before.
    #[error("entries from {first} stand behind entry {after}")]
    Behind {
        /// First of them.
        first: u64,
        /// The entry before them in the source.
        after: u64,
    },
    /// Entries past the largest index.
    #[error("entries stand here that can have no index: it would pass 64 bits")]
    PastTheLargestIndex,
    /// An entry that does not name the one before it.
    #[error("it names {named} as the entry before it on chain `{chain}`, but that is {newest}")]
    OtherPrevious {
        /// The chain.
        chain: String,
        /// The digest that it names.
        named: Box<Digest>,
        /// The digest of the entry before it.
        newest: Box<Digest>,
    },
    /// A payload that is gone from the log's own store.
    #[error("its payload is gone from the store, and no notice in the log accounts for it")]
    NotAccountedFor,
    /// An entry of the log's own chain that cannot be one.
    #[error("what the log says about itself does not hold: {0}")]
    OwnChain(OwnChainError),
    /// An entry of the log's own chain that is no notice.
    #[error("what the log says about itself cannot be read: {0}")]
    NotANotice(NoticeError),
    /// A notice that does not fit the entries that it names.
    #[error(transparent)]
    Notice(NoticeError),
    /// An entry of a log that was closed before.
    #[error("it comes after entry {closed}, which closed the log")]
    BehindClosing {
        /// The notice that closes it.
        closed: u64,
    },
    /// A rotation that does not follow from those before.
    #[error("the rotation of the log's key does not hold: {0}")]
    Rotation(RotationError),
    /// The tree has another root.
    #[error(transparent)]
    OtherRoot(OtherRoot),
    /// The log's checkpoint.
    #[error("the checkpoint is not believed: {0}")]
    CheckpointNotBelieved(CheckpointError),
    /// The log's checkpoint as an archive holds it.
    #[error("the checkpoint cannot be read: {0}")]
    CheckpointUnreadable(CheckpointError),
    /// The log's key as an archive holds it.
    #[error("the verifier key cannot be read: {0}")]
    KeyUnreadable(KeyError),
    /// A checkpoint that somebody kept.
    #[error("a checkpoint kept elsewhere is not believed: {0}")]
    AnchorNotBelieved(CheckpointError),
    /// A checkpoint that somebody kept is of more entries than the log has.
    #[error("the log has {found} entries, a checkpoint kept elsewhere {kept}")]
    ShorterThanAnchor {
        /// Entries read.
        found: u64,
        /// Entries of the checkpoint.
        kept: u64,
    },
    /// A checkpoint that somebody kept is of other entries.
    #[error("the first {0} entries do not have the root of a checkpoint kept elsewhere")]
    OtherThanAnchor(u64),
    /// The archive round the entries.
    #[error(transparent)]
    Archive(ArchiveDetail),
}

fn cannot_be_read(count: usize) -> String {
    match count {
        0 => "entries cannot be read".to_owned(),
        1 => "the entry cannot be read".to_owned(),
        _ => format!("{count} entries cannot be read"),
    }
}

/// Why entries, or the hashes kept for them, cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// A block's header.
    #[error("the block's header contradicts its length")]
    Header,
    /// A block that would be too long.
    #[error("it claims {claimed} bytes; at most {most} are allowed")]
    TooLong {
        /// Bytes that its header states.
        claimed: usize,
        /// Most bytes that are read.
        most: usize,
    },
    /// The decompressor could not be made.
    #[error("there is no decompressor")]
    NoDecompressor,
    /// What the decompressor says.
    #[error("{0}")]
    NotPacked(String),
    /// A block that unpacks to another length.
    #[error("it unpacks to {found} bytes instead of {stated}")]
    OtherLength {
        /// Bytes unpacked.
        found: usize,
        /// Bytes that its header states.
        stated: usize,
    },
    /// Lengths of entries that do not fit the block.
    #[error("the entries' lengths add up to {sum} bytes instead of {found}")]
    OtherSum {
        /// Their sum.
        sum: usize,
        /// Bytes that are there.
        found: usize,
    },
    /// Another number of hashes than of entries.
    #[error("there are too few or too many")]
    OtherCount,
    /// What the store says.
    #[error("{0}")]
    Store(String),
}

/// In which way the tree does not have the root that was signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OtherRoot {
    /// The entries and what was kept of them agree with each other.
    #[error("the entries do not have the root that was signed")]
    OfTheEntries,
    /// Only the hashes kept of the entries were altered.
    #[error("the entries have the root that was signed; what was kept of them was altered")]
    OfWhatWasKept,
    /// Neither has it.
    #[error("neither the entries nor the hashes kept of them have the root that was signed")]
    OfBoth,
    /// The entries that a follower read.
    #[error("the {0} entries that were read do not have the root that was signed")]
    OfThoseRead(u64),
}

/// What is wrong with the parts of an archive that hold no entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveDetail {
    /// No part with the checkpoint.
    #[error("the part with the checkpoint is missing or altered")]
    HeadMissing,
    /// Its checksum.
    #[error("the part with the checkpoint was altered: its checksum does not hold")]
    HeadAltered,
    /// Its lengths.
    #[error("the part with the checkpoint contradicts its own lengths")]
    HeadLengths,
    /// The checksum of a block of entries.
    #[error("the block's checksum does not hold: it was altered")]
    BlockAltered,
    /// The checksum of a part on entries that are left out.
    #[error("the part at byte {0}, on entries that are left out, was altered: its checksum does not hold")]
    LeftOutAltered(u64),
    /// The hashes of such a part.
    #[error("the part at byte {0}, on entries that are left out, has not the hashes such a stretch has")]
    LeftOutHashes(u64),
    /// Bytes that are no part of an archive.
    #[error("bytes {first} to {last} of the archive were altered")]
    Altered {
        /// First of them.
        first: u64,
        /// Last of them.
        last: u64,
    },
    /// The file ends too early.
    #[error("the archive is cut off at byte {0}")]
    CutOff(u64),
    /// The index's checksum.
    #[error("the index was altered: its checksum does not hold")]
    IndexAltered,
    /// The index.
    #[error("the index does not say what the archive holds")]
    IndexWrong,
    /// The trailer's check.
    #[error("the archive's last 64 bytes were altered")]
    TrailerAltered,
    /// The trailer.
    #[error("the archive's last 64 bytes do not say what it holds")]
    TrailerWrong,
    /// Bytes behind the trailer.
    #[error("bytes follow the archive's end")]
    Surplus,
    /// A source that goes on behind its end.
    #[error("the source ended twice")]
    EndedTwice,
}
