//! Reads an archive from front to back, carrying on behind damage.
//!
//! Only `Read` is needed and memory is bounded whatever the file claims. A section whose header was
//! altered is skipped by looking for the next sound header.

use crate::archive::layout::{
    ARCHIVE_VERSION, BLOCK_TAG, CHECK_BYTES, HEAD_TAG, INDEX_TAG, LEFT_OUT_TAG, MAGIC, PREAMBLE_BYTES,
    SECTION_HEADER_BYTES, SectionHeader, TRAILER_BYTES, Trailer, index_record, preamble,
};
use crate::archive::tape::Tape;
use crate::reader::block::Block;
use crate::reader::detail::{ArchiveDetail, FaultDetail};
use crate::reader::fault::{FaultKind, SealFault};
use crate::reader::left_out::LeftOut;
use crate::reader::raw_block::RawBlock;
use crate::reader::raw_block::number;
use crate::reader::source::{Claims, EntrySource, SourceError, Step, frame_fault};
use std::collections::VecDeque;
use std::io::Read;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;

/// Why something cannot be read as an archive at all.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It is something else.
    #[error("this is not an archive of a sealed log: {0}")]
    NotAnArchive(&'static str),
    /// It is an archive of another format version.
    #[error("archive format version {0} is not known; this program reads versions 1 to {ARCHIVE_VERSION}")]
    UnknownVersion(u32),
    /// A part that was needed is damaged.
    #[error("the archive is damaged: {0}; verify the whole archive to see all of its faults")]
    Damaged(String),
    /// Reading failed.
    #[error("the archive cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

/// An archive as a source of entries.
#[derive(Debug)]
pub struct ArchiveSource<R> {
    tape: Tape<R>,
    claims: Claims,
    part: Part,
    waiting: VecDeque<SealFault>,
    /// Offsets of the blocks that were returned and not yet reported as opened.
    offsets: VecDeque<u64>,
    /// What the index must be, from the blocks seen.
    expected_index: blake3::Hasher,
    found_index: Option<FoundIndex>,
    blocks: u64,
    entries: u64,
}

/// What comes next in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Blocks,
    End,
}

#[derive(Debug)]
struct FoundIndex {
    offset: u64,
    body: blake3::Hash,
    trailer: Option<Trailer>,
}

impl<R: Read> ArchiveSource<R> {
    /// Reads the archive's beginning.
    ///
    /// # Errors
    /// [`ArchiveError`] when this is no archive of a known version, or reading fails.
    pub fn new(input: R) -> Result<Self, ArchiveError> {
        let mut tape = Tape::new(input);
        check_preamble(tape.fill(PREAMBLE_BYTES)?)?;
        tape.consume(PREAMBLE_BYTES);
        let mut source = Self {
            tape,
            claims: Claims::default(),
            part: Part::Blocks,
            waiting: VecDeque::new(),
            offsets: VecDeque::new(),
            expected_index: blake3::Hasher::new(),
            found_index: None,
            blocks: 0,
            entries: 0,
        };
        source.read_signed()?;
        Ok(source)
    }

    fn read_signed(&mut self) -> Result<(), ArchiveError> {
        match SectionHeader::read(self.tape.fill(SECTION_HEADER_BYTES)?) {
            Some(header) if header.tag == HEAD_TAG => {
                self.tape.consume(SECTION_HEADER_BYTES);
                match self.read_body(header.length)? {
                    Some((body, check)) => self.take_signed(&body, &check),
                    None => self.truncated(),
                }
            }
            // The search for the next section follows when the first block is asked for.
            Some(_) | None => self.waiting.push_back(frame_fault(ArchiveDetail::HeadMissing)),
        }
        Ok(())
    }

    fn take_signed(&mut self, body: &[u8], check: &[u8; 32]) {
        if blake3::hash(body).as_bytes() != check {
            self.waiting.push_back(frame_fault(ArchiveDetail::HeadAltered));
        }
        let Some((checkpoint, key)) = texts(body) else {
            self.waiting.push_back(frame_fault(ArchiveDetail::HeadLengths));
            return;
        };
        if !checkpoint.is_empty() {
            match SignedCheckpoint::parse(checkpoint) {
                Ok(checkpoint) => self.claims.checkpoint = Some(checkpoint),
                Err(error) => self.refuse(FaultDetail::CheckpointUnreadable(error)),
            }
        }
        if !key.is_empty() {
            match key.parse::<VerifierKey>() {
                Ok(key) => self.claims.key = Some(key),
                Err(error) => self.refuse(FaultDetail::KeyUnreadable(error)),
            }
        }
    }

