//! `audit export`: a log as one self-contained file, or a slice of it.

mod fetched;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use replay::{Entry, Slicer, Wanted};
use sealed_log::archive::{ArchiveSummary, ArchiveWriteError, write_archive, write_slice};
use sealed_log::entry::LOG_CHAIN;
use sealed_log::reader::{Expectations, SealedEntry, Verdict};
use sealed_log::redaction::{parse_kept, redact_entry};
use sealed_log::store::StoreReader as _;
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;

use crate::cli::Export;
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::OpenedLog;
use crate::new_file::NewFile;
use crate::proving::{self, ProvingLog};
use crate::render::shell_word;
use crate::shown::plain;
use crate::{judging, output, render, witnesses};

#[derive(Serialize)]
struct ArchiveView {
    archive: String,
    entries: u64,
    withheld: u64,
    left_out: u64,
    entry_bytes: u64,
    file_bytes: u64,
    origin: String,
    size: u64,
    root: String,
    /// Signatures of the checkpoint besides the log's own.
    cosignatures: usize,
    /// Size of the newest cosigned checkpoint, where it is another.
    cosigned_size: Option<u64>,
}

type Written = Result<(NewFile, ArchiveSummary), ArchiveWriteError>;

pub(crate) fn run(ask: &Export, out: &Path) -> Result<Exit, Failure> {
    let name = out.display().to_string();
    if out.exists() && !ask.force {
        return Err(Failure::usage(texts().exists_already(name)));
    }
    let cosigned = witnesses::kept(&ask.log.log)?;
    let opened = OpenedLog::open_as(&ask.log)?;
    let (summary, signed) = match (&ask.table, &opened) {
        (Some(table), _) => slice(ask, opened, table, out)?,
        (None, OpenedLog::Served(served)) => fetched::fetch(ask, served, out)?,
        (
            None,
            OpenedLog::Copy(_) | OpenedLog::Damaged(_) | OpenedLog::Archive(_) | OpenedLog::StandardInput,
        ) => whole(ask, &opened, out)?,
    };
    let checkpoint = signed.checkpoint();
    let view = ArchiveView {
        archive: name,
        entries: summary.entries,
        withheld: summary.withheld,
        left_out: summary.left_out,
        entry_bytes: summary.entry_bytes,
        file_bytes: summary.file_bytes,
        origin: checkpoint.origin.clone(),
        size: checkpoint.size,
        root: checkpoint.root_text(),
        cosignatures: signed.signatures().len().saturating_sub(1),
        cosigned_size: cosigned
            .as_ref()
            .map(|cosigned| cosigned.checkpoint().size)
            .filter(|size| *size != checkpoint.size),
    };
    if ask.json {
        output::print_json(&view)?;
    } else {
        output::print(&text(&view, &ask.log.log.display()))?;
    }
    Ok(Exit::Good)
}

fn text(view: &ArchiveView, log: &dyn std::fmt::Display) -> String {
    let (entries, bytes) = (render::grouped(view.entries), render::grouped(view.file_bytes));
    let ArchiveView { archive, origin, .. } = view;
    let mut text = match view.left_out {
        0 => format!("{}\n", texts().archive_whole(archive, texts().entries(view.entries), origin, bytes)),
        _ => {
            let size = render::grouped(view.size);
            format!("{}\n", texts().archive_slice(archive, entries, size, origin, bytes))
        }
    };
    if view.withheld > 0 {
        text.push_str(&format!("{}\n", texts().some_withheld(render::grouped(view.withheld))));
    }
    text.push_str(&format!("{}\n", texts().root(&view.root)));
    text + &cosignatures(view, log)
}

pub(super) fn whole(
    ask: &Export,
    opened: &OpenedLog,
    out: &Path,
) -> Result<(ArchiveSummary, SignedCheckpoint), Failure> {
    let log = ask.log.log.display();
    let Some((store, signed, key)) = opened.store() else {
        return Err(Failure::usage(texts().nothing_to_export(log)));
    };
    let signed = signed.ok_or_else(|| Failure::seal(texts().no_signed_checkpoint(&log)))?;
    let key = key.ok_or_else(|| Failure::unreadable(texts().key_file_without_key(&log)))?;
    let size = signed.checkpoint().size;
    if let Some(index) = ask.withhold.iter().find(|index| **index >= size) {
        return Err(Failure::usage(texts().withheld_beyond(index, size)));
    }
    for index in &ask.withhold {
        let entry = store.read(*index, 1).map_err(|error| Failure::seal(said(&error)))?;
        entry.first().map_or(Ok(()), |bytes| withholdable(*index, bytes))?;
    }
    let withhold = ask.withhold.iter().copied().collect();
    let summary = write(ask, out, |file| write_archive(file, store, signed, key, &withhold))?;
    Ok((summary, signed.clone()))
}

