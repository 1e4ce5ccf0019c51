//! A disk that takes no more: the append fails, the store stops, and what was acknowledged is
//! all there when there is space again. The limit is the shell's on the size of a file, in a
//! process of its own.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::Path;
use std::process::Command;

use sealed_log::store::StoreReader;
use sealed_log_sled::LogFolder;

use crate::support::{Maker, key, read_all, submission};

const FOLDER: &str = "FULL_DISK_FOLDER";

/// The other process: appends until an append fails, then tries once more.
#[test]
#[ignore = "the writer that the test below starts"]
fn writer() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let mut writer = match LogFolder::new(Path::new(&folder)).open_writer(key()) {
        Ok(writer) => writer,
        Err(error) => return println!("error {error}"),
    };
    loop {
        let next = writer.reader().size();
        let submissions: Vec<_> = (next..next + 50).map(submission).collect();
        if let Err(error) = writer.append(&submissions) {
            println!("error {error}");
            println!("again {}", writer.append(&submissions).unwrap_err());
            return;
        }
        println!("safe {}", writer.reader().size());
    }
}

/// What the writer said when no file could be larger than this many blocks of 512 bytes.
fn write_until_full(folder: &Path, blocks: u32) -> String {
    let script = format!(
        "trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" --ignored --exact full_disk::writer --nocapture"
    );
    let writer = Command::new("sh")
        .args(["-c", &script, std::env::current_exe().unwrap().to_str().unwrap()])
        .env(FOLDER, folder)
        .output()
        .unwrap();
    let said = String::from_utf8(writer.stdout).unwrap();
    assert!(writer.status.success(), "it ends with an error, not a crash: {said}");
    said
}

#[test]
fn a_full_disk_is_an_error_and_all_that_was_acknowledged_is_kept() {
    for blocks in [2_100, 3_000, 4_097, 6_500] {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("log");
        let said = write_until_full(&folder, blocks);
        let safe = said.lines().filter_map(|line| line.rsplit_once("safe ")).next_back();
        let safe: u64 = safe.map_or(0, |(_, number)| number.parse().unwrap());
        assert!(said.contains("error ") && said.contains("NOT acknowledged"), "{said}");
        assert!(said.contains("again ") && said.contains("reopen"), "{said}");
        let mut writer = LogFolder::new(&folder).open_writer(key()).unwrap();
        let kept = writer.reader().size();
        assert!(kept >= safe && safe > 0, "{kept} kept, {safe} were acknowledged");
        let expected = Maker::default().next(kept);
        assert!(
            read_all(writer.reader()).unwrap().iter().eq(expected.entries.iter().map(|entry| &entry.bytes)),
            "what is kept is what was handed in"
        );
        writer.append(&[submission(kept)]).unwrap();
        println!("{blocks} blocks: {safe} acknowledged, {kept} kept");
    }
}
