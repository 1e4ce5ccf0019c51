//! C2SP tlog-cosignature, line by line: what a reader or a signer must do is one test each.
#![allow(clippy::unwrap_used)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::cosignature::{CosignatureError, WitnessKey, WitnessSigningKey};
use tlog::key::Algorithm;
use tlog::note::{NoteSignature, SigningKey, VerifierKey};

use crate::logs::{ALGORITHMS, ORIGIN, ROOT, key, key_of, signed, with_lines, witness, witness_of};

fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// A line over `message` by a key that signs whatever it is given.
fn line_over(key: &WitnessSigningKey, time: u64, message: &[u8]) -> String {
    let signature = [&time.to_be_bytes()[..], &key.sign_bytes(message)].concat();
    let public = key.verifier_key();
    NoteSignature { name: public.name().to_owned(), id: public.id(), signature }.to_string()
}

/// The `cosigned_message` written out from the specification.
fn cosigned_message(
    cosigner: &str,
    time: u64,
    origin: &str,
    start: u64,
    end: u64,
    hash: &[u8; 32],
) -> Vec<u8> {
    let mut message = b"subtree/v1\n\0".to_vec();
    for (name, number) in [(cosigner, time), (origin, start)] {
        message.push(name.len() as u8);
        message.extend_from_slice(name.as_bytes());
        message.extend_from_slice(&number.to_be_bytes());
    }
    message.extend_from_slice(&end.to_be_bytes());
    message.extend_from_slice(hash);
    message
}

/// "The key ID for Ed25519 cosignatures MUST be computed as SHA-256(<name> || "\n" || 0x04 || 32-byte Ed25519
/// cosigner public key)[:4]", "for ML-DSA-44 ... 0x06 || 1312-byte ML-DSA-44 cosigner public key".
#[test]
fn the_key_id_must_be_of_name_kind_and_public_key() {
    for (algorithm, kind, length) in [(Algorithm::Ed25519, 4, 32), (Algorithm::MlDsa44, 6, 1_312)] {
        let key = witness_of(algorithm, "witness.example/w", 1).verifier_key();
        assert_eq!(key.to_bytes().len(), length);
        let hash = sha256(&[b"witness.example/w\n", &[kind][..], &key.to_bytes()].concat());
        assert_eq!(key.id(), hash[..4]);
    }
}

/// "Ed25519 public keys MAY be encoded as vkeys with signature type 0x04 and the 32-byte Ed25519 cosigner public
/// key", "ML-DSA-44 public keys ... 0x06 and the 1312-byte ML-DSA-44 cosigner public key".
#[test]
fn public_keys_are_encoded_as_vkeys() {
    for (algorithm, kind) in [(Algorithm::Ed25519, 4), (Algorithm::MlDsa44, 6)] {
        let key = witness_of(algorithm, "witness.example/w", 1).verifier_key();
        let material = STANDARD.encode([&[kind][..], &key.to_bytes()].concat());
        let text = format!("witness.example/w+{:08x}+{material}", u32::from_be_bytes(key.id()));
        assert_eq!(text.parse::<WitnessKey>().unwrap(), key);
        assert_eq!(key.to_string(), text);
    }
}

/// "Clients ... ignore any signature lines that don't match the name and key ID."
#[test]
fn lines_of_another_name_or_id_are_ignored() {
    for algorithm in ALGORITHMS {
        let known = witness_of(algorithm, "witness.example/w", 1);
        let alike =
            [witness_of(algorithm, "witness.example/w", 2), witness_of(algorithm, "witness.example/v", 1)];
        let lines: String = alike.iter().map(|key| key.cosign(&signed(), 5).unwrap().to_string()).collect();
        let noisy = with_lines(signed().text(), &lines);
        assert!(matches!(known.verifier_key().verify(&noisy), Err(CosignatureError::Missing(_))));
        let line = known.cosign(&signed(), 6).unwrap().to_string();
        assert_eq!(known.verifier_key().verify(&with_lines(noisy.text(), &line)).unwrap().time(), 6);
    }
}

