//! An entry's proof as a COSE receipt (RFC 9942) over a tree of the kind RFC9162_SHA256, for
//! readers that speak CBOR rather than C2SP. It says what a tlog-proof says, signed once more.
//!
//! ```text
//! 18([                                            COSE_Sign1 (RFC 9052)
//!   << {1: -8,                                    EdDSA, which here is Ed25519
//!       4: key id of four bytes,
//!       15: {1: origin,                           issuer (RFC 9597)
//!            2: size as text},                    subject: which of the log's trees
//!       395: 1} >>,                               RFC9162_SHA256
//!   {396: {-1: [ << [size, index, [hashes]] >> ]}},
//!   null,                                         the root, detached
//!   signature ])
//! ```
//! The proof's own size is not signed, and another one can lead to the same root: so the size is
//! said again where it is signed, and what is signed is a checkpoint's origin, size and root.
//! One spelling only, as everything here: other headers, orders or lengths are refused.

use crate::entry::Digest;
use crate::proof::{EntryProof, EntryProofError, ProvenEntry};
use canonical_cbor::{Reader, write};
use tlog::checkpoint::CheckpointError;
use tlog::note::{SigningKey, VerifierKey};
use tlog::proof::MAX_PROOF_HASHES;
use tlog::proof::inclusion_root;
use tlog::tree::TreeHash;

const COSE_SIGN1: u64 = 18;
const ALGORITHM: u64 = 1;
const EDDSA: i64 = -8;
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
    origin: String,
    key_id: [u8; 4],
    size: u64,
    index: u64,
    hashes: Vec<TreeHash>,
    signature: Vec<u8>,
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
        let mut receipt = Self {
            origin: signed.origin.clone(),
            key_id: verifier.id(),
            size: signed.size,
            index: proof.index(),
            hashes: proof.hashes().to_vec(),
            signature: Vec::new(),
        };
        receipt.signature = key.sign_bytes(&receipt.signed_bytes(&signed.root));
        Ok(receipt)
    }

    /// Where the entry is said to stand, from 0.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// Checks that the entry with this digest stands in a tree whose root the key signed.
    ///
    /// # Errors
    /// [`EntryProofError::Checkpoint`] for another log's key, [`EntryProofError::Inclusion`] for a
    /// proof of the wrong length, [`EntryProofError::Signature`] when the root it leads to is not
    /// the signed one: which of entry, proof and signature was altered cannot be told apart.
    pub fn verify(&self, key: &VerifierKey, digest: &Digest) -> Result<ProvenEntry, EntryProofError> {
        if self.origin != key.name() {
            let (origin, key) = (self.origin.clone(), key.name().to_owned());
            return Err(CheckpointError::Origin { origin, key }.into());
        }
        let (index, size, digest) = (self.index, self.size, *digest);
        let root = inclusion_root(index, size, &digest.leaf_hash(), &self.hashes)
            .map_err(|why| EntryProofError::Inclusion { digest, index, size, why })?;
        if self.key_id != key.id() || !key.checks(&self.signed_bytes(&root), &self.signature) {
            return Err(EntryProofError::Signature { key: key.to_string() });
        }
        Ok(ProvenEntry { origin: self.origin.clone(), size, root, index, digest })
    }

    /// The receipt as tagged COSE_Sign1.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(256 + 34 * self.hashes.len());
        write::tag(&mut bytes, COSE_SIGN1);
        write::array(&mut bytes, 4);
        write::bytes(&mut bytes, &self.protected());
        write::map(&mut bytes, 1);
        write::unsigned(&mut bytes, PROOFS);
        write::map(&mut bytes, 1);
        write::integer(&mut bytes, INCLUSION);
        write::array(&mut bytes, 1);
        write::bytes(&mut bytes, &self.proof());
        write::null(&mut bytes);
        write::bytes(&mut bytes, &self.signature);
        bytes
    }

    fn protected(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(32 + self.origin.len());
        write::map(&mut bytes, 4);
        write::unsigned(&mut bytes, ALGORITHM);
        write::integer(&mut bytes, EDDSA);
        write::unsigned(&mut bytes, KEY_ID);
        write::bytes(&mut bytes, &self.key_id);
        write::unsigned(&mut bytes, CLAIMS);
        write::map(&mut bytes, 2);
        write::unsigned(&mut bytes, ISSUER);
        write::text(&mut bytes, &self.origin);
        write::unsigned(&mut bytes, SUBJECT);
        write::text(&mut bytes, &self.size.to_string());
        write::unsigned(&mut bytes, STRUCTURE);
        write::unsigned(&mut bytes, RFC9162_SHA256);
        bytes
    }

    fn proof(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(32 + 34 * self.hashes.len());
        write::array(&mut bytes, 3);
        write::unsigned(&mut bytes, self.size);
        write::unsigned(&mut bytes, self.index);
        write::array(&mut bytes, self.hashes.len() as u64);
        self.hashes.iter().for_each(|hash| write::bytes(&mut bytes, hash));
        bytes
    }

    /// What is signed (RFC 9052 section 4.4), the root being the payload.
    fn signed_bytes(&self, root: &TreeHash) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(128 + self.origin.len());
        write::array(&mut bytes, 4);
        write::text(&mut bytes, "Signature1");
        write::bytes(&mut bytes, &self.protected());
        write::bytes(&mut bytes, &[]);
        write::bytes(&mut bytes, root);
        bytes
    }

    /// Reads a receipt.
    ///
    /// # Errors
    /// [`EntryProofError::Receipt`] says where it is not one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EntryProofError> {
        let mut reader = Reader::new(bytes);
        let wrong = |at, expected| EntryProofError::Receipt { at, expected };
        let cut = |at| wrong(at, "a byte string, and all of it");
        let start = |expected| wrong(0, expected);
        if !reader.tag().is_ok_and(|tag| tag == COSE_SIGN1)
            || !reader.array("an array of known length").is_ok_and(|items| items == 4)
        {
            return Err(start("tag 18 and an array of four (COSE_Sign1)"));
        }
        let protected = reader.bytes().map_err(|_| cut(0))?;
        let at = reader.at();
        let (origin, key_id, signed_size) = read_protected(protected)
            .ok_or_else(|| wrong(at - protected.len(), "EdDSA, key id, issuer and size, RFC9162_SHA256"))?;
        let proofs = is_map_of(&mut reader, 1)
            && reader.unsigned().is_ok_and(|label| label == PROOFS)
            && is_map_of(&mut reader, 1)
            && reader.integer().is_ok_and(|label| label == INCLUSION)
            && reader.array("an array of known length").is_ok_and(|proofs| proofs == 1);
        if !proofs {
            return Err(wrong(at, "one inclusion proof in the unprotected headers"));
        }
        let proof = reader.bytes().map_err(|_| cut(at))?;
        let at = reader.at();
        let (size, index, hashes) =
            read_proof(proof).ok_or_else(|| wrong(at - proof.len(), "[size, index, hashes]"))?;
        if signed_size != size.to_string() {
            return Err(wrong(at - proof.len(), "the size that is signed"));
        }
        if !reader.take_null() {
            return Err(wrong(at, "a detached payload (null)"));
        }
        let signature = reader.bytes().map_err(|_| cut(at))?.to_vec();
        reader.end().map_err(|_| wrong(reader.at(), "the end, but more bytes follow"))?;
        Ok(Self { origin, key_id, size, index, hashes, signature })
    }
}

