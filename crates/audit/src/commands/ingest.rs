//! `audit ingest`: events, a line each, sealed into a log.
//!
//! Consecutive events of a table become one entry, usually a coup. Parsing goes on while earlier entries
//! are being made durable. Events that the log already holds are skipped; a different event under the same
//! number is recorded as well, and judged later.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use events::Line as EventLine;
use sealed_log::proof::EntryProof;
use sealed_log::writer::{Acknowledgement, Pending, Sequencer, SequencerHandle, Submission};
use sealed_log_sled::SledReader;
use serde::Serialize;
use std::sync::Arc;
use tlog::checkpoint::SignedCheckpoint;

use crate::cli::{DEFAULT_PRODUCER, Ingest};
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::line_reader::{self, LONGEST_LINE, Line, LineReader};
use crate::log::{Creation, KeyedFolder};
use crate::render::shell_word;
use crate::shown::printable;
use crate::{output, progress, render, witnesses};
use intake::clock::now;
use intake::{Allowance, Groups, IntakeError, Known, Recorded};

/// Calls under way at once: one being made durable, the others waiting to be.
const CALLS_UNDER_WAY: usize = 4;
/// So many events in conflict with the log, and no new one between them, are another log's.
const MOST_UNLIKE: usize = 16;
/// Tables whose newest entries are kept to compare with.
const TABLES_REMEMBERED: usize = 64;

/// What an ingest sealed.
#[derive(Debug, Default, Serialize)]
pub(super) struct IngestView {
    pub(super) events: u64,
    pub(super) entries: u64,
    already_there: u64,
    conflicts: u64,
    lines: u64,
    /// The first line whose event was read and not sealed, see [`Work::unlike`].
    #[serde(skip)]
    held_from: Option<u64>,
    pub(super) origin: String,
    size: u64,
    pub(super) root: String,
    checkpoint: String,
}

pub(crate) fn run(ask: &Ingest) -> Result<Exit, Failure> {
    let (name, view, outcome) = seal(ask, now)?;
    finish(ask, &name, &view, outcome)
}

/// Seals all events of a file that must hold nothing else, received at the time that this clock shows.
pub(super) fn sealed(ask: &Ingest, clock: fn() -> i64) -> Result<IngestView, Failure> {
    let (name, view, outcome) = seal(ask, clock)?;
    outcome.map(|()| view).map_err(|stopped| match stopped {
        Stopped::Failure(failure) => failure,
        Stopped::Line { number, message, .. } => Failure::unreadable(format!("{name}:{number}: {message}")),
    })
}

/// The name of the file, what was sealed of it, and why the reading stopped if it did before the end.
type Sealed = (String, IngestView, Result<(), Stopped>);

fn seal(ask: &Ingest, clock: fn() -> i64) -> Result<Sealed, Failure> {
    let (input, name) = line_reader::open(&ask.file)?;
    let folder = KeyedFolder::new(&ask.log);
    printable("--producer", &ask.producer)?;
    let producer =
        producer(ask).parse().map_err(|error| Failure::usage(format!("--producer: {}", said(&error))))?;
    let mut events = EventReader { lines: LineReader::new(input), from_line: ask.from_line, last: 0 };
    // A file that is no events makes no log. A log that is there is held from the start, and so is one
    // that a pipe fills, which may take its time.
    let creation = Creation::asked(ask.create);
    let held = folder.check(creation)? || ask.file.as_os_str() == "-";
    let first = if held { Ok(None) } else { events.next() };
    let first = match first {
        Ok(first) => first,
        Err(stopped) => return Ok((name, IngestView::default(), Err(stopped))),
    };
    let (receipts, proofs) = (receipts(ask)?, proofs(ask)?);
    let writer = folder.open_or_make(ask.origin.as_deref(), creation)?;
    if let Some(file) = &ask.witness_policy {
        witnesses::ask_before_sealing(&ask.log, file, &writer)?;
    }
    let newest = writer.signed_checkpoint();
    let sequencer = Sequencer::start(writer).map_err(Failure::of_reading)?;
    let mut work = Work {
        handle: sequencer.handle(),
        groups: Groups::new(producer, ask.live, clock),
        known: BTreeMap::new(),
        remembered: BTreeSet::new(),
        calls: VecDeque::new(),
        receipts,
        proofs,
        newest,
        view: IngestView::default(),
        bar: progress::counter(texts().counting_events_read()),
        asks: !ask.record_conflicts,
        unlike: Vec::new(),
        unlike_from: 0,
    };
    let outcome = work.read(first, &mut events);
    work.bar.finish_and_clear();
    let Work { mut view, newest, .. } = work;
    sequencer.shutdown().map_err(Failure::of_reading)?;
    let checkpoint = newest.checkpoint();
    view.origin.clone_from(&checkpoint.origin);
    view.size = checkpoint.size;
    view.root = checkpoint.root_text();
    view.checkpoint = folder.checkpoint().display().to_string();
    Ok((name, view, outcome))
}

