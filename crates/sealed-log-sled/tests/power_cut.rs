//! Power cuts below the store: it lies on an ext4 image, its writer is stopped at a random moment,
//! what the image holds just then is copied, and the copy is opened. What only lay in memory is gone.
//!
//! The store is old enough for sled to clean and reuse segments, and appends are small, middling
//! and large: a large one goes through several segments before it is put on the disk.
//!
//! Needs root and loop mounts: `cargo test -p sealed-log-sled --test processes power_cut:: -- --ignored`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use sealed_log::store::contract::Dice;
use sealed_log::store::{StoreError, StoreReader, StoreWriter};
use sealed_log_sled::SledStore;

use crate::mounting::{Mounted, system, text};
use crate::support::{Maker, read_all};

const OLD: u64 = 30_000;
const IMAGE_BYTES: u64 = 192 << 20;
const WRITER: &str = "POWER_CUT_WRITER";

/// What the image holds at one moment: two copies in a row that are the same.
fn freeze(image: &Path, copy: &Path) {
    let second = copy.with_extension("second");
    assert!(system("cp", &["--sparse=always", text(image), text(copy)]));
    loop {
        assert!(system("cp", &["--sparse=always", text(image), text(&second)]));
        if system("cmp", &["-s", text(copy), text(&second)]) {
            return fs::remove_file(second).unwrap();
        }
        fs::rename(&second, copy).unwrap();
    }
}

fn old_store(folder: &Path) {
    let mut store = SledStore::open(folder).unwrap().without_durability();
    let mut maker = Maker::default();
    while maker.size < OLD {
        store.append(&maker.next(1_000)).unwrap();
    }
}

/// The other process: appends for ever, and says after each append how many entries are safe.
/// Without the test that starts it, it does nothing.
#[test]
#[ignore = "the writer that the test below starts and stops"]
fn writer() {
    let Ok(order) = std::env::var(WRITER) else { return };
    let mut order = order.splitn(3, ' ');
    let (durable, at_once) = (order.next().unwrap() == "durable", order.next().unwrap().parse().unwrap());
    let mut store = SledStore::open(Path::new(order.next().unwrap())).unwrap();
    if !durable {
        store = store.without_durability();
    }
    let mut maker = Maker::default();
    maker.next(store.reader().size());
    // Stops by itself when the image is full.
    while store.append(&maker.next(at_once)).is_ok() {
        println!("safe {}", store.reader().size());
    }
}

/// One power cut; gives how many entries were safe, and what the store then was.
fn cut(
    scratch: &Path,
    how: &str,
    at_once: u64,
    pause: Duration,
) -> (u64, Result<SledStore, StoreError>, Mounted) {
    let (image, copy, said) = (scratch.join("image"), scratch.join("copy"), scratch.join("said"));
    assert!(system("cp", &["--sparse=always", text(&scratch.join("old")), text(&image)]));
    let mounted = Mounted::new(&image, &scratch.join("live"));
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "power_cut::writer", "--nocapture"])
        .env(WRITER, format!("{how} {at_once} {}", text(&scratch.join("live/store"))))
        .stdout(fs::File::create(&said).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !fs::read_to_string(&said).unwrap().contains("safe") {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(pause);
    assert!(system("kill", &["-STOP", &writer.id().to_string()]));
    let said = fs::read_to_string(&said).unwrap();
    freeze(&image, &copy);
    writer.kill().unwrap();
    writer.wait().unwrap();
    drop(mounted);
    let whole_lines = said.rsplit_once('\n').unwrap().0;
    let safe = whole_lines.lines().filter_map(|line| line.rsplit_once("safe ")).next_back().unwrap().1;
    let after = Mounted::new(&copy, &scratch.join("after"));
    (safe.parse().unwrap(), SledStore::open(&scratch.join("after/store")), after)
}

/// Whether everything that was safe is there, byte for byte.
fn all_there(safe: u64, store: &Result<SledStore, StoreError>) -> bool {
    let Ok(store) = store else { return false };
    let Ok(entries) = read_all(store.reader()) else { return false };
    let expected = Maker::default().next(store.reader().size());
    store.reader().size() >= safe
        && store.reader().frontier() == expected.frontier
        && entries.iter().eq(expected.entries.iter().map(|entry| &entry.bytes))
}

fn rounds(scratch: &Path, how: &str, at_once: u64, count: u64) -> u64 {
    let mut dice = Dice::new(at_once);
    let mut lost = 0;
    for round in 0..count {
        let pause = Duration::from_millis(10 + dice.below(1_200));
        let (safe, store, mounted) = cut(scratch, how, at_once, pause);
        let there = all_there(safe, &store);
        if !there {
            let found = store.as_ref().map(|store| store.reader().size());
            println!("{how}, {at_once} at once, round {round}: {safe} safe, then {found:?}");
            lost += 1;
        }
        drop(store);
        drop(mounted);
    }
    println!("{how}, {at_once} at once: lost in {lost} of {count} power cuts");
    lost
}

#[test]
#[ignore = "needs root and loop mounts"]
fn nothing_that_was_safe_is_lost_when_the_power_goes() {
    let scratch = tempfile::tempdir().unwrap();
    let image = scratch.path().join("old");
    fs::File::create(&image).unwrap().set_len(IMAGE_BYTES).unwrap();
    assert!(system("mkfs.ext4", &["-q", "-F", text(&image)]), "mkfs.ext4 (package e2fsprogs)");
    {
        let _mounted = Mounted::new(&image, &scratch.path().join("live"));
        old_store(&scratch.path().join("live/store"));
    }
    // Without the file system's sync the same cuts lose entries, or they would prove nothing.
    assert!(rounds(scratch.path(), "hasty", 1, 8) > 0, "a store that does not sync loses entries here");
    for at_once in [1, 40, 6_000] {
        assert_eq!(rounds(scratch.path(), "durable", at_once, 20), 0);
    }
}
