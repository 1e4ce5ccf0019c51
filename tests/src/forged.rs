//! Logs that anybody with a key can write, the log's writer or not: honest ones, and ones that no writer of this program
//! would make. And what a log that verifies has to allow: to be restored, opened and written.
#![allow(clippy::missing_panics_doc, reason = "a test detects a fault by a panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use sealed_log::archive::{ArchiveSource, ArchiveWriter};
use sealed_log::entry::{ChainName, Digest, EntryHeader, LOG_CHAIN, encode_entry};
use sealed_log::keys::KeyRotation;
use sealed_log::notice::{
    Closing, LOG_PRODUCER, Notice, Redaction, encode_closing, encode_continuation, encode_redaction,
    encode_rotation,
};
use sealed_log::reader::{Expectations, LogReader, SealReport, Verdict};
use sealed_log::redaction::{redact_entry, sealed_digest};
use sealed_log::store::contract::Dice;
use sealed_log::store::{MemoryStore, StoreReader as _, StoreWriter as _, StoredEntry, WriteBatch};
use sealed_log::writer::{LogWriter, MemoryCheckpoint, OpenError, Submission};
use sealed_log_sled::{LogFolder, Restoring, Writer};
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;
use tlog::tree::Frontier;

/// The name of every log here.
pub const ORIGIN: &str = "casino.example/sala/1";

/// One of a log's keys.
#[must_use]
pub fn key(number: u8) -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[number; 32]).expect("a key")
}

/// A log that is being written, entry by entry, by somebody who has its keys.
#[derive(Debug, Default)]
pub struct Forger {
    /// The entries as they are kept, whole or redacted.
    pub entries: Vec<StoredEntry>,
    frontier: Frontier,
    tips: BTreeMap<ChainName, Digest>,
    positions: BTreeMap<ChainName, u64>,
    rotations: u8,
}

impl Forger {
    /// Appends an entry, whatever it says; a position past the largest is the largest.
    pub fn append(&mut self, producer: &str, chain: &str, first: u64, count: u32, payload: &[u8]) {
        let first = first.clamp(1, u64::MAX - u64::from(count));
        let chain: ChainName = chain.parse().expect("a name");
        let header = EntryHeader {
            producer: producer.parse().expect("a name"),
            chain: chain.clone(),
            first,
            count,
            previous: self.tips.get(&chain).copied().unwrap_or(Digest::ZERO),
            received_at: 1_790_000_000_000_000,
        };
        let bytes = encode_entry(&header, payload).expect("an entry");
        let digest = Digest::of(&bytes);
        self.tips.insert(chain.clone(), digest);
        self.positions.insert(chain.clone(), first.saturating_add(u64::from(count)));
        self.frontier.push_leaf(digest.leaf_hash());
        self.entries.push(StoredEntry { bytes, digest, chain, first, count });
    }

    /// The position that comes next on a chain.
    #[must_use]
    pub fn next(&self, chain: &str) -> u64 {
        self.positions.iter().find(|(name, _)| name.as_str() == chain).map_or(1, |(_, next)| *next)
    }

    /// Appends a notice of the log itself.
    pub fn note(&mut self, payload: &[u8]) {
        self.append(LOG_PRODUCER, LOG_CHAIN, self.next(LOG_CHAIN), 1, payload);
    }

    /// Passes the log's key on.
    pub fn rotate(&mut self) {
        let (old, new) = (key(self.rotations), key(self.rotations + 1));
        let rotation = KeyRotation::make(&old, &new, self.entries.len() as u64).expect("a rotation");
        self.note(&encode_rotation(&rotation));
        self.rotations += 1;
    }

    /// Gives notice that these entries are erased.
    pub fn note_erased(&mut self, entries: &[(u64, Digest)]) {
        let redaction = Redaction {
            entries: entries.to_vec(),
            reason: "art. 17".to_owned(),
            by: "dpo".to_owned(),
            countersigned_by: "director".to_owned(),
            gone_with_them: Vec::new(),
        };
        self.note(&encode_redaction(&redaction).expect("a notice"));
    }

    /// Says that this log continues another.
    pub fn note_continued(&mut self, origin: &str, signer: u8) {
        let signer = SigningKey::from_seed(origin, &[signer; 32]).expect("a key");
        let mut frontier = Frontier::default();
        frontier.push_leaf([signer.verifier_key().id()[0]; 32]);
        let signed = SignedCheckpoint::sign(&Checkpoint::of(origin, &frontier), &signer).expect("signed");
        self.note(&encode_continuation(&signed).expect("a notice"));
    }

    /// Closes the log after so many of its entries, with their root or another.
    pub fn note_closed(&mut self, size: usize, is_other_root: bool) {
        let mut frontier = Frontier::default();
        self.entries.iter().take(size).for_each(|entry| frontier.push_leaf(entry.digest.leaf_hash()));
        let root = if is_other_root { [7; 32] } else { frontier.root() };
        let closing = Closing { size: size as u64, root, successor: None };
        self.note(&encode_closing(&closing).expect("a notice"));
    }

