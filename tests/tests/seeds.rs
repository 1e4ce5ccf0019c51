//! Every parser of outside bytes over the seeds that the fuzzers begin with, and over what is left of
//! them when they are cut and bent.
//!
//! The seeds are written anew by `cargo test -p audit-tests --test all seeds:: -- --ignored`; files whose names
//! begin with `found-` were found by a fuzzer and stay.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use audit_tests::fuzzing::TARGETS;

fn seeds(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target)
}

#[test]
fn every_seed_holds_whole_cut_and_bent() {
    for (name, target) in TARGETS {
        let mut files: Vec<PathBuf> =
            fs::read_dir(seeds(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{name} has no seeds");
        for file in files {
            let bytes = fs::read(&file).unwrap();
            assert!(bytes.len() <= 64 << 10, "{} is too large for a seed", file.display());
            target(&bytes);
            // A rulebook that can be read is priced, which takes its time.
            // A sequence of commands writes to the disk.
            let cuts = if ["rulebook", "commands"].contains(name) { 4 } else { 40 };
            let step = (bytes.len() / cuts).max(1);
            for at in (0..bytes.len()).step_by(step) {
                target(&bytes[..at]);
                let mut bent = bytes.clone();
                bent[at] ^= 1 << (at % 8);
                target(&bent);
            }
        }
    }
}

mod writing {
    use std::collections::{BTreeMap, BTreeSet};

    use audit_tests::forged;
    use audit_tests::fuzzing::FORMS;
    use casino::{Fault, Plan, simulate};
    use events::{Line, encode_payload};
    use follower::Follower;
    use intake::read_events;
    use minicbor::Encoder;
    use sealed_log::archive::{write_archive, write_slice};
    use sealed_log::notice::{Closing, Redaction, encode_closing, encode_continuation, encode_redaction};
    use sealed_log::proof::{CoseReceipt, EntryProof};
    use sealed_log::redaction::redact_entry;
    use sealed_log::store::{MemoryReader, MemoryStore, StoreNodes, StoreReader as _};
    use sealed_log::writer::{LogWriter, MemoryCheckpoint, Submission};
    use sealed_log_sled::LogFolder;
    use serde_json::{Value, json};
    use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
    use tlog::consistency::ConsistencyProof;
    use tlog::cosignature::WitnessSigningKey;
    use tlog::note::SigningKey;
    use tlog::tile::TreeResource;
    use tlog::tree::empty_root;

    use super::*;

    fn put(target: &str, name: &str, bytes: &[u8]) {
        fs::create_dir_all(seeds(target)).unwrap();
        fs::write(seeds(target).join(name), bytes).unwrap();
    }

    fn lines(book: &str, fault: Option<Fault>, most: usize) -> Vec<Line> {
        let book = baccarat::builtin(book).unwrap();
        simulate(&Plan { seed: 3, fault, ..Plan::new(book) }).lines.take(most).collect()
    }

    fn key() -> SigningKey {
        SigningKey::from_seed("casino.example/sala/1", &[7; 32]).unwrap()
    }

    /// A small log, an entry for every ten events.
    fn log() -> (MemoryReader, SignedCheckpoint, Vec<Vec<u8>>) {
        let lines = lines("mini-punto-banco", None, 200);
        let mut writer =
            LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(), None).unwrap();
        let mut payloads = Vec::new();
        for some in lines.chunks(10) {
            let (table, first) = (some[0].table.to_string(), some[0].sequence);
            let events: Vec<_> = some.iter().cloned().map(Line::into_event).collect();
            payloads.push(encode_payload(&events).unwrap());
            let submission = Submission {
                producer: "pit".parse().unwrap(),
                chain: table.parse().unwrap(),
                first,
                count: events.len() as u32,
                received_at: 1,
                payload: payloads.last().unwrap().clone(),
            };
            writer.append(&[submission]).unwrap();
        }
        (writer.reader().clone(), (*writer.signed_checkpoint()).clone(), payloads)
    }

    fn write_seal() {
        let (store, head, payloads) = log();
        let (key, entries) = (key(), store.read(0, 100).unwrap());
        let vkey = key.verifier_key();
        let whole = write_archive(Vec::new(), &store, &head, &vkey, &BTreeSet::from([3])).unwrap().0;
        let kept: BTreeMap<u64, Vec<u8>> = [4, 5, 11].map(|at| (at, entries[at as usize].clone())).into();
        let slice = write_slice(Vec::new(), &StoreNodes(&store), &head, Some(&vkey), &kept).unwrap().0;
        for target in ["archive", "archive_index"] {
            put(target, "whole", &whole);
            put(target, "slice", &slice);
        }
        put("checkpoint", "plain", head.text().as_bytes());
        put("key", "verifier", vkey.to_string().as_bytes());
        put("key", "signing", key.to_secret_text().as_bytes());
        let proof = EntryProof::make(&StoreNodes(&store), &head, 7, entries[7].clone()).unwrap();
        put("receipt", "seven", &CoseReceipt::sign(&proof, &key).unwrap().to_bytes());
        put("entry_proof", "seven", proof.to_string().as_bytes());
        put("entry_proof", "without-entry", proof.without_entry().to_string().as_bytes());
        let mut early = tlog::tree::Frontier::default();
        early.extend(&store.leaf_hashes(0, 5).unwrap());
        let older = Checkpoint::of("casino.example/sala/1", &early);
        let grown = ConsistencyProof::make(&StoreNodes(&store), &older, &head).unwrap();
        put("consistency_proof", "from-five", grown.to_string().as_bytes());
        write_witnesses();
        for (number, resource) in TreeResource::of_tree(70_000).step_by(100).enumerate() {
            put("tile", &format!("{number}"), resource.to_string().as_bytes());
        }
        put("entry", "first", &entries[0]);
        put("entry", "seventh", &entries[7]);
        put("entry", "stand-in", &redact_entry(&entries[7]).unwrap());
        let redaction = Redaction {
            gone_with_them: Vec::new(),
            entries: vec![(7, sealed_log::entry::Digest::of(&entries[7]))],
            reason: "art. 17".to_owned(),
            by: "dpo".to_owned(),
            countersigned_by: "director".to_owned(),
        };
        put("entry", "notice", &encode_redaction(&redaction).unwrap());
        put("entry", "continued", &encode_continuation(&head).unwrap());
        let closing =
            Closing { size: 5, root: older.root, successor: Some("casino.example/sala/2".to_owned()) };
        put("entry", "closed", &encode_closing(&closing).unwrap());
        for (number, payload) in payloads.iter().take(6).enumerate() {
            put("payload", &format!("{number}"), payload);
        }
    }

    fn write_witnesses() {
        let witness = |name: &str, seed| WitnessSigningKey::from_seed(name, &[seed; 32]).unwrap();
        let (one, two) = (witness("regulator.example/w1", 1), witness("union.example/w2", 2));
        let empty = Checkpoint { origin: key().name().to_owned(), size: 0, root: empty_root() };
        let signed = SignedCheckpoint::sign(&empty, &key()).unwrap();
        let answer = |key: &WitnessSigningKey| key.cosign(&signed, 1_700_000_000).unwrap().to_string();
        put("cosignature", "answer", answer(&one).as_bytes());
        put("cosignature", "of-two", (answer(&two) + &answer(&one)).as_bytes());
        put("cosignature", "verifier", one.verifier_key().to_string().as_bytes());
        put("cosignature", "signing", one.to_secret_text().as_bytes());
        let policy = format!(
            "# both sides\nlog {}\nwitness desk {} https://w1.example/\nwitness union {}\n\
             group side any union\ngroup both 2 desk side\nquorum both\n",
            key().verifier_key(),
            one.verifier_key(),
            two.verifier_key()
        );
        put("witness_policy", "both", policy.as_bytes());
        put("witness_policy", "none", b"quorum none\n");
    }

    /// Payloads as the target `judge` takes them.
    fn windows_of(lines: &[Line], size: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for some in lines.chunks(size) {
            let events: Vec<_> = some.iter().cloned().map(Line::into_event).collect();
            let payload = encode_payload(&events).unwrap();
            bytes.extend_from_slice(&(payload.len() as u16).to_be_bytes());
            bytes.extend_from_slice(&[0, 0]);
            bytes.extend_from_slice(&payload);
        }
        bytes
    }

    /// A JSON value as a CBOR library writes it.
    fn cbor(writer: &mut Encoder<&mut Vec<u8>>, value: &Value) {
        match value {
            Value::Null => _ = writer.null().unwrap(),
            Value::Bool(value) => _ = writer.bool(*value).unwrap(),
            Value::Number(number) => _ = writer.i64(number.as_i64().unwrap()).unwrap(),
            Value::String(text) => _ = writer.str(text).unwrap(),
            Value::Array(items) => {
                writer.array(items.len() as u64).unwrap();
                items.iter().for_each(|item| cbor(writer, item));
            }
            Value::Object(members) => {
                writer.map(members.len() as u64).unwrap();
                for (name, member) in members {
                    writer.str(name).unwrap();
                    cbor(writer, member);
                }
            }
        }
    }

    /// One event in each form.
    fn write_bodies(event: &Value) {
        let cloud = json!({
            "specversion": "1.0", "id": "1", "source": "/sala/1", "type": "x", "subject": "PB-01",
            "datacontenttype": "application/json", "data": event,
        });
        let in_cbor = |value: &Value| {
            let mut bytes = Vec::new();
            cbor(&mut Encoder::new(&mut bytes), value);
            bytes
        };
        let bodies = [
            event.to_string().into_bytes(),
            json!([event]).to_string().into_bytes(),
            in_cbor(&json!([event])),
            in_cbor(event),
            cloud.to_string().into_bytes(),
            json!([cloud]).to_string().into_bytes(),
            event.to_string().into_bytes(),
        ];
        for ((number, form), body) in (0..).zip(FORMS).zip(bodies) {
            assert!(read_events("PB-01", form, &body).is_ok(), "{form:?} of {event}");
            put("body", &format!("{form:?}"), &[vec![number], body].concat());
        }
    }

    /// A file of tokens, of each role one.
    fn tokens() -> String {
        let (hash, head) = ("ab".repeat(32), r#"{"format":"audit-tokens","version":1}"#);
        let of = |id: &str, role: &str, more: &str| {
            format!(
                r#"{{"id":"{id}","hash":"{hash}","role":"{role}"{more},"made_at":"2026-01-01T00:00:00Z"}}"#
            )
        };
        let append = r#","producer":"pit-1","tables":["PB-01","PB-02"],"expires_at":"2027-01-01T00:00:00Z""#;
        let read = of("0123456789ac", "read", r#","note":"the regulator""#);
        let append = of("0123456789ab", "append", append);
        let admin = of("0123456789ad", "admin", r#","producer":"pit-2","tables":"*""#);
        format!("{head}\n{append}\n{read}\n{admin}\n")
    }

    fn write_files() {
        let signed = forged::forged(3).signed();
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut writer = LogFolder::new(&log).open_writer(forged::key(7)).unwrap();
        let lines = lines("mini-punto-banco", None, 60);
        let events: Vec<_> = lines.iter().cloned().map(Line::into_event).collect();
        let submission = Submission {
            producer: "pit".parse().unwrap(),
            chain: lines[0].table.to_string().parse().unwrap(),
            first: lines[0].sequence,
            count: events.len() as u32,
            received_at: 1,
            payload: encode_payload(&events).unwrap(),
        };
        let sealed = writer.append(&[submission]).unwrap();
        let bytes = writer.reader().read(0, 1).unwrap();
        let (mut follower, _) =
            Follower::open(&folder.path().join("follower"), forged::key(7).verifier_key()).unwrap();
        put("follower_state", "fresh", b"{}");
        follower.read(&bytes).unwrap();
        follower.reach(&sealed.signed).unwrap();
        follower.save().unwrap();
        put("follower_state", "one", &fs::read(folder.path().join("follower/certificate.json")).unwrap());
        let proof =
            EntryProof::make(&StoreNodes(writer.reader()), &sealed.signed, 0, bytes[0].clone()).unwrap();
        let receipt = json!({
            "index": 0, "digest": sealed.entries[0].digest.to_string(), "first": lines[0].sequence,
            "count": events.len(), "proof": proof.without_entry().to_string(),
        });
        let posted = json!({
            "recorded": events.len(), "already_there": 0, "conflicts": 0, "receipts": [receipt],
            "checkpoint": sealed.signed.text(),
        });
        put("served", "posted", posted.to_string().as_bytes());
        let problem =
            json!({"type": "urn:audit:malformed", "status": 400, "detail": "no", "line": 3, "column": 9});
        put("served", "problem", problem.to_string().as_bytes());
        drop(writer);
        put("head", "closed", &fs::read(log.join("head")).unwrap());
        put("head", "short", signed.text().as_bytes());
        put("tokens", "three", tokens().as_bytes());
        put("commands", "each", &[0, 1, 3, 4, 2, 5, 6, 7, 12, 3, 20, 5]);
        put("commands", "many", &[0, 16, 4, 5, 3, 32, 5]);
        for (name, seed) in [("plain", 2), ("notices", 8)] {
            put("archive_repaired", name, &forged::forged(seed).archive());
        }
    }

    #[test]
    #[ignore = "writes the seeds anew"]
    fn write() {
        write_seal();
        write_files();
        let mut kinds = BTreeMap::new();
        for id in ["punto-banco", "chemin-de-fer-catalogo"] {
            let book = baccarat::builtin(id).unwrap();
            for fault in Fault::ALL.iter().filter(|fault| fault.applies_to(&book)) {
                for line in lines(id, Some(*fault), 4_000) {
                    let json = line.to_json().unwrap();
                    let kind = json.split_once("\"event\":{\"").and_then(|(_, rest)| rest.split('"').next());
                    kinds.entry(kind.unwrap().to_owned()).or_insert(json);
                }
            }
        }
        let mut settled: Value = serde_json::from_str(&kinds["CoupSettled"]).unwrap();
        settled["table"] = "PB-01".into();
        write_bodies(&settled);
        for (kind, json) in kinds {
            put("event", &kind, json.as_bytes());
        }
        for (id, text) in baccarat::builtins() {
            put("rulebook", id, text.as_bytes());
        }
        for book in ["es-1979", "punto-banco", "no-commission-six-half", "chemin-de-fer-catalogo"] {
            put("judge", book, &windows_of(&lines(book, None, 60), 12));
            put("judge", &format!("{book}-live"), &windows_of(&lines(book, None, 30), 1));
        }
    }
}
