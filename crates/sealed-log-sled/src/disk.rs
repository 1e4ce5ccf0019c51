//! All flushes of this crate: nothing else puts bytes or names on the disk, so that a test
//! can look on and forget, as a power cut does, what was not flushed.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::syncfs;

/// Puts a file's bytes on the disk.
pub(crate) fn sync_data(file: &File) -> io::Result<()> {
    file.sync_data()?;
    #[cfg(test)]
    forgetful::saw_file(file);
    Ok(())
}

/// Puts a file on the disk, its length and times too; not its name.
pub(crate) fn sync_all(file: &File) -> io::Result<()> {
    file.sync_all()?;
    #[cfg(test)]
    forgetful::saw_file(file);
    Ok(())
}

/// Puts a folder's names on the disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()?;
    #[cfg(test)]
    forgetful::saw_names(folder);
    Ok(())
}

/// Puts everything on the disk that was written to a folder's file system.
pub(crate) fn sync_file_system(folder: &Path) -> io::Result<()> {
    syncfs(File::open(folder)?)?;
    #[cfg(test)]
    forgetful::saw_all(folder);
    Ok(())
}

#[cfg(test)]
pub(crate) mod forgetful {
    //! A disk that forgets what was not flushed: it watches a folder, and gives it back as a power cut would
    //! leave it at worst.
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;
    use std::fs::{self, File};
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::MetadataExt;
    use std::path::{Path, PathBuf};
    use std::sync::{Arc, Mutex, PoisonError};

    /// Tests run side by side, each with a folder of its own.
    static WATCHED: Mutex<Vec<Arc<Disk>>> = Mutex::new(Vec::new());

    /// What is on the disk of one folder: names, by path below it, and files, by inode.
    #[derive(Debug)]
    pub(crate) struct Disk {
        root: PathBuf,
        kept: Mutex<Kept>,
    }

    #[derive(Debug, Default)]
    struct Kept {
        /// `None` for a folder.
        names: BTreeMap<PathBuf, Option<u64>>,
        files: BTreeMap<u64, Vec<u8>>,
    }

