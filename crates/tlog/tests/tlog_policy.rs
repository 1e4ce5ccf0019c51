//! C2SP tlog-policy: the example of the text, every subset of its witnesses, every kind of mistake, and what the
//! text says must be read.
#![allow(clippy::unwrap_used)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use tlog::checkpoint::SignedCheckpoint;
use tlog::cosignature::{CosignatureError, WitnessKey, WitnessSigningKey};
use tlog::key::Algorithm;
use tlog::note::{SigningKey, VerifierKey};
use tlog::policy::{PolicyError, WitnessPolicy};

use crate::logs::{ALGORITHMS, ORIGIN, key, key_of, log, signed_at, witness_of};

fn witness(number: u8) -> WitnessSigningKey {
    WitnessSigningKey::from_seed(&format!("witness.example/{number}"), &[number; 32]).unwrap()
}

fn vkey(number: u8) -> WitnessKey {
    witness(number).verifier_key()
}

fn parse(text: &str) -> Result<WitnessPolicy, PolicyError> {
    text.parse()
}

/// Two of three on one side, any on the other, both sides: the example of C2SP tlog-policy.
fn two_sides() -> String {
    let mut text = format!("log {}\n\n", key().verifier_key());
    for number in 1..=3 {
        text += &format!("witness X{number} {}\n", vkey(number));
    }
    text += "group X-witnesses 2 X1 X2 X3\n\n";
    for number in 4..=6 {
        text += &format!("witness Y{number} {} https://y{number}.example/\n", vkey(number));
    }
    text + "group Y-witnesses any Y4 Y5 Y6\n\ngroup X-and-Y all X-witnesses Y-witnesses\nquorum X-and-Y\n"
}

#[test]
fn every_subset_of_witnesses_is_judged_as_the_groups_say() {
    let policy = parse(&two_sides()).unwrap();
    let (_, signed) = log(9);
    for subset in 0..64_u32 {
        let has = |number: u8| subset & (1 << (number - 1)) != 0;
        let mut signed = signed.clone();
        for number in (1..=6).filter(|number| has(*number)) {
            signed =
                signed.with_cosignature(&witness(number).cosign(&signed, 1_700_000_000).unwrap()).unwrap();
        }
        let witnessed = policy.count(&signed);
        let (x, y) = ((subset & 7).count_ones(), (subset >> 3).count_ones());
        assert_eq!(witnessed.quorum, x >= 2 && y >= 1, "{subset:06b}");
        assert_eq!(witnessed.counted.len() as u32, x + y);
        assert_eq!(witnessed.counted.len() + witnessed.not_counted.len(), 6);
        assert!(witnessed.not_counted.iter().all(|(_, why)| matches!(why, CosignatureError::Missing(_))));
    }
}

#[test]
fn a_cosignature_of_another_checkpoint_or_by_another_key_does_not_count() {
    let (store, signed) = log(9);
    let policy = parse(&format!("witness w {}\nquorum w\n", vkey(1))).unwrap();
    let older = signed_at(&store, 8);
    let borrowed = signed.with_cosignature(&witness(1).cosign(&older, 5).unwrap()).unwrap();
    let witnessed = policy.count(&borrowed);
    assert!(!witnessed.quorum && matches!(witnessed.not_counted[0].1, CosignatureError::Bad { .. }));
    assert!(witnessed.rejected.unwrap().starts_with("witness w: a cosignature by witness.example/1"));
    let named_alike = WitnessSigningKey::from_seed("witness.example/1", &[9; 32]).unwrap();
    let alike = signed.with_cosignature(&named_alike.cosign(&signed, 5).unwrap()).unwrap();
    assert!(!policy.count(&alike).quorum);
    let good = signed.with_cosignature(&witness(1).cosign(&signed, 5).unwrap()).unwrap();
    assert_eq!(policy.count(&good).counted, [("w".to_owned(), 5)]);
}

#[test]
fn a_log_that_is_not_listed_has_no_quorum() {
    let (_, signed) = log(9);
    let signed = signed.with_cosignature(&witness(1).cosign(&signed, 5).unwrap()).unwrap();
    let stranger = SigningKey::from_seed(ORIGIN, &[8; 32]).unwrap().verifier_key();
    let of = |log: &VerifierKey| parse(&format!("log {log}\nwitness w {}\nquorum w", vkey(1))).unwrap();
    assert!(of(&key().verifier_key()).count(&signed).quorum);
    let witnessed = of(&stranger).count(&signed);
    assert!(!witnessed.quorum && !witnessed.log_listed && witnessed.counted.len() == 1);
}

