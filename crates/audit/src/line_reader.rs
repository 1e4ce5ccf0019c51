//! Reads lines from any source, in bounded memory however long a line is.

use std::io::{self, BufRead, Read};
use std::path::Path;

use crate::failure::Failure;
use crate::language::texts;

/// Longest line that is read, in bytes.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// Reads line by line; a line beyond [`LONGEST_LINE`] is reported after that many bytes.
pub(crate) struct LineReader<R> {
    input: R,
    number: u64,
    line: Vec<u8>,
}

/// One line, without its end.
pub(crate) enum Line<'a> {
    Text(u64, &'a [u8]),
    TooLong(u64),
    End,
}

impl<R: BufRead> LineReader<R> {
    pub(crate) const fn new(input: R) -> Self {
        Self { input, number: 0, line: Vec::new() }
    }

    pub(crate) fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        let most = LONGEST_LINE as u64 + 1;
        let read = (&mut self.input).take(most).read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(Line::End);
        }
        self.number += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if self.line.len() > LONGEST_LINE {
            return Ok(Line::TooLong(self.number));
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(Line::Text(self.number, &self.line))
    }
}

/// Opens a file, or standard input for `-`; also gives its name for messages.
pub(crate) fn open(path: &Path) -> Result<(Box<dyn BufRead>, String), Failure> {
    if path.as_os_str() == "-" {
        return Ok((Box::new(io::BufReader::new(io::stdin())), texts().standard_input()));
    }
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|error| Failure::file(&name, &error))?;
    if file.metadata().is_ok_and(|meta| meta.is_dir()) {
        return Err(Failure::unreadable(texts().folder_not_file(&name)));
    }
    Ok((Box::new(io::BufReader::with_capacity(1 << 18, file)), name))
}
