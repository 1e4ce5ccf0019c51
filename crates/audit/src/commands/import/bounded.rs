//! Reads a list with a limit for each row: a file without line ends, or a quotation mark that never closes, must not
//! fill the memory.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use crate::errors::Said;
use crate::language::texts;
use crate::line_reader::LONGEST_LINE;

/// A reader that fails once a row is longer than [`LONGEST_LINE`].
pub(super) struct Bounded<R> {
    input: R,
    /// Bytes read since the row began, with at most one buffer of those before it.
    bytes: Rc<Cell<usize>>,
}

/// Says where a row begins.
pub(super) struct RowStart(Rc<Cell<usize>>);

impl RowStart {
    pub(super) fn begins(&self) {
        self.0.set(0);
    }
}

impl<R: Read> Bounded<R> {
    pub(super) fn new(input: R) -> (Self, RowStart) {
        let bytes = Rc::<Cell<usize>>::default();
        (Self { input, bytes: Rc::clone(&bytes) }, RowStart(bytes))
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.get() > LONGEST_LINE {
            let message = texts().row_too_long(LONGEST_LINE);
            return Err(io::Error::new(io::ErrorKind::InvalidData, Said(message)));
        }
        let count = self.input.read(buffer)?;
        self.bytes.set(self.bytes.get() + count);
        Ok(count)
    }
}
