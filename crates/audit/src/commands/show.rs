//! `audit show`: coups, shoes and tables as a person reads them.

use std::collections::BTreeMap;

use baccarat::roads::{Roads, Score};
use replay::{Counts, CoupTold, CoupVerdict, Judgement, MAX_TOLD, Verdict, Wanted};
use sealed_log::Expectations;
use serde::Serialize;

use crate::cli::{LogRead, Show, ShowCommission, ShowCoup, ShowShoe, ShowTable};
use crate::exit::Exit;
use crate::{Failure, render};

pub(crate) fn run(ask: &Show) -> Result<Exit, Failure> {
    match ask {
        Show::Coup(ask) => coup(ask),
        Show::Shoe(ask) => shoe(ask),
        Show::Table(ask) => table(ask),
        Show::Commission(ask) => commission(ask),
    }
}

/// What was asked for, and how the log's seal stands.
fn judged(log: &LogRead, wanted: Wanted) -> Result<(Judgement, Exit), Failure> {
    let (seal, judgement) = super::verify::judge(log, Expectations::default(), None, Some(wanted))?;
    if Verdict::from(seal.intact) == Verdict::No {
        eprint_note(
            "the log's seal is broken; what follows is not what was sealed (audit verify log says more)",
        );
        return Ok((judgement, Exit::Seal));
    }
    Ok((judgement, Exit::Good))
}

/// Coups that match, and how the log's seal stands.
fn told(log: &LogRead, wanted: Wanted) -> Result<(Vec<CoupTold>, Exit), Failure> {
    let (judgement, seal) = judged(log, wanted)?;
    if judgement.told.len() >= MAX_TOLD {
        eprint_note(&format!("only the first {MAX_TOLD} coups of each table are told; ask for one shoe"));
    }
    if seal != Exit::Good {
        return Ok((judgement.told, seal));
    }
    let exit = judgement.told.iter().fold(Exit::Good, |exit, coup| match coup.verdict {
        CoupVerdict::Certified => exit,
        CoupVerdict::Violated => exit.worse(Exit::Findings),
        CoupVerdict::Undecided => exit.worse(Exit::Open),
    });
    Ok((judgement.told, exit))
}

fn eprint_note(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "audit: {text}");
}

fn coup(ask: &ShowCoup) -> Result<Exit, Failure> {
    let (coup, exit) = one_coup(&ask.log, &ask.table, ask.shoe.as_deref(), ask.coup)?;
    if ask.json {
        super::print_json(&coup)?;
    } else {
        super::print(&render::coup(&coup))?;
    }
    Ok(exit)
}

/// The one coup that is meant; asked for more closely where there are several.
pub(super) fn one_coup(
    log: &LogRead,
    table: &str,
    shoe: Option<&str>,
    coup: u32,
) -> Result<(CoupTold, Exit), Failure> {
    let wanted = Wanted { table: Some(table.to_owned()), shoe: shoe.map(str::to_owned), coup: Some(coup) };
    let (mut coups, exit) = told(log, wanted)?;
    match (coups.pop(), coups.as_slice()) {
        (Some(told), []) => Ok((told, exit)),
        (None, _) => {
            let shoe = shoe.map(|shoe| format!(" of shoe {shoe}")).unwrap_or_default();
            Err(Failure::usage(format!(
                "{} has no coup {coup}{shoe} at table {table}; audit show table tells what it has",
                log.log.display(),
            )))
        }
        (Some(last), others) => {
            let shoes: Vec<&str> =
                others.iter().chain([&last]).filter_map(|coup| coup.shoe.as_deref()).collect();
            let shoes = shoes.join(", ");
            Err(Failure::usage(format!("several shoes have a coup {coup}; add --shoe, one of: {shoes}")))
        }
    }
}

fn shoe(ask: &ShowShoe) -> Result<Exit, Failure> {
    let wanted = Wanted { table: Some(ask.table.clone()), shoe: ask.shoe.clone(), coup: None };
    let (coups, exit) = told(&ask.log, wanted)?;
    if coups.is_empty() {
        let shoe = ask.shoe.as_ref().map(|shoe| format!(", shoe {shoe}")).unwrap_or_default();
        return Err(Failure::usage(format!(
            "{} has no coups at table {}{shoe}; audit show table tells what it has",
            ask.log.log.display(),
            ask.table
        )));
    }
    if ask.roads {
        roads(&coups, ask.json)?;
    } else if ask.json {
        super::print_json(&coups)?
    } else {
        super::print(&render::shoes(&coups))?
    }
    Ok(exit)
}

/// The scoreboard of one shoe.
#[derive(Debug, Serialize)]
struct Scoreboard<'a> {
    table: &'a str,
    shoe: Option<&'a str>,
    coups: usize,
    /// Coups that were void or had a card that was not read.
    left_out: Vec<u32>,
    roads: Roads,
}

