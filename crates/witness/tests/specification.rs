//! The statuses of `add-checkpoint`, each held against the sentence of C2SP tlog-witness that asks for it, over
//! real HTTP. The sentences are quoted from the section "HTTP Interface", "add-checkpoint".
#![allow(clippy::unwrap_used)]

use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;
use witness::{Limits, MemoryState, Witness};

use crate::histories::{History, ORIGIN, by_hand, log_key, vkey, witness_key, witness_vkey};
use crate::running::Running;

const TEXT: &str = "text/plain; charset=utf-8";

/// A witness that cosigned 10 entries of the honest history, which parts from the fork at 5.
fn cosigned_ten() -> (Running, History, History) {
    let running = Running::start(witness_key(), Limits::default());
    let (honest, fork) = (History::new(40, 40, 0), History::new(40, 5, 1));
    assert_eq!(running.post(&honest.request(0, 10)).0, 200);
    (running, honest, fork)
}

/// A checkpoint signed by each of these keys in turn.
fn signed_by(checkpoint: &Checkpoint, keys: &[&SigningKey]) -> SignedCheckpoint {
    let line = |key: &SigningKey| {
        let signed = SignedCheckpoint::sign(checkpoint, key).unwrap();
        signed.signatures()[0].to_string()
    };
    let lines: String = keys.iter().map(|key| line(key)).collect();
    SignedCheckpoint::parse(&format!("{checkpoint}\n{lines}")).unwrap()
}

/// The same note with a broken signature in its line `number`; the name and the id stay.
fn broken(signed: &SignedCheckpoint, number: usize) -> SignedCheckpoint {
    let line = signed.signatures()[number].to_string();
    let mut bent = signed.signatures()[number].clone();
    bent.signature[40] ^= 1;
    SignedCheckpoint::parse(&signed.text().replace(&line, &bent.to_string())).unwrap()
}

/// "If the checkpoint origin is unknown, the witness MUST respond with a "404 Not Found" HTTP status code."
#[test]
fn an_unknown_origin_is_404() {
    let (running, honest, _) = cosigned_ten();
    let key = SigningKey::from_seed("elsewhere.example/log", &[7; 32]).unwrap();
    let elsewhere = Checkpoint { origin: key.name().to_owned(), ..honest.checkpoint(3) };
    assert_eq!(running.post(&by_hand(0, &[], &signed_by(&elsewhere, &[&key]))).0, 404);
}

/// "The witness MUST respond with a "403 Forbidden" HTTP status code if either no signature from a trusted key
/// for the origin is present".
#[test]
fn a_checkpoint_without_a_trusted_signature_is_403() {
    let (running, honest, _) = cosigned_ten();
    let stranger = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    assert_eq!(running.post(&by_hand(0, &[], &signed_by(&honest.checkpoint(3), &[&stranger]))).0, 403);
}

/// "or a signature line's key name and ID match a trusted key but the signature itself fails to verify (such a
/// note is malformed per signed-note)". The order of keys and of lines makes no difference.
#[test]
fn one_broken_signature_of_a_trusted_key_is_403_whoever_else_signed() {
    let (honest, second) = (History::new(9, 9, 0), SigningKey::from_seed(ORIGIN, &[9; 32]).unwrap());
    let first = log_key();
    for trusted in [[vkey(), second.verifier_key()], [second.verifier_key(), vkey()]] {
        for lines in [[&first, &second], [&second, &first], [&first, &first]] {
            let note = signed_by(&honest.checkpoint(9), &lines);
            let status = |note: &SignedCheckpoint| {
                let watched = Witness::open(witness_key(), trusted.clone(), MemoryState::default()).unwrap();
                let answer = watched.add_checkpoint(by_hand(0, &[], note).as_bytes(), 1);
                answer.map_or_else(|refusal| refusal.status(), |_| 200)
            };
            assert_eq!(status(&note), 200);
            assert_eq!((status(&broken(&note, 0)), status(&broken(&note, 1))), (403, 403));
        }
    }
}

/// "it MUST ignore signatures from unknown keys", broken ones included.
#[test]
fn a_broken_signature_of_an_unknown_key_is_ignored() {
    let (running, honest, _) = cosigned_ten();
    let stranger = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    let note = broken(&signed_by(&honest.checkpoint(10), &[&log_key(), &stranger]), 1);
    assert_eq!(running.post(&by_hand(10, &[], &note)).0, 200);
}

/// "The old size MUST be equal to or lower than the checkpoint size. Otherwise, the witness MUST respond with a
/// "400 Bad Request" HTTP status code."
#[test]
fn an_old_size_above_the_checkpoint_s_is_400() {
    let (running, honest, _) = cosigned_ten();
    assert_eq!(running.post(&by_hand(10, &[], &honest.signed(9))).0, 400);
    assert_eq!(running.post(&by_hand(4, &[], &honest.signed(3))).0, 400, "whatever was cosigned");
}

/// "If it doesn't match, the witness MUST respond with a "409 Conflict" HTTP status code. The response body
/// MUST consist of the tree size of the latest cosigned checkpoint in decimal, followed by a newline (U+000A).
/// The response MUST have a `Content-Type` of `text/x.tlog.size`."
#[test]
fn an_old_size_that_is_not_the_newest_cosigned_is_409_with_that_size() {
    let (running, honest, fork) = cosigned_ten();
    let conflict = (409, "text/x.tlog.size".to_owned(), "10\n".to_owned());
    for request in [honest.request(0, 20), honest.request(9, 10), honest.request(20, 30), fork.request(5, 20)]
    {
        assert_eq!(running.post(&request), conflict);
    }
    // "(or zero if it never cosigned a checkpoint for that origin)"
    let fresh = Running::start(witness_key(), Limits::default());
    assert_eq!(fresh.post(&honest.request(3, 9)), (409, "text/x.tlog.size".to_owned(), "0\n".to_owned()));
}

