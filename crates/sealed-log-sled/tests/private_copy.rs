//! Looking must not touch: an inspector works on a private copy.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use sealed_log::entry::Digest;
use sealed_log::store::{StoreReader, StoreWriter as _};
use sealed_log_sled::{FolderError, LogFolder};

use crate::support::{files, key, read_all, submission};

fn log_of(folder: &Path, count: u64) {
    let mut writer = LogFolder::new(folder).open_writer(key()).unwrap();
    let submissions: Vec<_> = (0..count).map(submission).collect();
    writer.append(&submissions).unwrap();
}

/// Path, digest and time of change of every file.
fn state(folder: &Path) -> Vec<(PathBuf, Digest, SystemTime)> {
    let file = |path: PathBuf| {
        let (bytes, meta) = (fs::read(&path).unwrap(), fs::metadata(&path).unwrap());
        (path, Digest::of(&bytes), meta.modified().unwrap())
    };
    files(folder).into_iter().map(file).collect()
}

// Trap: opening a sled folder writes to it. If this fails one day the private copy may go.
#[test]
fn opening_a_store_itself_writes_to_it() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    log_of(&folder, 300);
    let before = state(&folder);
    drop(sealed_log_sled::SledStore::open(&folder.join("store")).unwrap());
    assert_ne!(state(&folder), before);
}

#[test]
fn a_private_copy_leaves_every_file_as_it_was() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    log_of(&folder, 300);
    fs::create_dir(folder.join("store.before-1")).unwrap();
    fs::write(folder.join("store.before-1/db"), vec![0; 1 << 20]).unwrap();
    let before = state(&folder);
    let private = tempfile::tempdir().unwrap();
    let (store, signed) = LogFolder::new(&folder).private_copy(private.path()).unwrap();
    assert_eq!(read_all(store.reader()).unwrap().len(), 300);
    assert_eq!(signed.unwrap().checkpoint().size, 300);
    drop(store);
    assert_eq!(state(&folder), before);
    let copied = files(private.path());
    assert!(!copied.iter().any(|path| path.to_string_lossy().contains("before")), "{copied:?}");
}

#[test]
fn a_private_copy_can_be_taken_of_a_folder_nobody_may_write() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    log_of(&folder, 300);
    let set = |mode: u32, file_mode: u32| {
        for path in files(&folder) {
            fs::set_permissions(path, fs::Permissions::from_mode(file_mode)).unwrap();
        }
        for path in [folder.join("store"), folder.clone()] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set(0o555, 0o444);
    let before = state(&folder);
    let private = tempfile::tempdir().unwrap();
    let (store, _) = LogFolder::new(&folder).private_copy(private.path()).unwrap();
    assert_eq!(read_all(store.reader()).unwrap().len(), 300);
    assert_eq!(state(&folder), before);
    set(0o755, 0o644);
}

#[test]
fn what_is_no_log_is_reported() {
    let scratch = tempfile::tempdir().unwrap();
    let error = LogFolder::new(scratch.path()).private_copy(scratch.path()).unwrap_err();
    assert!(matches!(error, FolderError::NoLog(_)), "{error}");
}

/// Copies a log 25 times while another thread writes it in bursts; gives how many copies it got.
fn copies_beside_a_writer(pause: Duration) -> u32 {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    let mut writer = LogFolder::new(&folder).open_writer(key()).unwrap();
    // Large enough that copying takes longer than an append.
    let before: Vec<_> = (0..30_000).map(submission).collect();
    before.chunks(3_000).for_each(|some| drop(writer.append(some).unwrap()));
    let done = AtomicBool::new(false);
    let mut sound = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut next = before.len() as u64;
            // Bounded, so that a slow reader cannot make it fill the disk.
            while !done.load(Ordering::Relaxed) && next < 300_000 {
                for _ in 0..4 {
                    let submissions: Vec<_> = (next..next + 1 + next % 90).map(submission).collect();
                    next += submissions.len() as u64;
                    writer.append(&submissions).unwrap();
                }
                std::thread::sleep(pause);
            }
        });
        for _ in 0..25 {
            sound += u32::from(is_sound_copy(&folder));
        }
        done.store(true, Ordering::Relaxed);
    });
    println!("{sound} of 25 copies beside a writer that pauses {pause:?}");
    sound
}

/// Whether a copy could be taken; it then is the log as it was, no older than the checkpoint beside it.
fn is_sound_copy(folder: &Path) -> bool {
    let private = tempfile::tempdir().unwrap();
    let (store, signed) = match LogFolder::new(folder).private_copy(private.path()) {
        Ok(copy) => copy,
        Err(FolderError::Moving(_)) => return false,
        Err(other) => panic!("{other}"),
    };
    let signed = signed.map_or(0, |signed| signed.checkpoint().size);
    assert!(store.reader().size() >= signed, "{} entries, {signed} signed for", store.reader().size());
    for (bytes, index) in read_all(store.reader()).unwrap().iter().zip(0..) {
        assert_eq!(sealed_log::entry::parse_entry(bytes).unwrap().payload, submission(index).payload);
    }
    true
}

// A torn copy, once opened, made sled walk in circles and take 24 GB before it gave up.
#[test]
fn a_copy_beside_a_busy_writer_is_sound_or_refused() {
    copies_beside_a_writer(Duration::ZERO);
}

#[test]
fn a_copy_beside_a_writer_that_pauses_is_taken() {
    assert!(copies_beside_a_writer(Duration::from_millis(400)) > 0);
}
