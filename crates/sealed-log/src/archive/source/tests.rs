//! Archives that were damaged at every byte, cut at every length, reordered and made up.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::archive::layout::MAX_BLOCK;
use crate::archive::{ArchiveIndex, ArchiveWriteError, ArchiveWriter, write_archive};
use crate::entry::Digest;
use crate::fixture::{archive, key, log, signed_at};
use crate::reader::{Expectations, KeyTrust, LogReader, SealReport, Verdict};
use crate::store::contract::Dice;
use crate::store::{MemoryStore, StoreReader, StoreWriter as _};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::Cursor;

fn given() -> Expectations {
    Expectations { verifier: Some(key().verifier_key()), anchors: Vec::new() }
}

/// Index and bytes of the entries that are what was sealed.
type Entries = Vec<(u64, Vec<u8>)>;

/// Report and entries of an archive; `None` when it is refused as no archive at all.
fn read(bytes: &[u8], expectations: Expectations) -> Option<(SealReport, Entries)> {
    let source = ArchiveSource::new(bytes).ok()?;
    let mut reader = LogReader::new(source, expectations);
    let mut entries = Vec::new();
    while let Some(window) = reader.next_window().unwrap() {
        let readable = window.entries().filter(|entry| !entry.altered);
        entries.extend(readable.map(|entry| (entry.index, entry.bytes.to_vec())));
    }
    Some((reader.finish(), entries))
}

fn intact(bytes: &[u8]) -> Verdict {
    read(bytes, given()).map_or(Verdict::No, |(report, _)| report.intact)
}

#[test]
fn what_was_written_is_read_and_proven() {
    for (size, block) in [(0, 4), (1, 4), (4, 4), (5, 4), (300, 7), (3_000, 256), (70_000, 1_024)] {
        let (store, signed) = log(size);
        let bytes = archive(&store, &signed, block);
        let (report, entries) = read(&bytes, given()).unwrap();
        assert_eq!(report.intact, Verdict::Yes, "{size}: {:?}", report.faults);
        assert_eq!(report.proof.unwrap().root(), signed.checkpoint().root);
        let expected: Vec<_> = (0..).zip(store.read(0, size as usize).unwrap()).collect();
        assert!(entries == expected, "{size} entries come back as they were");
    }
}

#[test]
fn a_store_is_exported_up_to_its_checkpoint() {
    let (store, _) = log(3_000);
    let signed = signed_at(&store, 2_500);
    let (bytes, summary) =
        write_archive(Vec::new(), &store, &signed, &key().verifier_key(), &BTreeSet::new()).unwrap();
    assert_eq!((summary.entries, summary.file_bytes), (2_500, bytes.len() as u64));
    let (report, entries) = read(&bytes, Expectations::default()).unwrap();
    assert_eq!((report.intact, report.key_trust), (Verdict::Yes, Some(KeyTrust::Carried)));
    assert_eq!(entries.len(), 2_500);
}

#[test]
fn other_entries_than_the_signed_are_not_archived() {
    let (store, signed) = log(30);
    let (other, _) = log(31);
    for (store, size) in [(&store, 29), (&other, 31)] {
        let mut writer = ArchiveWriter::new(Vec::new(), Some(&signed), None).unwrap();
        store.read(0, size).unwrap().iter().for_each(|bytes| writer.push(bytes).unwrap());
        assert!(matches!(writer.finish(), Err(ArchiveWriteError::NotTheSigned { size: 30, .. })));
    }
    let mut writer = ArchiveWriter::new(Vec::new(), None, None).unwrap();
    assert!(matches!(writer.push(b"nonsense"), Err(ArchiveWriteError::Entry { index: 0, .. })));
    let short = write_archive(
        Vec::new(),
        MemoryStore::new().reader(),
        &signed,
        &key().verifier_key(),
        &BTreeSet::new(),
    );
    assert!(matches!(short, Err(ArchiveWriteError::NotTheSigned { entries: 0, size: 30 })));
}

#[test]
fn without_a_checkpoint_nothing_is_claimed() {
    let (store, _) = log(10);
    let mut writer = ArchiveWriter::new(Vec::new(), None, None).unwrap();
    store.read(0, 10).unwrap().iter().for_each(|bytes| writer.push(bytes).unwrap());
    assert_eq!(intact(&writer.finish().unwrap().0), Verdict::Unknown);
}