#[test]
fn spaces_comments_urls_and_odd_names_are_read() {
    let text = format!(
        "\n# ein Kommentar\n\t # another\n\twitness \t all  {}   https://w1.example.com/  \n\
         witness señal {}\ngroup group 2 all señal\n\n  quorum\tgroup",
        vkey(1),
        vkey(2)
    );
    let policy = parse(&text).unwrap();
    assert_eq!(policy.witnesses()[0].url.as_deref(), Some("https://w1.example.com/"));
    assert_eq!(policy.witnesses()[1].name, "señal");
    assert!(!policy.count(&log(3).1).quorum && policy.asks_for_witnesses() && policy.logs().is_empty());
    let none = parse("quorum none\n").unwrap();
    assert!(none.count(&log(3).1).quorum && !none.asks_for_witnesses());
}

#[test]
fn every_mistake_is_told_with_its_line() {
    let (one, two) = (vkey(1), vkey(2));
    let log = key().verifier_key();
    let plain = SigningKey::from_seed("w", &[1; 32]).unwrap().verifier_key();
    let renamed = WitnessSigningKey::from_seed("other.example", &[1; 32]).unwrap().verifier_key();
    let cases: Vec<(String, usize, &str)> = vec![
        (String::new(), 1, "without a quorum line"),
        (format!("witness w {one}\n"), 2, "without a quorum line"),
        ("quorum none\n\u{1}\n".into(), 2, "byte 0x01"),
        ("quorum none\r\n".into(), 1, "byte 0x0d"),
        ("quibble w\nquorum none\n".into(), 1, "`quibble` begins no line"),
        (format!("witness w {one} https://w.example # here\nquorum w\n"), 1, "witness NAME VKEY"),
        ("log\nquorum none\n".into(), 1, "log VKEY"),
        ("log garbage\nquorum none\n".into(), 1, "not a verifier key"),
        (format!("log {one}\nquorum none\n"), 1, "the key of a witness"),
        (format!("log {log}\nlog {log} https://l.example\nquorum none\n"), 2, "already"),
        ("witness w\nquorum none\n".into(), 1, "witness NAME VKEY"),
        (format!("witness w {plain}\nquorum w\n"), 1, "the key of a log"),
        (format!("witness w {one}\nwitness v {renamed}\nquorum w\n"), 2, "same key"),
        (format!("witness none {one}\nquorum none\n"), 1, "`none` is no name"),
        (format!("witness w {one}\nwitness w {two}\nquorum w\n"), 2, "another witness or group"),
        (format!("witness w {one}\ngroup w any w\nquorum w\n"), 2, "another witness or group"),
        (format!("witness w {one}\ngroup g 1\nquorum w\n"), 2, "group NAME all|any|NUMBER"),
        (format!("witness w {one}\ngroup none any w\nquorum w\n"), 2, "`none` is no name"),
        (format!("witness w {one}\ngroup g 0 w\nquorum g\n"), 2, "a number from 1 to 1"),
        (format!("witness w {one}\ngroup g -1 w\nquorum g\n"), 2, "a number from 1 to 1"),
        (format!("witness w {one}\ngroup g 2 w\nquorum g\n"), 2, "a number from 1 to 1"),
        (format!("witness w {one}\ngroup g 01 w\nquorum g\n"), 2, "a number from 1 to 1"),
        (format!("witness w {one}\ngroup g any v\nquorum g\n"), 2, "`v` is not the name"),
        (format!("group g any w\nwitness w {one}\nquorum g\n"), 1, "`w` is not the name"),
        (format!("witness w {one}\ngroup g any none w\nquorum g\n"), 2, "`none` is not the name"),
        (format!("witness w {one}\ngroup g all w w\nquorum g\n"), 2, "in a group already"),
        (
            format!("witness w {one}\nwitness v {two}\ngroup g any w v\ngroup h any w\nquorum g\n"),
            4,
            "in a group already",
        ),
        (format!("witness w {one}\nquorum w\nquorum w\n"), 3, "second quorum"),
        ("quorum unknown\n".into(), 1, "`unknown` is not the name"),
        (format!("quorum w\nwitness w {one}\n"), 1, "`w` is not the name"),
        ("quorum\n".into(), 1, "quorum NAME"),
    ];
    for (text, line, why) in cases {
        let error = parse(&text).expect_err(&text);
        assert_eq!(error.line, line, "{text}");
        assert!(error.why.contains(why), "{text}: {error}");
    }
}

/// A key text of a kind that this crate does not read.
fn unknown(name: &str, kind: u8, byte: u8) -> String {
    format!("{name}+0badcafe+{}", STANDARD.encode([&[kind][..], &[byte; 65]].concat()))
}

