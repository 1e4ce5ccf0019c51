//! Copies of a store's folder, made without touching it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::FolderError;

/// Bytes compared at once.
const BLOCK_BYTES: u64 = 1 << 20;

/// By what it is noticed that a folder's files were written in the meantime: path, length, time.
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

/// Whether a copy holds what its source holds. If it does, byte for byte, then it is the source as
/// it was at one moment: nothing changed between the end of the copying and the start of this.
pub(crate) fn same_bytes(from: &Path, to: &Path) -> Result<bool, FolderError> {
    let (sources, copies) = (children(from)?, children(to)?);
    if !sources.iter().map(|path| path.file_name()).eq(copies.iter().map(|path| path.file_name())) {
        return Ok(false);
    }
    for (source, copy) in sources.iter().zip(&copies) {
        let same = if source.is_dir() {
            same_bytes(source, copy)?
        } else {
            same_file(source, copy).map_err(failed(source))?
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

fn same_file(left: &Path, right: &Path) -> io::Result<bool> {
    let (mut left, mut right) = (File::open(left)?, File::open(right)?);
    let (mut of_left, mut of_right) = (Vec::new(), Vec::new());
    loop {
        of_left.clear();
        of_right.clear();
        (&mut left).take(BLOCK_BYTES).read_to_end(&mut of_left)?;
        (&mut right).take(BLOCK_BYTES).read_to_end(&mut of_right)?;
        if of_left != of_right {
            return Ok(false);
        }
        if of_left.is_empty() {
            return Ok(true);
        }
    }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    // Times are as coarse as a kernel's tick: a write can leave length and time as they were.
    #[test]
    fn a_copy_that_is_behind_its_source_is_noticed_even_if_times_are_the_same() {
        let scratch = tempfile::tempdir().unwrap();
        let (from, to) = (scratch.path().join("from"), scratch.path().join("to"));
        fs::create_dir_all(from.join("below")).unwrap();
        let file = from.join("below/db");
        fs::write(&file, vec![7; 3 << 20]).unwrap();
        fs::write(from.join("conf"), b"").unwrap();
        let before = prints(&from).unwrap();
        copy_folder(&from, &to).unwrap();
        assert!(same_bytes(&from, &to).unwrap());
        for at in [0, (1 << 20) - 1, 1 << 20, (3 << 20) - 1] {
            let mut bytes = vec![7; 3 << 20];
            bytes[at] = 8;
            fs::write(&file, bytes).unwrap();
            File::options().write(true).open(&file).unwrap().set_modified(before[0].2).unwrap();
            assert_eq!(prints(&from).unwrap(), before);
            assert!(!same_bytes(&from, &to).unwrap(), "byte {at}");
        }
        fs::write(&file, vec![7; (3 << 20) + 1]).unwrap();
        assert!(!same_bytes(&from, &to).unwrap(), "a longer source");
        fs::write(&file, vec![7; 3 << 20]).unwrap();
        fs::write(from.join("new"), b"").unwrap();
        assert!(!same_bytes(&from, &to).unwrap(), "a new file");
    }
}
