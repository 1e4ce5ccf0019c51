//! `audit prove`: one coup, one entry or one checkpoint, for somebody who does not have the log.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sealed_log::entry::Digest;
use sealed_log::proof::{CoseReceipt, EntryProof};
use sealed_log::redaction::{parse_kept, sealed_digest};
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::consistency::ConsistencyProof;
use tlog::note::SigningKey;
use tlog::proof::{MakeProofError, ProofError};

use crate::cli::{ProofOut, Prove, ProveCheckpoint, ProveCoup, ProveEntry};
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::{Failure, about};
use crate::language::texts;
use crate::log::{KeyedFolder, signed_checkpoint};
use crate::proving::{ProvingLog, Wanted};
use crate::render::shell_word;
use crate::{new_file, output, render};

pub(crate) fn run(ask: &Prove) -> Result<Exit, Failure> {
    match ask {
        Prove::Coup(ask) => coup(ask),
        Prove::Entry(ask) => entry(ask),
        Prove::Checkpoint(ask) => checkpoint(ask),
    }
}

/// A proof that was written.
#[derive(Serialize)]
pub(super) struct Written {
    proof: String,
    origin: String,
    index: u64,
    size: u64,
    digest: String,
    table: Option<String>,
    sequences: Option<(u64, u64)>,
}

fn coup(ask: &ProveCoup) -> Result<Exit, Failure> {
    let (log, written) = proven_coup(ask)?;
    print(&log, &written, &ask.log.log, &ask.out)
}

/// Proves one coup; gives the log and the proofs that were written.
pub(super) fn proven_coup(ask: &ProveCoup) -> Result<(ProvingLog, Vec<Written>), Failure> {
    let json = ask.out.json;
    let (coup, seal, _) =
        super::show::one_coup(&ask.log, (&ask.table, ask.shoe.as_deref(), ask.coup, ask.event), json)?;
    let wanted = Wanted::Covering(&ask.table, coup.sequences);
    let mut log = ProvingLog::open_as(&ask.log, &wanted)?;
    log.seal = Some(seal);
    let written = write_all(&log, &wanted, &ask.log.log, &ask.out)?;
    Ok((log, written))
}

fn entry(ask: &ProveEntry) -> Result<Exit, Failure> {
    let digest = |text: &String| {
        text.parse::<Digest>().map_err(|error| Failure::usage(format!("--digest: {}", said(&error))))
    };
    let wanted = match (&ask.index, &ask.digest, &ask.table, ask.sequence) {
        (Some(index), ..) => Wanted::Index(*index),
        (None, Some(text), ..) => Wanted::Digest(digest(text)?),
        (None, None, Some(table), Some(sequence)) => Wanted::Covering(table, (sequence, sequence)),
        (None, None, ..) => return Err(Failure::usage(texts().give_an_entry())),
    };
    let log = ProvingLog::open_as(&ask.log, &wanted)?;
    let written = write_all(&log, &wanted, &ask.log.log, &ask.out)?;
    print(&log, &written, &ask.log.log, &ask.out)
}

/// Proves the entries that were found and writes each to its file.
fn write_all(
    log: &ProvingLog,
    wanted: &Wanted<'_>,
    path: &Path,
    ask: &ProofOut,
) -> Result<Vec<Written>, Failure> {
    let size = log.size();
    let signed: Vec<_> = log.entries.iter().filter(|(index, _)| *index < size).collect();
    if signed.is_empty() {
        return Err(nothing_found(log, wanted, path, ask.json)?);
    }
    let several = signed.len() > 1;
    let signer = if ask.format == "cose" { Some(signer(path)?) } else { None };
    let mut written = Vec::new();
    for (index, bytes) in signed {
        let out = if several { numbered(&ask.out, *index) } else { ask.out.clone() };
        let proof = EntryProof::make(log, &log.signed, *index, bytes.clone())
            .map_err(|error| not_proven(path, *index, &error))?;
        write_proof(&out, proof, signer.as_ref(), ask)?;
        written.push(written_proof(&out, log, *index, bytes));
    }
    Ok(written)
}

fn print(log: &ProvingLog, written: &[Written], path: &Path, ask: &ProofOut) -> Result<Exit, Failure> {
    let proofs = BTreeMap::from([("proofs", written)]);
    let text = || written.iter().map(described).collect::<String>();
    match &log.seal {
        // A proof can be checked by itself; the log may still be broken elsewhere.
        Some(seal) => seal.print(path, ask.json, proofs, text).map(|()| seal.exit()),
        None if ask.json => output::print_json(&proofs).map(|()| Exit::Good),
        None => output::print(&text()).map(|()| Exit::Good),
    }
}

