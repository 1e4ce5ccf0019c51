//! What was sealed, what is wrong with it, and who vouches for it.

use replay::{Certificate, Verdict};
use texts::{Question, Texts};

use crate::frame::{more, or_dash};
use crate::source::LogFacts;

/// Faults that are listed.
const FAULTS: usize = 100;
/// Lines that are listed of what the log says of itself, and of what is only attested.
const LINES: usize = 500;
/// Sentences that are listed of what witnesses say.
const WITNESSES: usize = 32;

/// A log's seal, in sentences.
pub(crate) struct SealView {
    /// What was sealed, as names and values.
    pub(crate) facts: Vec<(String, String)>,
    /// The newest checkpoint as its text.
    pub(crate) checkpoint: Option<String>,
    /// What is wrong with the seal.
    pub(crate) faults: Vec<String>,
    pub(crate) more_faults: Option<String>,
    /// What witnesses said.
    pub(crate) witnesses: Vec<String>,
    /// What witnesses hold against the log.
    pub(crate) contradictions: Vec<String>,
    /// What the log says of itself: keys replaced, payloads erased.
    pub(crate) notices: Vec<String>,
    /// What rests on signatures alone, and what was not read.
    pub(crate) attested: Vec<String>,
    /// The certificate, or else the result, as names and values.
    pub(crate) certificate: Vec<(String, String)>,
    /// What it is.
    pub(crate) certificate_heading: String,
}

impl SealView {
    pub(crate) fn new(log: &LogFacts, t: Texts) -> Self {
        let seal = log.seal();
        let listed = seal.faults.iter().take(FAULTS).map(|fault| match fault.entry {
            Some(entry) => t.fault_at(entry, t.fault_detail(&fault.message)),
            None => t.fault_detail(&fault.message),
        });
        let mut attested = t.attested_lines(&log.report);
        attested.extend(t.recorded_late_lines(log.summary()));
        attested.extend(t.unapproved_lines(&log.summary().rulebooks));
        let more = seal.fault_count.saturating_sub(seal.faults.len().min(FAULTS) as u64);
        Self {
            facts: vec![
                (t.name_origin(), or_dash(seal.origin.as_ref())),
                (t.name_size(), t.grouped(seal.size)),
                (t.name_root(), seal.root.clone()),
                (t.name_key(), or_dash(seal.key.as_ref())),
            ],
            checkpoint: log.checkpoint.clone(),
            faults: listed.collect(),
            more_faults: (more > 0).then(|| t.more_of_these(t.grouped(more))),
            witnesses: witnesses(log, t),
            contradictions: contradictions(log, t),
            notices: first_lines(t.notice_lines(seal), t),
            attested: first_lines(attested, t),
            certificate: log.report.certificate.as_ref().map(|one| certificate(one, t)).unwrap_or_default(),
            certificate_heading: if log.report.is_certificate() {
                t.the_certificate()
            } else {
                t.the_result()
            },
        }
    }
}

/// What witnesses said: of a log that was read, or the last time that a service asked them.
fn witnesses(log: &LogFacts, t: Texts) -> Vec<String> {
    if let Some(said) = &log.witnessed {
        return t.witness_lines(said);
    }
    let Some(live) = &log.live else { return Vec::new() };
    match live.witnesses.as_ref().map(|witnesses| &witnesses.signed) {
        None => vec![t.witnesses_none()],
        Some(None) => vec![t.witnesses_too_few()],
        Some(Some((size, names))) => {
            let names: Vec<&str> = names.iter().take(WITNESSES).map(String::as_str).collect();
            vec![t.witnesses_signed(t.grouped(*size)), t.witnesses_who(t.listed(&names))]
        }
    }
}

/// What witnesses hold against a log that is being written.
fn contradictions(log: &LogFacts, t: Texts) -> Vec<String> {
    let said = log.live.as_ref().and_then(|live| live.witnesses.as_ref());
    let each = said.into_iter().flat_map(|witnesses| &witnesses.contradictions).take(WITNESSES);
    each.map(|why| t.page_witness_contradicts(why)).collect()
}

/// What a certificate says, as names and values.
fn certificate(one: &Certificate, t: Texts) -> Vec<(String, String)> {
    let mut rows = vec![
        (t.name_origin(), one.origin.clone()),
        (t.name_size(), t.grouped(one.size)),
        (t.name_root(), one.root.clone()),
        (t.name_key(), one.key.clone()),
        (t.name_findings(), one.findings_digest.clone()),
        (t.name_judge(), format!("{} ({})", one.judge, one.judge_inputs)),
    ];
    if one.verdicts.anchored == Verdict::Unknown {
        rows.push((t.question(Question::Anchored).to_owned(), t.certificate_not_anchored()));
    }
    rows
}

/// The first of them, and how many more there are.
fn first_lines(mut lines: Vec<String>, t: Texts) -> Vec<String> {
    let more = more(lines.len(), LINES, t);
    lines.truncate(LINES);
    lines.extend(more);
    lines
}
