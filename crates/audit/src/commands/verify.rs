//! `audit verify log`: the four verdicts, the findings and the certificate.

use std::collections::BTreeSet;
use std::path::Path;

use replay::{Entry, Judge, Judgement, Rejudged, Report, Verdict, Wanted};
use sealed_log::{Expectations, LOG_CHAIN, SealReport, SignedCheckpoint, VerifierKey, Window};

use crate::cli::{LogRead, VerifyLog};
use crate::exit::Exit;
use crate::log::{OpenedLog, rulebook, signed_checkpoint, small_text, verifier_key};
use crate::{Failure, progress, render, witnesses};

pub(crate) fn run(ask: &VerifyLog) -> Result<Exit, Failure> {
    if let Some(other) = &ask.other {
        return rejudge(ask, other);
    }
    let policy = ask.witness_policy.as_deref().map(witnesses::policy).transpose()?;
    let anchors = anchors(ask)?;
    let expectations = Expectations { verifier: key(ask)?, anchors: anchors.clone() };
    let (mut seal, judgement) = judge(&ask.log, expectations, approved(&ask.approved)?, None)?;
    let witnessed = policy.as_ref().and_then(|policy| seal.require_quorum(policy, &anchors));
    let report = Report::new(seal, judgement);
    let unwitnessed = policy.is_some_and(|policy| policy.asks_for_witnesses())
        && report.verdicts.anchored == Verdict::Unknown;
    let exit = if unwitnessed { exit(&report).worse(Exit::Open) } else { exit(&report) };
    if ask.json {
        super::print_json(&render::report_json(&report, witnessed.as_ref()))?;
    } else {
        super::print(&render::report(&report, witnessed.as_ref(), ask.all, ask.lang == "es"))?;
    }
    Ok(exit)
}

/// Reads and judges a whole log.
pub(crate) fn judge(
    log: &LogRead,
    expectations: Expectations,
    approved: Option<BTreeSet<String>>,
    wanted: Option<Wanted>,
) -> Result<(SealReport, Judgement), Failure> {
    let (seal, [judgement]) = judge_by(log, expectations, [Judge::new(approved, wanted)])?;
    Ok((seal, judgement))
}

/// Reads a log once and judges it by several judges.
fn judge_by<const N: usize>(
    log: &LogRead,
    expectations: Expectations,
    mut judges: [Judge; N],
) -> Result<(SealReport, [Judgement; N]), Failure> {
    let opened = OpenedLog::open_to_verify(log)?;
    let bar = progress::counter("events judged");
    let seal = opened.read(expectations, |window| {
        let entries = entries(&window);
        judges.iter_mut().for_each(|judge| judge.judge(&entries));
        bar.inc(entries.iter().map(|entry| u64::from(entry.count)).sum());
    })?;
    bar.finish_and_clear();
    Ok((seal, judges.map(Judge::finish)))
}

/// Says what another rulebook would change.
fn rejudge(ask: &VerifyLog, other: &str) -> Result<Exit, Failure> {
    let book = rulebook(other)?;
    let title = format!("{} ({})", book.id, book.title);
    let expectations = Expectations { verifier: key(ask)?, anchors: anchors(ask)? };
    let judges = [Judge::new(approved(&ask.approved)?, None), Judge::under(book)];
    let (seal, [own, under]) = judge_by(&ask.log, expectations, judges)?;
    let changed = Rejudged::new(&own, &under);
    if ask.json {
        super::print_json(&changed)?;
    } else {
        super::print(&render::rejudged(&changed, &title, ask.all, ask.lang == "es"))?;
    }
    let broken = [seal.intact, seal.anchored].map(Verdict::from).contains(&Verdict::No);
    let exit = if changed.same() { Exit::Good } else { Exit::Findings };
    Ok(if broken { exit.worse(Exit::Seal) } else { exit })
}

/// The entries of a window that can be parsed; the others are faults of the seal. What the log says of
/// itself is not for the judge.
pub(super) fn entries(window: &Window) -> Vec<Entry<'_>> {
    window
        .entries()
        .filter_map(|entry| {
            let view = entry.view.ok().filter(|view| view.chain != LOG_CHAIN)?;
            Some(Entry {
                index: entry.index,
                table: view.chain,
                first: view.first,
                count: view.count,
                payload: view.payload,
                withheld: entry.withheld,
                after_left_out: entry.after_left_out,
            })
        })
        .collect()
}

fn key(ask: &VerifyLog) -> Result<Option<VerifierKey>, Failure> {
    ask.key.as_deref().map(verifier_key).transpose()
}

/// The checkpoints given; where witnesses count, the cosigned one kept beside the log as well.
fn anchors(ask: &VerifyLog) -> Result<Vec<SignedCheckpoint>, Failure> {
    let given = ask.checkpoint.iter().map(|file| signed_checkpoint(file));
    let cosigned = if ask.witness_policy.is_some() { witnesses::kept(&ask.log.log)? } else { None };
    given.chain(cosigned.map(Ok)).collect()
}

fn approved(given: &[String]) -> Result<Option<BTreeSet<String>>, Failure> {
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
                let message = format!(
                    "--approved: `{word}` is not a rulebook digest (64 hexadecimal digits, as `audit rules list` prints) nor a file"
                );
                return Err(Failure::usage(message));
            }
            digests.insert(word.to_owned());
        }
    }
    Ok(Some(digests))
}

/// The worst of what the report says.
fn exit(report: &Report) -> Exit {
    let verdicts = report.verdicts;
    let mut exit = Exit::Good;
    if verdicts.intact == Verdict::No || verdicts.anchored == Verdict::No {
        exit = exit.worse(Exit::Seal);
    }
    if report.unreadable_count > 0 {
        exit = exit.worse(Exit::Unreadable);
    }
    if report.findings_by_code.keys().any(|code| code.severity() == replay::Severity::Violation) {
        exit = exit.worse(Exit::Findings);
    }
    let open = [verdicts.intact, verdicts.complete, verdicts.certified]
        .iter()
        .any(|verdict| *verdict != Verdict::Yes);
    if open { exit.worse(Exit::Open) } else { exit }
}
