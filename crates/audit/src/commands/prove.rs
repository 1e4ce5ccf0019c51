//! `audit prove`: one coup, one entry or one checkpoint, for somebody who does not have the log.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sealed_log::{
    CoseReceipt, Digest, EntryProof, ExtensionProof, MakeProofError, ProofError, SigningKey, parse_kept,
    sealed_digest,
};
use serde::Serialize;

use crate::cli::{LogRead, ProofOut, Prove, ProveCheckpoint, ProveCoup, ProveEntry};
use crate::exit::Exit;
use crate::log::{LogPlace, signed_checkpoint};
use crate::proving::{ProvingLog, Wanted};
use crate::{Failure, render};

pub(crate) fn run(ask: &Prove) -> Result<Exit, Failure> {
    match ask {
        Prove::Coup(ask) => coup(ask),
        Prove::Entry(ask) => entry(ask),
        Prove::Checkpoint(ask) => checkpoint(ask),
    }
}

/// A proof that was written.
#[derive(Serialize)]
struct Written {
    proof: String,
    origin: String,
    index: u64,
    size: u64,
    digest: String,
    table: Option<String>,
    sequences: Option<(u64, u64)>,
}

fn coup(ask: &ProveCoup) -> Result<Exit, Failure> {
    let (told, _) = super::show::one_coup(&LogRead::at(&ask.log), &ask.table, ask.shoe.as_deref(), ask.coup)?;
    let log = ProvingLog::open(&ask.log, &Wanted::Covering(&ask.table, told.sequences))?;
    write_all(&log, &ask.log, &ask.out)
}

fn entry(ask: &ProveEntry) -> Result<Exit, Failure> {
    let digest =
        |text: &String| text.parse::<Digest>().map_err(|error| Failure::usage(format!("--digest: {error}")));
    let wanted = match (&ask.index, &ask.digest, &ask.table, ask.sequence) {
        (Some(index), ..) => Wanted::Index(*index),
        (None, Some(text), ..) => Wanted::Digest(digest(text)?),
        (None, None, Some(table), Some(sequence)) => Wanted::Covering(table, (sequence, sequence)),
        (None, None, ..) => return Err(Failure::usage("give --index, --digest, or --table and --sequence")),
    };
    let log = ProvingLog::open(&ask.log, &wanted)?;
    write_all(&log, &ask.log, &ask.out)
}

/// Proves the entries that were found and writes each to its file.
fn write_all(log: &ProvingLog, path: &Path, ask: &ProofOut) -> Result<Exit, Failure> {
    let size = log.size();
    let signed: Vec<_> = log.entries.iter().filter(|(index, _)| *index < size).collect();
    if signed.is_empty() {
        let message = format!("{} has no such entry among the {size} it signed for", path.display());
        return Err(Failure::usage(message));
    }
    let several = signed.len() > 1;
    let signer = if ask.format == "cose" { Some(signer(path)?) } else { None };
    let mut written = Vec::new();
    for (index, bytes) in signed {
        let out = if several { numbered(&ask.out, *index) } else { ask.out.clone() };
        let proof = EntryProof::make(log, &log.head, *index, bytes.clone())
            .map_err(|error| not_proven(path, *index, &error))?;
        write_proof(&out, proof, signer.as_ref(), ask)?;
        written.push(written_proof(&out, log, *index, bytes));
    }
    if ask.json {
        super::print_json(&written)?;
    } else {
        written.iter().try_for_each(|proof| super::print(&told(proof)))?;
    }
    Ok(Exit::Good)
}

/// The log's own key, which signs receipts.
fn signer(log: &Path) -> Result<SigningKey, Failure> {
    if !log.is_dir() {
        let what = "is no log's folder: --format cose is signed anew, with the key that is kept there";
        return Err(Failure::usage(format!("{} {what}", log.display())));
    }
    LogPlace::new(log).read_key()
}

