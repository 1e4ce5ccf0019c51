//! Values by the sequences from which on they hold.

/// In the order of the sequences. Mostly there is one value, or none.
pub(super) struct Since<T>(Vec<(u64, T)>);

impl<T> Since<T> {
    /// Of two values of one sequence the last holds.
    pub(super) fn of(mut all: Vec<(u64, T)>) -> Self {
        all.sort_by_key(|(from, _)| *from);
        Self(all)
    }

    /// What holds at a sequence, and from where on.
    pub(super) fn last(&self, at: u64) -> Option<&(u64, T)> {
        self.0.get(self.0.partition_point(|(from, _)| *from <= at).checked_sub(1)?)
    }

    /// What holds from this sequence on.
    pub(super) fn at(&self, at: u64) -> Option<&T> {
        self.last(at).filter(|(from, _)| *from == at).map(|(_, value)| value)
    }

    /// What begins to hold at a sequence or later.
    pub(super) fn from(&self, at: u64) -> impl Iterator<Item = &(u64, T)> {
        self.0.iter().skip(self.0.partition_point(|(from, _)| *from < at))
    }
}
