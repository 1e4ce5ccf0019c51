//! The worked example of `docs/format.md`: its values are those of this crate, and the commands on
//! that page print them (`.ci/check_example`).
#![allow(clippy::unwrap_used)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sealed_log::redaction::sealed_digest;
use sealed_log::store::{MemoryStore, StoreReader};
use sealed_log::writer::{LogWriter, MemoryCheckpoint, Submission};
use tlog::note::SigningKey;
use tlog::tree::node_hash;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_worked_example_is_what_this_crate_does() {
    let key = SigningKey::from_seed("casino.example/sala/1", &[0x2a; 32]).unwrap();
    let mut writer =
        LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key.clone(), None).unwrap();
    for (first, payload) in [(1, &b"abc"[..]), (4, b"de")] {
        let submission = Submission {
            producer: "pit-1".parse().unwrap(),
            chain: "mesa-07".parse().unwrap(),
            first,
            count: 3,
            received_at: 1_700_000_000_000_000,
            payload: payload.to_vec(),
        };
        writer.append(&[submission]).unwrap();
    }
    let signed = writer.signed_checkpoint();
    let entries = writer.reader().read(0, 2).unwrap();
    let digests = [sealed_digest(&entries[0]), sealed_digest(&entries[1])];
    let leaves = [digests[0].leaf_hash(), digests[1].leaf_hash()];
    let root = node_hash(&leaves[0], &leaves[1]);
    assert_eq!(root, signed.checkpoint().root);
    let public = STANDARD.decode(key.verifier_key().to_string().splitn(3, '+').nth(2).unwrap()).unwrap();
    let page = include_str!("../../../docs/format.md");
    let (_, example) = page.split_once("## A worked example").unwrap();
    for (what, value) in [
        ("first entry", hex(&entries[0])),
        ("second entry", hex(&entries[1])),
        ("first digest", digests[0].to_string()),
        ("second digest", digests[1].to_string()),
        ("first leaf", hex(&leaves[0])),
        ("second leaf", hex(&leaves[1])),
        ("root", hex(&root)),
        ("root in base64", STANDARD.encode(root)),
        ("public key", hex(&public[1..])),
        ("verifier key", key.verifier_key().to_string()),
        ("signature", hex(&signed.signatures()[0].signature)),
        ("key id", hex(&signed.signatures()[0].id)),
    ] {
        assert!(example.contains(&value), "the page lacks the {what}: {value}");
    }
}
