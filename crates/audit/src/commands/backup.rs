//! `audit backup`: a copy of a log, read back and verified before it gets its name.
//!
//! The folder of a running service is only read, from a private copy; a served log is downloaded. Neither
//! is trusted: only the written file decides, when it is read back.

mod folder;

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

use sealed_log::archive::{ArchiveSource, write_archive};
use sealed_log::reader::{EntrySource as _, Expectations, SealReport, Verdict};
use sealed_log::writer::CheckpointSink as _;
use sealed_log_sled::CheckpointFile;
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;

use crate::cli::Backup;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{OpenedLog, signed_checkpoint, verifier_key};
use crate::new_file::NewFile;
use crate::{output, render};

#[derive(Serialize)]
struct BackupView {
    backup: String,
    origin: String,
    /// Entries in the backup.
    size: u64,
    root: String,
    file_bytes: u64,
    /// The key that signed its checkpoint.
    key: String,
    /// Whether the key was given, or only stored with the log.
    key_trust: &'static str,
    /// Entries of the previous backup, all of which are in this one.
    since: Option<u64>,
    /// Where its checkpoint was written as well.
    #[serde(rename = "head")]
    kept_checkpoint: Option<String>,
}

pub(crate) fn run(ask: &Backup) -> Result<Exit, Failure> {
    let view = match (&ask.into, &ask.out) {
        (Some(folder), _) => folder::add(ask, folder)?,
        (None, Some(out)) => {
            let since = ask.since.as_deref().map(checkpoint_of).transpose()?;
            made(ask, out, NewFile::begin(out, ask.force)?, since)?
        }
        (None, None) => return Err(Failure::usage(texts().give_out_or_into())),
    };
    if ask.json {
        output::print_json(&view)?
    } else {
        output::print(&text(&view))?
    }
    Ok(Exit::Good)
}

/// Writes one backup, which must extend the one before.
fn made(
    ask: &Backup,
    out: &Path,
    mut file: NewFile,
    since: Option<SignedCheckpoint>,
) -> Result<BackupView, Failure> {
    let name = out.display().to_string();
    let key = ask.key.as_deref().map(verifier_key).transpose()?;
    let own_key = fill(ask, out, &mut file)?;
    let copied = file.so_far()?;
    let expectations =
        Expectations { verifier: key.clone().or(own_key), anchors: since.clone().into_iter().collect() };
    let report = OpenedLog::Archive(copied.clone()).read(expectations, drop)?;
    let signed = verified(&report, since.as_ref(), &name)?;
    let failed = |error: io::Error| Failure::file(&name, &error);
    let file_bytes = copied.metadata().map_err(failed)?.len();
    file.keep_private()?;
    if let Some(kept) = &ask.keep_head {
        CheckpointFile::new(kept.clone()).keep(&signed).map_err(Failure::of_reading)?;
    }
    let checkpoint = signed.checkpoint();
    Ok(BackupView {
        backup: name,
        origin: checkpoint.origin.clone(),
        size: checkpoint.size,
        root: checkpoint.root_text(),
        file_bytes,
        key: report.key.as_ref().map(ToString::to_string).unwrap_or_default(),
        key_trust: if key.is_some() { "given" } else { "carried" },
        since: since.map(|since| since.checkpoint().size),
        kept_checkpoint: ask.keep_head.as_ref().map(|path| path.display().to_string()),
    })
}

/// Writes the archive; gives the key that lies beside the log, if there is one.
fn fill(ask: &Backup, path: &Path, out: &mut NewFile) -> Result<Option<VerifierKey>, Failure> {
    let (name, log) = (path.display(), ask.log.log.display());
    let opened = OpenedLog::open_as(&ask.log)?;
    match &opened {
        OpenedLog::Copy(_) => {
            let Some((store, Some(signed), Some(key))) = opened.store() else {
                return Err(Failure::seal(texts().checkpoint_or_key_missing(log)));
            };
            write_archive(out, store, signed, key, &BTreeSet::new())
                .map_err(|error| Failure::of_seal_in(name, error))?;
            Ok(Some(key.clone()))
        }
        OpenedLog::Served(served) => {
            let copied = io::copy(&mut served.archive()?, out);
            copied.map_err(|error| Failure::file(texts().from_to(log, name), &error))?;
            Ok(None)
        }
        OpenedLog::Damaged(store) => Err(Failure::seal(format!("{log}: {}", store.why))),
        OpenedLog::Archive(_) | OpenedLog::StandardInput => Err(Failure::usage(texts().is_an_archive(log))),
    }
}

/// The backup's checkpoint, if reading it back found all in order.
fn verified(
    report: &SealReport,
    since: Option<&SignedCheckpoint>,
    name: &str,
) -> Result<SignedCheckpoint, Failure> {
    let why = report.faults.first().map_or_else(
        || texts().why_not_intact(report.intact_unknown),
        |fault| texts().fault_detail(&fault.detail),
    );
    if report.intact != Verdict::Yes {
        return Err(Failure::seal(texts().backup_not_intact(name, why)));
    }
    if let Some(since) = since.filter(|_| report.anchored != Verdict::Yes) {
        let size = since.checkpoint().size;
        return Err(Failure::seal(texts().backup_not_extending(name, size, why)));
    }
    let whole = report.left_out == 0 && report.beyond_checkpoint == 0;
    let signed = report.checkpoint.clone().filter(|_| whole);
    signed.ok_or_else(|| Failure::seal(texts().backup_not_whole(name)))
}

/// The checkpoint in an archive, or in a file of its own.
fn checkpoint_of(path: &Path) -> Result<SignedCheckpoint, Failure> {
    let name = path.display();
    let file = File::open(path).map_err(|error| Failure::file(&name, &error))?;
    let Ok(archive) = ArchiveSource::new(file) else { return signed_checkpoint(path) };
    let signed = archive.claims().checkpoint.clone();
    signed.ok_or_else(|| Failure::unreadable(texts().no_checkpoint_to_extend(name)))
}

fn text(view: &BackupView) -> String {
    let BackupView { backup, origin, size, root, file_bytes, key, key_trust, since, kept_checkpoint } = view;
    let (entries, bytes) = (texts().entries(*size), render::grouped(*file_bytes));
    let mut text = texts().backup_made(backup, origin, entries, bytes, root);
    text.push_str(&match *key_trust {
        "given" => texts().signed_by_given(key),
        _ => texts().signed_by_carried(key),
    });
    if let Some(since) = since {
        text.push_str(&texts().holds_previous_backup(render::grouped(*since)));
    }
    if let Some(file) = kept_checkpoint {
        text.push_str(&texts().its_checkpoint(file));
    }
    text
}
