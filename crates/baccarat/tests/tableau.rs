//! Every cell of every built-in tableau, against the drawing rules written out as sets of cards.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::{BancaPlay, Draw, Game, Points, Rulebook, builtin, builtins};

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
    for rulebook in builtins().map(|(id, text)| Rulebook::from_toml(id, text).unwrap()) {
        if rulebook.game() == Game::CheminDeFer {
            continue;
        }
        let (id, tableau) = (rulebook.id, rulebook.tableau);
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

/// 45.2: the table of punto y banca with two exceptions; 45.1: punto chooses with 5.
#[test]
fn the_chart_of_chemin_de_fer_leaves_three_choices() {
    let book = builtin("chemin-de-fer-catalogo").unwrap();
    let mut choices = Vec::new();
    for (total, draws_on) in (0..).zip(BANCA_DRAWS_ON) {
        for third in (0..=9).map(Some).chain([None]) {
            let column = third.map(points);
            let usual = third.map_or(BANCA_DRAWS_AFTER_A_STAND.contains(&total), |t| draws_on.contains(&t));
            let cell = book.banca_draw(points(total), column, BancaPlay::Chart);
            if cell == Draw::Optional {
                choices.push((total, third));
            } else {
                assert_eq!(cell, drawn(usual), "banca {total} against {third:?}");
            }
            let free = if total == 0 { Draw::Draws } else { Draw::Optional };
            assert_eq!(book.banca_draw(points(total), column, BancaPlay::Free), free, "{total}");
        }
    }
    assert_eq!(choices, [(3, Some(9)), (5, Some(4))]);
    for (total, third) in choices {
        let column = third.map(points);
        assert_eq!(book.banca_draw(points(total), column, BancaPlay::ChartDrawing), Draw::Draws);
    }
    for total in 0..=7 {
        let usual = if total == 5 { Draw::Optional } else { drawn(PUNTO_DRAWS_ON.contains(&total)) };
        assert_eq!(book.punto_draw(points(total), false, false), usual, "punto {total}");
        assert_eq!(book.punto_draw(points(total), true, false), Draw::Optional, "punto {total}, free");
        let advised = if total == 5 { Draw::Stands } else { usual };
        assert_eq!(book.punto_draw(points(total), false, true), advised, "punto {total}, advised");
    }
}

/// The gazette prints the chart of section 08 as a picture that its text lacks.
#[test]
fn the_orden_states_no_cell_of_the_chart_but_for_zero() {
    let book = builtin("chemin-de-fer-es-1979").unwrap();
    for total in 0..=7 {
        for column in (0..=9).map(|third| Some(points(third))).chain([None]) {
            let cell = if total == 0 { Draw::Draws } else { Draw::Unstated };
            assert_eq!(book.banca_draw(points(total), column, BancaPlay::Chart), cell, "{total} {column:?}");
        }
    }
}
