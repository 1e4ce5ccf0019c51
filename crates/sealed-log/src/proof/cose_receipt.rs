//! An entry's proof as a COSE receipt (RFC 9942) over a tree of the kind RFC9162_SHA256, for
//! readers that speak CBOR rather than C2SP. It says what a tlog-proof says, signed once more.
//!
//! ```text
//! 18([                                            COSE_Sign1 (RFC 9052)
//!   << {1: -8,                                    EdDSA, which here is Ed25519; -48 is ML-DSA-44
//!       4: key id of four bytes,
//!       15: {1: origin,                           issuer (RFC 9597)
//!            2: size as text},                    subject: which of the log's trees
//!       395: 1} >>,                               RFC9162_SHA256
//!   {396: {-1: [ << [size, index, [hashes]] >> ]}},
//!   null,                                         the root, detached
//!   signature ])
//! ```
//! The proof's own size is not signed by RFC 9942, and another one can lead to the same root: so ours is
//! said again where it is signed, and what is signed is a checkpoint's origin, size and root.
//!
//! Receipts that others made are read in any well-formed spelling (see `reading`). They may name neither the log nor
//! the size of its tree; [`ProvenEntry`] says which of the two the signature covers.

mod reading;

use crate::entry::Digest;
use crate::proof::{EntryProof, EntryProofError, ProvenEntry};
use canonical_cbor::write;
use reading::Read;
use tlog::checkpoint::CheckpointError;
use tlog::key::Algorithm;
use tlog::note::{NoteError, SigningKey, VerifierKey};
use tlog::proof::inclusion_root;
use tlog::tree::TreeHash;

const COSE_SIGN1: u64 = 18;
const ALGORITHM: u64 = 1;
const EDDSA: i64 = -8;
/// Ed25519 and no other curve (RFC 9864).
const ED25519: i64 = -19;
const ML_DSA_44: i64 = -48;
const KEY_ID: u64 = 4;
const CLAIMS: u64 = 15;
const ISSUER: u64 = 1;
const SUBJECT: u64 = 2;
const STRUCTURE: u64 = 395;
const RFC9162_SHA256: u64 = 1;
const PROOFS: u64 = 396;
const INCLUSION: i64 = -1;

/// A receipt that an entry is in a log. Nothing of it is believed before [`CoseReceipt::verify`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoseReceipt {
    /// As it came, or as it was made.
    bytes: Vec<u8>,
    read: Read,
}

/// One inclusion proof of a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Inclusion {
    size: u64,
    index: u64,
    hashes: Vec<TreeHash>,
}

impl CoseReceipt {
    /// Signs the root of a proof's checkpoint once more, as a receipt. Only what the same key has
    /// signed as a checkpoint is signed, so this can show nobody another history.
    ///
    /// # Errors
    /// [`CheckpointError`] when the checkpoint is not this key's.
    pub fn sign(proof: &EntryProof, key: &SigningKey) -> Result<Self, CheckpointError> {
        let verifier = key.verifier_key();
        proof.checkpoint().verify(&verifier)?;
        let signed = proof.checkpoint().checkpoint();
        let algorithm = match verifier.algorithm() {
            Algorithm::Ed25519 => EDDSA,
            Algorithm::MlDsa44 => ML_DSA_44,
        };
        let inclusion =
            Inclusion { size: signed.size, index: proof.index(), hashes: proof.hashes().to_vec() };
        let (origin, key_id) = (signed.origin.clone(), verifier.id().to_vec());
        let protected = protected(algorithm, &key_id, &origin, signed.size);
        let signature = key.sign_bytes(&signed_bytes(&protected, &signed.root));
        let bytes = encode(&protected, &inclusion, &signature);
        let read = Read {
            protected,
            algorithm,
            key_id: Some(key_id),
            issuer: Some(origin),
            subject: Some(signed.size.to_string()),
            inclusions: vec![inclusion],
            root: None,
            signature,
        };
        Ok(Self { bytes, read })
    }

    /// Where the entry is said to stand, from 0; in a receipt with several proofs, by the first of them.
    #[must_use]
    pub fn index(&self) -> u64 {
        self.read.inclusions.first().map_or(0, |inclusion| inclusion.index)
    }

    /// Checks that the entry with this digest stands in a tree whose root the key signed. Of several proofs one
    /// has to hold.
    ///
    /// # Errors
    /// [`EntryProofError::Checkpoint`] for another log's key, or another key of the log, [`EntryProofError::Inclusion`] for a
    /// proof of the wrong length, [`EntryProofError::Signature`] when the root it leads to is not
    /// the signed one: which of entry, proof and signature was altered cannot be distinguished.
    pub fn verify(&self, key: &VerifierKey, digest: &Digest) -> Result<ProvenEntry, EntryProofError> {
        if let Some(origin) = self.read.issuer.as_ref().filter(|origin| *origin != key.name()) {
            let (origin, key) = (origin.clone(), key.name().to_owned());
            return Err(CheckpointError::Origin { origin, key }.into());
        }
        let mut refused = EntryProofError::Signature { key: key.to_string() };
        for inclusion in &self.read.inclusions {
            match self.verify_one(inclusion, key, digest) {
                Ok(proven) => return Ok(proven),
                Err(error) => refused = error,
            }
        }
        // What the receipt says of its key explains why it does not hold; it decides nothing.
        if self.key_id().is_some_and(|id| id != key.id()) {
            return Err(CheckpointError::Note(NoteError::NotSigned(key.to_string())).into());
        }
        Err(refused)
    }

