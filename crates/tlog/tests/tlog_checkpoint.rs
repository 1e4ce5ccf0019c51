//! C2SP tlog-checkpoint, line by line: what a reader or a log must do is one test each.
#![allow(clippy::unwrap_used)]

use tlog::checkpoint::{Checkpoint, CheckpointError, SignedCheckpoint};
use tlog::key::Algorithm;
use tlog::note::{NoteError, SigningKey};
use tlog::tree::empty_root;

use crate::logs::{ALGORITHMS, ORIGIN, ROOT, key, key_of, signed, with_lines};

fn read(body: &str) -> Result<SignedCheckpoint, CheckpointError> {
    SignedCheckpoint::parse(&key().sign(body))
}

/// The specification's own checkpoint.
#[test]
fn the_example_of_the_specification_is_read() {
    let text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\
        \u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";
    let read = SignedCheckpoint::parse(text).unwrap();
    let Checkpoint { origin, size, .. } = read.checkpoint();
    assert_eq!((origin.as_str(), *size), ("example.com/behind-the-sofa", 20_852_163));
    assert_eq!(read.checkpoint().to_string(), read.body());
    assert_eq!(read.text(), text);
}

/// "The note text is a sequence of at least three non-empty lines, separated by newlines (U+000A)."
#[test]
fn the_text_has_at_least_three_lines() {
    assert!(read(&format!("{ORIGIN}\n1\n{ROOT}\n")).is_ok());
    assert!(read(&format!("{ORIGIN}\n1\n")).is_err());
    assert!(read(&format!("{ORIGIN}\n\n{ROOT}\n")).is_err());
    assert!(SignedCheckpoint::parse(&signed().text().replace('\n', "\r\n")).is_err());
}

/// "The origin MUST be non-empty", and "clients MUST NOT assume that the origin is following this format".
#[test]
fn an_origin_is_not_empty_and_otherwise_free() {
    assert!(read(&format!("\n1\n{ROOT}\n")).is_err());
    for origin in ["Example Log, Ltd. + partners", "https://log.example/", "журнал", &"o".repeat(300)] {
        let read = read(&format!("{origin}\n1\n{ROOT}\n")).unwrap();
        assert_eq!(read.checkpoint().origin, origin);
    }
}

/// "The second line is the tree size, the ASCII decimal representation of the number of leaves in the tree, with no
/// leading zeroes (unless the tree is empty, in which case the tree size is `0`)."
#[test]
fn a_size_has_one_spelling() {
    for size in [0, 7, u64::MAX] {
        assert_eq!(read(&format!("{ORIGIN}\n{size}\n{ROOT}\n")).unwrap().checkpoint().size, size);
    }
    for size in ["", "01", "00", "+1", "-1", " 1", "1 ", "18446744073709551616", "1x", "\u{0661}"] {
        assert!(read(&format!("{ORIGIN}\n{size}\n{ROOT}\n")).is_err(), "{size:?}");
    }
}

/// "The third line is the root hash, the base64 encoding of the root of the RFC 6962 Merkle hash tree".
#[test]
fn a_root_is_32_bytes_in_base64() {
    for root in ["", &ROOT[1..], &ROOT[..43], "BQUFBQ==", &ROOT.replace('=', ""), &ROOT.replace("QU=", "QV=")]
    {
        assert!(read(&format!("{ORIGIN}\n1\n{root}\n")).is_err(), "{root:?}");
    }
}

/// "Any following lines are extension lines, opaque and OPTIONAL. Extension lines, if any, MUST be non-empty."
#[test]
fn extension_lines_are_kept_and_not_empty() {
    let body = format!("{ORIGIN}\n1\n{ROOT}\none\ntwo words\n");
    let extended = read(&body).unwrap();
    extended.verify(&key().verifier_key()).unwrap();
    assert_eq!((extended.body(), extended.checkpoint().size), (body.as_str(), 1));
    assert!(extended.text() != read(&format!("{ORIGIN}\n1\n{ROOT}\n")).unwrap().text());
    assert!(read(&format!("{ORIGIN}\n1\n{ROOT}\n\ntwo\n")).is_err());
    assert!(read(&format!("{ORIGIN}\n1\n{ROOT}\none\n\n")).is_err());
}