/// "Log and witness keys must use a signature type appropriate [for the] respective function, see tlog-checkpoint
/// and tlog-cosignature": both texts have ML-DSA-44.
#[test]
fn keys_of_both_algorithms_are_counted_together() {
    let witnesses =
        [witness_of(Algorithm::Ed25519, "w.example/a", 1), witness_of(Algorithm::MlDsa44, "w.example/b", 2)];
    let (_, signed) = log(9);
    for algorithm in ALGORITHMS {
        let own = key_of(algorithm);
        let signed = SignedCheckpoint::sign(signed.checkpoint(), &own).unwrap();
        let text = format!(
            "log {}\nwitness a {}\nwitness b {}\ngroup g all a b\nquorum g\n",
            own.verifier_key(),
            witnesses[0].verifier_key(),
            witnesses[1].verifier_key()
        );
        let policy = parse(&text).unwrap();
        let one = signed.with_cosignature(&witnesses[1].cosign(&signed, 6).unwrap()).unwrap();
        assert!(!policy.count(&one).quorum && policy.count(&one).log_listed);
        let both = one.with_cosignature(&witnesses[0].cosign(&signed, 5).unwrap()).unwrap();
        let witnessed = policy.count(&both);
        assert!(witnessed.quorum && witnessed.rejected.is_none());
        assert_eq!(witnessed.counted, [("a".to_owned(), 5), ("b".to_owned(), 6)]);
    }
}

/// The text does not say what to do with a signature type that a reader does not know. A policy that others use
/// stays readable: such a witness has signed nothing that can be checked.
#[test]
fn a_witness_of_an_unknown_kind_is_kept_and_never_counted() {
    let (_, signed) = log(9);
    let text = format!(
        "witness old {}\nwitness new {} https://new.example\ngroup g any old new\ngroup h all g\nquorum h\n",
        vkey(1),
        unknown("new.example/w", 2, 9)
    );
    let policy = parse(&text).unwrap();
    let signed = signed.with_cosignature(&witness(1).cosign(&signed, 5).unwrap()).unwrap();
    let witnessed = policy.count(&signed);
    assert!(witnessed.quorum && witnessed.rejected.is_none());
    assert_eq!(witnessed.not_counted, [("new".to_owned(), CosignatureError::UnknownKind(2))]);
    assert!(witnessed.not_counted[0].1.to_string().contains("kind 0x02, which is not read here"));
    assert_eq!((policy.witnesses().len(), policy.unknown_witnesses()[0].0.as_str()), (1, "new"));
    let needed = parse(&text.replace("any old new", "all old new")).unwrap();
    assert!(!needed.count(&signed).quorum);
    let alone = parse(&format!("witness new {}\nquorum new\n", unknown("new.example/w", 0xfa, 9))).unwrap();
    assert!(alone.asks_for_witnesses() && !alone.count(&signed).quorum);
}

/// A policy for one log of an unknown kind is not a policy for any log.
#[test]
fn a_log_of_an_unknown_kind_is_never_recognised() {
    let (_, signed) = log(9);
    let strange = unknown(ORIGIN, 5, 9);
    let only = parse(&format!("log {strange}\nquorum none\n")).unwrap();
    let witnessed = only.count(&signed);
    assert!(!witnessed.log_listed && !witnessed.quorum);
    assert_eq!(only.unknown_logs()[0].kind(), 5);
    let beside = parse(&format!("log {strange}\nlog {}\nquorum none\n", key().verifier_key())).unwrap();
    assert!(beside.count(&signed).quorum);
}

/// "Two vkeys are considered *duplicate* if they wrap the same underlying public key, even if they differ by key
/// name and key id": of unknown kinds as well.
#[test]
fn duplicates_are_refused_whatever_their_kind_and_name() {
    let (one, two) = (unknown("a.example", 2, 9), unknown("b.example", 0xfb, 9));
    for text in [
        format!("witness a {one}\nwitness b {two}\nquorum none\n"),
        format!("log {one}\nlog {two}\nquorum none\n"),
    ] {
        assert_eq!(parse(&text).unwrap_err().line, 2, "{text}");
    }
    let raw = STANDARD.encode([&[2][..], &vkey(1).to_bytes()].concat());
    let text = format!("witness a {}\nwitness b b.example+0badcafe+{raw}\nquorum none\n", vkey(1));
    assert!(parse(&text).unwrap_err().why.contains("witness a has the same key"));
}

