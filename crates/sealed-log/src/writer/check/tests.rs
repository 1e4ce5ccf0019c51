//! A store that was cut, altered, or stopped between writing and signing.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::fixture::{Bent, ORIGIN, key, log, signed_at, submission};
use crate::store::{MemoryReader, MemoryStore};
use crate::writer::{LogWriter, MemoryCheckpoint, WriteError};
use tlog::note::SigningKey;

#[test]
fn honest_stores_open_at_every_critical_size() {
    for size in [0, 1, 2, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537] {
        let (store, signed) = log(size);
        assert_eq!(signed.checkpoint().size, size);
        let state = check_store(&MemoryStore::of(&store), Some(&signed), &key().verifier_key()).unwrap();
        assert_eq!((state.frontier.size(), state.ahead), (size, 0));
    }
}

/// A writer goes on from this checkpoint, and keeps it outside.
fn opens_with(store: impl StoreWriter, kept: &SignedCheckpoint, newest: &SignedCheckpoint) {
    let writer = LogWriter::open(store, MemoryCheckpoint::default(), key(), Some(kept)).unwrap();
    assert_eq!(*writer.signed_checkpoint(), *newest);
    let (_, kept) = writer.into_parts();
    assert_eq!(kept.newest.unwrap(), *newest);
}

#[test]
fn a_store_ahead_of_the_checkpoint_kept_outside_opens_with_its_own() {
    let (store, newest) = log(300);
    let signed = signed_at(&store, 120);
    let state = check_store(&MemoryStore::of(&store), Some(&signed), &key().verifier_key()).unwrap();
    assert_eq!((state.signed.as_deref(), state.ahead), (Some(&newest), 0));
    opens_with(MemoryStore::of(&store), &signed, &newest);
}

#[test]
fn a_store_ahead_of_every_checkpoint_is_signed_anew() {
    let (store, newest) = log(300);
    let signed = signed_at(&store, 120);
    for (own, covered) in [(None, 120), (Some(100), 120), (Some(130), 130)] {
        let own = own.map(|size| Arc::new(signed_at(&store, size)));
        let bent = || Bent { own: own.clone(), ..Bent::of(&store) };
        let state = check_store(&bent(), Some(&signed), &key().verifier_key()).unwrap();
        assert_eq!(state.ahead, 300 - covered);
        assert_eq!(state.signed.unwrap().checkpoint().size, covered);
        opens_with(bent(), &signed, &newest);
    }
}

#[test]
fn both_checkpoints_must_agree_with_the_entries() {
    let (store, newest) = log(300);
    let kept = signed_at(&store, 120);
    let forged = |signed: &SignedCheckpoint, seed| {
        let mut other = signed.checkpoint().clone();
        other.root[0] ^= seed;
        let key = SigningKey::from_seed(ORIGIN, &[if seed == 0 { 8 } else { 7 }; 32]).unwrap();
        SignedCheckpoint::sign(&other, &key).unwrap()
    };
    let refusal = |kept: &SignedCheckpoint, own: SignedCheckpoint| {
        let bent = Bent { own: Some(Arc::new(own)), ..Bent::of(&store) };
        check_store(&bent, Some(kept), &key().verifier_key()).unwrap_err()
    };
    assert_eq!(forged(&newest, 0).checkpoint(), newest.checkpoint());
    // Its own is held against the entries whether it is newer, of the same size, or older.
    for outside in [&kept, &newest] {
        for own in [&signed_at(&store, 77), &newest] {
            for (seed, why) in [(1, "do not give the root"), (0, "does not agree with it")] {
                let error = refusal(outside, forged(own, seed));
                assert!(
                    matches!(&error, OpenError::RightEdge { index: 299, why: found } if found.contains(why)),
                    "{error}"
                );
            }
        }
    }
    assert!(matches!(refusal(&forged(&kept, 1), newest.clone()), OpenError::Different { kept: 120 }));
    assert!(matches!(refusal(&forged(&kept, 0), newest.clone()), OpenError::Checkpoint(_)));
    let (_, longer) = log(301);
    assert!(matches!(refusal(&kept, longer), OpenError::RightEdge { index: 299, .. }));
    // With none outside it is not enough that the store has one.
    let error = check_store(&MemoryStore::of(&store), None, &key().verifier_key()).unwrap_err();
    assert!(matches!(error, OpenError::CheckpointMissing { size: 300 }));
}

