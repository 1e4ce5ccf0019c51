//! Proofs handed out: they survive their text, prove exactly one entry, and every altered byte is noticed.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::fixture::{Bent, ORIGIN, key, log, signed_at};
use crate::store::{StoreNodes, StoreReader};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tlog::note::SigningKey;
use tlog::tree::root_of;

fn proof(size: u64, index: u64) -> EntryProof {
    let (store, signed) = log(size);
    let entry = store.read(index, 1).unwrap().remove(0);
    EntryProof::make(&StoreNodes(&store), &signed, index, entry).unwrap()
}

fn digest(proof: &EntryProof) -> Digest {
    Digest::of(proof.entry().unwrap())
}

#[test]
fn a_proof_of_every_entry_is_believed_and_survives_its_text() {
    for size in [1, 2, 3, 255, 256, 257, 700] {
        let (store, signed) = log(size);
        for index in (0..size).step_by(1 + size as usize / 40) {
            let entry = store.read(index, 1).unwrap().remove(0);
            let proof = EntryProof::make(&StoreNodes(&store), &signed, index, entry).unwrap();
            assert_eq!(proof.to_string().parse::<EntryProof>().unwrap(), proof);
            let proven = proof.verify(&key().verifier_key(), &digest(&proof)).unwrap();
            assert_eq!((proven.origin(), proven.size(), proven.index()), (ORIGIN, size, index));
            assert_eq!(*proven.root(), root_of(&store.leaf_hashes(0, size as usize).unwrap()));
            let bare = proof.clone().without_entry();
            assert!(bare.entry().is_none() && !bare.to_string().contains("extra"));
            assert_eq!(bare.verify(&key().verifier_key(), &digest(&proof)), Ok(proven));
        }
    }
}

#[test]
fn a_proof_may_lead_to_an_older_checkpoint() {
    let (store, _) = log(300);
    let signed = signed_at(&store, 123);
    let entry = store.read(100, 1).unwrap().remove(0);
    let proof = EntryProof::make(&StoreNodes(&store), &signed, 100, entry.clone()).unwrap();
    assert_eq!(proof.verify(&key().verifier_key(), &Digest::of(&entry)).unwrap().size(), 123);
    let late = EntryProof::make(&StoreNodes(&store), &signed, 123, entry);
    assert!(matches!(late, Err(MakeProofError::NoSuchProof(ProofError::Index { index: 123, size: 123 }))));
}

#[test]
fn every_bent_byte_is_noticed() {
    let proof = proof(20, 13);
    let (text, verifier) = (proof.to_string(), key().verifier_key());
    for at in 0..text.len() {
        for bit in [1, 2, 0x20, 0x80] {
            let mut bent = text.clone().into_bytes();
            bent[at] ^= bit;
            let Ok(bent) = String::from_utf8(bent) else { continue };
            let believed = bent.parse::<EntryProof>().ok().and_then(|bent| {
                // An extra line with another name is no extra line; then nothing names the entry.
                let digest = bent.entry().map(Digest::of)?;
                bent.verify(&verifier, &digest).ok()
            });
            assert_eq!(believed, None, "byte {at}, bit {bit}: {bent}");
        }
        assert!(text.get(..at).is_none_or(|cut| cut.parse::<EntryProof>().is_err()), "cut at {at}");
    }
}

#[test]
fn another_entry_key_or_place_is_refused_by_name() {
    let proof = proof(20, 13);
    let verifier = key().verifier_key();
    let other = proof.verify(&verifier, &Digest::ZERO).unwrap_err();
    assert!(matches!(other, EntryProofError::Inclusion { index: 13, size: 20, why: ProofError::Root, .. }));
    let moved = proof
        .to_string()
        .replace("index 13\n", "index 12\n")
        .parse::<EntryProof>()
        .unwrap()
        .verify(&verifier, &digest(&proof))
        .unwrap_err();
    assert!(matches!(moved, EntryProofError::Inclusion { index: 12, .. }));
    let stranger = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap().verifier_key();
    let unsigned = proof.verify(&stranger, &digest(&proof)).unwrap_err().to_string();
    assert!(unsigned.contains("there is no signature by"), "{unsigned}");
    let elsewhere = SigningKey::from_seed("elsewhere.example/log", &[7; 32]).unwrap().verifier_key();
    let foreign = proof.verify(&elsewhere, &digest(&proof)).unwrap_err().to_string();
    assert!(foreign.contains("elsewhere.example/log"), "{foreign}");
}

#[test]
fn other_forms_are_refused_with_their_line() {
    let text = proof(20, 13).to_string();
    let wrong = |text: String| match text.parse::<EntryProof>() {
        Err(EntryProofError::Form { line, .. }) => line,
        other => panic!("{text} {other:?}"),
    };
    assert_eq!(wrong(text.replace("@v1", "@v2")), 1);
    assert_eq!(wrong(text.replace("extra ", "extra  ")), 2);
    assert_eq!(wrong(text.replace("index 13", "index 013")), 3);
    assert_eq!(wrong(text.replace("index 13", "index +13")), 3);
    assert_eq!(wrong(text.replace("index 13\n", "")), 3);
    assert_eq!(wrong(text.replace("index 13\n", "index 13\nAAAA\n")), 4);
    let hash = format!("{}\n", STANDARD.encode([1; 32]));
    assert_eq!(wrong(text.replace("index 13\n", &format!("index 13\n{}", hash.repeat(65)))), 69);
    assert_eq!(wrong("x".repeat(MAX_PROOF_BYTES + 1)), 0);
    assert_eq!(wrong(String::new()), 1);
}

#[test]
fn no_proof_is_made_of_what_was_not_signed() {
    let (store, signed) = log(300);
    let entry = store.read(7, 1).unwrap().remove(0);
    let altered = EntryProof::make(&StoreNodes(&store), &signed, 7, [&entry[..], b"!"].concat());
    assert!(matches!(altered, Err(MakeProofError::NoSuchProof(ProofError::Root))));
    let bent = Bent::of(&store).flip_leaf(6);
    let made = EntryProof::make(&StoreNodes(&bent), &signed, 7, entry);
    assert!(matches!(made, Err(MakeProofError::NoSuchProof(ProofError::Root))));
}

/// The example of the C2SP text, its elided base64 written out: its form is what we read.
#[test]
fn the_published_form_is_read() {
    let signature = STANDARD.encode([7; 68]);
    let text = format!(
        "c2sp.org/tlog-proof@v1\nextra YWdlLXYxLjIuMS1kYXJ3aW4tYXJtNjQudGFyLmd6\nindex 73894\n\
        gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=\nB95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=\n\n\
        example.com/fancylog\n109482\nsFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=\n\n\
        \u{2014} example.com/fancylog {signature}\n\u{2014} witness1.example {signature}\n"
    );
    let proof: EntryProof = text.parse().unwrap();
    assert_eq!((proof.index(), proof.hashes().len()), (73_894, 2));
    assert_eq!(proof.entry(), Some(b"age-v1.2.1-darwin-arm64.tar.gz".as_slice()));
    assert_eq!(proof.checkpoint().checkpoint().size, 109_482);
    assert_eq!(proof.checkpoint().signatures().len(), 2);
    assert_eq!(proof.to_string(), text);
}
