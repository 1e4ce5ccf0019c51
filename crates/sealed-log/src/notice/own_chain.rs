//! What an entry of the log's own chain, `@log`, has to be, whatever its notice says: written by the log itself, whole, at
//! one position, and that position the next.
//!
//! Whoever verifies a log and whoever opens it ask the same questions here, so that what verifies opens.

use crate::entry::{EntryView, LOG_CHAIN};
use crate::notice::LOG_PRODUCER;

/// Follows the log's own chain, entry by entry in log order.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnChain {
    /// The highest position so far.
    last: u64,
}

/// Why an entry cannot be one of the log's own chain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OwnChainError {
    /// Its payload is not there.
    #[error("its payload is withheld, and a notice of the log is never withheld or erased")]
    Withheld,
    /// Somebody else wrote it.
    #[error(
        "the producer is `{0}`, and only the log itself (`{LOG_PRODUCER}`) writes on the chain `{LOG_CHAIN}`"
    )]
    Producer(String),
    /// It covers more than one position.
    #[error("it covers {0} positions of the chain `{LOG_CHAIN}`, and a notice has one")]
    Count(u32),
    /// Its position is not the next one.
    #[error("it is number {found} on the chain `{LOG_CHAIN}`, and the next is number {expected}")]
    Position {
        /// The position that follows the entry before it.
        expected: u64,
        /// The position it states.
        found: u64,
    },
}

/// What an entry says, apart from its position.
///
/// # Errors
/// [`OwnChainError`].
pub(crate) fn check_own(view: &EntryView<'_>, withheld: bool) -> Result<(), OwnChainError> {
    if withheld {
        return Err(OwnChainError::Withheld);
    }
    if view.producer != LOG_PRODUCER {
        return Err(OwnChainError::Producer(view.producer.to_owned()));
    }
    if view.count == 1 { Ok(()) } else { Err(OwnChainError::Count(view.count)) }
}

impl OwnChain {
    /// Takes the next entry's first and last position. Where entries are left out or lost before it (`may_skip`), it may
    /// be any later position. After a wrong position the chain goes on from there, so one gap is one error.
    ///
    /// # Errors
    /// [`OwnChainError::Position`].
    pub fn follow(&mut self, first: u64, last: u64, may_skip: bool) -> Result<(), OwnChainError> {
        let expected = self.last.saturating_add(1);
        self.last = last;
        if first == expected || (may_skip && first > expected) {
            return Ok(());
        }
        Err(OwnChainError::Position { expected, found: first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Digest;

    #[test]
    fn every_position_comes_once_and_in_order() {
        let mut chain = OwnChain::default();
        assert_eq!(chain.follow(1, 1, false), Ok(()));
        assert_eq!(chain.follow(2, 2, false), Ok(()));
        for wrong in [2, 4, 1, u64::MAX - 1] {
            let expected = chain.last + 1;
            let error = OwnChainError::Position { expected, found: wrong };
            assert_eq!(chain.follow(wrong, wrong, false), Err(error));
            assert_eq!(chain.last, wrong, "one gap is one error");
        }
    }

    #[test]
    fn entries_that_are_left_out_may_be_skipped_and_none_comes_again() {
        let mut chain = OwnChain::default();
        assert_eq!(chain.follow(3, 3, true), Ok(()));
        assert_eq!(chain.follow(9, 9, true), Ok(()));
        assert!(chain.follow(9, 9, true).is_err());
    }

    #[test]
    fn only_the_log_itself_writes_whole_notices_of_one_position() {
        let view = |producer, count| EntryView {
            producer,
            chain: LOG_CHAIN,
            first: 1,
            count,
            previous: Digest::ZERO,
            received_at: 0,
            payload: b"",
        };
        assert_eq!(check_own(&view(LOG_PRODUCER, 1), false), Ok(()));
        assert_eq!(check_own(&view(LOG_PRODUCER, 1), true), Err(OwnChainError::Withheld));
        assert_eq!(check_own(&view(LOG_PRODUCER, 2), false), Err(OwnChainError::Count(2)));
        let other = OwnChainError::Producer("audit-ingest".to_owned());
        assert_eq!(check_own(&view("audit-ingest", 1), false), Err(other));
    }
}
