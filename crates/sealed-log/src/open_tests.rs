//! A store that was cut, altered, or stopped between writing and signing.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::contract::Dice;
use crate::{Batch, ChainHead, LogWriter, MemoryHead, MemoryStore, SigningKey, Submission, WriteError};

const ORIGIN: &str = "casino.example/sala/1";

fn key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

/// A log of `size` entries on three chains, and its kept head.
fn log(size: u64) -> (MemoryStore, SignedCheckpoint) {
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryHead::default(), key(), None).unwrap();
    let mut dice = Dice::new(size);
    let submission = |n: u64| Submission {
        producer: "pit".parse().unwrap(),
        chain: ChainName::new(&format!("mesa-{}", n % 3)).unwrap(),
        first: n / 3 + 1,
        count: 1,
        received_at: 0,
        payload: n.to_be_bytes().to_vec(),
    };
    while writer.store().size() < size {
        let from = writer.store().size();
        let until = size.min(from + dice.below(300) + 1);
        writer.append(&(from..until).map(submission).collect::<Vec<_>>()).unwrap();
    }
    let (store, head) = writer.into_parts();
    (store, head.newest.unwrap())
}

/// A store with one answer bent.
struct Bent<'a> {
    store: &'a MemoryStore,
    entry: Option<u64>,
    leaf: Option<u64>,
    frontier: Option<usize>,
    head: bool,
}

impl<'a> Bent<'a> {
    fn of(store: &'a MemoryStore) -> Self {
        Self { store, entry: None, leaf: None, frontier: None, head: false }
    }
}

impl Store for Bent<'_> {
    fn size(&self) -> u64 {
        self.store.size()
    }

    fn frontier(&self) -> Frontier {
        let mut bytes = self.store.frontier().to_bytes();
        if let Some(at) = self.frontier {
            bytes[8 + 32 * at] ^= 1;
        }
        Frontier::from_bytes(&bytes).unwrap()
    }

    fn append(&mut self, _: &Batch) -> Result<(), StoreError> {
        Err(StoreError::Stopped)
    }

    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut entries = self.store.read(first, most)?;
        if let Some(bent) = self.entry.and_then(|bent| entries.get_mut(bent.checked_sub(first)? as usize)) {
            *bent.last_mut().unwrap() ^= 1;
        }
        Ok(entries)
    }

    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let mut leaves = self.store.leaf_hashes(first, count)?;
        if let Some(bent) = self.leaf.and_then(|bent| leaves.get_mut(bent.checked_sub(first)? as usize)) {
            bent[0] ^= 1;
        }
        Ok(leaves)
    }

    fn chain(&self, name: &ChainName) -> Result<Option<ChainHead>, StoreError> {
        let bend = |head: ChainHead| ChainHead { index: head.index - u64::from(self.head), ..head };
        Ok(self.store.chain(name)?.map(bend))
    }

    fn locate(&self, name: &ChainName, position: u64) -> Result<Vec<u64>, StoreError> {
        self.store.locate(name, position)
    }
}

#[test]
fn honest_stores_open_at_every_critical_size() {
    for size in [0, 1, 2, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537] {
        let (store, head) = log(size);
        assert_eq!(head.checkpoint().size, size);
        let state = check_store(&store, Some(&head), &key().verifier_key()).unwrap();
        assert_eq!((state.frontier.size(), state.ahead), (size, 0));
    }
}

#[test]
fn a_store_ahead_of_its_head_opens_and_is_signed_anew() {
    let (store, _) = log(300);
    let mut part = Frontier::default();
    part.extend(&store.leaf_hashes(0, 120).unwrap());
    let head = SignedCheckpoint::sign(&crate::Checkpoint::of(ORIGIN, &part), &key()).unwrap();
    let state = check_store(&store, Some(&head), &key().verifier_key()).unwrap();
    assert_eq!(state.ahead, 180);
    let writer = LogWriter::open(store, MemoryHead::default(), key(), Some(&head)).unwrap();
    assert_eq!(writer.head().checkpoint().size, 300);
    let (_, kept) = writer.into_parts();
    assert_eq!(kept.newest.unwrap().checkpoint().size, 300);
}

#[test]
fn a_store_ahead_with_another_history_is_refused() {
    let (store, _) = log(300);
    let mut part = Frontier::default();
    part.extend(&store.leaf_hashes(1, 120).unwrap());
    let head = SignedCheckpoint::sign(&crate::Checkpoint::of(ORIGIN, &part), &key()).unwrap();
    let error = check_store(&store, Some(&head), &key().verifier_key()).unwrap_err();
    assert!(matches!(error, OpenError::Different { kept: 120 }), "{error}");
}

#[test]
fn shorter_different_headless_and_foreign_stores_are_refused() {
    let (long, long_head) = log(300);
    let (short, short_head) = log(299);
    let key = key().verifier_key();
    let refusal = |store: &MemoryStore, head| check_store(store, head, &key).unwrap_err();
    assert!(matches!(refusal(&short, Some(&long_head)), OpenError::Shorter { size: 299, kept: 300 }));
    assert!(matches!(
        refusal(&MemoryStore::new(), Some(&short_head)),
        OpenError::Shorter { size: 0, kept: 299 }
    ));
    assert!(matches!(refusal(&long, None), OpenError::HeadMissing { size: 300 }));
    let other = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    let forged = SignedCheckpoint::sign(long_head.checkpoint(), &other).unwrap();
    assert!(matches!(refusal(&long, Some(&forged)), OpenError::Head(_)));
    let mut wrong = long_head.checkpoint().clone();
    wrong.root[0] ^= 1;
    let wrong = SignedCheckpoint::sign(&wrong, &self::key()).unwrap();
    assert!(matches!(refusal(&long, Some(&wrong)), OpenError::Different { kept: 300 }));
}

#[test]
fn a_bent_right_edge_is_refused() {
    let (store, head) = log(300);
    let check = |bent: &Bent<'_>| check_store(bent, Some(&head), &key().verifier_key());
    let index_of = |result| match result {
        Err(OpenError::RightEdge { index, .. }) => Some(index),
        Ok(_) | Err(_) => None,
    };
    assert!(check(&Bent::of(&store)).is_ok());
    for index in [256, 280, 299] {
        assert_eq!(index_of(check(&Bent { entry: Some(index), ..Bent::of(&store) })), Some(index));
        assert!(index_of(check(&Bent { leaf: Some(index), ..Bent::of(&store) })).is_some());
    }
    assert!(index_of(check(&Bent { leaf: Some(7), ..Bent::of(&store) })).is_some());
    assert_eq!(index_of(check(&Bent { head: true, ..Bent::of(&store) })), Some(299));
    for at in 0..store.frontier().hashes().len() {
        let result = check(&Bent { frontier: Some(at), ..Bent::of(&store) });
        assert!(matches!(result, Err(OpenError::Different { .. })), "subtree {at}");
    }
}

#[test]
fn a_writer_on_a_refusing_store_stops_for_good() {
    let (store, head) = log(5);
    let store: &'static MemoryStore = Box::leak(Box::new(store));
    let mut writer = LogWriter::open(Bent::of(store), MemoryHead::default(), key(), Some(&head)).unwrap();
    let submissions = [Submission {
        producer: "pit".parse().unwrap(),
        chain: "mesa-1".parse().unwrap(),
        first: 1,
        count: 1,
        received_at: 0,
        payload: Vec::new(),
    }];
    assert!(matches!(writer.append(&submissions), Err(WriteError::Store(_))));
    assert!(matches!(writer.append(&submissions), Err(WriteError::Stopped)));
    assert!(writer.is_stopped());
}
