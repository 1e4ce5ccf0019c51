//! Witnesses of a log: the policy that names them, the submission of the log's newest checkpoint, and the
//! cosigned checkpoint that is kept.

use std::fmt::Display;
use std::io::Write as _;
use std::path::Path;

use sealed_log::{NodeSource, PolicyError, SignedCheckpoint, StoreNodes, WitnessPolicy};
use sealed_log_sled::{LogFolder, Writer};
use witness::{Patience, Submission, submit};

use crate::failure::Failure;
use crate::text_file::small_text;

/// A policy from its file.
pub(crate) fn policy(path: &Path) -> Result<WitnessPolicy, Failure> {
    let name = path.display();
    small_text(path)?
        .parse()
        .map_err(|error: PolicyError| Failure::unreadable(format!("{name}:{}: {}", error.line, error.why)))
}

/// The cosigned checkpoint kept in a log's folder; `None` where the log is not a folder.
pub(crate) fn kept(log: &Path) -> Result<Option<SignedCheckpoint>, Failure> {
    if !log.is_dir() {
        return Ok(None);
    }
    LogFolder::new(log).cosigned().map_err(Failure::unreadable)
}

/// The checkpoint with the cosignatures of witnesses, where the cosigned checkpoint that was kept is the same
/// one with more signatures.
pub(crate) fn with_cosignatures(log: &Path, signed: SignedCheckpoint) -> SignedCheckpoint {
    // An unreadable one is reported where witnesses are asked for; it is not part of the log.
    let cosigned = LogFolder::new(log).cosigned().ok().flatten();
    cosigned.filter(|cosigned| cosigned.text().starts_with(signed.text())).unwrap_or(signed)
}

/// The result of submitting a checkpoint to witnesses.
pub(crate) struct Submitted {
    pub(crate) submission: Submission,
    /// Whether the cosigned checkpoint was kept.
    pub(crate) kept: bool,
}

/// Submits the log's newest checkpoint to the witnesses of a policy and keeps what they signed. A
/// checkpoint with a quorum is never replaced by a newer one without.
pub(crate) fn submit_newest<N>(
    log: &Path,
    policy: &WitnessPolicy,
    nodes: &N,
    signed: &SignedCheckpoint,
) -> Result<Submitted, Failure>
where
    N: NodeSource<Error: Display> + Sync + ?Sized,
{
    let folder = LogFolder::new(log);
    let before = kept(log)?;
    let submission = submit(policy, nodes, signed, before.as_ref(), Patience::default());
    let said = &submission.witnessed;
    let had_quorum = before.is_some_and(|before| policy.count(&before).quorum);
    let keep = !said.counted.is_empty() && (said.quorum || !had_quorum);
    if keep {
        folder.keep_cosigned(&submission.cosigned).map_err(Failure::unreadable)?;
    }
    Ok(Submitted { submission, kept: keep })
}

/// The contradictions that witnesses report, as one message.
pub(crate) fn contradicted(log: &Path, submission: &Submission) -> Option<Failure> {
    let contradictions: Vec<String> = submission
        .contradictions()
        .map(|(witness, what)| format!("{}: witness {witness} {what}", log.display()))
        .collect();
    if contradictions.is_empty() {
        return None;
    }
    let advice = "keep the log as it is, and restore a copy that holds everything the witness has seen";
    Some(Failure::seal(format!("{}\n  {advice}", contradictions.join("\n  "))))
}

/// Nothing is sealed if a witness has seen a newer state of the log. A witness that does not answer is
/// reported and not waited for: play goes on.
pub(crate) fn ask_before_sealing(log: &Path, file: &Path, writer: &Writer) -> Result<(), Failure> {
    let policy = policy(file)?;
    let nodes = StoreNodes(writer.store());
    let submitted = submit_newest(log, &policy, &nodes, &writer.head())?;
    if let Some(contradicted) = contradicted(log, &submitted.submission) {
        return Err(contradicted);
    }
    for asked in &submitted.submission.asked {
        if let Err(why) = &asked.outcome {
            let what = "it is not known whether this witness has seen a newer state of the log";
            // Standard error may be closed; sealing does not depend on this note.
            let _ = writeln!(std::io::stderr(), "audit: witness {} {why}; {what}", asked.witness);
        }
    }
    Ok(())
}
