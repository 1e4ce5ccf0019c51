//! What every parser of outside bytes has to hold, whatever the bytes: it neither panics nor hangs,
//! and what it accepts it writes again as it came.
//!
//! One function a parser. `tests/fuzz` runs them under a fuzzer, `tests/tests/seeds.rs` runs them over
//! the seeds in `tests/fuzz/seeds`.
#![allow(clippy::missing_panics_doc, reason = "a fuzzer detects a fault by a panic")]

use std::fs;
use std::io::Cursor;
use std::os::unix::fs::PermissionsExt as _;

use baccarat::{Rulebook, lint};
use client::{Posted, Problem};
use events::{Line, decode_payload_with_minor, encode_payload_at};
use follower::{Begun, Follower};
use intake::{Form, read_events};
use replay::{Entry, Judge};
use sealed_log::archive::{ArchiveIndex, ArchiveSource};
use sealed_log::entry::{ChainName, Digest, encode_entry, parse_entry};
use sealed_log::notice::{Notice, encode_closing, encode_continuation, parse_notice};
use sealed_log::proof::{CoseReceipt, EntryProof};
use sealed_log::reader::{Expectations, LogReader, Verdict};
use sealed_log::redaction::{parse_kept, redact_entry, sealed_digest};
use sealed_log_sled::LogFolder;
use service::access::TokenFile;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::consistency::ConsistencyProof;
use tlog::cosignature::{WitnessKey, WitnessSigningKey};
use tlog::note::{SigningKey, VerifierKey};
use tlog::policy::WitnessPolicy;
use tlog::tile::TreeResource;
use tlog::tree::empty_root;

use crate::forged;

/// A parser and what it has to hold.
pub type Target = fn(&[u8]);

/// Every target, by the name of its folder of seeds.
pub const TARGETS: &[(&str, Target)] = &[
    ("archive", archive),
    ("archive_index", archive_index),
    ("checkpoint", checkpoint),
    ("key", key),
    ("entry_proof", entry_proof),
    ("consistency_proof", consistency_proof),
    ("cosignature", cosignature),
    ("witness_policy", witness_policy),
    ("receipt", receipt),
    ("tile", tile),
    ("entry", entry),
    ("payload", payload),
    ("event", event),
    ("rulebook", rulebook),
    ("judge", judge),
    ("body", body),
    ("archive_repaired", archive_repaired),
    ("commands", commands),
    ("follower_state", follower_state),
    ("head", head),
    ("served", served),
    ("tokens", tokens),
];

/// An archive is read to its end, and only a whole one is intact.
pub fn archive(bytes: &[u8]) {
    let Ok(source) = ArchiveSource::new(bytes) else { return };
    let mut reader = LogReader::new(source, Expectations::default());
    let mut entries = 0;
    while let Ok(Some(window)) = reader.next_window() {
        entries += window.entries().count() as u64;
    }
    let report = reader.finish();
    // Of a log that is not intact entries may stand where none belong.
    assert!(report.intact != Verdict::Yes || entries + report.left_out == report.size);
    assert_eq!(report.intact == Verdict::No, report.fault_count > 0);
    assert_eq!(report.proof.is_some(), report.intact == Verdict::Yes);
}

/// What the index says is looked up without reading the rest.
pub fn archive_index(bytes: &[u8]) {
    let Ok(mut index) = ArchiveIndex::new(Cursor::new(bytes)) else { return };
    for chain in ["PB-01", "mesa-0", "@log"].into_iter().flat_map(ChainName::new) {
        let _ = index.chain_entries(&chain, 1, 500, |entry| assert!(!entry.altered));
    }
}

/// A signed checkpoint keeps its text.
pub fn checkpoint(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(signed) = SignedCheckpoint::parse(text) else { return };
    assert_eq!(signed.text(), text);
    let key = SigningKey::from_seed(&signed.checkpoint().origin, &[7; 32]);
    if let Ok(key) = key {
        let again = SignedCheckpoint::sign(signed.checkpoint(), &key);
        let again = again.expect("what was read can be signed");
        assert_eq!(again.checkpoint(), signed.checkpoint());
        assert!(again.verify(&key.verifier_key()).is_ok());
    }
}

/// A key has one spelling.
pub fn key(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(key) = text.parse::<VerifierKey>() {
        assert_eq!(key.to_string(), text);
    }
    if let Ok(key) = text.parse::<SigningKey>() {
        assert_eq!(key.to_secret_text(), text);
    }
}

