//! At least one error of every type, in Spanish; and every phrase is one that a library still says.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ::client::{ClientError, Problem, ReceiptError};
use ::events::{EncodeError, Line, OccurredAt, RulebookDocumentError, TableId};
use ::fleet::{Difference, FleetError};
use ::intake::{BodyError, IntakeError};
use ::service::access::{TokenError, TokenFileError, TokenId};
use ::service::{Collector, HostError, ServiceError, TlsError, WebhookError};
use ::witness::{
    AskError, Contradiction, DoorError, KeyFileError, Limits, Loss, LostState, MemoryState, Refusal, Server,
    StateError, Witness,
};
use baccarat::{BetKind, Card, Money, Odds, Rulebook};
use load::LoadError;
use rustix::io::Errno;
use sealed_log::archive::{ArchiveError, ArchiveWriteError};
use sealed_log::entry::{ChainName, Digest, EntryError, NameError};
use sealed_log::keys::RotationError;
use sealed_log::notice::{NoticeError, OwnChainError};
use sealed_log::proof::{EntryProofError, ProveError};
use sealed_log::reader::SourceError;
use sealed_log::store::{ResourceError, StoreError};
use sealed_log::writer::{CheckpointSinkError, LogClosed, OpenError, SubmitError, WriteError};
use sealed_log_sled::{CheckpointFileError, FolderError};
use tlog::checkpoint::{CheckpointError, SignedCheckpoint};
use tlog::consistency::{ConsistencyError, MakeConsistencyError};
use tlog::cosignature::{CosignatureError, WitnessKey, WitnessSigningKey};
use tlog::inclusion::InclusionError;
use tlog::key::KeyError;
use tlog::note::{NoteError, SigningKey, VerifierKey};
use tlog::policy::WitnessPolicy;
use tlog::proof::{MakeProofError, MissingNodes, ProofError};
use tlog::proof_text::ProofTextError;
use tlog::tile::{TileError, TreeResource};
use tlog::tree::FrontierError;

use super::phrases::{ALL, Phrase};
use super::*;

type Errors = Vec<Box<dyn Error + 'static>>;

/// Words that no sentence in Spanish has.
const ENGLISH: &[&str] = &[
    "the", "not", "is", "are", "was", "were", "cannot", "expected", "and", "of", "with", "must", "this",
    "that", "it", "its", "has", "have", "an", "be", "by", "from", "than", "for", "there", "which", "only",
    "at",
];

