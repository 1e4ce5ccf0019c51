//! `audit simulate`: simulated tables, honest or with one planted fault.

use std::io::{self, Write};

use casino::{Fault, Plan, simulate};
use serde::Serialize;

use crate::cli::Simulate;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::rulebook;
use crate::new_file::NewFile;
use crate::{output, progress, render};

#[derive(Serialize)]
struct FaultView {
    code: &'static str,
    finding: &'static str,
    what: &'static str,
}

#[derive(Serialize)]
struct PlantedView {
    fault: &'static str,
    finding: &'static str,
    table: String,
    shoe: Option<String>,
    coup: Option<u32>,
    sequence: u64,
}

pub(crate) fn run(ask: &Simulate) -> Result<Exit, Failure> {
    if ask.list_faults {
        return list_faults(ask.json);
    }
    let rulebook = rulebook(&ask.rulebook)?;
    let fault = ask.fault.as_deref().map(|code| fault(code, &rulebook)).transpose()?;
    let plan = Plan { tables: ask.tables, shoes: ask.shoes, seed: ask.seed, fault, ..Plan::new(rulebook) };
    let out = ask.out.as_ref().map(|path| NewFile::begin(path, ask.force)).transpose()?;
    let simulation = simulate(&plan);
    if let Some(planted) = &simulation.planted {
        print_planted(
            ask.json,
            &PlantedView {
                fault: planted.fault.code(),
                finding: planted.finding,
                table: planted.table.to_string(),
                shoe: planted.shoe.as_ref().map(ToString::to_string),
                coup: planted.coup,
                sequence: planted.sequence,
            },
        );
    }
    match ask.out.as_ref().zip(out) {
        Some((path, mut file)) => {
            let name = path.display();
            write(&mut file, simulation.lines).map_err(|error| Failure::file(name, &error))?;
            file.keep()?;
        }
        None => output::print_json_by(|out| write(out, simulation.lines))?,
    }
    Ok(Exit::Good)
}

pub(super) fn write(mut out: impl Write, lines: impl Iterator<Item = events::Line>) -> io::Result<()> {
    let bar = progress::counter(texts().counting_events_written());
    for line in lines {
        let text = line.to_json().map_err(io::Error::other)?;
        out.write_all(text.as_bytes())?;
        out.write_all(b"\n")?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    out.flush()
}

/// Prints to standard error where the fault was planted: standard output is for the events.
fn print_planted(json: bool, planted: &PlantedView) {
    let text = if json {
        serde_json::to_string(planted).unwrap_or_default()
    } else {
        let shoe = planted.shoe.as_ref().map(|shoe| texts().of_shoe(shoe)).unwrap_or_default();
        let coup = planted.coup.map(|coup| texts().of_coup(coup)).unwrap_or_default();
        let PlantedView { fault, finding, table, sequence, .. } = planted;
        texts().planted(fault, table, shoe, coup, sequence, finding)
    };
    output::error_line(&text);
}

fn fault(code: &str, rulebook: &baccarat::Rulebook) -> Result<Fault, Failure> {
    let known = Fault::ALL.iter().copied().find(|fault| fault.code() == code);
    let fault = known.ok_or_else(|| Failure::usage(texts().unknown_fault(code)))?;
    if fault.applies_to(rulebook) {
        Ok(fault)
    } else {
        Err(Failure::usage(texts().fault_cannot_happen(code, &rulebook.id)))
    }
}

fn list_faults(json: bool) -> Result<Exit, Failure> {
    let faults: Vec<FaultView> = Fault::ALL
        .iter()
        .map(|fault| {
            let what = texts().language().of(fault.describe(), fault.describe_in_spanish());
            FaultView { code: fault.code(), finding: fault.finding(), what }
        })
        .collect();
    if json {
        output::print_json(&faults)?;
    } else {
        let rows = faults
            .iter()
            .map(|fault| [fault.code.to_owned(), fault.finding.to_owned(), fault.what.to_owned()]);
        output::print(&render::table(
            [texts().fault_heading(), texts().found_as_heading(), texts().what_heading()],
            rows,
        ))?;
    }
    Ok(Exit::Good)
}
