//! A stretch of the log that a slice leaves out: the roots of the full subtrees it is made of, so
//! that the signed root can be computed without the entries.

use crate::reader::raw_block::number;
use tlog::proof::{NodeSource, range_root};
use tlog::tree::{Frontier, TreeHash};

/// First index and count.
const HEAD_BYTES: usize = 16;
/// A stretch has at most two subtrees of each height.
const MOST_ROOTS: usize = 2 * 64;
/// Longest body of a section for a stretch that is left out.
pub(crate) const MAX_LEFT_OUT: u64 = (HEAD_BYTES + 32 * MOST_ROOTS) as u64;

/// Entries that are left out, and what proves where they were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub(crate) first_index: u64,
    pub(crate) count: u64,
    roots: Vec<TreeHash>,
}

/// The full subtrees that `first..first + count` is made of, left to right: the first index and the height of
/// each. Each is as tall as its first index and the rest of the stretch allow.
fn subtrees(first: u64, count: u64) -> impl Iterator<Item = (u64, u32)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let (start, rest) = (first + done, count - done);
        let height = start.trailing_zeros().min(rest.checked_ilog2()?);
        done += 1 << height;
        Some((start, height))
    })
}

impl LeftOut {
    /// Leaves out `first..first + count`, at least one entry.
    ///
    /// # Errors
    /// The source's own.
    pub(crate) fn make<N: NodeSource + ?Sized>(nodes: &N, first: u64, count: u64) -> Result<Self, N::Error> {
        let roots = subtrees(first, count).map(|(start, height)| range_root(nodes, start, 1 << height));
        Ok(Self { first_index: first, count, roots: roots.collect::<Result<_, _>>()? })
    }

    /// The index behind the stretch.
    pub(crate) fn end(&self) -> u64 {
        self.first_index.saturating_add(self.count)
    }

    /// Appends the stretch to a tree that ends where it begins.
    pub(crate) fn push_onto(&self, frontier: &mut Frontier) {
        for (root, (_, height)) in self.roots.iter().zip(subtrees(self.first_index, self.count)) {
            frontier.push_subtree(*root, height);
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.first_index.to_be_bytes().to_vec();
        bytes.extend_from_slice(&self.count.to_be_bytes());
        bytes.extend_from_slice(self.roots.as_flattened());
        bytes
    }

    /// Reads a section's body; `None` unless it has one hash for each subtree of a stretch of at
    /// least one entry.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        let (header, roots) = body.split_at_checked(HEAD_BYTES)?;
        let (first_index, count) = (number(&header[..8])?, number(&header[8..])?);
        first_index.checked_add(count)?;
        let (roots, rest) = roots.as_chunks::<32>();
        let expected = subtrees(first_index, count).count();
        let fits = expected > 0 && roots.len() == expected && rest.is_empty();
        fits.then(|| Self { first_index, count, roots: roots.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::entry::Digest;
    use tlog::tree::root_of;

    fn leaves(count: u64) -> Vec<TreeHash> {
        (0..count).map(|n| Digest::of(&n.to_be_bytes()).leaf_hash()).collect()
    }

    #[test]
    fn the_root_is_the_same_whatever_is_left_out() {
        let all = leaves(530);
        for (first, count) in [(0, 1), (0, 530), (1, 529), (255, 2), (256, 256), (3, 514), (529, 1), (100, 7)]
        {
            let left_out = LeftOut::make(all.as_slice(), first, count).unwrap();
            let mut frontier = Frontier::default();
            frontier.extend(&all[..first as usize]);
            left_out.push_onto(&mut frontier);
            assert_eq!(frontier.size(), first + count);
            frontier.extend(&all[(first + count) as usize..]);
            assert_eq!(frontier.root(), root_of(&all), "{count} from {first}");
            assert_eq!(LeftOut::read(&left_out.to_bytes()), Some(left_out));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let all = leaves(20);
        let good = LeftOut::make(all.as_slice(), 3, 14).unwrap().to_bytes();
        for cut in 0..good.len() {
            assert_eq!(LeftOut::read(&good[..cut]), None, "cut at {cut}");
        }
        assert_eq!(LeftOut::read(&[&good[..], &[0; 32]].concat()), None, "a hash too many");
        assert_eq!(LeftOut::read(&[0; 16]), None, "no entry at all");
        assert_eq!(LeftOut::read(&[0xff; 16]), None, "past the largest index");
    }

    #[test]
    fn the_largest_stretch_fits_a_section() {
        let most = subtrees(1, u64::MAX - 1).count();
        assert!((HEAD_BYTES + 32 * most) as u64 <= MAX_LEFT_OUT);
    }
}
