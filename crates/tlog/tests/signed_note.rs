//! C2SP signed-note, line by line: what a verifier or a signer must do is one test each.
#![allow(clippy::unwrap_used)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use tlog::key::{Algorithm, KeyError};
use tlog::note::{MAX_NOTE_BYTES, MAX_NOTE_SIGNATURES, Note, NoteError, SigningKey, VerifierKey};

use crate::logs::{ALGORITHMS, ORIGIN, key, key_of, signed};

/// The specification's own key and note.
const EXAMPLE_KEY: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const EXAMPLE: &str = "This is an example message.\n\n\
    \u{2014} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

/// A line of a key that nobody knows.
const STRANGER: &str = "\u{2014} w AAAAAAECAwQ=\n";

fn line(name: &str, id: [u8; 4], signature: &[u8]) -> String {
    format!("\u{2014} {name} {}\n", STANDARD.encode([&id[..], signature].concat()))
}

/// "The following verifier key ... verifies the following signed note".
#[test]
fn the_example_of_the_specification_is_verified() {
    let key: VerifierKey = EXAMPLE_KEY.parse().unwrap();
    assert_eq!(key.to_string(), EXAMPLE_KEY);
    let note = Note::parse(EXAMPLE).unwrap();
    assert_eq!(note.text, "This is an example message.\n");
    note.verify(&key).unwrap();
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

/// "The text MUST be ignored unless the note is signed by a trusted key and the signature has been verified."
#[test]
fn a_text_must_be_signed_by_a_trusted_key() {
    for algorithm in ALGORITHMS {
        let (key, other) =
            (key_of(algorithm), SigningKey::with_algorithm(algorithm, ORIGIN, &[8; 32]).unwrap());
        let text = key.sign("any text\n");
        Note::parse(&text).unwrap().verify(&key.verifier_key()).unwrap();
        let error = Note::parse(&text).unwrap().verify(&other.verifier_key()).unwrap_err();
        assert!(matches!(error, NoteError::NotSigned(_)));
        let bent = text.replace("any", "Any");
        let error = Note::parse(&bent).unwrap().verify(&key.verifier_key()).unwrap_err();
        assert!(matches!(error, NoteError::BadSignature(_)));
    }
}

/// "A signed note consists of a text ending in newline (U+000A), followed by a blank line (only a newline), followed
/// by one or more signature lines of this form: em dash (U+2014), space (U+0020), key name, space, base64-encoded
/// signature, newline."
#[test]
fn a_note_has_this_form() {
    assert!(Note::parse(&format!("text\n\n{STRANGER}")).is_ok());
    for note in [
        "text\n\n".to_owned(),
        "text\n".to_owned(),
        String::new(),
        format!("text\n{STRANGER}"),
        format!("text\n\n{}", STRANGER.trim_end()),
        "text\n\n{STRANGER}\n".to_owned(),
        "text\n\n{STRANGER}more\n".to_owned(),
        "text\n\n- w AAAAAAECAwQ=\n".to_owned(),
        "text\n\n\u{2014}w AAAAAAECAwQ=\n".to_owned(),
        "text\n\n\u{2014} w  AAAAAAECAwQ=\n".to_owned(),
        "text\n\n\u{2014} w AAAAAAECAwQ= \n".to_owned(),
        "text\n\n\u{2014} w AAAAAAECAwQ\n".to_owned(),
        "text\n\n\u{2014} w\n".to_owned(),
    ] {
        assert!(Note::parse(&note).is_err(), "{note:?}");
    }
}

/// "Signed notes ... MUST NOT contain any ASCII control characters (those below U+0020) other than newline." That they
/// "MUST be valid UTF-8" is in the type.
#[test]
fn control_characters_below_a_space_are_refused() {
    for control in (0..0x20_u8).filter(|control| *control != b'\n').map(char::from) {
        assert!(Note::parse(&format!("te{control}xt\n\n{STRANGER}")).is_err(), "{control:?}");
    }
    assert!(Note::parse(&format!("te\u{7f}xt\n\n{STRANGER}")).is_ok());
}

/// "The note text MAY contain empty lines; the text is separated from the signatures by the last empty line in the
/// note." "The note text includes the final newline but not the separating blank line."
#[test]
fn a_text_may_contain_empty_lines() {
    let note = format!("one\n\n\ntwo\n\n{STRANGER}");
    assert_eq!(Note::parse(&note).unwrap().text, "one\n\n\ntwo\n");
    let signed = key().sign("one\n\ntwo\n");
    Note::parse(&signed).unwrap().verify(&key().verifier_key()).unwrap();
}

/// "Key names MUST be non-empty and MUST NOT contain any Unicode spaces or plus (U+002B) characters."
#[test]
fn key_names_have_no_spaces_and_no_plus() {
    for name in ["", "a b", "a+b", "a\u{2003}b", "\u{a0}"] {
        assert!(matches!(SigningKey::from_seed(name, &[0; 32]), Err(KeyError::Name(_))), "{name:?}");
        assert!(Note::parse(&format!("text\n\n{}", line(name, [0; 4], b"x"))).is_err(), "{name:?}");
    }
    for name in ["señal.example", "a/b?c", &"n".repeat(300)] {
        assert!(Note::parse(&format!("text\n\n{}", line(name, [0; 4], b"x"))).is_ok(), "{name:?}");
    }
}

/// "Signatures are the base64 encoding of 4+n bytes. The first four bytes in the signature are the uint32 key ID
/// stored in big-endian order."
#[test]
fn a_signature_begins_with_the_key_id() {
    let note = signed();
    let line = note.text().lines().last().unwrap();
    let bytes = STANDARD.decode(line.rsplit(' ').next().unwrap()).unwrap();
    assert_eq!((&bytes[..4], bytes.len()), (&key().verifier_key().id()[..], 68));
    for short in ["", "AAAA", "AAAAAA==", "AAAAAA"] {
        assert!(Note::parse(&format!("text\n\n\u{2014} w {short}\n")).is_err(), "{short}");
    }
}

/// "Verifiers SHOULD apply a maximum limit to the number of signatures in a note (or, equivalently, to the overall
/// size of a note), but MUST accept at least up to 16 signatures. Remember that post-quantum signatures can be up to
/// nearly 5kB in size."
#[test]
fn sixteen_signatures_of_five_kilobytes_are_read_and_the_whole_is_limited() {
    let long = line("witness.example/w", [1; 4], &[7; 5_000]);
    let note = format!("{}{}", signed().text(), long.repeat(15));
    assert_eq!(Note::parse(&note).unwrap().signatures.len(), 16);
    signed_twice(&note);
    let most = format!("text\n\n{}", STRANGER.repeat(MAX_NOTE_SIGNATURES));
    assert!(Note::parse(&most).is_ok());
    assert!(Note::parse(&format!("{most}{STRANGER}")).is_err());
    let longest_name = line(&"n".repeat(255), [1; 4], &[7; 8 + 2_420]);
    let full = format!("text\n\n{}", longest_name.repeat(MAX_NOTE_SIGNATURES));
    assert!(Note::parse(&full).is_ok(), "a hundred ML-DSA-44 cosignatures fit: {} bytes", full.len());
    assert!(Note::parse(&"x".repeat(MAX_NOTE_BYTES + 1)).is_err());
}

/// A long note is believed as a short one.
fn signed_twice(note: &str) {
    Note::parse(note).unwrap().verify(&key().verifier_key()).unwrap();
}

/// "Verifiers MUST ignore signatures from unknown keys, even if they share a name or ID (but not both) with a known
/// key."
#[test]
fn signatures_of_unknown_keys_are_ignored() {
    let known = key().verifier_key();
    let lines = [
        line("elsewhere.example", known.id(), &[1; 64]),
        line(ORIGIN, [9; 4], &[1; 64]),
        line("elsewhere.example", [9; 4], b"short"),
    ];
    for line in &lines {
        let before = format!("{}\n{line}", signed().body());
        let note = format!("{before}{}", &signed().text()[signed().body().len() + 1..]);
        Note::parse(&note).unwrap().verify(&known).unwrap();
        let error = Note::parse(&before).unwrap().verify(&known).unwrap_err();
        assert!(matches!(error, NoteError::NotSigned(_)), "no signature from a known key: MUST reject");
    }
}

/// "If the key name and ID match a known key, verifiers MUST verify the signature. If a signature from a known key
/// fails to verify, clients SHOULD reject the whole note."
#[test]
fn every_signature_of_a_known_key_must_verify() {
    for algorithm in ALGORITHMS {
        let key = key_of(algorithm);
        let (one, other) = (key.sign("one\n"), key.signature_line("other\n"));
        let error = Note::parse(&format!("{one}{other}")).unwrap().verify(&key.verifier_key()).unwrap_err();
        assert!(matches!(error, NoteError::BadSignature(_)));
    }
}

/// "It is RECOMMENDED that key IDs be the first four bytes ... of the SHA-256 hash of the following sequence: the key
/// name, a newline, a single signature type identifier byte assigned below, and the encoding of the public key."
#[test]
fn key_ids_are_derived_as_recommended() {
    for (algorithm, kind) in [(Algorithm::Ed25519, 1), (Algorithm::MlDsa44, 6)] {
        let key = key_of(algorithm).verifier_key();
        let hash = Sha256::digest([ORIGIN.as_bytes(), &[b'\n', kind], &key.to_bytes()].concat());
        assert_eq!(key.id(), hash[..4]);
    }
}

/// "`0xff` — Reserved for signature types without an identifier byte assigned by this specification. It is RECOMMENDED
/// that this byte be followed by a longer identifier that is unlikely to collide": what an ML-DSA-44 key signs that is
/// no checkpoint, for its own kind signs checkpoints alone. "A different key ID MUST be used for each signature type."
#[test]
fn an_ml_dsa_key_signs_other_texts_under_another_id() {
    let key = key_of(Algorithm::MlDsa44);
    let public = key.verifier_key();
    let kind = b"\xffML-DSA-44 over the note's text";
    let hash = Sha256::digest([ORIGIN.as_bytes(), b"\n", kind, &public.to_bytes()].concat());
    assert_eq!(public.note_id(), hash[..4]);
    assert_ne!(public.note_id(), public.id());
    let text = key.sign("no checkpoint\n");
    assert_eq!(Note::parse(&text).unwrap().signatures[0].id, public.note_id());
    assert_eq!(self::key().verifier_key().note_id(), self::key().verifier_key().id());
}

/// "Verifier keys ... are encoded as text strings composed of three parts separated by a plus (U+002B) character: the
/// key name, the hex encoding of the key ID, and the base64 encoding of the concatenation of the signature type and
/// the public key material." "The hex encoding ... is the fixed length lowercase".
#[test]
fn verifier_keys_have_one_spelling() {
    let (name, rest) = EXAMPLE_KEY.split_once('+').unwrap();
    let (id, material) = rest.split_once('+').unwrap();
    for bent in [
        format!("{name}+{}+{material}", id.to_uppercase()),
        format!("{name}+0{id}+{material}"),
        format!("{name}+{id}+{}", material.trim_end_matches('k')),
        format!("{name}+{id}"),
        format!("{name}+{id}+{material}="),
        format!("{name} +{id}+{material}"),
        format!("other.example+{id}+{material}"),
    ] {
        assert!(bent.parse::<VerifierKey>().is_err(), "{bent}");
    }
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