/// "If a client doesn't have information on the latest cosigned checkpoint, it MAY initially make a request with
/// a old size of zero to obtain it."
#[test]
fn an_old_size_of_zero_asks_for_the_newest_size() {
    let (running, honest, _) = cosigned_ten();
    assert_eq!(running.post(&honest.request(0, 0)).2, "10\n");
}

/// "A checkpoint of size zero MUST have the root hash of the empty tree [...]. Otherwise, the witness MUST
/// respond with a "422 Unprocessable Entity" HTTP status code."
#[test]
fn an_empty_log_with_another_root_is_422() {
    let (running, honest) = (Running::start(witness_key(), Limits::default()), History::new(9, 9, 0));
    let false_root = Checkpoint { size: 0, ..honest.checkpoint(3) };
    assert_eq!(running.post(&by_hand(0, &[], &signed_by(&false_root, &[&log_key()]))).0, 422);
    assert_eq!(running.post(&honest.request(0, 0)).0, 200);
    assert_eq!(running.post(&by_hand(0, &[], &signed_by(&false_root, &[&log_key()]))).0, 422, "nor after");
}

/// "If the proof is not empty when the old size is zero, or if a Merkle Consistency Proof doesn't verify, the
/// witness MUST respond with a "422 Unprocessable Entity" HTTP status code."
#[test]
fn a_proof_from_nothing_or_one_that_does_not_verify_is_422() {
    let (running, honest, fork) = cosigned_ten();
    let hash = "KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let fresh = Running::start(witness_key(), Limits::default());
    assert_eq!(fresh.post(&by_hand(0, &[hash], &honest.signed(3))).0, 422);
    for hashes in [&[][..], &[hash], &[hash; 5]] {
        assert_eq!(running.post(&by_hand(10, hashes, &honest.signed(20))).0, 422);
    }
    assert_eq!(
        running.post(&by_hand(10, &[hash], &honest.signed(10))).0,
        422,
        "the same size needs no hashes"
    );
    assert_eq!(running.post(&fork.request(10, 20)).0, 422, "a proof of another history");
}

/// "If the old size matches the checkpoint size, the witness MUST check that the root hashes are also identical.
/// If they don't match, the witness MUST respond with a "422 Unprocessable Entity" HTTP status code."
#[test]
fn a_fork_of_the_same_size_is_422() {
    let (running, _, fork) = cosigned_ten();
    let (status, kind, body) = running.post(&by_hand(10, &[], &fork.signed(10)));
    assert_eq!((status, kind.as_str()), (422, TEXT));
    assert_eq!(body, "this witness signed another root for 10 entries: the log shows two histories\n");
}

/// "The response body MUST be a sequence of one or more note signature lines [...]. The signatures MUST be
/// cosignatures from the witness key(s) on the checkpoint. [...] The cosignature MUST NOT omit the timestamp".
#[test]
fn a_checkpoint_that_extends_the_newest_is_200_with_the_cosignature() {
    let (running, honest, _) = cosigned_ten();
    let (status, kind, body) = running.post(&honest.request(10, 20));
    assert_eq!((status, kind.as_str()), (200, TEXT));
    assert!(body.starts_with("\u{2014} regulator.example/w1 ") && body.ends_with('\n'), "{body}");
    assert!(honest.signed(20).cosignature_in(&body, &witness_vkey()).unwrap().time() > 0);
    assert_eq!(running.post(&honest.request(20, 20)).0, 200, "the same checkpoint is cosigned again");
}

/// "The cosignature MUST NOT omit the timestamp, i.e. the timestamp MUST NOT be zero."
#[test]
fn nothing_is_signed_at_the_moment_zero() {
    let honest = History::new(9, 9, 0);
    let watched = Witness::open(witness_key(), [vkey()], MemoryState::default()).unwrap();
    let refusal = watched.add_checkpoint(honest.request(0, 9).as_bytes(), 0).unwrap_err();
    assert_eq!((refusal.status(), watched.logs().next()), (500, Some((ORIGIN, None))));
    assert!(watched.add_checkpoint(honest.request(0, 9).as_bytes(), 1).is_ok());
}

/// "Each line MUST terminate in a newline", sizes are "an ASCII decimal with no leading zeroes", "The client MUST
/// NOT send more than 63 consistency proof lines". The specification names no status; a request that is none
/// is 400.
#[test]
fn what_is_no_request_is_400() {
    let (running, honest, _) = cosigned_ten();
    let hash = "KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let good = honest.request(10, 20);
    for request in [
        String::new(),
        good.trim_end().to_owned(),
        good.replace("old 10", "old 010"),
        good.replace("old 10", "old +10"),
        good.replace("old 10\n", "old 10\r\n"),
        good.replacen("\n\n", "\n", 1),
        by_hand(10, &[hash; 64], &honest.signed(20)),
    ] {
        assert_eq!(running.post(&request).0, 400, "{request}");
    }
    assert_eq!(running.post(&by_hand(10, &[hash; 63], &honest.signed(20))).0, 422, "63 are read");
}
