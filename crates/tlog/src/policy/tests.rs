//! Policies: the example of the C2SP text, every subset of its witnesses, and every kind of mistake.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::cosignature::WitnessSigningKey;
use crate::fixture::{ORIGIN, head_at, key, log};
use crate::note::SigningKey;

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
    let (_, head) = log(9);
    for subset in 0..64_u32 {
        let has = |number: u8| subset & (1 << (number - 1)) != 0;
        let mut signed = head.clone();
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
    let (store, head) = log(9);
    let policy = parse(&format!("witness w {}\nquorum w\n", vkey(1))).unwrap();
    let older = head_at(&store, 8);
    let borrowed = head.with_cosignature(&witness(1).cosign(&older, 5).unwrap()).unwrap();
    let witnessed = policy.count(&borrowed);
    assert!(!witnessed.quorum && matches!(witnessed.not_counted[0].1, CosignatureError::Bad { .. }));
    let named_alike = WitnessSigningKey::from_seed("witness.example/1", &[9; 32]).unwrap();
    let alike = head.with_cosignature(&named_alike.cosign(&head, 5).unwrap()).unwrap();
    assert!(!policy.count(&alike).quorum);
    let good = head.with_cosignature(&witness(1).cosign(&head, 5).unwrap()).unwrap();
    assert_eq!(policy.count(&good).counted, [("w".to_owned(), 5)]);
}

#[test]
fn a_log_that_is_not_listed_has_no_quorum() {
    let (_, head) = log(9);
    let signed = head.with_cosignature(&witness(1).cosign(&head, 5).unwrap()).unwrap();
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
