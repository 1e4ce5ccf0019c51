//! `audit verify checkpoint`: whether a log only grew between two of its checkpoints.

use std::path::Path;

use sealed_log::keys::KeyHistory;
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::consistency::{ConsistencyProof, MakeConsistencyError};
use tlog::note::VerifierKey;
use tlog::proof_text::ProofTextError;

use super::prove::of_this_log;
use crate::cli::VerifyCheckpoint;
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::{Failure, about};
use crate::language::texts;
use crate::log::{signed_checkpoint, verifier_key};
use crate::output;
use crate::proving::{ProvingLog, Wanted};
use crate::render::{WitnessesJson, shell_word};
use crate::text_file::small_text;
use crate::{render, witnesses};

#[derive(Serialize)]
struct ExtensionView {
    extends: bool,
    origin: String,
    old: u64,
    new: u64,
    key: String,
    /// Whether the key was given, and not only stored in the log.
    key_given: bool,
}

/// The same, and what witnesses said where they were asked for.
#[derive(Serialize)]
struct WithWitnesses<'a> {
    #[serde(flatten)]
    view: &'a ExtensionView,
    #[serde(skip_serializing_if = "Option::is_none")]
    witnesses: Option<WitnessesJson<'a>>,
}

pub(crate) fn run(ask: &VerifyCheckpoint) -> Result<Exit, Failure> {
    let (old, new) = (signed_checkpoint(&ask.old)?, signed_checkpoint(&ask.new)?);
    let given = ask.key.as_deref().map(verifier_key).transpose()?;
    let policy = ask.witness_policy.as_deref().map(witnesses::policy).transpose()?;
    let key_given = given.is_some();
    of_this_log(&ask.old, &old, &new)?;
    of_this_log_key(&ask.new, &new, given.as_ref())?;
    let (proof, key, keys) = match (&ask.proof, &ask.log) {
        (Some(path), _) => (read_proof(path, &new)?, given, KeyHistory::default()),
        (None, Some(log)) => from_log(log, ask, &old, &new, given)?,
        (None, None) => return Err(Failure::usage(texts().give_log_or_proof())),
    };
    let key = key.ok_or_else(|| Failure::usage(texts().give_key()))?;
    keys.verify_consistency(&proof, &key, &old).map_err(Failure::of_seal)?;
    // The file's own signature, which the proof's checkpoint need not carry.
    keys.verify(&new, &key).map_err(|error| Failure::seal(about(ask.new.display(), &error)))?;
    let said = policy.as_ref().and_then(|policy| Some((policy, witnesses::best(policy, &[&old, &new])?)));
    let (old, new) = (old.checkpoint(), new.checkpoint());
    let view = ExtensionView {
        extends: true,
        origin: new.origin.clone(),
        old: old.size,
        new: new.size,
        key: key.to_string(),
        key_given,
    };
    if ask.json {
        let witnesses = said.as_ref().map(|(_, said)| WitnessesJson::of(said));
        output::print_json(&WithWitnesses { view: &view, witnesses })?;
    } else {
        let (old, new) = (render::grouped(view.old), render::grouped(view.new));
        let key = if key_given { texts().key_given() } else { texts().key_stored() };
        output::print(&format!("{}\n", texts().extends(&view.origin, new, old, key)))?;
        said.iter().try_for_each(|(policy, said)| output::print(&witnesses::summary(policy, said)))?;
    }
    Ok(said.map_or(Exit::Good, |(_, said)| witnesses::exit(&said)))
}

fn of_this_log_key(file: &Path, given: &SignedCheckpoint, key: Option<&VerifierKey>) -> Result<(), Failure> {
    let origin = &given.checkpoint().origin;
    match key.map(VerifierKey::name).filter(|name| name != origin) {
        None => Ok(()),
        Some(name) => {
            let file = file.display();
            Err(Failure::usage(texts().key_and_checkpoint_differ(name, file, origin)))
        }
    }
}

/// A proof from its file, which must lead to the newer checkpoint.
fn read_proof(path: &Path, new: &SignedCheckpoint) -> Result<ConsistencyProof, Failure> {
    let name = path.display();
    let proof: ConsistencyProof = small_text(path)?
        .parse()
        .map_err(|error: ProofTextError| Failure::unreadable(about(&name, &error)))?;
    if proof.checkpoint().checkpoint() != new.checkpoint() {
        let (size, wanted) = (proof.checkpoint().checkpoint().size, new.checkpoint().size);
        let message = texts().leads_elsewhere(name, size, wanted);
        return Err(Failure::seal(message));
    }
    Ok(proof)
}

/// A proof made from the log's own hashes.
fn from_log(
    path: &Path,
    ask: &VerifyCheckpoint,
    old: &SignedCheckpoint,
    new: &SignedCheckpoint,
    given: Option<VerifierKey>,
) -> Result<(ConsistencyProof, Option<VerifierKey>, KeyHistory), Failure> {
    let log = ProvingLog::open(path, &Wanted::Hashes)?;
    of_this_log(&ask.new, new, &log.signed)?;
    let (name, size, wanted) = (path.display(), log.size(), new.checkpoint().size);
    if wanted > size {
        let message = texts().fewer_than_checkpoint(name, size, wanted);
        return Err(Failure::seal(message));
    }
    let made = ConsistencyProof::make(&log, old.checkpoint(), new);
    let proof = made.map_err(|error| match error {
        MakeConsistencyError::Not(tlog::consistency::ConsistencyError::NotExtended { .. })
        | MakeConsistencyError::Nodes(_) => {
            Failure::seal(texts().rewritten_or_damaged(name, said(&error), shell_word(path)))
        }
        MakeConsistencyError::Not(_) => Failure::seal(said(&error)),
    })?;
    Ok((proof, given.or(log.key), log.keys))
}