/// A proof that an entry is in a log.
pub fn entry_proof(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(proof) = text.parse::<EntryProof>() else { return };
    let again = proof.to_string();
    assert_eq!(again.parse::<EntryProof>().as_ref(), Ok(&proof));
    let digest = proof.entry().map_or(Digest::ZERO, Digest::of);
    if let Ok(key) = SigningKey::from_seed(&proof.checkpoint().checkpoint().origin, &[7; 32]) {
        let _ = proof.verify(&key.verifier_key(), &digest);
    }
}

/// A proof that a log grew.
pub fn consistency_proof(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(proof) = text.parse::<ConsistencyProof>() else { return };
    assert_eq!(proof.to_string().parse::<ConsistencyProof>().as_ref(), Ok(&proof));
}

/// What a witness answered, and keys of witnesses: what is believed is found again under the checkpoint.
pub fn cosignature(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(key) = text.parse::<WitnessKey>() {
        assert_eq!(key.to_string(), text);
    }
    if let Ok(key) = text.parse::<WitnessSigningKey>() {
        assert_eq!(key.to_secret_text(), text);
    }
    let Ok(log) = SigningKey::from_seed("casino.example/sala/1", &[7; 32]) else { return };
    let witness = witness();
    let empty = Checkpoint { origin: "casino.example/sala/1".to_owned(), size: 0, root: empty_root() };
    let Ok(signed) = SignedCheckpoint::sign(&empty, &log) else { return };
    if let Ok(answer) = signed.cosignature_in(text, &witness) {
        let cosigned = signed.with_cosignature(&answer).expect("one line more fits");
        assert_eq!(witness.verify(&cosigned), Ok(answer));
    }
}

/// The witness whose answers are among the seeds.
fn witness() -> WitnessKey {
    WitnessSigningKey::from_seed("regulator.example/w1", &[1; 32]).expect("a key").verifier_key()
}

/// A policy counts any checkpoint, and never more witnesses than it names.
pub fn witness_policy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(policy) = text.parse::<WitnessPolicy>() else { return };
    let Ok(key) = SigningKey::from_seed("casino.example/sala/1", &[7; 32]) else { return };
    let empty = Checkpoint { origin: key.name().to_owned(), size: 0, root: empty_root() };
    let Ok(signed) = SignedCheckpoint::sign(&empty, &key) else { return };
    let said = policy.count(&signed);
    let named = policy.witnesses().len() + policy.unknown_witnesses().len();
    assert!(said.counted.is_empty() && said.not_counted.len() == named);
    assert_eq!(said.quorum, said.log_listed && !policy.asks_for_witnesses());
}

/// A COSE receipt is kept as it came, whoever made it.
pub fn receipt(bytes: &[u8]) {
    let Ok(receipt) = CoseReceipt::from_bytes(bytes) else { return };
    assert_eq!(receipt.to_bytes(), bytes);
    if let Ok(key) = SigningKey::from_seed("casino.example/sala/1", &[7; 32]) {
        let _ = receipt.verify(&key.verifier_key(), &Digest::ZERO);
    }
}

/// A path of the tile tree has one spelling.
pub fn tile(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(resource) = text.parse::<TreeResource>() {
        assert_eq!(resource.to_string(), text);
    }
}

/// An entry, what stands in for one, and a notice: one spelling each.
pub fn entry(bytes: &[u8]) {
    if let Ok(view) = parse_entry(bytes) {
        let header = sealed_log::entry::EntryHeader {
            producer: view.producer.parse().expect("it was checked"),
            chain: view.chain.parse().expect("it was checked"),
            first: view.first,
            count: view.count,
            previous: view.previous,
            received_at: view.received_at,
        };
        assert_eq!(encode_entry(&header, view.payload).as_deref(), Ok(bytes));
        assert_eq!(sealed_digest(bytes), Digest::of(bytes));
        payload(view.payload);
        notice(view.payload);
    }
    if let Ok(kept) = parse_kept(bytes) {
        let redacted = redact_entry(bytes).expect("what was read can be redacted");
        assert_eq!(sealed_digest(&redacted), sealed_digest(bytes));
        assert_eq!(redacted == bytes, kept.withheld.is_some());
    }
    notice(bytes);
}

