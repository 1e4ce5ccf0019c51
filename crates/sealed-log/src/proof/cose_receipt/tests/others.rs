//! Receipts as others make them, built by another COSE library in several ways; and what is refused of them.

use super::*;
use coset::iana::Algorithm as Registered;
use coset::{CborSerializable, CoseSign1Builder, Header, HeaderBuilder, ProtectedHeader, iana};
use ed25519_dalek::Signer as _;
use tlog::key::Algorithm;

fn sign(bytes: &[u8]) -> Vec<u8> {
    ed25519_dalek::SigningKey::from_bytes(&[7; 32]).sign(bytes).to_bytes().to_vec()
}

fn inclusion(proof: &EntryProof) -> Value {
    let size = proof.checkpoint().checkpoint().size;
    let hashes = proof.hashes().iter().map(|hash| Value::from(hash.as_slice())).collect();
    let items = Value::Array(vec![Value::from(size), Value::from(proof.index()), Value::Array(hashes)]);
    Value::Bytes(items.to_vec().unwrap())
}

fn unprotected(proofs: Vec<Value>) -> Header {
    let proofs = Value::Map(vec![(Value::from(-1), Value::Array(proofs))]);
    HeaderBuilder::new().value(396, proofs).build()
}

/// The protected headers that every receipt has, and those of this one.
fn headers(algorithm: Registered) -> HeaderBuilder {
    HeaderBuilder::new().algorithm(algorithm).value(395, Value::from(1))
}

fn detached(proof: &EntryProof, protected: Header, unprotected: Header) -> Vec<u8> {
    let root = proof.checkpoint().checkpoint().root;
    let builder = CoseSign1Builder::new().protected(protected).unprotected(unprotected);
    builder.create_detached_signature(&root, b"", sign).build().to_tagged_vec().unwrap()
}

/// A receipt over protected headers of these very bytes.
fn with_protected(proof: &EntryProof, protected: &[u8]) -> Vec<u8> {
    let mut signed = CoseSign1::from_tagged_slice(&detached(
        proof,
        headers(Registered::EdDSA).build(),
        unprotected(vec![inclusion(proof)]),
    ))
    .unwrap();
    let header = ProtectedHeader::from_cbor_bstr(Value::Bytes(protected.to_vec())).unwrap();
    signed.protected = header;
    signed.signature = sign(&signed.tbs_detached_data(&proof.checkpoint().checkpoint().root, b""));
    signed.to_tagged_vec().unwrap()
}

fn proven(bytes: &[u8], proof: &EntryProof) -> ProvenEntry {
    let read = CoseReceipt::from_bytes(bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes, "kept as it came");
    assert!(read.verify(&key().verifier_key(), &Digest::ZERO).is_err());
    let proven = read.verify(&key().verifier_key(), &digest(proof)).unwrap();
    assert_eq!(*proven.root(), proof.checkpoint().checkpoint().root);
    assert_eq!(proven.index(), proof.index());
    proven
}

#[test]
fn a_receipt_without_key_id_and_claims_says_who_signed_and_no_more() {
    let (_, proof) = receipt(20, 13);
    let bytes = detached(&proof, headers(Registered::EdDSA).build(), unprotected(vec![inclusion(&proof)]));
    let proven = proven(&bytes, &proof);
    assert!(!proven.states_origin() && !proven.states_size());
    let (ours, _) = receipt(20, 13);
    let ours = ours.verify(&key().verifier_key(), &digest(&proof)).unwrap();
    assert!(ours.states_origin() && ours.states_size());
}

#[test]
fn a_receipt_with_a_long_key_id_an_issuer_and_unknown_headers_is_read() {
    let (_, proof) = receipt(20, 13);
    let claims = Value::Map(vec![
        (Value::from(6), Value::from(1_700_000_000)),
        (Value::from(2), Value::from("pkg:some/thing@1")),
        (Value::from(1), Value::from(ORIGIN)),
    ]);
    let protected = headers(Registered::EdDSA)
        .key_id(vec![9; 32])
        .value(15, claims)
        .text_value("x-vendor".to_owned(), Value::Array(vec![Value::Bool(true), Value::Float(1.5)]))
        .build();
    let mut beside = unprotected(vec![inclusion(&proof)]);
    beside.rest.push((Label::Text("note".to_owned()), Value::from("kept")));
    let proven = proven(&detached(&proof, protected, beside), &proof);
    assert!(proven.states_origin() && !proven.states_size(), "their subject is no size");
}