#[test]
fn every_damaged_byte_is_noticed() {
    let (store, signed) = log(12);
    let bytes = archive(&store, &signed, 5);
    for at in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut bent = bytes.clone();
            bent[at] ^= flip;
            assert_eq!(intact(&bent), Verdict::No, "byte {at} of {}, flip {flip:#x}", bytes.len());
        }
    }
}

#[test]
fn every_cut_is_noticed_and_what_is_before_it_is_read() {
    let (store, signed) = log(12);
    let all = store.read(0, 12).unwrap();
    let bytes = archive(&store, &signed, 5);
    for length in 0..bytes.len() {
        let Some((report, entries)) = read(&bytes[..length], given()) else {
            assert!(length < PREAMBLE_BYTES, "{length}");
            continue;
        };
        assert_eq!(report.intact, Verdict::No, "{length}");
        assert!(entries.iter().map(|entry| &entry.1).eq(all.iter().take(entries.len())), "{length}");
        assert!(
            report.faults.iter().any(|fault| fault.detail.to_string().contains("cut off")),
            "{length}: {:?}",
            report.faults
        );
    }
    let cut_in_trailer = read(&bytes[..bytes.len() - 1], given()).unwrap();
    assert_eq!(cut_in_trailer.1.len(), 12);
}

#[test]
fn reading_goes_on_behind_a_damaged_block() {
    let (store, signed) = log(100);
    let bytes = archive(&store, &signed, 10);
    let blocks: Vec<usize> = (0..bytes.len() - 4).filter(|&at| bytes[at..].starts_with(b"BNDL")).collect();
    assert_eq!(blocks.len(), 10);
    let kept = |at: usize| {
        let mut bent = bytes.clone();
        bent[at] ^= 0x55;
        let (report, entries) = read(&bent, given()).unwrap();
        assert_eq!(report.intact, Verdict::No);
        entries.iter().map(|entry| entry.0).collect::<Vec<_>>()
    };
    let without_fourth: Vec<u64> = (0..30).chain(40..100).collect();
    assert_eq!(kept(blocks[3]), without_fourth, "its tag");
    assert_eq!(kept(blocks[3] + 11), without_fourth, "its length");
    assert_eq!(kept(blocks[3] + 16 + 11), without_fourth, "its count");
    assert_eq!(kept(blocks[4] - CHECK_BYTES - 1).len(), 90, "its packed entries");
    assert_eq!(kept(blocks[3] + 16 + 7), (0..100).collect::<Vec<u64>>(), "its first index");
    // One kept digest: only its entry is doubted.
    assert_eq!(kept(blocks[3] + 32 + 32 * 2).len(), 99);
}

#[test]
fn a_damaged_entry_is_named() {
    let (store, signed) = log(100);
    let bytes = archive(&store, &signed, 10);
    let third = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"BNDL")).nth(2).unwrap();
    let mut bent = bytes.clone();
    bent[third + 32 + 32 * 4] ^= 1;
    let (report, _) = read(&bent, given()).unwrap();
    let named: Vec<_> = report.faults.iter().map(|fault| (fault.kind, fault.index)).collect();
    let altered = (FaultKind::EntryAltered, Some(24));
    assert_eq!(named, [(FaultKind::Archive, Some(20)), altered, (FaultKind::Root, None)]);
    assert!(report.faults[2].detail.to_string().contains("the entries have the root that was signed"));
}

/// The archive's sections with their tags, blocks and checksums included.
fn sections(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut at = PREAMBLE_BYTES;
    let mut sections = Vec::new();
    while let Some(header) = SectionHeader::read(&bytes[at..]) {
        let end = at + SECTION_HEADER_BYTES + header.length as usize + CHECK_BYTES;
        sections.push(bytes[at..end].to_vec());
        at = end;
    }
    sections
}

fn section(tag: [u8; 4], body: &[u8]) -> Vec<u8> {
    let header = SectionHeader { tag, length: body.len() as u64 }.to_bytes();
    [&header[..], body, blake3::hash(body).as_bytes()].concat()
}

