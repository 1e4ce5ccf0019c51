//! A log's folder: `checkpoint` (the newest signed head), `store/` (sled), and while a program
//! writes it, `running`. Other files (keys) are not ours.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sealed_log::{LogWriter, OpenError, SignedCheckpoint, SigningKey, Store, StoreError};

use crate::{HeadFile, SledStore};

/// The writer of a log in a folder.
pub type Writer = LogWriter<SledStore, HeadFile>;

/// Why a log's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// No log there.
    #[error("{0} holds no log: expected a folder with `store` in it, as `audit ingest --log` makes")]
    NoLog(PathBuf),
    /// The store cannot be opened.
    #[error("{folder}: {error}{}", set_aside(.aside.as_ref()))]
    Store {
        /// The log's folder.
        folder: PathBuf,
        /// Why.
        error: StoreError,
        /// The copy set aside before opening, after an unclean stop.
        aside: Option<PathBuf>,
    },
    /// The store disagrees with the head kept beside it.
    #[error("{folder}: {error}{}", set_aside(.aside.as_ref()))]
    Open {
        /// The log's folder.
        folder: PathBuf,
        /// What disagrees and what to do.
        error: Box<OpenError>,
        /// The copy set aside before opening, after an unclean stop.
        aside: Option<PathBuf>,
    },
    /// The head is illegible.
    #[error("{0}; put the right checkpoint file back")]
    Head(String),
    /// A file could not be read, written or copied.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

fn set_aside(aside: Option<&PathBuf>) -> String {
    aside.map(|copy| format!(" (the store as it was found stands in {})", copy.display())).unwrap_or_default()
}

/// A log's folder.
#[derive(Debug, Clone)]
pub struct LogFolder {
    path: PathBuf,
}

impl LogFolder {
    /// The log at `path`, there or not.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Whether a log was made there.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.store().is_dir()
    }

    /// Where the newest signed head is kept.
    #[must_use]
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint")
    }

    fn store(&self) -> PathBuf {
        self.path.join("store")
    }

    /// The newest signed head, `None` where none was kept.
    ///
    /// # Errors
    /// [`FolderError::Head`].
    pub fn head(&self) -> Result<Option<SignedCheckpoint>, FolderError> {
        HeadFile::new(self.checkpoint()).read().map_err(FolderError::Head)
    }

    /// Opens the log for writing, making it if absent. After an unclean stop the store is copied
    /// aside before sled touches it; the copy goes once the store agrees with the kept head.
    ///
    /// # Errors
    /// [`FolderError`] says what disagrees and what to do.
    pub fn open_writer(&self, key: SigningKey) -> Result<Writer, FolderError> {
        make_folder(&self.path)?;
        let kept = self.head()?;
        if kept.is_some() && !self.exists() {
            let folder = self.path.clone();
            let size = kept.as_ref().map_or(0, |kept| kept.checkpoint().size);
            if size > 0 {
                let error = Box::new(OpenError::Shorter { size: 0, kept: size });
                return Err(FolderError::Open { folder, error, aside: None });
            }
        }
        let marker = self.path.join("running");
        let aside = if marker.exists() && self.exists() { Some(self.copy_aside()?) } else { None };
        let store = SledStore::open(&self.store());
        let mut store = store.map_err(|error| FolderError::Store {
            folder: self.path.clone(),
            error,
            aside: aside.clone(),
        })?;
        write_marker(&marker)?;
        // Only a store that is found sound may take the marker away again when it is closed.
        let writer = open_checked(&mut store, &marker)
            .and_then(|()| LogWriter::open(store, HeadFile::new(self.checkpoint()), key, kept.as_ref()));
        let writer = writer.map_err(|error| FolderError::Open {
            folder: self.path.clone(),
            error: Box::new(error),
            aside: aside.clone(),
        })?;
        if let Some(copy) = aside {
            fs::remove_dir_all(&copy).map_err(|error| FolderError::File { path: copy, error })?;
        }
        Ok(writer)
    }

    fn copy_aside(&self) -> Result<PathBuf, FolderError> {
        let free = (1_u32..)
            .map(|number| self.path.join(format!("store.before-{number}")))
            .find(|path| !path.exists());
        let to = free.unwrap_or_else(|| self.path.join("store.before"));
        copy_folder(&self.store(), &to)?;
        Ok(to)
    }

    /// Opens a private copy, made in `scratch`; the log's folder is only read.
    ///
    /// # Errors
    /// [`FolderError`]; a copy taken while another program writes may be torn and is then an error
    /// or an older state, which the seal tells apart.
    pub fn private_copy(&self, scratch: &Path) -> Result<(SledStore, Option<SignedCheckpoint>), FolderError> {
        if !self.exists() {
            return Err(FolderError::NoLog(self.path.clone()));
        }
        let head = self.head()?;
        let to = scratch.join("store");
        copy_folder(&self.store(), &to)?;
        let store = SledStore::open(&to).map_err(|error| FolderError::Store {
            folder: self.path.clone(),
            error,
            aside: None,
        })?;
        Ok((store, head))
    }
}

fn open_checked(store: &mut SledStore, marker: &Path) -> Result<(), OpenError> {
    // The newest entry has to be readable before the store may be called sound.
    if let Some(newest) = store.size().checked_sub(1) {
        store.read(newest, 1)?;
    }
    store.mark(marker.to_owned());
    Ok(())
}

fn make_folder(path: &Path) -> Result<(), FolderError> {
    let failed = |error| FolderError::File { path: path.to_owned(), error };
    if path.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(path).map_err(failed)?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(parent).and_then(|folder| folder.sync_all()).map_err(failed)
}

fn write_marker(path: &Path) -> Result<(), FolderError> {
    let write = || {
        let file = File::create(path)?;
        file.sync_all()?;
        File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
    };
    write().map_err(|error| FolderError::File { path: path.to_owned(), error })
}

/// Copies a folder and what is below it; shares blocks where the file system can.
fn copy_folder(from: &Path, to: &Path) -> Result<(), FolderError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| FolderError::File { path, error }
    };
    fs::create_dir(to).map_err(failed(to))?;
    for item in fs::read_dir(from).map_err(failed(from))? {
        let item = item.map_err(failed(from))?;
        let (source, target) = (item.path(), to.join(item.file_name()));
        let kind = item.file_type().map_err(failed(&source))?;
        if kind.is_dir() {
            copy_folder(&source, &target)?;
        } else if kind.is_file() {
            copy_file(&source, &target).map_err(failed(&source))?;
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let (source, target) = (File::open(from)?, File::create(to)?);
    if rustix::fs::ioctl_ficlone(&target, &source).is_ok() {
        return Ok(());
    }
    io::copy(&mut &source, &mut &target).map(drop)
}
