//! `audit show`: coups, shoes and tables as a person reads them.

mod reading;

use std::collections::{BTreeMap, BTreeSet};

use baccarat::roads::{Roads, Score};
use replay::{CommissionView, Counts, CoupView, MAX_COUP_VIEWS, RulebookUsed, Wanted};
use serde::Serialize;
use utoipa::ToSchema;

use crate::cli::{LogRead, Show, ShowCommission, ShowCoup, ShowShoe, ShowTable};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::seal_view::SealView;
use crate::shown::plain;
use crate::{output, render};

pub(crate) fn run(ask: &Show) -> Result<Exit, Failure> {
    match ask {
        Show::Coup(ask) => coup(ask),
        Show::Shoe(ask) => shoe(ask),
        Show::Table(ask) => table(ask),
        Show::Commission(ask) => commission(ask),
    }
}

fn coup(ask: &ShowCoup) -> Result<Exit, Failure> {
    let (coup, seal, rulebooks) =
        one_coup(&ask.log, (&ask.table, ask.shoe.as_deref(), ask.coup, ask.event), ask.json)?;
    seal.print(&ask.log.log, ask.json, &coup, || render::coup(&coup, &rulebooks))?;
    Ok(seal.exit().worse(reading::exit_of(coup.verdict)))
}

/// The one coup that is meant, and the state of the log's seal; a failure that asks for the shoe where
/// there are several.
pub(super) fn one_coup(
    log: &LogRead,
    (table, shoe, coup, event): (&str, Option<&str>, u32, Option<u64>),
    json: bool,
) -> Result<(CoupView, SealView, Vec<RulebookUsed>), Failure> {
    let wanted = Wanted { table: Some(table.to_owned()), shoe: shoe.map(str::to_owned), coup: Some(coup) };
    let mut reading = reading::read(log, wanted)?;
    if let Some(event) = event {
        let is_of = |coup: &CoupView| (coup.sequences.0..=coup.sequences.1).contains(&event);
        reading.judgement.coup_views.retain(is_of);
    }
    match (reading.judgement.coup_views.pop(), reading.coups()) {
        (Some(coup), []) => Ok((coup, reading.seal, reading.judgement.summary.rulebooks)),
        (None, _) => {
            let shoe = shoe.map(|shoe| texts().of_that_shoe(shoe)).unwrap_or_default();
            Err(reading.not_there(&log.log, json, &texts().no_coup_there(coup, shoe, table))?)
        }
        (Some(last), others) => {
            let all = || others.iter().chain([&last]);
            let shoes: Vec<&str> = all().filter_map(|coup| coup.shoe.as_deref()).collect();
            let distinct: BTreeSet<&str> = shoes.iter().copied().collect();
            if distinct.len() == others.len() + 1 {
                return Err(Failure::usage(texts().several_shoes(coup, plain(&shoes.join(", ")))));
            }
            // A number, or a shoe's name, was used again: only an event says which coup is meant.
            let first = |coup: &CoupView| match &coup.shoe {
                Some(shoe) => format!("{} ({shoe})", coup.sequences.0),
                None => coup.sequences.0.to_string(),
            };
            let events: Vec<String> = all().map(first).collect();
            Err(Failure::usage(texts().several_coups(coup, plain(&events.join(", ")))))
        }
    }
}

fn shoe(ask: &ShowShoe) -> Result<Exit, Failure> {
    let wanted = Wanted { table: Some(ask.table.clone()), shoe: ask.shoe.clone(), coup: None };
    let reading = reading::read(&ask.log, wanted)?;
    let coups = reading.coups();
    if coups.is_empty() {
        let shoe = ask.shoe.as_ref().map(|shoe| texts().of_shoe(shoe)).unwrap_or_default();
        let what = texts().no_coups_there(&ask.table, shoe);
        return Err(reading.not_there(&ask.log.log, ask.json, &what)?);
    }
    if ask.roads {
        let boards = boards(coups);
        let view = BTreeMap::from([("scoreboards", &boards)]);
        reading.seal.print(&ask.log.log, ask.json, view, || drawn(&boards))?;
    } else {
        let view = BTreeMap::from([("coups", &coups)]);
        reading.seal.print(&ask.log.log, ask.json, view, || render::shoes(coups))?;
    }
    Ok(reading.exit())
}

