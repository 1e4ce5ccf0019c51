//! Entries and batches for the tests, the same ones on every run.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use sealed_log::entry::{ChainName, Digest, EntryHeader, ProducerId, encode_entry};
use sealed_log::store::contract::Dice;
use sealed_log::store::{StoreReader, StoredEntry, WriteBatch};
use sealed_log::writer::Submission;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;
use tlog::tree::Frontier;

pub fn key() -> SigningKey {
    SigningKey::from_seed("casino.example/test", &[7; 32]).unwrap()
}

/// The signed checkpoint of a tree.
pub fn signed(frontier: &Frontier) -> SignedCheckpoint {
    let key = key();
    SignedCheckpoint::sign(&Checkpoint::of(key.name(), frontier), &key).unwrap()
}

/// What is submitted at an index: its chain, position and bytes follow from the index alone.
pub fn submission(index: u64) -> Submission {
    let mut dice = Dice::new(index);
    let length = if index % 97 == 13 { 9_000 } else { 20 + dice.below(120) as usize };
    Submission {
        producer: ProducerId::new("pit-3").unwrap(),
        chain: ChainName::new(&format!("PB-{:02}", index % 5)).unwrap(),
        first: index / 5 + 1,
        count: 1,
        received_at: 1_790_000_000_000_000,
        payload: (0..length).map(|_| dice.below(256) as u8).collect(),
    }
}

/// Makes entries and batches that follow one another.
#[derive(Default)]
pub struct Maker {
    pub size: u64,
    pub frontier: Frontier,
    tips: std::collections::BTreeMap<ChainName, Digest>,
}

impl Maker {
    pub fn entry(&mut self, chain: &str, first: u64, count: u32, payload: &[u8]) -> StoredEntry {
        self.entry_of("pit-3", chain, first, count, payload)
    }

    /// The same by a producer.
    pub fn entry_of(
        &mut self,
        producer: &str,
        chain: &str,
        first: u64,
        count: u32,
        payload: &[u8],
    ) -> StoredEntry {
        let chain = ChainName::new(chain).unwrap();
        let header = EntryHeader {
            producer: ProducerId::new(producer).unwrap(),
            previous: self.tips.get(&chain).copied().unwrap_or(Digest::ZERO),
            chain: chain.clone(),
            first,
            count,
            received_at: 1_790_000_000_000_000,
        };
        let bytes = encode_entry(&header, payload).unwrap();
        let digest = Digest::of(&bytes);
        self.tips.insert(chain.clone(), digest);
        StoredEntry { bytes, digest, chain, first, count }
    }

    pub fn batch(&mut self, entries: Vec<StoredEntry>) -> WriteBatch {
        let first_index = self.size;
        for entry in &entries {
            self.frontier.push_leaf(entry.digest.leaf_hash());
        }
        self.size = self.frontier.size();
        let signed = Some(Arc::new(signed(&self.frontier)));
        WriteBatch { first_index, entries, frontier: self.frontier.clone(), signed }
    }

    /// The next `count` entries, each as [`submission`] says.
    pub fn next(&mut self, count: u64) -> WriteBatch {
        let numbers = self.size..self.size + count;
        let entries = numbers
            .map(|index| {
                let wanted = submission(index);
                self.entry(wanted.chain.as_str(), wanted.first, wanted.count, &wanted.payload)
            })
            .collect();
        self.batch(entries)
    }
}

/// Everything a store holds, by as many reads as it takes.
pub fn read_all(store: &impl StoreReader) -> Result<Vec<Vec<u8>>, sealed_log::store::StoreError> {
    let mut entries = Vec::new();
    while (entries.len() as u64) < store.size() {
        let read = store.read(entries.len() as u64, 500)?;
        assert!(!read.is_empty(), "a read before the end gives at least one entry");
        entries.extend(read);
    }
    Ok(entries)
}

/// Copies a folder with everything below it; a file that goes meanwhile is left out.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for item in std::fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        let target = to.join(item.file_name());
        if item.file_type().unwrap().is_dir() {
            copy(&item.path(), &target);
        } else {
            match std::fs::copy(item.path(), target) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                copied => drop(copied.unwrap()),
            }
        }
    }
}

/// All files below a folder, in order.
pub fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for item in std::fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// Changes a closed store through sled itself.
pub fn below(path: &Path, change: impl FnOnce(&sled::Db)) {
    let database = sled::Config::new().path(path).open().unwrap();
    change(&database);
    database.flush().unwrap();
    drop(database);
    // Sled's threads let go of its file a moment later.
    while std::fs::File::open(path.join("db")).unwrap().try_lock().is_err() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}
