//! `audit verify log`: the four verdicts, the findings and the certificate.

use std::collections::BTreeSet;
use std::path::Path;

use replay::{Judge, Rejudged, Report, Verdict};
use sealed_log::reader::Expectations;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;

use super::keep_checkpoint;
use crate::cli::VerifyLog;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{rulebook, signed_checkpoint, verifier_key};
use crate::program::PROGRAM;
use crate::spool::Spool;
use crate::text_file::small_text;
use crate::{judging, output, render, witnesses};

pub(crate) fn run(ask: &VerifyLog) -> Result<Exit, Failure> {
    let held = keep_checkpoint::held(ask.keep_checkpoint.as_deref())?;
    let policy = ask.witness_policy.as_deref().map(witnesses::policy).transpose()?;
    let anchors = anchors(ask)?;
    let expectations = Expectations { verifier: key(ask)?, anchors: anchors.clone() };
    let mut own = Judge::new(approved(&ask.approved)?, None);
    let other = ask.other.as_deref().map(rulebook).transpose()?;
    let title = other.as_ref().map(|book| format!("{} ({})", book.id, book.title)).unwrap_or_default();
    let mut under = other.map(Judge::under);
    let mut spool = (ask.all && under.is_none()).then(Spool::new).transpose()?;
    let mut others: Vec<&mut Judge> = under.iter_mut().collect();
    let mut seal = judging::read_for(&ask.log, expectations, &mut others, |entries| {
        match &mut spool {
            Some(spool) => spool.judge(&mut own, entries),
            None => own.judge(entries),
        }
        own.table_count()
    })?;
    let witnessed = policy.as_ref().and_then(|policy| seal.require_quorum(policy, &anchors));
    let (own, at_the_end) = own.finish_reporting();
    let spooled = spool.map(|spool| spool.finish(&at_the_end)).transpose()?;
    let changed = under.map(|under| Rejudged::new(&own, &under.finish()));
    let newest = seal.checkpoint.clone();
    let report = Report::new(seal, own).judged_by(PROGRAM);
    let asks_witnesses = policy.is_some_and(|policy| policy.asks_for_witnesses());
    let not_listed = witnessed.as_ref().is_some_and(|said| !said.log_listed);
    let exit = exit(&report, asks_witnesses || not_listed);
    let view = render::ReportView { report: &report, witnessed: witnessed.as_ref(), all: ask.all };
    if let Some(changed) = changed {
        print_changed(&view, &changed, &title, ask.json)?;
        return Ok(if changed.same() { exit } else { exit.worse(Exit::Findings) });
    }
    match (spooled, ask.json) {
        (Some(all), true) => output::print_json_by(|out| {
            serde_json::to_writer_pretty(&mut *out, &view.json_of_all(all))?;
            out.write_all(b"\n")
        })?,
        (Some(all), false) => {
            output::print_shown(&view.heading())?;
            output::print_by(|out| view.write_all(out, &all))?;
        }
        (None, true) => output::print_json(&view.json())?,
        (None, false) => {
            output::print_shown(&view.heading())?;
            output::print(&view.text())?;
        }
    }
    if let Some(file) = &ask.keep_checkpoint {
        keep_checkpoint::keep(file, held.as_ref(), &report, newest.as_ref(), ask.json)?;
    }
    Ok(exit)
}

/// Prints what another rulebook would change, below the log's own verdicts.
fn print_changed(
    view: &render::ReportView<'_>,
    changed: &Rejudged,
    title: &str,
    json: bool,
) -> Result<(), Failure> {
    let sealed = view.report.verdicts.intact == Verdict::Yes;
    let changed = if sealed { changed.clone() } else { changed.clone().unsealed() };
    if json {
        output::print_json(&view.changed_json(&changed, title))
    } else {
        output::print_shown(&view.heading())?;
        output::print(&view.changed_text(&changed, title))
    }
}

fn key(ask: &VerifyLog) -> Result<Option<VerifierKey>, Failure> {
    ask.key.as_deref().map(verifier_key).transpose()
}

/// The checkpoints given; where witnesses count, the cosigned one kept beside the log as well.
fn anchors(ask: &VerifyLog) -> Result<Vec<SignedCheckpoint>, Failure> {
    let given = ask.checkpoint.iter().map(|file| signed_checkpoint(file));
    let cosigned = if ask.witness_policy.is_some() { witnesses::kept(&ask.log.log)? } else { None };
    // What is to be replaced must be extended as well.
    let kept = keep_checkpoint::held(ask.keep_checkpoint.as_deref())?;
    given.chain(cosigned.map(Ok)).chain(kept.map(Ok)).collect()
}

pub(super) fn approved(given: &[String]) -> Result<Option<BTreeSet<String>>, Failure> {
    if given.is_empty() {
        return Ok(None);
    }
    let mut digests = BTreeSet::new();
    for item in given {
        let path = Path::new(item);
        let text = if path.is_file() { small_text(path)? } else { item.clone() };
        for word in text.lines().filter_map(|line| line.split('#').next()).flat_map(str::split_whitespace) {
            if word.len() != 64
                || !word.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
            {
                return Err(Failure::usage(texts().bad_approved(word)));
            }
            digests.insert(word.to_owned());
        }
    }
    if digests.is_empty() {
        // An empty list would accuse every table; nobody keeps a list to approve of nothing.
        return Err(Failure::usage(texts().empty_approved(given.join(" "))));
    }
    Ok(Some(digests))
}

/// The worst status of the report. Where witnesses were asked for, too few of them leave it open.
pub(super) fn exit(report: &Report, asks_witnesses: bool) -> Exit {
    let verdicts = report.verdicts;
    let mut exit = Exit::Good;
    if verdicts.intact == Verdict::No || verdicts.anchored == Verdict::No {
        exit = exit.worse(Exit::Seal);
    } else if !report.seal.of_another_log.is_empty() {
        exit = exit.worse(Exit::Usage);
    }
    if report.unreadable_count > 0 {
        exit = exit.worse(Exit::Unreadable);
    }
    if report.summary.findings_by_code.keys().any(|code| code.severity() == replay::Severity::Violation) {
        exit = exit.worse(Exit::Findings);
    }
    let shown = [verdicts.intact, verdicts.complete, verdicts.certified];
    let open = shown.iter().any(|verdict| *verdict != Verdict::Yes)
        || (asks_witnesses && verdicts.anchored == Verdict::Unknown);
    if open { exit.worse(Exit::Open) } else { exit }
}
