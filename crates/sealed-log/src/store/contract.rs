//! What every [`StoreReader`] and [`StoreWriter`] must do, as a suite that a store's own tests call.
//!
//! ```
//! use sealed_log::store::MemoryStore;
//! use sealed_log::store::contract::store_contract;
//!
//! store_contract(MemoryStore::new);
//! ```

use crate::entry::{ChainName, Digest, EntryHeader, MAX_ENTRY_BYTES, ProducerId, encode_entry};
use crate::store::{ChainTip, StoreError, StoreReader, StoreWriter, StoredEntry, WriteBatch};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;
use tlog::tree::{Frontier, TreeHash, root_of};

/// Runs the whole suite; `make` gives a new, empty store each time.
///
/// # Panics
/// When the store breaks the contract; the message says in what.
pub fn store_contract<S: StoreWriter>(mut make: impl FnMut() -> S) {
    empty_store(&make());
    wrong_index(make());
    gaps_and_conflicts(make());
    sizes_of_entries(make());
    several_chains_in_one_batch(make());
    for (seed, most) in [(1, 1), (2, 3), (3, 40), (4, 300), (5, 1_000)] {
        random_splits(make(), seed, most);
        what_a_reader_shows_stays(make(), seed, most);
    }
    readers_beside_the_writer(make());
    positions_far_apart(make());
}

/// A linear congruential generator (Knuth's MMIX numbers): the same numbers on every machine.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// A generator started from `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below `below`, which must not be 0.
    pub const fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// What the store should hold, and the means to make more of it.
#[derive(Debug, Clone, Default)]
struct Expected {
    entries: Vec<StoredEntry>,
    tips: BTreeMap<ChainName, ChainTip>,
    frontier: Frontier,
    /// The newest signed checkpoint that came with a batch: not each has one.
    signed: Option<Arc<SignedCheckpoint>>,
}

impl Expected {
    /// A new entry at the end of a chain's links, wherever its positions lie.
    fn entry(
        &self,
        pending: &[StoredEntry],
        chain: &str,
        first: u64,
        count: u32,
        payload: &[u8],
    ) -> StoredEntry {
        let chain = ChainName::new(chain).expect("the suite's chain names are well-formed");
        let newest = pending.iter().rev().find(|entry| entry.chain == chain).map(|entry| entry.digest);
        let kept = self.tips.get(&chain).map(|tip| tip.digest);
        let header = EntryHeader {
            producer: ProducerId::new("contract").expect("the suite's producer id is well-formed"),
            chain: chain.clone(),
            first,
            count,
            previous: newest.or(kept).unwrap_or(Digest::ZERO),
            received_at: 1_000_000,
        };
        let bytes = encode_entry(&header, payload).expect("the suite's entries are well-formed");
        StoredEntry { digest: Digest::of(&bytes), bytes, chain, first, count }
    }

    fn batch(&self, entries: Vec<StoredEntry>) -> WriteBatch {
        let mut frontier = self.frontier.clone();
        frontier.extend(&leaves_of(&entries));
        let signed = (!frontier.size().is_multiple_of(3)).then(|| Arc::new(signed(&frontier)));
        WriteBatch { first_index: self.entries.len() as u64, entries, frontier, signed }
    }

    fn append<S: StoreWriter>(&mut self, store: &mut S, entries: Vec<StoredEntry>) {
        let batch = self.batch(entries);
        store.append(&batch).expect("a batch at the store's end is appended");
        for (index, entry) in (batch.first_index..).zip(&batch.entries) {
            let before = self.tips.get(&entry.chain).map_or(0, |tip| tip.last);
            let last = before.max(entry.first + u64::from(entry.count) - 1);
            self.tips.insert(entry.chain.clone(), ChainTip { digest: entry.digest, index, last });
        }
        self.entries.extend(batch.entries);
        self.frontier = batch.frontier;
        self.signed = batch.signed.or_else(|| self.signed.take());
    }

    fn covering(&self, chain: &ChainName, position: u64) -> Vec<u64> {
        let covers = |entry: &StoredEntry| {
            entry.chain == *chain
                && position >= entry.first
                && position - entry.first < u64::from(entry.count)
        };
        (0..).zip(&self.entries).filter(|(_, entry)| covers(entry)).map(|(index, _)| index).collect()
    }

