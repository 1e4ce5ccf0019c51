//! Private copies of logs, in the folder for temporary files. They go with the program, however it is asked to end; what a
//! program left that was killed, the next run removes.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use tempfile::{NamedTempFile, TempDir};

use crate::signals;

/// How the names of copies begin.
const PREFIX: &str = "audit-copy-";

/// A folder for a copy of a log. Only its owner may open it, and it is removed when this goes.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    folder: TempDir,
    /// Held as long as the copy is used.
    _held: File,
}

impl PrivateFolder {
    pub(crate) fn new() -> io::Result<Self> {
        remove_abandoned(&std::env::temp_dir(), PREFIX);
        loop {
            let folder = tempfile::Builder::new()
                .prefix(PREFIX)
                .permissions(Permissions::from_mode(0o700))
                .tempdir()?;
            signals::remove_if_ended(folder.path());
            match File::open(folder.path()).and_then(|held| hold(held, folder.path())) {
                Ok(Some(held)) => return Ok(Self { folder, _held: held }),
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A file for a copy of a log, as private as a folder.
pub(crate) fn private_file() -> io::Result<NamedTempFile> {
    let file = held_file(&std::env::temp_dir(), PREFIX)?;
    signals::remove_if_ended(file.path());
    Ok(file)
}

/// Makes a file whose name begins so. What killed programs left under such names is removed first.
pub(crate) fn held_file(folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
    remove_abandoned(folder, prefix);
    loop {
        let file = tempfile::Builder::new().prefix(prefix).tempfile_in(folder)?;
        if hold(file.as_file().try_clone()?, file.path())?.is_some() {
            return Ok(file);
        }
    }
}

/// Takes the lock by which others see that a file or folder is used; it goes with the program. `None` if another program
/// removed what was just made, before it was locked.
fn hold(file: File, path: &Path) -> io::Result<Option<File>> {
    match file.lock() {
        Ok(()) => Ok(is_at(&file, path).then_some(file)),
        // Some file systems have no locks: nothing is removed there either.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(file)),
        Err(error) => Err(error),
    }
}

/// Whether what is open is what lies there.
fn is_at(file: &File, path: &Path) -> bool {
    let place = |meta: fs::Metadata| (meta.dev(), meta.ino());
    let (Ok(open), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else { return false };
    place(open) == place(there)
}

/// Removes what programs of this user left that were killed: nobody holds it any more. What cannot be looked at or removed
/// is left. A pipe under such a name is not opened: it would be waited for.
fn remove_abandoned(folder: &Path, prefix: &str) {
    let own = rustix::process::geteuid().as_raw();
    let Ok(entries) = fs::read_dir(folder) else { return };
    let begins = |name: &OsStr| name.to_string_lossy().starts_with(prefix);
    for entry in entries.flatten().filter(|entry| begins(&entry.file_name())) {
        let path = entry.path();
        let Ok(meta) = fs::symlink_metadata(&path) else { continue };
        if meta.uid() != own || !(meta.is_file() || meta.is_dir()) {
            continue;
        }
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOFOLLOW;
        let Ok(held) = open(&path, flags, Mode::empty()).map(File::from) else { continue };
        if held.try_lock().is_ok() && is_at(&held, &path) {
            // Another run may have removed it meanwhile.
            let _ = if meta.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_a_killed_program_left_is_removed_and_what_is_used_or_of_others_stays() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, is_folder: bool| {
            let path = folder.path().join(name);
            if is_folder {
                fs::create_dir(&path).unwrap();
                fs::write(path.join("db"), "players").unwrap();
            } else {
                fs::write(&path, "players").unwrap();
            }
            let file = File::open(&path).unwrap();
            (path, file)
        };
        let (left, _) = make("audit-copy-left", true);
        let (left_file, _) = make("audit-copy-file", false);
        let (used, held) = make("audit-copy-used", true);
        held.lock().unwrap();
        let (other, _) = make("another-program", true);
        let link = folder.path().join("audit-copy-link");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let pipe = folder.path().join("audit-copy-pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let made = held_file(folder.path(), "audit-copy-").unwrap();
        let stays = |path: &Path| fs::symlink_metadata(path).is_ok();
        assert_eq!((stays(&left), stays(&left_file)), (false, false));
        remove_abandoned(folder.path(), PREFIX);
        assert!([&used, &other, &link, &pipe, made.path()].into_iter().all(stays));
        drop(held);
        remove_abandoned(folder.path(), PREFIX);
        assert!(!stays(&used));
    }

    /// Between making a file and locking it, another program may take it for one that was left.
    #[test]
    fn what_was_removed_before_it_was_locked_is_not_held() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit-copy-new");
        let file = File::create(&path).unwrap();
        remove_abandoned(folder.path(), PREFIX);
        assert!(hold(file, &path).unwrap().is_none());
    }
}
