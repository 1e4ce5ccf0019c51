//! Runs the built program and tells what a person would see: output, errors and exit status.

#![allow(dead_code, reason = "each test file uses its part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for one test.
pub struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("written");
    }

    /// Runs `audit` here.
    pub fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_audit"))
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .env("NO_COLOR", "1")
            .output()
            .expect("audit runs")
    }

    /// What a person sees, in one block.
    pub fn see(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text =
            |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(env!("CARGO_MANIFEST_DIR"), "[HERE]");
        format!(
            "$ audit {}\n{}{}exit status {}\n",
            arguments.join(" ").replace(env!("CARGO_MANIFEST_DIR"), "[HERE]"),
            text(&output.stdout),
            text(&output.stderr),
            output.status.code().map_or("none".to_owned(), |code| code.to_string())
        )
    }
}

/// A file of the repository's fixtures.
pub fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name).display().to_string()
}