/// C2SP signed-note: "If a signature from a known key fails to verify, clients SHOULD reject the whole note."
#[test]
fn a_broken_signature_by_a_key_of_the_policy_rejects_the_checkpoint() {
    let (store, signed) = log(9);
    let older = signed_at(&store, 8);
    let text = format!(
        "log {}\nwitness a {}\nwitness b {}\ngroup g any a b\nquorum g\n",
        key().verifier_key(),
        vkey(1),
        vkey(2)
    );
    let policy = parse(&text).unwrap();
    let good = signed.with_cosignature(&witness(1).cosign(&signed, 5).unwrap()).unwrap();
    assert!(policy.count(&good).quorum);
    let broken = good.with_cosignature(&witness(2).cosign(&older, 5).unwrap()).unwrap();
    let witnessed = policy.count(&broken);
    assert!(!witnessed.quorum && witnessed.counted.len() == 1);
    assert!(
        witnessed.rejected.unwrap().contains("witness b: a cosignature by witness.example/2 does not hold")
    );
    let stranger = good.with_cosignature(&witness(3).cosign(&older, 5).unwrap()).unwrap();
    assert!(policy.count(&stranger).quorum, "lines of unknown keys are ignored");
    // A second line of the log's own key, borrowed from another checkpoint.
    let borrowed = older.text().lines().last().unwrap();
    let two = SignedCheckpoint::parse(&format!("{}{borrowed}\n", good.text())).unwrap();
    let witnessed = policy.count(&two);
    assert!(!witnessed.quorum && witnessed.rejected.unwrap().contains(ORIGIN));
}

/// "It is strongly recommended that an implementation supports at least up to 32 logs, 32 witnesses, and 32
/// groups."
#[test]
fn at_least_32_logs_witnesses_and_groups_are_supported() {
    let mut text = String::new();
    for number in 1..=40 {
        let log = SigningKey::from_seed(&format!("log.example/{number}"), &[number; 32]).unwrap();
        text += &format!(
            "log {}\nwitness w{number} {}\ngroup g{number} all w{number}\n",
            log.verifier_key(),
            vkey(number)
        );
    }
    let policy = parse(&(text + "quorum g40\n")).unwrap();
    assert_eq!((policy.logs().len(), policy.witnesses().len()), (40, 40));
}

/// "The name 0x4B (ASCII \"K\") is different from the name 0xE2 0x84 0xAA (a Kelvin sign)".
#[test]
fn names_are_opaque_octets() {
    let text = format!("witness K {}\nwitness \u{212a} {}\nquorum K\n", vkey(1), vkey(2));
    assert_eq!(parse(&text).unwrap().witnesses().len(), 2);
}

/// C2SP tlog-cosignature: a time of zero makes no "statement as to the tree being the largest". A log's own ML-DSA-44
/// signature is such a line, and a key of either role has the same text.
#[test]
fn a_log_is_not_its_own_witness() {
    let key = SigningKey::with_algorithm(Algorithm::MlDsa44, ORIGIN, &[3; 32]).unwrap();
    let own = SignedCheckpoint::sign(log(9).1.checkpoint(), &key).unwrap();
    let own_key = key.verifier_key();
    let alone = parse(&format!("witness w {own_key}\nquorum w")).unwrap().count(&own);
    assert!(!alone.quorum && alone.counted.is_empty() && alone.rejected.is_none());
    assert_eq!(alone.not_counted, [("w".to_owned(), CosignatureError::OwnWitness(ORIGIN.to_owned()))]);
    // The same key under another name, by which the log says a time.
    let renamed = witness_of(Algorithm::MlDsa44, "elsewhere.example/w", 3);
    let untimed = own.with_cosignature(&renamed.cosign(&own, 0).unwrap()).unwrap();
    let said = parse(&format!("witness w {}\nquorum w", renamed.verifier_key())).unwrap().count(&untimed);
    assert!(matches!(&said.not_counted[..], [(_, CosignatureError::NoStatement(_))]) && !said.quorum);
    for text in [
        format!("log {own_key}\nwitness w {own_key}\nquorum w"),
        format!("witness w {own_key}\nlog {own_key}\nquorum w"),
    ] {
        let refused = parse(&text).unwrap_err();
        assert_eq!((refused.line, refused.why.contains("its own witness")), (2, true), "{refused}");
    }
}

/// A policy is a file from outside: reading it takes time in proportion to its length.
#[test]
fn a_long_policy_is_read_in_proportion_to_its_length() {
    let policy = |count: u32| {
        let mut text = String::new();
        for number in 0..count {
            // A kind of key that is not read here: nothing but its bytes is looked at.
            let public = [&[0x77][..], &number.to_be_bytes()].concat();
            let mut hash = Sha256::new();
            hash.update(format!("l{number}.example/log\n"));
            hash.update(&public);
            let id: String = hash.finalize()[..4].iter().map(|byte| format!("{byte:02x}")).collect();
            text += &format!("log l{number}.example/log+{id}+{}\n", STANDARD.encode(public));
        }
        text + "quorum none\n"
    };
    let least = |text: &str| {
        let time = |_| {
            let begun = std::time::Instant::now();
            assert!(text.parse::<WitnessPolicy>().is_ok());
            begun.elapsed()
        };
        (0..3).map(time).min().unwrap()
    };
    let (short, long) = (least(&policy(2_000)), least(&policy(16_000)));
    // Eight times as long: 64 times the time, if each line were compared with every other one.
    assert!(long < short * 24, "{short:?}, {long:?}");
}
