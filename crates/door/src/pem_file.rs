//! Reads a file of certificates or a key, whatever someone put under its name: a link to a device would be read until
//! memory ends, and a pipe would be waited for.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};

/// Longest file that is read, bytes: some twenty times the public authorities of a Linux distribution.
const LONGEST: u64 = 4 << 20;

/// The bytes of a file of certificates or of a key.
///
/// # Errors
/// The error of the system, or `InvalidInput` for what is no file of at most 4 MiB.
pub fn read_pem_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::from(open(path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())?);
    let mut bytes = Vec::new();
    if file.metadata()?.is_file() {
        (&file).take(LONGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= LONGEST {
            return Ok(bytes);
        }
    }
    let why = format!("it is not a file of at most {LONGEST} bytes");
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}
