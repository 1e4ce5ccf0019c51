//! What every [`Store`] must do, as a suite that a store's own tests call.
//!
//! ```
//! sealed_log::contract::store_contract(sealed_log::MemoryStore::new);
//! ```

use crate::{
    Batch, ChainHead, ChainName, Checkpoint, Digest, EntryHeader, Frontier, MAX_ENTRY_BYTES, ProducerId,
    SignedCheckpoint, SigningKey, Store, StoreError, StoredEntry, TreeHash, encode_entry, leaf_hash, root_of,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Runs the whole suite; `make` gives a new, empty store each time.
///
/// # Panics
/// When the store breaks the contract; the message says in what.
pub fn store_contract<S: Store>(mut make: impl FnMut() -> S) {
    empty_store(&make());
    wrong_index(make());
    gaps_and_conflicts(make());
    sizes_of_entries(make());
    several_chains_in_one_batch(make());
    for (seed, most) in [(1, 1), (2, 3), (3, 40), (4, 300), (5, 1_000)] {
        random_splits(make(), seed, most);
    }
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
#[derive(Debug, Default)]
struct Expected {
    entries: Vec<StoredEntry>,
    heads: BTreeMap<ChainName, ChainHead>,
    frontier: Frontier,
    /// The newest signed head that came with a batch: not each has one.
    head: Option<Arc<SignedCheckpoint>>,
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
        let kept = self.heads.get(&chain).map(|head| head.digest);
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

    fn batch(&self, entries: Vec<StoredEntry>) -> Batch {
        let mut frontier = self.frontier.clone();
        frontier.extend(&leaves_of(&entries));
        let head = (!frontier.size().is_multiple_of(3)).then(|| Arc::new(signed(&frontier)));
        Batch { first_index: self.entries.len() as u64, entries, frontier, head }
    }

    fn append<S: Store>(&mut self, store: &mut S, entries: Vec<StoredEntry>) {
        let batch = self.batch(entries);
        store.append(&batch).expect("a batch at the store's end is appended");
        for (index, entry) in (batch.first_index..).zip(&batch.entries) {
            let before = self.heads.get(&entry.chain).map_or(0, |head| head.last);
            let last = before.max(entry.first + u64::from(entry.count) - 1);
            self.heads.insert(entry.chain.clone(), ChainHead { digest: entry.digest, index, last });
        }
        self.entries.extend(batch.entries);
        self.frontier = batch.frontier;
        self.head = batch.head.or_else(|| self.head.take());
    }

    fn covering(&self, chain: &ChainName, position: u64) -> Vec<u64> {
        let covers = |entry: &StoredEntry| {
            entry.chain == *chain
                && position >= entry.first
                && position - entry.first < u64::from(entry.count)
        };
        (0..).zip(&self.entries).filter(|(_, entry)| covers(entry)).map(|(index, _)| index).collect()
    }

    fn check_ends<S: Store>(&self, store: &S) {
        assert_eq!(store.size(), self.entries.len() as u64, "size");
        assert_eq!(store.frontier(), self.frontier, "the frontier of the last batch");
        assert_eq!(store.head(), self.head, "the newest signed head");
        for (chain, head) in &self.heads {
            let found = store.chain(chain).expect("a chain's head is readable");
            assert_eq!(found.as_ref(), Some(head), "head of chain {chain}");
        }
    }

    fn check_all<S: Store>(&self, store: &S) {
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
    fn check_tiles<S: Store>(&self, store: &S, leaves: &[TreeHash]) {
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
    entries.iter().map(|entry| leaf_hash(&entry.digest)).collect()
}

/// Everything from `first`, by as many reads as it takes.
fn read_from<S: Store>(store: &S, first: u64, most: usize) -> Vec<Vec<u8>> {
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
    let head = Checkpoint::of(key.name(), frontier);
    SignedCheckpoint::sign(&head, &key).expect("the suite's heads can be signed")
}

fn empty_store<S: Store>(store: &S) {
    let nobody = ChainName::new("nobody").expect("the suite's chain names are well-formed");
    assert_eq!(store.size(), 0, "a new store is empty");
    assert_eq!(store.frontier(), Frontier::default(), "a new store's frontier is empty");
    assert_eq!(store.head(), None, "a new store has no signed head");
    assert!(store.read(0, 10).expect("an empty store is readable").is_empty());
    assert!(store.read(u64::MAX, 10).expect("reading past the end is no error").is_empty());
    assert!(store.leaf_hashes(0, 0).expect("no leaf hashes are readable").is_empty());
    assert!(store.leaf_hashes(0, 1).is_err(), "leaf hashes past the end are refused");
    assert_eq!(store.chain(&nobody).expect("chains are readable"), None);
    assert!(store.locate(&nobody, 1).expect("positions are readable").is_empty());
}

fn wrong_index<S: Store>(mut store: S) {
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
    expected.check_all(&store);
}

fn gaps_and_conflicts<S: Store>(mut store: S) {
    let mut expected = Expected::default();
    // Positions 1-10, a gap, 20-20, an overlap 8-21, the gap filled late, a far end, and another chain.
    let places = [("t", 1, 10), ("t", 20, 1), ("t", 8, 14), ("u", 1, 30), ("t", 11, 9), ("t", 5_000, 4_096)];
    for (chain, first, count) in places {
        let entry = expected.entry(&[], chain, first, count, chain.as_bytes());
        expected.append(&mut store, vec![entry]);
    }
    check_places(&expected, &store);
    expected.check_all(&store);
    // Push them far from the store's end, where a store may keep them in another form.
    for round in 0..3 {
        let filler: Vec<_> =
            (0..300).map(|n| expected.entry(&[], "filler", round * 300 + n + 1, 1, b"f")).collect();
        expected.append(&mut store, filler);
    }
    check_places(&expected, &store);
}

fn check_places<S: Store>(expected: &Expected, store: &S) {
    for chain in ["t", "u", "nobody"] {
        let chain = ChainName::new(chain).expect("the suite's chain names are well-formed");
        for position in (0..40).chain([4_999, 5_000, 9_095, 9_096, u64::MAX]) {
            let found = store.locate(&chain, position).expect("positions are readable");
            assert_eq!(found, expected.covering(&chain, position), "chain {chain}, position {position}");
        }
    }
}

fn sizes_of_entries<S: Store>(mut store: S) {
    let mut expected = Expected::default();
    let overhead = expected.entry(&[], "t", 1, 1, &[0; 60_000]).bytes.len() - 60_000;
    let sizes = [0, 1, 100, 16_000, 17_000, 60_000, MAX_ENTRY_BYTES - overhead];
    for size in sizes.into_iter().cycle().take(21) {
        let entry = expected.entry(&[], "t", 1, 1, &vec![size as u8; size]);
        expected.append(&mut store, vec![entry]);
    }
    expected.check_all(&store);
}

fn several_chains_in_one_batch<S: Store>(mut store: S) {
    let mut expected = Expected::default();
    for round in 0..3 {
        let mut entries = Vec::new();
        for n in 0..700_u64 {
            let first = round * 100 + n / 7 + 1;
            entries.push(expected.entry(&entries, &format!("chain-{}", n % 7), first, 1, &n.to_be_bytes()));
        }
        expected.append(&mut store, entries);
        expected.check_all(&store);
    }
    let third = ChainName::new("chain-3").expect("the suite's chain names are well-formed");
    assert_eq!(store.locate(&third, 150).expect("positions are readable"), expected.covering(&third, 150));
}

fn random_splits<S: Store>(mut store: S, seed: u64, most: u64) {
    let mut dice = Dice::new(seed);
    let mut expected = Expected::default();
    let batches = if most < 10 { 300 } else { 12 };
    for _ in 0..batches {
        let mut entries = Vec::new();
        for _ in 0..=dice.below(most) {
            let chain = format!("chain-{}", dice.below(5));
            let payload = vec![dice.below(256) as u8; dice.below(400) as usize];
            let (first, count) = (dice.below(1_000) + 1, dice.below(20) as u32 + 1);
            entries.push(expected.entry(&entries, &chain, first, count, &payload));
        }
        expected.append(&mut store, entries);
        expected.check_ends(&store);
        check_some_reads(&expected, &store, &mut dice);
    }
    expected.check_all(&store);
}

fn check_some_reads<S: Store>(expected: &Expected, store: &S, dice: &mut Dice) {
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
