//! Mutations of seeds, the same ones on every run: what is fuzzed where there is no fuzzer.

/// A generator of pseudo-random numbers (Marsaglia's xorshift64): the same on every machine.
#[derive(Debug, Clone)]
pub struct Xorshift(u64);

impl Xorshift {
    /// A generator started from `seed`, which must not be 0.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// The next number below `below`, or 0.
    pub fn below(&mut self, below: usize) -> usize {
        (self.next() % below.max(1) as u64) as usize
    }
}

/// Texts that parsers ask about.
const TOKENS: [&[u8]; 16] = [
    b"\0",
    b"\n",
    b"\r\n",
    b",",
    b";",
    b"\"",
    b"{",
    b"}",
    b"[",
    b"null",
    b"-1",
    b"18446744073709551615",
    b"\xff\xfe",
    b"\x1b[2J",
    b"e9",
    b"\xe2\x80\xae",
];

/// One to five changes of a seed, some of which take a part of another.
#[must_use]
pub fn mutated(seed: &[u8], other: &[u8], dice: &mut Xorshift) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=dice.below(5) {
        let at = dice.below(bytes.len() + 1);
        let end = (at + 1 + dice.below(16)).min(bytes.len());
        match dice.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 if at < bytes.len() => bytes[at] = dice.next() as u8,
            2 if at < end => drop(bytes.drain(at..end)),
            3 if at < end => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            4 => bytes.truncate(at),
            5 => drop(bytes.splice(at..at, TOKENS[dice.below(TOKENS.len())].iter().copied())),
            6 if at + 8 <= bytes.len() => {
                let number =
                    [0, 1, u64::MAX, u64::MAX - 1, 1 << 63, dice.next() >> dice.below(64)][dice.below(6)];
                bytes[at..at + 8].copy_from_slice(&number.to_be_bytes());
            }
            _ => {
                let from = dice.below(other.len());
                let part = &other[from..(from + dice.below(64)).min(other.len())];
                bytes.splice(at..at, part.iter().copied());
            }
        }
        bytes.truncate(64 << 10);
    }
    bytes
}