    fn refuse(&mut self, detail: FaultDetail) {
        self.waiting.push_back(SealFault::new(FaultKind::Checkpoint, None, detail));
    }

    fn truncated(&mut self) {
        self.waiting.push_back(frame_fault(ArchiveDetail::CutOff(self.tape.end())));
        self.part = Part::End;
    }

    /// A section's body and checksum; `None` when the archive ends before.
    fn read_body(&mut self, length: u64) -> std::io::Result<Option<(Vec<u8>, [u8; 32])>> {
        // Callers pass lengths that were capped by `SectionHeader::read`.
        let length = length as usize;
        let bytes = self.tape.fill(length + CHECK_BYTES)?;
        let Some((body, rest)) = bytes.split_at_checked(length) else { return Ok(None) };
        let Some(check) = rest.first_chunk::<CHECK_BYTES>() else { return Ok(None) };
        let taken = (body.to_vec(), *check);
        self.tape.consume(length + CHECK_BYTES);
        Ok(Some(taken))
    }

    fn step(&mut self) -> std::io::Result<Step> {
        if let Some(fault) = self.waiting.pop_front() {
            return Ok(Step::Fault(fault));
        }
        if self.part == Part::End {
            return Ok(Step::End);
        }
        let offset = self.tape.at;
        match SectionHeader::read(self.tape.fill(SECTION_HEADER_BYTES)?) {
            Some(SectionHeader { tag: BLOCK_TAG, length }) => {
                self.tape.consume(SECTION_HEADER_BYTES);
                if let Some((body, check)) = self.read_body(length)? {
                    self.blocks += 1;
                    self.offsets.push_back(offset);
                    return Ok(Step::Block(RawBlock::from_section(body, check)));
                }
                self.truncated();
            }
            Some(SectionHeader { tag: LEFT_OUT_TAG, length }) => {
                self.tape.consume(SECTION_HEADER_BYTES);
                if let Some((body, check)) = self.read_body(length)? {
                    return Ok(self.left_out(offset, &body, &check));
                }
                self.truncated();
            }
            Some(SectionHeader { tag: INDEX_TAG, length }) => {
                self.tape.consume(SECTION_HEADER_BYTES);
                self.read_index(offset, length)?;
            }
            Some(_) | None => self.skip_damage()?,
        }
        self.step()
    }

    /// Reads a stretch that is left out. Where it was altered, the entries behind it show how many are missing.
    fn left_out(&mut self, offset: u64, body: &[u8], check: &[u8; 32]) -> Step {
        match LeftOut::read(body) {
            _ if blake3::hash(body).as_bytes() != check => {
                Step::Fault(frame_fault(ArchiveDetail::LeftOutAltered(offset)))
            }
            Some(left_out) => Step::LeftOut(left_out),
            None => Step::Fault(frame_fault(ArchiveDetail::LeftOutHashes(offset))),
        }
    }

    /// Looks for the next sound section header, byte by byte.
    fn skip_damage(&mut self) -> std::io::Result<()> {
        let start = self.tape.at;
        if self.tape.fill(1)?.is_empty() {
            self.truncated();
            return Ok(());
        }
        self.tape.consume(1);
        loop {
            let bytes = self.tape.fill(SEARCH_BYTES)?;
            let last = bytes.len() < SEARCH_BYTES;
            let found = bytes.windows(SECTION_HEADER_BYTES).position(|bytes| {
                matches!(bytes[0], b'B' | b'I' | b'L')
                    && SectionHeader::read(bytes).is_some_and(|header| header.tag != HEAD_TAG)
            });
            let skipped = match (found, last) {
                (Some(at), _) => at,
                (None, false) => bytes.len() - SECTION_HEADER_BYTES + 1,
                (None, true) => bytes.len(),
            };
            self.tape.consume(skipped);
            let last = last || (found.is_none() && self.tape.at - start > MOST_SKIPPED);
            if found.is_some() || last {
                let altered = ArchiveDetail::Altered { first: start, last: self.tape.at - 1 };
                self.waiting.push_back(frame_fault(altered));
                if found.is_none() {
                    self.truncated();
                }
                return Ok(());
            }
        }
    }

