//! The report of `verify fleet` for people.

use replay::fleet::{ChainReport, FleetFinding, FleetReport, LogReport};
use replay::{Code, Finding, Report, Verdict, Verdicts};
use serde::Serialize;
use texts::Question;
use tlog::policy::Witnessed;
use utoipa::ToSchema;

use super::cited::cited;
use super::counts::{judged, push_look_alike_tables};
use super::finding::push_finding;
use super::findings::{headline, listed, more};
use super::report::{WitnessesJson, given_with_trouble, seal_fault, witnesses};
use super::verdicts::verdict_line;
use crate::errors::said_text;
use crate::language::texts;
use crate::shown::plain;

/// Contradictions and open questions shown unless all are asked for.
const SHOWN: usize = 20;
/// Faults of a seal shown unless all are asked for.
const FAULTS_SHOWN: usize = 10;

/// What `verify fleet` found, and how it is shown.
pub(crate) struct FleetView<'a> {
    pub(crate) report: &'a FleetReport,
    /// What witnesses said of each log, by its name; empty where they were not asked for.
    pub(crate) witnessed: &'a [(String, Witnessed)],
    /// Whether everything that is listed is shown, not only the first.
    pub(crate) all: bool,
}

/// The report, and what witnesses said where they were asked for.
#[derive(Serialize)]
pub(crate) struct FleetJson<'a> {
    #[serde(flatten)]
    report: &'a FleetReport,
    /// The witnesses' answers about each log; left out if they were not asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    witnesses: Vec<WitnessesOfLog<'a>>,
}

/// The witnesses' answers about one log.
#[derive(Serialize, ToSchema)]
pub(crate) struct WitnessesOfLog<'a> {
    /// The log's name.
    log: &'a str,
    #[serde(flatten)]
    said: WitnessesJson<'a>,
}

