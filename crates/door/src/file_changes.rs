//! Notices when files change on disk. It does not read them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The files are examined at most this often.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Inode, length, and the times of the last write and of the last change of attributes (seconds and
/// nanoseconds). At least one of them differs after a change.
type Stamp = (u64, u64, i64, i64, i64, i64);

/// Files that a running program reads again when they change.
#[derive(Debug)]
pub struct FileChanges {
    files: Vec<PathBuf>,
    begun: Instant,
    /// Milliseconds from `begun` to the next check.
    next: AtomicU64,
    seen: Mutex<Vec<Option<Stamp>>>,
}

impl FileChanges {
    /// Starts with the files as they are now. Call this before reading them, so that a change in between is
    /// noticed.
    #[must_use]
    pub fn of(files: Vec<PathBuf>) -> Self {
        let seen = Mutex::new(stamps(&files));
        Self { files, begun: Instant::now(), next: AtomicU64::new(millis(CHECK_INTERVAL)), seen }
    }

    /// Whether a file changed since this was made or since the last `true`. The disk is asked at most once a
    /// second, by the first caller; all other calls return `false` at once.
    #[must_use]
    pub fn any_changed(&self) -> bool {
        let now = millis(self.begun.elapsed());
        let next = self.next.load(Ordering::Relaxed);
        let mine = now >= next
            && self
                .next
                .compare_exchange(next, now + millis(CHECK_INTERVAL), Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        mine && self.changed()
    }

    fn changed(&self) -> bool {
        let found = stamps(&self.files);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = *seen != found;
        *seen = found;
        changed
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Option<Stamp>> {
    let stamp = |meta: fs::Metadata| {
        (meta.ino(), meta.len(), meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec())
    };
    files.iter().map(|file| fs::metadata(file).ok().map(stamp)).collect()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
