//! Reads a log for one or several judges, once or in passes. It knows nothing of how they judge.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::path::Path;

use replay::{Continuing, Entry, Footprint, Judge};
use sealed_log::entry::LOG_CHAIN;
use sealed_log::reader::{Expectations, SealReport, Window};

use crate::cli::LogRead;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::OpenedLog;
use crate::progress;

/// Reads a whole log for several judges, passes the entries to `each` as well, and returns the report on the seal.
/// `each` says what its own judge takes.
pub(crate) fn read_for(
    log: &LogRead,
    expectations: Expectations,
    judges: &mut [&mut Judge],
    each: impl FnMut(&[Entry<'_>]) -> Footprint,
) -> Result<SealReport, Failure> {
    read_opened(
        &OpenedLog::open_to_verify(log, expectations.verifier.as_ref())?,
        &log.log,
        expectations,
        judges,
        each,
    )
}

/// The same for a log that is open already.
pub(crate) fn read_opened(
    opened: &OpenedLog,
    log: &Path,
    expectations: Expectations,
    judges: &mut [&mut Judge],
    each: impl FnMut(&[Entry<'_>]) -> Footprint,
) -> Result<SealReport, Failure> {
    match read_bounded(opened, expectations, judges, Footprint::AT_ONCE, each)? {
        (seal, Fits::AtOnce) => Ok(seal),
        (_, Fits::InPasses) => Err(crowded(log)),
    }
}

/// Reads a whole log for several judges. What does not fit in memory at once is judged in passes: the log is read again for each,
/// and its tables are judged some at a time, by name.
pub(crate) fn read_in_passes(
    opened: &OpenedLog,
    log: &Path,
    expectations: Expectations,
    judges: &mut [&mut Judge],
) -> Result<SealReport, Failure> {
    read_in_passes_of(opened, log, expectations, judges, Footprint::AT_ONCE, MOST_NAMES)
}

/// Whether a log is judged in one pass over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fits {
    AtOnce,
    InPasses,
}

fn read_bounded(
    opened: &OpenedLog,
    expectations: Expectations,
    judges: &mut [&mut Judge],
    most: Footprint,
    mut each: impl FnMut(&[Entry<'_>]) -> Footprint,
) -> Result<(SealReport, Fits), Failure> {
    let mut reading = progress::Reading::start();
    let bar = reading.bar();
    let (mut fits, mut own) = (Fits::AtOnce, LogEntries::default());
    let seal = opened.read_sized(
        expectations,
        |size| progress::Reading::of_size(&bar, size),
        |window| {
            if fits == Fits::InPasses {
                return;
            }
            let entries = own.of(&window);
            judges.iter_mut().for_each(|judge| judge.judge(&entries));
            let held = judges.iter().fold(each(&entries), |held, judge| held.and(judge.footprint()));
            if !held.is_within(most) {
                fits = Fits::InPasses;
                judges.iter_mut().for_each(|judge| judge.begin_passes());
            }
            let read = entries.last().map_or(0, |entry| entry.index.saturating_add(1));
            reading.read(read, entries.iter().map(|entry| u64::from(entry.count)).sum());
        },
    )?;
    drop(reading);
    Ok((seal, fits))
}

fn read_in_passes_of(
    opened: &OpenedLog,
    log: &Path,
    expectations: Expectations,
    judges: &mut [&mut Judge],
    most: Footprint,
    most_names: usize,
) -> Result<SealReport, Failure> {
    let (seal, fits) = read_bounded(opened, expectations, judges, most, |_| Footprint::default())?;
    if fits == Fits::AtOnce {
        return Ok(seal);
    }
    // A server may send another log the next time.
    let same = |again: &SealReport| (again.size, again.root) == (seal.size, seal.root);
    let mut judged_to = None;
    loop {
        let (again, next) = read_next_tables(opened, judged_to.as_deref(), most_names)?;
        if !same(&again) {
            return Err(changed(log));
        }
        let mut tables = next.bytes.into_iter().peekable();
        while tables.peek().is_some() {
            let pass = next_pass(&mut tables, left_of(most, judges));
            let mut reading = progress::Reading::start();
            let mut own = LogEntries::default();
            let again = opened.read_again(|window| {
                let whole = entries(&window);
                let read = whole.last().map_or(0, |entry| entry.index.saturating_add(1));
                reading.read(read, whole.iter().map(|entry| u64::from(entry.count)).sum());
                let entries = own.of_tables(&window, |table| pass.contains(table));
                judges.iter_mut().for_each(|judge| judge.judge(&entries));
            })?;
            if !same(&again) {
                return Err(changed(log));
            }
            judges.iter_mut().for_each(|judge| judge.end_pass());
            judged_to = Some(pass.last);
        }
        if next.left_out.is_none() {
            return Ok(seal);
        }
    }
}

/// Most tables whose names are held to choose passes. If a log has more, it is read again to choose the next ones.
const MOST_NAMES: usize = 1_000_000;

/// The tables that come next by name.
#[derive(Debug, Default)]
struct NextTables {
    /// How many bytes were recorded at each.
    bytes: BTreeMap<String, u64>,
    /// The first name after them, if there are more.
    left_out: Option<String>,
}

impl NextTables {
    fn add(&mut self, entry: &Entry<'_>, most: usize) {
        if self.left_out.as_deref().is_some_and(|left_out| entry.table >= left_out) {
            return;
        }
        let bytes = entry.payload.len() as u64;
        if let Some(sum) = self.bytes.get_mut(entry.table) {
            *sum += bytes;
            return;
        }
        self.bytes.insert(entry.table.to_owned(), bytes);
        if self.bytes.len() > most {
            self.left_out = self.bytes.pop_last().map(|(name, _)| name);
        }
    }
}

/// Reads the log for the tables whose names come after one: at most so many, those that come first.
fn read_next_tables(
    opened: &OpenedLog,
    after: Option<&str>,
    most: usize,
) -> Result<(SealReport, NextTables), Failure> {
    let mut next = NextTables::default();
    let again = opened.read_again(|window| {
        let entries = entries(&window);
        let is_next = |entry: &&Entry<'_>| after.is_none_or(|after| entry.table > after);
        entries.iter().filter(is_next).for_each(|entry| next.add(entry, most));
    })?;
    Ok((again, next))
}

/// What a table may hold of what was recorded at it, at most, and what it holds for each byte of that.
const MOST_OF_A_TABLE: u64 = 128 << 20;
const OF_A_BYTE: u64 = 20;
const OF_A_TABLE: u64 = 8 << 10;

/// What the tables of the next pass may take in each of these judges: what earlier passes left of the whole, and a quarter of it in any
/// case.
fn left_of(most: Footprint, judges: &[&mut Judge]) -> Footprint {
    let kept = judges.iter().fold(0_u64, |kept, judge| kept.saturating_add(judge.footprint().bytes));
    let left = most.bytes.saturating_sub(kept).max(most.bytes / 4);
    Footprint { bytes: left / (judges.len() as u64).max(1), ..most }
}

/// The tables of a pass: all whose names lie between two.
#[derive(Debug)]
struct Pass {
    first: String,
    last: String,
}

impl Pass {
    fn contains(&self, table: &str) -> bool {
        (self.first.as_str()..=self.last.as_str()).contains(&table)
    }
}

/// The next tables by name that are judged in one pass: as many as fit, and one in any case.
fn next_pass(tables: &mut Peekable<impl Iterator<Item = (String, u64)>>, most: Footprint) -> Pass {
    let held = |bytes: u64| OF_A_TABLE + bytes.saturating_mul(OF_A_BYTE).min(MOST_OF_A_TABLE);
    let (first, bytes) = tables.next().unwrap_or_default();
    let mut pass = Pass { last: first.clone(), first };
    let mut taken = Footprint { tables: 1, bytes: held(bytes) };
    let mut fits = |(_, bytes): &(String, u64)| {
        taken = Footprint { tables: taken.tables + 1, bytes: taken.bytes.saturating_add(held(*bytes)) };
        taken.is_within(most)
    };
    while let Some((table, _)) = tables.next_if(&mut fits) {
        pass.last = table;
    }
    pass
}

/// It has to be read several times, and was another log the next time; standard input ends after the first.
fn changed(log: &Path) -> Failure {
    Failure::unreadable(texts().log_changed_between_passes(log.display()))
}

/// Whether so many tables are too many to be judged at once.
pub(crate) const fn is_crowded(tables: usize) -> bool {
    tables > Footprint::AT_ONCE.tables
}

pub(crate) fn crowded(log: &Path) -> Failure {
    Failure::unreadable(texts().too_many_tables(log.display(), Footprint::AT_ONCE.tables))
}

/// The entries of a log that is read from its beginning, window by window.
#[derive(Debug, Default)]
pub(crate) struct LogEntries {
    continuing: Continuing,
}

impl LogEntries {
    /// As [`entries`], with the first entry of each table marked where the log continues another.
    pub(crate) fn of<'a>(&mut self, window: &'a Window) -> Vec<Entry<'a>> {
        self.of_tables(window, |_| true)
    }

    /// The same of some tables.
    fn of_tables<'a>(&mut self, window: &'a Window, is_wanted: impl Fn(&str) -> bool) -> Vec<Entry<'a>> {
        let wanted = parsed(window).filter(|entry| entry.table == LOG_CHAIN || is_wanted(entry.table));
        wanted.filter_map(|entry| self.continuing.next(entry)).collect()
    }
}

/// The entries of a window that can be parsed; the others are faults of the seal. The log's own notices are
/// not for the judge.
pub(crate) fn entries(window: &Window) -> Vec<Entry<'_>> {
    parsed(window).filter(|entry| entry.table != LOG_CHAIN).collect()
}

