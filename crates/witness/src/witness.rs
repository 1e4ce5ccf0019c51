//! The witness: for each log it watches one decision at a time; kept first, then answered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::consistency::ConsistencyProof;
use tlog::cosignature::{WitnessKey, WitnessSigningKey};
use tlog::note::VerifierKey;

use crate::decision::{decide, parse_request, verified};
use crate::lost::{LostState, newest};
use crate::refusal::Refusal;
use crate::state::{StateError, WitnessState};

/// A log the witness watches.
#[derive(Debug)]
struct Watched {
    keys: Vec<VerifierKey>,
    /// That what was signed was lost: nothing is signed until the next start.
    lost: Option<LostState>,
    /// The newest checkpoint signed. Held while one request is decided, kept and signed.
    newest: Mutex<Option<SignedCheckpoint>>,
    /// The text of the newest checkpoint that was kept, for monitors: they never wait for a disk.
    served: Mutex<Option<Arc<str>>>,
}

/// A checkpoint that was cosigned and kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cosigned {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// The answer's body: the witness's signature line.
    pub lines: String,
}

/// A witness of some logs.
#[derive(Debug)]
pub struct Witness<S> {
    key: WitnessSigningKey,
    logs: BTreeMap<String, Watched>,
    /// Each log by the SHA-256 of its origin, in lowercase hexadecimal digits.
    origins: BTreeMap<String, String>,
    state: S,
}

impl<S: WitnessState> Witness<S> {
    /// A witness that trusts these keys, each for the log it is named after; several keys of one
    /// log are several trusted ones.
    ///
    /// # Errors
    /// [`StateError`] when what was signed before cannot be read, or is not this witness's own. A log whose state
    /// was lost is no error here: its requests are refused ([`Self::lost`]), those of other logs are not.
    pub fn open(
        key: WitnessSigningKey,
        logs: impl IntoIterator<Item = VerifierKey>,
        state: S,
    ) -> Result<Self, StateError> {
        let mut keys: BTreeMap<String, Vec<VerifierKey>> = BTreeMap::new();
        for log in logs {
            keys.entry(log.name().to_owned()).or_default().push(log);
        }
        let mut watched = BTreeMap::new();
        for (origin, keys) in keys {
            let (newest, lost) = match signed_before(&state, &origin, &key.verifier_key())? {
                Ok(newest) => (newest, None),
                Err(lost) => (None, Some(lost)),
            };
            let served = newest.as_ref().and_then(|kept| served(kept, &keys, &key.verifier_key()));
            let (newest, served) = (Mutex::new(newest), Mutex::new(served));
            watched.insert(origin, Watched { keys, lost, newest, served });
        }
        let origins = watched.keys().map(|origin| (origin_hash(origin), origin.clone())).collect();
        Ok(Self { key, logs: watched, origins, state })
    }

    /// The witness's public key.
    #[must_use]
    pub fn key(&self) -> WitnessKey {
        self.key.verifier_key()
    }

    /// The logs it watches, and the newest size signed of each.
    pub fn logs(&self) -> impl Iterator<Item = (&str, Option<u64>)> {
        self.logs.iter().map(|(origin, log)| {
            let newest = log.newest.lock().unwrap_or_else(PoisonError::into_inner);
            let size = newest.as_ref().map(|newest| newest.checkpoint().size);
            let size = size.or_else(|| log.lost.as_ref().map(|lost| lost.size));
            (origin.as_str(), size)
        })
    }

    /// The logs of which nothing is signed because the state was lost.
    pub fn lost(&self) -> impl Iterator<Item = LostState> {
        self.logs.values().filter_map(|log| log.lost.clone())
    }

