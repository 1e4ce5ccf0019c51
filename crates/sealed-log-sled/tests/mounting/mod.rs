//! Images of file systems, for tests that need root and loop mounts.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs a program of the system; whether it went well.
pub fn system(program: &str, arguments: &[&str]) -> bool {
    let quiet = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A file system, mounted while this lives.
pub struct Mounted(PathBuf);

impl Mounted {
    /// That of an image.
    pub fn new(image: &Path, at: &Path) -> Self {
        Self::by(&["-o", "loop", text(image), text(at)], at)
    }

    /// By these arguments of `mount`.
    pub fn by(arguments: &[&str], at: &Path) -> Self {
        fs::create_dir_all(at).unwrap();
        assert!(system("mount", arguments), "loop mounts need root and /dev/loop*");
        Self(at.to_owned())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        assert!(system("umount", &[text(&self.0)]) || std::thread::panicking(), "unmounted");
    }
}