/// "The signature MUST be a timestamped_signature structure": eight bytes of time, "encoded in big-endian order",
/// and a signature of 64 or 2420 bytes.
#[test]
fn a_signature_must_be_a_timestamped_signature() {
    for (algorithm, length) in [(Algorithm::Ed25519, 72), (Algorithm::MlDsa44, 2_428)] {
        let key = witness_of(algorithm, "witness.example/w", 1);
        let line = key.cosign(&signed(), 1_679_315_147).unwrap().to_string();
        let cosigned = with_lines(signed().text(), &line);
        let signature = &cosigned.signatures()[1].signature;
        assert_eq!((signature.len(), &signature[..8]), (length, &1_679_315_147_u64.to_be_bytes()[..]));
        for cut in [&signature[..length - 1], &signature[..8], &[&signature[..], b"\0"].concat()] {
            let (name, id) = ("witness.example/w".to_owned(), key.verifier_key().id());
            let other = NoteSignature { name, id, signature: cut.to_vec() }.to_string();
            let read = with_lines(signed().text(), &other);
            assert!(matches!(key.verifier_key().verify(&read), Err(CosignatureError::Bad { .. })));
        }
    }
}

/// "`timestamp` ... MUST NOT exceed 2^63 - 1".
#[test]
fn a_time_must_not_exceed_63_bits() {
    for algorithm in ALGORITHMS {
        let key = witness_of(algorithm, "witness.example/w", 1);
        let (last, late) = (i64::MAX as u64, 1 << 63);
        let good = key.cosign(&signed(), last).unwrap().to_string();
        assert_eq!(key.verifier_key().verify(&with_lines(signed().text(), &good)).unwrap().time(), last);
        assert_eq!(key.cosign(&signed(), late), Err(CosignatureError::Time(late)));
        let message = match algorithm {
            Algorithm::Ed25519 => format!("cosignature/v1\ntime {late}\n{}", signed().body()).into_bytes(),
            Algorithm::MlDsa44 => cosigned_message("witness.example/w", late, ORIGIN, 0, 20_852, &[5; 32]),
        };
        let read = with_lines(signed().text(), &line_over(&key, late, &message));
        assert!(matches!(key.verifier_key().verify(&read), Err(CosignatureError::Bad { .. })));
    }
}

/// "The signed message MUST be two newline (U+000A) terminated lines ... followed by the whole note body"; "The
/// header line MUST be the fixed string `cosignature/v1`"; "The timestamp line MUST consist of the string `time`,
/// a single space (0x20), and `timestamped_signature.timestamp` encoded as an ASCII decimal with no leading
/// zeroes."
#[test]
fn the_ed25519_message_must_be_header_time_and_body() {
    let key = witness("witness.example/w", 1);
    let body = format!("{ORIGIN}\n20852\n{ROOT}\n");
    let message = format!("cosignature/v1\ntime 1679315147\n{body}");
    let line = line_over(&key, 1_679_315_147, message.as_bytes());
    assert_eq!(line, key.cosign(&signed(), 1_679_315_147).unwrap().to_string());
    for other in [
        format!("cosignature/v2\ntime 1679315147\n{body}"),
        format!("cosignature/v1\ntime 01679315147\n{body}"),
        format!("cosignature/v1\ntime  1679315147\n{body}"),
        format!("cosignature/v1\n{body}"),
        body.clone(),
    ] {
        let read = with_lines(signed().text(), &line_over(&key, 1_679_315_147, other.as_bytes()));
        assert!(key.verifier_key().verify(&read).is_err(), "{other}");
    }
}