    fn check_ends<S: StoreReader>(&self, store: &S) {
        assert_eq!(store.size(), self.entries.len() as u64, "size");
        assert_eq!(store.frontier(), self.frontier, "the frontier of the last batch");
        assert_eq!(store.signed_checkpoint(), self.signed, "the newest signed checkpoint");
    }

    fn check_chains<S: StoreWriter>(&self, store: &S) {
        for (chain, tip) in &self.tips {
            let found = store.chain(chain).expect("a chain's checkpoint is readable");
            assert_eq!(found.as_ref(), Some(tip), "tip of chain {chain}");
        }
    }

    fn check_all<S: StoreReader>(&self, store: &S) {
        self.check_ends(store);
        let bytes = self.entries.iter().map(|entry| entry.bytes.clone()).collect::<Vec<_>>();
        for most in [1, 100, 256, 5_000] {
            assert_eq!(read_from(store, 0, most), bytes, "all entries, read {most} at once");
        }
        let leaves = store.leaf_hashes(0, self.entries.len()).expect("leaf hashes are readable");
        assert_eq!(leaves, leaves_of(&self.entries), "leaf hashes");
        let mut recomputed = Frontier::default();
        recomputed.extend(&leaves);
        assert_eq!(recomputed, store.frontier(), "the frontier follows from the leaf hashes");
        self.check_tiles(store, &leaves);
    }

    /// Level 1 of the tiles; higher ones need more entries than the suite writes.
    fn check_tiles<S: StoreReader>(&self, store: &S, leaves: &[TreeHash]) {
        let above: Vec<TreeHash> = leaves.as_chunks::<256>().0.iter().map(|tile| root_of(tile)).collect();
        for first in 0..=above.len() {
            let found = store.tile_hashes(1, first as u64, above.len() - first).expect("tiles are readable");
            assert_eq!(found, above[first..], "hashes of level 1 from {first}");
        }
        assert_eq!(store.tile_hashes(0, 0, leaves.len()).expect("level 0 is readable"), leaves);
        for (level, first, count) in [(1, above.len(), 1), (1, 0, above.len() + 1), (2, 0, 1), (9, 0, 1)] {
            let found = store.tile_hashes(level, first as u64, count);
            assert!(found.is_err(), "{count} hashes of level {level} from {first} are not there");
        }
    }
}

fn leaves_of(entries: &[StoredEntry]) -> Vec<TreeHash> {
    entries.iter().map(|entry| entry.digest.leaf_hash()).collect()
}

/// Everything from `first`, by as many reads as it takes.
fn read_from<S: StoreReader>(store: &S, first: u64, most: usize) -> Vec<Vec<u8>> {
    let mut entries: Vec<Vec<u8>> = Vec::new();
    loop {
        let next = first + entries.len() as u64;
        let read = store.read(next, most).expect("entries are readable");
        assert!(read.len() <= most, "at most {most} entries were asked for");
        assert_eq!(read.is_empty(), next >= store.size(), "a read gives nothing only at the end");
        if read.is_empty() {
            return entries;
        }
        entries.extend(read);
    }
}

fn signed(frontier: &Frontier) -> SignedCheckpoint {
    let key =
        SigningKey::from_seed("contract.invalid/log", &[3; 32]).expect("the suite's key is well-formed");
    let checkpoint = Checkpoint::of(key.name(), frontier);
    SignedCheckpoint::sign(&checkpoint, &key).expect("the suite's checkpoints can be signed")
}

fn empty_store<S: StoreWriter>(store: &S) {
    let reader = store.reader();
    let nobody = ChainName::new("nobody").expect("the suite's chain names are well-formed");
    assert_eq!(reader.size(), 0, "a new store is empty");
    assert_eq!(reader.frontier(), Frontier::default(), "a new store's frontier is empty");
    assert_eq!(reader.signed_checkpoint(), None, "a new store has no signed checkpoint");
    assert!(reader.read(0, 10).expect("an empty store is readable").is_empty());
    assert!(reader.read(u64::MAX, 10).expect("reading past the end is no error").is_empty());
    assert!(reader.leaf_hashes(0, 0).expect("no leaf hashes are readable").is_empty());
    assert!(reader.leaf_hashes(0, 1).is_err(), "leaf hashes past the end are refused");
    assert_eq!(store.chain(&nobody).expect("chains are readable"), None);
    assert!(reader.locate(&nobody, 1).expect("positions are readable").is_empty());
}

