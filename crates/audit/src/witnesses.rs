//! Witnesses of a log: the policy that names them, the submission of the log's newest checkpoint, and the
//! cosigned checkpoint that is kept.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use sealed_log::store::StoreNodes;
use sealed_log::writer::key_history;
use sealed_log_sled::{LogFolder, SledReader, Writer};
use service::Witnesses;
use tlog::checkpoint::SignedCheckpoint;
use tlog::policy::{PolicyError, WitnessPolicy, Witnessed};
use tlog::proof::{NodeSource, range_root};
use tlog::tree::empty_root;
use witness::{AskError, Asked, Contradiction, Patience, Submission, submit};

use crate::errors::{said, said_text};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::text_file::small_text;
use crate::{output, render};

/// A policy from its file.
pub(crate) fn policy(path: &Path) -> Result<WitnessPolicy, Failure> {
    let name = path.display();
    small_text(path)?.parse().map_err(|error: PolicyError| {
        Failure::unreadable(format!("{name}:{}: {}", error.line, said_text(&error.why)))
    })
}

/// The cosigned checkpoint kept in a log's folder; `None` where the log is not a folder.
pub(crate) fn kept(log: &Path) -> Result<Option<SignedCheckpoint>, Failure> {
    if !log.is_dir() {
        return Ok(None);
    }
    LogFolder::new(log).cosigned().map_err(Failure::of_reading)
}

/// The checkpoint with the cosignatures of witnesses, where the cosigned checkpoint that was kept is the same
/// one with more signatures.
pub(crate) fn with_cosignatures(log: &Path, signed: SignedCheckpoint) -> SignedCheckpoint {
    // An unreadable one is reported where witnesses are asked for; it is not part of the log.
    let cosigned = LogFolder::new(log).cosigned().ok().flatten();
    cosigned.filter(|cosigned| cosigned.text().starts_with(signed.text())).unwrap_or(signed)
}

/// What witnesses said of the best of these checkpoints, each of which is shown to be in the log's history: one that
/// the policy rejects before any other, then one with a quorum, then the one with most cosignatures that count, then the larger one. `None` without checkpoints.
pub(crate) fn best(policy: &WitnessPolicy, shown: &[&SignedCheckpoint]) -> Option<Witnessed> {
    let said = shown.iter().map(|signed| policy.count(signed));
    said.max_by_key(|said| (said.rejected.is_some(), said.quorum, said.counted.len(), said.size))
}

/// Below a verdict: who signed, and whether they are enough.
pub(crate) fn summary(policy: &WitnessPolicy, said: &Witnessed) -> String {
    let mut text = String::new();
    render::witnesses(&mut text, said);
    let summary = match (&said.rejected, said.quorum, said.log_listed, policy.asks_for_witnesses()) {
        (Some(why), ..) => texts().policy_rejects_checkpoint(said_text(why)),
        (None, _, false, _) => texts().policy_lists_not(),
        (None, _, true, false) => texts().policy_asks_none(),
        (None, true, true, true) => texts().enough_signed(),
        (None, false, true, true) => texts().not_enough_signed(),
    };
    text.push_str(&format!("{summary}\n"));
    text
}

/// The status where too few witnesses signed: nothing wrong was found, and it stays open who else was shown
/// another history. A checkpoint that the policy rejects was altered.
pub(crate) fn exit(said: &Witnessed) -> Exit {
    if said.rejected.is_some() {
        return Exit::Seal;
    }
    if said.quorum { Exit::Good } else { Exit::Open }
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
    patience: Patience,
) -> Result<Submitted, Failure>
where
    N: NodeSource<Error: Display> + Sync + ?Sized,
{
    let folder = LogFolder::new(log);
    let before = kept(log)?;
    let submission = submit(policy, nodes, signed, before.as_ref(), patience);
    let said = &submission.witnessed;
    let had_quorum = before.is_some_and(|before| policy.count(&before).quorum);
    let keep = !said.counted.is_empty() && (said.quorum || !had_quorum);
    if keep {
        folder.keep_cosigned(&submission.cosigned).map_err(Failure::of_reading)?;
    }
    Ok(Submitted { submission, kept: keep })
}

