//! What was read and judged, in numbers: entries, the log's own notices, coups and shoes, rulebooks.

use replay::{Counts, Report, Seal, Verdict};

use crate::language::texts;

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
    push_look_alike_tables(text, report);
    not_here(text, &report.seal);
    for line in texts().notice_lines(&report.seal) {
        text.push_str(&format!("{line}\n"));
    }
    if read.repeated_events > 0 {
        text.push_str(&format!("{}\n", texts().repeated(texts().events(read.repeated_events))));
    }
    judged(text, report);
}

/// Tables whose ids may be mistaken for one another.
pub(super) fn push_look_alike_tables(text: &mut String, report: &Report) {
    for ids in &report.look_alike_tables {
        text.push_str(&format!("{}\n", texts().look_alike_tables(ids.join(", "))));
    }
}

/// What judging came to: coups and shoes by result, what is only attested, the rulebooks.
pub(super) fn judged(text: &mut String, report: &Report) {
    results(text, report);
    for line in texts().attested_lines(report) {
        text.push_str(&format!("{line}\n"));
    }
    for line in texts().recorded_late_lines(&report.summary) {
        text.push_str(&format!("{line}\n"));
    }
    for used in &report.summary.rulebooks {
        let used_in = texts().coups(used.coups);
        text.push_str(&format!("{}\n", texts().rulebook_used(&used.id, &used.title, used_in)));
        text.push_str(&format!("  {}\n", texts().digest(&used.digest)));
    }
    for line in texts().unapproved_lines(&report.summary.rulebooks) {
        text.push_str(&format!("{line}\n"));
    }
}

/// What this copy leaves out or withholds.
fn not_here(text: &mut String, seal: &Seal) {
    let grouped = |number| texts().grouped(number);
    if seal.left_out > 0 {
        text.push_str(&format!("{}\n", texts().left_out(grouped(seal.left_out), grouped(seal.size))));
    }
    if seal.withheld > 0 {
        let (entries, which) =
            (texts().entries(seal.withheld), texts().listed_indexes(&seal.withheld_entries));
        text.push_str(&format!("{}\n", texts().withheld(entries, which)));
    }
}

/// Coups and shoes by result.
fn results(text: &mut String, report: &Report) {
    let sealed = report.verdicts.intact == Verdict::Yes;
    for (counted, name, counts, reasons) in [
        (Counted::Coups, texts().coups_heading(), report.summary.coups, &report.summary.undecided),
        (Counted::Shoes, texts().shoes_alone(), report.summary.shoes, &report.summary.undecided_shoes),
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