impl FleetView<'_> {
    /// All of it as JSON.
    pub(crate) fn json(&self) -> FleetJson<'_> {
        let witnesses =
            self.witnessed.iter().map(|(log, said)| WitnessesOfLog { log, said: WitnessesJson::of(said) });
        FleetJson { report: self.report, witnesses: witnesses.collect() }
    }

    /// The four verdicts on the house: escaped already, to be printed before the rest.
    pub(crate) fn heading(&self) -> String {
        let Verdicts { intact, anchored, complete, certified } = self.report.verdicts;
        let mut text = String::new();
        verdict_line(&mut text, Question::Intact, intact, &self.why_intact());
        verdict_line(&mut text, Question::Anchored, anchored, &self.why_anchored());
        verdict_line(&mut text, Question::Complete, complete, &self.why_complete());
        verdict_line(&mut text, Question::Certified, certified, &self.why_certified());
        text
    }

    /// What stands below the verdicts.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let FleetReport { logs, chains, .. } = self.report;
        let (of_logs, of_chains) =
            (texts().fleet_logs(logs.len() as u64), texts().fleet_chains(chains.len() as u64));
        text.push_str(&format!("\n{of_logs} {of_chains}\n"));
        chains.iter().for_each(|chain| push_chain(&mut text, chain));
        text.push('\n');
        logs.iter().for_each(|log| self.push_log(&mut text, log));
        self.push_contradictions(&mut text);
        self.push_counts(&mut text);
        text
    }

    fn why_intact(&self) -> String {
        let of = |answer| self.report.logs.iter().filter(|log| log.intact == answer).count() as u64;
        match self.report.verdicts.intact {
            Verdict::No => texts().fleet_seals_broken(of(Verdict::No)),
            Verdict::Unknown => texts().fleet_seals_unconfirmed(of(Verdict::Unknown)),
            Verdict::Yes => {
                let carried = self.report.logs.iter().filter(|log| log.seal.key_trust != Some("given"));
                let keys = match carried.count() as u64 {
                    0 => String::new(),
                    carried => texts().fleet_keys_stored(carried),
                };
                format!("{}{keys}", texts().fleet_seals_hold(self.report.logs.len() as u64))
            }
        }
    }

    fn why_anchored(&self) -> String {
        let of = |answer| self.report.logs.iter().filter(|log| log.anchored == answer).count() as u64;
        let between = self.report.contradictions.iter().filter(|one| !one.is_of_a_table()).count() as u64;
        match self.report.verdicts.anchored {
            Verdict::Yes => texts().fleet_anchored(),
            Verdict::No if between > 0 => texts().fleet_contradicted(between),
            Verdict::No => texts().fleet_not_anchored(of(Verdict::No)),
            Verdict::Unknown => texts().fleet_anchor_missing(of(Verdict::Unknown)),
        }
    }

    fn why_complete(&self) -> String {
        let FleetReport { verdicts, read, contradictions, open, .. } = self.report;
        let of_tables = contradictions.iter().filter(|one| one.is_of_a_table()).count() as u64;
        let questions = open.iter().filter(|one| one.leaves_complete_open()).count() as u64;
        match verdicts.complete {
            Verdict::Yes => texts().no_gap(read.tables),
            Verdict::No if of_tables > 0 => texts().fleet_contradicted(of_tables),
            Verdict::No if read.missing_events == 0 => texts().coups_not_recorded(),
            Verdict::No => texts().events_missing(read.missing_events),
            Verdict::Unknown if questions > 0 => texts().fleet_open(questions),
            Verdict::Unknown => self.why_unknown(),
        }
    }

    fn why_certified(&self) -> String {
        let FleetReport { verdicts, summary, .. } = self.report;
        let violations: u64 = summary
            .findings_by_code
            .iter()
            .filter(|(code, _)| is_violation(**code))
            .map(|(_, count)| count)
            .sum();
        let open = summary.coups.undecided + summary.shoes.undecided;
        match verdicts.certified {
            Verdict::Yes => texts().all_agree(summary.coups.total(), ""),
            Verdict::No => texts().violations(violations),
            Verdict::Unknown if summary.coups.total() == 0 => texts().no_coup(),
            Verdict::Unknown if verdicts.intact == Verdict::Yes && open > 0 => {
                let (coups, shoes) =
                    (texts().coups(summary.coups.undecided), texts().shoes(summary.shoes.undecided));
                texts().coups_and_shoes_undecided(coups, shoes)
            }
            Verdict::Unknown => self.why_unknown(),
        }
    }

    /// Why the play is not shown, where nothing in it is open.
    fn why_unknown(&self) -> String {
        match self.report.verdicts.intact {
            Verdict::No => texts().seal_broken(),
            Verdict::Unknown => texts().seal_unconfirmed(),
            Verdict::Yes if self.report.contradiction_count > 0 => {
                texts().fleet_contradicted(self.report.contradiction_count)
            }
            Verdict::Yes => texts().fleet_not_whole(),
        }
    }

    fn push_log(&self, text: &mut String, log: &LogReport) {
        let seal = &log.seal;
        let name = seal.origin.as_deref().unwrap_or_default();
        let word = |verdict| texts().verdict(verdict);
        let entries = match self.history_of(log) {
            Some(history) if history < seal.size => {
                texts().fleet_history(texts().entries(seal.size), texts().grouped(history))
            }
            Some(_) | None => texts().entries(seal.size),
        };
        let tables = texts().tables(log.tables);
        let line = texts().fleet_log_line(name, entries, tables, word(log.intact), word(log.anchored));
        text.push_str(&format!("{line}\n"));
        text.push_str(&indented(&given_with_trouble(seal)));
        if let Some(why) = seal.intact_unknown {
            text.push_str(&format!("  {}\n", texts().intact_unknown(why)));
        }
        for (_, said) in self.witnessed.iter().filter(|(name, _)| Some(name) == seal.origin.as_ref()) {
            let mut lines = String::new();
            witnesses(&mut lines, said);
            text.push_str(&indented(&lines));
        }
        texts().notice_lines(seal).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
        let shown = if self.all { seal.faults.len() } else { FAULTS_SHOWN };
        for fault in seal.faults.iter().take(shown) {
            text.push_str(&format!("  {}\n", seal_fault(fault.entry, &fault.message)));
        }
        more(text, seal.fault_count, seal.faults.len().min(shown));
    }

    /// How many entries of a log belong to the history; none for a copy that is in no chain.
    fn history_of(&self, log: &LogReport) -> Option<u64> {
        let origin = log.seal.origin.as_deref()?;
        let mut parts = self.report.chains.iter().flat_map(|chain| &chain.logs);
        Some(parts.find(|part| part.log == origin && part.size == log.seal.size)?.history)
    }

    fn push_contradictions(&self, text: &mut String) {
        let FleetReport { contradictions, contradiction_count, open, open_count, .. } = self.report;
        let contradictions: Vec<String> =
            contradictions.iter().map(|one| texts().contradiction(one, plain)).collect();
        let open: Vec<String> = open.iter().map(|one| texts().open_question(one, plain)).collect();
        for (heading, lines, count) in [
            (texts().fleet_contradictions(), contradictions, *contradiction_count),
            (texts().fleet_not_shown(), open, *open_count),
        ] {
            if lines.is_empty() {
                continue;
            }
            let shown = if self.all { lines.len() } else { SHOWN };
            text.push_str(&format!("\n{heading}\n"));
            lines.iter().take(shown).for_each(|line| text.push_str(&format!("  {line}\n")));
            more(text, count, lines.len().min(shown));
        }
    }

    /// The counts and findings of all chains, as those of one log are shown.
    fn push_counts(&self, text: &mut String) {
        let FleetReport { read, sealed_twice, unreadable, unreadable_count, .. } = self.report;
        let Some(report) = as_one(self.report) else { return };
        let (entries, events) = (texts().entries(read.entries), texts().events(read.events));
        text.push_str(&format!("\n{entries}, {events}, {}\n", texts().tables(read.tables)));
        push_look_alike_tables(text, &report);
        if *sealed_twice > 0 {
            text.push_str(&format!("{}\n", texts().fleet_sealed_twice(texts().events(*sealed_twice))));
        }
        judged(text, &report);
        for one in unreadable.iter().take(FAULTS_SHOWN) {
            let replay::Unreadable { entry, table, message } = &one.unreadable;
            let (line, log) = (texts().unreadable_entry(entry, table, said_text(message)), plain(&one.log));
            text.push_str(&format!("  {line} ({})\n", texts().fleet_in_log(log)));
        }
        more(text, *unreadable_count, unreadable.len().min(FAULTS_SHOWN));
        text.push_str(&headline(&report));
        let findings = &self.report.findings;
        listed(text, &report, findings, self.all, |one| &one.finding, push_placed);
        text.push_str(&cited(&report.findings, &report.summary.rulebooks));
    }
}

