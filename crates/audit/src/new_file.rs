//! Files that are written completely or not at all, and that replace nothing unless the user asks for it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::language::texts;
use crate::private_copies::held_file;

/// How the name of a file begins that is being written.
const PREFIX: &str = ".audit-new-";

/// A file being written. It gets its name only once it is complete; if it is dropped before, nothing
/// remains.
pub(crate) struct NewFile {
    path: PathBuf,
    out: BufWriter<Sink>,
}

enum Sink {
    /// A temporary file in the same folder, to be renamed.
    Beside(NamedTempFile),
    /// A device or a pipe: what is written there cannot be taken back.
    Straight(File),
}

impl NewFile {
    /// Begins a file. A file that already exists is replaced only with `force`.
    pub(crate) fn begin(path: &Path, force: bool) -> Result<Self, Failure> {
        let failed = |error: io::Error| failed(path, &error);
        let there = fs::metadata(path).ok();
        let sink = if there.as_ref().is_some_and(|meta| !meta.is_file() && !meta.is_dir()) {
            Sink::Straight(OpenOptions::new().write(true).open(path).map_err(failed)?)
        } else if there.is_some() && !force {
            return Err(Failure::usage(texts().exists_already(path.display())));
        } else {
            Sink::Beside(held_file(folder(path), PREFIX).map_err(failed)?)
        };
        Ok(Self { path: path.to_owned(), out: BufWriter::with_capacity(1 << 20, sink) })
    }

    /// The file is complete: from now on it has its name, is durable, and others may read it.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        self.put(true)
    }

    /// The same, for its owner alone.
    pub(crate) fn keep_private(self) -> Result<(), Failure> {
        self.put(false)
    }

    /// Makes what was written so far durable on disk; gives the path where it can be read before the file
    /// has its name.
    pub(crate) fn so_far(&mut self) -> Result<PathBuf, Failure> {
        let failed = |error: io::Error| failed(&self.path, &error);
        self.out.flush().map_err(failed)?;
        match self.out.get_ref() {
            Sink::Beside(file) => {
                file.as_file().sync_all().map_err(failed)?;
                Ok(file.path().to_owned())
            }
            Sink::Straight(_) => Err(Failure::usage(texts().not_a_regular_file(self.path.display()))),
        }
    }

    fn put(self, for_others: bool) -> Result<(), Failure> {
        let failed = |error: io::Error| failed(&self.path, &error);
        match self.out.into_inner().map_err(|error| failed(error.into_error()))? {
            Sink::Straight(_) => Ok(()),
            Sink::Beside(file) => {
                file.as_file().sync_all().map_err(failed)?;
                if for_others {
                    readable(file.path());
                }
                file.persist(&self.path).map_err(|error| failed(error.error))?;
                File::open(folder(&self.path)).and_then(|folder| folder.sync_all()).map_err(failed)
            }
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(file) => file.write(bytes),
            Self::Straight(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(file) => file.flush(),
            Self::Straight(file) => file.flush(),
        }
    }
}

/// Writes a whole new file at once, by a command that replaces no file.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.exists() {
        return Err(Failure::usage(texts().exists_and_stays(path.display())));
    }
    write(path, bytes, false)
}

/// Writes a whole file at once.
pub(crate) fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    let mut file = NewFile::begin(path, force)?;
    file.write_all(bytes).map_err(|error| failed(path, &error))?;
    file.keep()
}

/// Lets others read a file, because it is made to be handed over.
pub(crate) fn readable(path: &Path) {
    // Where the file system knows no modes there is nothing to do.
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o644));
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::file(path.display(), error)
}
