//! The report of `verify log` for people.

use std::io::{self, Write};

use serde::Serialize;
use tlog::policy::Witnessed;

use replay::{Certificate, Rejudged, Report, Seal, Verdict, Verdicts};

use super::attested::beside;
use super::counts::{counts, counts_line};
use super::finding::push_finding;
use super::findings::{self, more};
use super::format::{counted, grouped, moment};
use super::verdicts::verdicts;
use crate::spool::Spooled;

/// Findings shown unless all are asked for.
const SHOWN: usize = 20;
/// Faults of the seal shown unless all are asked for.
const FAULTS_SHOWN: usize = 10;

/// What `verify log` found, and how it is shown.
pub(crate) struct ReportView<'a> {
    pub(crate) report: &'a Report,
    /// What witnesses said, where they were asked for.
    pub(crate) witnessed: Option<&'a Witnessed>,
    /// Whether all findings are shown, not only the first.
    pub(crate) all: bool,
    pub(crate) spanish: bool,
}

/// The report, and what witnesses said where they were asked for.
#[derive(Serialize)]
struct WithWitnesses<'a, T> {
    #[serde(flatten)]
    view: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    witnesses: Option<WitnessesJson<'a>>,
}

/// What witnesses said of a checkpoint, as JSON has it everywhere.
#[derive(Serialize)]
pub(crate) struct WitnessesJson<'a> {
    quorum: bool,
    /// Size of the checkpoint that was counted.
    size: u64,
    log_listed: bool,
    /// Name, and when it signed: seconds since 1970 UTC.
    counted: &'a [(String, u64)],
    /// Name, and why it does not count.
    not_counted: Vec<(&'a str, String)>,
    /// Why the policy rejects the checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<&'a str>,
}

impl<'a> WitnessesJson<'a> {
    pub(crate) fn of(said: &'a Witnessed) -> Self {
        let not_counted = said.not_counted.iter().map(|(name, why)| (name.as_str(), why.to_string()));
        Self {
            quorum: said.quorum,
            size: said.size,
            log_listed: said.log_listed,
            counted: &said.counted,
            not_counted: not_counted.collect(),
            rejected: said.rejected.as_deref(),
        }
    }
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

impl<'a> ReportView<'a> {
    pub(crate) fn json(&self) -> impl Serialize {
        self.with_witnesses(self.report)
    }

    /// The same with all findings in it, read from the disk while it is written.
    pub(crate) fn json_of_all(&self, findings: Spooled) -> impl Serialize {
        self.with_witnesses(self.report.with_all(findings))
    }

    pub(crate) fn text(&self) -> String {
        let mut text = self.before_findings();
        findings::first(&mut text, self.report, self.spanish);
        text + &self.behind_findings()
    }

    /// The same with all findings in it, read from the disk while it is written.
    pub(crate) fn write_all(&self, out: &mut dyn Write, all: &Spooled) -> io::Result<()> {
        out.write_all(self.before_findings().as_bytes())?;
        findings::all(out, all, self.spanish)?;
        out.write_all(self.behind_findings().as_bytes())
    }

    fn before_findings(&self) -> String {
        let mut text = self.verdicts();
        counts(&mut text, self.report, self.spanish);
        faults(&mut text, self.report, self.all);
        text.push_str(&findings::headline(self.report));
        text
    }

    fn behind_findings(&self) -> String {
        let mut text = String::new();
        if let Some(certificate) = &self.report.certificate {
            certified(&mut text, certificate);
            let beside = beside(self.report, self.spanish);
            if !beside.is_empty() {
                text.push_str(&format!("  note: {beside}\n"));
            }
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
        text.push_str(&format!("\njudged under {judged_as}\n"));
        text.push_str(&counts_line("coups under their own rulebook", changed.coups, sealed));
        text.push_str(&counts_line("coups under that rulebook", changed.coups_as, sealed));
        changes(&mut text, changed, self.all, self.spanish);
        text
    }

    fn with_witnesses<T>(&self, view: T) -> WithWitnesses<'_, T> {
        WithWitnesses { view, witnesses: self.witnessed.map(WitnessesJson::of) }
    }

    /// The four verdicts, and what has to be known beside them.
    fn verdicts(&self) -> String {
        let mut text = String::new();
        verdicts(&mut text, self.report, self.witnessed, self.spanish);
        let mixed_up = &self.report.seal.of_another_log;
        if !mixed_up.is_empty() {
            text.push_str("\ngiven, but belonging to another log\n");
        }
        mixed_up.iter().for_each(|what| text.push_str(&format!("  {what}\n")));
        if let Some(said) = self.witnessed {
            text.push('\n');
            witnesses(&mut text, said);
        }
        text
    }
}

/// Who signed, and who did not.
pub(crate) fn witnesses(text: &mut String, said: &Witnessed) {
    text.push_str(&format!("witnesses of the checkpoint of {} entries\n", grouped(said.size)));
    for (name, time) in &said.counted {
        text.push_str(&format!("  {name} signed at {}\n", moment(*time)));
    }
    for (name, why) in &said.not_counted {
        text.push_str(&format!("  {name} does not count: {why}\n"));
    }
}

fn faults(text: &mut String, report: &Report, all: bool) {
    let seal = &report.seal;
    if seal.fault_count > 0 {
        text.push_str("\nfaults of the seal\n");
    }
    let shown = if all { seal.faults.len() } else { FAULTS_SHOWN };
    for fault in seal.faults.iter().take(shown) {
        let location = fault.entry.map(|entry| format!("entry {entry}: ")).unwrap_or_default();
        text.push_str(&format!("  {location}{}\n", fault.message));
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
            push_finding(text, finding, spanish);
        }
        more(text, listed.len() as u64, listed.len().min(shown));
    }
    if changed.cut_short {
        text.push_str("\nthere are more findings than are kept: these lists are incomplete\n");
    }
}

fn certified(text: &mut String, certificate: &Certificate) {
    let not_shown = match certificate.not_shown {
        0 => String::new(),
        count => format!(", {} of them not shown", grouped(count)),
    };
    let Verdicts { intact, anchored, complete, certified } = certificate.verdicts;
    text.push_str(&format!(
        "\ncertificate of these verdicts: intact {intact}, anchored {anchored}, complete {complete}, \
         certified {certified}\n  log {}\n  size {}{}\n  root {}\n  key {}\n  findings {}\n  judge {}\n",
        certificate.origin,
        grouped(certificate.size),
        not_shown,
        certificate.root,
        certificate.key,
        certificate.findings_digest,
        certificate.judge
    ));
}