/// The producer that is recorded. It distinguishes events that were read from a file from those that a table
/// submits as they happen.
fn producer(ask: &Ingest) -> String {
    if ask.live || ask.producer == DEFAULT_PRODUCER {
        ask.producer.clone()
    } else {
        format!("{DEFAULT_PRODUCER}:{}", ask.producer)
    }
}

fn receipts(ask: &Ingest) -> Result<Option<File>, Failure> {
    let Some(path) = &ask.receipts else { return Ok(None) };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    file.map(Some).map_err(|error| Failure::file(path.display(), &error))
}

fn proofs(ask: &Ingest) -> Result<Option<PathBuf>, Failure> {
    let Some(folder) = &ask.proofs else { return Ok(None) };
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder.display(), &error))?;
    Ok(Some(folder.clone()))
}

impl From<IntakeError> for Failure {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::OwnFault(message) => Self { exit: Exit::OwnFault, message },
            IntakeError::Log(_) | IntakeError::Closed(_) | IntakeError::Store(_) | IntakeError::Table(_) => {
                Self::of_reading(error)
            }
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

fn finish(
    ask: &Ingest,
    name: &str,
    view: &IngestView,
    outcome: Result<(), Stopped>,
) -> Result<Exit, Failure> {
    match outcome {
        Ok(()) => {}
        Err(Stopped::Failure(failure)) => return Err(failure),
        Err(Stopped::Line { number, column, message }) => {
            let location =
                if column > 0 { format!("{name}:{number}:{column}") } else { format!("{name}:{number}") };
            let begin = view.held_from.unwrap_or(number);
            let sealed = match view.entries {
                0 if view.already_there == 0 => texts().nothing_sealed(),
                _ => texts().sealed_before(begin, view.events, view.entries),
            };
            let resume = resume(ask, begin);
            return Err(Failure::unreadable(texts().bad_line(location, message, sealed, resume)));
        }
    }
    if ask.json {
        output::print_json(view)?;
    } else {
        output::print(&render::ingested(
            view.events,
            view.entries,
            view.already_there,
            view.conflicts,
            &texts().log_holds(&view.origin, texts().entries(view.size), &view.root, &view.checkpoint),
        ))?;
    }
    Ok(if view.conflicts > 0 { Exit::Findings } else { Exit::Good })
}

/// Reads the events of a file, from one of its lines on.
struct EventReader<R> {
    lines: LineReader<R>,
    from_line: u64,
    /// The line read last; 0 before the first.
    last: u64,
}

impl<R: BufRead> EventReader<R> {
    /// The next event and the length of its line; `None` at the end of the file.
    fn next(&mut self) -> Result<Option<(EventLine, usize)>, Stopped> {
        loop {
            let (number, text) = match self.lines.next().map_err(Failure::of_reading)? {
                Line::End if self.from_line > self.last + 1 => {
                    let (line, lines) = (self.from_line, texts().lines(self.last));
                    return Err(Failure::usage(texts().from_line_beyond(line, lines)).into());
                }
                Line::End => return Ok(None),
                Line::Text(number, _) | Line::TooLong(number) if number < self.from_line => {
                    self.last = number;
                    continue;
                }
                Line::TooLong(number) => {
                    let message = texts().line_too_long(LONGEST_LINE);
                    return Err(Stopped::Line { number, column: 0, message });
                }
                Line::Text(number, text) => (number, text),
            };
            self.last = number;
            if text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let line = parse(text).map_err(|(column, message)| Stopped::Line { number, column, message })?;
            return Ok(Some((line, text.len())));
        }
    }
}

/// The command that continues from a line, ready to be pasted.
fn resume(ask: &Ingest, line: u64) -> String {
    let Ingest { file, log, create, producer, origin, live, receipts, proofs, witness_policy, json, .. } =
        ask;
    let conflicts = ask.record_conflicts;
    let mut text = format!("audit ingest {} --log {}", shell_word(file), shell_word(log));
    let mut option = |name: &str, value: Option<&Path>| {
        if let Some(value) = value {
            text.push_str(&format!(" --{name} {}", shell_word(value)));
        }
    };
    option("producer", Some(Path::new(producer)).filter(|_| producer != DEFAULT_PRODUCER));
    option("origin", origin.as_deref().map(Path::new));
    option("receipts", receipts.as_deref());
    option("proofs", proofs.as_deref());
    option("witness-policy", witness_policy.as_deref());
    for (name, given) in
        [("create", *create), ("live", *live), ("record-conflicts", conflicts), ("json", *json)]
    {
        if given {
            text.push_str(&format!(" --{name}"));
        }
    }
    format!("{text} --from-line {line}")
}

/// Submitted entries, and for each its table, first sequence and number of events.
type Call = (Pending, Vec<(String, u64, u32)>);

struct Work {
    handle: SequencerHandle<SledReader>,
    groups: Groups,
    /// What the log holds of each table already.
    known: BTreeMap<String, Known>,
    /// Tables of which entries are kept.
    remembered: BTreeSet<String>,
    calls: VecDeque<Call>,
    receipts: Option<File>,
    proofs: Option<PathBuf>,
    newest: Arc<SignedCheckpoint>,
    view: IngestView,
    bar: indicatif::ProgressBar,
    /// Whether many conflicts without a new event stop the reading.
    asks: bool,
    /// Events in conflict with the log, while no new event came behind them: they are not sealed yet.
    unlike: Vec<(EventLine, usize)>,
    /// The line of the first of them.
    unlike_from: u64,
}

impl Work {
    fn read<R: BufRead>(
        &mut self,
        first: Option<(EventLine, usize)>,
        events: &mut EventReader<R>,
    ) -> Result<(), Stopped> {
        let outcome = self.read_events(first, events).and_then(|()| Ok(self.end()?));
        // Whatever stopped the reading, what came before it is sealed.
        let sealed = self.seal_all();
        self.view.held_from = (!self.unlike.is_empty()).then_some(self.unlike_from);
        outcome.and_then(|()| sealed.map_err(Stopped::from))
    }

