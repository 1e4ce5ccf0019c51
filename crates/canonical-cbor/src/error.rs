//! What is wrong with bytes, and where.

/// Bytes that are not what was expected in its one spelling.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {problem}")]
pub struct Error {
    /// Offset of the item in the bytes that the reader was given.
    pub at: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Another item than the expected one.
    #[error("expected {expected}, found {found}")]
    Other {
        /// What the caller asked for.
        expected: &'static str,
        /// What the bytes hold.
        found: &'static str,
    },
    /// The bytes end inside the item.
    #[error("the bytes end in the middle of an item")]
    CutOff,
    /// A head that is longer than it has to be.
    #[error("{0} is not written in its fewest bytes")]
    NotShortest(u64),
    /// An indefinite length, or a reserved form of head.
    #[error("an indefinite or reserved length; only definite lengths are canonical")]
    Indefinite,
    /// An integer that does not fit a signed 64-bit number.
    #[error("an integer beyond 64 bits")]
    IntegerTooLarge,
    /// A text that is not UTF-8.
    #[error("a text that is not UTF-8")]
    NotUtf8,
    /// A byte string of another length than the expected one.
    #[error("expected a byte string of {0} bytes")]
    Length(usize),
    /// Arrays inside arrays beyond what is followed.
    #[error("arrays nested too deep")]
    TooDeep,
    /// An item of a kind that is not passed over.
    #[error("{0} does not occur in this record")]
    Foreign(&'static str),
    /// Bytes behind the last item.
    #[error("more bytes follow the last item")]
    Surplus,
}
