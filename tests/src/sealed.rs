//! Events as entries of one event each, as a judge takes them.

use replay::Entry;

/// One event: its table, its sequence and its payload.
pub type Sealed = (String, u64, Vec<u8>);

/// Entries of these events, the first of them at this log index.
#[must_use]
pub fn entries(sealed: &[Sealed], start: u64) -> Vec<Entry<'_>> {
    let numbered = sealed.iter().zip(start..);
    numbered
        .map(|((table, first, payload), index)| Entry {
            index,
            table,
            first: *first,
            count: 1,
            payload,
            ..Entry::default()
        })
        .collect()
}

/// Hands them over in windows of so many.
pub fn in_windows(sealed: &[Sealed], window: usize, mut take: impl FnMut(&[Entry<'_>])) {
    for (window, start) in sealed.chunks(window).zip((0..).step_by(window)) {
        take(&entries(window, start));
    }
}