/// What a log says of another is written as it was read.
fn notice(bytes: &[u8]) {
    match parse_notice(bytes) {
        Ok(Notice::LogContinued(predecessor)) => {
            assert_eq!(encode_continuation(&predecessor).as_deref(), Ok(bytes));
        }
        Ok(Notice::LogClosed(closing)) => assert_eq!(encode_closing(&closing).as_deref(), Ok(bytes)),
        Ok(Notice::KeyRotated(_) | Notice::EntriesRedacted(_) | Notice::Unknown { .. }) | Err(_) => {}
    }
}

/// Events in canonical bytes have one spelling.
pub fn payload(bytes: &[u8]) {
    let Ok((minor, events)) = decode_payload_with_minor(bytes) else { return };
    assert_eq!(encode_payload_at(minor, &events).as_deref().ok(), Some(bytes));
}

/// An event in JSON says the same in canonical bytes, and in JSON again.
pub fn event(bytes: &[u8]) {
    let Ok(line) = Line::from_json_bytes(bytes) else { return };
    let json = line.to_json().expect("what was read can be written");
    let again = Line::from_json(&json).expect("what was written can be read");
    assert_eq!(again.to_json().ok(), Some(json));
    let event = line.into_event();
    if let Ok(payload) = events::encode_payload(std::slice::from_ref(&event)) {
        assert_eq!(events::decode_payload(&payload).ok().as_deref(), Some(&[event][..]));
    }
}

/// Forms of a body, by the first byte of the target [`body`]. Their order is that of its seeds.
pub const FORMS: [Form; 7] = [
    Form::Lines,
    Form::Array,
    Form::CborArray,
    Form::CborSequence,
    Form::CloudEvent,
    Form::CloudEventBatch,
    Form::CloudEventData,
];

/// A post of events to table `PB-01`, its form in the first byte: whatever the form, what is taken is
/// what the same events say as lines.
pub fn body(bytes: &[u8]) {
    let Some((form, body)) = bytes.split_first() else { return };
    let form = FORMS[usize::from(*form) % FORMS.len()];
    match read_events("PB-01", form, body) {
        Ok(taken) => {
            let lines =
                |taken: Vec<(usize, Line)>| taken.into_iter().map(|(_, line)| line).collect::<Vec<_>>();
            let taken = lines(taken);
            let json: Vec<String> =
                taken.iter().map(|line| line.to_json().expect("what was read can be written")).collect();
            let again = read_events("PB-01", Form::Lines, json.join("\n").as_bytes());
            assert_eq!(again.map(lines), Ok(taken));
        }
        Err(error) => assert!(!error.message.is_empty()),
    }
}

/// A rulebook, or a draft of one, is read, linted and written again.
pub fn rulebook(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = lint::read("fuzzed", text, &mut |_| Err("there are no other files".to_owned()));
    if let Ok(book) = Rulebook::from_toml("fuzzed", text) {
        let json = book.canonical_json();
        let again = Rulebook::from_json("fuzzed", &json).expect("what was written can be read");
        assert_eq!(again.digest(), book.digest());
    }
}

/// Whatever a table says, in whatever order: the judge goes on, and does so alike however the log is
/// cut. The bytes are payloads, each behind its length (two bytes) and how far its number lies behind
/// the one before (one byte, signed).
pub fn judge(bytes: &[u8]) {
    let entries = pieces(bytes);
    let views: Vec<Entry<'_>> = entries
        .iter()
        .zip(0..)
        .map(|((first, count, flags, payload), index)| Entry {
            received: replay::Received::default(),
            producer: if flags & 16 == 0 { "pit-1" } else { "pit-2" },
            index,
            table: if flags & 1 == 0 { "A" } else { "B" },
            first: *first,
            count: *count,
            payload,
            withheld: flags & 2 != 0,
            after_left_out: flags & 4 != 0,
        })
        .collect();
    let mut whole = Judge::default();
    // A clone shares what either has read of rulebooks.
    let mut cut = whole.clone();
    whole.judge(&views);
    views.iter().for_each(|entry| cut.judge(std::slice::from_ref(entry)));
    let (whole, cut) = (whole.finish(), cut.finish());
    assert_eq!(format!("{whole:?}"), format!("{cut:?}"));
}

type Piece<'a> = (u64, u32, u8, &'a [u8]);