#[test]
fn reordered_dropped_and_doubled_blocks_are_noticed() {
    let (store, signed) = log(30);
    let bytes = archive(&store, &signed, 10);
    let (start, end) = (bytes[..PREAMBLE_BYTES].to_vec(), bytes[bytes.len() - TRAILER_BYTES..].to_vec());
    let parts = sections(&bytes);
    let joined = |order: &[usize]| {
        let middle = order.iter().map(|&at| parts[at].clone()).collect::<Vec<_>>().concat();
        [start.clone(), middle, end.clone()].concat()
    };
    assert_eq!(intact(&joined(&[0, 1, 2, 3, 4])), Verdict::Yes);
    let others: [&[usize]; 9] = [
        &[0, 2, 1, 3, 4],
        &[0, 1, 3, 4],
        &[0, 1, 2, 4],
        &[0, 1, 1, 2, 3, 4],
        &[0, 1, 2, 3, 3, 4],
        &[1, 2, 3, 4],
        &[0, 0, 1, 2, 3, 4],
        &[0, 1, 2, 3],
        &[0, 1, 2, 3, 4, 4],
    ];
    for order in others {
        assert_eq!(intact(&joined(order)), Verdict::No, "{order:?}");
    }
    let dropped = read(&joined(&[0, 1, 3, 4]), given()).unwrap();
    assert_eq!(
        dropped.1.iter().map(|entry| entry.0).collect::<Vec<_>>(),
        (0..10).chain(20..30).collect::<Vec<u64>>()
    );
    // One fault: what the next block's entries name cannot be known, and is no fault of theirs.
    assert_eq!((dropped.0.fault_count, dropped.0.faults[0].kind), (1, FaultKind::Missing));
    assert_eq!(dropped.0.faults[0].index, Some(10));
}

/// Whoever can compute checksums can still not lie in the index.
#[test]
fn an_index_that_lies_is_noticed() {
    let (store, signed) = log(30);
    let bytes = archive(&store, &signed, 10);
    let parts = sections(&bytes);
    let (index, trailer) = (&parts[4], &bytes[bytes.len() - TRAILER_BYTES..]);
    let body = &index[SECTION_HEADER_BYTES..index.len() - CHECK_BYTES];
    let checkpoint_and_blocks = &bytes[..bytes.len() - TRAILER_BYTES - index.len()];
    for at in 0..body.len() {
        let mut lie = body.to_vec();
        lie[at] ^= 1;
        let bent = [checkpoint_and_blocks, &section(INDEX_TAG, &lie), trailer].concat();
        let (report, entries) = read(&bent, given()).unwrap();
        assert_eq!((report.intact, report.fault_count, entries.len()), (Verdict::No, 1, 30), "byte {at}");
    }
    let lie = Trailer { entries: 31, ..Trailer::read(trailer.try_into().unwrap()).unwrap() };
    assert_eq!(intact(&[&bytes[..bytes.len() - TRAILER_BYTES], &lie.to_bytes()].concat()), Verdict::No);
    assert_eq!(intact(&[&bytes[..], b"\0"].concat()), Verdict::No);
}

/// A block whose entries were replaced, checksums and digests and all, fails by link and root.
#[test]
fn a_rewritten_block_is_noticed() {
    let (store, signed) = log(30);
    let bytes = archive(&store, &signed, 10);
    let mut other = store.read(0, 30).unwrap();
    *other[15].last_mut().unwrap() ^= 1;
    let mut writer = ArchiveWriter::new(Vec::new(), None, None).unwrap().blocks_of(10);
    other.iter().for_each(|bytes| writer.push(bytes).unwrap());
    let other = writer.finish().unwrap().0;
    let (mut parts, other) = (sections(&bytes), sections(&other));
    parts[2] = other[2].clone();
    let bent = [&bytes[..PREAMBLE_BYTES], &parts.concat(), &bytes[bytes.len() - TRAILER_BYTES..]].concat();
    let (report, _) = read(&bent, given()).unwrap();
    let kinds: Vec<_> = report.faults.iter().map(|fault| (fault.kind, fault.index)).collect();
    assert!(kinds.contains(&(FaultKind::Link, Some(18))), "{kinds:?}");
    assert!(kinds.contains(&(FaultKind::Root, None)), "{kinds:?}");
}

