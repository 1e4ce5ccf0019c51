//! *Anchored* under a policy: what witnesses signed counts only where the log extends it.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::fixture::{Bent, ORIGIN, key, log, signed_at};
use crate::reader::{Expectations, LogReader, StoreSource};
use crate::store::{MemoryReader, StoreReader};
use tlog::checkpoint::Checkpoint;
use tlog::cosignature::WitnessSigningKey;

fn witness(number: u8) -> WitnessSigningKey {
    WitnessSigningKey::from_seed(&format!("witness.example/{number}"), &[number; 32]).unwrap()
}

fn policy() -> WitnessPolicy {
    let (one, two) = (witness(1).verifier_key(), witness(2).verifier_key());
    format!("witness a {one}\nwitness b {two}\ngroup both all a b\nquorum both\n").parse().unwrap()
}

/// Cosigned by these witnesses.
fn by(signed: &SignedCheckpoint, witnesses: &[u8]) -> SignedCheckpoint {
    witnesses.iter().fold(signed.clone(), |signed, number| {
        signed.with_cosignature(&witness(*number).cosign(&signed, 7).unwrap()).unwrap()
    })
}

/// Reads a log under its key with these anchors, and holds it to the policy.
fn held(
    store: &(dyn StoreReader + Sync),
    signed: &SignedCheckpoint,
    kept: &[SignedCheckpoint],
) -> (Verdict, Witnessed) {
    let expectations = Expectations { verifier: Some(key().verifier_key()), anchors: kept.to_vec() };
    let mut reader = LogReader::new(StoreSource::new(store, Some(signed.clone()), None), expectations);
    while reader.next_window().unwrap().is_some() {}
    let mut report = reader.finish();
    let said = report.require_quorum(&policy(), kept).unwrap();
    (report.anchored, said)
}

fn of_300() -> (MemoryReader, SignedCheckpoint) {
    log(300)
}

#[test]
fn a_quorum_on_any_checkpoint_the_log_extends_anchors_it() {
    let (store, signed) = of_300();
    let older = signed_at(&store, 120);
    assert_eq!(held(&store, &by(&signed, &[1, 2]), &[]).0, Verdict::Yes, "its own checkpoint");
    let (anchored, said) = held(&store, &signed, &[by(&older, &[1, 2])]);
    assert_eq!((anchored, said.size, said.quorum), (Verdict::Yes, 120, true));
    let (anchored, said) = held(&store, &by(&signed, &[1]), &[by(&older, &[1, 2])]);
    assert_eq!((anchored, said.size), (Verdict::Yes, 120), "a quorum goes before a newer one without");
}

#[test]
fn without_a_quorum_a_kept_checkpoint_anchors_nothing() {
    let (store, signed) = of_300();
    let older = signed_at(&store, 120);
    for (signed, kept) in [
        (signed.clone(), vec![]),
        (signed.clone(), vec![older.clone()]),
        (by(&signed, &[1]), vec![]),
        (by(&signed, &[2]), vec![by(&older, &[1])]),
    ] {
        let (anchored, said) = held(&store, &signed, &kept);
        assert_eq!((anchored, said.quorum), (Verdict::Unknown, false));
    }
}

#[test]
fn what_witnesses_signed_and_the_log_does_not_extend_refutes_it() {
    let (store, signed) = of_300();
    let other = Checkpoint { origin: ORIGIN.to_owned(), size: 120, root: [3; 32] };
    let other = SignedCheckpoint::sign(&other, &key()).unwrap();
    assert_eq!(held(&store, &by(&signed, &[1, 2]), &[by(&other, &[1, 2])]).0, Verdict::No);
    assert_eq!(
        held(&store, &by(&signed, &[1, 2]), &[by(&other, &[1])]).0,
        Verdict::No,
        "one is enough for that"
    );
    let (short, short_checkpoint) = log(50);
    assert_eq!(held(&short, &short_checkpoint, &[by(&signed, &[1, 2])]).0, Verdict::No, "cut off");
}

/// C2SP signed-note: "If a signature from a known key fails to verify, clients SHOULD reject the whole note."
#[test]
fn a_broken_cosignature_of_a_witness_refutes_the_anchor_with_its_reason() {
    let (store, signed) = of_300();
    let older = signed_at(&store, 120);
    // What witness 2 signed for the older checkpoint, under the newest one.
    let broken =
        |signed: &SignedCheckpoint| signed.with_cosignature(&witness(2).cosign(&older, 7).unwrap()).unwrap();
    let cases = [
        (broken(&by(&signed, &[1])), vec![]),
        (by(&signed, &[1, 2]), vec![broken(&signed)]),
        (broken(&signed), vec![by(&older, &[1, 2])]),
    ];
    for (signed, kept) in cases {
        let (anchored, said) = held(&store, &signed, &kept);
        assert_eq!((anchored, said.quorum), (Verdict::No, false));
        assert!(said.rejected.unwrap().starts_with("witness b: a cosignature by witness.example/2"));
    }
    // A stranger's broken line says nothing.
    let stranger = signed.with_cosignature(&witness(3).cosign(&older, 7).unwrap()).unwrap();
    assert_eq!(held(&store, &by(&stranger, &[1, 2]), &[]).0, Verdict::Yes);
}

#[test]
fn a_damaged_log_is_not_anchored_by_its_own_checkpoint() {
    let (store, signed) = of_300();
    let bent = Bent::of(&store).flip(200, 1);
    assert_eq!(held(&bent, &by(&signed, &[1, 2]), &[]).0, Verdict::Unknown);
}

#[test]
fn a_policy_without_witnesses_changes_nothing() {
    let (store, signed) = of_300();
    let none: WitnessPolicy = "quorum none\n".parse().unwrap();
    for kept in [vec![], vec![signed_at(&store, 120)]] {
        let expectations = Expectations { verifier: Some(key().verifier_key()), anchors: kept.clone() };
        let mut reader = LogReader::new(StoreSource::new(&store, Some(signed.clone()), None), expectations);
        while reader.next_window().unwrap().is_some() {}
        let mut report = reader.finish();
        let before = report.anchored;
        report.require_quorum(&none, &kept);
        assert_eq!(report.anchored, before);
    }
}
