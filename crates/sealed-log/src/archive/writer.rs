//! Writes an archive: entries in packed blocks, the checkpoint they were signed under, an index.

use crate::archive::layout::{
    BLOCK_TAG, HEAD_TAG, INDEX_TAG, LEFT_OUT_TAG, SectionHeader, Trailer, index_record, preamble,
};
use crate::entry::EntryError;
use crate::reader::block::Block;
use crate::reader::left_out::LeftOut;
use crate::reader::raw_block::BLOCK_HEADER_BYTES;
use crate::redaction::{parse_kept, redact_entry};
use crate::store::{StoreError, StoreReader};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tlog::proof::NodeSource;
use tlog::tree::Frontier;

/// Entries at which a block is closed.
const BLOCK_ENTRIES: usize = 1_024;
/// Bytes of entries at which a block is closed.
const BLOCK_BYTES: usize = 256 << 10;
/// Blocks packed at the same time.
const PACKED_AT_ONCE: usize = 16;
/// zstd's own scale; 3 is its default.
const LEVEL: i32 = 3;
/// Entries read from a store at once.
const READ_AT_ONCE: usize = 4_096;

/// Why an archive could not be written. What was written so far is no archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveWriteError {
    /// Writing failed.
    #[error("the archive cannot be written: {0}")]
    Io(#[from] std::io::Error),
    /// The store failed.
    #[error("the entries cannot be read: {0}")]
    Store(#[from] StoreError),
    /// What was given is not an entry.
    #[error("entry {index} cannot be archived, it is not well-formed: {why}")]
    Entry {
        /// Its index.
        index: u64,
        /// What is wrong.
        why: EntryError,
    },
    /// The entries are not those of the checkpoint.
    #[error(
        "the {entries} entries given do not have the root of the checkpoint, which is for {size}; \
         verify the log, and export it once its checkpoint agrees"
    )]
    NotTheSigned {
        /// Entries given.
        entries: u64,
        /// The checkpoint's size.
        size: u64,
    },
}

/// How much was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveSummary {
    /// Entries in the archive, those that are withheld included.
    pub entries: u64,
    /// Entries of which only a redacted entry is there.
    pub withheld: u64,
    /// Entries that are left out.
    pub left_out: u64,
    /// Their bytes before packing.
    pub entry_bytes: u64,
    /// Bytes of the whole file.
    pub file_bytes: u64,
}

/// Writes one archive, entry by entry, in log order.
#[derive(Debug)]
pub struct ArchiveWriter<W> {
    out: W,
    at: u64,
    checkpoint: Option<SignedCheckpoint>,
    block_entries: usize,
    open: Unpacked,
    full: Vec<Unpacked>,
    index: Vec<u8>,
    blocks: u64,
    frontier: Frontier,
    /// Index of the next entry.
    next: u64,
    entries: u64,
    withheld: u64,
    entry_bytes: u64,
}

/// Entries that wait to be packed.
#[derive(Debug, Default)]
struct Unpacked {
    first_index: u64,
    raw: Vec<u8>,
    ends: Vec<usize>,
}

impl<W: Write> ArchiveWriter<W> {
    /// Begins an archive. With a checkpoint it must be finished with exactly the entries the
    /// checkpoint is for.
    ///
    /// # Errors
    /// [`ArchiveWriteError::Io`].
    pub fn new(
        out: W,
        checkpoint: Option<&SignedCheckpoint>,
        key: Option<&VerifierKey>,
    ) -> Result<Self, ArchiveWriteError> {
        let mut writer = Self {
            out,
            at: 0,
            checkpoint: checkpoint.cloned(),
            block_entries: BLOCK_ENTRIES,
            open: Unpacked::default(),
            full: Vec::new(),
            index: Vec::new(),
            blocks: 0,
            frontier: Frontier::default(),
            next: 0,
            entries: 0,
            withheld: 0,
            entry_bytes: 0,
        };
        writer.write(&preamble())?;
        let mut body = Vec::new();
        put_text(&mut body, checkpoint.map_or("", SignedCheckpoint::text));
        put_text(&mut body, &key.map_or_else(String::new, ToString::to_string));
        writer.section(HEAD_TAG, &body)?;
        Ok(writer)
    }

