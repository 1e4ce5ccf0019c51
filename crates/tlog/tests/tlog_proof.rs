//! C2SP tlog-proof, line by line: what a reader or a maker of proofs must do is one test each.
#![allow(clippy::unwrap_used)]

use tlog::checkpoint::{CheckpointError, SignedCheckpoint};
use tlog::inclusion::{InclusionError, InclusionProof};
use tlog::note::SigningKey;
use tlog::proof::{MakeProofError, ProofError};
use tlog::tree::leaf_hash;

use crate::logs::{self, ALGORITHMS, ORIGIN, key, key_of, log};

/// A proof of entry 5 of 9 as text: three lines, four hashes, an empty line, the checkpoint.
fn text() -> String {
    let (leaves, checkpoint) = log(9);
    InclusionProof::make(leaves.as_slice(), &checkpoint, 5, &leaves[5]).unwrap().to_string()
}

fn is_read(text: &str) -> bool {
    text.parse::<InclusionProof>().is_ok()
}

/// "The first line MUST be the string `c2sp.org/tlog-proof@v1`."
#[test]
fn the_first_line_names_the_format() {
    assert!(text().starts_with("c2sp.org/tlog-proof@v1\n") && is_read(&text()));
    for other in ["c2sp.org/tlog-proof@v2", "C2SP.org/tlog-proof@v1", " c2sp.org/tlog-proof@v1", ""] {
        assert!(!is_read(&text().replace("c2sp.org/tlog-proof@v1", other)), "{other}");
    }
}

/// "The second line MAY start with the string `extra` followed by a space (U+0020) and base64-encoded opaque extra data.
/// If no extra data is present, this line is omitted." "Applications MUST NOT implicitly trust the extra data".
#[test]
fn extra_data_is_optional_and_not_authenticated() {
    let (leaves, checkpoint) = log(9);
    let proof = InclusionProof::make(leaves.as_slice(), &checkpoint, 5, &leaves[5]).unwrap();
    assert_eq!((proof.extra(), proof.to_string().contains("extra")), (None, false));
    let with = proof.with_extra(Some(b"anything".to_vec()));
    assert_eq!(with.to_string().lines().nth(1), Some("extra YW55dGhpbmc="));
    let other: InclusionProof = with.to_string().replace("YW55dGhpbmc=", "bm90aGluZw==").parse().unwrap();
    assert_eq!(
        (other.extra(), other.verify(&key().verifier_key(), &leaves[5])),
        (Some(&b"nothing"[..]), Ok(()))
    );
    for bent in ["extra", "extra YW5", "extra  YW55", "extra YW55 ", "Extra YW55"] {
        assert!(!is_read(&with.to_string().replace("extra YW55dGhpbmc=", bent)), "{bent}");
    }
}

/// "The next line MUST start with the string `index` followed by a space (U+0020) and the zero-based index of the entry
/// in the log, represented as an ASCII decimal with no leading zeroes (unless the index is `0`)."
#[test]
fn the_index_has_one_spelling() {
    assert_eq!(text().lines().nth(1), Some("index 5"));
    for bent in ["index 05", "index  5", "index +5", "index 5 ", "index", "index x", "Index 5", "5"] {
        assert!(!is_read(&text().replace("index 5", bent)), "{bent}");
    }
    let (leaves, checkpoint) = log(9);
    let first = InclusionProof::make(leaves.as_slice(), &checkpoint, 0, &leaves[0]).unwrap();
    assert!(is_read(&first.to_string()) && first.to_string().contains("\nindex 0\n"));
}

/// "The next zero or more non-empty lines are the base64-encoded Merkle inclusion proof ..., one SHA-256 hash per line,
/// starting from the leaf's sibling hash up to the root's child hash."
#[test]
fn the_hashes_are_one_a_line_the_siblings_first() {
    let (leaves, checkpoint) = log(9);
    let read: InclusionProof = text().parse().unwrap();
    assert_eq!((read.hashes().len(), read.hashes()[0]), (4, leaves[4]));
    let hash = text().lines().nth(2).unwrap().to_owned();
    for bent in [hash[1..].to_owned(), format!("{hash} "), "AAAA".to_owned(), hash.replace('=', "")] {
        assert!(!is_read(&text().replace(&hash, &bent)), "{bent}");
    }
    let turned: Vec<String> = text().lines().map(str::to_owned).collect();
    let mut lines = turned.clone();
    lines.swap(2, 3);
    let swapped: InclusionProof = (lines.join("\n") + "\n").parse().unwrap();
    assert!(swapped.verify(&key().verifier_key(), &leaves[5]).is_err());
    assert_eq!(*read.checkpoint(), checkpoint);
}

/// "zero or more": a log of one entry needs no hash.
#[test]
fn a_proof_may_have_no_hashes() {
    let (leaves, checkpoint) = log(1);
    let proof = InclusionProof::make(leaves.as_slice(), &checkpoint, 0, &leaves[0]).unwrap();
    let read: InclusionProof = proof.to_string().parse().unwrap();
    assert!(read.hashes().is_empty());
    read.verify(&key().verifier_key(), &leaves[0]).unwrap();
}