fn wrong_index<S: StoreWriter>(mut store: S) {
    let mut expected = Expected::default();
    let one = expected.entry(&[], "t", 1, 1, b"one");
    expected.append(&mut store, vec![one]);
    for wrong in [0, 2, u64::MAX] {
        let mut batch = expected.batch(vec![expected.entry(&[], "t", 2, 1, b"two")]);
        batch.first_index = wrong;
        match store.append(&batch) {
            Err(StoreError::WrongIndex { given, size: 1 }) if given == wrong => {}
            // The first refusal may have stopped the store.
            Err(StoreError::Stopped) if wrong != 0 => {}
            other => panic!("a batch at {wrong} in a store of 1 must be a WrongIndex, not {other:?}"),
        }
    }
    expected.check_all(store.reader());
}

fn gaps_and_conflicts<S: StoreWriter>(mut store: S) {
    let mut expected = Expected::default();
    // Positions 1-10, a gap, 20-20, an overlap 8-21, the gap filled late, a far end, and another chain.
    let covered = [("t", 1, 10), ("t", 20, 1), ("t", 8, 14), ("u", 1, 30), ("t", 11, 9), ("t", 5_000, 4_096)];
    for (chain, first, count) in covered {
        let entry = expected.entry(&[], chain, first, count, chain.as_bytes());
        expected.append(&mut store, vec![entry]);
    }
    check_positions(&expected, store.reader());
    expected.check_all(store.reader());
    // Push them far from the store's end, where a store may keep them in another form.
    for round in 0..3 {
        let filler: Vec<_> =
            (0..300).map(|n| expected.entry(&[], "filler", round * 300 + n + 1, 1, b"f")).collect();
        expected.append(&mut store, filler);
    }
    check_positions(&expected, store.reader());
}

fn check_positions<S: StoreReader>(expected: &Expected, store: &S) {
    for chain in ["t", "u", "nobody"] {
        let chain = ChainName::new(chain).expect("the suite's chain names are well-formed");
        for position in (0..40).chain([4_999, 5_000, 9_095, 9_096, u64::MAX]) {
            let found = store.locate(&chain, position).expect("positions are readable");
            assert_eq!(found, expected.covering(&chain, position), "chain {chain}, position {position}");
        }
    }
}

fn sizes_of_entries<S: StoreWriter>(mut store: S) {
    let mut expected = Expected::default();
    let overhead = expected.entry(&[], "t", 1, 1, &[0; 60_000]).bytes.len() - 60_000;
    let sizes = [0, 1, 100, 16_000, 17_000, 60_000, MAX_ENTRY_BYTES - overhead];
    for size in sizes.into_iter().cycle().take(21) {
        let entry = expected.entry(&[], "t", 1, 1, &vec![size as u8; size]);
        expected.append(&mut store, vec![entry]);
    }
    expected.check_all(store.reader());
}

fn several_chains_in_one_batch<S: StoreWriter>(mut store: S) {
    let mut expected = Expected::default();
    for round in 0..3 {
        let mut entries = Vec::new();
        for n in 0..700_u64 {
            let first = round * 100 + n / 7 + 1;
            entries.push(expected.entry(&entries, &format!("chain-{}", n % 7), first, 1, &n.to_be_bytes()));
        }
        expected.append(&mut store, entries);
        expected.check_all(store.reader());
    }
    let third = ChainName::new("chain-3").expect("the suite's chain names are well-formed");
    let found = store.reader().locate(&third, 150);
    assert_eq!(found.expect("positions are readable"), expected.covering(&third, 150));
}

fn random_splits<S: StoreWriter>(mut store: S, seed: u64, most: u64) {
    let mut dice = Dice::new(seed);
    let mut expected = Expected::default();
    let batches = if most < 10 { 300 } else { 12 };
    for _ in 0..batches {
        random_batch(&mut expected, &mut store, most, &mut dice);
        expected.check_ends(store.reader());
        expected.check_chains(&store);
        check_some_reads(&expected, store.reader(), &mut dice);
    }
    expected.check_all(store.reader());
}

fn random_batch<S: StoreWriter>(expected: &mut Expected, store: &mut S, most: u64, dice: &mut Dice) {
    let mut entries = Vec::new();
    for _ in 0..=dice.below(most) {
        let chain = format!("chain-{}", dice.below(5));
        let payload = vec![dice.below(256) as u8; dice.below(400) as usize];
        let (first, count) = (dice.below(1_000) + 1, dice.below(20) as u32 + 1);
        entries.push(expected.entry(&entries, &chain, first, count, &payload));
    }
    expected.append(store, entries);
}

