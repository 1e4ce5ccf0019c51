//! `audit check`: what recording a file of events would do. Nothing is recorded.
//!
//! Every line is read as `audit ingest` reads it. The events are compared with one another, and with a log where one
//! is given: by table and sequence, and by the digest of their identity.

mod numbers;
mod report;

use events::decode_payload;
use sealed_log::reader::Expectations;

use crate::cli::Check;
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::line_reader::{self, LONGEST_LINE, Line, LineReader};
use crate::log::OpenedLog;
use crate::seal_view::SealView;
use crate::{judging, output, progress};

use numbers::{Numbers, digest_of};
use report::{Against, CheckView, Malformed};

pub(crate) fn run(ask: &Check) -> Result<Exit, Failure> {
    let mut view = CheckView::default();
    let mut numbers = Numbers::default();
    read(ask, &mut view, &mut numbers)?;
    let mut exit = Exit::Good;
    if ask.log().is_some() {
        exit = exit.worse(compare(ask, &mut view, &mut numbers)?);
    }
    view.count(&numbers, ask.limit);
    exit = exit.worse(view.exit());
    if ask.json {
        output::print_json(&view)?;
    } else {
        output::print(&view.text())?;
    }
    Ok(exit)
}

/// Reads the file and compares its events with one another.
fn read(ask: &Check, view: &mut CheckView, numbers: &mut Numbers) -> Result<(), Failure> {
    let (input, name) = line_reader::open(&ask.file)?;
    let mut lines = LineReader::new(input);
    let bar = progress::counter(texts().counting_lines_read());
    loop {
        let wrong = match lines.next().map_err(|error| Failure::file(&name, &error))? {
            Line::End => break,
            Line::TooLong(number) => {
                let message = texts().no_event_so_long(LONGEST_LINE);
                view.lines = number;
                // Where the next line begins is not known.
                view.add_malformed(Malformed { line: number, column: None, message }, ask.limit);
                view.cut_at = Some(number);
                break;
            }
            Line::Text(number, text) => {
                view.lines = number;
                bar.inc(1);
                if text.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                match events::Line::from_json_bytes(text) {
                    Ok(line) => {
                        let (table, sequence) = (line.table.clone(), line.sequence);
                        numbers.add(number, table.as_str(), sequence, digest_of(&line.into_event()));
                        continue;
                    }
                    Err(error) => Malformed {
                        line: number,
                        column: (error.column > 0).then_some(error.column),
                        message: said(&error),
                    },
                }
            }
        };
        view.add_malformed(wrong, ask.limit);
    }
    bar.finish_and_clear();
    view.file = name;
    Ok(())
}

/// Compares the file's events with those of a log, which is read through once, in any form it has.
fn compare(ask: &Check, view: &mut CheckView, numbers: &mut Numbers) -> Result<Exit, Failure> {
    let Some(log) = ask.log() else { return Ok(Exit::Good) };
    let opened = OpenedLog::open_to_verify(&log, None)?;
    let bar = progress::counter(texts().counting_events_compared());
    let seal = opened.read(Expectations::default(), |window| {
        for entry in judging::entries(&window) {
            bar.inc(u64::from(entry.count));
            if !numbers.meets(entry.table, entry.first, entry.count) {
                continue;
            }
            let events = if entry.withheld { None } else { decode_payload(entry.payload).ok() };
            match events {
                Some(events) => {
                    for (sequence, event) in (entry.first..).zip(events) {
                        numbers.compare(entry.table, sequence, || digest_of(&event));
                    }
                }
                // What cannot be decoded is a fault of the seal; events are recorded beside it.
                None if entry.withheld => numbers.not_comparable(entry.table, entry.first, entry.count),
                None => {}
            }
        }
    })?;
    bar.finish_and_clear();
    let seen = SealView::of(&seal);
    let exit = seen.exit();
    let checkpoint = seal.checkpoint.as_ref().map(|signed| signed.checkpoint());
    view.against = Some(Against {
        log: log.log.display().to_string(),
        origin: checkpoint.map(|checkpoint| checkpoint.origin.clone()),
        size: checkpoint.map(|checkpoint| checkpoint.size),
        seal: seen,
    });
    Ok(exit)
}
