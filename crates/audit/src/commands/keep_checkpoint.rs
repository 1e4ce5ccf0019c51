//! `--keep-checkpoint`: an inspector takes a log's newest checkpoint along, for the next visit.
//!
//! It is written only of a log that was shown to be intact and that extends every checkpoint given. A file that
//! holds a newer checkpoint, or one of another log, is not replaced.

use std::path::Path;

use replay::{Report, Verdict};
use sealed_log::writer::CheckpointSink as _;
use sealed_log_sled::CheckpointFile;
use tlog::checkpoint::SignedCheckpoint;

use crate::failure::Failure;
use crate::language::texts;
use crate::output;
use crate::text_file::plain_text_in;

/// Checks before the log is read that the file may be written at all: a mistake costs no long run.
pub(crate) fn held(file: Option<&Path>) -> Result<Option<SignedCheckpoint>, Failure> {
    let Some(file) = file.filter(|file| file.exists()) else { return Ok(None) };
    let not_one = || Failure::usage(texts().not_kept_not_a_checkpoint(file.display()));
    let text = plain_text_in(file).map_err(|_| not_one())?;
    SignedCheckpoint::parse(&text).map(Some).map_err(|_| not_one())
}

/// Writes the log's newest checkpoint to the file. `extends_given` says whether the log was shown to extend every
/// checkpoint given, the one in the file among them.
pub(crate) fn keep(
    file: &Path,
    held: Option<&SignedCheckpoint>,
    report: &Report,
    newest: Option<&SignedCheckpoint>,
    extends_given: bool,
    json: bool,
) -> Result<(), Failure> {
    let name = file.display();
    let newest = match newest {
        Some(newest) if report.verdicts.intact == Verdict::Yes => newest,
        Some(_) | None => return Err(Failure::seal(texts().not_kept_not_intact(name))),
    };
    if let Some(held) = held.map(SignedCheckpoint::checkpoint) {
        let new = newest.checkpoint();
        if held.origin != new.origin {
            return Err(Failure::usage(texts().not_kept_other_log(name, &held.origin, &new.origin)));
        }
        if held.size > new.size {
            let (held, size) = (texts().grouped(held.size), texts().grouped(new.size));
            return Err(Failure::usage(texts().not_kept_newer(name, held, size)));
        }
    }
    if report.verdicts.anchored == Verdict::No {
        return Err(Failure::seal(texts().not_kept_not_anchored(name)));
    }
    if !report.seal.invalid_checkpoints.is_empty() {
        return Err(Failure::usage(texts().not_kept_invalid(name)));
    }
    if !report.seal.of_another_log.is_empty() {
        return Err(Failure::usage(texts().not_kept_of_another(name)));
    }
    if !extends_given {
        return Err(Failure::usage(texts().not_kept_not_compared(name)));
    }
    CheckpointFile::new(file.to_owned()).keep(newest).map_err(Failure::of_reading)?;
    let size = texts().grouped(newest.checkpoint().size);
    if !json {
        output::print(&format!("\n{}\n", texts().checkpoint_kept(name, size)))?;
    }
    Ok(())
}
