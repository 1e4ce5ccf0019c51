//! Cosignatures: other people's witnesses, another signer, bent bytes, and keys of the wrong kind.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::checkpoint::Checkpoint;
use crate::note::{SigningKey, VerifierKey};
use ed25519_dalek::Verifier as _;

const ORIGIN: &str = "casino.example/sala/1";

fn signed() -> SignedCheckpoint {
    let checkpoint = Checkpoint { origin: ORIGIN.to_owned(), size: 20_852, root: [5; 32] };
    SignedCheckpoint::sign(&checkpoint, &SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()).unwrap()
}

fn witness(name: &str, seed: u8) -> WitnessSigningKey {
    WitnessSigningKey::from_seed(name, &[seed; 32]).unwrap()
}

/// A public Certificate Transparency log's checkpoint as four public witnesses signed it in May
/// 2026, and three of their published keys.
const PUBLIC: &str = "arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

\u{2014} arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
\u{2014} arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
\u{2014} transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
\u{2014} witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
\u{2014} remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
\u{2014} witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
";
const PUBLIC_LOG: &str =
    "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f";
const PUBLIC_WITNESSES: [&str; 4] = [
    "transparency.dev/DEV:witness-little-garden+d8042a87+BCtusOxINQNUTN5Oj8HObRkh2yHf/MwYaGX4CPdiVEPM",
    "witness1.smartit.nu/witness1+a48c820f+BPSFWg9G6KPiO7QPryYO5Xq4oYJJ+kAvLKLSimDhoxMO",
    "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
    "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
];

#[test]
fn what_public_witnesses_signed_is_believed_and_no_other_size() {
    let read = SignedCheckpoint::parse(PUBLIC).unwrap();
    read.verify(&PUBLIC_LOG.parse::<VerifierKey>().unwrap()).unwrap();
    let other = SignedCheckpoint::parse(&PUBLIC.replace("1432088532", "1432088531")).unwrap();
    for text in PUBLIC_WITNESSES {
        let key: WitnessKey = text.parse().unwrap();
        assert_eq!(key.to_string(), text);
        assert_eq!(key.verify(&read).unwrap().time(), 0x6a12_2120, "{text}");
        assert!(matches!(key.verify(&other), Err(CosignatureError::Bad { .. })), "{text}");
    }
}

#[test]
fn a_cosignature_is_added_found_and_renewed() {
    let (one, two) = (witness("regulator.example/w1", 1), witness("union.example/w2", 2));
    let first = signed().with_cosignature(&one.cosign(&signed(), 1_700_000_000).unwrap()).unwrap();
    let both = first.with_cosignature(&two.cosign(&signed(), 1_700_000_001).unwrap()).unwrap();
    assert_eq!(one.verifier_key().verify(&both).unwrap().time(), 1_700_000_000);
    assert_eq!(two.verifier_key().verify(&both).unwrap().time(), 1_700_000_001);
    assert!(matches!(two.verifier_key().verify(&first), Err(CosignatureError::Missing(_))));
    both.verify(&SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap().verifier_key()).unwrap();
    let renewed = both.with_cosignature(&one.cosign(&signed(), 1_800_000_000).unwrap()).unwrap();
    assert_eq!(renewed.signatures().len(), 3);
    assert_eq!(one.verifier_key().verify(&renewed).unwrap().time(), 1_800_000_000);
    assert_eq!(renewed.checkpoint(), signed().checkpoint());
}

#[test]
fn every_bent_byte_of_a_cosigned_checkpoint_is_noticed() {
    let key = witness("regulator.example/w1", 1);
    let cosigned = signed().with_cosignature(&key.cosign(&signed(), 1_700_000_000).unwrap()).unwrap();
    let log_line = cosigned.text().lines().nth(4).unwrap();
    let spared = cosigned.text().find(log_line).unwrap();
    let spared = spared..spared + log_line.len();
    for at in (0..cosigned.text().len()).filter(|at| !spared.contains(at)) {
        for bit in [1, 2, 32] {
            let mut bent = cosigned.text().as_bytes().to_vec();
            bent[at] ^= bit;
            let believed = String::from_utf8(bent).is_ok_and(|bent| {
                SignedCheckpoint::parse(&bent).is_ok_and(|bent| key.verifier_key().verify(&bent).is_ok())
            });
            assert!(!believed, "byte {at}, bit {bit}");
        }
    }
}

