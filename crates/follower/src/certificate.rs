//! The certificate of a log that is still being written.

use replay::{
    Continued, Finding, Judgement, Passages, Read, Report, RulebookUsed, Seal, Summary, Verdict, Verdicts,
    findings_digest,
};
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;

/// The four verdicts on a log up to one checkpoint, and what they rest on.
///
/// It says the same as a whole `verify log` of the same checkpoint, but does not replace it: whoever does
/// not trust this service runs `verify log`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LiveCertificate {
    /// Name of the log.
    pub origin: String,
    /// Number of entries.
    pub size: u64,
    /// Root of the tree, base64.
    pub root: String,
    /// The key that signed the checkpoint.
    pub key: String,
    /// The four verdicts. A live log is not compared with anybody else's checkpoint, so *anchored* stays open.
    pub verdicts: Verdicts,
    /// Events judged.
    pub events: u64,
    /// Number of tables.
    pub tables: u64,
    /// Events missing from the tables' numbering.
    pub missing_events: u64,
    /// The counts of the judgement, with the digests of the rulebooks that were applied. Shoes in play are
    /// undecided for the reason `not-ended-yet`.
    #[serde(flatten)]
    pub summary: Summary<Vec<String>>,
    /// The findings in log order, as many as a report lists, including those that only the end of the
    /// record shows: the same as a whole verify of this checkpoint lists.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// BLAKE3 digest of the findings, as in every certificate.
    pub findings_digest: String,
    /// The rulebooks that were applied, in the order of their digests.
    #[serde(skip)]
    pub rulebooks: Vec<RulebookUsed>,
}

impl LiveCertificate {
    pub(crate) fn new(
        signed: &SignedCheckpoint,
        key: &VerifierKey,
        withheld: u64,
        continued: Option<&Continued>,
        judgement: Judgement,
    ) -> Self {
        let checkpoint = signed.checkpoint();
        let intact = if withheld == 0 { Verdict::Yes } else { Verdict::Unknown };
        let whole = withheld == 0 && continued.is_none();
        let verdicts = Verdicts::of(intact, Verdict::Unknown, whole, &judgement);
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
            rulebooks: judgement.summary.rulebooks.into_iter().map(without_passages).collect(),
            findings: judgement.findings,
        }
    }
}

/// A certificate is kept for a while, and a log may have as many rulebooks as tables.
fn without_passages(used: RulebookUsed) -> RulebookUsed {
    RulebookUsed { passages: Passages::default(), ..used }
}

pub(crate) fn report(
    signed: &SignedCheckpoint,
    key: &VerifierKey,
    withheld: u64,
    continued: Option<Continued>,
    judgement: Judgement,
) -> Report {
    let checkpoint = signed.checkpoint();
    let intact = if withheld == 0 { Verdict::Yes } else { Verdict::Unknown };
    Report {
        format: 1,
        verdicts: Verdicts::of(intact, Verdict::Unknown, withheld == 0 && continued.is_none(), &judgement),
        seal: Seal {
            origin: Some(checkpoint.origin.clone()),
            size: checkpoint.size,
            root: checkpoint.root_text(),
            key: Some(key.to_string()),
            key_trust: Some("carried"),
            beyond_checkpoint: 0,
            left_out: 0,
            withheld,
            withheld_entries: Vec::new(),
            rotations: Vec::new(),
            redactions: Vec::new(),
            not_erased: 0,
            continues: continued,
            closed: None,
            of_another_log: Vec::new(),
            invalid_checkpoints: Vec::new(),
            signed_by_another: None,
            older_than: None,
            intact_unknown: None,
            fault_count: 0,
            faults: Vec::new(),
        },
        read: Read {
            entries: judgement.entries,
            events: judgement.events,
            tables: judgement.tables,
            missing_events: judgement.missing_events,
            repeated_events: judgement.repeated_events,
        },
        look_alike_tables: judgement.look_alike_tables,
        summary: judgement.summary,
        findings: judgement.findings,
        unreadable: judgement.unreadable,
        unreadable_count: judgement.unreadable_count,
        certificate: None,
    }
}
