//! Names, widths and bytes of tiles against the examples of C2SP tlog-tiles.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::Digest;
use crate::fixture::{Bent, head_at, log};
use crate::tree::root_of;

#[test]
fn the_specification_s_examples() {
    let tile = Tile::new(0, 1_234_067, 256).unwrap();
    assert_eq!(tile.to_string(), "tile/0/x001/x234/067");
    // "a tree of size 70,000 will be represented by 273 full level 0 tiles, one partial level 0
    // tile of width 112, one full level 1 tile, one partial level 1 tile of width 17, and one
    // partial level 2 tile of width 1"
    let tiles: Vec<(u8, u16)> =
        Tile::of_tree(70_000).skip(272).map(|tile| (tile.level(), tile.width())).collect();
    assert_eq!(tiles, [(0, 256), (0, 112), (1, 256), (1, 17), (2, 1)]);
    assert_eq!(Tile::of_tree(70_000).count(), 277);
    let names: Vec<String> = Tile::of_tree(256).map(|tile| tile.to_string()).collect();
    assert_eq!(names, ["tile/0/000", "tile/1/000.p/1"]);
    assert_eq!(Tile::of_tree(0).count(), 0);
    assert_eq!(Tile::of_tree(u64::MAX).last().map(|tile| (tile.level(), tile.width())), Some((7, 255)));
}

#[test]
fn every_path_has_one_spelling() {
    for path in [
        "checkpoint",
        "tile/0/000",
        "tile/0/000.p/1",
        "tile/7/000.p/255",
        "tile/1/x001/234",
        "tile/entries/x001/x234/067.p/5",
    ] {
        assert_eq!(path.parse::<TreeResource>().unwrap().to_string(), path);
    }
    for path in [
        "",
        "/checkpoint",
        "tile/0",
        "tile/0/0",
        "tile/00/000",
        "tile/8/000",
        "tile/64/000",
        "tile/-1/000",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/x000/001",
        "tile/0/001/234",
        "tile/0/x001/x234",
        "tile/0/1234",
        "tile/0/x001234",
        "tile/0/+00",
        "tile/entries/000/",
        "tile/7/001",
        "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
        "tile/../000",
    ] {
        let refused = path.parse::<TreeResource>();
        assert!(matches!(refused, Err(ResourceError::Path(_))), "{path} {refused:?}");
    }
}

#[test]
fn tiles_are_cut_from_the_tree_and_partial_ones_begin_the_later_ones() {
    let (store, head) = log(700);
    let leaves = store.leaf_hashes(0, 700).unwrap();
    let bytes = |path: &str, head: &SignedCheckpoint| {
        path.parse::<TreeResource>().unwrap().bytes(&store, head).unwrap()
    };
    assert_eq!(bytes("checkpoint", &head), head.text().as_bytes());
    assert_eq!(bytes("tile/0/001", &head), leaves[256..512].as_flattened());
    assert_eq!(bytes("tile/0/002.p/188", &head), leaves[512..].as_flattened());
    let above = [root_of(&leaves[..256]), root_of(&leaves[256..512])];
    assert_eq!(bytes("tile/1/000.p/2", &head), above.as_flattened());
    let (early, late) =
        (bytes("tile/entries/001.p/7", &head_at(&store, 263)), bytes("tile/entries/001", &head));
    assert_eq!((early.len(), late.len()), (7 * 34, 256 * 34));
    assert!(late.starts_with(&early), "a partial bundle is a beginning of every later one");
    for (bundle, leaf) in late.chunks(34).zip(&leaves[256..]) {
        assert_eq!(bundle[..2], [0, 32]);
        let digest: [u8; 32] = bundle[2..].try_into().unwrap();
        assert_eq!(leaf_hash(&Digest::from_bytes(digest)), *leaf);
    }
}

#[test]
fn nothing_beyond_the_signed_tree_is_given() {
    let (store, _) = log(700);
    let head = head_at(&store, 500);
    for path in
        ["tile/0/001", "tile/0/001.p/245", "tile/0/002.p/1", "tile/1/000.p/2", "tile/entries/001.p/250"]
    {
        let refused = path.parse::<TreeResource>().unwrap().bytes(&store, &head);
        assert!(matches!(refused, Err(ResourceError::Beyond { size: 500, .. })), "{path}");
    }
    assert!("tile/0/001.p/244".parse::<TreeResource>().unwrap().bytes(&store, &head).is_ok());
    for resource in TreeResource::of_tree(500) {
        resource.bytes(&store, &head).unwrap();
    }
}

#[test]
fn a_damaged_entry_is_not_handed_on_as_its_digest() {
    let (store, head) = log(300);
    let bent = Bent::of(&store).flip(270, 1);
    let refused = "tile/entries/001.p/44".parse::<TreeResource>().unwrap().bytes(&bent, &head);
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
