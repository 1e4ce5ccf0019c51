//! Closing a store: sled's last handle is dropped, its threads are waited for, its files are flushed; then the stop is
//! clean and the file `running` is removed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use sealed_log::store::StoreError;

use crate::flush::sync;
use crate::guard::{from_sled, guarded};
use crate::running::Running;

/// How long sled's own threads may keep a closed store's file open.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is left to do when everything else of a store is gone. Sled writes, and may panic, when
/// its last handle goes.
#[derive(Debug)]
pub(crate) struct Closing {
    last: Option<sled::Db>,
    pub(crate) folder: PathBuf,
    running: Option<Running>,
    /// Whether nothing has failed so far.
    pub(crate) sound: bool,
}

impl Closing {
    pub(crate) fn new(last: sled::Db, folder: &Path, running: Option<Running>) -> Self {
        Self { last: Some(last), folder: folder.to_owned(), running, sound: true }
    }

    fn close(&mut self) -> Result<(), StoreError> {
        guarded(0, || {
            let last = self.last.take();
            last.map_or(Ok(0), |last| last.flush()).map_err(from_sled(0))
        })?;
        wait_for_sled(&self.folder)?;
        sync(&self.folder)
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        if self.close().is_ok() && self.sound {
            self.running.iter_mut().for_each(Running::finish);
        }
    }
}

/// Sled's threads keep its file open and locked for a moment after its last handle is gone; the
/// store is closed, and can be opened again, only after that.
fn wait_for_sled(folder: &Path) -> Result<(), StoreError> {
    let disk = |why: String| StoreError::Disk(format!("{}: {why}", folder.display()));
    let file = File::open(folder.join("db")).map_err(|error| disk(error.to_string()))?;
    let end = Instant::now() + PATIENCE;
    while file.try_lock().is_err() {
        if Instant::now() > end {
            return Err(disk("sled did not let go of it".to_owned()));
        }
        sleep(Duration::from_millis(1));
    }
    Ok(())
}