    fn verify_one(
        &self,
        inclusion: &Inclusion,
        key: &VerifierKey,
        digest: &Digest,
    ) -> Result<ProvenEntry, EntryProofError> {
        let Inclusion { size, index, hashes } = inclusion;
        let (size, index, digest) = (*size, *index, *digest);
        let root = inclusion_root(index, size, &digest.leaf_hash(), hashes)
            .map_err(|why| EntryProofError::Inclusion { digest, index, size, why })?;
        let same_root = self.read.root.is_none_or(|stated| stated == root);
        let signed = signed_bytes(&self.read.protected, &root);
        let stated_size = self.signed_size(key);
        let same_size = stated_size.is_none_or(|stated| stated == size.to_string());
        if !same_root || !same_size || !self.is_of(key) || !key.checks(&signed, &self.read.signature) {
            return Err(EntryProofError::Signature { key: key.to_string() });
        }
        let (states_origin, states_size) = (self.read.issuer.is_some(), stated_size.is_some());
        let origin = key.name().to_owned();
        Ok(ProvenEntry { origin, size, root, index, digest, states_origin, states_size })
    }

    /// The id that a receipt of our making gives of the key that signed it: it has an issuer, and the id has the four
    /// bytes of a signed note's. Of other receipts nothing is known.
    #[must_use]
    pub fn key_id(&self) -> Option<&[u8]> {
        let Read { key_id, issuer, .. } = &self.read;
        key_id.as_deref().filter(|id| issuer.is_some() && id.len() == 4)
    }

    /// Whether the receipt's algorithm is the key's.
    fn is_of(&self, key: &VerifierKey) -> bool {
        match key.algorithm() {
            Algorithm::Ed25519 => [EDDSA, ED25519].contains(&self.read.algorithm),
            Algorithm::MlDsa44 => self.read.algorithm == ML_DSA_44,
        }
    }

    /// The size of the tree as it is signed. In receipts of our making, which have an issuer and the key's id as a
    /// signed note has it, the subject is the size; others' subjects mean what others say.
    fn signed_size(&self, key: &VerifierKey) -> Option<&str> {
        let Read { key_id, issuer, subject, .. } = &self.read;
        let ours = issuer.is_some() && key_id.as_deref() == Some(&key.id()[..]);
        subject.as_deref().filter(|_| ours)
    }

    /// The receipt as it came; one of our making as tagged COSE_Sign1.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// Reads a receipt.
    ///
    /// # Errors
    /// [`EntryProofError::Receipt`] says where it is not one, or what of it is not read here.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EntryProofError> {
        let read = reading::read(bytes)
            .map_err(|wrong| EntryProofError::Receipt { at: wrong.at, expected: wrong.expected })?;
        Ok(Self { bytes: bytes.to_vec(), read })
    }
}

fn encode(protected: &[u8], inclusion: &Inclusion, signature: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256 + 34 * inclusion.hashes.len());
    write::tag(&mut bytes, COSE_SIGN1);
    write::array(&mut bytes, 4);
    write::bytes(&mut bytes, protected);
    write::map(&mut bytes, 1);
    write::unsigned(&mut bytes, PROOFS);
    write::map(&mut bytes, 1);
    write::integer(&mut bytes, INCLUSION);
    write::array(&mut bytes, 1);
    write::bytes(&mut bytes, &encode_inclusion(inclusion));
    write::null(&mut bytes);
    write::bytes(&mut bytes, signature);
    bytes
}

fn protected(algorithm: i64, key_id: &[u8], origin: &str, size: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(32 + origin.len());
    write::map(&mut bytes, 4);
    write::unsigned(&mut bytes, ALGORITHM);
    write::integer(&mut bytes, algorithm);
    write::unsigned(&mut bytes, KEY_ID);
    write::bytes(&mut bytes, key_id);
    write::unsigned(&mut bytes, CLAIMS);
    write::map(&mut bytes, 2);
    write::unsigned(&mut bytes, ISSUER);
    write::text(&mut bytes, origin);
    write::unsigned(&mut bytes, SUBJECT);
    write::text(&mut bytes, &size.to_string());
    write::unsigned(&mut bytes, STRUCTURE);
    write::unsigned(&mut bytes, RFC9162_SHA256);
    bytes
}

fn encode_inclusion(inclusion: &Inclusion) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(32 + 34 * inclusion.hashes.len());
    write::array(&mut bytes, 3);
    write::unsigned(&mut bytes, inclusion.size);
    write::unsigned(&mut bytes, inclusion.index);
    write::array(&mut bytes, inclusion.hashes.len() as u64);
    inclusion.hashes.iter().for_each(|hash| write::bytes(&mut bytes, hash));
    bytes
}

/// What is signed (RFC 9052 section 4.4), the root being the payload and the protected headers as they came.
fn signed_bytes(protected: &[u8], root: &TreeHash) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64 + protected.len());
    write::array(&mut bytes, 4);
    write::text(&mut bytes, "Signature1");
    write::bytes(&mut bytes, protected);
    write::bytes(&mut bytes, &[]);
    write::bytes(&mut bytes, root);
    bytes
}

#[cfg(test)]
mod tests;
