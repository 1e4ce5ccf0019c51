//! The report of `verify log` for people.

use sealed_log::Witnessed;
use serde::Serialize;

use replay::{Certificate, Counts, Rejudged, Report, Seal, Verdict, Verdicts};

use super::finding::one_finding;
use super::verdicts::verdicts;
use super::{counted, grouped, moment};

/// Findings shown unless all are asked for.
const SHOWN: usize = 20;
/// Faults of the seal shown unless all are asked for.
const FAULTS_SHOWN: usize = 10;

/// What `verify log` came to, and how it is told.
pub(crate) struct ReportTold<'a> {
    pub(crate) report: &'a Report,
    /// What witnesses said, where they were asked for.
    pub(crate) witnessed: Option<&'a Witnessed>,
    /// Whether all findings are told, not only the first.
    pub(crate) all: bool,
    pub(crate) spanish: bool,
}

/// The report, and what witnesses said where they were asked for.
#[derive(Serialize)]
struct WithWitnesses<'a, T> {
    #[serde(flatten)]
    told: T,
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

/// What another rulebook would change, with the log's own verdicts.
#[derive(Serialize)]
struct ChangedJson<'a> {
    verdicts: Verdicts,
    seal: &'a Seal,
    /// The other rulebook.
    judged_as: &'a str,
    #[serde(flatten)]
    changed: &'a Rejudged,
}

impl<'a> ReportTold<'a> {
    pub(crate) fn json(&self) -> impl Serialize {
        self.with_witnesses(self.report)
    }

    pub(crate) fn text(&self) -> String {
        let mut text = self.verdicts();
        counts(&mut text, self.report);
        faults(&mut text, self.report, self.all);
        findings(&mut text, self.report, self.all, self.spanish);
        if let Some(certificate) = &self.report.certificate {
            certified(&mut text, certificate);
        }
        text
    }

    pub(crate) fn changed_json(&'a self, changed: &'a Rejudged, judged_as: &'a str) -> impl Serialize + 'a {
        let Report { verdicts, seal, .. } = self.report;
        self.with_witnesses(ChangedJson { verdicts: *verdicts, seal, judged_as, changed })
    }

    pub(crate) fn changed_text(&self, changed: &Rejudged, judged_as: &str) -> String {
        let mut text = self.verdicts();
        faults(&mut text, self.report, self.all);
        let sealed = self.report.verdicts.intact == Verdict::Yes;
        text.push_str(&format!("\njudged as {judged_as}\n"));
        text.push_str(&counts_line("coups as played", changed.coups, sealed));
        text.push_str(&counts_line("coups as that rulebook", changed.coups_as, sealed));
        changes(&mut text, changed, self.all, self.spanish);
        text
    }

    fn with_witnesses<T>(&self, told: T) -> WithWitnesses<'_, T> {
        let witnesses = self.witnessed.map(|said| WitnessesJson {
            quorum: said.quorum,
            size: said.size,
            log_listed: said.log_listed,
            counted: &said.counted,
            not_counted: said
                .not_counted
                .iter()
                .map(|(name, why)| (name.as_str(), why.to_string()))
                .collect(),
        });
        WithWitnesses { told, witnesses }
    }

    /// The four verdicts, and what has to be known beside them.
    fn verdicts(&self) -> String {
        let mut text = String::new();
        verdicts(&mut text, self.report, self.witnessed);
        let mixed_up = &self.report.seal.of_another_log;
        if !mixed_up.is_empty() {
            text.push_str("\ngiven, and of another log\n");
        }
        mixed_up.iter().for_each(|what| text.push_str(&format!("  {what}\n")));
        if let Some(said) = self.witnessed {
            witnesses(&mut text, said);
        }
        text
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

fn counts(text: &mut String, report: &Report) {
    let read = report.read;
    text.push_str(&format!(
        "\n{}, {}, {}\n",
        entries_read(report),
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
    let sealed = report.verdicts.intact == Verdict::Yes;
    for (name, counts, reasons) in
        [("coups", report.coups, &report.undecided), ("shoes", report.shoes, &report.undecided_shoes)]
    {
        text.push_str(&counts_line(name, counts, sealed));
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

/// Results by number; where the seal was not shown to hold, what agrees is judged and not certified.
fn counts_line(name: &str, counts: Counts, sealed: bool) -> String {
    let Counts { certified, judged, violated, undecided } = counts;
    let (agree, word) = if sealed { (certified, "certified") } else { (judged, "judged") };
    let (agree, violated, undecided) = (grouped(agree), grouped(violated), grouped(undecided));
    format!("{name}: {agree} {word}, {violated} violated, {undecided} undecided\n")
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

/// What another rulebook would change, finding by finding.
fn changes(text: &mut String, changed: &Rejudged, all: bool, spanish: bool) {
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
            one_finding(text, finding, spanish);
        }
        more(text, listed.len() as u64, listed.len().min(shown));
    }
    if changed.cut_short {
        text.push_str("\nmore was found than is kept: these lists are not whole\n");
    }
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

fn certified(text: &mut String, certificate: &Certificate) {
    let not_shown = match certificate.not_shown {
        0 => String::new(),
        count => format!(", {} of them not shown", grouped(count)),
    };
    let Verdicts { intact, anchored, complete, certified } = certificate.verdicts;
    text.push_str(&format!(
        "\ncertificate of these verdicts: intact {intact}, anchored {anchored}, complete {complete}, certified \
         {certified}\n  log {}\n  size {}{}\n  root {}\n  key {}\n  findings {}\n  judge {}\n",
        certificate.origin,
        grouped(certificate.size),
        not_shown,
        certificate.root,
        certificate.key,
        certificate.findings_digest,
        certificate.judge
    ));
}