#[test]
fn a_store_ahead_with_another_history_is_refused() {
    let (store, _) = log(300);
    let mut part = Frontier::default();
    part.extend(&store.leaf_hashes(1, 120).unwrap());
    let signed = SignedCheckpoint::sign(&tlog::checkpoint::Checkpoint::of(ORIGIN, &part), &key()).unwrap();
    let error = check_store(&MemoryStore::of(&store), Some(&signed), &key().verifier_key()).unwrap_err();
    assert!(matches!(error, OpenError::Different { kept: 120 }), "{error}");
}

#[test]
fn shorter_different_headless_and_foreign_stores_are_refused() {
    let (long, long_checkpoint) = log(300);
    let (short, short_checkpoint) = log(299);
    let key = key().verifier_key();
    let refusal =
        |store: &MemoryReader, signed| check_store(&MemoryStore::of(store), signed, &key).unwrap_err();
    assert!(matches!(refusal(&short, Some(&long_checkpoint)), OpenError::Shorter { size: 299, kept: 300 }));
    assert!(matches!(
        refusal(MemoryStore::new().reader(), Some(&short_checkpoint)),
        OpenError::Shorter { size: 0, kept: 299 }
    ));
    assert!(matches!(refusal(&long, None), OpenError::CheckpointMissing { size: 300 }));
    let other = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    let forged = SignedCheckpoint::sign(long_checkpoint.checkpoint(), &other).unwrap();
    assert!(matches!(refusal(&long, Some(&forged)), OpenError::Checkpoint(_)));
    let mut wrong = long_checkpoint.checkpoint().clone();
    wrong.root[0] ^= 1;
    let wrong = SignedCheckpoint::sign(&wrong, &self::key()).unwrap();
    assert!(matches!(refusal(&long, Some(&wrong)), OpenError::Different { kept: 300 }));
}

#[test]
fn a_bent_right_edge_is_refused() {
    let (store, signed) = log(300);
    let check = |bent: Bent| check_store(&bent, Some(&signed), &key().verifier_key());
    let index_of = |result| match result {
        Err(OpenError::RightEdge { index, .. }) => Some(index),
        Ok(_) | Err(_) => None,
    };
    assert!(check(Bent::of(&store)).is_ok());
    for index in [256, 280, 299] {
        assert_eq!(index_of(check(Bent::of(&store).flip(index, 1))), Some(index));
        assert!(index_of(check(Bent::of(&store).flip_leaf(index))).is_some());
    }
    assert!(index_of(check(Bent::of(&store).flip_leaf(7))).is_some());
    assert_eq!(index_of(check(Bent { tips: true, ..Bent::of(&store) })), Some(299));
    for at in 0..store.frontier().hashes().len() {
        let result = check(Bent { frontier: Some(at), ..Bent::of(&store) });
        assert!(matches!(result, Err(OpenError::Different { .. })), "subtree {at}");
    }
}

#[test]
fn a_writer_on_a_refusing_store_stops_for_good() {
    let (store, signed) = log(5);
    let mut writer =
        LogWriter::open(Bent::of(&store), MemoryCheckpoint::default(), key(), Some(&signed)).unwrap();
    let submissions = [submission(5, 3)];
    assert!(matches!(writer.append(&submissions), Err(WriteError::Store(_))));
    assert!(matches!(writer.append(&submissions), Err(WriteError::Stopped)));
    assert!(writer.is_stopped());
}
