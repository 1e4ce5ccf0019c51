//! A small interpreter of commands on one log: record, rotate, redact, back up, restore, slice, verify. After each of them the
//! log is intact, and holds what was acknowledged.
#![allow(clippy::missing_panics_doc, reason = "a fuzzer detects a fault by a panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sealed_log::archive::{write_archive, write_slice};
use sealed_log::entry::{Digest, LOG_CHAIN};
use sealed_log::notice::{Redaction, encode_redaction};
use sealed_log::reader::{Expectations, LogReader, SealReport, StoreSource, Verdict};
use sealed_log::redaction::{parse_kept, sealed_digest};
use sealed_log::store::{StoreNodes, StoreReader as _, StoreWriter as _};
use sealed_log::writer::Submission;
use sealed_log_sled::{LogFolder, Restoring, Writer};
use tlog::checkpoint::SignedCheckpoint;

use crate::forged::{key, read};

/// A log in a folder, and what has to be in it.
#[derive(Debug)]
pub struct Log {
    folder: PathBuf,
    writer: Option<Writer>,
    rotations: u8,
    restorations: u32,
    /// Digests of all entries that were acknowledged.
    acknowledged: Vec<Digest>,
    positions: BTreeMap<String, u64>,
    erased: BTreeSet<u64>,
}

impl Log {
    /// A new log below a folder.
    #[must_use]
    pub fn new(below: &Path) -> Self {
        let folder = below.join("log-0");
        let writer = LogFolder::new(&folder).open_writer(key(0)).expect("a new log");
        Self {
            folder,
            writer: Some(writer),
            rotations: 0,
            restorations: 0,
            acknowledged: Vec::new(),
            positions: BTreeMap::new(),
            erased: BTreeSet::new(),
        }
    }

    /// Runs a command for each byte, and verifies the log at the end.
    pub fn run(mut self, commands: &[u8]) {
        for command in commands {
            match command % 8 {
                0..=2 => self.record(*command),
                3 if self.rotations < 6 => self.rotate(),
                4 => self.redact(*command),
                5 => self.restore(),
                6 => self.slice(*command),
                _ => self.reopen(),
            }
        }
        self.reopen();
        self.verify();
    }

    fn writer(&mut self) -> &mut Writer {
        self.writer.as_mut().expect("it is open between commands")
    }

    fn signed(&mut self) -> SignedCheckpoint {
        (*self.writer().signed_checkpoint()).clone()
    }

    fn record(&mut self, command: u8) {
        let table = format!("PB-{:02}", command % 5);
        let next = self.positions.entry(table.clone()).or_insert(1);
        let count = u32::from(command / 32) + 1;
        // Some leave a gap, and some repeat what is there.
        let first =
            if command % 3 == 1 { *next + 7 } else { next.saturating_sub(u64::from(command % 2)).max(1) };
        *next = (*next).max(first + u64::from(count));
        let submission = Submission {
            producer: "pit".parse().expect("a name"),
            chain: table.parse().expect("a name"),
            first,
            count,
            received_at: i64::from(command),
            payload: vec![command; usize::from(command) * 3],
        };
        let many = vec![submission; if command.is_multiple_of(16) { 90 } else { 1 }];
        let sealed = self.writer().append(&many).expect("an open log takes entries");
        self.acknowledged.extend(sealed.entries.iter().map(|entry| entry.digest));
    }

    fn rotate(&mut self) {
        self.rotations += 1;
        let new = key(self.rotations);
        let sealed = self.writer().rotate(new, 0).expect("the next key");
        self.acknowledged.extend(sealed.entries.iter().map(|entry| entry.digest));
    }

    fn redact(&mut self, command: u8) {
        let size = self.acknowledged.len() as u64;
        let Some(index) = (u64::from(command) * 13).checked_rem(size) else { return };
        let bytes = self.writer().reader().read(index, 1).expect("readable").remove(0);
        if parse_kept(&bytes).expect("an entry").view.chain == LOG_CHAIN {
            return;
        }
        let redaction = Redaction {
            entries: vec![(index, sealed_digest(&bytes))],
            reason: "art. 17".to_owned(),
            by: "dpo".to_owned(),
            countersigned_by: "director".to_owned(),
            gone_with_them: Vec::new(),
        };
        let payload = encode_redaction(&redaction).expect("a notice");
        let sealed = self.writer().append_notice(payload, 0).expect("it names what is there");
        self.acknowledged.extend(sealed.entries.iter().map(|entry| entry.digest));
        drop(self.writer.take());
        self.erased.insert(index);
        LogFolder::new(&self.folder).erase(&[index].into()).expect("a closed log");
        self.open();
    }