fn pieces(mut bytes: &[u8]) -> Vec<Piece<'_>> {
    let (mut pieces, mut next) = (Vec::new(), 1_u64);
    while let Some(([high, low, step, flags], rest)) = bytes.split_first_chunk::<4>() {
        let length = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
        let (payload, rest) = rest.split_at(length);
        let count = events::decode_payload(payload).map_or(1, |events| events.len().max(1) as u32);
        let first = next.saturating_add_signed(i64::from(step.cast_signed())).max(1);
        pieces.push((first, count, *flags, payload));
        next = first.saturating_add(u64::from(count));
        bytes = rest;
    }
    pieces
}

/// An archive whose checksums somebody made right after changing it: what its sections say is read, and only what its
/// key signed is intact.
pub fn archive_repaired(bytes: &[u8]) {
    let bytes = repaired(bytes);
    archive(&bytes);
    archive_index(&bytes);
}

/// The bytes with the checksums of an archive where they have to be, as far as its sections can be followed.
fn repaired(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.len() < 16 {
        return bytes;
    }
    bytes[..12].copy_from_slice(b"AUDITLOG\0\0\0\x02");
    check(&mut bytes, 0..12, 4);
    let mut at = 16;
    while let Some(header) = bytes.get(at..at + 12) {
        if header.starts_with(b"AUDITEND") {
            break;
        }
        let length = header[4..].iter().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        let Some(end) = usize::try_from(length).ok().and_then(|length| length.checked_add(at + 16)) else {
            break;
        };
        check(&mut bytes, at..at + 12, 4);
        if end.checked_add(32).is_none_or(|next| next > bytes.len()) {
            break;
        }
        check(&mut bytes, at + 16..end, 32);
        at = end + 32;
        if bytes.len() - at == 64 {
            check(&mut bytes, at..at + 24, 32);
            break;
        }
    }
    bytes
}

/// Puts the check of a range behind it.
fn check(bytes: &mut [u8], range: std::ops::Range<usize>, width: usize) {
    let (hash, end) = (blake3::hash(&bytes[range.clone()]), range.end);
    if let Some(place) = bytes.get_mut(end..end + width) {
        place.copy_from_slice(&hash.as_bytes()[..width]);
    }
}

/// The file `head` beside a store: what is read of it is a checkpoint, or nothing, or an error.
pub fn head(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("head"), bytes).expect("written");
    match LogFolder::new(folder.path()).signed_checkpoint() {
        Ok(Some(signed)) => assert_eq!(SignedCheckpoint::parse(signed.text()), Ok(signed)),
        Ok(None) => {}
        Err(error) => assert!(error.to_string().contains("head"), "{error}"),
    }
}

/// The state that a follower saved: its digest is right, whoever wrote it. A follower that takes it up answers.
pub fn follower_state(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let digest = blake3::hash(line).to_hex();
    let saved = [line, b"\n", digest.as_bytes(), b"\n"].concat();
    fs::write(folder.path().join("certificate.json"), saved).expect("written");
    let opened = Follower::open(folder.path(), forged::key(7).verifier_key());
    let (mut follower, begun) = opened.expect("a folder that can be used");
    let Begun::From(size) = begun else { return };
    assert_eq!(follower.size(), size);
    let tables: Vec<_> = follower.tables_after("").take(100).collect();
    let (_, _) = (follower.certificate(), follower.findings_by_code());
    assert!(tables.len() <= 100);
    let entry = forged::forged(1).entries[0].bytes.clone();
    let _ = follower.read(&[entry]);
}

/// What a served log answered to a post or refused it with; nothing of it is believed.
pub fn served(bytes: &[u8]) {
    if let Ok(problem) = serde_json::from_slice::<Problem>(bytes) {
        let _ = (problem.to_string(), problem.may_pass());
    }
    let Ok(posted) = serde_json::from_slice::<Posted>(bytes) else { return };
    let key = forged::key(7).verifier_key();
    for receipt in &posted.receipts {
        if let Ok(proven) = client::check(receipt, &key, None) {
            assert_eq!(proven.index(), receipt.index);
        }
    }
    let _ = posted.checkpoint.verify(&key);
}

/// A file of tokens: what is read of it is written again, or the error names the line.
pub fn tokens(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tokens");
    fs::write(&path, bytes).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("ours");
    match TokenFile::new(&path).read() {
        Ok(tokens) => assert!(tokens.iter().count() <= bytes.len()),
        Err(error) => assert!(error.to_string().contains("tokens"), "{error}"),
    }
}

/// A sequence of commands on one log, a byte each: it always verifies, and a backup of it restores to the same log.
pub fn commands(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    crate::commands::Log::new(folder.path()).run(&bytes[..bytes.len().min(24)]);
}