fn is_map_of(reader: &mut Reader<'_>, pairs: u64) -> bool {
    reader.map().is_ok_and(|found| found == pairs)
}

/// Origin, key id and size as text.
fn read_protected(bytes: &[u8]) -> Option<(String, [u8; 4], &str)> {
    let mut reader = Reader::new(bytes);
    let labelled = |reader: &mut Reader<'_>, label: u64| reader.unsigned().is_ok_and(|found| found == label);
    let eddsa = is_map_of(&mut reader, 4)
        && labelled(&mut reader, ALGORITHM)
        && reader.integer().is_ok_and(|algorithm| algorithm == EDDSA);
    if !eddsa || !labelled(&mut reader, KEY_ID) {
        return None;
    }
    let key_id = reader.bytes().ok()?.try_into().ok()?;
    if !labelled(&mut reader, CLAIMS) || !is_map_of(&mut reader, 2) || !labelled(&mut reader, ISSUER) {
        return None;
    }
    let origin = reader.text().ok()?.to_owned();
    let size = labelled(&mut reader, SUBJECT).then(|| reader.text().ok()).flatten()?;
    let kind = labelled(&mut reader, STRUCTURE) && labelled(&mut reader, RFC9162_SHA256);
    (kind && reader.end().is_ok()).then_some((origin, key_id, size))
}

fn read_proof(bytes: &[u8]) -> Option<(u64, u64, Vec<TreeHash>)> {
    let mut reader = Reader::new(bytes);
    if reader.array("an array of known length").ok()? != 3 {
        return None;
    }
    let (size, index) = (reader.unsigned().ok()?, reader.unsigned().ok()?);
    let count = usize::try_from(reader.array("an array of known length").ok()?)
        .ok()
        .filter(|count| *count <= MAX_PROOF_HASHES)?;
    let hashes = (0..count).map(|_| reader.byte_array().ok()).collect::<Option<_>>()?;
    reader.end().is_ok().then_some((size, index, hashes))
}

#[cfg(test)]
mod tests;
