//! Power cuts, for real: the log lives on an ext4 image; the writer is stopped at a random moment,
//! what the image holds just then is copied, and the copy is opened. What only lay in memory is
//! gone, as it is when the power goes.
//!
//! Needs root and loop mounts: `cargo test --release -p audit --test all power_cut:: -- --ignored`.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::command::{self, TestFolder};

const ROUNDS: u64 = 50;

fn system(program: &str, arguments: &[&str]) -> bool {
    let silent = || Stdio::null();
    Command::new(program)
        .args(arguments)
        .stdout(silent())
        .stderr(silent())
        .status()
        .is_ok_and(|status| status.success())
}

/// A file system in a file, mounted while this lives.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    fn new(image: &Path, at: &'a Path) -> Self {
        assert!(
            system("mount", &["-o", "loop", &image.display().to_string(), &at.display().to_string()]),
            "mounted"
        );
        Self(at)
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        assert!(system("umount", &[&self.0.display().to_string()]) || std::thread::panicking(), "unmounted");
    }
}

fn fresh_image(image: &Path) {
    let file = std::fs::File::create(image).unwrap();
    file.set_len(64 << 20).unwrap();
    assert!(
        system("mkfs.ext4", &["-q", "-F", &image.display().to_string()]),
        "mkfs.ext4 (package e2fsprogs)"
    );
}

fn one_power_cut(folder: &TestFolder, pause: Duration) -> usize {
    let (image, copy, disk) = (folder.path("image"), folder.path("copy"), folder.path("disk"));
    let receipts = folder.path("receipts");
    let _ = std::fs::remove_file(&receipts);
    fresh_image(&image);
    {
        let _mounted = Mounted::new(&image, &disk);
        let mut writer = Command::new(env!("CARGO_BIN_EXE_audit"))
            .args([
                "ingest",
                "--create",
                "events.ndjson",
                "--live",
                "--log",
                "disk/log",
                "--receipts",
                "receipts",
            ])
            .current_dir(folder.path("."))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(pause);
        let id = writer.id().to_string();
        // It may have ended by itself; the cut then comes after the end.
        let _ = system("kill", &["-STOP", &id]);
        assert!(system(
            "cp",
            &["--sparse=always", &image.display().to_string(), &copy.display().to_string()]
        ));
        let _ = writer.kill();
        writer.wait().unwrap();
    }
    let acknowledged = std::fs::read_to_string(&receipts).unwrap_or_default();
    let _mounted = Mounted::new(&copy, &disk);
    if acknowledged.is_empty() && !folder.path("disk/log/key").exists() {
        return 0;
    }
    command::holds_what_was_acknowledged(folder, "disk/log", &acknowledged);
    acknowledged.lines().count()
}

#[test]
#[ignore = "needs root and loop mounts"]
fn nothing_acknowledged_is_lost_when_the_power_goes() {
    let folder = TestFolder::new();
    std::fs::create_dir(folder.path("disk")).unwrap();
    folder.run(&["simulate", "--seed", "11", "--out", "events.ndjson"]);
    let mut dice = sealed_log::store::contract::Dice::new(ROUNDS);
    let mut acknowledged = 0;
    for _ in 0..ROUNDS {
        acknowledged += one_power_cut(&folder, Duration::from_millis(20 + dice.below(1_500)));
    }
    eprintln!("{ROUNDS} power cuts, {acknowledged} entries acknowledged, none lost");
    assert!(acknowledged > 1_000);
}
