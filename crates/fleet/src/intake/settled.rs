//! Up to which message of the stream everything is settled. A successor passes over what its predecessor has settled, by
//! the message's place in the stream and the time when it was stored: so a commit whose acknowledgements were lost is not recorded twice.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Committed;

/// Shared by an intake and its commits.
#[derive(Debug, Clone, Default)]
pub(super) struct Settled(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// The place of the newest settled message.
    at: u64,
    /// The latest time at which a settled message was stored, in milliseconds since 1970.
    millis: i64,
    /// Messages that were refused and are not known to be kept.
    open: BTreeSet<u64>,
}

impl Settled {
    /// What was settled by an earlier commit still is.
    pub(super) fn from(before: &Committed) -> Self {
        let (at, millis) = (before.message, before.message_millis);
        Self(Arc::new(Mutex::new(State { at, millis, open: BTreeSet::new() })))
    }

    /// A commit with what it settles: a batch, each message by its place and the time when it was stored. `refused` of it
    /// are settled only once they are kept.
    pub(super) fn by(
        &self,
        batch: impl IntoIterator<Item = (u64, i64)>,
        refused: impl IntoIterator<Item = u64>,
        committed: Committed,
    ) -> Committed {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.open.extend(refused);
        let open = state.open.first().copied().unwrap_or(u64::MAX);
        for (place, millis) in batch.into_iter().filter(|(place, _)| *place < open) {
            state.at = state.at.max(place);
            state.millis = state.millis.max(millis);
        }
        Committed { message: state.at, message_millis: state.millis, ..committed }
    }

    /// A refused message is kept.
    pub(super) fn kept(&self, message: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).open.remove(&message);
    }
}

#[cfg(test)]
mod tests {
    use super::Settled;
    use crate::Committed;

    #[test]
    fn nothing_behind_a_refused_message_is_settled_before_it_is_kept() {
        let before = Committed { message: 10, message_millis: 100, ..Committed::default() };
        let settled = Settled::from(&before);
        let by = |batch: &[u64], refused: &[u64]| {
            // Each is stored ten milliseconds after the one before it.
            let batch = batch.iter().map(|place| (*place, i64::try_from(place * 10).expect("small")));
            let committed = settled.by(batch, refused.iter().copied(), Committed::default());
            assert_eq!(committed.message_millis, i64::try_from(committed.message * 10).expect("small"));
            committed.message
        };
        assert_eq!(by(&[11, 12, 13], &[]), 13);
        assert_eq!(by(&[14, 15, 16], &[15]), 14);
        assert_eq!(by(&[17], &[]), 14, "it may still be lost");
        settled.kept(15);
        assert_eq!(by(&[18], &[]), 18);
        assert_eq!(by(&[12], &[]), 18, "given out again");
        assert_eq!(by(&[], &[]), 18);
    }
}