    /// Keeps only the redacted form of an entry.
    pub fn redact(&mut self, index: usize) {
        let entry = &mut self.entries[index];
        entry.bytes = redact_entry(&entry.bytes).expect("an entry");
    }

    /// All keys that the log ever had, the newest first.
    #[must_use]
    pub fn keys(&self) -> Vec<SigningKey> {
        (0..=self.rotations).rev().map(key).collect()
    }

    /// The checkpoint over all entries, signed by the key in force.
    #[must_use]
    pub fn signed(&self) -> SignedCheckpoint {
        SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &self.frontier), &key(self.rotations)).expect("signed")
    }

    /// The log as an archive with blocks of so many entries.
    #[must_use]
    pub fn archive(&self) -> Vec<u8> {
        let (signed, key) = (self.signed(), key(self.rotations).verifier_key());
        let mut writer = ArchiveWriter::new(Vec::new(), Some(&signed), Some(&key)).expect("memory");
        self.entries.iter().for_each(|entry| writer.push(&entry.bytes).expect("an entry"));
        writer.finish().expect("the signed entries").0
    }
}

/// A log of some entries, made of seeded choices. Some of them are ones that no log makes; a few of them are what only a
/// reader of every entry can find.
#[must_use]
pub fn forged(seed: u64) -> Forger {
    let mut dice = Dice::new(seed);
    let mut log = Forger::default();
    let crooked = dice.below(2) == 1;
    if seed % 5 == 4 {
        succeed(&mut log, &mut Dice::new(seed ^ 0x5eed), crooked);
    }
    for _ in 0..dice.below(40) + 2 {
        step(&mut log, &mut dice, crooked);
    }
    // Some logs fill blocks and tiles.
    for number in 0..if dice.below(4) == 0 { 300 } else { 0 } {
        log.append("pit", "mesa-9", log.next("mesa-9"), 1, format!("event {number}").as_bytes());
    }
    if seed % 5 == 4 {
        close(&mut log, &mut Dice::new(seed ^ 0xc105e), crooked);
    }
    log
}

/// Some logs begin with the notice of a log before them; crooked ones may name themselves.
fn succeed(log: &mut Forger, dice: &mut Dice, crooked: bool) {
    if dice.below(3) > 0 {
        let is_own = crooked && dice.below(4) == 0;
        log.note_continued(if is_own { ORIGIN } else { "casino.example/sala/0" }, 9);
    }
}

/// Some logs are closed; of crooked ones the notice may be wrong, stand twice, or have entries behind it.
fn close(log: &mut Forger, dice: &mut Dice, crooked: bool) {
    let size = log.entries.len();
    let until = size - dice.below(size as u64 + 1) as usize;
    match dice.below(if crooked { 7 } else { 3 }) {
        0 => {}
        1 | 2 => log.note_closed(until, false),
        3 => log.note_closed(size + 1 + dice.below(9) as usize, false),
        4 => log.note_closed(until, true),
        5 => {
            log.note_closed(until, false);
            log.append("pit", "mesa-1", log.next("mesa-1"), 1, b"behind the end");
        }
        _ => {
            log.note_closed(until, false);
            log.note_continued("casino.example/sala/0", 9);
        }
    }
}

fn step(log: &mut Forger, dice: &mut Dice, crooked: bool) {
    let table = ["mesa-1", "mesa-2", "PB-01"][dice.below(3) as usize];
    let (next, size) = (log.next(table), log.entries.len() as u64);
    match dice.below(if crooked { 16 } else { 11 }) {
        0..=4 => log.append("pit", table, next, dice.below(9) as u32 + 1, &vec![7; dice.below(300) as usize]),
        // A gap, and an entry that covers what is covered: evidence, and no fault of the seal.
        5 => log.append("pit", table, next.saturating_add(dice.below(1 << 40)), 1, b"behind a gap"),
        6 => log.append("audit-ingest", table, next.saturating_sub(2).max(1), 2, b"again"),
        7 if log.rotations < 5 => log.rotate(),
        8..=10 if size > 0 => {
            let index = dice.below(size);
            let named = &log.entries[index as usize];
            if named.chain.as_str() != LOG_CHAIN {
                let digest = sealed_digest(&named.bytes);
                log.note_erased(&[(index, digest)]);
                log.redact(index as usize);
            }
        }
        11 => log.append(
            LOG_PRODUCER,
            LOG_CHAIN,
            log.next(LOG_CHAIN).saturating_add(dice.below(3)),
            1,
            &[0x82, 0x09, 0x00],
        ),
        12 if size > 0 => log.note_erased(&[(size - 1 + dice.below(3), log.entries[0].digest)]),
        13 if size > 0 => {
            let digest = log.entries[dice.below(size) as usize].digest;
            log.note_erased(&[(dice.below(size), digest)]);
        }
        14 if size > 0 => log.redact(dice.below(size) as usize),
        15 => {
            let first = [1, log.next(LOG_CHAIN).saturating_add(1), u64::MAX - 9][dice.below(3) as usize];
            let producer = [LOG_PRODUCER, "pit"][dice.below(2) as usize];
            let statement = KeyRotation::make(&key(200), &key(201), size).expect("a rotation");
            log.append(producer, LOG_CHAIN, first, dice.below(2) as u32 + 1, &encode_rotation(&statement));
        }
        _ => log.append("pit", table, next, 1, b"plain"),
    }
}

