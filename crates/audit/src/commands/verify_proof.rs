//! `audit verify proof`: whether entries are in a log, from proofs alone.

use std::fs;
use std::io::Read;
use std::path::Path;

use sealed_log::entry::{Digest, MAX_ENTRY_BYTES, parse_entry};
use sealed_log::proof::{CoseReceipt, EntryProof, EntryProofError, MAX_PROOF_BYTES, ProvenEntry};
use serde::Serialize;
use tlog::checkpoint::CheckpointError;
use tlog::cosignature::CosignatureError;
use tlog::note::{NoteError, VerifierKey};
use tlog::policy::{WitnessPolicy, Witnessed};
use utoipa::ToSchema;

use crate::cli::VerifyProof;
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::verifier_key;
use crate::render::WitnessesJson;
use crate::{output, render, witnesses};

/// The result of one proof, and the witnesses' answers about its checkpoint if they were asked for.
#[derive(Serialize, ToSchema)]
pub(super) struct WithWitnesses<'a> {
    #[serde(flatten)]
    proof: &'a ProofView,
    /// The witnesses' answers; left out if they were not asked for, and for a proof that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    witnesses: Option<WitnessesJson<'a>>,
}

/// What one proof came to.
#[derive(Serialize, ToSchema)]
pub(super) struct ProofView {
    /// The file.
    proof: String,
    /// Whether the entry is in the tree that the key signed.
    pub(super) proven: bool,
    /// Why not, in words.
    why_not: Option<String>,
    /// The name of the key that signed.
    #[serde(skip)]
    signer: String,
    /// How it came out that it is not proven; nothing where it is.
    #[serde(skip)]
    not_proven: Option<NotProven>,
    /// Whether what is signed in it is signed by another key than the one that was given. Then nothing is known of the
    /// proof.
    other_key: bool,
    /// The log, where the signature covers its name.
    origin: Option<String>,
    /// Where the entry is in the tree, where the signature covers it.
    index: Option<u64>,
    /// Entries of the tree, where the signature covers their number.
    size: Option<u64>,
    /// The digest of the entry.
    digest: Option<String>,
    /// The table that the entry is of, where the entry itself is known.
    table: Option<String>,
    /// The sequences of its first and last event.
    sequences: Option<(u64, u64)>,
    /// The events in it; none where the entry is not known or cannot be read.
    #[schema(value_type = Vec<events::Line>)]
    events: Vec<serde_json::Value>,
}

/// Why a proof does not show what it should.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NotProven {
    /// It is no proof, or a false one.
    Refuted,
    /// The file could not be read.
    NotRead,
    /// It was not checked: what was given beside it does not belong to it.
    NotChecked,
    /// It was not checked, because another key signed.
    OtherKey,
}

pub(crate) fn run(ask: &VerifyProof) -> Result<Exit, Failure> {
    let policy = ask.witness_policy.as_deref().map(witnesses::policy).transpose()?;
    let (exit, views) = verified(ask, policy.as_ref())?;
    if ask.json {
        output::print_json(&views.iter().map(WithWitnesses::of).collect::<Vec<_>>())?;
    } else {
        for (proof, said) in &views {
            let said = said.as_ref().map(|(policy, said)| witnesses::summary(policy, said));
            output::print(&(text(proof, ask.events) + &said.unwrap_or_default()))?;
        }
    }
    Ok(exit)
}

