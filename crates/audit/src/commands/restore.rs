//! `audit restore`: makes a log's folder from an archive of it. Every entry is copied byte for byte, so
//! that the root is the one that was signed.

use std::collections::BTreeSet;
use std::path::Path;

use sealed_log::entry::LOG_CHAIN;
use sealed_log::notice::{Notice, parse_notice};
use sealed_log::reader::{Expectations, SealReport, SealedEntry, Verdict};
use sealed_log_sled::{LogFolder, Restoring};
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::SigningKey;

use crate::cli::Restore;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keys::{self, KeyFiles};
use crate::language::texts;
use crate::log::{KeyedFolder, OpenedLog, not_opened, signed_checkpoint};
use crate::output;

#[derive(Serialize)]
struct RestoreView {
    log: String,
    origin: String,
    /// Entries restored.
    size: u64,
    root: String,
    /// Checkpoints kept elsewhere that the restored log was compared with.
    anchors: usize,
}

pub(crate) fn run(ask: &Restore) -> Result<Exit, Failure> {
    let key = keys::read_signing(&ask.key)?;
    let anchors: Vec<_> =
        ask.checkpoint.iter().map(|path| signed_checkpoint(path)).collect::<Result<_, _>>()?;
    let archive = OpenedLog::open(&ask.archive)?;
    if archive.store().is_some() {
        return Err(Failure::usage(texts().restore_needs_archive(ask.archive.display())));
    }
    let mut restoring = Restoring::begin(&ask.log).map_err(not_opened)?;
    let (anchors_given, mut outcome) = (anchors.len(), Ok(()));
    let mut absent = Absent::default();
    let expectations = Expectations { verifier: Some(key.verifier_key()), anchors };
    let seal = archive.read(expectations, |window| {
        for entry in window.entries() {
            absent.see(&entry);
            if outcome.is_ok() {
                outcome = restoring.push(entry.bytes);
            }
        }
    })?;
    if anchors_given > 0 && seal.intact == Verdict::Yes && seal.anchored == Verdict::Unknown {
        return Err(Failure::usage(texts().restored_nothing_not_compared(ask.archive.display())));
    }
    let signed = whole(&seal, &ask.archive, &absent)?;
    outcome.map_err(Failure::of_reading)?;
    restoring.seal(&signed).map_err(Failure::of_seal)?;
    open_once(&restoring, &key, &signed)?;
    restoring.finish().map_err(Failure::of_reading)?;
    report(ask, &signed, anchors_given)
}

/// Which payloads are not in the archive, and which of them the log says it erased.
#[derive(Default)]
struct Absent {
    withheld: BTreeSet<u64>,
    erased: BTreeSet<u64>,
}

impl Absent {
    fn see(&mut self, entry: &SealedEntry<'_>) {
        if entry.withheld {
            self.withheld.insert(entry.index);
        }
        let own = entry.view.as_ref().ok().filter(|view| view.chain == LOG_CHAIN);
        if let Some(Ok(Notice::EntriesRedacted(redaction))) = own.map(|view| parse_notice(view.payload)) {
            self.erased.extend(redaction.entries.iter().map(|(index, _)| *index));
        }
    }
}

/// The checkpoint to continue from, if the archive is the whole log and nothing is wrong with it.
fn whole(seal: &SealReport, archive: &Path, absent: &Absent) -> Result<SignedCheckpoint, Failure> {
    let name = archive.display();
    let why = seal.faults.first().map_or_else(
        || texts().why_not_intact(seal.intact_unknown),
        |fault| texts().fault_detail(&fault.detail),
    );
    if seal.intact != Verdict::Yes {
        return Err(Failure::seal(texts().restored_nothing_not_intact(name, why)));
    }
    if seal.anchored == Verdict::No {
        return Err(Failure::seal(texts().restored_nothing_not_anchored(name, why)));
    }
    if seal.left_out > 0 {
        return Err(Failure::usage(texts().restore_needs_whole(name)));
    }
    if let Some(index) = absent.withheld.difference(&absent.erased).next() {
        return Err(Failure::usage(texts().restore_needs_payload(name, index)));
    }
    seal.checkpoint.clone().ok_or_else(|| Failure::seal(texts().no_checkpoint_to_continue(name)))
}

/// Puts the key beside the store and opens the log once, with all the checks of every later start.
fn open_once(restoring: &Restoring, key: &SigningKey, signed: &SignedCheckpoint) -> Result<(), Failure> {
    keys::write_pair(&KeyFiles::new(restoring.partial()).signing(), key)?;
    if signed.signatures().len() > 1 {
        LogFolder::new(restoring.partial()).keep_cosigned(signed).map_err(Failure::of_reading)?;
    }
    KeyedFolder::new(restoring.partial()).open_writer_even_closed().map(drop)
}

fn report(ask: &Restore, signed: &SignedCheckpoint, anchors: usize) -> Result<Exit, Failure> {
    let checkpoint = signed.checkpoint();
    let view = RestoreView {
        log: ask.log.display().to_string(),
        origin: checkpoint.origin.clone(),
        size: checkpoint.size,
        root: checkpoint.root_text(),
        anchors,
    };
    if ask.json {
        output::print_json(&view)?;
        return Ok(Exit::Good);
    }
    let RestoreView { log, origin, root, .. } = &view;
    let entries = texts().entries(checkpoint.size);
    let mut text = texts().restored(log, origin, entries, root);
    if anchors == 0 {
        text.push_str(&texts().restored_without_anchor());
    }
    output::print(&text)?;
    Ok(Exit::Good)
}