/// The contradictions that witnesses report, as one message.
pub(crate) fn contradicted(log: &Path, submission: &Submission) -> Option<Failure> {
    let contradictions: Vec<String> = submission
        .contradictions()
        .map(|(witness, what)| texts().witness_contradicts_log(log.display(), witness, said(what)))
        .collect();
    if contradictions.is_empty() {
        return None;
    }
    let advice = texts().restore_what_witness_saw();
    Some(Failure::seal(format!("{}\n  {advice}", contradictions.join("\n  "))))
}

/// Nothing is sealed if a witness has seen a newer state of the log. A witness that does not answer is
/// reported and not waited for: play goes on.
pub(crate) fn ask_before_sealing(log: &Path, file: &Path, writer: &Writer) -> Result<(), Failure> {
    let policy = policy(file)?;
    let nodes = StoreNodes(writer.reader());
    not_refuted(log, &nodes, &writer.signed_checkpoint(), writer)?;
    let submitted = submit_newest(log, &policy, &nodes, &writer.signed_checkpoint(), Patience::default())?;
    if let Some(contradicted) = contradicted(log, &submitted.submission) {
        return Err(contradicted);
    }
    for asked in &submitted.submission.asked {
        if let Err(why) = &asked.outcome {
            output::note(&texts().witness_did_not_say(&asked.witness, said(why)));
        }
    }
    Ok(())
}

/// Nothing is sealed on a log that its own cosigned checkpoint refutes: one that the log's key signed for more entries,
/// or for others. What cannot be read, or is not signed by the log, refutes nothing.
fn not_refuted<N>(log: &Path, nodes: &N, signed: &SignedCheckpoint, writer: &Writer) -> Result<(), Failure>
where
    N: NodeSource<Error: std::error::Error + 'static> + ?Sized,
{
    let Some(kept) = kept(log)? else { return Ok(()) };
    let keys = key_history(writer.reader()).map_err(Failure::of_seal)?;
    if keys.verify(&kept, &writer.verifier_key()).is_err() {
        return Ok(());
    }
    let (size, newest) = (kept.checkpoint().size, signed.checkpoint().size);
    let what = if size > newest {
        texts().cosigned_for_more(newest, size)
    } else {
        let root = match size {
            0 => empty_root(),
            size => range_root(nodes, 0, size).map_err(Failure::of_seal)?,
        };
        if root == kept.checkpoint().root {
            return Ok(());
        }
        texts().cosigned_for_others(size)
    };
    let advice = texts().restore_what_checkpoint_saw();
    Err(Failure::seal(format!("{}: {what}\n  {advice}", log.display())))
}

/// How a service hands its log to the witnesses of a policy, and what enough of them signed before.
pub(crate) fn while_serving(log: &Path, file: &Path, interval: u32) -> Result<Witnesses, Failure> {
    let policy = policy(file)?;
    let enough = |cosigned: &SignedCheckpoint| {
        let said = policy.count(cosigned);
        said.quorum && !said.counted.is_empty()
    };
    let cosigned = kept(log)?.filter(enough);
    let log = log.to_owned();
    let submit = move |reader: &SledReader, signed: &SignedCheckpoint, time: Duration| {
        let submitted = submit_newest(&log, &policy, &StoreNodes(reader), signed, Patience::within(time));
        submitted.map(|submitted| answers(submitted.submission)).map_err(|failure| failure.message)
    };
    Ok(Witnesses { every: Duration::from_secs(interval.into()), cosigned, submit: Box::new(submit) })
}

fn answers(submission: Submission) -> service::WitnessAnswers {
    let mut answers = service::WitnessAnswers::default();
    for Asked { witness, outcome } in submission.asked {
        match outcome {
            // One without an address is not asked.
            Ok(_) | Err(AskError::NoUrl) => {}
            Err(AskError::Contradiction(Contradiction::SawMore { seen, .. })) => {
                answers.saw_more.push((witness, seen));
            }
            Err(AskError::Contradiction(what)) => {
                answers.contradictions.push(format!("witness {witness} {what}"));
            }
            Err(
                why @ (AskError::Refused { .. }
                | AskError::NotBelieved(_)
                | AskError::Unanswered { .. }
                | AskError::Proof(_)),
            ) => answers.unanswered.push(format!("witness {witness} {why}")),
        }
    }
    let said = submission.witnessed;
    answers.cosigned = (said.quorum && !said.counted.is_empty()).then_some(submission.cosigned);
    answers
}
