//! A body of any length that is not waited for without end: it has to bring something all the time, and end some day.

use std::io::{self, ErrorKind, Read};
use std::time::{Duration, Instant};

/// Least bytes that have to come in the time that is waited for them.
const LEAST: u64 = 64 << 10;

/// A body that is read while it keeps coming.
#[derive(Debug)]
pub(crate) struct Paced<R> {
    body: R,
    /// The time in which at least [`LEAST`] bytes have to come. Only the time that is waited for them counts.
    patience: Duration,
    waited: Duration,
    /// Bytes that came in that time.
    recent: u64,
    /// Bytes that may still come.
    most: u64,
    /// Bytes that may come in all, for the message.
    longest: u64,
}

impl<R> Paced<R> {
    pub(crate) const fn new(body: R, patience: Duration, longest: u64) -> Self {
        Self { body, patience, waited: Duration::ZERO, recent: 0, most: longest, longest }
    }

    fn note(&mut self, count: usize, waited: Duration) -> io::Result<()> {
        self.waited += waited;
        self.recent += count as u64;
        self.most = self.most.checked_sub(count as u64).ok_or_else(|| {
            let why = format!("more than {} bytes came, and the end is not there", self.longest);
            io::Error::new(ErrorKind::FileTooLarge, why)
        })?;
        if self.waited < self.patience {
            return Ok(());
        }
        if self.recent < LEAST {
            let (recent, seconds) = (self.recent, self.waited.as_secs_f32());
            let why =
                format!("only {recent} bytes came in {seconds:.1} seconds; at least {LEAST} are expected");
            return Err(io::Error::new(ErrorKind::TimedOut, why));
        }
        (self.waited, self.recent) = (Duration::ZERO, 0);
        Ok(())
    }
}

impl<R: Read> Read for Paced<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let began = Instant::now();
        let count = self.body.read(buffer)?;
        if count > 0 {
            self.note(count, began.elapsed())?;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Gives so many bytes at once, each time after a pause, and never ends.
    struct Trickle(usize, Duration);

    impl Read for Trickle {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            std::thread::sleep(self.1);
            let count = self.0.min(buffer.len());
            buffer[..count].fill(0);
            Ok(count)
        }
    }

    fn ended(body: Trickle, longest: u64) -> io::Error {
        let mut paced = Paced::new(body, Duration::from_millis(50), longest);
        io::copy(&mut paced, &mut io::sink()).unwrap_err()
    }

    #[test]
    fn a_trickle_and_a_body_without_end_are_given_up() {
        let slow = ended(Trickle(1, Duration::from_millis(2)), u64::MAX);
        assert_eq!(slow.kind(), ErrorKind::TimedOut, "{slow}");
        let endless = ended(Trickle(64 << 10, Duration::ZERO), 10 << 20);
        assert_eq!(endless.kind(), ErrorKind::FileTooLarge, "{endless}");
    }

    #[test]
    fn what_keeps_coming_and_ends_is_read_whole_however_slowly_it_is_taken() {
        let bytes = vec![7; 300 << 10];
        let mut paced = Paced::new(&bytes[..], Duration::from_millis(20), bytes.len() as u64);
        let (mut buffer, mut count) = ([0; 8 << 10], 0);
        loop {
            match paced.read(&mut buffer).unwrap() {
                0 => break,
                more => count += more,
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        assert_eq!(count, bytes.len());
    }
}