/// Readers taken at one time or another show what there was, however much came after.
fn what_a_reader_shows_stays<S: StoreWriter>(mut store: S, seed: u64, most: u64) {
    let mut dice = Dice::new(seed);
    let mut expected = Expected::default();
    let mut readers = vec![(expected.clone(), store.reader().clone())];
    let batches = if most < 10 { 200 } else { 10 };
    for _ in 0..batches {
        random_batch(&mut expected, &mut store, most, &mut dice);
        if dice.below(10) == 0 || most >= 10 {
            readers.push((expected.clone(), store.reader().clone()));
        }
    }
    for (expected, reader) in &readers {
        expected.check_all(reader);
        if !expected.entries.is_empty() {
            (0..20).for_each(|_| check_some_reads(expected, reader, &mut dice));
        }
    }
}

/// Threads that read while appends go on see each state whole.
fn readers_beside_the_writer<S: StoreWriter>(mut store: S) {
    let mut expected = Expected::default();
    std::thread::scope(|scope| {
        let mut dice = Dice::new(7);
        for _ in 0..40 {
            random_batch(&mut expected, &mut store, 40, &mut dice);
            let (then, reader, mut dice) = (expected.clone(), store.reader().clone(), dice.clone());
            scope.spawn(move || {
                (0..10).for_each(|_| check_some_reads(&then, &reader, &mut dice));
                then.check_all(&reader);
            });
        }
    });
}

/// Positions that alternate low and high, so that each stretch of the log covers nearly all of them.
fn positions_far_apart<S: StoreWriter>(mut store: S) {
    let mut expected = Expected::default();
    for round in 0..4_u64 {
        let mut entries = Vec::new();
        for n in 0..300 {
            let (low, far) = (round * 300 + n + 1, u64::MAX - 5_000 - n);
            entries.push(expected.entry(&entries, "t", low, 1, b"low"));
            entries.push(expected.entry(&entries, "t", far, 1 + (n % 4_096) as u32, b"far"));
        }
        expected.append(&mut store, entries);
    }
    let chain = ChainName::new("t").expect("the suite's chain names are well-formed");
    for position in (0..1_205).step_by(7).chain((u64::MAX - 5_400..u64::MAX - 4_600).step_by(13)) {
        let found = store.reader().locate(&chain, position).expect("positions are readable");
        assert_eq!(found, expected.covering(&chain, position), "position {position}");
    }
    let mut shown = Vec::new();
    let all = store.reader().visit(&chain, 10..=19, &mut |index, bytes| {
        shown.push((index, bytes.to_vec()));
        ControlFlow::Continue(())
    });
    all.expect("positions are readable");
    shown.sort();
    let wanted = (18..38).step_by(2).map(|index| (index, expected.entries[index as usize].bytes.clone()));
    assert!(shown.into_iter().eq(wanted), "the entries that cover positions 10 to 19, each once");
    let mut seen = 0;
    let broken_off = store.reader().visit(&chain, 0..=u64::MAX, &mut |_, _| {
        seen += 1;
        if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    broken_off.expect("positions are readable");
    assert_eq!(seen, 5, "a visit that breaks off is shown no more");
}

fn check_some_reads<S: StoreReader>(expected: &Expected, store: &S, dice: &mut Dice) {
    let size = expected.entries.len() as u64;
    let (first, most) = (dice.below(size), dice.below(600) as usize + 1);
    let read = store.read(first, most).expect("entries are readable");
    assert!((1..=most).contains(&read.len()), "one to {most} entries from {first} of {size}");
    let from = &expected.entries[first as usize..];
    assert!(
        read.iter().eq(from[..read.len()].iter().map(|entry| &entry.bytes)),
        "{} entries from {first}",
        read.len()
    );
    let count = dice.below(size - first + 1) as usize;
    let leaves = store.leaf_hashes(first, count).expect("leaf hashes are readable");
    assert_eq!(leaves, leaves_of(&from[..count]), "{count} leaf hashes from {first}");
    assert!(store.leaf_hashes(first, from.len() + 1).is_err(), "leaf hashes past the end are refused");
    let chain =
        ChainName::new(&format!("chain-{}", dice.below(6))).expect("the suite's chain names are well-formed");
    let position = dice.below(1_020);
    let found = store.locate(&chain, position).expect("positions are readable");
    assert_eq!(found, expected.covering(&chain, position), "chain {chain}, position {position}");
}