fn is_violation(code: Code) -> bool {
    code.severity() == replay::Severity::Violation
}

fn indented(text: &str) -> String {
    text.lines().filter(|line| !line.is_empty()).map(|line| format!("  {line}\n")).collect()
}

/// A finding, and below it the logs that it is about.
fn push_placed(text: &mut String, one: &FleetFinding) {
    push_finding(text, &one.finding);
    text.push_str(&format!("    {}\n", texts().fleet_in_log(&one.log)));
    for elsewhere in &one.elsewhere {
        let line = texts().fleet_entry_elsewhere(elsewhere.entry, &elsewhere.log);
        text.push_str(&format!("    {line}\n"));
    }
}

/// A chain as text: each log, and at how many entries the next one continues it.
fn push_chain(text: &mut String, chain: &ChainReport) {
    let mut line = if chain.has_beginning { String::new() } else { texts().fleet_before_it() };
    for (number, part) in chain.logs.iter().enumerate() {
        let before = number.checked_sub(1).and_then(|before| chain.logs.get(before));
        line.push_str(&match before {
            Some(before) => texts().fleet_arrow(texts().entries(before.history), &part.log),
            None => plain(&part.log),
        });
    }
    if !chain.has_end {
        line.push_str(&texts().fleet_behind_it());
    }
    let word = |verdict| texts().verdict(verdict);
    let Verdicts { complete, certified, .. } = chain.verdicts;
    let verdicts = if chain.judged {
        texts().fleet_chain_verdicts(word(complete), word(certified))
    } else {
        texts().fleet_chain_not_judged()
    };
    text.push_str(&format!("  {line}: {verdicts}\n"));
}

/// The fleet as one log, for what is shown of both alike. The seal is that of the first log, and is not shown.
fn as_one(fleet: &FleetReport) -> Option<Report> {
    let seal = fleet.logs.first()?.seal.clone();
    let findings: Vec<Finding> = fleet.findings.iter().map(|one| one.finding.clone()).collect();
    Some(Report {
        format: fleet.format,
        verdicts: fleet.verdicts,
        seal,
        read: fleet.read,
        look_alike_tables: fleet.look_alike_tables.clone(),
        summary: fleet.summary.clone(),
        findings,
        unreadable: Vec::new(),
        unreadable_count: fleet.unreadable_count,
        certificate: None,
    })
}
