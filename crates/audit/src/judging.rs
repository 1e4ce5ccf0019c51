//! Reads a log once for one or several judges. It knows nothing of how they judge.

use std::path::Path;

use replay::{Entry, Judge};
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
    mut each: impl FnMut(&[Entry<'_>]) -> usize,
) -> Result<SealReport, Failure> {
    let mut reading = progress::Reading::start();
    let bar = reading.bar();
    let mut is_crowded = false;
    let seal = opened.read_sized(
        expectations,
        |size| progress::Reading::of_size(&bar, size),
        |window| {
            let entries = entries(&window);
            if is_crowded {
                return;
            }
            judges.iter_mut().for_each(|judge| judge.judge(&entries));
            let tables =
                each(&entries).max(judges.iter().map(|judge| judge.table_count()).max().unwrap_or(0));
            is_crowded = tables > MOST_TABLES;
            let read = entries.last().map_or(0, |entry| entry.index.saturating_add(1));
            reading.read(read, entries.iter().map(|entry| u64::from(entry.count)).sum());
        },
    )?;
    reading.finish();
    if is_crowded { Err(crowded(log)) } else { Ok(seal) }
}

/// Most tables that are judged at once. Each takes some eight kilobytes, so these take two gigabytes.
const MOST_TABLES: usize = 250_000;

fn crowded(log: &Path) -> Failure {
    Failure::unreadable(texts().too_many_tables(log.display(), MOST_TABLES))
}

/// The entries of a window that can be parsed; the others are faults of the seal. The log's own notices are
/// not for the judge.
pub(crate) fn entries(window: &Window) -> Vec<Entry<'_>> {
    window
        .entries()
        .filter_map(|entry| {
            let view = entry.view.ok().filter(|view| view.chain != LOG_CHAIN)?;
            let (withheld, after_left_out) = (entry.withheld, entry.after_left_out);
            Some(Entry { withheld, after_left_out, ..Entry::of(entry.index, &view) })
        })
        .collect()
}