fn roads(coups: &[CoupTold], json: bool) -> Result<(), Failure> {
    let mut boards = Vec::new();
    for shoe in coups.chunk_by(|one, next| one.shoe == next.shoe && one.coup < next.coup) {
        let scores: Vec<Score> = shoe.iter().filter_map(CoupTold::score).collect();
        let left_out = shoe.iter().filter(|coup| coup.score().is_none()).map(|coup| coup.coup).collect();
        let (table, name) = (shoe[0].table.as_str(), shoe[0].shoe.as_deref());
        boards.push(Scoreboard { table, shoe: name, coups: shoe.len(), left_out, roads: Roads::of(&scores) });
    }
    if json {
        return super::print_json(&boards);
    }
    let drawn = boards.iter().map(|board| {
        let head =
            format!("table {}, shoe {}: {} coups", board.table, board.shoe.unwrap_or("-"), board.coups);
        render::roads(&head, &board.left_out, &board.roads)
    });
    super::print(&drawn.collect::<Vec<_>>().join("\n"))
}

/// One shoe in a line.
#[derive(Debug, Default, Serialize)]
struct ShoeTold {
    table: String,
    shoe: Option<String>,
    rulebook: Option<String>,
    coups: Counts,
    findings: usize,
}

fn table(ask: &ShowTable) -> Result<Exit, Failure> {
    let wanted = Wanted { table: ask.table.clone(), shoe: None, coup: None };
    let (coups, exit) = told(&ask.log, wanted)?;
    if coups.is_empty() {
        let table = ask.table.as_ref().map(|table| format!(" at table {table}")).unwrap_or_default();
        return Err(Failure::usage(format!("{} has no coups{table}", ask.log.log.display())));
    }
    let mut shoes: BTreeMap<(String, u64), ShoeTold> = BTreeMap::new();
    let mut place: BTreeMap<(String, Option<String>), u64> = BTreeMap::new();
    for coup in coups {
        let first = *place.entry((coup.table.clone(), coup.shoe.clone())).or_insert(coup.sequences.0);
        let told = shoes.entry((coup.table.clone(), first)).or_default();
        match coup.verdict {
            CoupVerdict::Certified => told.coups.certified += 1,
            CoupVerdict::Violated => told.coups.violated += 1,
            CoupVerdict::Undecided => told.coups.undecided += 1,
        }
        told.findings += coup.findings.len();
        (told.table, told.shoe, told.rulebook) = (coup.table, coup.shoe, coup.rulebook);
    }
    let shoes: Vec<ShoeTold> = shoes.into_values().collect();
    if ask.json {
        super::print_json(&shoes)?;
        return Ok(exit);
    }
    let heads = ["table", "shoe", "rulebook", "certified", "violated", "undecided", "findings"];
    let rows = shoes.iter().map(|told| {
        let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let Counts { certified, violated, undecided } = told.coups;
        let (table, shoe, rulebook) = (told.table.clone(), or_none(&told.shoe), or_none(&told.rulebook));
        [
            table,
            shoe,
            rulebook,
            certified.to_string(),
            violated.to_string(),
            undecided.to_string(),
            told.findings.to_string(),
        ]
    });
    super::print(&render::table(heads, rows))?;
    Ok(exit)
}

fn commission(ask: &ShowCommission) -> Result<Exit, Failure> {
    let wanted = Wanted { table: ask.table.clone(), shoe: ask.shoe.clone(), coup: None };
    let (judgement, seal) = judged(&ask.log, wanted)?;
    let boxes = judgement.commission;
    if boxes.is_empty() {
        return Err(Failure::usage(format!(
            "{} has no commission marked or collected there; a table that collects it at once has no boxes",
            ask.log.log.display()
        )));
    }
    if boxes.len() >= MAX_TOLD {
        eprint_note(&format!("only the first {MAX_TOLD} boxes of each table are told; ask for one shoe"));
    }
    if ask.json {
        super::print_json(&boxes)?;
    } else {
        let heads = ["table", "shoe", "seat", "marked", "collected", "outstanding"];
        let rows = boxes.iter().map(|told| {
            let sum = |minor_units: u64| render::money(i128::from(minor_units), told.currency.as_ref());
            let shoe = told.shoe.clone().unwrap_or_else(|| "-".to_owned());
            let (marked, collected) = (sum(told.marked), sum(told.collected));
            [told.table.clone(), shoe, told.seat.to_string(), marked, collected, sum(told.outstanding)]
        });
        super::print(&render::table(heads, rows))?;
    }
    let open = boxes.iter().any(|told| told.marked != told.collected);
    Ok(if open { seal.worse(Exit::Findings) } else { seal })
}
