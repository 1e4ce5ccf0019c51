//! `audit report`: a whole log as one file to read, print or send, and the same for programs.

mod csv_files;
mod sarif;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use desk::{LogFacts, Reported};
use replay::{Judge, Ledger, TableState, Verdict, Verdicts};
use serde::Serialize;
use utoipa::ToSchema;

use crate::cli::Report as Ask;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::OpenedLog;
use crate::new_file::NewFile;
use crate::program::PROGRAM;
use crate::shown::{self, Escaping};
use crate::spool::Spool;
use crate::trust::Trust;
use crate::{judging, output, render};

/// In which form a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Html,
    Json,
    Sarif,
}

/// The report for programs.
#[derive(Serialize, ToSchema)]
#[schema(as = WholeReport)]
pub(super) struct ReportJson<'a> {
    /// Version of this form, 1.
    format: u32,
    /// What `audit verify log --json` prints.
    #[schema(value_type = LogReport)]
    log: &'a replay::Report,
    /// The tables, by name: at most 250,000 of them. `log.tables` counts all.
    #[schema(value_type = Vec<TableState>)]
    tables: &'a [TableState],
    /// The totals of the log by shoe, seat, box, rulebook and bet.
    ledger: &'a Ledger,
}

/// What `audit verify log --json` prints.
#[derive(ToSchema)]
#[schema(as = Report)]
#[allow(dead_code, reason = "it is never made: it says what is written")]
struct LogReport {
    #[serde(flatten)]
    report: replay::Report<Vec<replay::Finding>>,
}

/// What was written.
#[derive(Serialize, ToSchema)]
#[schema(as = ReportFiles)]
pub(super) struct FilesJson {
    /// The files, in the order in which they were written.
    files: Vec<String>,
    /// The four answers about the log.
    verdicts: Verdicts,
}

pub(crate) fn run(ask: &Ask) -> Result<Exit, Failure> {
    if ask.out.is_empty() && ask.csv.is_none() {
        return Err(Failure::usage(texts().report_nothing_to_write()));
    }
    // Whatever cannot be written is said before the log is read.
    let files: Vec<(Form, &PathBuf, NewFile)> = ask
        .out
        .iter()
        .map(|path| Ok((form_of(path)?, path, NewFile::begin(path, ask.force)?)))
        .collect::<Result<_, Failure>>()?;
    let folder = ask.csv.as_deref().map(|folder| csv_files::Folder::begin(folder, ask.force)).transpose()?;
    let trust = Trust::new(&ask.trusted, &ask.log.log, None)?;
    let opened = OpenedLog::open_to_verify(&ask.log, trust.key())?;
    let mut judge = Judge::with_ledger(trust.approved.clone());
    let mut spool = folder.is_some().then(Spool::new).transpose()?;
    let (log, expectations) = (&ask.log.log, trust.expectations());
    let mut seal = match &mut spool {
        Some(spool) => spool.read(&opened, log, expectations, &mut judge)?,
        None => judging::read_in_passes(&opened, log, expectations, &mut [&mut judge])?,
    };
    let witnessed = trust.witnessed(&mut seal);
    let checkpoint = seal.checkpoint.as_ref().map(|signed| signed.text().to_owned());
    let (mut judgement, at_the_end, mut states) = judge.finish_by_table();
    let spooled = spool.map(|spool| spool.finish(&at_the_end)).transpose()?;
    let mut ledger = std::mem::take(&mut judgement.ledger);
    let report = Arc::new(replay::Report::new(seal, judgement).judged_by(PROGRAM));
    if report.verdicts.intact != Verdict::Yes {
        ledger = ledger.unsealed();
        states.values_mut().for_each(|state| state.coups = state.coups.unsealed());
    }
    let tables: Vec<TableState> = states.into_values().collect();
    let log = LogFacts { report: Arc::clone(&report), witnessed, checkpoint, live: None };
    let mut written: Vec<PathBuf> = Vec::new();
    for (form, path, mut file) in files {
        let failed = |error: io::Error| Failure::file(path.display(), &error);
        let said = match form {
            Form::Html => {
                let page = desk::report(&Reported { log: &log, tables: &tables, ledger: &ledger }, texts());
                page.map_err(io::Error::other).and_then(|page| file.write_all(page.as_bytes()))
            }
            Form::Json => {
                let whole = ReportJson { format: 1, log: &report, tables: &tables, ledger: &ledger };
                as_json(&mut file, &whole)
            }
            Form::Sarif => as_json(&mut file, &sarif::of(&report, texts())),
        };
        said.map_err(failed)?;
        file.keep()?;
        written.push(path.clone());
    }
    if let (Some(folder), Some(findings)) = (folder, &spooled) {
        written.extend(folder.write(findings, &tables, &ledger)?);
    }
    if ask.json {
        let files = written.iter().map(|path| path.display().to_string()).collect();
        output::print_json(&FilesJson { files, verdicts: report.verdicts })?;
    } else {
        let view = render::ReportView {
            report: &report,
            witnessed: log.witnessed.as_ref(),
            troubles: &[],
            all: false,
        };
        output::print_shown(&view.heading())?;
        let lines: String =
            written.iter().map(|path| format!("{}\n", texts().report_written(path.display()))).collect();
        output::print(&lines)?;
    }
    Ok(trust.exit(&report, log.witnessed.as_ref()))
}

fn form_of(path: &Path) -> Result<Form, Failure> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("html" | "htm") => Ok(Form::Html),
        Some("json") => Ok(Form::Json),
        Some("sarif") => Ok(Form::Sarif),
        Some(_) | None => Err(Failure::usage(texts().report_form(path.display()))),
    }
}

fn as_json(out: &mut impl io::Write, value: &impl Serialize) -> io::Result<()> {
    // Someone may look at the file on a terminal.
    let mut out = io::BufWriter::new(Escaping::new(out, shown::json));
    serde_json::to_writer_pretty(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush()
}