/// RFC 9864: -19 is Ed25519 and no other curve.
#[test]
fn the_newer_number_of_ed25519_and_headers_in_another_order_are_read() {
    let (_, proof) = receipt(20, 13);
    // {395: 1, 1: -19}, the number 395 in four bytes and the map without a length.
    let protected = [0xbf, 0x1a, 0, 0, 0x01, 0x8b, 0x18, 1, 0x01, 0x38, 18, 0xff];
    proven(&with_protected(&proof, &protected), &proof);
}

#[test]
fn the_proof_that_holds_is_found_among_several() {
    let (_, proof) = receipt(20, 13);
    let (_, other) = receipt(20, 4);
    let proofs = vec![inclusion(&other), inclusion(&proof)];
    let bytes = detached(&proof, headers(Registered::EdDSA).build(), unprotected(proofs));
    proven(&bytes, &proof);
    proven(&bytes, &other);
}

#[test]
fn an_attached_root_and_a_receipt_without_its_tag_are_read() {
    let (_, proof) = receipt(20, 13);
    let root = proof.checkpoint().checkpoint().root;
    let builder = CoseSign1Builder::new()
        .protected(headers(Registered::EdDSA).build())
        .unprotected(unprotected(vec![inclusion(&proof)]));
    let attached = builder.payload(root.to_vec()).create_signature(b"", sign).build();
    proven(&attached.clone().to_tagged_vec().unwrap(), &proof);
    proven(&attached.clone().to_vec().unwrap(), &proof);
    let other = CoseSign1 { payload: Some(vec![3; 32]), ..attached };
    let other = CoseReceipt::from_bytes(&other.to_vec().unwrap()).unwrap();
    assert!(other.verify(&key().verifier_key(), &digest(&proof)).is_err());
}

/// The whole receipt in pieces of unknown length.
#[test]
fn strings_and_arrays_of_unknown_length_are_read() {
    let (_, proof) = receipt(2, 1);
    let protected = [0xa2, 1, 0x27, 0x19, 0x01, 0x8b, 1];
    let root = proof.checkpoint().checkpoint().root;
    let tbs = [&[0x84, 0x6a][..], b"Signature1", &[0x47], &protected, &[0x40, 0x58, 32], &root].concat();
    let inner =
        [&[0x9f, 0x18, 2, 0x19, 0, 1, 0x9f, 0x58, 32][..], &proof.hashes()[0], &[0xff, 0xff]].concat();
    let bytes = [
        &[0xd8, 18, 0x9f, 0x5f, 0x43][..],
        &protected[..3],
        &[0x44],
        &protected[3..],
        &[0xff, 0xbf, 0x19, 0x01, 0x8c, 0xbf, 0x38, 0, 0x9f, 0x58, inner.len() as u8],
        &inner,
        &[0xff, 0xff, 0xff, 0xf6, 0x59, 0, 64],
        &sign(&tbs),
        &[0xff],
    ]
    .concat();
    proven(&bytes, &proof);
    for at in 0..bytes.len() {
        let believed = CoseReceipt::from_bytes(&bytes[..at]);
        assert!(believed.is_err(), "cut at {at}");
    }
}

