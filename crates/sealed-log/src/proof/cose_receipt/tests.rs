//! Receipts read, and their signatures checked, by a COSE library that is not ours.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::fixture::{ORIGIN, key, log};
use crate::store::{StoreNodes, StoreReader};
use coset::cbor::value::Value;
use coset::{AsCborValue, CoseSign1, Label, TaggedCborSerializable};

fn receipt(size: u64, index: u64) -> (CoseReceipt, EntryProof) {
    let (store, signed) = log(size);
    let entry = store.read(index, 1).unwrap().remove(0);
    let proof = EntryProof::make(&StoreNodes(&store), &signed, index, entry).unwrap();
    (CoseReceipt::sign(&proof, &key()).unwrap(), proof)
}

fn digest(proof: &EntryProof) -> Digest {
    Digest::of(proof.entry().unwrap())
}

#[test]
fn receipts_are_believed_and_survive_their_bytes() {
    for (size, index) in [(1, 0), (2, 1), (20, 13), (257, 256), (700, 3)] {
        let (receipt, proof) = receipt(size, index);
        assert_eq!(CoseReceipt::from_bytes(&receipt.to_bytes()), Ok(receipt.clone()));
        let verifier = key().verifier_key();
        let proven = receipt.verify(&verifier, &digest(&proof)).unwrap();
        assert_eq!(Ok(proven), proof.verify(&verifier, &digest(&proof)), "both forms prove the same");
    }
}

/// RFC 9942: algorithm and kind of tree protected, the proof unprotected, the root detached.
#[test]
fn coset_reads_a_receipt_and_checks_its_signature() {
    let (receipt, proof) = receipt(20, 13);
    let signed = CoseSign1::from_tagged_slice(&receipt.to_bytes()).unwrap();
    let protected = &signed.protected.header;
    assert_eq!(
        protected.alg,
        Some(coset::RegisteredLabelWithPrivate::Assigned(coset::iana::Algorithm::EdDSA))
    );
    assert_eq!(protected.key_id, key().verifier_key().id());
    let header = |label| {
        let found = protected.rest.iter().find(|(name, _)| *name == Label::Int(label));
        found.map(|(_, value)| value.clone()).unwrap()
    };
    assert_eq!(header(395), Value::from(1));
    assert_eq!(
        header(15),
        Value::Map(vec![(Value::from(1), Value::from(ORIGIN)), (Value::from(2), Value::from("20")),])
    );
    assert_eq!(signed.payload, None);
    let root = proof.checkpoint().checkpoint().root;
    let public = ed25519_dalek::SigningKey::from_bytes(&[7; 32]).verifying_key();
    let check = |signature: &[u8], bytes: &[u8]| {
        let signature = ed25519_dalek::Signature::from_slice(signature).unwrap();
        public.verify_strict(bytes, &signature)
    };
    signed.verify_detached_signature(&root, b"", check).unwrap();
    assert!(signed.verify_detached_signature(&[0; 32], b"", check).is_err());
    let Value::Map(unprotected) = signed.unprotected.to_cbor_value().unwrap() else { panic!("a map") };
    let Value::Map(proofs) = &unprotected[0].1 else { panic!("a map of proofs") };
    let Value::Array(inclusion) = &proofs[0].1 else { panic!("an array of inclusion proofs") };
    assert_eq!((&unprotected[0].0, &proofs[0].0, inclusion.len()), (&Value::from(396), &Value::from(-1), 1));
    let Value::Bytes(inclusion) = &inclusion[0] else { panic!("a proof in a byte string") };
    let Value::Array(items) = coset::cbor::de::from_reader(&inclusion[..]).unwrap() else {
        panic!("a proof")
    };
    let hashes = proof.hashes().iter().map(|hash| Value::from(hash.as_slice())).collect();
    assert_eq!(items, [Value::from(20), Value::from(13), Value::Array(hashes)]);
}

#[test]
fn every_bent_byte_and_every_cut_is_noticed() {
    let (receipt, proof) = receipt(20, 13);
    let (bytes, verifier, digest) = (receipt.to_bytes(), key().verifier_key(), digest(&proof));
    let believed =
        |bytes: &[u8]| CoseReceipt::from_bytes(bytes).and_then(|receipt| receipt.verify(&verifier, &digest));
    assert!(believed(&bytes).is_ok());
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut bent = bytes.clone();
            bent[at] ^= 1 << bit;
            assert!(believed(&bent).is_err(), "byte {at}, bit {bit}");
        }
        assert!(believed(&bytes[..at]).is_err(), "cut at {at}");
    }
    assert!(believed(&[&bytes[..], b"\0"].concat()).is_err());
}

#[test]
fn strangers_and_other_entries_are_told_apart() {
    let (receipt, proof) = receipt(20, 13);
    let verifier = key().verifier_key();
    let other = receipt.verify(&verifier, &Digest::ZERO).unwrap_err();
    assert!(matches!(other, EntryProofError::Signature { .. }), "{other}");
    let elsewhere = SigningKey::from_seed("elsewhere.example/log", &[7; 32]).unwrap();
    let foreign = receipt.verify(&elsewhere.verifier_key(), &digest(&proof)).unwrap_err();
    assert!(matches!(foreign, EntryProofError::Checkpoint(CheckpointError::Origin { .. })), "{foreign}");
    let mut short = receipt;
    short.read.inclusions[0].hashes.clear();
    let short = short.verify(&verifier, &digest(&proof)).unwrap_err();
    assert!(matches!(short, EntryProofError::Inclusion { .. }), "{short}");
    let stranger = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    assert!(CoseReceipt::sign(&proof, &stranger).is_err(), "nobody signs another's tree");
}

/// Our receipts have the bytes they always had.
#[test]
fn a_receipt_of_ours_keeps_its_bytes() {
    let bytes = receipt(2, 1).0.to_bytes();
    let origin = [&[0x60 + ORIGIN.len() as u8][..], ORIGIN.as_bytes()].concat();
    let id = key().verifier_key().id();
    let protected =
        [&[0xa4, 1, 0x27, 4, 0x44][..], &id, &[15, 0xa2, 1], &origin, &[2, 0x61, b'2', 0x19, 0x01, 0x8b, 1]]
            .concat();
    let signed = [&[0xd2, 0x84, 0x58, protected.len() as u8][..], &protected].concat();
    assert_eq!(bytes[..signed.len()], signed);
    let proof = [0xa1, 0x19, 0x01, 0x8c, 0xa1, 0x20, 0x81, 0x58, 38, 0x83, 2, 1, 0x81, 0x58, 32];
    assert_eq!(bytes[signed.len()..][..proof.len()], proof);
    let end = &bytes[signed.len() + proof.len() + 32..];
    assert_eq!((&end[..3], end.len()), (&[0xf6, 0x58, 64][..], 67));
}

mod others;