#[test]
fn a_second_line_of_the_same_witness_must_hold_as_well() {
    let key = witness("regulator.example/w1", 1);
    let cosigned = signed().with_cosignature(&key.cosign(&signed(), 7).unwrap()).unwrap();
    let other = Checkpoint { size: 1, ..signed().checkpoint().clone() };
    let other = SignedCheckpoint::sign(&other, &SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()).unwrap();
    let stray = key.cosign(&other, 8).unwrap();
    let both = SignedCheckpoint::parse(&format!("{}{stray}", cosigned.text())).unwrap();
    assert!(matches!(key.verifier_key().verify(&both), Err(CosignatureError::Bad { .. })));
}

#[test]
fn only_the_witness_asked_is_believed_of_what_came_back() {
    let (one, two) = (witness("regulator.example/w1", 1), witness("union.example/w2", 2));
    let signed = signed();
    let lines = format!("{}{}", two.cosign(&signed, 5).unwrap(), one.cosign(&signed, 6).unwrap());
    assert_eq!(signed.answered(&lines, &one.verifier_key()).unwrap().time(), 6);
    let stranger = witness("regulator.example/w1", 3).verifier_key();
    assert!(matches!(signed.answered(&lines, &stranger), Err(CosignatureError::Missing(_))));
    for (answer, line) in
        [("", 1), ("yes", 1), ("\n", 1), ("<html>\n</html>\n", 1), (&lines[..lines.len() - 1], 2)]
    {
        assert_eq!(
            signed.answered(answer, &one.verifier_key()),
            Err(CosignatureError::Lines { line }),
            "{answer}"
        );
    }
}

#[test]
fn a_time_the_format_cannot_say_is_neither_signed_nor_believed() {
    let key = witness("regulator.example/w1", 1);
    assert_eq!(key.cosign(&signed(), 1 << 63), Err(CosignatureError::Time(1 << 63)));
    let mut late = key.cosign(&signed(), 0).unwrap();
    let text = format!("cosignature/v1\ntime {}\n{}", 1_u64 << 63, signed().checkpoint());
    let signature = key.sign_bytes(text.as_bytes());
    late.line.signature = [&(1_u64 << 63).to_be_bytes()[..], &signature].concat();
    let cosigned = signed().with_cosignature(&late).unwrap();
    assert!(matches!(key.verifier_key().verify(&cosigned), Err(CosignatureError::Bad { .. })));
}

/// Another implementation of notes reads what we sign, with the message written out by hand.
#[test]
fn another_reader_of_notes_believes_our_cosignature() {
    struct Reader(WitnessKey);
    impl signed_note::Verifier for Reader {
        fn name(&self) -> &str {
            self.0.name()
        }
        fn key_id(&self) -> u32 {
            let kind_and_key = [&[4][..], &self.0.to_bytes()].concat();
            signed_note::key_id(self.0.name(), &kind_and_key)
        }
        fn verify(&self, text: &[u8], signature: &[u8]) -> bool {
            let time = u64::from_be_bytes(signature[..8].try_into().unwrap());
            let message = [format!("cosignature/v1\ntime {time}\n").as_bytes(), text].concat();
            let public: [u8; 32] = self.0.to_bytes().try_into().unwrap();
            let public = ed25519_dalek::VerifyingKey::from_bytes(&public).unwrap();
            let signature = ed25519_dalek::Signature::from_slice(&signature[8..]).unwrap();
            public.verify(&message, &signature).is_ok()
        }
    }
    let key = witness("regulator.example/w1", 1);
    let cosigned = signed().with_cosignature(&key.cosign(&signed(), 1_700_000_000).unwrap()).unwrap();
    let note = signed_note::Note::from_bytes(cosigned.text().as_bytes()).unwrap();
    let readers = signed_note::VerifierList::new(vec![Box::new(Reader(key.verifier_key()))]);
    let (believed, unknown) = note.verify(&readers).unwrap();
    assert_eq!((believed.len(), unknown.len()), (1, 1));
}