/// "The log's key name in its signature line SHOULD match the origin line": ours does, and no other is believed.
#[test]
fn a_log_signs_under_its_origin() {
    for algorithm in ALGORITHMS {
        let stranger = SigningKey::with_algorithm(algorithm, "log.example/records/2", &[7; 32]).unwrap();
        assert!(matches!(signed().verify(&stranger.verifier_key()), Err(CheckpointError::Origin { .. })));
        assert!(SignedCheckpoint::sign(signed().checkpoint(), &stranger).is_err());
        assert!(signed().also_signed_by(&stranger).is_err());
    }
}

/// "Logs SHOULD use ML-DSA-44 cosignatures to sign the checkpoint, but MAY use any note signature algorithm".
#[test]
fn a_log_signs_with_either_algorithm() {
    for (algorithm, bytes) in [(Algorithm::Ed25519, 64), (Algorithm::MlDsa44, 8 + 2_420)] {
        let key = key_of(algorithm);
        let signed = SignedCheckpoint::sign(signed().checkpoint(), &key).unwrap();
        signed.verify(&key.verifier_key()).unwrap();
        assert_eq!(signed.signatures()[0].signature.len(), bytes);
        assert_eq!(SignedCheckpoint::sign(signed.checkpoint(), &key).unwrap(), signed, "no randomness");
        let other = SigningKey::with_algorithm(algorithm, ORIGIN, &[8; 32]).unwrap();
        let error = signed.verify(&other.verifier_key()).unwrap_err();
        assert!(matches!(error, CheckpointError::Note(NoteError::NotSigned(_))));
    }
}

/// "Note that the ML-DSA-44 cosignature format doesn't sign the extension lines, which SHOULD be empty": ours has none.
#[test]
fn a_checkpoint_of_ours_has_no_extension_lines() {
    for algorithm in ALGORITHMS {
        let signed = SignedCheckpoint::sign(signed().checkpoint(), &key_of(algorithm)).unwrap();
        assert_eq!(signed.body(), format!("{ORIGIN}\n20852\n{ROOT}\n"));
    }
}

/// "Clients MUST ignore unknown signatures. This enables, for example, log key rotation, and witness cosigning."
#[test]
fn unknown_signatures_are_kept_and_ignored() {
    let line = "\u{2014} witness.example/w1 AAAAAAECAwQ=\n";
    let read = with_lines(signed().text(), line);
    read.verify(&key().verifier_key()).unwrap();
    assert_eq!(read.text(), format!("{}{line}", signed().text()));
    assert_eq!(read.signatures()[1].name, "witness.example/w1");
}

/// A checkpoint that two keys of its log signed is believed by whoever knows one of them.
#[test]
fn a_rotation_is_believed_with_either_key() {
    for (first, second) in [(ALGORITHMS[0], ALGORITHMS[1]), (ALGORITHMS[1], ALGORITHMS[1])] {
        let old = SigningKey::with_algorithm(first, ORIGIN, &[1; 32]).unwrap();
        let new = SigningKey::with_algorithm(second, ORIGIN, &[2; 32]).unwrap();
        let both = SignedCheckpoint::sign(signed().checkpoint(), &new).unwrap().also_signed_by(&old).unwrap();
        both.verify(&old.verifier_key()).unwrap();
        both.verify(&new.verifier_key()).unwrap();
        assert_eq!(both.signatures()[0].id, new.verifier_key().id());
        assert_eq!(both.also_signed_by(&old).unwrap(), both, "a line of the same key is replaced");
    }
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
