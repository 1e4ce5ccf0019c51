//! The log itself: what was sealed and signed, what witnesses said, what the log says of itself, and how to check it.

use askama::Template;
use replay::Certificate;
use texts::Texts;

use super::overview::VerdictView;
use crate::frame::Frame;
use crate::source::LogFacts;

/// Sentences that are listed of what witnesses say.
const LISTED: usize = 32;

/// What witnesses said: of a log that was read, or the last time that a service asked them.
pub(crate) fn witnesses(log: &LogFacts, t: Texts) -> Vec<String> {
    if let Some(said) = &log.witnessed {
        return t.witness_lines(said);
    }
    let Some(live) = &log.live else { return Vec::new() };
    match live.witnesses.as_ref().map(|witnesses| &witnesses.signed) {
        None => vec![t.witnesses_none()],
        Some(None) => vec![t.witnesses_too_few()],
        Some(Some((size, names))) => {
            let names: Vec<&str> = names.iter().take(LISTED).map(String::as_str).collect();
            vec![t.witnesses_signed(t.grouped(*size)), t.witnesses_who(t.listed(&names))]
        }
    }
}

/// What witnesses hold against a log that is being written.
pub(crate) fn contradictions(log: &LogFacts, t: Texts) -> Vec<String> {
    let said = log.live.as_ref().and_then(|live| live.witnesses.as_ref());
    let each = said.into_iter().flat_map(|witnesses| &witnesses.contradictions).take(LISTED);
    each.map(|why| t.page_witness_contradicts(why)).collect()
}

/// What a certificate says, as names and values.
pub(crate) fn certificate(one: &Certificate, t: Texts) -> Vec<(String, String)> {
    vec![
        (t.name_origin(), one.origin.clone()),
        (t.name_size(), t.grouped(one.size)),
        (t.name_root(), one.root.clone()),
        (t.name_key(), one.key.clone()),
        (t.name_findings(), one.findings_digest.clone()),
        (t.name_judge(), format!("{} ({})", one.judge, one.judge_inputs)),
    ]
}

#[derive(Template)]
#[template(path = "log.html")]
pub(crate) struct Log {
    pub(crate) frame: Frame,
    pub(crate) verdicts: Vec<VerdictView>,
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) checkpoint: Option<String>,
    /// What is wrong with the seal, a sentence each.
    pub(crate) faults: Vec<String>,
    pub(crate) more_faults: Option<String>,
    /// What witnesses said, a sentence each.
    pub(crate) witnesses: Vec<String>,
    /// What witnesses hold against the log, a sentence each.
    pub(crate) contradictions: Vec<String>,
    /// What the log says of itself: keys replaced, payloads erased.
    pub(crate) notices: Vec<String>,
    /// What rests on signatures alone, and what was not read.
    pub(crate) attested: Vec<String>,
    /// The certificate, as names and values.
    pub(crate) certificate: Vec<(String, String)>,
}
