//! Copies of a store's folder, made without touching it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::FolderError;

/// What tells whether a folder's files were written in the meantime: path, length, time.
pub(crate) type Prints = Vec<(PathBuf, u64, SystemTime)>;

/// Copies a folder and what is below it; shares blocks where the file system can.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<(), FolderError> {
    fs::create_dir(to).map_err(failed(to))?;
    for path in children(from)? {
        let target = to.join(path.file_name().unwrap_or_default());
        let kind = fs::symlink_metadata(&path).map_err(failed(&path))?;
        if kind.is_dir() {
            copy_folder(&path, &target)?;
        } else if kind.is_file() {
            copy_file(&path, &target).map_err(failed(&path))?;
        }
    }
    Ok(())
}

/// Lengths and times of all files below a folder, in order of their paths.
pub(crate) fn prints(folder: &Path) -> Result<Prints, FolderError> {
    let mut prints = Vec::new();
    for path in children(folder)? {
        let meta = match fs::symlink_metadata(&path) {
            Ok(meta) => meta,
            // A writer replaces small files; one that goes now is missing from the list after.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(&path)(error)),
        };
        if meta.is_dir() {
            prints.extend(self::prints(&path)?);
        } else {
            let time = meta.modified().map_err(failed(&path))?;
            prints.push((path, meta.len(), time));
        }
    }
    Ok(prints)
}

fn children(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let list =
        || fs::read_dir(folder)?.map(|item| item.map(|item| item.path())).collect::<io::Result<Vec<_>>>();
    let mut children = list().map_err(failed(folder))?;
    children.sort();
    Ok(children)
}

fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let (source, target) = (File::open(from)?, File::create(to)?);
    if rustix::fs::ioctl_ficlone(&target, &source).is_ok() {
        return Ok(());
    }
    io::copy(&mut &source, &mut &target).map(drop)
}

pub(crate) fn failed(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |error| FolderError::File { path, error }
}