/// Verifies proofs, and prints nothing.
pub(super) fn verified<'a>(
    ask: &VerifyProof,
    policy: Option<&'a WitnessPolicy>,
) -> Result<(Exit, Vec<(ProofView, Said<'a>)>), Failure> {
    let key = verifier_key(&ask.key)?;
    let named = named(ask)?;
    let (mut exit, mut views) = (Exit::Good, Vec::new());
    for path in &ask.proof {
        let name = path.display().to_string();
        match check(path, &key, named.clone()) {
            Ok(Checked { proven, entry, proof }) => {
                let said = policy.map(|policy| (policy, proof.witnessed(policy, &key, proven.size())));
                exit = said.iter().fold(exit, |exit, (_, said)| exit.worse(witnesses::exit(said)));
                views.push((proven_view(name, &proven, entry.as_deref()), said));
            }
            Err(Unproven { failure, how }) => {
                exit = exit.worse(failure.exit);
                views.push((not_proven_view(name, failure.message, how), None));
            }
        }
    }
    Ok((exit, views))
}

/// What witnesses said of a proof's checkpoint, by the policy they were asked for with.
pub(super) type Said<'a> = Option<(&'a WitnessPolicy, Witnessed)>;

impl<'a> WithWitnesses<'a> {
    fn of((proof, said): &'a (ProofView, Said<'_>)) -> Self {
        Self { proof, witnesses: said.as_ref().map(|(_, said)| WitnessesJson::of(said)) }
    }
}

/// The entry or digest given beside the proofs.
#[derive(Clone)]
enum Named {
    Nothing,
    Entry(Vec<u8>),
    Digest(Digest),
}

fn named(ask: &VerifyProof) -> Result<Named, Failure> {
    match (&ask.entry, &ask.digest) {
        (Some(path), _) => Ok(Named::Entry(read(path, MAX_ENTRY_BYTES)?)),
        (None, Some(text)) => {
            let digest =
                text.parse().map_err(|error| Failure::usage(format!("--digest: {}", said(&error))))?;
            Ok(Named::Digest(digest))
        }
        (None, None) => Ok(Named::Nothing),
    }
}

/// How a COSE_Sign1 begins: tag 18 in any width, or an array of four without it. No text proof begins so.
const RECEIPT_STARTS: [u8; 8] = [0xd2, 0xd8, 0xd9, 0xda, 0xdb, 0x84, 0x98, 0x9f];

/// A proof in either form.
enum Proof {
    Text(EntryProof),
    Receipt(CoseReceipt),
}

impl Proof {
    fn parse(bytes: Vec<u8>) -> Result<Self, Failure> {
        if bytes.first().is_some_and(|first| RECEIPT_STARTS.contains(first)) {
            return CoseReceipt::from_bytes(&bytes).map(Self::Receipt).map_err(failed);
        }
        let what = texts().not_a_proof();
        let text = String::from_utf8(bytes).map_err(|_| Failure::unreadable(what))?;
        text.parse().map(Self::Text).map_err(failed)
    }

    /// The entry that comes with it.
    fn entry(&self, path: &Path) -> Result<Option<Vec<u8>>, Failure> {
        match self {
            Self::Text(proof) => Ok(proof.entry().map(<[u8]>::to_vec)),
            Self::Receipt(_) => {
                let beside = super::prove::beside(path);
                beside.exists().then(|| read(&beside, MAX_ENTRY_BYTES)).transpose()
            }
        }
    }

    fn verify(&self, key: &VerifierKey, digest: &Digest) -> Result<ProvenEntry, EntryProofError> {
        match self {
            Self::Text(proof) => proof.verify(key, digest),
            Self::Receipt(receipt) => receipt.verify(key, digest),
        }
    }

    /// The keys of this name whose signatures it carries, each as name and id.
    fn signers(&self, name: &str) -> Vec<String> {
        let named = |id: &[u8]| {
            let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{name}+{id}")
        };
        match self {
            Self::Text(proof) => {
                let signatures = proof.checkpoint().signatures().iter();
                signatures
                    .filter(|signature| signature.name == name)
                    .map(|signature| named(&signature.id))
                    .collect()
            }
            Self::Receipt(receipt) => receipt.key_id().map(named).into_iter().collect(),
        }
    }