    fn read_events<R: BufRead>(
        &mut self,
        first: Option<(EventLine, usize)>,
        events: &mut EventReader<R>,
    ) -> Result<(), Stopped> {
        let mut next = if first.is_some() { first } else { events.next()? };
        while let Some((line, length)) = next {
            self.view.lines += 1;
            self.bar.inc(1);
            self.take(events.last, line, length)?;
            next = events.next()?;
        }
        Ok(())
    }

    fn take(&mut self, number: u64, line: EventLine, length: usize) -> Result<(), Failure> {
        let table = line.table.to_string();
        match self.recorded(&table, &line)? {
            Recorded::Same { .. } => {
                self.view.already_there += 1;
                return Ok(());
            }
            Recorded::Other => {
                if self.unlike.is_empty() {
                    self.unlike_from = number;
                }
                self.unlike.push((line, length));
                let is_enough = self.unlike.len() == MOST_UNLIKE;
                return match self.asks {
                    true if is_enough => {
                        let (count, from) = (self.unlike.len(), self.unlike_from);
                        Err(unlike_log(&texts().many_in_conflict(count, from)))
                    }
                    true => Ok(()),
                    false => self.seal_held(),
                };
            }
            Recorded::NotCompared => {
                self.seal_held()?;
                self.view.conflicts += 1;
            }
            Recorded::Missing => self.seal_held()?,
        }
        self.add(line, length)
    }

    /// Seals the events in conflict as well: the file goes on with new events, or somebody asked for it.
    fn seal_held(&mut self) -> Result<(), Failure> {
        for (line, length) in std::mem::take(&mut self.unlike) {
            self.view.conflicts += 1;
            self.add(line, length)?;
        }
        Ok(())
    }

    /// The end of the file: a few conflicts behind other events are recorded, a file of nothing else is another log's.
    fn end(&mut self) -> Result<(), Failure> {
        let only_conflicts = !self.unlike.is_empty() && self.view.lines == self.unlike.len() as u64;
        if only_conflicts { Err(unlike_log(&texts().all_in_conflict())) } else { self.seal_held() }
    }

    fn add(&mut self, line: EventLine, length: usize) -> Result<(), Failure> {
        self.known.entry(line.table.to_string()).or_default().note(line.sequence);
        self.groups.add(line, length)?;
        if self.groups.is_enough_ready() || self.groups.is_live() {
            self.submit_ready()?;
        }
        Ok(())
    }

