//! Reading ahead: bytes can be looked at before they are consumed.

use std::io::Read;

/// Bytes read at once, at least.
const READ_BYTES: usize = 256 << 10;

/// A reader whose next bytes can be looked at before they are consumed.
#[derive(Debug)]
pub(crate) struct Tape<R> {
    input: R,
    buffer: Vec<u8>,
    start: usize,
    /// Offset in the input of the next byte to be taken.
    pub(crate) at: u64,
}

impl<R: Read> Tape<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, buffer: Vec::new(), start: 0, at: 0 }
    }

    /// The next bytes: at least `least` of them, fewer only at the input's end.
    pub(crate) fn fill(&mut self, least: usize) -> std::io::Result<&[u8]> {
        if self.buffer.len() - self.start < least {
            self.buffer.drain(..self.start);
            self.start = 0;
            let missing = (least - self.buffer.len()).max(READ_BYTES) as u64;
            self.input.by_ref().take(missing).read_to_end(&mut self.buffer)?;
        }
        Ok(&self.buffer[self.start..])
    }

    pub(crate) fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        self.at += bytes as u64;
    }

    /// Offset of the last byte read so far, plus one.
    pub(crate) fn end(&self) -> u64 {
        self.at + (self.buffer.len() - self.start) as u64
    }
}