    fn reopen(&mut self) {
        drop(self.writer.take());
        self.open();
    }

    fn open(&mut self) {
        let keys = (0..=self.rotations).rev().map(key).collect();
        let writer =
            LogFolder::new(&self.folder).open_writer_with(keys).expect("a log that was closed opens");
        assert_eq!(writer.reader().size(), self.acknowledged.len() as u64);
        self.writer = Some(writer);
    }

    /// A backup, and the log restored from it in place of the log.
    fn restore(&mut self) {
        let (signed, key) = (self.signed(), self.writer().verifier_key());
        let written = write_archive(Vec::new(), self.writer().reader(), &signed, &key, &BTreeSet::new());
        let archive = written.expect("a sound log is archived").0;
        self.check(&read(&archive, &crate::forged::key(0)));
        drop(self.writer.take());
        self.restorations += 1;
        let to = self.folder.with_file_name(format!("log-{}", self.restorations));
        let mut restoring = Restoring::begin(&to).expect("nothing is there");
        let source = sealed_log::archive::ArchiveSource::new(&*archive).expect("an archive");
        let mut reader = LogReader::new(source, Expectations::default());
        while let Some(window) = reader.next_window().expect("memory") {
            window.entries().for_each(|entry| restoring.push(entry.bytes).expect("a sound entry"));
        }
        restoring.seal(&signed).expect("the signed entries");
        restoring.finish().expect("a whole log");
        std::fs::remove_dir_all(&self.folder).expect("the old log is closed");
        self.folder = to;
        self.open();
    }

    /// Some entries with proofs in place of the others, and the log's own notices.
    fn slice(&mut self, command: u8) {
        let (signed, key, every) = (self.signed(), self.writer().verifier_key(), u64::from(command / 8) + 2);
        let store = self.writer().reader();
        let mut kept = BTreeMap::new();
        let size = store.size();
        while (kept.len() as u64) < size {
            let index = kept.len() as u64;
            kept.insert(index, store.read(index, 1).expect("readable").remove(0));
        }
        let is_own = |bytes: &[u8]| parse_kept(bytes).is_ok_and(|kept| kept.view.chain == LOG_CHAIN);
        kept.retain(|index, bytes| index % every == 0 || is_own(bytes));
        let slice = write_slice(Vec::new(), &StoreNodes(store), &signed, Some(&key), &kept);
        let report = read(&slice.expect("a sound log is sliced").0, &crate::forged::key(0));
        assert_eq!((report.intact, report.size), (Verdict::Yes, size), "{:?}", report.faults);
    }

    /// The log as an inspector reads it, from a private copy.
    fn verify(&mut self) {
        let scratch = tempfile::tempdir().expect("a folder");
        drop(self.writer.take());
        let (store, signed) = LogFolder::new(&self.folder).private_copy(scratch.path()).expect("a copy");
        let expectations = Expectations { verifier: Some(key(0).verifier_key()), anchors: Vec::new() };
        let mut reader = LogReader::new(StoreSource::new(store.reader(), signed, None), expectations);
        let mut digests = Vec::new();
        while let Some(window) = reader.next_window().expect("readable") {
            digests.extend(window.entries().map(|entry| entry.digest));
        }
        self.check(&reader.finish());
        assert_eq!(digests, self.acknowledged, "what was acknowledged is there, in order");
    }

    fn check(&self, report: &SealReport) {
        assert_eq!(report.intact, Verdict::Yes, "{:?}", report.faults);
        assert_eq!((report.size, report.not_erased), (self.acknowledged.len() as u64, 0));
        assert_eq!(report.withheld_entries, self.erased.iter().copied().collect::<Vec<_>>());
    }
}