/// "After the inclusion proof lines and an empty line, the checkpoint issued by the log is included verbatim".
#[test]
fn the_checkpoint_is_verbatim_with_its_cosignatures() {
    let (leaves, checkpoint) = log(9);
    let witness = logs::witness("witness.example/w", 1);
    let cosigned = checkpoint.with_cosignature(&witness.cosign(&checkpoint, 5).unwrap()).unwrap();
    let proof = InclusionProof::make(leaves.as_slice(), &cosigned, 5, &leaves[5]).unwrap();
    assert!(proof.to_string().ends_with(&format!("=\n\n{}", cosigned.text())));
    let read: InclusionProof = proof.to_string().parse().unwrap();
    assert_eq!(read.checkpoint().text(), cosigned.text());
    assert_eq!(witness.verifier_key().verify(read.checkpoint()).unwrap().time(), 5);
    assert!(!is_read(&text().replacen("\n\n", "\n", 1)));
}

/// "Check that the checkpoint origin line is acceptable, and that the checkpoint is signed by a log public key
/// configured for that origin line."
#[test]
fn the_checkpoint_is_signed_by_the_log_of_its_origin() {
    let (leaves, checkpoint) = log(9);
    for algorithm in ALGORITHMS {
        let own = key_of(algorithm);
        let checkpoint = SignedCheckpoint::sign(checkpoint.checkpoint(), &own).unwrap();
        let proof = InclusionProof::make(leaves.as_slice(), &checkpoint, 5, &leaves[5]).unwrap();
        proof.verify(&own.verifier_key(), &leaves[5]).unwrap();
        let stranger = SigningKey::with_algorithm(algorithm, ORIGIN, &[8; 32]).unwrap().verifier_key();
        assert!(matches!(
            proof.verify(&stranger, &leaves[5]),
            Err(InclusionError::Checkpoint(CheckpointError::Note(_)))
        ));
        let other =
            SigningKey::with_algorithm(algorithm, "elsewhere.example", &[7; 32]).unwrap().verifier_key();
        assert!(matches!(
            proof.verify(&other, &leaves[5]),
            Err(InclusionError::Checkpoint(CheckpointError::Origin { .. }))
        ));
    }
}

/// "Check that the inclusion proof is valid, to bind the leaf hash computed in step 1 to the the root hash of the signed
/// checkpoint."
#[test]
fn another_leaf_or_index_is_not_proven() {
    let read: InclusionProof = text().parse().unwrap();
    assert!(read.verify(&key().verifier_key(), &leaf_hash(b"entry 5")).is_ok());
    assert!(read.verify(&key().verifier_key(), &leaf_hash(b"entry 6")).is_err());
    for index in ["index 4", "index 6", "index 9", "index 18446744073709551615"] {
        let moved: InclusionProof = text().replace("index 5", index).parse().unwrap();
        assert!(moved.verify(&key().verifier_key(), &leaf_hash(b"entry 5")).is_err(), "{index}");
    }
}

#[test]
fn every_entry_is_proven_and_survives_its_text() {
    let (leaves, checkpoint) = log(300);
    for (leaf, index) in leaves.iter().zip(0..) {
        let proof = InclusionProof::make(leaves.as_slice(), &checkpoint, index, leaf).unwrap();
        let proof = proof.with_extra((index % 2 == 1).then(|| vec![7; index as usize]));
        let read: InclusionProof = proof.to_string().parse().unwrap();
        assert_eq!(read, proof);
        assert_eq!(read.verify(&key().verifier_key(), leaf), Ok(()));
        let other = &leaves[(index as usize + 1) % 300];
        assert!(matches!(
            read.verify(&key().verifier_key(), other),
            Err(InclusionError::Proof { why: ProofError::Root, .. })
        ));
    }
    let wrong = InclusionProof::make(leaves.as_slice(), &checkpoint, 3, &leaves[4]);
    assert_eq!(wrong, Err(MakeProofError::NoSuchProof(ProofError::Root)));
}

#[test]
fn every_bent_byte_is_noticed_but_those_of_the_extra_line() {
    let (leaves, checkpoint) = log(40);
    let text = InclusionProof::make(leaves.as_slice(), &checkpoint, 11, &leaves[11]).unwrap().to_string();
    for at in 0..text.len() {
        for bit in [1, 2, 0x20, 0x80] {
            let mut bent = text.clone().into_bytes();
            bent[at] ^= bit;
            let bent = String::from_utf8(bent).ok().and_then(|bent| bent.parse::<InclusionProof>().ok());
            let believed = bent.is_some_and(|bent| bent.verify(&key().verifier_key(), &leaves[11]).is_ok());
            assert!(!believed, "byte {at}, bit {bit}");
        }
    }
}
