//! Small honest logs for the tests of this crate.
#![allow(clippy::unwrap_used)]

use crate::checkpoint::{Checkpoint, SignedCheckpoint};
use crate::note::SigningKey;
use crate::tree::{Frontier, TreeHash, leaf_hash};

pub(crate) const ORIGIN: &str = "log.example/records/1";

pub(crate) fn key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

/// The leaf hashes of a log of `size` entries, and its signed checkpoint.
pub(crate) fn log(size: u64) -> (Vec<TreeHash>, SignedCheckpoint) {
    let leaves: Vec<TreeHash> = (0..size).map(|n| leaf_hash(format!("entry {n}").as_bytes())).collect();
    let newest = signed_at(&leaves, size);
    (leaves, newest)
}

/// The signed checkpoint that a log had at an earlier size.
pub(crate) fn signed_at(leaves: &[TreeHash], size: u64) -> SignedCheckpoint {
    let mut frontier = Frontier::default();
    frontier.extend(&leaves[..size as usize]);
    SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &frontier), &key()).unwrap()
}
