//! Paths and widths of tiles against the examples of C2SP tlog-tiles.
#![allow(clippy::unwrap_used)]

use super::*;

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
        assert!(refused.is_err(), "{path} {refused:?}");
    }
}