#[test]
fn what_is_not_read_is_refused_with_what_was_expected() {
    let (_, proof) = receipt(20, 13);
    let refused = |bytes: &[u8], why: &str| {
        let error = CoseReceipt::from_bytes(bytes).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    };
    let usual = || unprotected(vec![inclusion(&proof)]);
    let es256 = detached(&proof, headers(Registered::ES256).build(), usual());
    refused(&es256, "ES256 (-7) is not, but Ed25519 (-8, -19) and ML-DSA-44 (-48) are");
    refused(
        &detached(&proof, headers(Registered::ES384).build(), usual()),
        "Ed25519 (-8, -19) or ML-DSA-44 (-48)",
    );
    let none = HeaderBuilder::new().value(395, Value::from(1)).build();
    refused(&detached(&proof, none, usual()), "an algorithm in the protected headers");
    for kind in [Value::from(2), Value::from("RFC9162_SHA256")] {
        let other = HeaderBuilder::new().algorithm(Registered::EdDSA).value(395, kind).build();
        refused(&detached(&proof, other, usual()), "header 395 to be 1");
    }
    refused(
        &detached(&proof, headers(Registered::EdDSA).build(), unprotected(vec![])),
        "at least one inclusion proof",
    );
    refused(
        &detached(&proof, headers(Registered::EdDSA).build(), Header::default()),
        "at least one inclusion proof",
    );
    let critical = headers(Registered::EdDSA).add_critical(iana::HeaderParameter::X5Chain).build();
    refused(&detached(&proof, critical, usual()), "no critical header that is not known");
    let critical = headers(Registered::EdDSA).add_critical(iana::HeaderParameter::Alg).build();
    proven(&detached(&proof, critical, usual()), &proof);
    let good = detached(&proof, headers(Registered::EdDSA).build(), usual());
    refused(&[&good[..], &[0]].concat(), "the end, but more bytes follow");
    refused(&[&[0xd1][..], &good[1..]].concat(), "COSE_Sign1");
    // One label twice: {1: -8, 395: 1, 1: -8}.
    let twice = [0xa3, 1, 0x27, 0x19, 0x01, 0x8b, 1, 1, 0x27];
    let split = good.windows(2).position(|pair| pair == [0x84, 0x47]).unwrap();
    let bent = [&good[..split + 1], &[0x49], &twice, &good[split + 9..]].concat();
    refused(&bent, "each label occurs once");
}

#[test]
fn a_foreign_receipt_of_another_log_or_key_is_refused() {
    let (_, proof) = receipt(20, 13);
    let claims = Value::Map(vec![(Value::from(1), Value::from("elsewhere.example/log"))]);
    let protected = headers(Registered::EdDSA).value(15, claims).build();
    let bytes = detached(&proof, protected, unprotected(vec![inclusion(&proof)]));
    let error = CoseReceipt::from_bytes(&bytes).unwrap().verify(&key().verifier_key(), &digest(&proof));
    assert!(matches!(error, Err(EntryProofError::Checkpoint(CheckpointError::Origin { .. }))));
    let bytes = detached(&proof, headers(Registered::EdDSA).build(), unprotected(vec![inclusion(&proof)]));
    let read = CoseReceipt::from_bytes(&bytes).unwrap();
    for algorithm in [Algorithm::Ed25519, Algorithm::MlDsa44] {
        let stranger = SigningKey::with_algorithm(algorithm, ORIGIN, &[8; 32]).unwrap();
        let error = read.verify(&stranger.verifier_key(), &digest(&proof)).unwrap_err();
        assert!(matches!(error, EntryProofError::Signature { .. }), "{error}");
    }
}

#[test]
fn an_ml_dsa_log_signs_receipts_with_its_own_algorithm() {
    let (_, proof) = receipt(20, 13);
    let key = SigningKey::with_algorithm(Algorithm::MlDsa44, ORIGIN, &[7; 32]).unwrap();
    let signed = tlog::checkpoint::SignedCheckpoint::sign(proof.checkpoint().checkpoint(), &key).unwrap();
    let (store, _) = log(20);
    let entry = store.read(13, 1).unwrap().remove(0);
    let proof = EntryProof::make(&StoreNodes(&store), &signed, 13, entry).unwrap();
    let receipt = CoseReceipt::sign(&proof, &key).unwrap();
    let read = CoseReceipt::from_bytes(&receipt.to_bytes()).unwrap();
    assert_eq!(read, receipt);
    assert!(read.verify(&key.verifier_key(), &digest(&proof)).unwrap().states_size());
    let coset = CoseSign1::from_tagged_slice(&receipt.to_bytes()).unwrap();
    assert_eq!(coset.signature.len(), 2_420);
    assert_eq!(
        coset.protected.header.alg,
        Some(coset::RegisteredLabelWithPrivate::Assigned(coset::iana::Algorithm::ML_DSA_44))
    );
}