fn parsed(window: &Window) -> impl Iterator<Item = Entry<'_>> {
    window.entries().filter_map(|entry| {
        let view = entry.view.ok()?;
        let (withheld, after_left_out) = (entry.withheld, entry.after_left_out);
        Some(Entry { withheld, after_left_out, ..Entry::of(entry.index, &view) })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use casino::{Plan, simulate};

    use super::*;

    fn log_of(tables: u32, shoes: u32) -> tempfile::NamedTempFile {
        let plan = Plan { tables, shoes, ..Plan::new(baccarat::builtin("punto-banco").unwrap()) };
        let lines: String = simulate(&plan).lines.map(|line| line.to_json().unwrap() + "\n").collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), lines).unwrap();
        file
    }

    /// Who judges does not matter: a judge of the caller is bounded as well.
    #[test]
    fn a_log_of_too_many_tables_does_not_fit_whoever_judges_it() {
        let file = log_of(3, 1);
        let log = LogRead::at(file.path());
        let fits = |tables: usize, bytes: u64, is_own: bool| {
            let (mut given, mut own) = (Judge::default(), Judge::default());
            let opened = OpenedLog::open_to_verify(&log, None).unwrap();
            let judges: &mut [&mut Judge] = if is_own { &mut [] } else { &mut [&mut given] };
            let read = read_bounded(
                &opened,
                Expectations::default(),
                judges,
                Footprint { tables, bytes },
                |entries| {
                    own.judge(entries);
                    if is_own { own.footprint() } else { Footprint::default() }
                },
            );
            read.unwrap().1
        };
        for is_own in [true, false] {
            assert_eq!(fits(3, u64::MAX, is_own), Fits::AtOnce);
            assert_eq!(fits(2, u64::MAX, is_own), Fits::InPasses);
        }
        assert_eq!(fits(3, 10_000, false), Fits::InPasses);
    }

    /// The report does not depend on which tables are judged together.
    #[test]
    fn what_is_judged_in_passes_is_judged_as_at_once() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/crooked.ndjson");
        let crooked = std::fs::read_to_string(path).unwrap();
        let honest = std::fs::read_to_string(log_of(5, 2).path()).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), honest + &crooked).unwrap();
        let log = LogRead::at(file.path());
        let judged = |most: Footprint, most_names: usize| {
            let opened = OpenedLog::open_to_verify(&log, None).unwrap();
            let (mut judge, mut other) = (Judge::with_ledger(None), Judge::default());
            let judges: &mut [&mut Judge] = &mut [&mut judge, &mut other];
            read_in_passes_of(&opened, &log.log, Expectations::default(), judges, most, most_names).unwrap();
            let (judgement, found, states) = judge.finish_by_table();
            (format!("{judgement:?}"), found, format!("{states:?}"), format!("{:?}", other.finish()))
        };
        let at_once = judged(Footprint::AT_ONCE, MOST_NAMES);
        assert!(at_once.0.contains("findings: [Finding"), "{}", at_once.0);
        for tables in 1..6 {
            for names in [1, 2, 4, 100] {
                let most = Footprint { tables, bytes: u64::MAX };
                assert_eq!(judged(most, names), at_once, "{tables} tables at a time, {names} names");
            }
        }
        assert_eq!(judged(Footprint { tables: 100, bytes: 200_000 }, 100), at_once);
    }

    /// All that is held at once is within the limit: by several judges, and of tables that were judged before.
    #[test]
    fn what_earlier_passes_left_is_counted() {
        let most = Footprint { tables: 100, bytes: 1 << 20 };
        let (mut judge, mut other) = (Judge::with_ledger(None), Judge::default());
        assert_eq!(left_of(most, &[&mut judge]), most);
        assert_eq!(left_of(most, &[&mut judge, &mut other]), Footprint { bytes: 1 << 19, ..most });
        let names: Vec<String> = (0..100).map(|number| format!("T-{number}")).collect();
        let entry = |name| Entry { table: name, first: 1, count: 1, withheld: true, ..Entry::default() };
        judge.judge(&names.iter().map(|name| entry(name)).collect::<Vec<_>>());
        judge.end_pass();
        let left = left_of(most, &[&mut judge]).bytes;
        assert!((most.bytes - left) / 100 > 2_000, "what each comes to is kept: {left}");
        let tables =
            || names.iter().map(|name| (name.clone(), 0)).collect::<BTreeMap<_, _>>().into_iter().peekable();
        let count = |bytes: u64| {
            let mut tables = tables();
            drop(next_pass(&mut tables, Footprint { bytes, ..most }));
            100 - tables.count()
        };
        assert_eq!((count(most.bytes), count(OF_A_TABLE * 3), count(0)), (100, 3, 1));
        other.begin_passes();
        assert_eq!(
            left_of(Footprint { bytes: 4_000, ..most }, &[&mut judge]).bytes,
            1_000,
            "a quarter in any case"
        );
    }
}
