//! Keys' texts: what survives them, what is refused, and which messages a refusal has.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::cosignature::{WitnessKey, WitnessSigningKey};
use crate::note::{SigningKey, VerifierKey};

const NAME: &str = "log.example/records/1";
const ALGORITHMS: [Algorithm; 2] = [Algorithm::Ed25519, Algorithm::MlDsa44];

fn key<R: Role>(algorithm: Algorithm) -> SecretKey<R> {
    SecretKey::with_algorithm(algorithm, NAME, &[7; 32]).unwrap()
}

fn survives<R: Role>(algorithm: Algorithm) {
    let (secret, public) = (key::<R>(algorithm), key::<R>(algorithm).verifier_key());
    assert_eq!(public.to_string().parse::<PublicKey<R>>().unwrap(), public);
    assert_eq!(public.algorithm(), algorithm);
    let again: SecretKey<R> = secret.to_secret_text().parse().unwrap();
    assert_eq!(again.verifier_key(), public);
    assert!(!format!("{secret:?}").contains(&secret.to_secret_text()[45..]));
    let signature = secret.sign_bytes(b"text");
    assert_eq!(signature.len(), algorithm.signature_bytes());
    assert!(public.checks(b"text", &signature) && !public.checks(b"Text", &signature));
    assert_eq!(signature, secret.sign_bytes(b"text"), "signing takes no randomness");
}

#[test]
fn keys_survive_their_text_forms() {
    for algorithm in ALGORITHMS {
        survives::<Log>(algorithm);
        survives::<Witness>(algorithm);
    }
}

/// Every byte of an Ed25519 key's text, and of an ML-DSA-44 key's those before and after the long part's middle.
fn bent_is_refused<R: Role>(algorithm: Algorithm) {
    let public = key::<R>(algorithm).verifier_key().to_string();
    for at in (0..public.len()).filter(|at| *at < 64 || at % 97 == 0 || *at + 8 > public.len()) {
        let mut bent = public.clone().into_bytes();
        bent[at] ^= 1;
        assert!(String::from_utf8(bent).unwrap().parse::<PublicKey<R>>().is_err(), "byte {at}");
        assert!(public[..at].parse::<PublicKey<R>>().is_err(), "{at}");
    }
    let secret = key::<R>(algorithm).to_secret_text();
    for at in 0..secret.len() {
        let error = secret[..at].parse::<SecretKey<R>>().unwrap_err().to_string();
        assert!(!error.contains(&secret[60..]), "{error}");
    }
}

#[test]
fn bent_key_texts_are_refused_and_secrets_not_repeated() {
    for algorithm in ALGORITHMS {
        bent_is_refused::<Log>(algorithm);
        bent_is_refused::<Witness>(algorithm);
    }
    for name in ["", "a b", "a+b", "a\nb", "\u{2003}", &"n".repeat(256)] {
        assert!(matches!(SigningKey::from_seed(name, &[0; 32]), Err(KeyError::Name(_))), "{name:?}");
    }
}

#[test]
fn an_ed25519_key_of_one_role_is_refused_for_the_other() {
    let (log, witness) = (key::<Log>(Algorithm::Ed25519), key::<Witness>(Algorithm::Ed25519));
    assert_eq!(log.verifier_key().to_bytes(), witness.verifier_key().to_bytes());
    assert_ne!(log.verifier_key().id(), witness.verifier_key().id());
    let error = log.verifier_key().to_string().parse::<WitnessKey>().unwrap_err().to_string();
    assert!(error.contains("witness's verifier key") && error.contains("the key of a log"), "{error}");
    let error = witness.verifier_key().to_string().parse::<VerifierKey>().unwrap_err().to_string();
    assert!(error.contains("the key of a witness"), "{error}");
    let error = log.to_secret_text().parse::<WitnessSigningKey>().unwrap_err().to_string();
    assert!(error.contains("the key of a log") && !error.contains(&log.to_secret_text()[45..]), "{error}");
    let error = witness.to_secret_text().parse::<SigningKey>().unwrap_err().to_string();
    assert!(error.contains("the key of a witness"), "{error}");
}

/// One ML-DSA-44 key text serves both roles: what is signed names the signer and the log.
#[test]
fn an_ml_dsa_key_text_is_read_in_both_roles() {
    let text = key::<Log>(Algorithm::MlDsa44).verifier_key().to_string();
    assert_eq!(text.parse::<VerifierKey>().unwrap().to_string(), text);
    assert_eq!(text.parse::<WitnessKey>().unwrap().to_string(), text);
}

#[test]
fn a_key_of_another_kind_is_named_and_not_used() {
    let text = format!("{NAME}+0badcafe+{}", STANDARD.encode([&[2][..], &[9; 65]].concat()));
    let KeyText::Unknown(unknown) = text.parse::<KeyText<Witness>>().unwrap() else { panic!("known") };
    assert_eq!((unknown.name(), unknown.kind(), unknown.id()), (NAME, 2, [0x0b, 0xad, 0xca, 0xfe]));
    let error = text.parse::<WitnessKey>().unwrap_err().to_string();
    assert!(error.contains("kind 0x02, which is not read here"), "{error}");
    for text in
        [format!("{NAME}+0BADCAFE+Agk="), format!("{NAME}+0badcafe+Ag=="), format!("{NAME}++0badcaf+Agk=")]
    {
        assert!(text.parse::<KeyText<Log>>().is_err(), "{text}");
    }
}
