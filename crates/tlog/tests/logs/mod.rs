//! Small honest logs and their keys, for the tests of each specification.
#![allow(clippy::unwrap_used)]

use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::cosignature::WitnessSigningKey;
use tlog::key::Algorithm;
use tlog::note::SigningKey;
use tlog::tree::{Frontier, TreeHash, leaf_hash};

pub const ORIGIN: &str = "log.example/records/1";
pub const ALGORITHMS: [Algorithm; 2] = [Algorithm::Ed25519, Algorithm::MlDsa44];
/// A root in base64, as a checkpoint's third line has it.
pub const ROOT: &str = "BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=";

pub fn key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

pub fn key_of(algorithm: Algorithm) -> SigningKey {
    SigningKey::with_algorithm(algorithm, ORIGIN, &[7; 32]).unwrap()
}

pub fn witness(name: &str, seed: u8) -> WitnessSigningKey {
    WitnessSigningKey::from_seed(name, &[seed; 32]).unwrap()
}

pub fn witness_of(algorithm: Algorithm, name: &str, seed: u8) -> WitnessSigningKey {
    WitnessSigningKey::with_algorithm(algorithm, name, &[seed; 32]).unwrap()
}

/// The signed checkpoint that most tests use.
pub fn signed() -> SignedCheckpoint {
    let checkpoint = Checkpoint { origin: ORIGIN.to_owned(), size: 20_852, root: [5; 32] };
    SignedCheckpoint::sign(&checkpoint, &key()).unwrap()
}

/// The leaf hashes of a log of `size` entries, and its signed checkpoint.
pub fn log(size: u64) -> (Vec<TreeHash>, SignedCheckpoint) {
    let leaves: Vec<TreeHash> = (0..size).map(|n| leaf_hash(format!("entry {n}").as_bytes())).collect();
    let newest = signed_at(&leaves, size);
    (leaves, newest)
}

/// The signed checkpoint that a log had at an earlier size.
pub fn signed_at(leaves: &[TreeHash], size: u64) -> SignedCheckpoint {
    let mut frontier = Frontier::default();
    frontier.extend(&leaves[..size as usize]);
    SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &frontier), &key()).unwrap()
}

/// Signature lines without the log's.
pub fn with_lines(text: &str, lines: &str) -> SignedCheckpoint {
    SignedCheckpoint::parse(&format!("{text}{lines}")).unwrap()
}
