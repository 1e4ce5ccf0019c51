//! What a witness answers: every status of C2SP tlog-witness, requests another implementation made, and
//! never two roots for one size, in whatever order requests come.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::{SigningKey, VerifierKey};
use witness::{Cosigned, MemoryState, Refusal, Witness};

use crate::histories::{History, ORIGIN, by_hand, log_key, vkey, witness_key, witness_vkey};

fn watching(logs: &[VerifierKey]) -> Witness<MemoryState> {
    Witness::open(witness_key(), logs.iter().cloned(), MemoryState::default()).unwrap()
}

/// The HTTP status, and the size a 409 tells.
type Status = (u16, Option<u64>);

fn status(answer: &Result<Cosigned, Refusal>) -> Status {
    answer.as_ref().map_or_else(|refusal| (refusal.status(), refusal.cosigned_size()), |_| (200, None))
}

#[test]
fn each_request_gets_its_status_and_only_a_proven_one_a_signature() {
    let (honest, fork) = (History::new(40, 40, 0), History::new(40, 20, 1));
    let watched = watching(&[vkey()]);
    let ask = |body: &str| status(&watched.add_checkpoint(body.as_bytes(), 1_700_000_000));
    let stranger = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap();
    let foreign = SigningKey::from_seed("elsewhere.example/log", &[7; 32]).unwrap();
    let by = |key: &SigningKey, checkpoint: Checkpoint| {
        SignedCheckpoint::sign(&Checkpoint { origin: key.name().to_owned(), ..checkpoint }, key).unwrap()
    };
    let hash = "KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let signed = |size| honest.signed(size);
    let cases: Vec<(&str, String, Status)> = vec![
        ("nothing", String::new(), (400, None)),
        ("no UTF-8 text", "old 0\n\n\u{fffd}".into(), (400, None)),
        ("no old line", signed(3).text().into(), (400, None)),
        ("a size with a sign", honest.request(0, 3).replace("old 0", "old +0"), (400, None)),
        ("a size with a zero before it", honest.request(0, 3).replace("old 0", "old 00"), (400, None)),
        ("no empty line", honest.request(0, 3).replacen("\n\n", "\n", 1), (400, None)),
        ("cut off", honest.request(0, 3)[..90].into(), (400, None)),
        ("64 hashes", by_hand(0, &[hash; 64], &signed(3)), (400, None)),
        ("another log", by_hand(0, &[], &by(&foreign, honest.checkpoint(3))), (404, None)),
        ("another key", by_hand(0, &[], &by(&stranger, honest.checkpoint(3))), (403, None)),
        ("bent", honest.request(0, 3).replace("\n3\n", "\n4\n"), (403, None)),
        ("old past new", by_hand(4, &[], &signed(3)), (400, None)),
        ("old never signed", honest.request(2, 3), (409, Some(0))),
        ("a proof from nothing", by_hand(0, &[hash], &signed(3)), (422, None)),
        (
            "no proof, a false empty root",
            by_hand(0, &[], &by(&log_key(), Checkpoint { size: 0, ..honest.checkpoint(3) })),
            (422, None),
        ),
        ("the empty log", honest.request(0, 0), (200, None)),
        ("the empty log again", honest.request(0, 0), (200, None)),
        ("first", honest.request(0, 10), (200, None)),
        ("first again", honest.request(0, 10), (409, Some(10))),
        ("same again", honest.request(10, 10), (200, None)),
        ("same size with a proof", by_hand(10, &[hash], &signed(10)), (422, None)),
        ("grown", honest.request(10, 25), (200, None)),
        ("shrunk", honest.request(10, 20), (409, Some(25))),
        ("back to what it was", by_hand(25, &[], &signed(20)), (400, None)),
        ("no proof", by_hand(25, &[], &signed(30)), (422, None)),
        ("a false proof", by_hand(25, &[hash, hash], &signed(30)), (422, None)),
        ("another history of the same size", by_hand(25, &[], &fork.signed(25)), (422, None)),
        ("another history, grown", fork.request(25, 30), (422, None)),
        ("another history from before it parted", fork.request(20, 30), (409, Some(25))),
        ("on", honest.request(25, 40), (200, None)),
    ];
    for (what, body, expected) in cases {
        assert_eq!(ask(&body), expected, "{what}");
    }
    assert_eq!(status(&watched.add_checkpoint(b"old 0\n\n\xff\xfe", 1)), (400, None));
    assert_eq!(watched.logs().collect::<Vec<_>>(), [(ORIGIN, Some(40))]);
    assert_eq!(status(&watching(&[]).add_checkpoint(honest.request(0, 3).as_bytes(), 1)), (404, None));
}