    /// What witnesses said of its checkpoint. A COSE receipt has none: it carries no cosignatures.
    fn witnessed(&self, policy: &WitnessPolicy, key: &VerifierKey, size: u64) -> Witnessed {
        let Self::Text(proof) = self else {
            let missing = |witness: &tlog::policy::PolicyWitness| {
                (witness.name.clone(), CosignatureError::Missing(witness.key.to_string()))
            };
            let not_counted = policy.witnesses().iter().map(missing).collect();
            let log_listed = policy.is_for(key);
            let quorum = log_listed && !policy.asks_for_witnesses();
            return Witnessed { size, counted: Vec::new(), not_counted, log_listed, quorum, rejected: None };
        };
        policy.count(proof.checkpoint())
    }
}

/// A proof that holds.
struct Checked {
    proof: Proof,
    proven: ProvenEntry,
    /// The entry's bytes, where they are known.
    entry: Option<Vec<u8>>,
}

/// That a proof does not show what it should, and how that came out.
struct Unproven {
    failure: Failure,
    how: NotProven,
}

impl From<Failure> for Unproven {
    fn from(failure: Failure) -> Self {
        let how = match failure.exit {
            Exit::Machine | Exit::InUse => NotProven::NotRead,
            Exit::Usage => NotProven::NotChecked,
            Exit::Good | Exit::Findings | Exit::Seal | Exit::Unreadable | Exit::Open | Exit::OwnFault => {
                NotProven::Refuted
            }
        };
        Self { failure, how }
    }
}

/// Checks one proof.
fn check(path: &Path, key: &VerifierKey, named: Named) -> Result<Checked, Unproven> {
    let proof = Proof::parse(read(path, MAX_PROOF_BYTES)?)?;
    let (digest, entry) = match named {
        Named::Entry(entry) => (Digest::of(&entry), Some(entry)),
        Named::Digest(digest) => (digest, proof.entry(path)?.filter(|entry| Digest::of(entry) == digest)),
        Named::Nothing => {
            let what = texts().entry_wanted();
            let entry = proof.entry(path)?.ok_or_else(|| Failure::usage(what))?;
            (Digest::of(&entry), Some(entry))
        }
    };
    let proven = proof.verify(key, &digest).map_err(|error| match other_key(&error, &proof, key) {
        Some(failure) => Unproven { failure, how: NotProven::OtherKey },
        None => failed(error).into(),
    })?;
    Ok(Checked { proof, proven, entry })
}

/// The failure where another key signed than the one that was given: it says which, and nothing against the proof.
/// Another log's key was mixed up; another key of the same log, or none, is found where the seal is not what it should
/// be.
fn other_key(error: &EntryProofError, proof: &Proof, key: &VerifierKey) -> Option<Failure> {
    match error {
        EntryProofError::Checkpoint(CheckpointError::Origin { origin, .. }) => {
            Some(Failure::usage(texts().signed_by_other_log(origin, key)))
        }
        EntryProofError::Checkpoint(CheckpointError::Note(NoteError::NotSigned(_))) => {
            let signers = proof.signers(key.name());
            // Where nobody of that name signed, it is no proof.
            (!signers.is_empty()).then(|| Failure::seal(texts().signed_by_other_key(key, signers.join(", "))))
        }
        EntryProofError::Form { .. }
        | EntryProofError::Receipt { .. }
        | EntryProofError::Checkpoint(CheckpointError::Body(_) | CheckpointError::Note(_))
        | EntryProofError::Signature { .. }
        | EntryProofError::Inclusion { .. } => None,
    }
}

fn failed(error: EntryProofError) -> Failure {
    match error {
        EntryProofError::Form { .. } | EntryProofError::Receipt { .. } => Failure::unreadable(said(&error)),
        EntryProofError::Checkpoint(_)
        | EntryProofError::Signature { .. }
        | EntryProofError::Inclusion { .. } => Failure::seal(said(&error)),
    }
}