/// The scoreboard of one shoe.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Scoreboard<'a> {
    table: &'a str,
    shoe: Option<&'a str>,
    coups: usize,
    /// Coups that were void or had a card that was not read.
    left_out: Vec<u32>,
    roads: Roads,
}

fn boards(coups: &[CoupView]) -> Vec<Scoreboard<'_>> {
    let shoes = coups.chunk_by(|one, next| one.shoe == next.shoe && one.coup < next.coup);
    shoes
        .map(|shoe| {
            let scores: Vec<Score> = shoe.iter().filter_map(CoupView::score).collect();
            let left_out = shoe.iter().filter(|coup| coup.score().is_none()).map(|coup| coup.coup).collect();
            let (table, name) = (shoe[0].table.as_str(), shoe[0].shoe.as_deref());
            let roads = Roads::of(&scores);
            Scoreboard { table, shoe: name, coups: shoe.len(), left_out, roads }
        })
        .collect()
}

fn drawn(boards: &[Scoreboard<'_>]) -> String {
    let drawn = boards.iter().map(|board| {
        let coups = texts().coups(board.coups as u64);
        let heading = texts().scoreboard_heading(board.table, name_of(board.shoe), coups);
        render::roads(&heading, &board.left_out, &board.roads)
    });
    drawn.collect::<Vec<_>>().join("\n")
}

/// One shoe in a line.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = ShoeSummary)]
pub(super) struct ShoeView {
    table: String,
    shoe: Option<String>,
    rulebook: Option<String>,
    coups: Counts,
    /// All of the shoe, whether or not they belong to a coup; those that follow from others are not counted.
    findings: u64,
}

fn table(ask: &ShowTable) -> Result<Exit, Failure> {
    let wanted = Wanted { table: ask.table.clone(), shoe: None, coup: None };
    let mut reading = reading::read(&ask.log, wanted)?;
    if reading.coups().is_empty() {
        let table = ask.table.as_ref().map(|table| texts().at_that_table(table)).unwrap_or_default();
        let message = texts().has_no_coups(ask.log.log.display(), table);
        return Err(reading.seal.not_there(&ask.log.log, ask.json, message)?);
    }
    let mut found = std::mem::take(&mut reading.found);
    let mut shoes = by_shoe(reading.coups());
    shoes.iter_mut().for_each(|shoe| shoe.findings = found.take(&shoe.table, shoe.shoe.as_deref()));
    let is_asked = |table: &str| ask.table.as_deref().is_none_or(|asked| asked == table);
    let beside = found.rest().filter(|(table, ..)| is_asked(table));
    shoes.extend(beside.map(|(table, shoe, findings)| ShoeView {
        table,
        shoe,
        findings,
        ..ShoeView::default()
    }));
    let sealed = reading.seal.holds();
    reading
        .seal
        .print(&ask.log.log, ask.json, BTreeMap::from([("shoes", &shoes)]), || shoe_lines(&shoes, sealed))?;
    Ok(reading.exit())
}

/// The shoes in the order in which they were played at each table.
fn by_shoe(coups: &[CoupView]) -> Vec<ShoeView> {
    let mut shoes: BTreeMap<(&str, u64), ShoeView> = BTreeMap::new();
    let mut first_sequence: BTreeMap<(&str, Option<&str>), u64> = BTreeMap::new();
    for coup in coups {
        let first = *first_sequence.entry((&coup.table, coup.shoe.as_deref())).or_insert(coup.sequences.0);
        let shoe = shoes.entry((&coup.table, first)).or_default();
        match coup.subject_to_ruling {
            true => shoe.coups.add_subject_to_ruling(coup.verdict),
            false => shoe.coups.add(coup.verdict),
        }
        shoe.table.clone_from(&coup.table);
        shoe.shoe.clone_from(&coup.shoe);
        shoe.rulebook.clone_from(&coup.rulebook);
    }
    shoes.into_values().collect()
}

/// The name of a shoe or a rulebook, or in words that there is none.
fn name_of(named: Option<&str>) -> String {
    named.map_or_else(|| texts().none_there(), str::to_owned)
}

fn shoe_lines(shoes: &[ShoeView], sealed: bool) -> String {
    let agree = if sealed { texts().certified_coups() } else { texts().judged_coups() };
    let rows = shoes.iter().map(|view| {
        let Counts { certified, judged, violated, undecided, .. } = view.coups;
        let counts = [if sealed { certified } else { judged }, violated, undecided].map(|n| n.to_string());
        let [agree, violated, undecided] = counts;
        let (shoe, rulebook) = (name_of(view.shoe.as_deref()), name_of(view.rulebook.as_deref()));
        let table = view.table.clone();
        [table, shoe, rulebook, agree, violated, undecided, view.findings.to_string()]
    });
    let headings = [
        texts().table(),
        texts().shoe(),
        texts().rulebook_heading(),
        agree,
        texts().violated_coups(),
        texts().undecided_coups(),
        texts().findings_heading(),
    ];
    let mut text = render::table(headings, rows);
    let (no_shoe, no_rulebook) =
        (shoes.iter().any(|view| view.shoe.is_none()), shoes.iter().any(|view| view.rulebook.is_none()));
    let notes = [no_shoe.then(|| texts().no_shoe_means()), no_rulebook.then(|| texts().no_rulebook_means())];
    for note in notes.into_iter().flatten() {
        text.push_str(&format!("{note}\n"));
    }
    text
}

fn commission(ask: &ShowCommission) -> Result<Exit, Failure> {
    let wanted = Wanted { table: ask.table.clone(), shoe: ask.shoe.clone(), coup: None };
    let reading = reading::read(&ask.log, wanted)?;
    if let Some(table) = ask.table.as_ref().filter(|_| !reading.table_there) {
        return Err(reading.not_there(&ask.log.log, ask.json, &texts().no_table(table))?);
    }
    if let Some(shoe) = ask.shoe.as_ref().filter(|_| reading.coups().is_empty()) {
        return Err(reading.not_there(&ask.log.log, ask.json, &texts().no_coups_of_shoe(shoe))?);
    }
    let boxes = &reading.judgement.commission;
    if boxes.len() >= MAX_COUP_VIEWS {
        output::note(&texts().only_first_boxes(MAX_COUP_VIEWS));
    }
    reading.seal.print(&ask.log.log, ask.json, BTreeMap::from([("boxes", &boxes)]), || box_lines(boxes))?;
    let open = boxes.iter().any(|one| one.marked != one.collected);
    let exit = reading.seal.exit();
    Ok(if open { exit.worse(Exit::Findings) } else { exit })
}

fn box_lines(boxes: &[CommissionView]) -> String {
    if boxes.is_empty() {
        return format!("{}\n", texts().no_boxes());
    }
    let rows = boxes.iter().map(|one| {
        let sum = |minor_units: u64| render::money(i128::from(minor_units), one.currency.as_ref());
        let shoe = name_of(one.shoe.as_deref());
        let (marked, collected) = (sum(one.marked), sum(one.collected));
        [one.table.clone(), shoe, one.seat.to_string(), marked, collected, sum(one.outstanding)]
    });
    let headings = [
        texts().table(),
        texts().shoe(),
        texts().seat(),
        texts().marked(),
        texts().collected(),
        texts().outstanding(),
    ];
    render::table(headings, rows)
}