/// "Extension lines MAY be included in the checkpoint by the log, and if present MUST be included in the cosigned
/// message", of Ed25519; "checkpoint extension lines are not included in the signed message for ML-DSA-44".
#[test]
fn extension_lines_must_be_in_the_ed25519_message_and_not_in_that_of_ml_dsa() {
    let body = format!("{ORIGIN}\n20852\n{ROOT}\nan extension\nand another\n");
    let extended = SignedCheckpoint::parse(&key().sign(&body)).unwrap();
    extended.verify(&key().verifier_key()).unwrap();
    let other = SignedCheckpoint::parse(&key().sign(&body.replace("another", "a third"))).unwrap();
    for algorithm in ALGORITHMS {
        let witness = witness_of(algorithm, "witness.example/w", 1);
        let line = witness.cosign(&extended, 9).unwrap().to_string();
        let cosigned = extended.with_cosignature(&witness.cosign(&extended, 9).unwrap()).unwrap();
        assert_eq!(cosigned.text(), format!("{}{line}", extended.text()));
        assert_eq!(witness.verifier_key().verify(&cosigned).unwrap().time(), 9);
        let moved = witness.verifier_key().verify(&with_lines(other.text(), &line));
        assert_eq!(moved.is_ok(), algorithm == Algorithm::MlDsa44);
    }
}

/// "The signed message MUST be a `cosigned_message` structure", "`log_origin` is the log's origin, as represented
/// in a checkpoint's origin line", "If signing a checkpoint, [start] MUST be zero", "`end` ... is the size of the
/// tree".
#[test]
fn the_ml_dsa_message_must_be_a_cosigned_message_of_the_whole_tree() {
    let name = "witness.example/w";
    let key = witness_of(Algorithm::MlDsa44, name, 1);
    let hash = [5; 32];
    let over = |message: Vec<u8>| {
        let read = with_lines(signed().text(), &line_over(&key, 1_679_315_147, &message));
        key.verifier_key().verify(&read).is_ok()
    };
    let time = 1_679_315_147;
    let good = cosigned_message(name, time, ORIGIN, 0, 20_852, &hash);
    let line = line_over(&key, time, &good);
    assert_eq!(line, key.cosign(&signed(), time).unwrap().to_string());
    assert!(over(good.clone()));
    assert!(!over(cosigned_message("witness.example/v", time, ORIGIN, 0, 20_852, &hash)));
    assert!(!over(cosigned_message(name, time + 1, ORIGIN, 0, 20_852, &hash)));
    assert!(!over(cosigned_message(name, time, "elsewhere.example", 0, 20_852, &hash)));
    assert!(!over(cosigned_message(name, time, ORIGIN, 1, 20_852, &hash)));
    assert!(!over(cosigned_message(name, time, ORIGIN, 0, 20_853, &hash)));
    assert!(!over(cosigned_message(name, time, ORIGIN, 0, 20_852, &[6; 32])));
    assert!(!over(good[12..].to_vec()), "the label is signed");
}

/// The bytes of one message, counted out by hand.
#[test]
fn the_ml_dsa_message_has_these_bytes() {
    let message = cosigned_message("w", 258, "o", 0, 3, &[9; 32]);
    let expected = b"subtree/v1\n\0\x01w\0\0\0\0\0\0\x01\x02\x01o\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x03";
    assert_eq!(message, [&expected[..], &[9; 32]].concat());
}

/// "opaque log_origin<1..2^8-1>".
#[test]
fn an_origin_too_long_for_ml_dsa_is_not_signed() {
    let origin = "o".repeat(256);
    let long = format!("{origin}\n3\n{ROOT}\n\n\u{2014} w AAAAAAECAwQ=\n");
    let long = SignedCheckpoint::parse(&long).unwrap();
    let refused = witness_of(Algorithm::MlDsa44, "w", 1).cosign(&long, 7);
    assert_eq!(refused, Err(CosignatureError::Origin(256)));
    assert!(witness("w", 1).cosign(&long, 7).is_ok());
}

