//! `audit ingest`: events, a line each, sealed into a log.
//!
//! Consecutive events of a table become one entry, usually a coup. Parsing goes on while earlier
//! entries are being made durable. What the log already holds is passed over; another event under
//! a number it already has is recorded as well, and judged later.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, Write};
use std::path::PathBuf;

use events::Line as EventLine;
use sealed_log::{Acknowledgement, Pending, Sequencer, SequencerHandle, SignedCheckpoint, Submission};
use sealed_log_sled::SledStore;
use serde::Serialize;
use std::sync::Arc;

use crate::cli::Ingest;
use crate::clock::now;
use crate::exit::Exit;
use crate::line_reader::{self, LONGEST_LINE, Line, LineReader};
use crate::log::LogPlace;
use crate::{Failure, progress, render, witnesses};
use service::intake::{Groups, IntakeError, Seen, Standing};

/// Calls under way at once: one being made durable, the others waiting to be.
const CALLS_UNDER_WAY: usize = 4;
/// Events handed in with one call.
const EVENTS_A_CALL: usize = 16_384;

/// What an ingest came to.
#[derive(Debug, Default, Serialize)]
struct Told {
    events: u64,
    entries: u64,
    already_there: u64,
    conflicts: u64,
    lines: u64,
    origin: String,
    size: u64,
    root: String,
    checkpoint: String,
}

pub(crate) fn run(ask: &Ingest) -> Result<Exit, Failure> {
    let (input, name) = line_reader::open(&ask.file)?;
    let place = LogPlace::new(&ask.log);
    let producer = ask.producer.parse().map_err(|error| Failure::usage(format!("--producer: {error}")))?;
    let writer = place.open_writer(ask.origin.as_deref())?;
    if let Some(file) = &ask.witness_policy {
        witnesses::ask_before_sealing(&ask.log, file, &writer)?;
    }
    let head = writer.head();
    let sequencer = Sequencer::start(writer).map_err(Failure::unreadable)?;
    let mut work = Work {
        handle: sequencer.handle(),
        groups: Groups::new(producer, ask.live, now),
        seen: Seen::default(),
        calls: VecDeque::new(),
        receipts: receipts(ask)?,
        proofs: proofs(ask)?,
        newest: head,
        told: Told::default(),
        bar: progress::counter("events read"),
    };
    let outcome = work.read(&mut LineReader::new(input), ask.from_line);
    work.bar.finish_and_clear();
    let Work { mut told, newest, .. } = work;
    sequencer.shutdown().map_err(Failure::unreadable)?;
    let checkpoint = newest.checkpoint();
    told.origin.clone_from(&checkpoint.origin);
    told.size = checkpoint.size;
    told.root = checkpoint.root_text();
    told.checkpoint = place.checkpoint().display().to_string();
    finish(ask, &name, &told, outcome)
}

fn receipts(ask: &Ingest) -> Result<Option<File>, Failure> {
    let Some(path) = &ask.receipts else { return Ok(None) };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    file.map(Some).map_err(|error| Failure::unreadable(format!("{}: {error}", path.display())))
}

fn proofs(ask: &Ingest) -> Result<Option<PathBuf>, Failure> {
    let Some(folder) = &ask.proofs else { return Ok(None) };
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::unreadable(format!("{}: {error}", folder.display())))?;
    Ok(Some(folder.clone()))
}

impl From<IntakeError> for Failure {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::OwnFault(message) => Self { exit: Exit::OwnFault, message },
            IntakeError::Log(_) | IntakeError::Store(_) | IntakeError::Table(_) => Self::unreadable(error),
        }
    }
}

/// Why reading stopped.
enum Stopped {
    /// A line is not an event.
    Line { number: u64, column: usize, message: String },
    /// Something else failed.
    Failure(Failure),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

fn finish(ask: &Ingest, name: &str, told: &Told, outcome: Result<(), Stopped>) -> Result<Exit, Failure> {
    match outcome {
        Ok(()) => {}
        Err(Stopped::Failure(failure)) => return Err(failure),
        Err(Stopped::Line { number, column, message }) => {
            let place =
                if column > 0 { format!("{name}:{number}:{column}") } else { format!("{name}:{number}") };
            let (file, log) = (ask.file.display(), ask.log.display());
            return Err(Failure::unreadable(format!(
                "{place}: {message}\n  all events before line {number} are sealed ({} new in {} entries); mend the line and \
                 resume with\n  audit ingest {file} --log {log} --from-line {number}",
                told.events, told.entries
            )));
        }
    }
    if ask.json {
        super::print_json(told)?;
    } else {
        super::print(&render::ingested(
            told.events,
            told.entries,
            told.already_there,
            told.conflicts,
            &format!(
                "{} holds {} entries\nroot {}\ncheckpoint {}",
                told.origin,
                render::grouped(told.size),
                told.root,
                told.checkpoint
            ),
        ))?;
    }
    Ok(Exit::Good)
}

/// Entries handed in, and for each its table, first sequence and number of events.
type Call = (Pending, Vec<(String, u64, u32)>);

struct Work {
    handle: SequencerHandle<SledStore>,
    groups: Groups,
    seen: Seen,
    calls: VecDeque<Call>,
    receipts: Option<File>,
    proofs: Option<PathBuf>,
    newest: Arc<SignedCheckpoint>,
    told: Told,
    bar: indicatif::ProgressBar,
}

impl Work {
    fn read<R: BufRead>(&mut self, lines: &mut LineReader<R>, from_line: u64) -> Result<(), Stopped> {
        let outcome = self.read_lines(lines, from_line);
        // Whatever stopped the reading, what came before it is sealed.
        let sealed = self.seal_all();
        outcome.and_then(|()| sealed.map_err(Stopped::from))
    }

