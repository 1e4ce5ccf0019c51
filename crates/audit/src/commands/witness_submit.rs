//! `audit witness submit`: submits a log's newest checkpoint to witnesses.

use std::path::Path;

use sealed_log_sled::LogFolder;
use serde::Serialize;
use tlog::policy::WitnessPolicy;
use witness::{AskError, Asked, Patience};

use crate::cli::WitnessSubmit;
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::output;
use crate::proving::{ProvingLog, Wanted};
use crate::render;
use crate::witnesses::{Submitted, contradicted, policy, submit_newest};

/// How often a log that others submit meanwhile is submitted.
const SUBMISSIONS: usize = 3;

#[derive(Serialize)]
struct SubmissionView {
    origin: String,
    size: u64,
    root: String,
    /// Whether enough witnesses signed.
    quorum: bool,
    /// Where the cosigned checkpoint is kept, if this one is.
    kept: Option<String>,
    witnesses: Vec<Answer>,
}

/// What one witness answered.
#[derive(Serialize)]
struct Answer {
    witness: String,
    /// When it signed, as it says: seconds since 1970 UTC.
    signed_at: Option<u64>,
    /// Why it did not sign.
    why: Option<String>,
    /// Whether it has seen more of the log, or another history.
    contradicts: bool,
}

pub(crate) fn run(ask: &WitnessSubmit) -> Result<Exit, Failure> {
    let policy = policy(&ask.policy)?;
    if !ask.log.is_dir() {
        return Err(Failure::usage(texts().submit_needs_folder(ask.log.display())));
    }
    let submitted = submit_while_it_grows(&ask.log, &policy)?;
    let view = view(ask, &submitted);
    if ask.json {
        output::print_json(&view)?;
    } else {
        output::print(&text(&view, submitted.submission.witnessed.log_listed))?;
    }
    match contradicted(&ask.log, &submitted.submission) {
        Some(contradicted) => Err(contradicted),
        None if view.quorum => Ok(Exit::Good),
        None => Ok(Exit::Open),
    }
}

/// Submits the newest checkpoint. Where a witness has seen more, the log is read again: somebody else may have submitted
/// a newer checkpoint of it meanwhile, and then nothing contradicts the log.
fn submit_while_it_grows(path: &Path, policy: &WitnessPolicy) -> Result<Submitted, Failure> {
    let mut log = ProvingLog::open(path, &Wanted::Hashes)?;
    for _ in 0..SUBMISSIONS {
        let submitted = submit_newest(path, policy, &log, &log.signed, Patience::default())?;
        let Some(seen) = submitted.submission.newest_seen() else { return Ok(submitted) };
        log = ProvingLog::open(path, &Wanted::Hashes)?;
        if log.size() < seen {
            return Ok(submitted);
        }
    }
    Err(Failure { exit: Exit::Open, message: texts().others_submit_faster(path.display()) })
}

fn view(ask: &WitnessSubmit, submitted: &Submitted) -> SubmissionView {
    let submission = &submitted.submission;
    let checkpoint = submission.cosigned.checkpoint();
    SubmissionView {
        origin: checkpoint.origin.clone(),
        size: checkpoint.size,
        root: checkpoint.root_text(),
        quorum: submission.witnessed.quorum,
        kept: submitted.kept.then(|| LogFolder::new(&ask.log).cosigned_checkpoint().display().to_string()),
        witnesses: submission.asked.iter().map(answer).collect(),
    }
}

fn answer(asked: &Asked) -> Answer {
    let (signed_at, why) = match &asked.outcome {
        Ok(cosignature) => (Some(cosignature.time()), None),
        Err(why) => (None, Some(said(why))),
    };
    let contradicts = matches!(asked.outcome, Err(AskError::Contradiction(_)));
    Answer { witness: asked.witness.clone(), signed_at, why, contradicts }
}

fn text(view: &SubmissionView, log_listed: bool) -> String {
    let mut text = format!("{}: {}\n", view.origin, texts().entries(view.size));
    for answer in &view.witnesses {
        let said = match (&answer.signed_at, &answer.why) {
            (Some(time), _) => texts().signed_on(render::moment(*time)),
            (None, why) => why.clone().unwrap_or_default(),
        };
        text.push_str(&format!("  {} {said}\n", answer.witness));
    }
    let summary = match (view.quorum, log_listed) {
        (true, _) => texts().enough_signed(),
        (false, true) => texts().not_enough_signed(),
        (false, false) => texts().policy_lists_not(),
    };
    text.push_str(&format!("{summary}\n"));
    text.push_str(&match &view.kept {
        Some(kept) => texts().stored_in(kept),
        None => texts().not_stored(),
    });
    text
}