    /// Compares an event with what the log has; what is still on its way has to be there first.
    fn recorded(&mut self, table: &str, line: &EventLine) -> Result<Recorded, Failure> {
        let reader = |handle: &SequencerHandle<SledReader>| handle.reader().map_err(IntakeError::from);
        let known = self.known.entry(table.to_owned()).or_default();
        if known.is_beyond(line.sequence)
            || !known.may_be_there(&reader(&self.handle)?, table, line.sequence)?
        {
            return Ok(Recorded::Missing);
        }
        if self.groups.holds(table) || !self.calls.is_empty() {
            self.seal_all()?;
        }
        self.remember(table);
        let store = reader(&self.handle)?;
        let known = self.known.entry(table.to_owned()).or_default();
        Ok(known.compare(&store, line, &mut Allowance::all())?)
    }

    /// Keeps the newest entries of this table in memory; of too many tables they are dropped.
    fn remember(&mut self, table: &str) {
        if self.remembered.contains(table) {
            return;
        }
        if self.remembered.len() == TABLES_REMEMBERED {
            for table in std::mem::take(&mut self.remembered) {
                self.known.get_mut(&table).into_iter().for_each(Known::forget_entries);
            }
        }
        self.remembered.insert(table.to_owned());
    }

    fn seal_all(&mut self) -> Result<(), Failure> {
        self.groups.close_all()?;
        self.submit_ready()?;
        while let Some(call) = self.calls.pop_front() {
            self.acknowledge(call)?;
        }
        Ok(())
    }

    /// Submits what is ready; waits only for the oldest calls.
    fn submit_ready(&mut self) -> Result<(), Failure> {
        let submissions: Vec<Submission> = self.groups.take_ready();
        if submissions.is_empty() {
            return Ok(());
        }
        let ranges = submissions.iter().map(|s| (s.chain.as_str().to_owned(), s.first, s.count)).collect();
        let call = self.handle.submit_later(submissions).map_err(Failure::of_reading)?;
        self.calls.push_back((call, ranges));
        while self.calls.len() > CALLS_UNDER_WAY || (self.groups.is_live() && !self.calls.is_empty()) {
            if let Some(call) = self.calls.pop_front() {
                self.acknowledge(call)?;
            }
        }
        Ok(())
    }

    fn acknowledge(&mut self, (call, ranges): Call) -> Result<(), Failure> {
        let acknowledged = call.wait().map_err(not_acknowledged)?;
        self.write_proofs(&acknowledged)?;
        let Acknowledgement { entries, signed, .. } = acknowledged;
        let mut lines = String::new();
        for (entry, (table, first, count)) in entries.iter().zip(&ranges) {
            self.view.entries += 1;
            self.view.events += u64::from(*count);
            if self.receipts.is_some() {
                lines.push_str(&format!("{} {} {table} {first} {count}\n", entry.index, entry.digest));
            }
        }
        if let Some(file) = self.receipts.as_mut() {
            file.write_all(lines.as_bytes()).map_err(|error| Failure::file("--receipts", &error))?;
        }
        self.newest = signed;
        Ok(())
    }
}

impl Work {
    fn write_proofs(&self, acknowledged: &Acknowledgement) -> Result<(), Failure> {
        let Some(folder) = &self.proofs else { return Ok(()) };
        let store = self.handle.reader().map_err(Failure::of_seal)?;
        for entry in &acknowledged.entries {
            let proof =
                EntryProof::read(&store, &acknowledged.signed, entry.index).map_err(Failure::of_seal)?;
            let path = folder.join(format!("{}.tlog-proof", proof.index()));
            std::fs::write(&path, proof.to_string())
                .map_err(|error| Failure::file(path.display(), &error))?;
        }
        Ok(())
    }
}

/// The log holds other events under the numbers of those that were read last.
fn unlike_log(what: &str) -> Failure {
    let message = texts().events_of_another_log(what);
    Failure { exit: Exit::Findings, message }
}

/// What was acknowledged before stays sealed; the same command continues from there.
fn not_acknowledged(error: sealed_log::writer::SubmitError) -> Failure {
    let message = texts().sealed_so_far(said(&error));
    Failure::by_cause(Exit::Unreadable, message, &error)
}

/// Reads one line as an event; the column is 0 where the fault is not at one column.
/// An event in its line; else the column and what is wrong there.
pub(super) fn parse(text: &[u8]) -> Result<EventLine, (usize, String)> {
    if text.starts_with(b"\xef\xbb\xbf") {
        return Err((1, texts().byte_order_mark()));
    }
    let text =
        std::str::from_utf8(text).map_err(|error| (error.valid_up_to() + 1, texts().line_not_utf8()))?;
    EventLine::from_json(text).map_err(|error| (error.column, said(&error)))
}
