//! Reads a few entries out of an archive by its index, without the rest.

use crate::archive::layout::{
    BLOCK_TAG, CHECK_BYTES, INDEX_TAG, PREAMBLE_BYTES, SECTION_HEADER_BYTES, SectionHeader, TRAILER_BYTES,
    Trailer,
};
use crate::archive::source::{ArchiveError, check_preamble};
use crate::entry::ChainName;
use crate::reader::block::{Block, SealedEntry};
use crate::reader::raw_block::RawBlock;
use crate::reader::raw_block::number;
use std::io::{BufReader, Read, Seek, SeekFrom};
use zstd::bulk::Decompressor;

/// An archive opened by its index. What it gives is checked against the digests kept beside it,
/// not against the signed root: only [`crate::reader::LogReader`] over the whole archive does that.
#[derive(Debug)]
pub struct ArchiveIndex<R> {
    input: BufReader<R>,
    trailer: Trailer,
}

/// What the index says of one block and one chain.
struct Record {
    offset: u64,
    holds: bool,
}

impl<R: Read + Seek> ArchiveIndex<R> {
    /// Opens an archive by its last bytes.
    ///
    /// # Errors
    /// [`ArchiveError`] when it is no whole archive of a known version.
    pub fn new(input: R) -> Result<Self, ArchiveError> {
        let mut input = BufReader::new(input);
        let mut preamble = Vec::new();
        input.by_ref().take(PREAMBLE_BYTES as u64).read_to_end(&mut preamble)?;
        check_preamble(&preamble)?;
        let length = input.seek(SeekFrom::End(0))?;
        let cut = || ArchiveError::Damaged("it is cut off".to_owned());
        let start = length.checked_sub(TRAILER_BYTES as u64).ok_or_else(cut)?;
        input.seek(SeekFrom::Start(start))?;
        let mut bytes = [0; TRAILER_BYTES];
        input.read_exact(&mut bytes)?;
        let trailer = Trailer::read(&bytes).ok_or_else(cut)?;
        Ok(Self { input, trailer })
    }

    /// How many entries the archive says it holds.
    #[must_use]
    pub const fn entries(&self) -> u64 {
        self.trailer.entries
    }

    /// Gives every entry of `chain` that covers a position of `low..=high`, in log order.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`] when a part that is needed was altered.
    pub fn chain_entries(
        &mut self,
        chain: &ChainName,
        low: u64,
        high: u64,
        mut each: impl FnMut(&SealedEntry<'_>),
    ) -> Result<(), ArchiveError> {
        for offset in self.offsets(chain, low, high)? {
            let block = self.block(offset)?;
            let of_chain = |entry: &SealedEntry<'_>| {
                entry.view.as_ref().is_ok_and(|view| {
                    view.chain == chain.as_str() && view.first <= high && view.last() >= low
                })
            };
            block.entries().filter(of_chain).for_each(|entry| each(&entry));
        }
        Ok(())
    }

    /// Where the blocks stand that hold entries of the chain in the range.
    fn offsets(&mut self, chain: &ChainName, low: u64, high: u64) -> Result<Vec<u64>, ArchiveError> {
        self.input.seek(SeekFrom::Start(self.trailer.index_offset))?;
        let wrong = || ArchiveError::Damaged("its index cannot be read".to_owned());
        let header = self.section_header()?.filter(|header| header.tag == INDEX_TAG).ok_or_else(wrong)?;
        let mut index =
            Checked { input: (&mut self.input).take(header.length), hasher: blake3::Hasher::new() };
        let mut offsets = Vec::new();
        for _ in 0..self.trailer.blocks {
            let record = index.record(chain, low, high).map_err(|_| wrong())?;
            offsets.extend(record.holds.then_some(record.offset));
        }
        let (rest, hash) = (index.input.limit(), index.hasher.finalize());
        let mut check = [0; CHECK_BYTES];
        self.input.read_exact(&mut check)?;
        if rest != 0 || *hash.as_bytes() != check { Err(wrong()) } else { Ok(offsets) }
    }

    fn block(&mut self, offset: u64) -> Result<Block, ArchiveError> {
        self.input.seek(SeekFrom::Start(offset))?;
        let wrong = |why: String| ArchiveError::Damaged(format!("the block at byte {offset}: {why}"));
        let header = self.section_header()?.filter(|header| header.tag == BLOCK_TAG);
        let header = header.ok_or_else(|| wrong("it does not stand there".to_owned()))?;
        let mut body = Vec::new();
        self.input.by_ref().take(header.length).read_to_end(&mut body)?;
        let mut check = [0; CHECK_BYTES];
        self.input.read_exact(&mut check)?;
        let block = Block::open(RawBlock::from_section(body, check), Decompressor::new().ok().as_mut());
        match block.found.first() {
            None => Ok(block),
            Some(found) => Err(wrong(found.detail.to_string())),
        }
    }

    fn section_header(&mut self) -> Result<Option<SectionHeader>, ArchiveError> {
        let mut bytes = [0; SECTION_HEADER_BYTES];
        self.input.read_exact(&mut bytes)?;
        Ok(SectionHeader::read(&bytes))
    }
}

/// The index's body while it is read and hashed.
struct Checked<R> {
    input: std::io::Take<R>,
    hasher: blake3::Hasher,
}

impl<R: Read> Checked<R> {
    fn record(&mut self, chain: &ChainName, low: u64, high: u64) -> std::io::Result<Record> {
        let offset = self.number(8)?;
        let (_first_index, _count) = (self.number(8)?, self.number(4)?);
        let mut holds = false;
        for _ in 0..self.number(4)? {
            let mut name = [0; 255];
            let name = &mut name[..self.number(1)? as usize];
            self.read(name)?;
            let (from, to) = (self.number(8)?, self.number(8)?);
            holds |= name == chain.as_str().as_bytes() && from <= high && to >= low;
        }
        Ok(Record { offset, holds })
    }

    fn number(&mut self, width: usize) -> std::io::Result<u64> {
        let mut bytes = [0; 8];
        self.read(&mut bytes[..width])?;
        Ok(number(&bytes[..width]).unwrap_or_default())
    }

    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<()> {
        self.input.read_exact(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }
}