#[test]
fn the_answer_is_the_witness_s_word_for_the_checkpoint_as_it_stands() {
    let honest = History::new(9, 9, 0);
    let watched = watching(&[vkey()]);
    let answer = watched.add_checkpoint(honest.request(0, 9).as_bytes(), 1_700_000_000).unwrap();
    assert_eq!(
        honest.signed(9).cosignature_in(&answer.lines, &witness_vkey()).unwrap().time(),
        1_700_000_000
    );
    assert_eq!(answer.checkpoint, honest.checkpoint(9));
}

#[test]
fn a_log_may_have_several_trusted_keys_and_foreign_lines_are_passed_over() {
    let (honest, second) = (History::new(9, 9, 0), SigningKey::from_seed(ORIGIN, &[9; 32]).unwrap());
    let watched = watching(&[vkey(), second.verifier_key()]);
    assert!(watched.add_checkpoint(honest.request(0, 5).as_bytes(), 1).is_ok());
    let by_second = SignedCheckpoint::sign(&honest.checkpoint(9), &second).unwrap();
    let body = honest.request(5, 9).replace(honest.signed(9).text(), by_second.text());
    assert!(watched.add_checkpoint(body.as_bytes(), 1).is_ok());
    let noise = "\u{2014} elsewhere.example/w AAAAAAECAwQ=\n".repeat(90);
    let noisy = by_hand(9, &[], &SignedCheckpoint::parse(&format!("{}{noise}", by_second.text())).unwrap());
    assert!(watched.add_checkpoint(noisy.as_bytes(), 1).is_ok());
}

/// Requests that litewitness (torchwood, Go) is tested with: a log of another make, and the race that
/// must not roll it back.
#[test]
fn requests_of_another_implementation_are_answered_as_theirs_are() {
    let origin = "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562";
    let key = format!("{origin}+5202289b+Af/cLU2Y5BJNP+r3iMDC+av9eWCD0fBJVDfzAux5zxAP");
    let watched = watching(&[key.parse().unwrap()]);
    let request = |old: u64, proof: &[&str], size: u64, root: &str, signature: &str| {
        let proof: String = proof.iter().map(|hash| format!("{hash}\n")).collect();
        format!("old {old}\n{proof}\n{origin}\n{size}\n{root}\n\n\u{2014} {origin} {signature}\n")
    };
    let one = request(
        0,
        &[],
        1,
        "KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKoFBJQjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajXpNUbIQY=",
    );
    let three = request(
        1,
        &["KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],
        3,
        "RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=",
        "UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=",
    );
    let five = request(
        1,
        &[
            "KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "+fUDV+k970B4I3uKrqJM4aP1lloPZP8mvr2Z4wRw2LI=",
            "KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        ],
        5,
        "QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=",
        "UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww=",
    );
    let ask = |body: &str| status(&watched.add_checkpoint(body.as_bytes(), 1_700_000_000));
    assert_eq!(ask(&one), (200, None));
    assert_eq!(ask(&five), (200, None));
    assert_eq!(ask(&three), (409, Some(5)), "never rolled back");
    assert_eq!(ask(&five.replace("KgEA", "KgIA")), (409, Some(5)));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// Whatever is asked in whatever order, across restarts: what was signed is one history.
    #[test]
    fn what_was_signed_is_one_history(
        parted in 0_usize..30,
        asks in prop::collection::vec((0_usize..3, 0_usize..=30, 0_usize..=30, any::<bool>()), 1..60),
    ) {
        let all: Vec<History> = (0..3).map(|number| History::new(30, parted, number)).collect();
        let state = Arc::new(MemoryState::default());
        let open = || Witness::open(witness_key(), [vkey()], Arc::clone(&state)).unwrap();
        let mut watched = open();
        let mut signed: Vec<Checkpoint> = Vec::new();
        for (history, old, new, restart) in asks {
            if restart {
                watched = open();
            }
            // Half of the requests begin where the witness stands, or few would be signed.
            let stands = signed.last().map_or(0, |newest| newest.size as usize);
            let old = if old % 2 == 0 { stands } else { old };
            let (old, new) = (old.min(new), new);
            if let Ok(cosigned) = watched.add_checkpoint(all[history].request(old, new).as_bytes(), 1) {
                signed.push(cosigned.checkpoint);
            }
        }
        prop_assert!(signed.windows(2).all(|two| two[0].size <= two[1].size));
        prop_assert!(all.iter().any(|history| signed.iter().all(|one| history.holds(one))));
    }
}

/// tlog-cosignature: the cosigned message is the note's text, extension lines and all. Story: they were cut, so that the
/// log could not use its cosignature and monitors got a broken signature.
#[test]
fn extension_lines_that_the_log_signed_are_cosigned() {
    let honest = History::new(9, 9, 0);
    let text = format!("{}an extension\n", honest.checkpoint(9));
    let extended = SignedCheckpoint::parse(&log_key().sign(&text)).unwrap();
    let watched = watching(&[vkey()]);
    let answer = watched.add_checkpoint(by_hand(0, &[], &extended).as_bytes(), 7).unwrap();
    extended.cosignature_in(&answer.lines, &witness_vkey()).unwrap();
}
