//! Keys, notes and checkpoints: strict forms, other people's signatures, and another reader.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::checkpoint::{Checkpoint, CheckpointError, SignedCheckpoint};
use crate::tree::empty_root;

const ORIGIN: &str = "casino.example/sala/1";

fn key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

fn signed() -> SignedCheckpoint {
    SignedCheckpoint::sign(&Checkpoint { origin: ORIGIN.to_owned(), size: 20_852, root: [5; 32] }, &key())
        .unwrap()
}

/// The example key of Go's note package and of the C2SP text, and the note it opens.
#[test]
fn the_published_example_opens() {
    let key: VerifierKey =
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW".parse().unwrap();
    let note = "If you think cryptography is the answer to your problem,\n\
        then you don't know what your problem is.\n\n\
        \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
    Note::parse(note).unwrap().verify(&key).unwrap();
    let bent = note.replace("answer", "Answer");
    assert!(matches!(Note::parse(&bent).unwrap().verify(&key), Err(NoteError::BadSignature(_))));
}

#[test]
fn every_bent_byte_of_a_checkpoint_is_noticed() {
    let text = signed().text().to_owned();
    let verifier = key().verifier_key();
    signed().verify(&verifier).unwrap();
    for at in 0..text.len() {
        for bit in [1, 2, 32] {
            let mut bent = text.clone().into_bytes();
            bent[at] ^= bit;
            let believed = String::from_utf8(bent).is_ok_and(|bent| {
                SignedCheckpoint::parse(&bent).is_ok_and(|bent| bent.verify(&verifier).is_ok())
            });
            assert!(!believed, "byte {at}, bit {bit}");
        }
        assert!(text.get(..at).is_none_or(|cut| SignedCheckpoint::parse(cut).is_err()), "{at}");
    }
}

#[test]
fn cosignatures_are_kept_and_not_judged() {
    let line = "\u{2014} witness.example/w1 AAAAAAECAwQ=\n";
    let text = format!("{}{line}", signed().text());
    let read = SignedCheckpoint::parse(&text).unwrap();
    read.verify(&key().verifier_key()).unwrap();
    assert_eq!(read.text(), text);
    assert_eq!(read.signatures().len(), 2);
    assert_eq!(read.signatures()[1].name, "witness.example/w1");
}

#[test]
fn another_key_is_told_from_a_bad_signature() {
    let other = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    let error = signed().verify(&other.verifier_key()).unwrap_err();
    assert!(matches!(error, CheckpointError::Note(NoteError::NotSigned(_))));
    let stranger = SigningKey::from_seed("casino.example/sala/2", &[7; 32]).unwrap();
    assert!(matches!(signed().verify(&stranger.verifier_key()), Err(CheckpointError::Origin { .. })));
    assert!(SignedCheckpoint::sign(signed().checkpoint(), &stranger).is_err());
}

#[test]
fn a_second_own_signature_must_hold_as_well() {
    let text = signed().text().to_owned();
    let other = SignedCheckpoint::sign(
        &Checkpoint { origin: ORIGIN.to_owned(), size: 1, root: empty_root() },
        &key(),
    );
    let line = other.unwrap().text().lines().last().unwrap().to_owned();
    let both = SignedCheckpoint::parse(&format!("{text}{line}\n")).unwrap();
    assert!(matches!(
        both.verify(&key().verifier_key()),
        Err(CheckpointError::Note(NoteError::BadSignature(_)))
    ));
}

#[test]
fn bodies_are_read_strictly() {
    let root = Checkpoint { origin: String::new(), size: 0, root: [5; 32] }.root_text();
    let read = |body: String| SignedCheckpoint::parse(&key().sign(&body));
    assert!(read(format!("{ORIGIN}\n0\n{root}\n")).is_ok());
    assert!(read(format!("{ORIGIN}\n{}\n{root}\n", u64::MAX)).is_ok());
    for size in ["", "01", "00", "+1", "-1", " 1", "1 ", "18446744073709551616", "1x"] {
        assert!(read(format!("{ORIGIN}\n{size}\n{root}\n")).is_err(), "{size:?}");
    }
    for root in ["", &root[1..], &root[..43], "BQUFBQ==", &root.replace('=', "")] {
        assert!(read(format!("{ORIGIN}\n1\n{root}\n")).is_err(), "{root:?}");
    }
    assert!(read(format!("\n1\n{root}\n")).is_err());
    assert!(read(format!("{ORIGIN}\n1\n{root}\nextension\n")).is_ok());
    assert!(read(format!("{ORIGIN}\n1\n{root}\n\nextension\n")).is_err());
    assert!(read(format!("{ORIGIN}\n1\n")).is_err());
}

#[test]
fn notes_are_bounded() {
    let text = signed().text().to_owned();
    let line = "\u{2014} w AAAAAAECAwQ=\n";
    assert!(SignedCheckpoint::parse(&format!("{text}{}", line.repeat(99))).is_ok());
    assert!(SignedCheckpoint::parse(&format!("{text}{}", line.repeat(100))).is_err());
    assert!(Note::parse(&"x".repeat(MAX_NOTE_BYTES + 1)).is_err());
    assert!(SignedCheckpoint::parse(&text.replace('\n', "\r\n")).is_err());
}

/// Cloudflare's implementation of signed notes reads our keys and believes our signature.
#[test]
fn another_implementation_believes_our_note() {
    use signed_note::{StandardVerifier, VerifierList};
    let verifier = StandardVerifier::new(&key().verifier_key().to_string()).unwrap();
    let note = signed_note::Note::from_bytes(signed().text().as_bytes()).unwrap();
    let (believed, unknown) = note.verify(&VerifierList::new(vec![Box::new(verifier)])).unwrap();
    assert_eq!((believed.len(), unknown.len()), (1, 0));
}

/// And we believe a note it signs with our key.
#[test]
fn we_believe_another_implementations_note() {
    let signer = signed_note::StandardSigner::new(&key().to_secret_text()).unwrap();
    let mut note = signed_note::Note::new(signed().checkpoint().to_string().as_bytes(), &[]).unwrap();
    note.add_sigs(&[&signer]).unwrap();
    let text = String::from_utf8(note.to_bytes()).unwrap();
    assert_eq!(text, signed().text());
}
