//! The report of `verify log` for people.

use sealed_log::Witnessed;
use serde::Serialize;

use replay::{Certificate, Code, Counts, Finding, Rejudged, Report, Severity, Verdict, Verdicts};

use super::{counted, grouped, moment, money};

/// Findings shown unless all are asked for.
const SHOWN: usize = 20;
/// Faults of the seal shown unless all are asked for.
const FAULTS_SHOWN: usize = 10;

/// The report, and what witnesses said where they were asked for.
#[derive(Serialize)]
pub(crate) struct WithWitnesses<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    witnesses: Option<WitnessesJson<'a>>,
}

#[derive(Serialize)]
struct WitnessesJson<'a> {
    quorum: bool,
    /// Size of the checkpoint that was counted.
    size: u64,
    log_listed: bool,
    /// Name, and when it signed: seconds since 1970 UTC.
    counted: &'a [(String, u64)],
    /// Name, and why it does not count.
    not_counted: Vec<(&'a str, String)>,
}

pub(crate) fn report_json<'a>(report: &'a Report, witnessed: Option<&'a Witnessed>) -> WithWitnesses<'a> {
    let witnesses = witnessed.map(|said| WitnessesJson {
        quorum: said.quorum,
        size: said.size,
        log_listed: said.log_listed,
        counted: &said.counted,
        not_counted: said.not_counted.iter().map(|(name, why)| (name.as_str(), why.to_string())).collect(),
    });
    WithWitnesses { report, witnesses }
}

pub(crate) fn report(report: &Report, witnessed: Option<&Witnessed>, all: bool, spanish: bool) -> String {
    let mut text = String::new();
    verdicts(&mut text, report, witnessed);
    if let Some(said) = witnessed {
        witnesses(&mut text, said);
    }
    counts(&mut text, report);
    faults(&mut text, report, all);
    findings(&mut text, report, all, spanish);
    if let Some(certificate) = &report.certificate {
        certified(&mut text, certificate);
    }
    text
}

fn verdicts(text: &mut String, report: &Report, witnessed: Option<&Witnessed>) {
    let Verdicts { intact, anchored, complete, certified } = report.verdicts;
    for (name, verdict, why) in [
        ("intact", intact, why_intact(report)),
        ("anchored", anchored, why_anchored(anchored, report, witnessed)),
        ("complete", complete, why_complete(report)),
        ("certified", certified, why_certified(report)),
    ] {
        text.push_str(&format!("{name:<10} {verdict:<8} {why}\n"));
    }
}