    /// Closes blocks after fewer entries, so that small archives in tests have several.
    #[cfg(test)]
    pub(crate) fn blocks_of(mut self, entries: usize) -> Self {
        self.block_entries = entries;
        self
    }

    /// Adds the next entry, or a redacted entry for it.
    ///
    /// # Errors
    /// [`ArchiveWriteError::Entry`] when these bytes are no entry, or what writing met.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ArchiveWriteError> {
        let index = self.next;
        let kept = parse_kept(bytes).map_err(|why| ArchiveWriteError::Entry { index, why })?;
        self.withheld += u64::from(kept.withheld.is_some());
        self.open.raw.extend_from_slice(bytes);
        self.open.ends.push(self.open.raw.len());
        self.next += 1;
        self.entries += 1;
        self.entry_bytes += bytes.len() as u64;
        if self.open.ends.len() < self.block_entries && self.open.raw.len() < BLOCK_BYTES {
            return Ok(());
        }
        self.close_block();
        if self.full.len() < PACKED_AT_ONCE { Ok(()) } else { self.pack() }
    }

    /// Leaves out the next entries; they must begin where the last one given ended.
    ///
    /// # Errors
    /// What writing met.
    pub(crate) fn leave_out(&mut self, left_out: &LeftOut) -> Result<(), ArchiveWriteError> {
        self.next = left_out.end();
        self.close_block();
        self.pack()?;
        left_out.push_onto(&mut self.frontier);
        self.section(LEFT_OUT_TAG, &left_out.to_bytes())
    }

    fn close_block(&mut self) {
        let next = Unpacked { first_index: self.next, ..Unpacked::default() };
        let closed = std::mem::replace(&mut self.open, next);
        if !closed.ends.is_empty() {
            self.full.push(closed);
        }
    }

    /// Writes what is left, the index and the trailer, and gives the writer back, flushed.
    ///
    /// # Errors
    /// [`ArchiveWriteError::NotTheSigned`] when the entries are not the checkpoint's, or what
    /// writing met.
    pub fn finish(mut self) -> Result<(W, ArchiveSummary), ArchiveWriteError> {
        self.close_block();
        self.pack()?;
        self.check_root()?;
        let trailer = Trailer { index_offset: self.at, blocks: self.blocks, entries: self.entries };
        let index = std::mem::take(&mut self.index);
        self.section(INDEX_TAG, &index)?;
        self.write(&trailer.to_bytes())?;
        self.out.flush()?;
        let summary = ArchiveSummary {
            entries: self.entries,
            withheld: self.withheld,
            left_out: self.next - self.entries,
            entry_bytes: self.entry_bytes,
            file_bytes: self.at,
        };
        Ok((self.out, summary))
    }

    fn check_root(&self) -> Result<(), ArchiveWriteError> {
        let Some(signed) = self.checkpoint.as_ref().map(SignedCheckpoint::checkpoint) else {
            return Ok(());
        };
        if signed.size == self.next && signed.root == self.frontier.root() {
            return Ok(());
        }
        Err(ArchiveWriteError::NotTheSigned { entries: self.next, size: signed.size })
    }

    /// Hashes and packs the waiting blocks on all cores and writes them in order.
    fn pack(&mut self) -> Result<(), ArchiveWriteError> {
        let waiting = std::mem::take(&mut self.full);
        let packed: Vec<_> = waiting.into_par_iter().map(pack).collect();
        for block in packed {
            let (block, body) = block?;
            self.index.extend_from_slice(&index_record(self.at, &block));
            self.blocks += 1;
            self.frontier.extend(&block.leaves);
            self.section(BLOCK_TAG, &body)?;
        }
        Ok(())
    }

    fn section(&mut self, tag: [u8; 4], body: &[u8]) -> Result<(), ArchiveWriteError> {
        let header = SectionHeader { tag, length: body.len() as u64 }.to_bytes();
        self.write(&header)?;
        self.write(body)?;
        self.write(blake3::hash(body).as_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ArchiveWriteError> {
        self.out.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }
}

fn pack(unpacked: Unpacked) -> std::io::Result<(Block, Vec<u8>)> {
    let Unpacked { first_index, raw, ends } = unpacked;
    let mut plain = Vec::with_capacity(raw.len() + 2 * ends.len());
    let mut start = 0;
    for &end in &ends {
        // An entry has at most 61,440 bytes: two bytes hold its length.
        plain.extend_from_slice(&((end - start) as u16).to_be_bytes());
        start = end;
    }
    plain.extend_from_slice(&raw);
    let packed = zstd::bulk::compress(&plain, LEVEL)?;
    let raw_length = raw.len() as u32;
    let block = Block::seal(first_index, raw, ends);
    let mut body = Vec::with_capacity(BLOCK_HEADER_BYTES + 32 * block.len() + packed.len());
    body.extend_from_slice(&first_index.to_be_bytes());
    body.extend_from_slice(&(block.len() as u32).to_be_bytes());
    body.extend_from_slice(&raw_length.to_be_bytes());
    block.digests().iter().for_each(|digest| body.extend_from_slice(digest.as_bytes()));
    body.extend_from_slice(&packed);
    Ok((block, body))
}

fn put_text(body: &mut Vec<u8>, text: &str) {
    body.extend_from_slice(&(text.len() as u32).to_be_bytes());
    body.extend_from_slice(text.as_bytes());
}

/// Writes a store's entries, as many as the checkpoint is for, as an archive, with redacted entries for
/// those at the indexes that are to be withheld.
///
/// # Errors
/// [`ArchiveWriteError`].
pub fn write_archive<W: Write>(
    out: W,
    store: &dyn StoreReader,
    checkpoint: &SignedCheckpoint,
    key: &VerifierKey,
    withhold: &BTreeSet<u64>,
) -> Result<(W, ArchiveSummary), ArchiveWriteError> {
    let size = checkpoint.checkpoint().size;
    let mut writer = ArchiveWriter::new(out, Some(checkpoint), Some(key))?;
    while writer.next < size {
        let most = usize::try_from(size - writer.next).unwrap_or(READ_AT_ONCE).min(READ_AT_ONCE);
        let entries = store.read(writer.next, most)?;
        if entries.is_empty() {
            return Err(ArchiveWriteError::NotTheSigned { entries: writer.next, size });
        }
        for bytes in entries.iter().take(most) {
            if withhold.contains(&writer.next) {
                writer.push_withheld(bytes)?;
            } else {
                writer.push(bytes)?;
            }
        }
    }
    writer.finish()
}

/// Writes a slice: an archive of the entries given, with proofs for the stretches that are left out. `nodes` are
/// the hashes of the tree that `checkpoint` signs.
///
/// # Errors
/// [`ArchiveWriteError`]; [`ArchiveWriteError::NotTheSigned`] when entries and hashes do not lead to
/// the signed root.
pub fn write_slice<W: Write, N: NodeSource<Error = StoreError> + ?Sized>(
    out: W,
    nodes: &N,
    checkpoint: &SignedCheckpoint,
    key: Option<&VerifierKey>,
    entries: &BTreeMap<u64, Vec<u8>>,
) -> Result<(W, ArchiveSummary), ArchiveWriteError> {
    let size = checkpoint.checkpoint().size;
    let mut writer = ArchiveWriter::new(out, Some(checkpoint), key)?;
    for (&index, bytes) in entries.range(..size) {
        writer.leave_out_to(nodes, index)?;
        writer.push(bytes)?;
    }
    writer.leave_out_to(nodes, size)?;
    writer.finish()
}

impl<W: Write> ArchiveWriter<W> {
    /// Adds a redacted entry for the next entry.
    fn push_withheld(&mut self, bytes: &[u8]) -> Result<(), ArchiveWriteError> {
        let redacted = redact_entry(bytes);
        self.push(&redacted.map_err(|why| ArchiveWriteError::Entry { index: self.next, why })?)
    }

    fn leave_out_to<N: NodeSource<Error = StoreError> + ?Sized>(
        &mut self,
        nodes: &N,
        index: u64,
    ) -> Result<(), ArchiveWriteError> {
        match index.checked_sub(self.next) {
            Some(count @ 1..) => self.leave_out(&LeftOut::make(nodes, self.next, count)?),
            Some(0) | None => Ok(()),
        }
    }
}
