//! Whether a checkpoint may be cosigned, from nothing but the request and the newest one signed
//! before. No clock, no files: the order of the questions is that of C2SP tlog-witness.

use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::consistency::{ConsistencyError, ConsistencyProof};
use tlog::key::Algorithm;
use tlog::note::{MAX_NOTE_BYTES, VerifierKey};
use tlog::tree::empty_root;

use crate::refusal::Refusal;

/// Most hashes of a consistency proof that are read.
pub const MAX_PROOF_HASHES: usize = 63;
/// Longest request that is read: a note and a proof of the most hashes, 45 bytes each.
pub(crate) const MAX_REQUEST_BYTES: usize = MAX_NOTE_BYTES + 64 * 45 + 32;

/// Reads the body of an add-checkpoint request. Nothing of it is believed yet.
///
/// # Errors
/// [`Refusal::Malformed`].
pub(crate) fn parse_request(body: &[u8]) -> Result<ConsistencyProof, Refusal> {
    let wrong = |why: &dyn std::fmt::Display| Refusal::Malformed(why.to_string());
    if body.len() > MAX_REQUEST_BYTES {
        return Err(wrong(&format_args!("it is longer than {MAX_REQUEST_BYTES} bytes")));
    }
    let text = std::str::from_utf8(body).map_err(|_| wrong(&"it is not UTF-8"))?;
    let request: ConsistencyProof = text.parse().map_err(|error| wrong(&error))?;
    if request.hashes().len() > MAX_PROOF_HASHES {
        return Err(wrong(&format_args!("its proof has more than {MAX_PROOF_HASHES} hashes")));
    }
    Ok(request)
}

/// Whether the witness may sign: `newest` is the newest checkpoint it signed for this log, `keys`
/// those it trusts for the log (none when it does not watch it). Gives the checkpoint with the log's
/// own signature lines, all of them verified, and no other lines.
///
/// # Errors
/// [`Refusal`]; nothing must be signed then.
pub fn decide(
    newest: Option<&Checkpoint>,
    keys: &[VerifierKey],
    request: &ConsistencyProof,
) -> Result<SignedCheckpoint, Refusal> {
    let signed = verified(keys, request.checkpoint())?;
    let new = signed.checkpoint();
    let nothing = Checkpoint { origin: new.origin.clone(), size: 0, root: empty_root() };
    let newest = newest.unwrap_or(&nothing);
    if request.old() > new.size {
        return Err(Refusal::OldBeyondNew { old: request.old(), new: new.size });
    }
    if request.old() != newest.size {
        return Err(Refusal::OtherSize { cosigned: newest.size, old: request.old() });
    }
    match request.extends(newest) {
        Ok(()) => Ok(signed),
        // An empty log has one root: another one is a checkpoint that never was.
        Err(ConsistencyError::Forked { size }) if size > 0 => Err(Refusal::Forked { size }),
        Err(why) => Err(Refusal::NotExtended(why)),
    }
}

/// The checkpoint as the trusted keys signed it. Lines of unknown keys are left out; one broken line of a
/// trusted key spoils the note, whoever else signed it.
///
/// # Errors
/// [`Refusal::UnknownOrigin`] without keys, [`Refusal::NotSigned`].
pub(crate) fn verified(keys: &[VerifierKey], signed: &SignedCheckpoint) -> Result<SignedCheckpoint, Refusal> {
    let Some(first) = keys.first() else {
        return Err(Refusal::UnknownOrigin(signed.checkpoint().origin.clone()));
    };
    let lines = |key: &VerifierKey| signed.signatures().iter().filter(|line| key.matches(line)).count();
    let signers: Vec<&VerifierKey> = keys.iter().filter(|key| lines(key) > 0).collect();
    if signers.is_empty() {
        signed.verify(first).map_err(Refusal::NotSigned)?;
    }
    for key in &signers {
        signed.verify(key).map_err(Refusal::NotSigned)?;
    }
    let own = signed.signatures().iter().filter(|line| signers.iter().any(|key| key.matches(line)));
    // Extension lines are part of what Ed25519 keys signed; ML-DSA-44 signatures do not cover them, so that anybody
    // could have written them.
    let covered = signers.iter().all(|key| key.algorithm() == Algorithm::Ed25519);
    let body = if covered { signed.body().to_owned() } else { signed.checkpoint().to_string() };
    let text = own.fold(format!("{body}\n"), |text, line| text + &line.to_string());
    SignedCheckpoint::parse(&text).map_err(Refusal::NotSigned)
}
