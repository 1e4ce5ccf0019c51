//! Private copies of logs, in the folder for temporary files. They go with the program, however it is asked to end; what a
//! program left that was killed, the next run removes.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::Duration;

use tempfile::{NamedTempFile, TempDir};

use crate::signals;

/// How the names of copies begin.
const PREFIX: &str = "audit-copy-";
/// A younger copy is left alone: the program that made it may not hold it yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder for a copy of a log. Only its owner may open it, and it is removed when this goes.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    folder: TempDir,
    /// Held as long as the copy is used.
    _held: File,
}

impl PrivateFolder {
    pub(crate) fn new() -> io::Result<Self> {
        remove_abandoned(&std::env::temp_dir());
        let folder =
            tempfile::Builder::new().prefix(PREFIX).permissions(Permissions::from_mode(0o700)).tempdir()?;
        signals::remove_if_ended(folder.path());
        let held = File::open(folder.path())?;
        held.lock()?;
        Ok(Self { folder, _held: held })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A file for a copy of a log, as private as a folder.
pub(crate) fn private_file() -> io::Result<NamedTempFile> {
    remove_abandoned(&std::env::temp_dir());
    let file = tempfile::Builder::new().prefix(PREFIX).tempfile()?;
    signals::remove_if_ended(file.path());
    file.as_file().lock()?;
    Ok(file)
}

/// Removes what programs of this user left that were killed: nobody holds it any more. What cannot be looked at or removed
/// is left.
fn remove_abandoned(folder: &Path) {
    let own = rustix::process::geteuid().as_raw();
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if !name.to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let Ok(meta) = fs::symlink_metadata(&path) else { continue };
        let is_old = meta.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > YOUNG));
        if meta.uid() != own || meta.is_symlink() || !is_old {
            continue;
        }
        let Ok(held) = File::open(&path) else { continue };
        if held.try_lock().is_ok() {
            // Another run may have removed it meanwhile.
            let _ = if meta.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn what_a_killed_program_left_is_removed_and_what_is_used_or_young_or_of_others_stays() {
        let folder = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - 2 * YOUNG;
        let make = |name: &str, is_folder: bool| {
            let path = folder.path().join(name);
            if is_folder {
                fs::create_dir(&path).unwrap();
                fs::write(path.join("db"), "players").unwrap();
            } else {
                fs::write(&path, "players").unwrap();
            }
            let file = File::open(&path).unwrap();
            file.set_modified(old).unwrap();
            (path, file)
        };
        let (left, _) = make("audit-copy-left", true);
        let (left_file, _) = make("audit-copy-file", false);
        let (used, held) = make("audit-copy-used", true);
        held.lock().unwrap();
        let (young, file) = make("audit-copy-young", false);
        file.set_modified(SystemTime::now()).unwrap();
        let (other, _) = make("another-program", true);
        let link = folder.path().join("audit-copy-link");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        remove_abandoned(folder.path());
        let stays = |path: &Path| fs::symlink_metadata(path).is_ok();
        assert_eq!((stays(&left), stays(&left_file)), (false, false));
        assert!([&used, &young, &other, &link].into_iter().all(|path| stays(path)));
        drop(held);
        remove_abandoned(folder.path());
        assert!(!stays(&used));
    }
}