    impl Disk {
        /// Watches a folder that is there.
        pub(crate) fn watch(root: &Path) -> Arc<Self> {
            let disk = Arc::new(Self { root: fs::canonicalize(root).unwrap(), kept: Mutex::default() });
            WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&disk));
            disk
        }

        /// Writes what a power cut leaves to another folder, which is made.
        pub(crate) fn cut(&self, to: &Path) {
            let kept = self.kept.lock().unwrap();
            fs::create_dir(to).unwrap();
            for (name, inode) in &kept.names {
                let path = to.join(name);
                let is_named = path.parent().unwrap().is_dir();
                match inode {
                    None if is_named => fs::create_dir(path).unwrap(),
                    Some(inode) if is_named => {
                        fs::write(path, kept.files.get(inode).map_or(&[][..], Vec::as_slice)).unwrap();
                    }
                    None | Some(_) => {}
                }
            }
        }

        fn names_in(&self, folder: &Path, deep: bool, kept: &mut Kept) {
            let below = folder.strip_prefix(&self.root).unwrap().to_owned();
            kept.names.retain(|name, _| {
                name.parent() != Some(&below) || folder.join(name.file_name().unwrap()).exists()
            });
            for item in fs::read_dir(folder).into_iter().flatten().flatten() {
                // It may be gone by now.
                let Ok(meta) = item.metadata() else { continue };
                let inode = (!meta.is_dir()).then(|| meta.ino());
                kept.names.insert(below.join(item.file_name()), inode);
                match inode {
                    None if deep => self.names_in(&item.path(), deep, kept),
                    Some(inode) if deep => {
                        drop(fs::read(item.path()).map(|bytes| kept.files.insert(inode, bytes)))
                    }
                    None | Some(_) => {}
                }
            }
        }
    }

    fn each(path: &Path, see: impl Fn(&Disk, &mut Kept)) {
        let watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for disk in watched.iter().filter(|disk| path.starts_with(&disk.root)) {
            see(disk, &mut disk.kept.lock().unwrap());
        }
    }

    pub(super) fn saw_file(file: &File) {
        let Ok(path) = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())) else { return };
        each(&path, |_, kept| {
            let bytes = fs::read(format!("/proc/self/fd/{}", file.as_raw_fd()));
            kept.files.insert(file.metadata().unwrap().ino(), bytes.unwrap());
        });
    }

    pub(super) fn saw_names(folder: &Path) {
        let Ok(folder) = fs::canonicalize(folder) else { return };
        each(&folder, |disk, kept| disk.names_in(&folder, false, kept));
    }

    /// Whatever folder of the file system was named: all of what is watched below it, or around it.
    pub(super) fn saw_all(folder: &Path) {
        let Ok(folder) = fs::canonicalize(folder) else { return };
        let watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for disk in
            watched.iter().filter(|disk| folder.starts_with(&disk.root) || disk.root.starts_with(&folder))
        {
            disk.names_in(&disk.root.clone(), true, &mut disk.kept.lock().unwrap());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use sealed_log::entry::ChainName;
    use sealed_log::store::StoreReader as _;
    use sealed_log::writer::Submission;
    use tlog::note::SigningKey;

    use super::forgetful::Disk;
    use crate::LogFolder;

    fn key() -> SigningKey {
        SigningKey::from_seed("casino.example/forgetful", &[9; 32]).unwrap()
    }

    fn submissions(first: u64, count: u64) -> Vec<Submission> {
        let submission = |index: u64| Submission {
            producer: "pit".parse().unwrap(),
            chain: ChainName::new(&format!("mesa-{}", index % 3)).unwrap(),
            first: index / 3 + 1,
            count: 1,
            received_at: 1,
            payload: index.to_be_bytes().repeat(20),
        };
        (first..first + count).map(submission).collect()
    }

    // The power goes right behind each answer. What a flush left out is not there then: the store's file, the names of
    // the files that sled made, the folder itself.
    #[test]
    fn what_was_acknowledged_is_on_a_disk_that_forgets_what_was_not_flushed() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().join("disk");
        std::fs::create_dir(&root).unwrap();
        let disk = Disk::watch(&root);
        let mut writer = LogFolder::new(&root.join("log")).open_writer(key()).unwrap();
        let mut next = 0;
        for (round, count) in [1, 1, 2, 40, 1, 300, 1, 700, 3, 1].into_iter().enumerate() {
            let acknowledged = writer.append(&submissions(next, count)).unwrap();
            next += count;
            let after = scratch.path().join(format!("after-{round}"));
            disk.cut(&after);
            let found = LogFolder::new(&after.join("log")).open_writer(key()).unwrap();
            assert_eq!(found.reader().size(), next, "round {round}");
            assert_eq!(
                found.signed_checkpoint().checkpoint(),
                acknowledged.signed.checkpoint(),
                "round {round}"
            );
            let last = found.reader().read(next - 1, 1).unwrap();
            assert_eq!(last, writer.reader().read(next - 1, 1).unwrap(), "round {round}");
        }
    }

    // Sled gives its snapshots names of their own and takes those before away, and syncs neither.
    #[test]
    fn names_that_came_and_went_beside_the_store_are_on_the_disk_with_the_next_append() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().join("disk");
        std::fs::create_dir(&root).unwrap();
        let disk = Disk::watch(&root);
        let log = root.join("log");
        let mut writer = LogFolder::new(&log).open_writer(key()).unwrap();
        let snapshot = |number: u64| format!("store/snap.{number}");
        for number in 0..3_u64 {
            std::fs::write(log.join(snapshot(number)), number.to_be_bytes()).unwrap();
            let _ = std::fs::remove_file(log.join(snapshot(number.wrapping_sub(1))));
            writer.append(&submissions(number, 1)).unwrap();
            let after = scratch.path().join(format!("after-{number}"));
            disk.cut(&after);
            assert_eq!(
                std::fs::read(after.join("log").join(snapshot(number))).unwrap(),
                number.to_be_bytes()
            );
            assert!(number == 0 || !after.join("log").join(snapshot(number - 1)).exists());
        }
    }
}
