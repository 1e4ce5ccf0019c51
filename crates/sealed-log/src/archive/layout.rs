//! The archive file's layout (drawn in `docs/format.md`): constants, and the small fixed parts.
//!
//! All numbers are big-endian. Every length is capped before anything is allocated for it.

use crate::reader::block::Block;
use crate::reader::left_out::MAX_LEFT_OUT;
use crate::reader::raw_block::{BLOCK_HEADER_BYTES, MAX_BLOCK_ENTRIES, MAX_BLOCK_RAW, number};
use tlog::note::MAX_NOTE_BYTES;

/// Version of the archive file that is written. Earlier ones are read as well.
/// History: 1 (first); 2 (redacted entries and stretches left out, a check of the preamble).
pub const ARCHIVE_VERSION: u32 = 2;

pub(crate) const MAGIC: &[u8; 8] = b"AUDITLOG";
pub(crate) const END_MAGIC: &[u8; 8] = b"AUDITEND";
/// Magic, version, first four bytes of the BLAKE3 of both (version 1: zeros).
pub(crate) const PREAMBLE_BYTES: usize = 16;
/// Index offset, blocks, entries, BLAKE3 of those, end magic.
pub(crate) const TRAILER_BYTES: usize = 64;
/// Tag, body length, first four bytes of the BLAKE3 of both.
pub(crate) const SECTION_HEADER_BYTES: usize = 16;
/// BLAKE3 of the body, behind it.
pub(crate) const CHECK_BYTES: usize = 32;

pub(crate) const HEAD_TAG: [u8; 4] = *b"HEAD";
pub(crate) const BLOCK_TAG: [u8; 4] = *b"BNDL";
pub(crate) const LEFT_OUT_TAG: [u8; 4] = *b"LEFT";
pub(crate) const INDEX_TAG: [u8; 4] = *b"INDX";

/// Longest body of the header section: a checkpoint, a key and their lengths.
pub(crate) const MAX_HEAD: u64 = 8 + MAX_NOTE_BYTES as u64 + 4_096;
/// Longest body of a block: what does not compress grows by far less than the last term.
pub(crate) const MAX_BLOCK: u64 =
    (BLOCK_HEADER_BYTES + MAX_BLOCK_ENTRIES * (32 + 2) + MAX_BLOCK_RAW + 65_536) as u64;

/// The first bytes of an archive that is written.
pub(crate) fn preamble() -> [u8; PREAMBLE_BYTES] {
    let mut preamble = [0; PREAMBLE_BYTES];
    preamble[..8].copy_from_slice(MAGIC);
    preamble[8..12].copy_from_slice(&ARCHIVE_VERSION.to_be_bytes());
    let check = blake3::hash(&preamble[..12]);
    preamble[12..].copy_from_slice(&check.as_bytes()[..4]);
    preamble
}

/// The sections there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SectionHeader {
    pub(crate) tag: [u8; 4],
    pub(crate) length: u64,
}

impl SectionHeader {
    pub(crate) fn to_bytes(self) -> [u8; SECTION_HEADER_BYTES] {
        let mut bytes = [0; SECTION_HEADER_BYTES];
        bytes[..4].copy_from_slice(&self.tag);
        bytes[4..12].copy_from_slice(&self.length.to_be_bytes());
        let check = blake3::hash(&bytes[..12]);
        bytes[12..].copy_from_slice(&check.as_bytes()[..4]);
        bytes
    }

    /// The header at the start of `bytes`, if one stands there whole and its length is allowed.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.first_chunk::<SECTION_HEADER_BYTES>()?;
        let header = Self { tag: *bytes.first_chunk()?, length: number(&bytes[4..12])? };
        let allowed = match header.tag {
            HEAD_TAG => header.length <= MAX_HEAD,
            BLOCK_TAG => header.length <= MAX_BLOCK,
            LEFT_OUT_TAG => header.length <= MAX_LEFT_OUT,
            INDEX_TAG => true,
            _ => false,
        };
        (allowed && header.to_bytes() == *bytes).then_some(header)
    }
}

/// What the index says of one block: where it is, and which positions of which chains it holds.
pub(crate) fn index_record(offset: u64, block: &Block) -> Vec<u8> {
    let chains = block.chain_ranges();
    let mut record = Vec::with_capacity(24 + 32 * chains.len());
    record.extend_from_slice(&offset.to_be_bytes());
    record.extend_from_slice(&block.first_index.to_be_bytes());
    record.extend_from_slice(&(block.len() as u32).to_be_bytes());
    record.extend_from_slice(&(chains.len() as u32).to_be_bytes());
    for (name, (low, high)) in chains {
        // A name has at most 64 bytes.
        record.push(name.len() as u8);
        record.extend_from_slice(name.as_bytes());
        record.extend_from_slice(&low.to_be_bytes());
        record.extend_from_slice(&high.to_be_bytes());
    }
    record
}

/// The archive's last bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trailer {
    pub(crate) index_offset: u64,
    pub(crate) blocks: u64,
    pub(crate) entries: u64,
}

impl Trailer {
    pub(crate) fn to_bytes(self) -> [u8; TRAILER_BYTES] {
        let mut bytes = [0; TRAILER_BYTES];
        bytes[..8].copy_from_slice(&self.index_offset.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.blocks.to_be_bytes());
        bytes[16..24].copy_from_slice(&self.entries.to_be_bytes());
        let check = blake3::hash(&bytes[..24]);
        bytes[24..56].copy_from_slice(check.as_bytes());
        bytes[56..].copy_from_slice(END_MAGIC);
        bytes
    }

    pub(crate) fn read(bytes: &[u8; TRAILER_BYTES]) -> Option<Self> {
        let (index_offset, blocks) = (number(&bytes[..8])?, number(&bytes[8..16])?);
        let trailer = Self { index_offset, blocks, entries: number(&bytes[16..24])? };
        (trailer.to_bytes() == *bytes).then_some(trailer)
    }
}
