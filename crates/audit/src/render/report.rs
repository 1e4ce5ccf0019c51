//! The report of `verify log` for people.

use std::io::{self, Write};

use serde::Serialize;
use tlog::policy::Witnessed;
use utoipa::ToSchema;

use replay::{Certificate, Rejudged, Report, Seal, Unreadable, Verdict, Verdicts};
use sealed_log::reader::{FaultDetail, InvalidCheckpoint, MixedUp};

use super::cited::cited;
use super::counts::{Counted, counts, counts_line};
use super::finding::push_finding;
use super::findings::{self, more};
use super::format::grouped;
use super::verdicts::verdicts;
use crate::errors::said_text;
use crate::language::texts;
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
    /// What is wrong with files of the log's folder, a sentence each.
    pub(crate) troubles: &'a [String],
    /// Whether all findings are shown, not only the first.
    pub(crate) all: bool,
}

/// The report, and what witnesses said where they were asked for.
#[derive(Serialize)]
struct WithWitnesses<'a, T> {
    #[serde(flatten)]
    view: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    witnesses: Option<WitnessesJson<'a>>,
}

/// The witnesses' answers about a checkpoint, in the form that all JSON has.
#[derive(Serialize, ToSchema)]
#[schema(as = Witnesses)]
pub(crate) struct WitnessesJson<'a> {
    /// Whether enough of them signed.
    quorum: bool,
    /// Size of the checkpoint that was counted.
    size: u64,
    /// Whether the policy names the log.
    log_listed: bool,
    /// Name, and when it signed: seconds since 1970 UTC.
    #[schema(value_type = Vec<(String, u64)>)]
    counted: &'a [(String, u64)],
    /// Name, and why it does not count.
    #[schema(value_type = Vec<(String, String)>)]
    not_counted: Vec<(&'a str, String)>,
    /// Why the policy rejects the checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
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

    /// The four verdicts: escaped already, to be printed before the rest.
    pub(crate) fn heading(&self) -> String {
        let mut text = String::new();
        verdicts(&mut text, self.report, self.witnessed);
        text
    }

    /// What stands below the verdicts.
    pub(crate) fn text(&self) -> String {
        let mut text = self.before_findings();
        findings::first(&mut text, self.report);
        text + &self.behind_findings()
    }

    /// The same with all findings in it, read from the disk while it is written.
    pub(crate) fn write_all(&self, out: &mut dyn Write, all: &Spooled) -> io::Result<()> {
        out.write_all(self.before_findings().as_bytes())?;
        findings::all(out, all)?;
        out.write_all(self.behind_findings().as_bytes())
    }

    fn before_findings(&self) -> String {
        let mut text = self.beside_verdicts();
        counts(&mut text, self.report);
        faults(&mut text, self.report, self.all);
        text.push_str(&findings::headline(self.report));
        text
    }

    fn behind_findings(&self) -> String {
        let mut text = cited(&self.report.findings, &self.report.summary.rulebooks);
        if let Some(certificate) = &self.report.certificate {
            certified(&mut text, certificate, self.report.is_certificate());
            let beside = texts().beside_counts(self.report);
            if !beside.is_empty() {
                text.push_str(&format!("  {}\n", texts().note(beside)));
            }
        }
        text
    }

    pub(crate) fn changed_json(&'a self, changed: &'a Rejudged, judged_as: &'a str) -> impl Serialize + 'a {
        let Report { verdicts, seal, .. } = self.report;
        self.with_witnesses(ChangedJson { verdicts: *verdicts, seal, judged_as, changed })
    }

    pub(crate) fn changed_text(&self, changed: &Rejudged, judged_as: &str) -> String {
        let mut text = self.beside_verdicts();
        faults(&mut text, self.report, self.all);
        let sealed = self.report.verdicts.intact == Verdict::Yes;
        text.push_str(&format!("\n{}\n", texts().judged_under(judged_as)));
        let line = |name: &str, counts| counts_line(Counted::Coups, name, counts, sealed);
        text.push_str(&line(&texts().coups_under_own(), changed.coups));
        text.push_str(&line(&texts().coups_under_other(), changed.coups_as));
        changes(&mut text, changed, self.all);
        text
    }

    fn with_witnesses<T>(&self, view: T) -> WithWitnesses<'_, T> {
        WithWitnesses { view, witnesses: self.witnessed.map(WitnessesJson::of) }
    }

    /// What has to be known beside the verdicts.
    fn beside_verdicts(&self) -> String {
        let mut text = given_with_trouble(&self.report.seal);
        if !self.troubles.is_empty() {
            text.push_str(&format!("\n{}\n", texts().files_of_the_folder()));
        }
        self.troubles.iter().for_each(|trouble| text.push_str(&format!("  {trouble}\n")));
        if let Some(said) = self.witnessed {
            text.push('\n');
            witnesses(&mut text, said);
        }
        text
    }
}