    /// The newest checkpoint of a log that was cosigned and kept, with the log's signatures and this witness's; the
    /// log is meant by [`origin_hash`]. `None` where it is not watched, was never cosigned, or is kept without a
    /// signature of a trusted key of the log.
    ///
    /// # Errors
    /// [`LostState`] when it was lost.
    pub fn newest(&self, origin_hash: &str) -> Result<Option<Arc<str>>, LostState> {
        let Some(log) = self.origins.get(origin_hash).and_then(|origin| self.logs.get(origin)) else {
            return Ok(None);
        };
        if let Some(lost) = &log.lost {
            return Err(lost.clone());
        }
        Ok(log.served.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Answers an add-checkpoint request at `time`, seconds since 1970 UTC. Requests for one log wait
    /// for each other; what is signed is kept before this returns.
    ///
    /// # Errors
    /// [`Refusal`]; nothing was signed then.
    pub fn add_checkpoint(&self, body: &[u8], time: u64) -> Result<Cosigned, Refusal> {
        let request = parse_request(body)?;
        let origin = &request.checkpoint().checkpoint().origin;
        let log = self.logs.get(origin).ok_or_else(|| Refusal::UnknownOrigin(origin.clone()))?;
        if let Some(lost) = &log.lost {
            return Err(lost.clone().into());
        }
        // What it guards changes in one step, after it was kept: a panic elsewhere cannot have left it
        // half done.
        let mut newest = log.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let decided = self.cosign(log, newest.as_ref(), &request, time);
        if let (Err(Refusal::Forked { .. }), Some(cosigned)) = (&decided, newest.as_ref()) {
            self.state.keep_fork(cosigned, &verified(&log.keys, request.checkpoint())?)?;
        }
        let cosigned = decided?;
        self.state.keep(&cosigned.0)?;
        *log.served.lock().unwrap_or_else(PoisonError::into_inner) = Some(cosigned.0.text().into());
        *newest = Some(cosigned.0);
        Ok(cosigned.1)
    }

    /// Decides and signs. What this gives must be kept before any of it leaves.
    fn cosign(
        &self,
        log: &Watched,
        newest: Option<&SignedCheckpoint>,
        request: &ConsistencyProof,
        time: u64,
    ) -> Result<(SignedCheckpoint, Cosigned), Refusal> {
        let signed = decide(newest.map(SignedCheckpoint::checkpoint), &log.keys, request)?;
        if time == 0 {
            return Err(Refusal::Clock);
        }
        let malformed = |error: &dyn std::fmt::Display| Refusal::Malformed(error.to_string());
        let cosignature = self.key.cosign(&signed, time).map_err(|error| malformed(&error))?;
        let kept = signed.with_cosignature(&cosignature).map_err(|error| malformed(&error))?;
        let checkpoint = signed.checkpoint().clone();
        Ok((kept, Cosigned { checkpoint, lines: cosignature.to_string() }))
    }
}

/// What a log is called where monitors ask for it (C2SP tlog-witness, "Monitor Retrieval Mechanism"): the SHA-256 of
/// its origin in lowercase hexadecimal digits.
#[must_use]
pub fn origin_hash(origin: &str) -> String {
    Sha256::digest(origin.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What was signed of a log last, if state and list are this witness's own word for that log; or that it was
/// lost.
fn signed_before(
    state: &impl WitnessState,
    origin: &str,
    key: &WitnessKey,
) -> Result<Result<Option<SignedCheckpoint>, LostState>, StateError> {
    let listed = own(state.listed(origin)?, origin, key)?;
    Ok(newest(own(state.load(origin)?, origin, key)?, listed.as_ref()))
}

/// What monitors are shown of a checkpoint that was kept: the lines of the log's trusted keys and of this witness.
/// `None` where no trusted key signed it: whoever recovered a state may have given a checkpoint without the log's lines.
fn served(kept: &SignedCheckpoint, keys: &[VerifierKey], own: &WitnessKey) -> Option<Arc<str>> {
    let cosigned = verified(keys, kept).ok()?.with_cosignature(&own.verify(kept).ok()?).ok()?;
    own.verify(&cosigned).ok()?;
    Some(cosigned.text().into())
}

fn own(
    kept: Option<SignedCheckpoint>,
    origin: &str,
    key: &WitnessKey,
) -> Result<Option<SignedCheckpoint>, StateError> {
    let Some(kept) = kept else { return Ok(None) };
    let wrong = |why: &dyn std::fmt::Display| {
        StateError::new(format!("what this witness kept for the log {origin} is not its own: {why}"))
    };
    key.verify(&kept).map_err(|error| wrong(&error))?;
    if kept.checkpoint().origin == origin {
        Ok(Some(kept))
    } else {
        Err(wrong(&format_args!("it is of the log {}", kept.checkpoint().origin)))
    }
}
