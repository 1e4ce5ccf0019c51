//! Small text files: at most 1 MiB, and UTF-8.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::failure::Failure;
use crate::language::texts;

/// Longest text file that is read: more than the longest note, and a policy of a hundred ML-DSA-44 witnesses.
const MAX_BYTES: u64 = 1 << 20;

/// A small text file, at most 1 MiB.
pub(crate) fn small_text(path: &Path) -> Result<String, Failure> {
    let unread = |error| Failure::file(path.display(), &error);
    let file = fs::File::open(path).map_err(unread)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.starts_with(b"AUDITLOG") {
        return Err(Failure::unreadable(texts().archive_not_text(path.display())));
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::unreadable(texts().text_file_too_long(path.display())));
    }
    String::from_utf8(bytes).map_err(|error| {
        let read = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + read.iter().filter(|byte| **byte == b'\n').count();
        Failure::unreadable(texts().text_file_not_utf8(path.display(), line))
    })
}

/// The same of a file in a log's folder. Something else under its name (a pipe, say, which would be waited for) is
/// refused; a file that a person names may be one.
pub(crate) fn regular_text(path: &Path) -> Result<String, Failure> {
    only_a_file(path)?;
    small_text(path)
}

/// Refuses what is no file.
pub(crate) fn only_a_file(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(meta) if !meta.is_file() => Err(Failure::unreadable(texts().no_file_there(path.display()))),
        // What cannot be asked cannot be opened either, and that says why.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// A small text file that is not empty, as an editor or a mail program may have saved it: without the byte order mark,
/// and with `\n` for the line ends of Windows. What was signed has neither.
pub(crate) fn plain_text_in(path: &Path) -> Result<String, Failure> {
    let text = text_in(path)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))
}

/// A small text file that is not empty.
pub(crate) fn text_in(path: &Path) -> Result<String, Failure> {
    let text = small_text(path)?;
    if text.trim().is_empty() {
        return Err(Failure::unreadable(texts().file_empty(path.display())));
    }
    Ok(text)
}