/// The entries that are asked for, with proofs in place of all others.
fn slice(
    ask: &Export,
    opened: OpenedLog,
    table: &str,
    out: &Path,
) -> Result<(ArchiveSummary, SignedCheckpoint), Failure> {
    let chosen = chosen(ask, &opened, table)?;
    let log = ProvingLog::of(opened, &ask.log.log, &proving::Wanted::Among(&chosen))?;
    let mut entries: BTreeMap<u64, Vec<u8>> = log.entries.iter().cloned().collect();
    for index in &ask.withhold {
        let Some(bytes) = entries.get_mut(index) else {
            return Err(Failure::usage(texts().withheld_not_in_slice(index)));
        };
        withholdable(*index, bytes)?;
        *bytes = redact_entry(bytes).map_err(Failure::of_seal)?;
    }
    let key = log.key.clone();
    let summary = write(ask, out, |file| write_slice(file, &log, &log.signed, key.as_ref(), &entries))?;
    Ok((summary, log.signed.clone()))
}

/// Refuses to withhold what the log says about itself: without it nobody could verify the copy.
fn withholdable(index: u64, bytes: &[u8]) -> Result<(), Failure> {
    let is_own = parse_kept(bytes).is_ok_and(|kept| kept.view.chain == LOG_CHAIN);
    if is_own {
        return Err(Failure::usage(texts().notice_not_withheld(index)));
    }
    Ok(())
}

/// Log indexes of the entries a slice needs.
fn chosen(ask: &Export, opened: &OpenedLog, table: &str) -> Result<BTreeSet<u64>, Failure> {
    let wanted = Wanted { table: Some(table.to_owned()), shoe: ask.shoe.clone(), coup: ask.coup };
    let mut slicer = Slicer::new(wanted);
    // The log's notices about its keys and about erased entries concern every part of it.
    let mut own = BTreeSet::new();
    let seal = opened.read(Expectations::default(), |window| {
        let is_own = |entry: &SealedEntry<'_>| entry.view.as_ref().is_ok_and(|view| view.chain == LOG_CHAIN);
        own.extend(window.entries().filter(is_own).map(|entry| entry.index));
        judging::entries(&window).iter().for_each(|entry: &Entry<'_>| slicer.see(entry));
    })?;
    let log = ask.log.log.display();
    if seal.intact == Verdict::No {
        return Err(Failure::seal(texts().seal_broken_see(log, shell_word(&ask.log.log))));
    }
    if slicer.chosen().is_empty() {
        let table = plain(table);
        return Err(Failure::usage(match (ask.coup, &ask.shoe) {
            (None, None) => texts().nothing_at_table(log, table),
            (None, Some(shoe)) => texts().nothing_of_shoe(log, shoe, table),
            (Some(coup), None) => texts().no_coup_at_table(log, coup, table),
            (Some(coup), Some(shoe)) => texts().no_coup_of_shoe(log, coup, shoe, table),
        }));
    }
    if let Some(coup) = ask.coup.filter(|_| slicer.shoes().len() > 1) {
        let shoes: Vec<&str> = slicer.shoes().iter().filter_map(Option::as_deref).collect();
        let shoes = shoes.join(", ");
        return Err(Failure::usage(texts().add_shoe(coup, shoes)));
    }
    Ok(slicer.chosen().union(&own).copied().collect())
}

/// Writes an archive completely or not at all.
fn write(
    ask: &Export,
    out: &Path,
    archive: impl FnOnce(NewFile) -> Written,
) -> Result<ArchiveSummary, Failure> {
    let (file, summary) = archive(NewFile::begin(out, ask.force)?)
        .map_err(|error| Failure::of_seal_in(out.display(), error))?;
    file.keep_private()?;
    Ok(summary)
}

/// The cosignatures in the archive, or how to get them into it.
fn cosignatures(view: &ArchiveView, log: &dyn std::fmt::Display) -> String {
    match view {
        ArchiveView { cosigned_size: Some(size), .. } => {
            format!("{}\n", texts().cosigned_elsewhere(render::grouped(*size), log))
        }
        ArchiveView { cosignatures: 0, .. } => String::new(),
        ArchiveView { cosignatures, .. } => {
            format!("{}\n", texts().has_cosignatures(texts().cosignatures(*cosignatures as u64)))
        }
    }
}