    /// Hashes the index, then reads the trailer; nothing may follow.
    fn read_index(&mut self, offset: u64, length: u64) -> std::io::Result<()> {
        let mut hasher = blake3::Hasher::new();
        let mut rest = length;
        while rest > 0 {
            let bytes = self.tape.fill(SEARCH_BYTES.min(usize::try_from(rest).unwrap_or(SEARCH_BYTES)))?;
            let taken = bytes.len().min(usize::try_from(rest).unwrap_or(bytes.len()));
            if taken == 0 {
                self.truncated();
                return Ok(());
            }
            hasher.update(&bytes[..taken]);
            self.tape.consume(taken);
            rest -= taken as u64;
        }
        let body = hasher.finalize();
        let tail = self.tape.fill(CHECK_BYTES + TRAILER_BYTES + 1)?;
        let (surplus, tail) = (tail.len() > CHECK_BYTES + TRAILER_BYTES, tail.to_vec());
        self.take_tail(offset, body, &tail, surplus);
        Ok(())
    }

    fn take_tail(&mut self, offset: u64, body: blake3::Hash, tail: &[u8], surplus: bool) {
        let check = tail.first_chunk::<CHECK_BYTES>();
        let trailer = tail.get(CHECK_BYTES..).and_then(|rest| rest.first_chunk::<TRAILER_BYTES>());
        let (Some(check), Some(trailer)) = (check, trailer) else {
            self.truncated();
            return;
        };
        if body.as_bytes() != check {
            self.waiting.push_back(frame_fault(ArchiveDetail::IndexAltered));
        }
        let trailer = Trailer::read(trailer);
        if trailer.is_none() {
            self.waiting.push_back(frame_fault(ArchiveDetail::TrailerAltered));
        }
        if surplus {
            self.waiting.push_back(frame_fault(ArchiveDetail::Surplus));
        }
        self.found_index = Some(FoundIndex { offset, body, trailer });
        self.part = Part::End;
    }
}

impl<R: Read> EntrySource for ArchiveSource<R> {
    fn claims(&self) -> &Claims {
        &self.claims
    }

    fn next_step(&mut self) -> Result<Step, SourceError> {
        Ok(self.step()?)
    }

    fn opened(&mut self, block: &Block) {
        let offset = self.offsets.pop_front().unwrap_or_default();
        self.entries += block.len() as u64;
        self.expected_index.update(&index_record(offset, block));
    }

    fn closing_faults(&mut self, clean: bool) -> Vec<SealFault> {
        // Behind damage the blocks seen do not show what index and trailer must be.
        let Some(found) = self.found_index.as_ref().filter(|_| clean) else { return Vec::new() };
        let mut faults = Vec::new();
        if found.body != self.expected_index.finalize() {
            faults.push(frame_fault(ArchiveDetail::IndexWrong));
        }
        let expected = Trailer { index_offset: found.offset, blocks: self.blocks, entries: self.entries };
        if found.trailer.is_some_and(|trailer| trailer != expected) {
            faults.push(frame_fault(ArchiveDetail::TrailerWrong));
        }
        faults
    }
}

/// Bytes without a section at which the search for one is given up: a file may have a hole of any length, and a sender need
/// not end.
const MOST_SKIPPED: u64 = if cfg!(test) { 1 << 20 } else { 1 << 32 };

/// Bytes searched or hashed at once.
const SEARCH_BYTES: usize = 64 << 10;

pub(crate) fn check_preamble(bytes: &[u8]) -> Result<(), ArchiveError> {
    let wrong = ArchiveError::NotAnArchive;
    let Some(given) = bytes.first_chunk::<PREAMBLE_BYTES>() else {
        return Err(wrong("it is too short"));
    };
    if !given.starts_with(MAGIC) {
        return Err(wrong("it does not begin with AUDITLOG"));
    }
    let version = number(&given[8..12]).and_then(|version| u32::try_from(version).ok()).unwrap_or_default();
    match version {
        1 if given[12..] == [0; 4] => Ok(()),
        1 => Err(wrong("bytes 12 to 15 must be zero")),
        ARCHIVE_VERSION if *given == preamble() => Ok(()),
        ARCHIVE_VERSION => Err(wrong("bytes 12 to 15 are not the check of those before")),
        _ => Err(ArchiveError::UnknownVersion(version)),
    }
}

/// Checkpoint and key of the header section's body.
fn texts(body: &[u8]) -> Option<(&str, &str)> {
    let (checkpoint, rest) = take_text(body)?;
    let (key, rest) = take_text(rest)?;
    rest.is_empty().then_some((checkpoint, key))
}

fn take_text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = bytes.split_at_checked(4)?;
    let (text, rest) = rest.split_at_checked(usize::try_from(number(length)?).ok()?)?;
    Some((std::str::from_utf8(text).ok()?, rest))
}

#[cfg(test)]
mod tests;