#[test]
fn claims_of_any_size_are_refused_without_memory() {
    let (store, signed) = log(3);
    let bytes = archive(&store, &signed, 10);
    let start = &bytes[..PREAMBLE_BYTES + sections(&bytes)[0].len()];
    for (tag, length) in
        [(BLOCK_TAG, MAX_BLOCK), (BLOCK_TAG, u64::MAX), (INDEX_TAG, u64::MAX), (HEAD_TAG, 1 << 60)]
    {
        let header = SectionHeader { tag, length }.to_bytes();
        assert_eq!(intact(&[start, &header, &[0; 100]].concat()), Verdict::No);
    }
    for claim in [[0xff; 16], [0; 16], *b"\0\0\0\0\0\0\0\0\0\0\x10\0\0\x10\0\0"] {
        for rest in [&b""[..], &[0; 40], b"\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f"] {
            let bent = [start, &section(BLOCK_TAG, &[&claim, rest].concat())].concat();
            assert_eq!(intact(&bent), Verdict::No);
        }
    }
}

/// A block that unpacks to less than it says, or to other lengths, is refused.
#[test]
fn a_hollow_block_is_refused() {
    let (store, signed) = log(3);
    let bytes = archive(&store, &signed, 10);
    let start = &bytes[..PREAMBLE_BYTES + sections(&bytes)[0].len()];
    for (count, raw, content) in
        [(4_000_u32, 9_u32, &[0; 10][..]), (2, 3, &[0, 1, 0, 1, 7, 7, 7]), (1, 0, &[0])]
    {
        let digests = vec![0; 32 * count as usize];
        let packed = zstd::bulk::compress(content, 3).unwrap();
        let body = [&[0; 8][..], &count.to_be_bytes(), &raw.to_be_bytes(), &digests, &packed].concat();
        let (report, entries) = read(&[start, &section(BLOCK_TAG, &body)].concat(), given()).unwrap();
        assert_eq!((report.intact, entries.len()), (Verdict::No, 0));
        assert_eq!((report.faults[0].kind, report.faults[0].index), (FaultKind::Unreadable, Some(0)));
    }
}

/// A block that unpacks to far more than it says is refused.
#[test]
fn a_bomb_is_refused() {
    let (store, signed) = log(3);
    let bytes = archive(&store, &signed, 10);
    let start = &bytes[..PREAMBLE_BYTES + sections(&bytes)[0].len()];
    let bomb = zstd::bulk::compress(&vec![0; 100 << 20], 3).unwrap();
    let body = [&[0; 8][..], &1_u32.to_be_bytes(), &100_u32.to_be_bytes(), &[0; 32], &bomb].concat();
    let (report, entries) = read(&[start, &section(BLOCK_TAG, &body)].concat(), given()).unwrap();
    assert_eq!((report.intact, entries.len()), (Verdict::No, 0));
}

#[test]
fn other_files_are_told_what_they_are_not() {
    let (store, signed) = log(3);
    let mut bytes = archive(&store, &signed, 10);
    for other in [&b""[..], b"AUDITLO", b"{\"event\":\"ShoeLoaded\"}", &[0; 100]] {
        assert!(matches!(ArchiveSource::new(other), Err(ArchiveError::NotAnArchive(_))));
        assert!(matches!(ArchiveIndex::new(Cursor::new(other)), Err(ArchiveError::NotAnArchive(_))));
    }
    bytes[11] = 3;
    assert!(matches!(ArchiveSource::new(&*bytes), Err(ArchiveError::UnknownVersion(3))));
}

#[test]
fn one_chain_is_read_without_the_rest() {
    let (store, signed) = log(3_000);
    let bytes = archive(&store, &signed, 100);
    let mut index = ArchiveIndex::new(Cursor::new(&bytes)).unwrap();
    assert_eq!(index.entries(), 3_000);
    let mut dice = Dice::new(3);
    for _ in 0..40 {
        let (chain, low) = (format!("mesa-{}", dice.below(4)).parse().unwrap(), dice.below(1_100));
        let high = low + dice.below(150);
        let mut found = Vec::new();
        index
            .chain_entries(&chain, low, high, |entry| found.push((entry.index, Digest::of(entry.bytes))))
            .unwrap();
        let expected: Vec<u64> =
            (low..=high).flat_map(|position| store.locate(&chain, position).unwrap()).collect();
        assert_eq!(found.iter().map(|entry| entry.0).collect::<Vec<_>>(), expected, "{chain} {low}..={high}");
    }
}

