//! A folder of backups of one log, each named by its number of entries: what a timer writes every night.

use std::fs;
use std::path::{Path, PathBuf};

use super::{BackupView, checkpoint_of, made};
use crate::cli::Backup;
use crate::failure::{Failure, about};
use crate::new_file::NewFile;

const BEFORE: &str = "entries-";
const BEHIND: &str = ".auditlog";
/// A backup that has no name yet: it was verified, and the program ended before it was named.
const UNNAMED: &str = "unnamed.auditlog";

/// Adds a backup that extends the newest one of the folder. One of the same size is replaced: it is the same log.
pub(super) fn add(ask: &Backup, folder: &Path) -> Result<BackupView, Failure> {
    let newest = newest(folder)?;
    let since = newest.as_deref().map(checkpoint_of).transpose()?;
    let unnamed = folder.join(UNNAMED);
    let mut view = made(ask, &unnamed, NewFile::begin(&unnamed, true)?, since)?;
    let named = folder.join(format!("{BEFORE}{:012}{BEHIND}", view.size));
    let synced = fs::rename(&unnamed, &named).and_then(|()| fs::File::open(folder)?.sync_all());
    synced.map_err(|error| failed(&named, &error))?;
    view.backup = named.display().to_string();
    Ok(view)
}

/// The backup with the most entries.
fn newest(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let mut newest: Option<(u64, PathBuf)> = None;
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
        let entry = entry.map_err(|error| failed(folder, &error))?;
        let size = entry.file_name().to_str().and_then(size_in);
        newest =
            newest.into_iter().chain(size.map(|size| (size, entry.path()))).max_by_key(|(size, _)| *size);
    }
    Ok(newest.map(|(_, path)| path))
}

fn size_in(name: &str) -> Option<u64> {
    name.strip_prefix(BEFORE)?.strip_suffix(BEHIND)?.parse().ok()
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::machine(about(path.display(), error))
}
