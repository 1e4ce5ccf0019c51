//! Transparency logs: Merkle trees, tiles, proofs, signed notes, checkpoints, cosignatures and witness policies, as
//! RFC 6962, RFC 9162 and the C2SP specifications describe them.
//!
//! The crate computes and checks. It opens no files, speaks no HTTP, and has no clock and no randomness: bytes, keys
//! and times are handed in. It builds for `wasm32-unknown-unknown`.
//!
//! # Append and sign
//!
//! A log is a list of records. Its tree is over the hashes of the records ([`tree::leaf_hash`]); the
//! [right edge](tree::Frontier) of the tree is enough to append to it. A [checkpoint](checkpoint::Checkpoint) names
//! the log's origin, size and root, and the log's key signs it as a [note].
//!
//! ```
//! use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
//! use tlog::note::SigningKey;
//! use tlog::tree::{Frontier, leaf_hash};
//!
//! // In a real log the seed is 32 random, secret bytes.
//! let key = SigningKey::from_seed("example.com/log", &[7; 32])?;
//!
//! let mut tree = Frontier::default();
//! for record in ["first", "second", "third"] {
//!     tree.push_leaf(leaf_hash(record.as_bytes()));
//! }
//! let signed = SignedCheckpoint::sign(&Checkpoint::of("example.com/log", &tree), &key)?;
//! assert!(signed.text().starts_with("example.com/log\n3\n"));
//!
//! // Whoever has the log's public key checks it.
//! let read = SignedCheckpoint::parse(signed.text())?;
//! read.verify(&key.verifier_key())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Prove and verify
//!
//! Proofs are made from the tree's hashes ([`proof::NodeSource`]): a slice of leaf hashes, or the
//! [tiles](tile) that a store or a server keeps. An [inclusion proof](inclusion::InclusionProof) shows that a record
//! is in the tree of a signed checkpoint. A [consistency proof](consistency::ConsistencyProof) shows that the log of a newer
//! checkpoint begins with the log of an older one.
//!
//! ```
//! # use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
//! # use tlog::note::SigningKey;
//! # use tlog::tree::{Frontier, leaf_hash};
//! use tlog::consistency::ConsistencyProof;
//! use tlog::inclusion::InclusionProof;
//! # let key = SigningKey::from_seed("example.com/log", &[7; 32])?;
//! # let sign = |leaves: &[tlog::tree::TreeHash]| {
//! #     let mut tree = Frontier::default();
//! #     tree.extend(leaves);
//! #     SignedCheckpoint::sign(&Checkpoint::of("example.com/log", &tree), &key)
//! # };
//!
//! let leaves = ["first", "second", "third"].map(|record| leaf_hash(record.as_bytes()));
//! let (older, newer) = (sign(&leaves[..2])?, sign(&leaves)?);
//!
//! // "second" is in the log: the proof is a text that can be sent.
//! let proof = InclusionProof::make(leaves.as_slice(), &newer, 1, &leaves[1])?;
//! let received: InclusionProof = proof.to_string().parse()?;
//! received.verify(&key.verifier_key(), &leaf_hash(b"second"))?;
//! assert!(received.verify(&key.verifier_key(), &leaf_hash(b"forged")).is_err());
//!
//! // The log only grew.
//! let proof = ConsistencyProof::make(leaves.as_slice(), older.checkpoint(), &newer)?;
//! proof.verify(&key.verifier_key(), &older)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Witnesses
//!
//! A log can show two histories to two readers. A reader who requires a quorum of witnesses notices. A witness must
//! [cosign](cosignature::WitnessSigningKey::cosign) a checkpoint only if it extends everything that it cosigned before;
//! the caller checks that. A [policy](policy::WitnessPolicy) says which witnesses a reader trusts, and how many are enough.
//!
//! ```
//! # use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
//! # use tlog::note::SigningKey;
//! # use tlog::tree::{Frontier, leaf_hash};
//! use tlog::cosignature::WitnessSigningKey;
//! use tlog::policy::WitnessPolicy;
//! # let key = SigningKey::from_seed("example.com/log", &[7; 32])?;
//! # let signed = SignedCheckpoint::sign(&Checkpoint::of("example.com/log", &Frontier::default()), &key)?;
//!
//! let witness = WitnessSigningKey::from_seed("witness.example/w1", &[9; 32])?;
//! // Seconds since 1970; whether this checkpoint may be signed is for the witness to decide.
//! let cosignature = witness.cosign(&signed, 1_790_000_000)?;
//! let cosigned = signed.with_cosignature(&cosignature)?;
//!
//! let policy: WitnessPolicy = format!(
//!     "log {}\nwitness W1 {}\nquorum W1\n",
//!     key.verifier_key(),
//!     witness.verifier_key(),
//! )
//! .parse()?;
//! assert!(policy.count(&cosigned).quorum);
//! assert!(!policy.count(&signed).quorum);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to find what
//!
//! | specification | module |
//! |---|---|
//! | RFC 6962 section 2.1: leaf and node hashes, the root | [`tree`] |
//! | RFC 9162 sections 2.1.3 and 2.1.4: inclusion and consistency proofs | [`proof`] |
//! | C2SP signed-note: keys and their texts, ML-DSA-44 as well | [`key`] |
//! | C2SP signed-note: notes and signatures | [`note`] |
//! | C2SP tlog-checkpoint | [`checkpoint`] |
//! | C2SP tlog-tiles: paths and widths of tiles | [`tile`] |
//! | C2SP tlog-proof: a proof as a text | [`inclusion`] |
//! | C2SP tlog-cosignature | [`cosignature`] |
//! | C2SP tlog-policy | [`policy`] |
//! | C2SP tlog-witness: what is submitted to a witness | [`consistency`] |
//!
//! A log's key has the name that is its checkpoints' origin; logs whose key is named otherwise are not verified here. The
//! text form of secret keys is that of Go's `sumdb/note`, of the kinds 4 and 6 too.
//!
//! The feature `rayon` hashes full tiles on several cores.

pub mod checkpoint;
pub mod consistency;
pub mod cosignature;
#[cfg(test)]
mod fixture;
pub mod inclusion;
pub mod key;
pub mod note;
pub mod policy;
pub mod proof;
pub mod proof_text;
pub mod tile;
pub mod tree;