/// "These two values MAY be zero if the cosigner doesn't make any statement as to the tree being the largest": so a
/// log signs its own checkpoints.
#[test]
fn the_time_may_be_zero() {
    let name = "witness.example/w";
    let key = witness_of(Algorithm::MlDsa44, name, 1);
    let message = cosigned_message(name, 0, ORIGIN, 0, 20_852, &[5; 32]);
    let line = line_over(&key, 0, &message);
    assert_eq!(key.verifier_key().verify(&with_lines(signed().text(), &line)).unwrap().time(), 0);
    let checkpoint = signed().checkpoint().clone();
    let own = SignedCheckpoint::sign(&checkpoint, &key_of(Algorithm::MlDsa44)).unwrap();
    assert_eq!(own.signatures()[0].signature[..8], [0; 8]);
    own.verify(&key_of(Algorithm::MlDsa44).verifier_key()).unwrap();
}

/// tlog-witness: "The cosignature MUST NOT omit the timestamp, i.e. the timestamp MUST NOT be zero."
#[test]
fn an_answer_of_a_witness_must_have_a_time() {
    for algorithm in ALGORITHMS {
        let key = witness_of(algorithm, "witness.example/w", 1);
        let line = key.cosign(&signed(), 0).unwrap().to_string();
        let answered = signed().cosignature_in(&line, &key.verifier_key());
        assert!(matches!(answered, Err(CosignatureError::NoStatement(_))), "{answered:?}");
    }
}

/// A log of another implementation (torchwood's litewitness tests) that signs with ML-DSA-44 and the time 0.
#[test]
fn another_implementations_ml_dsa_log_is_believed() {
    let key: VerifierKey = include_str!("vectors/torchwood-mldsa.vkey").trim_end().parse().unwrap();
    assert_eq!(key.algorithm(), Algorithm::MlDsa44);
    let text = include_str!("vectors/torchwood-mldsa.txt");
    let read = SignedCheckpoint::parse(text).unwrap();
    read.verify(&key).unwrap();
    assert_eq!((read.checkpoint().origin.as_str(), read.checkpoint().size), ("example.com/mldsa-log", 1));
    let bent = SignedCheckpoint::parse(&text.replace("\n1\n", "\n2\n")).unwrap();
    assert!(bent.verify(&key).is_err());
}

/// The ML-DSA-44 example of the IETF's dilithium-certificates (RFC 9881): this seed has this public key.
#[test]
fn a_published_seed_has_its_published_public_key() {
    let seed: [u8; 32] = std::array::from_fn(|at| at as u8);
    let key = SigningKey::with_algorithm(Algorithm::MlDsa44, "example.com", &seed).unwrap();
    let hash: String =
        sha256(&key.verifier_key().to_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, "9f107644c1084526af3bc8098680b05499a2325a644e388fb4f970e058d19d46");
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
    assert_eq!(signed.cosignature_in(&lines, &one.verifier_key()).unwrap().time(), 6);
    let stranger = witness("regulator.example/w1", 3).verifier_key();
    assert!(matches!(signed.cosignature_in(&lines, &stranger), Err(CosignatureError::Missing(_))));
    for (answer, line) in
        [("", 1), ("yes", 1), ("\n", 1), ("<html>\n</html>\n", 1), (&lines[..lines.len() - 1], 2)]
    {
        assert_eq!(
            signed.cosignature_in(answer, &one.verifier_key()),
            Err(CosignatureError::Lines { line }),
            "{answer}"
        );
    }
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
            ed25519_dalek::Verifier::verify(&public, &message, &signature).is_ok()
        }
    }
    let key = witness("regulator.example/w1", 1);
    let cosigned = signed().with_cosignature(&key.cosign(&signed(), 1_700_000_000).unwrap()).unwrap();
    let note = signed_note::Note::from_bytes(cosigned.text().as_bytes()).unwrap();
    let readers = signed_note::VerifierList::new(vec![Box::new(Reader(key.verifier_key()))]);
    let (believed, unknown) = note.verify(&readers).unwrap();
    assert_eq!((believed.len(), unknown.len()), (1, 1));
}
