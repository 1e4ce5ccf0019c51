//! Reads a log once for one or several judges. It knows nothing of how they judge.

use std::path::Path;

use replay::{Continuing, Entry, Judge};
use sealed_log::entry::LOG_CHAIN;
use sealed_log::reader::{Expectations, SealReport, Window};

use crate::cli::LogRead;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::OpenedLog;
use crate::progress;

/// Reads a whole log for several judges, passes the entries to `each` as well, and returns the report on the seal.
/// `each` gives how many tables its own judge has seen.
pub(crate) fn read_for(
    log: &LogRead,
    expectations: Expectations,
    judges: &mut [&mut Judge],
    each: impl FnMut(&[Entry<'_>]) -> usize,
) -> Result<SealReport, Failure> {
    read_opened(&OpenedLog::open_to_verify(log)?, &log.log, expectations, judges, each)
}

/// The same for a log that is open already.
pub(crate) fn read_opened(
    opened: &OpenedLog,
    log: &Path,
    expectations: Expectations,
    judges: &mut [&mut Judge],
    each: impl FnMut(&[Entry<'_>]) -> usize,
) -> Result<SealReport, Failure> {
    read_bounded(opened, log, expectations, judges, MOST_TABLES, each)
}

fn read_bounded(
    opened: &OpenedLog,
    log: &Path,
    expectations: Expectations,
    judges: &mut [&mut Judge],
    most_tables: usize,
    mut each: impl FnMut(&[Entry<'_>]) -> usize,
) -> Result<SealReport, Failure> {
    let mut reading = progress::Reading::start();
    let bar = reading.bar();
    let (mut is_crowded, mut own) = (false, LogEntries::default());
    let seal = opened.read_sized(
        expectations,
        |size| progress::Reading::of_size(&bar, size),
        |window| {
            let entries = own.of(&window);
            if is_crowded {
                return;
            }
            judges.iter_mut().for_each(|judge| judge.judge(&entries));
            let tables =
                each(&entries).max(judges.iter().map(|judge| judge.table_count()).max().unwrap_or(0));
            is_crowded = tables > most_tables;
            let read = entries.last().map_or(0, |entry| entry.index.saturating_add(1));
            reading.read(read, entries.iter().map(|entry| u64::from(entry.count)).sum());
        },
    )?;
    drop(reading);
    if is_crowded { Err(crowded(log)) } else { Ok(seal) }
}

/// Whether so many tables are too many to be judged at once.
pub(crate) const fn is_crowded(tables: usize) -> bool {
    tables > MOST_TABLES
}

/// Most tables that are judged at once. Each takes some eight kilobytes, so these take two gigabytes.
const MOST_TABLES: usize = 250_000;

pub(crate) fn crowded(log: &Path) -> Failure {
    Failure::unreadable(texts().too_many_tables(log.display(), MOST_TABLES))
}

/// The entries of a log that is read from its beginning, window by window.
#[derive(Debug, Default)]
pub(crate) struct LogEntries {
    continuing: Continuing,
}

impl LogEntries {
    /// As [`entries`], with the first entry of each table marked where the log continues another.
    pub(crate) fn of<'a>(&mut self, window: &'a Window) -> Vec<Entry<'a>> {
        parsed(window).filter_map(|entry| self.continuing.next(entry)).collect()
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
    use crate::exit::Exit;

    /// Who judges does not matter: a judge of the caller is bounded as well.
    #[test]
    fn a_log_of_too_many_tables_is_refused_whoever_judges_it() {
        let plan = Plan { tables: 3, ..Plan::new(baccarat::builtin("punto-banco").unwrap()) };
        let lines: String = simulate(&plan).lines.map(|line| line.to_json().unwrap() + "\n").collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), lines).unwrap();
        let log = LogRead::at(file.path());
        let read = |most_tables, is_own: bool| {
            let (mut given, mut own) = (Judge::default(), Judge::default());
            let opened = OpenedLog::open_to_verify(&log).unwrap();
            let judges: &mut [&mut Judge] = if is_own { &mut [] } else { &mut [&mut given] };
            read_bounded(&opened, &log.log, Expectations::default(), judges, most_tables, |entries| {
                own.judge(entries);
                if is_own { own.table_count() } else { 0 }
            })
        };
        for is_own in [true, false] {
            assert!(read(3, is_own).is_ok());
            assert_eq!(read(2, is_own).unwrap_err().exit, Exit::Unreadable);
        }
    }
}
