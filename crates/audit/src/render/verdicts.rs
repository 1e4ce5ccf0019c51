//! The four verdicts of a report in a sentence each.

use replay::{Code, Report, Severity, Verdict, Verdicts};
use texts::Question;
use tlog::policy::Witnessed;

use super::attested::all_agree;
use crate::colour::{self, Style};
use crate::errors::said_text;
use crate::language::texts;

/// The verdicts, a line each with its reason: escaped already, and painted where there is colour.
pub(super) fn verdicts(text: &mut String, report: &Report, witnessed: Option<&Witnessed>) {
    let Verdicts { intact, anchored, complete, certified } = report.verdicts;
    for (question, answer, why) in [
        (Question::Intact, intact, why_intact(report)),
        (Question::Anchored, anchored, why_anchored(anchored, report, witnessed)),
        (Question::Complete, complete, why_complete(report)),
        (Question::Certified, certified, why_certified(report)),
    ] {
        let (name, verdict) = (texts().question(question), texts().verdict(answer));
        let (names, verdicts): (usize, usize) = match texts().language() {
            texts::Language::English => (10, 8),
            texts::Language::Spanish => (11, 11),
        };
        let styled = colour::styled(Style::of(answer), verdict);
        let space = " ".repeat(verdicts.saturating_sub(verdict.chars().count()));
        text.push_str(&format!("{name:<names$} {styled}{space} {}\n", colour::lines(&why)));
    }
}

fn why_intact(report: &Report) -> String {
    let seal = &report.seal;
    match report.verdicts.intact {
        Verdict::Yes => {
            let key = match seal.key_trust {
                Some("given") => texts().key_given(),
                _ => texts().key_stored(),
            };
            let here = if seal.left_out + seal.withheld > 0 {
                texts().every_byte_present()
            } else {
                texts().every_byte()
            };
            let beyond = match seal.beyond_checkpoint {
                0 => String::new(),
                beyond => texts().beyond_checkpoint(beyond),
            };
            texts().seal_holds(here, beyond, key)
        }
        Verdict::No => texts().faults_in_seal(seal.fault_count),
        Verdict::Unknown => seal
            .intact_unknown
            .map_or_else(|| texts().not_shown(), |why| texts().intact_unknown(why).to_owned()),
    }
}

fn why_anchored(verdict: Verdict, report: &Report, witnessed: Option<&Witnessed>) -> String {
    if let Some(why) = witnessed.and_then(|said| why_witnessed(verdict, said)) {
        return why;
    }
    match verdict {
        Verdict::Yes => texts().extends_every_checkpoint(),
        Verdict::No => not_extended(report),
        Verdict::Unknown if !report.seal.of_another_log.is_empty() => texts().of_another_log(),
        Verdict::Unknown if report.seal.left_out > 0 => texts().slice_anchored(),
        Verdict::Unknown => texts().no_checkpoint_given(),
    }
}

/// Why the log does not extend a checkpoint: it ends before it, or its history is another.
fn not_extended(report: &Report) -> String {
    match report.seal.older_than {
        Some(checkpoint) => {
            texts().older_copy(texts().grouped(report.seal.size), texts().grouped(checkpoint))
        }
        None => texts().not_extended(),
    }
}

/// The reason for the verdict, if the witness policy decided it.
fn why_witnessed(verdict: Verdict, said: &Witnessed) -> Option<String> {
    let size = texts().grouped(said.size);
    if let Some(why) = &said.rejected {
        return Some(texts().policy_rejects(size, said_text(why)));
    }
    match verdict {
        Verdict::Yes if !said.counted.is_empty() => Some(texts().enough_witnesses(size)),
        Verdict::Unknown if !said.log_listed => Some(texts().policy_without_log()),
        Verdict::Unknown if !said.quorum => {
            let all = said.counted.len() + said.not_counted.len();
            Some(texts().too_few_witnesses(said.counted.len(), all))
        }
        Verdict::Yes | Verdict::No | Verdict::Unknown => None,
    }
}

fn why_complete(report: &Report) -> String {
    let read = report.read;
    match report.verdicts.complete {
        Verdict::Yes => texts().no_gap(read.tables),
        Verdict::No => texts().events_missing(read.missing_events),
        Verdict::Unknown if report.verdicts.intact != Verdict::Yes => unsealed(report),
        Verdict::Unknown if report.seal.left_out > 0 => texts().slice_complete(),
        Verdict::Unknown if report.seal.withheld > 0 => texts().withheld_unchecked(),
        Verdict::Unknown if read.entries == 0 => texts().log_empty(),
        Verdict::Unknown if report.summary.findings_by_code.contains_key(&Code::SequenceLate) => {
            texts().repeated_too_late()
        }
        Verdict::Unknown => texts().cannot_be_judged(report.unreadable_count),
    }
}

/// Why nothing is confirmed about the log, whatever was judged.
fn unsealed(report: &Report) -> String {
    match report.verdicts.intact {
        Verdict::No => texts().seal_broken(),
        Verdict::Yes | Verdict::Unknown => texts().seal_unconfirmed(),
    }
}

/// Whether the only findings are those in entries that are erased.
fn only_erased(report: &Report) -> bool {
    let open = report.summary.coups.undecided + report.summary.shoes.undecided + report.unreadable_count;
    open == 0 && report.seal.redactions.iter().any(|redaction| !redaction.findings.is_empty())
}

fn why_certified(report: &Report) -> String {
    let total = report.summary.coups.total();
    match report.verdicts.certified {
        Verdict::Yes => all_agree(report, total),
        Verdict::No => {
            let violations: u64 = report
                .summary
                .findings_by_code
                .iter()
                .filter(|(code, _)| code.severity() == Severity::Violation)
                .map(|(_, count)| count)
                .sum();
            texts().violations(violations)
        }
        Verdict::Unknown if report.verdicts.intact != Verdict::Yes => unsealed(report),
        Verdict::Unknown if total == 0 => texts().no_coup(),
        Verdict::Unknown if only_erased(report) => texts().findings_erased(),
        Verdict::Unknown => {
            let (coups, shoes) = (report.summary.coups.undecided, report.summary.shoes.undecided);
            texts().coups_and_shoes_undecided(texts().coups(coups), texts().shoes(shoes))
        }
    }
}
