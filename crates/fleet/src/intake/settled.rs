//! Up to which message of the stream everything is settled. A successor passes over what its predecessor has settled, by
//! the message's place in the stream alone: so a commit whose acknowledgements were lost is not recorded twice.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Shared by an intake and its commits.
#[derive(Debug, Clone, Default)]
pub(super) struct Settled(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    at: u64,
    /// Messages that were refused and are not known to be kept.
    open: BTreeSet<u64>,
}

impl Settled {
    /// Everything up to this message is settled.
    pub(super) fn from(at: u64) -> Self {
        Self(Arc::new(Mutex::new(State { at, open: BTreeSet::new() })))
    }

    /// What a commit of a batch settles. `refused` of it are settled only once they are kept.
    pub(super) fn by(
        &self,
        batch: impl IntoIterator<Item = u64>,
        refused: impl IntoIterator<Item = u64>,
    ) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.open.extend(refused);
        let newest = batch.into_iter().max().unwrap_or(0);
        let most = state.open.first().map_or(u64::MAX, |first| first.saturating_sub(1));
        state.at = state.at.max(newest.min(most));
        state.at
    }

    /// A refused message is kept.
    pub(super) fn kept(&self, message: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).open.remove(&message);
    }
}

#[cfg(test)]
mod tests {
    use super::Settled;

    #[test]
    fn nothing_behind_a_refused_message_is_settled_before_it_is_kept() {
        let settled = Settled::from(10);
        assert_eq!(settled.by([11, 12, 13], []), 13);
        assert_eq!(settled.by([14, 15, 16], [15]), 14);
        assert_eq!(settled.by([17], []), 14, "it may still be lost");
        settled.kept(15);
        assert_eq!(settled.by([18], []), 18);
        assert_eq!(settled.by([12], []), 18, "given out again");
        assert_eq!(Settled::from(3).by([], []), 3);
    }
}
