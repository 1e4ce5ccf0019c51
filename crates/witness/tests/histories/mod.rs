//! Two histories of one log that part at some entry, both signed with the log's own key: what a
//! witness must never put its name under both of.

use std::time::Duration;

use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::consistency::ConsistencyProof;
use tlog::cosignature::{WitnessKey, WitnessSigningKey};
use tlog::note::{SigningKey, VerifierKey};
use tlog::tree::{TreeHash, empty_root, leaf_hash, root_of};
use witness::Patience;

pub const ORIGIN: &str = "casino.example/sala/1";

pub fn log_key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[7; 32]).expect("a key")
}

pub fn vkey() -> VerifierKey {
    log_key().verifier_key()
}

pub fn witness_key() -> WitnessSigningKey {
    WitnessSigningKey::from_seed("regulator.example/w1", &[1; 32]).expect("a key")
}

pub fn witness_vkey() -> WitnessKey {
    witness_key().verifier_key()
}

/// No time to lose in tests.
pub fn brief() -> Patience {
    Patience {
        attempts: 2,
        pause: Duration::from_millis(1),
        timeout: Duration::from_millis(500),
        whole: Duration::from_secs(5),
    }
}

/// The leaf hashes of one history.
#[derive(Clone)]
pub struct History {
    pub leaves: Vec<TreeHash>,
}

impl History {
    /// `size` entries; from entry `parted` on they are those of history `number`.
    pub fn new(size: usize, parted: usize, number: usize) -> Self {
        let leaf = |index: usize| {
            let number = if index < parted { 0 } else { number };
            leaf_hash(format!("entry {index} of history {number}").as_bytes())
        };
        Self { leaves: (0..size).map(leaf).collect() }
    }

    pub fn checkpoint(&self, size: usize) -> Checkpoint {
        let root = if size == 0 { empty_root() } else { root_of(&self.leaves[..size]) };
        Checkpoint { origin: ORIGIN.to_owned(), size: size as u64, root }
    }

    pub fn signed(&self, size: usize) -> SignedCheckpoint {
        SignedCheckpoint::sign(&self.checkpoint(size), &log_key()).expect("signed")
    }

    /// The request that hands in the checkpoint of `new` entries to a witness that has `old`.
    pub fn request(&self, old: usize, new: usize) -> String {
        let (older, newer) = (self.checkpoint(old), self.signed(new));
        ConsistencyProof::make(&self.leaves[..], &older, &newer).expect("a proof").to_string()
    }

    /// Whether this checkpoint is one of this history's.
    pub fn holds(&self, checkpoint: &Checkpoint) -> bool {
        *checkpoint == self.checkpoint(checkpoint.size as usize)
    }
}

/// A request put together by hand.
pub fn by_hand(old: u64, hashes: &[&str], checkpoint: &SignedCheckpoint) -> String {
    let hashes: String = hashes.iter().map(|hash| format!("{hash}\n")).collect();
    format!("old {old}\n{hashes}\n{}", checkpoint.text())
}