fn read(path: &Path, most: usize) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::file(path.display(), &error);
    let file = fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > most {
        Err(Failure::unreadable(texts().proof_file_too_long(path.display(), most)))
    } else {
        Ok(bytes)
    }
}

fn proven_view(proof: String, proven: &ProvenEntry, entry: Option<&[u8]>) -> ProofView {
    let view = entry.and_then(|bytes| parse_entry(bytes).ok());
    ProofView {
        proof,
        proven: true,
        why_not: None,
        signer: proven.origin().to_owned(),
        not_proven: None,
        other_key: false,
        origin: proven.states_origin().then(|| proven.origin().to_owned()),
        // The path to the root says the index, but only in a tree whose size is covered.
        index: proven.states_size().then(|| proven.index()),
        size: proven.states_size().then(|| proven.size()),
        digest: Some(proven.digest().to_string()),
        table: view.map(|view| view.chain.to_owned()),
        sequences: view.map(|view| (view.first, view.last())),
        events: view.map(|view| events(view.chain, view.first, view.payload)).unwrap_or_default(),
    }
}

fn not_proven_view(proof: String, why: String, how: NotProven) -> ProofView {
    ProofView {
        proof,
        proven: false,
        why_not: Some(why),
        signer: String::new(),
        not_proven: Some(how),
        other_key: how == NotProven::OtherKey,
        origin: None,
        index: None,
        size: None,
        digest: None,
        table: None,
        sequences: None,
        events: Vec::new(),
    }
}

/// The events of an entry as they are exchanged; none where they cannot be read.
fn events(table: &str, first: u64, payload: &[u8]) -> Vec<serde_json::Value> {
    let (Ok(events), Ok(table)) = (events::decode_payload(payload), table.parse::<events::TableId>()) else {
        return Vec::new();
    };
    let line = |(event, sequence): (events::Event, u64)| {
        let events::Event { occurred_at, body } = event;
        let line = events::Line { table: table.clone(), sequence, occurred_at, event: body };
        line.to_json().ok().and_then(|text| serde_json::from_str(&text).ok())
    };
    events.into_iter().zip(first..).filter_map(line).collect()
}

/// In which tree an entry was proven: no more than the signature covers.
fn tree(view: &ProofView) -> String {
    let signer = &view.signer;
    match (&view.origin, view.size) {
        (Some(origin), Some(size)) => texts().tree_of(render::grouped(size), origin),
        (Some(origin), None) => texts().tree_without_size(origin),
        (None, Some(size)) => texts().tree_of_signer(render::grouped(size), signer),
        (None, None) => texts().tree_without_anything(signer),
    }
}

pub(super) fn text(view: &ProofView, with_events: bool) -> String {
    let ProofView { proof, index, digest, table, sequences, events, .. } = view;
    let why = view.why_not.as_deref().unwrap_or_default();
    let line = match view.not_proven {
        None => None,
        Some(NotProven::Refuted) => Some(texts().not_proven(proof, why)),
        Some(NotProven::NotRead) => Some(texts().proof_not_read(proof, why)),
        Some(NotProven::NotChecked | NotProven::OtherKey) => Some(texts().proof_not_checked(proof, why)),
    };
    let digest = match (line, digest) {
        (None, Some(digest)) => digest,
        (line, _) => return format!("{}\n", line.unwrap_or_default()),
    };
    let entry = index.map_or_else(|| texts().an_entry(), |index| texts().this_entry(index));
    let proven = texts().proven(proof, entry, tree(view));
    let mut text = format!("{proven}\n  {}\n", texts().digest(digest));
    match (table, sequences) {
        (Some(table), Some((first, last))) => {
            let line = texts().table_and_events(table, render::events(*first, *last));
            text.push_str(&format!("  {line}\n"));
        }
        _ => text.push_str(&format!("  {}\n", texts().proof_without_entry())),
    }
    if with_events {
        events.iter().for_each(|event| text.push_str(&format!("{event}\n")));
    }
    text
}
