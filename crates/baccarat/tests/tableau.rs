//! Every cell of every built-in tableau, against the drawing rules written out as sets of cards.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::{Draw, Points, Rulebook, builtins};

/// Values of punto's third card on which banca draws, by its two-card total.
const BANCA_DRAWS_ON: [&[u8]; 8] = [
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    &[0, 1, 2, 3, 4, 5, 6, 7, 9],
    &[2, 3, 4, 5, 6, 7],
    &[4, 5, 6, 7],
    &[6, 7],
    &[],
];
/// Two-card totals on which banca draws when punto stood.
const BANCA_DRAWS_AFTER_A_STAND: &[u8] = &[0, 1, 2, 3, 4, 5];
/// Two-card totals on which punto draws.
const PUNTO_DRAWS_ON: &[u8] = &[0, 1, 2, 3, 4, 5];

fn drawn(draws: bool) -> Draw {
    if draws { Draw::Draws } else { Draw::Stands }
}

fn points(value: u8) -> Points {
    Points::new(value).unwrap()
}

#[test]
fn every_cell_of_every_built_in_tableau_is_right() {
    for (id, text) in builtins() {
        let tableau = Rulebook::from_toml(id, text).unwrap().tableau;
        let mut cells = 0;
        for (total, draws_on) in (0..).zip(BANCA_DRAWS_ON) {
            for third in 0..=9 {
                let found = tableau.banca(points(total), Some(points(third)));
                assert_eq!(found, drawn(draws_on.contains(&third)), "{id}: banca {total} against {third}");
                cells += 1;
            }
            let found = tableau.banca(points(total), None);
            let draws = BANCA_DRAWS_AFTER_A_STAND.contains(&total);
            assert_eq!(found, drawn(draws), "{id}: banca {total} after a stand");
            cells += 1;
        }
        assert_eq!(cells, 8 * 11);
        for total in 0..=7 {
            let found = tableau.punto(points(total));
            assert_eq!(found, drawn(PUNTO_DRAWS_ON.contains(&total)), "{id}: punto {total}");
        }
    }
}

#[test]
fn naturals_never_draw() {
    for (id, text) in builtins() {
        let tableau = Rulebook::from_toml(id, text).unwrap().tableau;
        for total in [points(8), points(9)] {
            assert_eq!(tableau.punto(total), Draw::Stands, "{id}");
            let columns = (0..=9).map(|third| Some(points(third))).chain([None]);
            assert!(columns.into_iter().all(|column| tableau.banca(total, column) == Draw::Stands), "{id}");
        }
    }
}
