//! Compares the tableau with the one that every complete source has, and counts the coups it plays differently.

use super::{Code, Finding};
use crate::exact::{Fraction, draws, draws_played_otherwise};
use crate::sentence::{Sentence, sentence};
use crate::{Columns, Draw, Game, Points, Rulebook, Tableau};

pub(super) fn departures(rulebook: &Rulebook, found: &mut Vec<Finding>) {
    if rulebook.game() == Game::CheminDeFer {
        // The share of coups played differently depends on the choices of the players.
        return departures_of_draft(rulebook, found);
    }
    match rulebook.columns {
        Columns::PuntoTotal => {
            let Sentence { english, spanish } = share(rulebook);
            let sentence = sentence!(
                "is `punto-total`: banca's table is meant for the value of punto's third card; read by \
                 punto's total it plays {english} otherwise than the table of every complete source; say \
                 `third-card`",
                "es `punto-total`: el cuadro de la banca es para el valor de la tercera carta del punto; leído por \
                 el total del punto juega {spanish} de otro modo que el cuadro de toda fuente completa; escriba \
                 `third-card`"
            );
            found.push(Finding::new(Code::ColumnsPuntoTotal, "columns", sentence));
        }
        Columns::ThirdCard => {
            let cells: Vec<Sentence> = cells_apart(&rulebook.tableau).map(|(_, cell)| cell).collect();
            if !cells.is_empty() {
                let Sentence { english, spanish } = share(rulebook);
                let (cells, celdas) = both(&cells);
                let sentence = sentence!(
                    "departs from the table of every complete source, and plays {english} otherwise: {cells}",
                    "se aparta del cuadro de toda fuente completa, y juega {spanish} de otro modo: {celdas}"
                );
                found.push(Finding::new(Code::TableauDeparts, "tableau", sentence));
            }
        }
    }
}

/// The same for the rows that a draft does state: without the share, which only a whole tableau of
/// forced draws has.
pub(super) fn departures_of_draft(draft: &Rulebook, found: &mut Vec<Finding>) {
    if draft.columns == Columns::PuntoTotal {
        let sentence = sentence!(
            "is `punto-total`: banca's table is meant for the value of punto's third card; say `third-card`",
            "es `punto-total`: el cuadro de la banca es para el valor de la tercera carta del punto; escriba \
             `third-card`"
        );
        found.push(Finding::new(Code::ColumnsPuntoTotal, "columns", sentence));
        return;
    }
    let stated = |(key, _): &(String, Sentence)| !found.iter().any(|finding| finding.touches(key));
    let cells: Vec<Sentence> = cells_apart(&draft.tableau).filter(stated).map(|(_, cell)| cell).collect();
    if !cells.is_empty() {
        let (cells, celdas) = both(&cells);
        let sentence = sentence!(
            "departs from the table of every complete source: {cells}",
            "se aparta del cuadro de toda fuente completa: {celdas}"
        );
        found.push(Finding::new(Code::TableauDeparts, "tableau", sentence));
    }
}

/// The share of coups that are played otherwise than by the usual table, with the most decks.
fn share(rulebook: &Rulebook) -> Sentence {
    let mut usual = rulebook.clone();
    usual.columns = Columns::ThirdCard;
    usual.tableau = Tableau::usual();
    let counted = rulebook.shoe.decks.last().and_then(|decks| {
        let apart = draws_played_otherwise(&usual, rulebook, *decks).ok()?;
        Some((decks, Fraction::new(apart, draws(*decks).ok()?)))
    });
    counted.map_or_else(
        || Sentence::same(""),
        |(decks, share)| {
            let percent = share.percent(4);
            sentence!(
                "{percent} % of coups ({share}, {decks} decks)",
                "el {percent} % de las jugadas ({share}, {decks} barajas)"
            )
        },
    )
}

/// The cells in one line, in each language.
fn both(cells: &[Sentence]) -> (String, String) {
    let list = |cell: fn(&Sentence) -> &str| cells.iter().map(cell).collect::<Vec<_>>().join("; ");
    (list(|cell| &cell.english), list(|cell| &cell.spanish))
}

fn hace(draw: Draw) -> &'static str {
    match draw {
        Draw::Draws => "pide",
        Draw::Stands => "se planta",
        Draw::Optional => "a elección",
        Draw::Unstated => "no consta",
    }
}

/// The cells that differ from the usual table, each with its row's key. Cells that chemin de fer leaves open
/// do not count as different.
fn cells_apart(tableau: &Tableau) -> impl Iterator<Item = (String, Sentence)> {
    let usual = Tableau::usual();
    let mut apart = Vec::new();
    let mut compare = |key: String, name: Sentence, here: Draw, there: Draw| {
        if here != there && !matches!(here, Draw::Optional | Draw::Unstated) {
            let (Sentence { english, spanish }, hace) = (name, hace(here));
            apart.push((key, sentence!("{english} {here}", "{spanish} {hace}")));
        }
    };
    let points = |range: std::ops::Range<u8>| range.filter_map(Points::new);
    for total in points(0..8) {
        let name = sentence!("punto with {total}", "el punto con {total}");
        compare("tableau.punto".to_owned(), name, tableau.punto(total), usual.punto(total));
    }
    for total in points(0..8) {
        let key = || format!("tableau.banca[{total}]");
        for column in points(0..10) {
            let cell = |tableau: &Tableau| tableau.banca(total, Some(column));
            let name = sentence!(
                "banca with {total} against third card {column}",
                "la banca con {total} contra tercera carta {column}"
            );
            compare(key(), name, cell(tableau), cell(&usual));
        }
        let name = sentence!(
            "banca with {total} against a punto that stood",
            "la banca con {total} contra un punto que se plantó"
        );
        compare(key(), name, tableau.banca(total, None), usual.banca(total, None));
    }
    apart.into_iter()
}