    fn read_lines<R: BufRead>(&mut self, lines: &mut LineReader<R>, from_line: u64) -> Result<(), Stopped> {
        loop {
            let (number, text) = match lines.next().map_err(Failure::unreadable)? {
                Line::End => return Ok(()),
                Line::Text(number, _) | Line::TooLong(number) if number < from_line => continue,
                Line::TooLong(number) => {
                    let message = format!(
                        "a line of more than {LONGEST_LINE} bytes; an event is one JSON object on a line of its own"
                    );
                    return Err(Stopped::Line { number, column: 0, message });
                }
                Line::Text(_, text) if text.iter().all(u8::is_ascii_whitespace) => continue,
                Line::Text(number, text) => (number, text),
            };
            let length = text.len();
            let line = parse(text).map_err(|(column, message)| Stopped::Line { number, column, message })?;
            self.told.lines += 1;
            self.bar.inc(1);
            self.take(line, length)?;
        }
    }

    fn take(&mut self, line: EventLine, length: usize) -> Result<(), Failure> {
        let table = line.table.to_string();
        if self.seen.may_be_there(&self.handle, &table, line.sequence)? {
            // What is still on its way has to be in the store before it can be compared.
            if self.groups.holds(&table) || !self.calls.is_empty() {
                self.seal_all()?;
            }
            match self.seen.standing(&self.handle, &line)? {
                Standing::Same { .. } => {
                    self.told.already_there += 1;
                    return Ok(());
                }
                Standing::Other => self.told.conflicts += 1,
                Standing::Missing => {}
            }
        }
        self.seen.note(&table, line.sequence);
        self.groups.add(line, length)?;
        if self.groups.ready_events() >= EVENTS_A_CALL || self.groups.is_live() {
            self.hand_in()?;
        }
        Ok(())
    }

    fn seal_all(&mut self) -> Result<(), Failure> {
        self.groups.close_all()?;
        self.hand_in()?;
        while let Some(call) = self.calls.pop_front() {
            self.acknowledge(call)?;
        }
        Ok(())
    }

    /// Hands in what is ready; waits only for calls long under way.
    fn hand_in(&mut self) -> Result<(), Failure> {
        let submissions: Vec<Submission> = self.groups.take_ready();
        if submissions.is_empty() {
            return Ok(());
        }
        let places = submissions.iter().map(|s| (s.chain.as_str().to_owned(), s.first, s.count)).collect();
        let call = self.handle.submit_later(submissions).map_err(Failure::unreadable)?;
        self.calls.push_back((call, places));
        while self.calls.len() > CALLS_UNDER_WAY || (self.groups.is_live() && !self.calls.is_empty()) {
            if let Some(call) = self.calls.pop_front() {
                self.acknowledge(call)?;
            }
        }
        Ok(())
    }

    fn acknowledge(&mut self, (call, places): Call) -> Result<(), Failure> {
        let acknowledged = call.wait().map_err(not_acknowledged)?;
        self.write_proofs(&acknowledged)?;
        let Acknowledgement { receipts, head, .. } = acknowledged;
        let mut lines = String::new();
        for (receipt, (table, first, count)) in receipts.iter().zip(&places) {
            self.told.entries += 1;
            self.told.events += u64::from(*count);
            if self.receipts.is_some() {
                lines.push_str(&format!("{} {} {table} {first} {count}\n", receipt.index, receipt.digest));
            }
        }
        if let Some(file) = self.receipts.as_mut() {
            file.write_all(lines.as_bytes())
                .map_err(|error| Failure::unreadable(format!("--receipts: {error}")))?;
        }
        self.newest = head;
        Ok(())
    }
}

impl Work {
    fn write_proofs(&self, acknowledged: &Acknowledgement) -> Result<(), Failure> {
        let Some(folder) = &self.proofs else { return Ok(()) };
        for proof in self.handle.prove(acknowledged).map_err(Failure::seal)? {
            let path = folder.join(format!("{}.tlog-proof", proof.index()));
            std::fs::write(&path, proof.to_string())
                .map_err(|error| Failure::unreadable(format!("{}: {error}", path.display())))?;
        }
        Ok(())
    }
}

/// What was acknowledged before stays sealed; the same command goes on from there.
fn not_acknowledged(error: sealed_log::SubmitError) -> Failure {
    Failure::unreadable(format!(
        "{error}\n  what was acknowledged is sealed: put this right and run the same command again, it passes over \
         what the log holds"
    ))
}

/// Reads one line as an event; the column is 0 where the fault is not at one place.
fn parse(text: &[u8]) -> Result<EventLine, (usize, String)> {
    if text.starts_with(b"\xef\xbb\xbf") {
        return Err((1, "a byte order mark; save the file as UTF-8 without one".to_owned()));
    }
    let text = std::str::from_utf8(text)
        .map_err(|error| (error.valid_up_to() + 1, "bytes that are not UTF-8; JSON is UTF-8".to_owned()))?;
    EventLine::from_json(text).map_err(|error| (error.column, error.message))
}
