//! Entries as a source gives them, still packed, and how they are unpacked.

use crate::entry::Digest;
use crate::reader::detail::Unreadable;
use tlog::tree::TreeHash;
use zstd::bulk::Decompressor;

/// Most entries of one block that are read.
pub(crate) const MAX_BLOCK_ENTRIES: usize = 4_096;
/// Most bytes of entries in one block that are read.
pub(crate) const MAX_BLOCK_RAW: usize = 1 << 20;
/// First index, count, length of the entries.
pub(crate) const BLOCK_HEADER_BYTES: usize = 16;

/// Entries as they came from a source.
#[derive(Debug)]
pub struct RawBlock {
    /// Log index of the first entry, as the source says.
    pub(crate) first_index: u64,
    /// How many entries, as the source says.
    pub(crate) count: usize,
    /// Bytes of the entries, as the source says.
    pub(crate) raw_length: usize,
    pub(crate) content: Content,
}

/// The forms entries come in.
#[derive(Debug)]
pub(crate) enum Content {
    /// A block section of an archive and its checksum.
    Section { body: Vec<u8>, check: [u8; 32] },
    /// Entries from a store, and the leaf hashes kept for them.
    Entries { entries: Vec<Vec<u8>>, leaves: Result<Vec<TreeHash>, String> },
    /// One entry that a store cannot read, and the leaf hash kept for it.
    Unreadable { leaf: Option<TreeHash>, why: String },
}

impl RawBlock {
    /// Entries that come from no store and no archive, from this log index on.
    #[must_use]
    pub fn of_entries(first_index: u64, entries: Vec<Vec<u8>>) -> Self {
        let leaves = entries.iter().map(|entry| Digest::of(entry).leaf_hash()).collect();
        Self::from_store(first_index, entries, Ok(leaves))
    }

    pub(crate) fn from_section(body: Vec<u8>, check: [u8; 32]) -> Self {
        let header = BlockHeader::read(&body).unwrap_or_default();
        let (first_index, count, raw_length) = (header.first_index, header.count, header.raw_length);
        Self { first_index, count, raw_length, content: Content::Section { body, check } }
    }

    pub(crate) fn from_store(
        first_index: u64,
        entries: Vec<Vec<u8>>,
        leaves: Result<Vec<TreeHash>, String>,
    ) -> Self {
        let (count, raw_length) = (entries.len(), entries.iter().map(Vec::len).sum());
        Self { first_index, count, raw_length, content: Content::Entries { entries, leaves } }
    }

    pub(crate) fn unreadable(first_index: u64, leaf: Option<TreeHash>, why: String) -> Self {
        Self { first_index, count: 1, raw_length: 0, content: Content::Unreadable { leaf, why } }
    }
}

/// The fixed part of a block's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BlockHeader {
    pub(crate) first_index: u64,
    pub(crate) count: usize,
    pub(crate) raw_length: usize,
}

impl BlockHeader {
    /// The header of a block's body; `None` when there is none or it claims more than is allowed.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        let first_index = number(body.get(..8)?)?;
        let count = usize::try_from(number(body.get(8..12)?)?).ok()?;
        let raw_length = usize::try_from(number(body.get(12..16)?)?).ok()?;
        let fits = count <= MAX_BLOCK_ENTRIES && first_index.checked_add(count as u64).is_some();
        (fits && raw_length <= MAX_BLOCK_RAW).then_some(Self { first_index, count, raw_length })
    }

    /// Header, the entries' digests and the packed rest of a block's body.
    pub(crate) fn split(body: &[u8]) -> Option<(Self, Vec<Digest>, &[u8])> {
        let header = Self::read(body)?;
        let (digests, packed) = body.get(BLOCK_HEADER_BYTES..)?.split_at_checked(32 * header.count)?;
        let (digests, _) = digests.as_chunks::<32>();
        Some((header, digests.iter().copied().map(Digest::from_bytes).collect(), packed))
    }
}

/// A big-endian number of at most eight bytes.
pub(crate) fn number(bytes: &[u8]) -> Option<u64> {
    (bytes.len() <= 8).then(|| bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

/// Unpacks the entries: their lengths (two bytes each), then their bytes.
pub(crate) fn unpack(
    packed: &[u8],
    raw_length: usize,
    count: usize,
    decompressor: Option<&mut Decompressor<'static>>,
) -> Result<(Vec<u8>, Vec<usize>), Unreadable> {
    let length = raw_length + 2 * count;
    if raw_length > MAX_BLOCK_RAW {
        return Err(Unreadable::TooLong { claimed: raw_length, most: MAX_BLOCK_RAW });
    }
    let mut unpacked = Vec::with_capacity(length);
    let decompressor = decompressor.ok_or(Unreadable::NoDecompressor)?;
    let written = decompressor
        .decompress_to_buffer(packed, &mut unpacked)
        .map_err(|error| Unreadable::NotPacked(error.to_string()))?;
    if written != length || unpacked.len() != length {
        return Err(Unreadable::OtherLength { found: written, stated: length });
    }
    let raw = unpacked.split_off(2 * count);
    let mut end = 0;
    let (lengths, _) = unpacked.as_chunks::<2>();
    let ends = lengths.iter().map(|length| {
        end += usize::from(u16::from_be_bytes(*length));
        end
    });
    let ends: Vec<usize> = ends.collect();
    if end != raw.len() {
        return Err(Unreadable::OtherSum { sum: end, found: raw.len() });
    }
    Ok((raw, ends))
}
