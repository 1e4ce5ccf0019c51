//! What a log comes to as it stands, for whoever asks while it is written.

use replay::{Finding, Judgement, Summary, Verdict, Verdicts, findings_digest};
use sealed_log::{SignedCheckpoint, VerifierKey};
use serde::Serialize;

/// The four verdicts on a log as far as it was read, and what they rest on.
///
/// It says what a whole `verify log` of the same head says, and is no substitute for one: whoever does
/// not trust this service runs that.
#[derive(Debug, Clone, Serialize)]
pub struct LiveCertificate {
    /// The log.
    pub origin: String,
    /// Entries.
    pub size: u64,
    /// Root of the tree, base64.
    pub root: String,
    /// The key whose signature stands under the head.
    pub key: String,
    /// The four verdicts. Nobody else's checkpoint is held against a live log, so *anchored* stays open.
    pub verdicts: Verdicts,
    /// Events judged.
    pub events: u64,
    /// Tables.
    pub tables: u64,
    /// Events missing from the tables' numbering.
    pub missing_events: u64,
    /// What judging came to, with the digests of the rulebooks judged by. Shoes in play are undecided,
    /// `not-ended-yet`.
    #[serde(flatten)]
    pub summary: Summary<Vec<String>>,
    /// The findings in log order, as many as a report lists: with those that only the end of the
    /// record shows, as a whole verify of this head has them.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// BLAKE3 of the findings, as certificates have it.
    pub findings_digest: String,
}

impl LiveCertificate {
    pub(crate) fn new(
        head: &SignedCheckpoint,
        key: &VerifierKey,
        withheld: u64,
        judgement: Judgement,
    ) -> Self {
        let checkpoint = head.checkpoint();
        let intact = if withheld == 0 { Verdict::Yes } else { Verdict::Unknown };
        let verdicts = Verdicts::of(intact, Verdict::Unknown, withheld == 0, &judgement);
        Self {
            origin: checkpoint.origin.clone(),
            size: checkpoint.size,
            root: checkpoint.root_text(),
            key: key.to_string(),
            verdicts,
            events: judgement.events,
            tables: judgement.tables,
            missing_events: judgement.missing_events,
            findings_digest: findings_digest(&judgement),
            summary: judgement.summary.certified(),
            findings: judgement.findings,
        }
    }
}