macro_rules! errors {
    ($($error:expr),+ $(,)?) => { vec![$(Box::new($error) as Box<dyn Error + 'static>),+] };
}

fn full() -> io::Error {
    io::Error::from_raw_os_error(Errno::NOSPC.raw_os_error())
}

fn missing() -> StoreError {
    StoreError::Damaged { index: 3, why: "it is not there".to_owned() }
}

fn short() -> NameError {
    NameError::Length(0)
}

fn of_storage() -> Errors {
    let (path, aside) = (|| PathBuf::from("log"), || Some(PathBuf::from("log/store.before-1")));
    let note = || CheckpointError::Note(NoteError::Form("it holds control characters"));
    errors![
        Said("ya está dicho".to_owned()),
        full(),
        io::Error::other("sled"),
        io::Error::from(io::ErrorKind::UnexpectedEof),
        io::Error::new(io::ErrorKind::InvalidData, missing()),
        csv::Reader::from_reader(&b"a,b\n1\n"[..]).records().next().unwrap().unwrap_err(),
        csv::Error::from(full()),
        StoreError::WrongIndex { given: 2, size: 1 },
        missing(),
        StoreError::Unopened("a checksum of its files does not hold".to_owned()),
        StoreError::Stopped,
        StoreError::Closed,
        StoreError::Machine(
            "there is too little memory; raise the limit (ulimit -v), stop others, or use a machine with more"
                .to_owned(),
        ),
        StoreError::Disk(format!("log/store: {}", full())),
        ResourceError::Beyond { path: "tile/0/7".to_owned(), size: 3 },
        ResourceError::Store(missing()),
        CheckpointSinkError(format!("head: {}", full())),
        OpenError::CheckpointMissing { size: 3 },
        OpenError::Checkpoint(note()),
        OpenError::Key { at: 3, key: "casino".to_owned() },
        OpenError::Notice { index: 3, why: "the new key is the old one".to_owned() },
        OpenError::Closed { index: 3, successor: None },
        OpenError::Closed { index: 3, successor: Some("casino.example/p0/2".to_owned()) },
        OpenError::Shorter { size: 1, kept: 2 },
        OpenError::Different { kept: 2 },
        OpenError::RightEdge { index: 1, why: "the entry is missing".to_owned() },
        OpenError::Store(missing()),
        OpenError::Write(WriteError::Stopped),
        SourceError::Io(full()),
        SourceError::Store(missing()),
        ArchiveError::NotAnArchive("it is too short"),
        ArchiveError::UnknownVersion(9),
        ArchiveError::Damaged("it is cut off".to_owned()),
        ArchiveError::Io(full()),
        ArchiveWriteError::Io(full()),
        ArchiveWriteError::Store(missing()),
        ArchiveWriteError::Entry { index: 3, why: EntryError::ZeroFirst },
        ArchiveWriteError::NotTheSigned { entries: 2, size: 3 },
        FolderError::NoLog(path()),
        FolderError::Busy(path()),
        FolderError::Moving(path()),
        FolderError::Unclean(path()),
        FolderError::There(path()),
        FolderError::NoSpace { folder: path(), free: 1, needed: 2 },
        FolderError::Store { folder: path(), error: missing(), aside: aside() },
        FolderError::Open { folder: path(), error: Box::new(OpenError::Store(missing())), aside: aside() },
        FolderError::Checkpoint(
            "log/head: none of its three slots holds a checkpoint; put it back as it was, or remove it if \
             `checkpoint` beside it is the newest there was"
                .to_owned()
        ),
        FolderError::Contradiction(path()),
        FolderError::Cosigned(
            "log/checkpoint.cosigned: not a checkpoint: expected an origin in the first line".to_owned()
        ),
        FolderError::NotKept(CheckpointSinkError("head".to_owned())),
        FolderError::File { path: path(), error: full() },
        CheckpointFileError::File { path: path(), error: full() },
        CheckpointFileError::Illegible { path: path(), why: note().to_string() },
    ]
}

fn of_entries() -> Errors {
    errors![
        EntryError::UnknownVersion(2),
        EntryError::Malformed { at: 3, why: "an array of 8 fields" },
        EntryError::TooLong(70_000),
        EntryError::Producer(short()),
        EntryError::Chain(NameError::Byte { at: 1, byte: 7 }),
        EntryError::ReservedChain,
        EntryError::ZeroFirst,
        EntryError::Count(0),
        EntryError::Overflow { first: 7, count: 2 },
        ChainName::new("").unwrap_err(),
        "x".parse::<Digest>().unwrap_err(),
        NoticeError::Form(EntryError::ZeroFirst),
        NoticeError::Rotation(RotationError::SameKey),
        NoticeError::Name { name: "x".to_owned(), why: short() },
        NoticeError::OneSigner("dpo".to_owned()),
        NoticeError::Reason(0),
        NoticeError::Entries,
        NoticeError::NotBefore(3),
        NoticeError::OtherDigest(3),
        NoticeError::UnknownKind(9),
        NoticeError::Gone,
        OwnChainError::Withheld,
        OwnChainError::Producer("mesa".to_owned()),
        OwnChainError::Count(2),
        OwnChainError::Position { expected: 1, found: 2 },
        RotationError::Form("a size in decimal digits in the third line"),
        RotationError::Note(NoteError::NotSigned("casino".to_owned())),
        RotationError::Names { old: "a".to_owned(), new: "b".to_owned() },
        RotationError::SameKey,
        RotationError::Index { says: 3 },
        RotationError::NotInForce { says: "casino".to_owned(), is: "sala".to_owned() },
        RotationError::TooMany,
    ]
}

fn of_trees() -> Errors {
    let note = || CheckpointError::Note(NoteError::BadSignature("casino".to_owned()));
    errors![
        "x".parse::<VerifierKey>().unwrap_err(),
        "x+y+z".parse::<VerifierKey>().unwrap_err(),
        "x".parse::<SigningKey>().unwrap_err(),
        "x".parse::<WitnessKey>().unwrap_err(),
        KeyError::WitnessSigningKey("its seed has not 32 bytes".to_owned()),
        KeyError::Name("a b".to_owned()),
        NoteError::Key(KeyError::Name("a b".to_owned())),
        NoteError::Form("it has more than 100 signatures"),
        NoteError::NotSigned("casino".to_owned()),
        NoteError::BadSignature("casino".to_owned()),
        "".parse::<WitnessPolicy>().unwrap_err(),
        "group a 3 b".parse::<WitnessPolicy>().unwrap_err(),
        "log x".parse::<WitnessPolicy>().unwrap_err(),
        SignedCheckpoint::parse("x").unwrap_err(),
        CheckpointError::Body("an origin in the first line"),
        CheckpointError::Origin { origin: "a".to_owned(), key: "b".to_owned() },
        CosignatureError::Missing("w".to_owned()),
        CosignatureError::Bad { name: "w".to_owned(), why: "it has not 72 bytes" },
        CosignatureError::UnknownKind(9),
        CosignatureError::OwnWitness("w".to_owned()),
        CosignatureError::NoStatement("w".to_owned()),
        CosignatureError::Time(u64::MAX),
        CosignatureError::Origin(300),
        CosignatureError::Lines { line: 1 },
        CosignatureError::Full(note()),
        ConsistencyError::Checkpoint { which: "older", why: note() },
        ConsistencyError::Origin { old: "a".to_owned(), new: "b".to_owned() },
        ConsistencyError::Shrunk { old: 3, new: 2 },
        ConsistencyError::Forked { size: 3 },
        ConsistencyError::OtherSize { proof: 3, old: 2 },
        ConsistencyError::NotExtended { old: 2, new: 3, why: ProofError::Root },
        MakeConsistencyError::<StoreError>::Not(ConsistencyError::Forked { size: 3 }),
        MakeConsistencyError::Nodes(missing()),
        ProofError::Index { index: 3, size: 2 },
        ProofError::Sizes { first: 3, second: 2 },
        ProofError::Length(3),
        ProofError::Root,
        MakeProofError::<StoreError>::NoSuchProof(ProofError::Root),
        MakeProofError::Nodes(missing()),
        MissingNodes { level: 0, first: 1, count: 2, leaves: 1 },
        ProofTextError::Form { line: 1, expected: "more lines; it is cut off" },
        ProofTextError::Checkpoint(note()),
        InclusionError::Checkpoint(note()),
        InclusionError::Proof { index: 3, size: 2, why: ProofError::Root },
        TileError { level: 9, number: 0, width: 0 },
        "x".parse::<TreeResource>().unwrap_err(),
        FrontierError::Short(1),
        FrontierError::Length { size: 3, expected: 72, length: 8 },
        EntryProofError::Form { line: 2, expected: "bytes in base64 behind `extra `" },
        EntryProofError::Receipt { at: 3, expected: "the end, but more bytes follow" },
        EntryProofError::Checkpoint(note()),
        EntryProofError::Signature { key: "casino".to_owned() },
        EntryProofError::Inclusion { digest: Digest::ZERO, index: 3, size: 2, why: ProofError::Length(1) },
        ProveError { index: 3, why: "it is not there".to_owned(), disk: false },
        ReceiptError::Proof(EntryProofError::Checkpoint(note())),
        ReceiptError::OtherIndex { claimed: 1, proven: 2 },
        ReceiptError::OtherEntry { claimed: Digest::ZERO, found: Digest::of(b"x") },
        ReceiptError::NoEntry(EntryError::ZeroFirst),
        ReceiptError::OtherEvents { claimed: 1, claimed_count: 2, first: 3, count: 4 },
    ]
}

fn of_writing() -> Errors {
    errors![
        WriteError::Refused { position: 0, why: EntryError::ZeroFirst },
        WriteError::Store(missing()),
        WriteError::Checkpoint(CheckpointSinkError(full().to_string())),
        WriteError::WouldFork { size: 2, signed: 3 },
        WriteError::Sign(CheckpointError::Body("an origin in the first line")),
        WriteError::Rotation(RotationError::SameKey),
        WriteError::Notice(NoticeError::Entries),
        WriteError::Closed,
        WriteError::Stopped,
        SubmitError::Refused { position: 0, why: EntryError::ZeroFirst },
        SubmitError::NotAcknowledged {
            why: format!("the log has stopped: {}", StoreError::Disk(full().to_string())),
            disk: true
        },
        LogClosed,
    ]
}

fn of_events() -> Errors {
    let line = |text: &str| Line::from_json(text).unwrap_err();
    let whole = |table: &str, event: &str| {
        let time = "2026-03-01T21:04:05Z";
        format!(r#"{{"table":"{table}","sequence":1,"occurred_at":"{time}","event":{event}}}"#)
    };
    errors![
        line(""),
        line("{"),
        line("[]"),
        line(r#"{"table":"m"}"#),
        line(r#"{"tabel":"m"}"#),
        line(&whole("", r#"{"TableClosed":{}}"#)),
        line(&whole("m", r#"{"TableShut":{}}"#)),
        line(&whole("m", r#"{"TableClosed":{"x":1}}"#)),
        line(&whole("m", r#"{"TableClosed":7}"#)),
        line(&whole("m", r#"{"CardDealt":{"to":"punto","card":"9Z"}}"#)),
        line(&whole("m", r#"{"TableClosed":{}}"#).replace(":1,", ":0,")),
        line(&whole("m", r#"{"TableClosed":{}}"#).replace("2026-03-01T21", "ayer")),
        Line::from_json_bytes(b"\xff").unwrap_err(),
        Line::from_json_bytes(b"\xef\xbb\xbf").unwrap_err(),
        EncodeError::Count(0),
        EncodeError::Bounds { event: 1, message: "minor_digits is 7; at most 6 is allowed".to_owned() },
        EncodeError::Unknown(1),
        EncodeError::Minor { given: 1, due: 2 },
        ::events::decode_payload(b"").unwrap_err(),
        ::events::decode_payload(&[0x82, 0x00, 0x80]).unwrap_err(),
        ::events::decode_payload(&[0x61, 0x61]).unwrap_err(),
        "".parse::<TableId>().unwrap_err(),
        "ayer".parse::<OccurredAt>().unwrap_err(),
        RulebookDocumentError::Json("expected value at line 1 column 1".to_owned()),
        RulebookDocumentError::NotAnObject,
        RulebookDocumentError::Number("1.5".to_owned()),
        RulebookDocumentError::TooDeep,
        RulebookDocumentError::TooLarge(70_000),
        RulebookDocumentError::NotCanonical,
        Rulebook::from_toml("x.toml", "").unwrap_err(),
        "9Z".parse::<Card>().unwrap_err(),
        Money::new(u64::MAX).unwrap_err(),
        "".parse::<BetKind>().unwrap_err(),
        "x".parse::<Odds>().unwrap_err(),
    ]
}

fn of_witnesses() -> Errors {
    let (origin, path) = (|| "casino.example/sala".to_owned(), || PathBuf::from("w/key"));
    let note = || CheckpointError::Note(NoteError::NotSigned("casino".to_owned()));
    let lost = |loss| LostState { origin: origin(), size: 3, loss };
    errors![
        AskError::NoUrl,
        AskError::Contradiction(Contradiction::OtherRoot { size: 3 }),
        AskError::Refused { status: 403, said: String::new() },
        AskError::NotBelieved(CosignatureError::Lines { line: 1 }),
        AskError::Unanswered { attempts: 3, last: format!("io: {}", refused()) },
        AskError::Proof("the tree's hashes cannot be read: entry 3 cannot be read: it is not there".to_owned()),
        Contradiction::SawMore { seen: 3, size: 2 },
        Contradiction::OtherHistory { seen: 2, size: 3 },
        Contradiction::Conflict { size: 3 },
        Refusal::Malformed("it is not UTF-8".to_owned()),
        Refusal::OldBeyondNew { old: 3, new: 2 },
        Refusal::UnknownOrigin(origin()),
        Refusal::NotSigned(note()),
        Refusal::OtherSize { cosigned: 3, old: 2 },
        Refusal::Forked { size: 3 },
        Refusal::NotExtended(ConsistencyError::Forked { size: 3 }),
        Refusal::Lost(lost(Loss::Older(2))),
        Refusal::Clock,
        Refusal::State(StateError::of_disk("w/state", &full())),
        lost(Loss::Missing),
        lost(Loss::OtherRoot),
        StateError::new("w/x: it is gone; this witness cannot tell what it signed and must not start: put the file back as it was".to_owned()),
        StateError::of_disk("w/state could not be written", &full()),
        KeyFileError::Missing(path()),
        KeyFileError::Lost(path()),
        KeyFileError::There(path()),
        KeyFileError::Readable { path: path(), mode: 0o644 },
        KeyFileError::File { path: path(), error: full() },
        KeyFileError::Key { path: path(), error: KeyError::Name("a b".to_owned()) },
        KeyFileError::Name(KeyError::Name("a b".to_owned())),
        KeyFileError::Random("x".to_owned()),
    ]
}

/// A server whose address is none.
fn no_door() -> DoorError {
    let key = WitnessSigningKey::from_seed("w", &[7; 32]).unwrap();
    let witness = Witness::open(key, [], MemoryState::default()).unwrap();
    Server::bind("127.0.0.1", witness, Limits::default()).err().unwrap()
}

fn refused() -> io::Error {
    io::Error::from_raw_os_error(Errno::CONNREFUSED.raw_os_error())
}

fn of_services() -> Errors {
    let (url, path) = (|| "http://127.0.0.1:1".to_owned(), || PathBuf::from("tokens"));
    let unanswered = |why: String, timed_out| ClientError::Unanswered { url: url(), why, timed_out };
    let problem = Problem {
        status: 503,
        kind: "urn:audit:stopped".to_owned(),
        detail: "the log has stopped: x".to_owned(),
        line: Some(1),
        column: Some(2),
    };
    let id = TokenId::parse("0123456789ab").unwrap();
    errors![
        ::client::Client::new("x", ::client::Options::default()).err().unwrap(),
        ClientError::Refused { url: url(), problem: Box::new(problem), retry_after: None },
        unanswered(format!("nobody answers: {}", refused()), false),
        unanswered("timeout: global".to_owned(), true),
        ClientError::Unexpected { url: url(), why: "bytes that are not UTF-8".to_owned() },
        LoadError::Plan("0 shoes: expected 1 to 1000".to_owned()),
        LoadError::Client(unanswered("host not found".to_owned(), false)),
        LoadError::Log("the log cannot be read: it is cut off".to_owned()),
        LoadError::OwnFault("x".to_owned()),
        ServiceError::Door(no_door()),
        ServiceError::Thread(full()),
        ServiceError::Collector(Collector::at("x").err().unwrap()),
        ServiceError::Log(SubmitError::NotAcknowledged { why: "the log is closed".to_owned(), disk: false }),
        no_door(),
        TlsError::File { path: path(), error: full() },
        TlsError::Readable { path: path(), mode: 0o644 },
        TlsError::Pem { path: path(), expected: "certificates", why: "there is none in it".to_owned() },
        TlsError::Unusable { path: path(), why: "x".to_owned() },
        HostError::Missing,
        HostError::Several,
        HostError::Malformed,
        HostError::Differs,
        WebhookError::Url("x".to_owned()),
        WebhookError::Secret,
        Collector::at("x").err().unwrap(),
        TokenFileError::File { path: path(), error: full() },
        TokenFileError::Open { path: path(), mode: 0o644 },
        TokenFileError::Line { path: path(), line: 2, why: "a second token of this id".to_owned() },
        TokenFileError::Long(path()),
        TokenFileError::Token(TokenError::Note),
        TokenFileError::NoSuch { path: path(), id },
        TokenError::NoProducer,
        TokenError::NoTables,
        TokenError::ReadsAll,
        TokenError::Expired,
        TokenError::Random("x".to_owned()),
        IntakeError::Log(SubmitError::NotAcknowledged { why: "the log is closed".to_owned(), disk: false }),
        IntakeError::Closed(LogClosed),
        IntakeError::Store(missing()),
        IntakeError::Table(short()),
        IntakeError::OwnFault("x".to_owned()),
        BodyError { position: Some(1), column: None, message: "line 1: missing field `table`".to_owned() },
    ]
}

fn of_fleets() -> Errors {
    let difference = || Difference { field: "max_bytes", asked: "1".to_owned(), found: "2".to_owned() };
    let text = |of: &str| of.to_owned();
    errors![
        FleetError::Name { what: "site", bytes: 300, most: 128 },
        FleetError::Setting { setting: "replicas", value: text("2"), range: text("1, 3 or 5") },
        FleetError::Address { number: 2, why: text("it must be like nats://host:4222 or tls://host:4222") },
        FleetError::File {
            what: "the token in",
            path: PathBuf::from("token"),
            why: text("its first line is empty")
        },
        FleetError::Unreachable {
            servers: text("nats://pit:4222"),
            why: text("none of them answers in time")
        },
        FleetError::Differs { stream: text("baccarat_madrid"), differences: vec![difference()] },
        FleetError::NotSetUp { site: text("madrid"), stream: text("baccarat_madrid") },
        FleetError::Partition { partition: 3, partitions: 2 },
        FleetError::Server { what: text("show the lease"), why: text("no answer in time") },
        FleetError::Fenced { partition: 0 },
        FleetError::NewerConsumer { consumer: text("partition-0-e9-g1"), epoch: 3 },
        FleetError::Random(text("x")),
    ]
}

fn all() -> Errors {
    [
        of_storage(),
        of_entries(),
        of_trees(),
        of_writing(),
        of_events(),
        of_witnesses(),
        of_services(),
        of_fleets(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The English words of a sentence; names in quotes, options and URLs are no words of it.
fn english_words(sentence: &str) -> Vec<String> {
    let quoted: String = sentence.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let words = quoted.split(|c: char| !c.is_alphabetic() && c != '_').map(str::to_lowercase);
    words.filter(|word| ENGLISH.contains(&word.as_str())).collect()
}

#[test]
fn every_type_of_error_is_said_in_spanish() {
    let mut wrong = Vec::new();
    let mut seen: BTreeSet<&str> = ["sealed_log::writer::ReopenError"].into();
    for error in all() {
        let spanish = in_spanish(&*error);
        let found = english_words(&spanish);
        if !found.is_empty() {
            wrong.push(format!("{found:?} in {spanish:?}, in English {:?}", error.to_string()));
        }
        assert!(error.is::<Said>() || spanish != error.to_string(), "{spanish:?}");
        assert!(!spanish.contains("::") && !spanish.contains("  "), "{spanish:?}");
        let of_known: Vec<&str> =
            types(&*error).iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
        assert_eq!(of_known.len(), 1, "{spanish:?}");
        seen.extend(of_known);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let missing: Vec<&str> =
        types(&LogClosed).iter().map(|(name, _)| *name).filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "no error of {missing:?} is made here");
}

#[test]
fn an_unknown_error_is_a_detail() {
    let unknown = std::fmt::Error;
    let spanish = in_spanish(&unknown);
    assert_eq!(spanish, format!("hubo un error (detalle: {unknown})"));
}

/// The numbers of the system that an operator meets.
#[test]
fn errors_of_the_system_are_known() {
    let said = |errno: Errno| in_spanish(&io::Error::from_raw_os_error(errno.raw_os_error()));
    let known = [
        (Errno::NOENT, "no existe el archivo o la carpeta (error 2 del sistema)"),
        (Errno::ACCESS, "permiso denegado (error 13 del sistema)"),
        (Errno::NOSPC, "no queda espacio en el disco (error 28 del sistema)"),
        (Errno::ROFS, "el sistema de archivos es de solo lectura (error 30 del sistema)"),
        (Errno::ADDRINUSE, "la dirección ya está en uso (error 98 del sistema)"),
        (Errno::CONNREFUSED, "conexión rechazada (error 111 del sistema)"),
        (Errno::CONNRESET, "la otra parte cortó la conexión (error 104 del sistema)"),
        (Errno::TIMEDOUT, "se agotó el tiempo de espera (error 110 del sistema)"),
        (Errno::ISDIR, "es una carpeta (error 21 del sistema)"),
        (Errno::MFILE, "demasiados archivos abiertos en este proceso (error 24 del sistema)"),
        (Errno::FBIG, "el archivo es demasiado grande (error 27 del sistema)"),
    ];
    for (errno, spanish) in known {
        assert_eq!(said(errno), spanish);
    }
    let rare = said(Errno::PROTO);
    assert!(rare.starts_with("error del sistema (detalle: ") && rare.contains("os error"), "{rare}");
    let late = io::Error::from(io::ErrorKind::UnexpectedEof);
    assert_eq!(in_spanish(&late), "el contenido termina antes de lo esperado");
}

/// The texts of the libraries' sources, as the compiler reads them.
fn sources() -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut text = String::new();
    for library in fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path()) {
        if !library.ends_with("audit") && !library.ends_with("texts") {
            read_into(&library.join("src"), &mut text);
        }
    }
    let lines: Vec<&str> = text.split("\\\n").collect();
    let joined = lines.iter().map(|line| line.trim_start()).collect::<Vec<_>>().concat();
    joined.replace("\\\"", "\"").replace("\\u{2014}", "\u{2014}")
}

fn read_into(folder: &Path, text: &mut String) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            read_into(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

/// What stands between the holes of a phrase.
fn literals(phrase: &str) -> impl Iterator<Item = &str> {
    phrase.split(['{', '}']).step_by(2).filter(|literal| literal.trim().len() > 3)
}

/// A phrase that no library says any more would be dead, and its new words would appear in English.
#[test]
fn every_phrase_of_a_library_is_still_said() {
    let sources = sources();
    let ours = |phrases: &&[Phrase]| {
        let first = phrases[0].0;
        ![super::events::OF_READERS[0].0, super::system::PHRASES[0].0].contains(&first)
    };
    let mut dead = Vec::new();
    for (english, _) in ALL.iter().copied().filter(|phrases| ours(phrases)).flatten() {
        let is_foreign = FOREIGN.contains(english);
        let pieces = literals(english).flat_map(|literal| literal.split([':', ';', ',']));
        let gone = pieces.filter(|piece| piece.trim().len() > 3 && !sources.contains(piece.trim())).count();
        if gone > 0 && !is_foreign {
            dead.push(*english);
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

/// Phrases of other people's libraries, which stand among those of the library that hands them on.
const FOREIGN: &[&str] = &[
    "invalid utf-8 sequence of {0} bytes from index {1}",
    "incomplete utf-8 byte sequence from index {0}",
    "host not found",
    "connection failed",
    "Connection refused",
    "Peer disconnected",
    "timeout: {0}",
    "no items found",
];

/// Every hole that the Spanish has is one of the English.
#[test]
fn phrases_mention_the_same_things() {
    let holes = |text: &str| -> BTreeSet<String> {
        let pieces = text.split('{').skip(1).filter_map(|piece| piece.split_once('}'));
        pieces.map(|(hole, _)| hole.trim_start_matches(['~', '/', ':']).to_owned()).collect()
    };
    for (english, spanish) in ALL.iter().copied().flatten() {
        assert!(holes(spanish).is_subset(&holes(english)), "{english}");
        let words = english_words(spanish);
        assert!(words.is_empty(), "{words:?} in {spanish}");
    }
}
