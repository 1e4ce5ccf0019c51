//! The four verdicts of a report in a sentence each.

use replay::{Code, Report, Severity, Verdict, Verdicts};
use tlog::policy::Witnessed;

use super::attested::all_agree;
use super::format::{counted, grouped};

/// The verdicts, a line each with its reason.
pub(super) fn verdicts(text: &mut String, report: &Report, witnessed: Option<&Witnessed>, spanish: bool) {
    let Verdicts { intact, anchored, complete, certified } = report.verdicts;
    for (name, verdict, why) in [
        ("intact", intact, why_intact(report)),
        ("anchored", anchored, why_anchored(anchored, report, witnessed)),
        ("complete", complete, why_complete(report)),
        ("certified", certified, why_certified(report, spanish)),
    ] {
        text.push_str(&format!("{name:<10} {verdict:<8} {why}\n"));
    }
}

fn why_intact(report: &Report) -> String {
    let seal = &report.seal;
    match report.verdicts.intact {
        Verdict::Yes => {
            let key = match seal.key_trust {
                Some("given") => "the key you gave",
                _ => "the key stored in the log itself; use --key with a key you obtained independently",
            };
            let here = if seal.left_out + seal.withheld > 0 { "every byte present" } else { "every byte" };
            let beyond = match seal.beyond_checkpoint {
                0 => String::new(),
                1 => "; no signature covers 1 entry after the newest checkpoint".to_owned(),
                beyond => format!("; no signature covers {beyond} entries after the newest checkpoint"),
            };
            format!("{here} is as it was sealed{beyond}; signature checked against {key}")
        }
        Verdict::No => format!("{} in the seal", counted(seal.fault_count, "fault")),
        Verdict::Unknown => seal.intact_unknown.unwrap_or("not shown").to_owned(),
    }
}

fn why_anchored(verdict: Verdict, report: &Report, witnessed: Option<&Witnessed>) -> String {
    if let Some(why) = witnessed.and_then(|said| why_witnessed(verdict, said)) {
        return why;
    }
    match verdict {
        Verdict::Yes => "the log extends every checkpoint given",
        Verdict::No => "the log does not extend a given checkpoint: its history was changed, cut or forked",
        Verdict::Unknown if !report.seal.of_another_log.is_empty() => {
            "the given key or checkpoint belongs to another log"
        }
        Verdict::Unknown if report.seal.left_out > 0 => {
            "a slice can only be compared with its own checkpoint (for others use audit verify checkpoint)"
        }
        Verdict::Unknown => "no checkpoint kept elsewhere was given (--checkpoint FILE)",
    }
    .to_owned()
}

/// The reason for the verdict, if the witness policy decided it.
fn why_witnessed(verdict: Verdict, said: &Witnessed) -> Option<String> {
    if let Some(why) = &said.rejected {
        let size = grouped(said.size);
        return Some(format!("the witness policy rejects the checkpoint of {size} entries: {why}"));
    }
    match verdict {
        Verdict::Yes if !said.counted.is_empty() => Some(format!(
            "the log extends a checkpoint of {} entries that enough witnesses signed",
            grouped(said.size)
        )),
        Verdict::Unknown if !said.log_listed => Some("the witness policy does not list this log".to_owned()),
        Verdict::Unknown if !said.quorum => {
            let all = said.counted.len() + said.not_counted.len();
            Some(format!("too few witnesses signed: {} of {all}", said.counted.len()))
        }
        Verdict::Yes | Verdict::No | Verdict::Unknown => None,
    }
}

fn why_complete(report: &Report) -> String {
    let read = report.read;
    match report.verdicts.complete {
        Verdict::Yes => format!("no gap in the numbering of {}", counted(read.tables, "table")),
        Verdict::No => {
            format!("{} missing from the tables' numbering", counted(read.missing_events, "event"))
        }
        Verdict::Unknown if report.verdicts.intact != Verdict::Yes => unsealed(report),
        Verdict::Unknown if report.seal.left_out > 0 => {
            "a slice cannot show that nothing is missing, or that no later entry changes what it shows"
                .to_owned()
        }
        Verdict::Unknown if report.seal.withheld > 0 => {
            "the content of withheld entries cannot be checked".to_owned()
        }
        Verdict::Unknown if read.entries == 0 => "the log is empty".to_owned(),
        Verdict::Unknown if report.summary.findings_by_code.contains_key(&Code::SequenceLate) => {
            "events were repeated too late to be compared".to_owned()
        }
        Verdict::Unknown => format!(
            "{} cannot be judged",
            counted(report.unreadable_count, "entry").replace("entrys", "entries")
        ),
    }
}

/// Why nothing is confirmed about the log, whatever was judged.
fn unsealed(report: &Report) -> String {
    match report.verdicts.intact {
        Verdict::No => "the seal is broken",
        Verdict::Yes | Verdict::Unknown => "the seal could not be confirmed",
    }
    .to_owned()
}

/// Whether the only findings are those in entries that are erased.
fn only_erased(report: &Report) -> bool {
    let open = report.summary.coups.undecided + report.summary.shoes.undecided + report.unreadable_count;
    open == 0 && report.seal.redactions.iter().any(|redaction| !redaction.findings.is_empty())
}

fn why_certified(report: &Report, spanish: bool) -> String {
    let total = report.summary.coups.total();
    match report.verdicts.certified {
        Verdict::Yes => all_agree(report, total, spanish),
        Verdict::No => {
            let violations: u64 = report
                .summary
                .findings_by_code
                .iter()
                .filter(|(code, _)| code.severity() == Severity::Violation)
                .map(|(_, count)| count)
                .sum();
            counted(violations, "violation")
        }
        Verdict::Unknown if report.verdicts.intact != Verdict::Yes => unsealed(report),
        Verdict::Unknown if total == 0 => "the log holds no coup".to_owned(),
        Verdict::Unknown if only_erased(report) => {
            "there were findings in entries that are erased".to_owned()
        }
        Verdict::Unknown => {
            let open = report.summary.coups.undecided;
            format!(
                "{} and {} undecided",
                counted(open, "coup"),
                counted(report.summary.shoes.undecided, "shoe")
            )
        }
    }
}