/// What reading an archive to its end comes to.
#[must_use]
pub fn read(archive: &[u8], key: &SigningKey) -> SealReport {
    let source = ArchiveSource::new(archive).expect("an archive");
    let expectations = Expectations { verifier: Some(key.verifier_key()), anchors: Vec::new() };
    let mut reader = LogReader::new(source, expectations);
    while reader.next_window().expect("memory").is_some() {}
    reader.finish()
}

/// Whether the archive is the whole log, with every payload that the log did not erase: only that can be restored.
#[must_use]
pub fn is_whole(report: &SealReport) -> bool {
    let named = report.notices.iter().filter_map(|(_, notice)| match notice {
        Notice::EntriesRedacted(redaction) => Some(redaction.entries.iter().map(|(index, _)| *index)),
        Notice::KeyRotated(_) | Notice::LogContinued(_) | Notice::LogClosed(_) | Notice::Unknown { .. } => {
            None
        }
    });
    let named: BTreeSet<u64> = named.flatten().collect();
    report.left_out == 0 && report.withheld_entries.iter().all(|index| named.contains(index))
}

/// An entry that any log takes.
fn one_more(size: u64) -> Submission {
    Submission {
        producer: "pit".parse().expect("a name"),
        chain: "one-more".parse().expect("a name"),
        first: size + 1,
        count: 1,
        received_at: 0,
        payload: b"one more".to_vec(),
    }
}

/// Opens a log of these entries in memory; a log that opens takes entries, and opens again. One that is closed is opened
/// to erase payloads alone.
///
/// # Errors
/// [`OpenError`], of the first opening.
pub fn opens_in_memory(
    entries: &[StoredEntry],
    signed: &SignedCheckpoint,
    keys: &[SigningKey],
) -> Result<(), OpenError> {
    let (mut store, mut frontier) = (MemoryStore::new(), Frontier::default());
    entries.iter().for_each(|entry| frontier.push_leaf(entry.digest.leaf_hash()));
    let own = Some(Arc::new(signed.clone()));
    let batch = WriteBatch { first_index: 0, entries: entries.to_vec(), frontier, signed: own };
    store.append(&batch).expect("memory");
    let (closed, sink) = (store.clone(), MemoryCheckpoint::default());
    if LogWriter::open_even_closed(closed, sink, keys.to_vec(), Some(signed))?.is_closed() {
        let opened = LogWriter::open_with(store, MemoryCheckpoint::default(), keys.to_vec(), Some(signed));
        assert!(matches!(opened, Err(OpenError::Closed { .. })), "a closed log takes no entries");
        return Ok(());
    }
    let mut writer = LogWriter::open_with(store, MemoryCheckpoint::default(), keys.to_vec(), Some(signed))?;
    writer.append(&[one_more(writer.reader().size())]).expect("an open log takes entries");
    let (store, kept) = writer.into_parts();
    let again = LogWriter::open_with(store, MemoryCheckpoint::default(), keys.to_vec(), kept.newest.as_ref());
    again.expect("what was written opens again");
    Ok(())
}

/// Restores an archive to a folder where nothing is, as `audit restore` does, opens the log, writes to it, closes it and
/// opens it again; gives it open.
///
/// # Errors
/// A sentence, where it is not restored or not opened.
pub fn restored(archive: &[u8], to: &Path, keys: &[SigningKey]) -> Result<Writer, String> {
    let said = |error: sealed_log_sled::FolderError| error.to_string();
    let mut restoring = Restoring::begin(to).map_err(said)?;
    let source = ArchiveSource::new(archive).map_err(|error| error.to_string())?;
    let mut reader = LogReader::new(source, Expectations::default());
    while let Some(window) = reader.next_window().map_err(|error| error.to_string())? {
        for entry in window.entries() {
            restoring.push(entry.bytes).map_err(said)?;
        }
    }
    let signed = reader.finish().checkpoint.ok_or("it has no checkpoint")?;
    restoring.seal(&signed).map_err(said)?;
    let opened = LogFolder::new(restoring.partial()).open_even_closed(keys.to_vec()).map_err(said)?;
    let is_closed = opened.is_closed();
    drop(opened);
    restoring.finish().map_err(said)?;
    if is_closed {
        return Err("it is closed".to_owned());
    }
    let mut writer = LogFolder::new(to).open_writer_with(keys.to_vec()).map_err(said)?;
    let size = writer.reader().size();
    writer.append(&[one_more(size)]).expect("an open log takes entries");
    drop(writer);
    let writer = LogFolder::new(to).open_writer_with(keys.to_vec()).expect("what was written opens again");
    assert_eq!(writer.reader().size(), size + 1);
    Ok(writer)
}

/// Whether a report says *yes*.
#[must_use]
pub fn verifies(report: &SealReport) -> bool {
    report.intact == Verdict::Yes
}
