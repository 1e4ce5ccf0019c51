//! Whether a checkpoint may be cosigned, from nothing but the request and the newest one signed
//! before. No clock, no files: the order of the questions is that of C2SP tlog-witness.

use sealed_log::{
    Checkpoint, ExtensionError, ExtensionProof, MAX_NOTE_BYTES, SignedCheckpoint, VerifierKey, empty_root,
};

use crate::refusal::Refusal;

/// Most hashes of a consistency proof that are read.
pub const MAX_PROOF_HASHES: usize = 63;
/// Longest request that is read: a note and a proof of the most hashes, 45 bytes each.
pub const MAX_REQUEST_BYTES: usize = MAX_NOTE_BYTES + 64 * 45 + 32;

/// Reads the body of an add-checkpoint request. Nothing of it is believed yet.
///
/// # Errors
/// [`Refusal::Malformed`].
pub fn parse_request(body: &[u8]) -> Result<ExtensionProof, Refusal> {
    let wrong = |why: &dyn std::fmt::Display| Refusal::Malformed(why.to_string());
    if body.len() > MAX_REQUEST_BYTES {
        return Err(wrong(&format_args!("it is longer than {MAX_REQUEST_BYTES} bytes")));
    }
    let text = std::str::from_utf8(body).map_err(|_| wrong(&"it is not UTF-8"))?;
    let request: ExtensionProof = text.parse().map_err(|error| wrong(&error))?;
    if request.hashes().len() > MAX_PROOF_HASHES {
        return Err(wrong(&format_args!("its proof has more than {MAX_PROOF_HASHES} hashes")));
    }
    Ok(request)
}

/// Whether the witness may sign: `newest` is the newest checkpoint it signed for this log, `keys`
/// those it trusts for the log (none when it does not watch it). Gives the key that signed.
///
/// # Errors
/// [`Refusal`]; nothing must be signed then.
pub fn decide<'a>(
    newest: Option<&Checkpoint>,
    keys: &'a [VerifierKey],
    request: &ExtensionProof,
) -> Result<&'a VerifierKey, Refusal> {
    let signed = request.checkpoint();
    let key = signer(keys, signed)?;
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
        Ok(()) => Ok(key),
        // An empty log has one root: another one is a checkpoint that never was.
        Err(ExtensionError::Forked { size }) if size > 0 => Err(Refusal::Forked { size }),
        Err(why) => Err(Refusal::NotExtended(why)),
    }
}

fn signer<'a>(keys: &'a [VerifierKey], signed: &SignedCheckpoint) -> Result<&'a VerifierKey, Refusal> {
    let mut refused = None;
    for key in keys {
        match signed.verify(key) {
            Ok(()) => return Ok(key),
            Err(error) => refused = Some(error),
        }
    }
    Err(match refused {
        Some(error) => Refusal::NotSigned(error),
        None => Refusal::UnknownOrigin(signed.checkpoint().origin.clone()),
    })
}