#[test]
fn a_range_out_of_a_damaged_archive_is_right_or_refused() {
    let (store, signed) = log(12);
    let bytes = archive(&store, &signed, 5);
    let chain = "mesa-1".parse().unwrap();
    let range = |bytes: &[u8]| -> Result<Vec<Vec<u8>>, ArchiveError> {
        let mut found = Vec::new();
        ArchiveIndex::new(Cursor::new(bytes))?
            .chain_entries(&chain, 1, 2, |entry| found.push(entry.bytes.to_vec()))?;
        Ok(found)
    };
    let right = range(&bytes).unwrap();
    assert_eq!(right.len(), 2);
    for at in 0..bytes.len() {
        let mut bent = bytes.clone();
        bent[at] ^= 0x41;
        assert!(range(&bent).map_or(true, |found| found == right), "byte {at}");
        assert!(range(&bytes[..at]).is_err(), "cut at {at}");
    }
}

proptest! {
    #[test]
    fn anything_behind_a_beginning_ends_without_a_panic(
        tail in proptest::collection::vec(any::<u8>(), 0..400), kept in 0..2_000_usize,
    ) {
        let (store, signed) = log(12);
        let bytes = archive(&store, &signed, 5);
        let bent = [&bytes[..kept.min(bytes.len())], &tail].concat();
        if bent != bytes {
            prop_assert_ne!(intact(&bent), Verdict::Yes);
        }
    }

    /// Several bytes at once, anywhere.
    #[test]
    fn many_damaged_bytes_are_noticed(seed: u64, count in 1..20_u64) {
        let (store, signed) = log(40);
        let bytes = archive(&store, &signed, 7);
        let (mut bent, mut dice) = (bytes.clone(), Dice::new(seed));
        for _ in 0..count {
            let at = dice.below(bytes.len() as u64) as usize;
            bent[at] = dice.below(256) as u8;
        }
        prop_assert_eq!(intact(&bent) == Verdict::Yes, bent == bytes);
    }
}

/// A block of one entry, said to be at an index.
fn block_at(index: u64, entry: &[u8]) -> Vec<u8> {
    let raw = [&(entry.len() as u16).to_be_bytes()[..], entry].concat();
    let mut body = index.to_be_bytes().to_vec();
    body.extend_from_slice(&1_u32.to_be_bytes());
    body.extend_from_slice(&(entry.len() as u32).to_be_bytes());
    body.extend_from_slice(Digest::of(entry).as_bytes());
    body.extend_from_slice(&zstd::bulk::compress(&raw, 3).unwrap());
    section(BLOCK_TAG, &body)
}

/// The entries before an index, left out; their subtrees' roots are made up.
fn left_out_before(index: u64) -> Vec<u8> {
    let mut body = [0_u64.to_be_bytes(), index.to_be_bytes()].concat();
    body.extend(std::iter::repeat_n([7; 32], index.count_ones() as usize).flatten());
    section(LEFT_OUT_TAG, &body)
}

// An archive whose block ended at the largest index was a panic in every command that read it.
#[test]
fn indexes_at_the_end_of_their_range_are_faults_and_never_a_panic() {
    let (store, signed) = log(1);
    let entry = store.read(0, 1).unwrap().remove(0);
    let redacted = crate::redaction::redact_entry(&entry).unwrap();
    let mut head = (signed.text().len() as u32).to_be_bytes().to_vec();
    head.extend_from_slice(signed.text().as_bytes());
    head.extend_from_slice(&0_u32.to_be_bytes());
    for last in [u64::MAX, u64::MAX - 1, u64::MAX - 2, 1 << 63] {
        for entry in [&entry, &redacted] {
            let mut unsound = block_at(3, entry);
            *unsound.last_mut().unwrap() ^= 1;
            let behind: [&[u8]; 5] = [
                &block_at(last - 1, entry),
                &[block_at(last - 1, entry), block_at(last - 1, entry)].concat(),
                &unsound,
                &[block_at(last - 1, entry), unsound.clone(), unsound.clone(), block_at(4, entry)].concat(),
                &[left_out_before(1), unsound.clone()].concat(),
            ];
            for behind in behind {
                for before in [Vec::new(), left_out_before(last), left_out_before(last - 1)] {
                    let bytes = [&preamble()[..], &section(HEAD_TAG, &head), &before, behind].concat();
                    let (report, _) = read(&bytes, given()).unwrap();
                    assert_eq!(report.intact, Verdict::No);
                }
            }
        }
    }
}