/// What was given of another log, or with a signature that is not valid.
pub(super) fn given_with_trouble(seal: &Seal) -> String {
    let mut text = String::new();
    let mixed_up = &seal.of_another_log;
    if !mixed_up.is_empty() {
        text.push_str(&format!("\n{}\n", texts().given_of_another_log()));
    }
    mixed_up.iter().for_each(|what| text.push_str(&format!("  {}\n", of_another_log(what))));
    let invalid = &seal.invalid_checkpoints;
    if !invalid.is_empty() {
        text.push_str(&format!("\n{}\n", texts().given_with_invalid_signature()));
    }
    for InvalidCheckpoint { size, key } in invalid {
        let id = format!("{:08x}", u32::from_be_bytes(key.id()));
        let line = texts().checkpoint_not_valid(texts().grouped(*size), key.name(), id);
        text.push_str(&format!("  {line}\n"));
    }
    text
}

fn of_another_log(what: &MixedUp) -> String {
    match what {
        MixedUp::Key { given, log } => texts().key_of_another(given, log),
        MixedUp::Checkpoint { size, given, log } => {
            texts().checkpoint_of_another(texts().grouped(*size), given, log)
        }
    }
}

/// Who signed, and who did not.
pub(crate) fn witnesses(text: &mut String, said: &Witnessed) {
    let lines = texts().witness_lines(said);
    let indented =
        |(at, line): (usize, &String)| if at == 0 { format!("{line}\n") } else { format!("  {line}\n") };
    text.extend(lines.iter().enumerate().map(indented));
}

/// A fault of the seal and the entry concerned.
pub(crate) fn seal_fault(entry: Option<u64>, detail: &FaultDetail) -> String {
    let what = texts().fault_detail(detail);
    match entry {
        Some(entry) => texts().fault_at(entry, what),
        None => what,
    }
}

fn faults(text: &mut String, report: &Report, all: bool) {
    let seal = &report.seal;
    if seal.fault_count > 0 {
        text.push_str(&format!("\n{}\n", texts().faults_of_the_seal()));
    }
    let shown = if all { seal.faults.len() } else { FAULTS_SHOWN };
    for fault in seal.faults.iter().take(shown) {
        text.push_str(&format!("  {}\n", seal_fault(fault.entry, &fault.message)));
    }
    more(text, seal.fault_count, seal.faults.len().min(shown));
    for unreadable in report.unreadable.iter().take(shown) {
        let Unreadable { entry, table, message } = unreadable;
        text.push_str(&format!("  {}\n", texts().unreadable_entry(entry, table, said_text(message))));
    }
    more(text, report.unreadable_count, report.unreadable.len().min(shown));
}

/// What another rulebook would change, finding by finding.
fn changes(text: &mut String, changed: &Rejudged, all: bool) {
    if changed.same() {
        text.push_str(&format!("{}\n", texts().nothing_changes()));
    }
    let (appear, disappear) = (changed.appear.len() as u64, changed.disappear.len() as u64);
    for (heading, listed) in [
        (texts().would_be_found(appear), &changed.appear),
        (texts().would_not_be_found(disappear), &changed.disappear),
    ] {
        if listed.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{heading}\n"));
        let shown = if all { listed.len() } else { SHOWN };
        for finding in listed.iter().take(shown) {
            push_finding(text, finding);
        }
        more(text, listed.len() as u64, listed.len().min(shown));
    }
    if changed.cut_short {
        text.push_str(&format!("\n{}\n", texts().lists_incomplete()));
    }
}

fn certified(text: &mut String, certificate: &Certificate, is_certificate: bool) {
    let not_shown = match certificate.not_shown {
        0 => String::new(),
        count => texts().not_shown_of_them(grouped(count)),
    };
    let Verdicts { intact, anchored, complete, certified } = certificate.verdicts;
    let word = |verdict| texts().verdict(verdict);
    let heading = if is_certificate { texts().certificate() } else { texts().result_without_certificate() };
    let answers = texts().four_answers(word(intact), word(anchored), word(complete), word(certified));
    let Certificate { origin, root, key, findings_digest, .. } = certificate;
    let judge = texts().judge_and_inputs(certificate.judge, &certificate.judge_inputs);
    let size = format!("{}{not_shown}", grouped(certificate.size));
    text.push_str(&format!("\n{heading}: {answers}\n"));
    if is_certificate && anchored == Verdict::Unknown {
        text.push_str(&format!("  {}\n", texts().certificate_not_anchored()));
    }
    text.push_str(&texts().certificate_fields(origin, size, root, key, findings_digest, judge));
    if let Some(program) = certificate.program {
        text.push_str(&format!("  {}\n", texts().judged_by_program(program.version, program.commit)));
    }
}