fn why_intact(report: &Report) -> String {
    let seal = &report.seal;
    match report.verdicts.intact {
        Verdict::Yes => {
            let trust = match seal.key_trust {
                Some("given") => "the key you gave",
                _ => "the key the log carries (give --key to trust no one for it)",
            };
            let here =
                if seal.left_out + seal.withheld > 0 { "every byte that is here" } else { "every byte" };
            format!("{here} is what was sealed, signed by {trust}")
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
        Verdict::No => "the log does not extend a checkpoint given: its history was changed, cut or forked",
        Verdict::Unknown if report.seal.left_out > 0 => {
            "a slice agrees only with checkpoints of what it shows (audit verify checkpoint tells of others)"
        }
        Verdict::Unknown => "no checkpoint kept elsewhere was given (--checkpoint FILE)",
    }
    .to_owned()
}

/// What a policy has to say of the verdict, if it decided.
fn why_witnessed(verdict: Verdict, said: &Witnessed) -> Option<String> {
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

/// Who signed, and who did not.
fn witnesses(text: &mut String, said: &Witnessed) {
    text.push_str(&format!("\nwitnesses of the checkpoint of {} entries\n", grouped(said.size)));
    for (name, time) in &said.counted {
        text.push_str(&format!("  {name} signed at {}\n", moment(*time)));
    }
    for (name, why) in &said.not_counted {
        text.push_str(&format!("  {name} does not count: {why}\n"));
    }
}

fn why_complete(report: &Report) -> String {
    let read = report.read;
    match report.verdicts.complete {
        Verdict::Yes => format!("no gap in the numbering of {}", counted(read.tables, "table")),
        Verdict::No => {
            format!("{} missing from the tables' numbering", counted(read.missing_events, "event"))
        }
        Verdict::Unknown if report.verdicts.intact == Verdict::No => "the seal is broken".to_owned(),
        Verdict::Unknown if report.seal.left_out > 0 => {
            "a slice cannot show that nothing is missing, nor that nothing later touches what it shows"
                .to_owned()
        }
        Verdict::Unknown if report.seal.withheld > 0 => {
            "what withheld entries hold is their own word".to_owned()
        }
        Verdict::Unknown if read.entries == 0 => "the log is empty".to_owned(),
        Verdict::Unknown if report.findings_by_code.contains_key(&Code::SequenceLate) => {
            "events were recorded again too late to be compared".to_owned()
        }
        Verdict::Unknown => format!(
            "{} cannot be judged",
            counted(report.unreadable_count, "entry").replace("entrys", "entries")
        ),
    }
}

fn why_certified(report: &Report) -> String {
    let total = report.coups.total();
    match report.verdicts.certified {
        Verdict::Yes => {
            let here = if report.seal.left_out > 0 { " that are here" } else { "" };
            format!("all {}{here} were re-derived and agree with the record", counted(total, "coup"))
        }
        Verdict::No => {
            let violations: u64 = report
                .findings_by_code
                .iter()
                .filter(|(code, _)| code.severity() == Severity::Violation)
                .map(|(_, count)| count)
                .sum();
            counted(violations, "violation")
        }
        Verdict::Unknown if report.verdicts.intact == Verdict::No => "the seal is broken".to_owned(),
        Verdict::Unknown if total == 0 => "there is no coup".to_owned(),
        Verdict::Unknown => {
            let open = report.coups.undecided;
            format!("{} and {} undecided", counted(open, "coup"), counted(report.shoes.undecided, "shoe"))
        }
    }
}

fn counts(text: &mut String, report: &Report) {
    let read = report.read;
    text.push_str(&format!(
        "\n{} entries, {}, {}\n",
        grouped(read.entries),
        counted(read.events, "event"),
        counted(read.tables, "table")
    ));
    let seal = &report.seal;
    if seal.left_out > 0 {
        text.push_str(&format!(
            "a slice: the other {} of the log's {} entries are left out, proofs stand in their place\n",
            grouped(seal.left_out),
            grouped(seal.size)
        ));
    }
    if seal.withheld > 0 {
        text.push_str(&format!(
            "the payload of {} is withheld: {}\n",
            counted(seal.withheld, "entry").replace("entrys", "entries"),
            listed(&seal.withheld_entries)
        ));
    }
    for rotation in &seal.rotations {
        text.push_str(&format!(
            "the log's key passed on, as entry {} says, to {}\n",
            rotation.notice, rotation.new
        ));
    }
    for redaction in &seal.redactions {
        let [by, countersigned_by] = &redaction.signed_by;
        text.push_str(&format!(
            "erased by {by} and {countersigned_by}, as entry {} says: {} ({})\n",
            redaction.notice,
            listed(&redaction.entries),
            redaction.reason
        ));
    }
    if seal.not_erased > 0 {
        text.push_str(&format!(
            "{} of these not erased here: audit redact --finish does it in the log's own store\n",
            grouped(seal.not_erased)
        ));
    }
    if read.repeated_events > 0 {
        text.push_str(&format!(
            "{} recorded again, the same: the same evidence twice\n",
            counted(read.repeated_events, "event")
        ));
    }
    for (name, Counts { certified, violated, undecided }, reasons) in
        [("coups", report.coups, &report.undecided), ("shoes", report.shoes, &report.undecided_shoes)]
    {
        let (certified, violated, undecided) = (grouped(certified), grouped(violated), grouped(undecided));
        text.push_str(&format!(
            "{name}: {certified} certified, {violated} violated, {undecided} undecided\n"
        ));
        for (reason, count) in reasons {
            text.push_str(&format!("  undecided because of {reason}: {}\n", grouped(*count)));
        }
    }
    let attested = report.attested;
    if attested.voids + attested.irregularities + attested.corrections > 0 {
        text.push_str(&format!(
            "attested only: {}, {}, {}\n",
            counted(attested.voids, "void coup"),
            counted(attested.irregularities, "ruling"),
            counted(attested.corrections, "correction")
        ));
    }
    for used in &report.rulebooks {
        text.push_str(&format!(
            "rulebook {}: {} ({})\n  digest {}\n",
            used.id,
            used.title,
            counted(used.coups, "coup"),
            used.digest
        ));
    }
}

/// The first of some log indexes.
fn listed(indexes: &[u64]) -> String {
    let mut text: Vec<String> = indexes.iter().take(FAULTS_SHOWN).map(u64::to_string).collect();
    if indexes.len() > FAULTS_SHOWN {
        text.push("...".to_owned());
    }
    text.join(", ")
}

fn faults(text: &mut String, report: &Report, all: bool) {
    let seal = &report.seal;
    if seal.fault_count > 0 {
        text.push_str("\nfaults of the seal\n");
    }
    let shown = if all { seal.faults.len() } else { FAULTS_SHOWN };
    for fault in seal.faults.iter().take(shown) {
        let place = fault.entry.map(|entry| format!("entry {entry}: ")).unwrap_or_default();
        text.push_str(&format!("  {place}{}\n", fault.message));
    }
    more(text, seal.fault_count, seal.faults.len().min(shown));
    for unreadable in report.unreadable.iter().take(shown) {
        text.push_str(&format!(
            "  entry {} of table {}: {}\n",
            unreadable.entry, unreadable.table, unreadable.message
        ));
    }
    more(text, report.unreadable_count, report.unreadable.len().min(shown));
}

/// What another rulebook would change.
pub(crate) fn rejudged(changed: &Rejudged, title: &str, all: bool, spanish: bool) -> String {
    let mut text = format!("judged as {title}\n");
    for (name, counts) in [("as played", changed.coups), ("as that rulebook", changed.coups_as)] {
        let Counts { certified, violated, undecided } = counts;
        let (certified, violated, undecided) = (grouped(certified), grouped(violated), grouped(undecided));
        text.push_str(&format!(
            "coups {name}: {certified} certified, {violated} violated, {undecided} undecided\n"
        ));
    }
    if changed.same() {
        text.push_str("nothing changes\n");
    }
    for (what, listed) in
        [("would be found", &changed.appear), ("would no longer be found", &changed.disappear)]
    {
        if listed.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{} {what}\n", counted(listed.len() as u64, "finding")));
        let shown = if all { listed.len() } else { SHOWN };
        for finding in listed.iter().take(shown) {
            one_finding(&mut text, finding, spanish);
        }
        more(&mut text, listed.len() as u64, listed.len().min(shown));
    }
    if changed.cut_short {
        text.push_str("\nmore was found than is kept: these lists are not whole\n");
    }
    text
}

fn findings(text: &mut String, report: &Report, all: bool, spanish: bool) {
    let total: u64 = report.findings_by_code.values().sum();
    if total > 0 {
        text.push_str(&format!("\n{}\n", counted(total, "finding")));
    }
    let shown = if all { report.findings.len() } else { SHOWN };
    for finding in report.findings.iter().take(shown) {
        one_finding(text, finding, spanish);
    }
    more(text, total, report.findings.len().min(shown));
}

fn more(text: &mut String, total: u64, shown: usize) {
    let rest = total.saturating_sub(shown as u64);
    if rest > 0 {
        text.push_str(&format!("  ... and {} more (--all, or --json)\n", grouped(rest)));
    }
}

/// One finding, as a person reads it.
pub(super) fn one_finding(text: &mut String, finding: &Finding, spanish: bool) {
    let shoe = finding.shoe.as_ref().map(|shoe| format!(", shoe {shoe}")).unwrap_or_default();
    let coup = finding.coup.map(|coup| format!(", coup {coup}")).unwrap_or_default();
    let sentence = if spanish { finding.frase } else { finding.sentence };
    text.push_str(&format!("\n  {}: {sentence}\n", finding.code));
    text.push_str(&format!(
        "    table {}{shoe}{coup}; first shown by event {} (entry {})\n",
        finding.table, finding.sequence, finding.entry
    ));
    text.push_str(&format!("    expected {}\n    recorded {}\n", finding.expected, finding.recorded));
    if !finding.rule.rulebook.is_empty() {
        let sources = finding.rule.citations.join("; ");
        let sources = if sources.is_empty() { String::new() } else { format!(": {sources}") };
        text.push_str(&format!("    rule {} of {}{sources}\n", finding.rule.clause, finding.rule.rulebook));
    }
    for moved in &finding.money {
        let sum = money(i128::from(moved.minor_units.unsigned_abs()), finding.currency.as_ref());
        let way = if moved.minor_units < 0 { "was denied" } else { "got too much:" };
        text.push_str(&format!("    seat {} {way} {sum}\n", moved.seat));
    }
}

fn certified(text: &mut String, certificate: &Certificate) {
    let not_shown = match certificate.not_shown {
        0 => String::new(),
        count => format!(", {} of them not shown", grouped(count)),
    };
    text.push_str(&format!(
        "\ncertificate\n  log {}\n  size {}{}\n  root {}\n  key {}\n  findings {}\n  judge {}\n",
        certificate.origin,
        grouped(certificate.size),
        not_shown,
        certificate.root,
        certificate.key,
        certificate.findings_digest,
        certificate.judge
    ));
}