fn write_proof(
    out: &Path,
    proof: EntryProof,
    signer: Option<&SigningKey>,
    ask: &ProofOut,
) -> Result<(), Failure> {
    let Some(signer) = signer else {
        let proof = if ask.without_entry { proof.without_entry() } else { proof };
        return write_file(out, proof.to_string().as_bytes(), ask.force);
    };
    let receipt = CoseReceipt::sign(&proof, signer).map_err(Failure::seal)?;
    write_file(out, &receipt.to_bytes(), ask.force)?;
    match proof.entry().filter(|_| !ask.without_entry) {
        Some(entry) => write_file(&beside(out), entry, ask.force),
        None => Ok(()),
    }
}

/// Where a receipt's entry is: `FILE.entry`.
pub(super) fn beside(receipt: &Path) -> PathBuf {
    let mut name = receipt.as_os_str().to_owned();
    name.push(".entry");
    PathBuf::from(name)
}

fn written_proof(out: &Path, log: &ProvingLog, index: u64, bytes: &[u8]) -> Written {
    let view = parse_kept(bytes).ok().map(|kept| kept.view);
    Written {
        proof: out.display().to_string(),
        origin: log.head.checkpoint().origin.clone(),
        index,
        size: log.size(),
        digest: sealed_digest(bytes).to_string(),
        table: view.map(|view| view.chain.to_owned()),
        sequences: view.map(|view| (view.first, view.last())),
    }
}

fn told(proof: &Written) -> String {
    let Written { proof, origin, index, size, digest, table, sequences } = proof;
    let size = render::grouped(*size);
    let mut text = format!("{proof}: entry {index} of the {size} of {origin}\n  digest {digest}\n");
    if let (Some(table), Some((first, last))) = (table, sequences) {
        text.push_str(&format!("  table {table}, {}\n", render::events(*first, *last)));
    }
    text
}

fn not_proven(log: &Path, index: u64, error: &MakeProofError<sealed_log::StoreError>) -> Failure {
    let log = log.display();
    let why = match error {
        MakeProofError::Asked(ProofError::Root) => {
            "it or the tree's hashes are not what was signed".to_owned()
        }
        MakeProofError::Asked(_) | MakeProofError::Nodes(_) => error.to_string(),
    };
    Failure::seal(format!("{log}: entry {index} cannot be proven: {why}; audit verify log {log} tells where"))
}

fn checkpoint(ask: &ProveCheckpoint) -> Result<Exit, Failure> {
    let old = signed_checkpoint(&ask.old)?;
    let log = ProvingLog::open(&ask.log, &Wanted::Hashes)?;
    if let Some(key) = &log.key {
        log.keys
            .verify(&old, key)
            .map_err(|error| Failure::seal(format!("{}: {error}", ask.old.display())))?;
    }
    let proof = ExtensionProof::make(&log, old.checkpoint(), &log.head).map_err(Failure::seal)?;
    write_file(&ask.out, proof.to_string().as_bytes(), ask.force)?;
    let (old, new) = (old.checkpoint().size, log.size());
    let (out, origin) = (ask.out.display().to_string(), &log.head.checkpoint().origin);
    if ask.json {
        super::print_json(&serde_json::json!({ "proof": out, "origin": origin, "old": old, "new": new }))?;
    } else {
        let (old, new) = (render::grouped(old), render::grouped(new));
        super::print(&format!("{out}: the {new} entries of {origin} extend the first {old}\n"))?;
    }
    Ok(Exit::Good)
}

/// `coup.tlog-proof` as `coup-35.tlog-proof`.
fn numbered(out: &Path, index: u64) -> PathBuf {
    let name = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (name(out.file_stem()), name(out.extension()));
    let dot = if ending.is_empty() { "" } else { "." };
    out.with_file_name(format!("{stem}-{index}{dot}{ending}"))
}

fn write_file(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    let name = path.display();
    if path.exists() && !force {
        return Err(Failure::usage(format!("{name} is there already; choose another name, or give --force")));
    }
    let written = fs::File::create(path).and_then(|mut file| file.write_all(bytes).and(file.sync_all()));
    written.map_err(|error| Failure::unreadable(format!("{name}: {error}")))
}
