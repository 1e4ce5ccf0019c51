//! C2SP tlog-tiles, line by line, as far as it is about paths and widths: what a reader or a log must do.
#![allow(clippy::unwrap_used)]

use tlog::tile::{Tile, TreeResource};

fn is_path(path: &str) -> bool {
    path.parse::<TreeResource>().is_ok()
}

/// "`<L>` ... MUST be a decimal ASCII integer between 0 and 63, with no additional leading zeroes." No tree of less than
/// 2^64 entries has a tile above level 7, so a path to one is refused.
#[test]
fn a_level_is_a_decimal_integer_without_leading_zeroes() {
    assert!((0..=7).all(|level| is_path(&format!("tile/{level}/000.p/1"))));
    for level in ["00", "07", "8", "63", "64", "-1", "+1", "x", ""] {
        assert!(!is_path(&format!("tile/{level}/000.p/1")), "{level}");
    }
}

/// "`<N>` ... MUST be a non-negative integer encoded into zero-padded 3-digit path elements. All but the last path
/// element MUST begin with an `x`."
#[test]
fn an_index_is_in_elements_of_three_digits_all_but_the_last_with_an_x() {
    for (number, path) in [(0, "000"), (999, "999"), (1_000, "x001/000"), (1_234_067, "x001/x234/067")] {
        assert_eq!(Tile::new(0, number, 256).unwrap().to_string(), format!("tile/0/{path}"));
        assert!(is_path(&format!("tile/0/{path}")) && is_path(&format!("tile/entries/{path}")));
    }
    for path in
        ["0", "00", "0000", "x000/001", "001/234", "x001/x234", "X001/234", "x001234", "x01/234", "-01"]
    {
        assert!(!is_path(&format!("tile/0/{path}")), "{path}");
    }
}

/// "`<W>` is the width of the tile, a decimal ASCII integer between 1 and 255, with no additional leading zeroes."
/// "Empty tiles MUST NOT be served."
#[test]
fn a_width_is_1_to_255() {
    assert!([1, 9, 255].iter().all(|width| is_path(&format!("tile/0/000.p/{width}"))));
    for width in ["0", "00", "01", "256", "-1", "", "x"] {
        assert!(!is_path(&format!("tile/0/000.p/{width}")), "{width}");
    }
    assert!(Tile::new(0, 0, 0).is_err() && Tile::new(0, 0, 257).is_err());
}

/// "Full tiles MUST be exactly 256 hashes wide"; a partial tile "MUST NOT be hashed into a tile at the level above";
/// "The partial tile at level l for a tree of size s has floor(s / 256**l) mod 256 entries. Empty tiles MUST NOT be
/// served."
#[test]
fn the_tiles_of_a_tree_are_full_ones_and_one_partial_one_a_level() {
    for size in [1_u64, 255, 256, 257, 65_535, 65_536, 65_537, 70_000] {
        for level in 0..=7_u8 {
            let hashes = size >> (8 * u32::from(level)).min(63);
            let widths: Vec<u64> = Tile::of_tree(size)
                .filter(|tile| tile.level() == level)
                .map(|tile| u64::from(tile.width()))
                .collect();
            let mut expected = vec![256; (hashes / 256) as usize];
            expected.extend((hashes % 256 > 0).then_some(hashes % 256));
            assert_eq!(widths, expected, "size {size}, level {level}");
        }
    }
}

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