/// Zeros without end.
struct Endless;

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        buffer.fill(0);
        Ok(buffer.len())
    }
}

#[test]
fn what_never_ends_is_given_up_and_says_so() {
    let (store, signed) = log(10);
    let bytes = archive(&store, &signed, 4);
    let kept = [&bytes[..PREAMBLE_BYTES], &sections(&bytes)[..2].concat()].concat();
    let source = ArchiveSource::new(std::io::Read::chain(&kept[..], Endless)).unwrap();
    let mut reader = LogReader::new(source, given());
    while reader.next_window().unwrap().is_some() {}
    let report = reader.finish();
    assert_eq!(report.intact, Verdict::No);
    let altered = |message: &str| message.contains("of the archive were altered");
    assert!(report.faults.iter().any(|fault| altered(&fault.detail.to_string())), "{:?}", report.faults);
}

/// The same block again and again.
struct Repeated {
    block: Vec<u8>,
    at: usize,
}

impl std::io::Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let rest = &self.block[self.at..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at = (self.at + count) % self.block.len();
        Ok(count)
    }
}

// The story: a service that sends empty blocks for ever was read for ever.
#[test]
fn parts_that_hold_no_further_entry_are_given_up() {
    let (store, signed) = log(4);
    let bytes = archive(&store, &signed, 4);
    let (head, whole) = (sections(&bytes)[0].clone(), sections(&bytes)[1].clone());
    let empty = |first: u64| {
        let mut body = first.to_be_bytes().to_vec();
        body.extend_from_slice(&[0; 8]);
        body.extend_from_slice(&zstd::bulk::compress(&[], 3).unwrap());
        section(BLOCK_TAG, &body)
    };
    let left_out = section(LEFT_OUT_TAG, &[0; 16]);
    let again = block_at(0, &store.read(0, 1).unwrap()[0]);
    // Damage and a sound block by turns: each is a part.
    let turns = [&b"?"[..], &empty(0)].concat();
    for block in [empty(0), empty(4), left_out, again, whole.clone(), turns] {
        for behind in [[&bytes[..PREAMBLE_BYTES], &head[..]].concat(), bytes[..PREAMBLE_BYTES].to_vec()] {
            let behind = [&behind[..], &whole].concat();
            let repeated = Repeated { block: block.clone(), at: 0 };
            let source = ArchiveSource::new(std::io::Read::chain(&behind[..], repeated)).unwrap();
            let mut reader = LogReader::new(source, given());
            while reader.next_window().unwrap().is_some() {}
            let report = reader.finish();
            let said = |fault: &SealFault| fault.detail.to_string().contains("no further entry");
            assert!(report.faults.iter().any(said), "{:?}", report.faults.first());
            assert_eq!(report.intact, Verdict::No);
        }
    }
}

#[test]
fn entries_that_go_on_past_the_checkpoint_are_given_up() {
    let (store, signed) = log(4);
    let bytes = archive(&store, &signed, 4);
    let (head, far) = (sections(&bytes)[0].clone(), left_out_before(3 << 20));
    let behind = [bytes[..PREAMBLE_BYTES].to_vec(), head, far].concat();
    let block = block_at(0, &store.read(0, 1).unwrap()[0]);
    let source = ArchiveSource::new(std::io::Read::chain(&behind[..], Repeated { block, at: 0 })).unwrap();
    let mut reader = LogReader::new(source, given());
    while reader.next_window().unwrap().is_some() {}
    let report = reader.finish();
    assert!(report.faults.iter().any(|fault| fault.detail.to_string().contains("far past the checkpoint")));
    assert_eq!(report.intact, Verdict::No);
}
