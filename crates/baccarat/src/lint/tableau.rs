//! Compares the tableau with the one that every complete source has, and counts the coups it plays differently.

use super::{Code, Finding};
use crate::exact::{Fraction, draws, draws_played_otherwise};
use crate::{Columns, Draw, Game, Points, Rulebook, Tableau};

pub(super) fn departures(rulebook: &Rulebook, found: &mut Vec<Finding>) {
    if rulebook.game() == Game::CheminDeFer {
        // The share of coups played differently depends on the choices of the players.
        return departures_of_draft(rulebook, found);
    }
    match rulebook.columns {
        Columns::PuntoTotal => {
            let sentence = format!(
                "is `punto-total`: banca's table is meant for the value of punto's third card; read by \
                 punto's total it plays {} otherwise than the table of every complete source; say \
                 `third-card`",
                share(rulebook)
            );
            found.push(Finding::new(Code::ColumnsPuntoTotal, "columns", sentence));
        }
        Columns::ThirdCard => {
            let cells: Vec<String> = cells_apart(&rulebook.tableau).map(|(_, cell)| cell).collect();
            if !cells.is_empty() {
                let sentence = format!(
                    "departs from the table of every complete source, and plays {} otherwise: {}",
                    share(rulebook),
                    cells.join("; ")
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
        let sentence = "is `punto-total`: banca's table is meant for the value of punto's third card; say \
                        `third-card`";
        found.push(Finding::new(Code::ColumnsPuntoTotal, "columns", sentence));
        return;
    }
    let stated = |(key, _): &(String, String)| !found.iter().any(|finding| finding.touches(key));
    let cells: Vec<String> = cells_apart(&draft.tableau).filter(stated).map(|(_, cell)| cell).collect();
    if !cells.is_empty() {
        let sentence = format!("departs from the table of every complete source: {}", cells.join("; "));
        found.push(Finding::new(Code::TableauDeparts, "tableau", sentence));
    }
}

/// The share of coups that are played otherwise than by the usual table, with the most decks.
fn share(rulebook: &Rulebook) -> String {
    let mut usual = rulebook.clone();
    usual.columns = Columns::ThirdCard;
    usual.tableau = Tableau::usual();
    let counted = rulebook.shoe.decks.last().and_then(|decks| {
        let apart = draws_played_otherwise(&usual, rulebook, *decks).ok()?;
        Some((decks, Fraction::new(apart, draws(*decks).ok()?)))
    });
    counted.map_or_else(String::new, |(decks, share)| {
        format!("{} % of coups ({share}, {decks} decks)", share.percent(4))
    })
}

/// The cells that differ from the usual table, each with its row's key. Cells that chemin de fer leaves open
/// do not count as different.
fn cells_apart(tableau: &Tableau) -> impl Iterator<Item = (String, String)> {
    let usual = Tableau::usual();
    let mut apart = Vec::new();
    let mut compare = |key: String, name: String, here: Draw, there: Draw| {
        if here != there && !matches!(here, Draw::Optional | Draw::Unstated) {
            apart.push((key, format!("{name} {here}")));
        }
    };
    let points = |range: std::ops::Range<u8>| range.filter_map(Points::new);
    for total in points(0..8) {
        let name = format!("punto with {total}");
        compare("tableau.punto".to_owned(), name, tableau.punto(total), usual.punto(total));
    }
    for total in points(0..8) {
        let key = || format!("tableau.banca[{total}]");
        for column in points(0..10) {
            let cell = |tableau: &Tableau| tableau.banca(total, Some(column));
            let name = format!("banca with {total} against third card {column}");
            compare(key(), name, cell(tableau), cell(&usual));
        }
        let name = format!("banca with {total} against a punto that stood");
        compare(key(), name, tableau.banca(total, None), usual.banca(total, None));
    }
    apart.into_iter()
}