/// Why no signed entry was found.
fn nothing_found(log: &ProvingLog, wanted: &Wanted<'_>, path: &Path, json: bool) -> Result<Failure, Failure> {
    let (name, size) = (path.display(), log.size());
    let signed_for = match wanted {
        Wanted::Index(index) => Some(*index).filter(|index| *index < size),
        Wanted::Hashes | Wanted::Digest(_) | Wanted::Among(_) | Wanted::Covering(..) => None,
    };
    let message = match signed_for {
        Some(index) => texts().signed_but_unreadable(name, size, index),
        None => texts().no_such_entry(name, size),
    };
    match (&log.seal, signed_for) {
        (Some(seal), _) => seal.not_there(path, json, message),
        (None, Some(_)) => Ok(Failure::seal(message)),
        (None, None) => Ok(Failure::usage(message)),
    }
}

/// The log's own key, which signs receipts.
fn signer(log: &Path) -> Result<SigningKey, Failure> {
    if !log.is_dir() {
        return Err(Failure::usage(texts().cose_needs_folder(log.display())));
    }
    KeyedFolder::new(log).read_key()
}

fn write_proof(
    out: &Path,
    proof: EntryProof,
    signer: Option<&SigningKey>,
    ask: &ProofOut,
) -> Result<(), Failure> {
    let Some(signer) = signer else {
        let proof = if ask.without_entry { proof.without_entry() } else { proof };
        return new_file::write(out, proof.to_string().as_bytes(), ask.force);
    };
    let receipt = CoseReceipt::sign(&proof, signer).map_err(Failure::of_seal)?;
    new_file::write(out, &receipt.to_bytes(), ask.force)?;
    match proof.entry().filter(|_| !ask.without_entry) {
        Some(entry) => new_file::write(&beside(out), entry, ask.force),
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
        origin: log.signed.checkpoint().origin.clone(),
        index,
        size: log.size(),
        digest: sealed_digest(bytes).to_string(),
        table: view.map(|view| view.chain.to_owned()),
        sequences: view.map(|view| (view.first, view.last())),
    }
}

fn described(proof: &Written) -> String {
    let Written { proof, origin, index, size, digest, table, sequences } = proof;
    let size = render::grouped(*size);
    let mut text =
        format!("{}\n  {}\n", texts().proof_line(proof, index, size, origin), texts().digest(digest));
    if let (Some(table), Some((first, last))) = (table, sequences) {
        let line = texts().table_and_events(table, render::events(*first, *last));
        text.push_str(&format!("  {line}\n"));
    }
    text
}

fn not_proven(log: &Path, index: u64, error: &MakeProofError<sealed_log::store::StoreError>) -> Failure {
    let why = match error {
        MakeProofError::NoSuchProof(ProofError::Root) => texts().differs_from_signed(),
        MakeProofError::NoSuchProof(_) | MakeProofError::Nodes(_) => said(error),
    };
    let (name, log) = (log.display(), shell_word(log));
    Failure::seal(texts().entry_not_provable(name, index, why, log))
}

fn checkpoint(ask: &ProveCheckpoint) -> Result<Exit, Failure> {
    let old = signed_checkpoint(&ask.old)?;
    let log = ProvingLog::open_as(&ask.log, &Wanted::Hashes)?;
    of_this_log(&ask.old, &old, &log.signed)?;
    if let Some(key) = &log.key {
        log.keys.verify(&old, key).map_err(|error| Failure::seal(about(ask.old.display(), &error)))?;
    }
    let proof = ConsistencyProof::make(&log, old.checkpoint(), &log.signed).map_err(Failure::of_seal)?;
    new_file::write(&ask.out, proof.to_string().as_bytes(), ask.force)?;
    let (old, new) = (old.checkpoint().size, log.size());
    let (out, origin) = (ask.out.display().to_string(), &log.signed.checkpoint().origin);
    if ask.json {
        output::print_json(&serde_json::json!({ "proof": out, "origin": origin, "old": old, "new": new }))?;
    } else {
        let (old, new) = (render::grouped(old), render::grouped(new));
        output::print(&format!("{}\n", texts().proves_growth(out, new, origin, old)))?;
    }
    Ok(Exit::Good)
}

/// A checkpoint of another log was given by mistake: that it does not agree accuses nobody.
pub(super) fn of_this_log(
    file: &Path,
    given: &SignedCheckpoint,
    newest: &SignedCheckpoint,
) -> Result<(), Failure> {
    let (given, own) = (&given.checkpoint().origin, &newest.checkpoint().origin);
    if given == own {
        return Ok(());
    }
    let file = file.display();
    Err(Failure::usage(texts().checkpoint_of_another_log(file, given, own)))
}

/// `coup.tlog-proof` as `coup-35.tlog-proof`.
fn numbered(out: &Path, index: u64) -> PathBuf {
    let name = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (name(out.file_stem()), name(out.extension()));
    let dot = if ending.is_empty() { "" } else { "." };
    out.with_file_name(format!("{stem}-{index}{dot}{ending}"))
}
