//! What was read and judged, in numbers: entries, the log's own notices, coups and shoes, rulebooks.

use replay::{Counts, Redacted, Report, Seal, Verdict};

use super::attested::attested;
use crate::language::texts;
use crate::shown::plain;

/// Log indexes listed of those that are withheld or erased.
const LISTED: usize = 10;

/// What is counted by result: Spanish has another ending for each.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counted {
    Coups,
    Shoes,
}

pub(super) fn counts(text: &mut String, report: &Report) {
    let read = report.read;
    let (events, tables) = (texts().events(read.events), texts().tables(read.tables));
    text.push_str(&format!("\n{}, {events}, {tables}\n", entries_read(report)));
    not_here(text, &report.seal);
    said_by_the_log(text, &report.seal);
    if read.repeated_events > 0 {
        text.push_str(&format!("{}\n", texts().repeated(texts().events(read.repeated_events))));
    }
    results(text, report);
    attested(text, report);
    for used in &report.summary.rulebooks {
        let used_in = texts().coups(used.coups);
        text.push_str(&format!("{}\n", texts().rulebook_used(&used.id, &used.title, used_in)));
        text.push_str(&format!("  {}\n", texts().digest(&used.digest)));
    }
}

/// What this copy leaves out or withholds.
fn not_here(text: &mut String, seal: &Seal) {
    let grouped = |number| texts().grouped(number);
    if seal.left_out > 0 {
        text.push_str(&format!("{}\n", texts().left_out(grouped(seal.left_out), grouped(seal.size))));
    }
    if seal.withheld > 0 {
        let (entries, which) = (texts().entries(seal.withheld), listed(&seal.withheld_entries));
        text.push_str(&format!("{}\n", texts().withheld(entries, which)));
    }
}

/// The log's own notices.
fn said_by_the_log(text: &mut String, seal: &Seal) {
    for rotation in &seal.rotations {
        text.push_str(&format!("{}\n", texts().key_replaced(rotation.notice, &rotation.new)));
    }
    seal.redactions.iter().for_each(|redaction| text.push_str(&erased(redaction)));
    if seal.not_erased > 0 {
        text.push_str(&format!("{}\n", texts().not_yet_erased(texts().grouped(seal.not_erased))));
    }
}

/// What was erased, by whom and why, and what had been found there.
fn erased(redaction: &Redacted) -> String {
    let [by, countersigned_by] = &redaction.signed_by;
    let (entries, reason) = (listed(&redaction.entries), plain(&redaction.reason));
    let found = redaction.findings.iter();
    let found = found.map(|line| format!("  {}\n", texts().found_before_erasure(plain(line))));
    let erased = texts().erased(by, countersigned_by, redaction.notice, entries, reason);
    format!("{erased}\n{}", found.collect::<String>())
}

/// Coups and shoes by result.
fn results(text: &mut String, report: &Report) {
    let sealed = report.verdicts.intact == Verdict::Yes;
    for (counted, name, counts, reasons) in [
        (Counted::Coups, texts().coups_heading(), report.summary.coups, &report.summary.undecided),
        (Counted::Shoes, texts().shoes_heading(), report.summary.shoes, &report.summary.undecided_shoes),
    ] {
        text.push_str(&counts_line(counted, &name, counts, sealed));
        for (reason, count) in reasons {
            let because = texts().undecided_because(reason, texts().grouped(*count));
            let what = if texts().language() == texts::Language::Spanish {
                format!(" ({})", reason.sentence(texts().language()))
            } else {
                String::new()
            };
            text.push_str(&format!("  {because}{what}\n"));
        }
    }
}

/// How many entries were judged; of a sound log also how many are its own notices, so that the sum is
/// the size that was signed.
fn entries_read(report: &Report) -> String {
    let Seal { size, left_out, .. } = report.seal;
    let judged = report.read.entries;
    let text = texts().entries(judged);
    match size.saturating_sub(left_out).saturating_sub(judged) {
        0 => text,
        _ if report.verdicts.intact != Verdict::Yes => text,
        own => texts().of_the_log_itself(text, texts().notices(own)),
    }
}

/// Counts by result. Where the seal could not be confirmed, a coup that agrees is judged and not certified.
pub(super) fn counts_line(counted: Counted, name: &str, counts: Counts, sealed: bool) -> String {
    let Counts { certified, judged, violated, undecided, subject_to_ruling } = counts;
    let grouped = |number| texts().grouped(number);
    let (agree, violated, undecided) =
        (grouped(if sealed { certified } else { judged }), grouped(violated), grouped(undecided));
    let subject = match subject_to_ruling {
        0 => String::new(),
        subject => texts().some_subject_to_ruling(grouped(subject)),
    };
    let line = match (counted, sealed) {
        (Counted::Coups, true) => texts().coups_by_result(agree, violated, undecided, subject),
        (Counted::Coups, false) => texts().coups_judged_by_result(agree, violated, undecided, subject),
        (Counted::Shoes, true) => texts().shoes_by_result(agree, violated, undecided, subject),
        (Counted::Shoes, false) => texts().shoes_judged_by_result(agree, violated, undecided, subject),
    };
    format!("{name}: {line}\n")
}

/// The first of some log indexes.
fn listed(indexes: &[u64]) -> String {
    let mut text: Vec<String> = indexes.iter().take(LISTED).map(u64::to_string).collect();
    if indexes.len() > LISTED {
        text.push("...".to_owned());
    }
    text.join(", ")
}
