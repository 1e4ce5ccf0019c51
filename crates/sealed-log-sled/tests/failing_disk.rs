//! A disk that loses writes: the log lies on an image whose own disk is full, so that the file system
//! gets an error where it had said yes. What it holds in memory then never gets to the disk, and is
//! still given to whoever reads.
//!
//! Needs root and loop mounts: `cargo test -p sealed-log-sled --test processes failing_disk:: -- --ignored`.
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use sealed_log::store::StoreReader;
use sealed_log_sled::{LogFolder, Writer};

use crate::mounting::{Mounted, system, text};
use crate::support::{Maker, key, read_all, submission};

const DISK: &str = "size=96m";
const IMAGE_BYTES: u64 = 256 << 20;

/// Appends some; whether they were acknowledged.
fn append(writer: &mut Writer, count: u64) -> bool {
    let next = writer.reader().size();
    let submissions: Vec<_> = (next..next + count).map(submission).collect();
    writer.append(&submissions).is_ok()
}

/// Fills the free space.
fn fill(file: &Path) {
    let mut file = File::create(file).unwrap();
    while file.write_all(&[7; 4_096]).is_ok() {}
}

/// One lost write. `false`: it hit what the file system needs for itself, which then takes nothing more, so
/// that there is nothing to open.
fn lose_a_write(scratch: &Path) -> bool {
    let disk = scratch.join("disk");
    let _disk = Mounted::by(&["-t", "tmpfs", "-o", DISK, "tmpfs", text(&disk)], &disk);
    let (image, copy, filler) = (disk.join("image"), scratch.join("copy"), disk.join("filler"));
    File::create(&image).unwrap().set_len(IMAGE_BYTES).unwrap();
    // As much as it can the file system writes beforehand, so that the writes that fail are the log's.
    let at_once = ["-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", "-J", "size=4"];
    assert!(system("mkfs.ext4", &[&at_once[..], &[text(&image)]].concat()), "mkfs.ext4 (e2fsprogs)");
    let live = Mounted::new(&image, &scratch.join("live"));
    let folder = LogFolder::new(&scratch.join("live/log"));

    let mut writer = folder.open_writer(key()).unwrap();
    assert!(append(&mut writer, 2_000));
    fill(&filler);
    let mut safe = writer.reader().size();
    while append(&mut writer, 200) {
        safe = writer.reader().size();
    }
    fs::remove_file(&filler).unwrap();
    drop(writer);
    if fs::write(scratch.join("live/probe"), "x").is_err() {
        return false;
    }

    let mut writer = folder.open_writer(key()).unwrap();
    assert!(writer.reader().size() >= safe);
    assert!(append(&mut writer, 10));
    let safe = writer.reader().size();
    // The power goes: what only lay in memory is gone.
    assert!(system("cp", &["--sparse=always", text(&image), text(&copy)]));
    drop(writer);
    drop(live);

    let _after = Mounted::new(&copy, &scratch.join("after"));
    let writer = LogFolder::new(&scratch.join("after/log")).open_writer(key()).unwrap();
    assert_eq!(writer.reader().size(), safe);
    let expected = Maker::default().next(safe);
    let entries = read_all(writer.reader()).unwrap();
    assert!(entries.iter().eq(expected.entries.iter().map(|entry| &entry.bytes)));
    true
}

#[test]
#[ignore = "needs root and loop mounts"]
fn a_log_opened_after_lost_writes_knows_what_the_disk_holds() {
    let tried = (0..40).map(|_| lose_a_write(tempfile::tempdir().unwrap().path()));
    assert_eq!(
        tried.filter(|opened| *opened).take(4).count(),
        4,
        "the file system gave up nearly every time"
    );
}
