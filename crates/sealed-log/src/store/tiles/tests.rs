//! Bytes of tiles and entry bundles against the tree they are of.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::entry::Digest;
use crate::fixture::{Bent, log, signed_at};

fn bytes<S: StoreReader + ?Sized>(
    store: &S,
    path: &str,
    checkpoint: &SignedCheckpoint,
) -> Result<Vec<u8>, ResourceError> {
    resource_bytes(store, checkpoint, &path.parse().unwrap())
}

#[test]
fn tiles_are_cut_from_the_tree_and_partial_ones_begin_the_later_ones() {
    let (store, signed) = log(700);
    let leaves = store.leaf_hashes(0, 700).unwrap();
    let bytes = |path: &str, signed: &SignedCheckpoint| bytes(&store, path, signed).unwrap();
    assert_eq!(bytes("checkpoint", &signed), signed.text().as_bytes());
    assert_eq!(bytes("tile/0/001", &signed), leaves[256..512].as_flattened());
    assert_eq!(bytes("tile/0/002.p/188", &signed), leaves[512..].as_flattened());
    let above = [root_of(&leaves[..256]), root_of(&leaves[256..512])];
    assert_eq!(bytes("tile/1/000.p/2", &signed), above.as_flattened());
    let (early, late) =
        (bytes("tile/entries/001.p/7", &signed_at(&store, 263)), bytes("tile/entries/001", &signed));
    assert_eq!((early.len(), late.len()), (7 * 34, 256 * 34));
    assert!(late.starts_with(&early), "a partial block is a beginning of every later one");
    for (block, leaf) in late.chunks(34).zip(&leaves[256..]) {
        assert_eq!(block[..2], [0, 32]);
        let digest: [u8; 32] = block[2..].try_into().unwrap();
        assert_eq!(Digest::from_bytes(digest).leaf_hash(), *leaf);
    }
}

#[test]
fn nothing_beyond_the_signed_tree_is_given() {
    let (store, _) = log(700);
    let signed = signed_at(&store, 500);
    for path in
        ["tile/0/001", "tile/0/001.p/245", "tile/0/002.p/1", "tile/1/000.p/2", "tile/entries/001.p/250"]
    {
        let refused = bytes(&store, path, &signed);
        assert!(matches!(refused, Err(ResourceError::Beyond { size: 500, .. })), "{path}");
    }
    assert!(bytes(&store, "tile/0/001.p/244", &signed).is_ok());
    for resource in TreeResource::of_tree(500) {
        resource_bytes(&store, &signed, &resource).unwrap();
    }
}

#[test]
fn a_damaged_entry_is_not_handed_on_as_its_digest() {
    let (store, signed) = log(300);
    let bent = Bent::of(&store).flip(270, 1);
    let refused = bytes(&bent, "tile/entries/001.p/44", &signed);
    assert!(matches!(refused, Err(ResourceError::Store(StoreError::Damaged { index: 270, .. }))));
}

#[test]
fn hashes_a_tree_does_not_have_are_refused() {
    let (store, _) = log(600);
    assert_eq!(store.tile_hashes(1, 0, 2).unwrap().len(), 2);
    for (level, first, count) in [(1, 0, 3), (1, 2, 1), (2, 0, 1), (8, 0, 1), (1, u64::MAX, 1)] {
        assert!(store.tile_hashes(level, first, count).is_err(), "{count} of level {level} from {first}");
    }
}
