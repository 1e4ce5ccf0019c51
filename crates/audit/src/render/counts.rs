//! What was read and judged, in numbers: entries, the log's own notices, coups and shoes, rulebooks.

use replay::{Counts, Redacted, Report, Seal, Verdict};

use super::attested::attested;
use super::format::{counted, entries, grouped};
use crate::shown::plain;

/// Log indexes listed of those that are withheld or erased.
const LISTED: usize = 10;

pub(super) fn counts(text: &mut String, report: &Report, spanish: bool) {
    let read = report.read;
    let (events, tables) = (counted(read.events, "event"), counted(read.tables, "table"));
    text.push_str(&format!("\n{}, {events}, {tables}\n", entries_read(report)));
    not_here(text, &report.seal);
    said_by_the_log(text, &report.seal);
    if read.repeated_events > 0 {
        let repeated = counted(read.repeated_events, "event");
        text.push_str(&format!("{repeated} recorded more than once with the same content\n"));
    }
    results(text, report);
    attested(text, report, spanish);
    for used in &report.summary.rulebooks {
        let coups = counted(used.coups, "coup");
        text.push_str(&format!("rulebook {}: {} ({coups})\n  digest {}\n", used.id, used.title, used.digest));
    }
}

/// What this copy leaves out or withholds.
fn not_here(text: &mut String, seal: &Seal) {
    if seal.left_out > 0 {
        text.push_str(&format!(
            "a slice: {} of the log's {} entries are left out and replaced by proofs\n",
            grouped(seal.left_out),
            grouped(seal.size)
        ));
    }
    if seal.withheld > 0 {
        text.push_str(&format!(
            "the payload of {} is withheld: {}\n",
            entries(seal.withheld),
            listed(&seal.withheld_entries)
        ));
    }
}

/// The log's own notices.
fn said_by_the_log(text: &mut String, seal: &Seal) {
    for rotation in &seal.rotations {
        text.push_str(&format!(
            "the log's key was replaced, as recorded in entry {}, by {}\n",
            rotation.notice, rotation.new
        ));
    }
    seal.redactions.iter().for_each(|redaction| text.push_str(&erased(redaction)));
    if seal.not_erased > 0 {
        text.push_str(&format!(
            "{} of these not yet erased here; run audit redact --finish on the log's folder\n",
            grouped(seal.not_erased)
        ));
    }
}

/// What was erased, by whom and why, and what had been found there.
fn erased(redaction: &Redacted) -> String {
    let [by, countersigned_by] = &redaction.signed_by;
    let (notice, entries, reason) = (redaction.notice, listed(&redaction.entries), plain(&redaction.reason));
    let found = redaction.findings.iter();
    let found = found.map(|line| format!("  found there before the erasure: {}\n", plain(line)));
    format!(
        "erased by {by} and {countersigned_by}, as recorded in entry {notice}: {entries} ({reason})\n{}",
        found.collect::<String>()
    )
}

/// Coups and shoes by result.
fn results(text: &mut String, report: &Report) {
    let sealed = report.verdicts.intact == Verdict::Yes;
    for (name, counts, reasons) in [
        ("coups", report.summary.coups, &report.summary.undecided),
        ("shoes", report.summary.shoes, &report.summary.undecided_shoes),
    ] {
        text.push_str(&counts_line(name, counts, sealed));
        for (reason, count) in reasons {
            text.push_str(&format!("  undecided because of {reason}: {}\n", grouped(*count)));
        }
    }
}

/// How many entries were judged; of a sound log also how many are its own notices, so that the sum is
/// the size that was signed.
fn entries_read(report: &Report) -> String {
    let Seal { size, left_out, .. } = report.seal;
    let judged = report.read.entries;
    let text = format!("{} entries", grouped(judged));
    match size.saturating_sub(left_out).saturating_sub(judged) {
        0 => text,
        _ if report.verdicts.intact != Verdict::Yes => text,
        own => format!("{text} and {} of the log itself", counted(own, "notice")),
    }
}

/// Counts by result. Where the seal could not be confirmed, a coup that agrees is judged and not certified.
pub(super) fn counts_line(name: &str, counts: Counts, sealed: bool) -> String {
    let Counts { certified, judged, violated, undecided, subject_to_ruling } = counts;
    let (agree, word) = if sealed { (certified, "certified") } else { (judged, "judged") };
    let (agree, violated, undecided) = (grouped(agree), grouped(violated), grouped(undecided));
    let subject = match subject_to_ruling {
        0 => String::new(),
        subject => format!(" ({} of them subject to a ruling)", grouped(subject)),
    };
    format!("{name}: {agree} {word}{subject}, {violated} violated, {undecided} undecided\n")
}

/// The first of some log indexes.
fn listed(indexes: &[u64]) -> String {
    let mut text: Vec<String> = indexes.iter().take(LISTED).map(u64::to_string).collect();
    if indexes.len() > LISTED {
        text.push("...".to_owned());
    }
    text.join(", ")
}
