//! Small text files: at most 64 KiB, and UTF-8.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::failure::Failure;

/// A small text file, at most 64 KiB.
pub(crate) fn small_text(path: &Path) -> Result<String, Failure> {
    let failed = |why: &dyn std::fmt::Display| Failure::unreadable(format!("{}: {why}", path.display()));
    let file = fs::File::open(path).map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    file.take(65_537).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    if bytes.len() > 65_536 {
        return Err(failed(&"the file is longer than 64 KiB, which files of this kind never are"));
    }
    String::from_utf8(bytes).map_err(|_| failed(&"the file is not UTF-8; expected a text"))
}

/// A small text file that is not empty.
pub(crate) fn text_in(path: &Path) -> Result<String, Failure> {
    let text = small_text(path)?;
    if text.trim().is_empty() {
        return Err(Failure::unreadable(format!("{}: the file is empty", path.display())));
    }
    Ok(text)
}
