//! Copies of a store's folder, made without touching it.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::io::Errno;

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

/// Reads what either file holds; where both have a hole, both read as zeros.
fn same_file(left: &Path, right: &Path) -> io::Result<bool> {
    let (left, right) = (File::open(left)?, File::open(right)?);
    let length = left.metadata()?.len();
    if right.metadata()?.len() != length {
        return Ok(false);
    }
    let mut at = 0;
    loop {
        let starts = [data_from(&left, at)?, data_from(&right, at)?];
        let start = starts.into_iter().flatten().map(|(start, _)| start).min();
        // A file that grows meanwhile is another one by now; its length shows that.
        let Some(start) = start.filter(|start| *start < length) else { return Ok(true) };
        at = length.min(start + BLOCK_BYTES);
        let mut blocks = [vec![0; (at - start) as usize], vec![0; (at - start) as usize]];
        for (file, block) in [&left, &right].into_iter().zip(&mut blocks) {
            match file.read_exact_at(block, start) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
                read => read?,
            }
        }
        if blocks[0] != blocks[1] {
            return Ok(false);
        }
    }
}

/// Reads the files of a folder and of those below it from end to end: whether the disk hands out what it holds.
pub(crate) fn read_every_byte(folder: &Path) -> Result<(), FolderError> {
    let mut block = vec![0; BLOCK_BYTES as usize];
    for (path, ..) in prints(folder)? {
        // Anything else (a pipe, say) has no bytes on the disk, and would be waited for.
        if !fs::symlink_metadata(&path).map_err(failed(&path))?.is_file() {
            continue;
        }
        let file = File::open(&path).map_err(failed(&path))?;
        let mut at = 0;
        while let Some((start, end)) = data_from(&file, at).map_err(failed(&path))? {
            let wanted = (end - start).min(BLOCK_BYTES) as usize;
            let read = file.read_at(&mut block[..wanted], start).map_err(failed(&path))?;
            if read == 0 {
                break;
            }
            at = start + read as u64;
        }
    }
    Ok(())
}

/// How many bytes of a file are not on the disk.
pub(crate) fn bytes_of_holes(path: &Path) -> io::Result<u64> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let (mut at, mut held) = (0, 0_u64);
    while let Some((start, end)) = data_from(&file, at)? {
        held += end - start;
        at = end;
    }
    Ok(length.saturating_sub(held))
}

/// The next stretch of a file that holds data, from a position on: its first byte and the one behind it. What lies
/// between such stretches are holes, which take no space and read as zeros. Where the file system knows of none, all
/// of the file is data.
fn data_from(file: &File, at: u64) -> io::Result<Option<(u64, u64)>> {
    let length = file.metadata()?.len();
    if at >= length {
        return Ok(None);
    }
    match rustix::fs::seek(file, rustix::fs::SeekFrom::Data(at)) {
        Ok(start) => Ok(Some((start, rustix::fs::seek(file, rustix::fs::SeekFrom::Hole(start))?))),
        Err(Errno::NXIO) => Ok(None),
        Err(Errno::INVAL) => Ok(Some((at, length))),
        Err(error) => Err(error.into()),
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
    // A hole stays one: a file may claim far more than its disk holds.
    target.set_len(source.metadata()?.len())?;
    let mut at = 0;
    while let Some((start, end)) = data_from(&source, at)? {
        for mut file in [&source, &target] {
            file.seek(SeekFrom::Start(start))?;
        }
        if io::copy(&mut (&source).take(end - start), &mut &target)? < end - start {
            break;
        }
        at = end;
    }
    Ok(())
}

pub(crate) fn failed(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |error| FolderError::File { path, error }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    // A file of a terabyte that holds five bytes must not fill the disk, nor be read for hours.
    #[test]
    fn holes_stay_holes_and_are_not_read() {
        use std::os::unix::fs::MetadataExt as _;
        let scratch = tempfile::tempdir().unwrap();
        let (from, to) = (scratch.path().join("from"), scratch.path().join("to"));
        let length = 1 << 40;
        let file = File::create(&from).unwrap();
        // A file system may not allow files of this length; then there is nothing to fear either.
        if file.set_len(length).is_err() {
            return;
        }
        file.write_all_at(b"first", 3 << 20).unwrap();
        file.write_all_at(b"last", length - 4).unwrap();
        copy_file(&from, &to).unwrap();
        let copy = fs::metadata(&to).unwrap();
        assert!(copy.len() == length && copy.blocks() * 512 < 16 << 20, "{} blocks", copy.blocks());
        assert!(same_file(&from, &to).unwrap());
        for (text, at) in [(b"First", 3 << 20), (b"last1", length / 2), (b"lasT1", length - 5)] {
            File::options().write(true).open(&to).unwrap().write_all_at(text, at).unwrap();
            assert!(!same_file(&from, &to).unwrap(), "byte {at}");
            fs::remove_file(&to).unwrap();
            copy_file(&from, &to).unwrap();
        }
    }

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
