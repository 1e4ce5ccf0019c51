//! The report of a log: four verdicts, counts, findings, and the certificate.

use base64::Engine as _;
use sealed_log::notice::{Closing, Notice};
use sealed_log::reader::{
    FaultDetail, FaultKind, IntactUnknown, InvalidCheckpoint, KeyTrust, MixedUp, OtherSigner, SealProof,
    SealReport,
};
use serde::{Deserialize, Serialize, Serializer};

use crate::finding::Digested;
use crate::revision::JUDGE;
use crate::summary::Summary;
use crate::{Finding, JudgeInputs, Judgement, Program, Unreadable, Verdict};

/// The answers to the four questions about a log. No answer implies another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Verdicts {
    /// Every byte is what was sealed.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::VerdictText))]
    pub intact: Verdict,
    /// It extends a checkpoint somebody else kept.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::VerdictText))]
    pub anchored: Verdict,
    /// No gap in any table's numbering.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::VerdictText))]
    pub complete: Verdict,
    /// Every coup was re-derived and agrees.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::VerdictText))]
    pub certified: Verdict,
}

/// The kind of a fault by its stable name.
fn kind_name<S: Serializer>(kind: &FaultKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.as_str())
}

/// An English sentence.
fn in_words<S: Serializer>(detail: &FaultDetail, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(detail)
}

/// A sentence each.
fn sentences<S: Serializer>(all: &[impl ToString], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(all.iter().map(ToString::to_string))
}

fn as_reason<S: Serializer>(why: &Option<IntactUnknown>, serializer: S) -> Result<S::Ok, S::Error> {
    why.map(IntactUnknown::as_str).serialize(serializer)
}

/// The seal knows no form but its own.
pub(crate) fn as_text<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.as_str())
}

impl Verdicts {
    /// What a log comes to that is intact and anchored so far; `whole` says whether all its payloads are
    /// there. Where the seal is not shown to hold, nothing is shown of the log.
    #[must_use]
    pub fn of(intact: Verdict, anchored: Verdict, whole: bool, judgement: &Judgement) -> Self {
        let sealed_so = intact == Verdict::Yes;
        let shown = |verdict, shown| if shown { verdict } else { worst(verdict) };
        // What is not here cannot be shown to have no gap.
        let complete = shown(judgement.complete(), sealed_so && whole);
        Self { intact, anchored, complete, certified: shown(judgement.certified(), sealed_so) }
    }
}

/// What was sealed, as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Seal {
    /// The log's name, from its checkpoint.
    pub origin: Option<String>,
    /// Entries read.
    pub size: u64,
    /// Root of the tree over the entries read, base64.
    pub root: String,
    /// The verifier key with which the signature was checked.
    pub key: Option<String>,
    /// `given` by the inspector or `carried` by the log itself.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schema::KeyTrustText>))]
    pub key_trust: Option<&'static str>,
    /// Entries past the checkpoint that were not read: durable, but never acknowledged.
    pub beyond_checkpoint: u64,
    /// Entries that this copy leaves out: it holds only what the signed root needs of them.
    pub left_out: u64,
    /// Entries whose payload is withheld or erased.
    pub withheld: u64,
    /// Log indexes of the first 10,000 of these.
    pub withheld_entries: Vec<u64>,
    /// The first 1,000 rotations of the log's key, as the log records them.
    pub rotations: Vec<Rotated>,
    /// The first 1,000 erasures of payloads, as the log records them.
    pub redactions: Vec<Redacted>,
    /// Entries that are here although the log says that they are erased.
    pub not_erased: u64,
    /// Which log this one continues, as its first entry says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub continues: Option<Continued>,
    /// That the log is closed, and which log continues it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub closed: Option<Closed>,
    /// Each given key or checkpoint that belongs to another log: it shows nothing about this log. In JSON a
    /// sentence each.
    #[serde(serialize_with = "sentences")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub of_another_log: Vec<MixedUp>,
    /// Each given checkpoint whose signature is not valid: it was altered, or another key with the same id made it. It
    /// shows nothing about this log. In JSON a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "sentences")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub invalid_checkpoints: Vec<InvalidCheckpoint>,
    /// Where the newest checkpoint is not signed by the key given but by one of the same name: which.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub signed_by_another: Option<SignedByAnother>,
    /// Entries of the largest checkpoint given that this log does not reach, where nothing else contradicts that
    /// this is an older copy, or one whose end was cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub older_than: Option<u64>,
    /// Why `intact` is unknown.
    #[serde(serialize_with = "as_reason")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub intact_unknown: Option<IntactUnknown>,
    /// Faults in all.
    pub fault_count: u64,
    /// The first of them, each with its entry.
    pub faults: Vec<Fault>,
}

/// Which key was given, and which keys the newest checkpoint names instead; ids of eight hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SignedByAnother {
    /// The id of the key given.
    pub given: String,
    /// The ids in the checkpoint's signature lines with the log's name.
    pub signers: Vec<String>,
}

impl From<OtherSigner> for SignedByAnother {
    fn from(other: OtherSigner) -> Self {
        let OtherSigner { given, signers } = other;
        Self { given, signers }
    }
}

/// One erasure of payloads, as the log records it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Redaction))]
pub struct Redacted {
    /// Log index of the notice.
    pub notice: u64,
    /// Log indexes of the entries.
    pub entries: Vec<u64>,
    /// Why.
    pub reason: String,
    /// The two who answer for it.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>, min_items = 2, max_items = 2))]
    pub signed_by: [String; 2],
    /// What had been found in them and can no longer be shown, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
}

/// The log that one continues: its checkpoint, as the first entry of the later log states it. Whether that log's key
/// signed it is shown only by that log (`audit verify fleet`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = LogContinued))]
pub struct Continued {
    /// The earlier log's name.
    pub origin: String,
    /// Its entries that belong to the history.
    pub size: u64,
    /// The root of its tree at this size, base64.
    pub root: String,
}

/// The notice that closes a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = LogClosed))]
pub struct Closed {
    /// Log index of the notice.
    pub notice: u64,
    /// The log's first entries that belong to the history.
    pub size: u64,
    /// The root of its tree at this size, base64.
    pub root: String,
    /// The name of the log that continues it, where that was known.
    pub successor: Option<String>,
}

/// One rotation of the log's key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = KeyRotation))]
pub struct Rotated {
    /// Log index of the notice.
    pub notice: u64,
    /// The verifier key so far.
    pub old: String,
    /// The verifier key from there on.
    pub new: String,
}

/// A fault of the seal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SealFault))]
pub struct Fault {
    /// Entry concerned.
    pub entry: Option<u64>,
    /// Which promise of the seal is broken.
    #[serde(serialize_with = "kind_name")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub kind: FaultKind,
    /// What is wrong.
    #[serde(serialize_with = "in_words")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub message: FaultDetail,
}

/// What an inspector can keep: only a log whose seal was proven intact has one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Certificate {
    /// The log's name.
    pub origin: String,
    /// Entries.
    pub size: u64,
    /// Entries of these that were not shown: left out of the copy that was judged, or withheld. Of
    /// them the certificate says nothing.
    pub not_shown: u64,
    /// Root of the tree, base64.
    pub root: String,
    /// Id of the key that signed the checkpoint, hexadecimal.
    pub key: String,
    /// The verdicts.
    pub verdicts: Verdicts,
    /// What judging came to, with the digests of the rulebooks judged by.
    #[serde(flatten)]
    pub summary: Summary<Vec<String>>,
    /// BLAKE3 of the canonical JSON of the findings and their numbers by code.
    pub findings_digest: String,
    /// Version of the judge.
    pub judge: &'static str,
    /// BLAKE3 of the built-in rulebooks, formats and codes by which it judges ([`JudgeInputs::digest`]).
    pub judge_inputs: String,
    /// The program that judged; left out where it did not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub program: Option<Program>,
}

/// Everything `audit verify log` says.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Report<F = Vec<Finding>> {
    /// Version of this form, 1.
    pub format: u32,
    /// The four verdicts.
    pub verdicts: Verdicts,
    /// What was sealed.
    pub seal: Seal,
    /// Entries, events and tables read.
    pub read: Read,
    /// Groups of tables whose ids look alike, the first 100; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub look_alike_tables: Vec<Vec<String>>,
    /// What judging came to, counted.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = Summary<Vec<crate::RulebookUsed>>))]
    pub summary: Summary,
    /// In log order the first 10,000 findings, and of each code the first 200 and the 100 that moved the
    /// most money.
    pub findings: F,
    /// Entries that could not be judged, the first 1,000.
    pub unreadable: Vec<Unreadable>,
    /// How many there are.
    pub unreadable_count: u64,
    /// The certificate; absent where the seal is not proven.
    pub certificate: Option<Certificate>,
}

/// How much was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReadCounts))]
pub struct Read {
    /// Entries judged.
    pub entries: u64,
    /// Events judged.
    pub events: u64,
    /// Tables seen.
    pub tables: u64,
    /// Events missing from the tables' numbering.
    pub missing_events: u64,
    /// Events recorded again, the same.
    pub repeated_events: u64,
}

impl Report {
    /// Whether the result deserves the name of a certificate: the log is intact by a key that did not come with it, every
    /// coup is certified, and no question is answered with *no*.
    #[must_use]
    pub fn is_certificate(&self) -> bool {
        let Verdicts { intact, anchored, complete, certified } = self.verdicts;
        [intact, certified] == [Verdict::Yes; 2]
            && ![anchored, complete].contains(&Verdict::No)
            && self.seal.key_trust == Some(KeyTrust::Given.as_str())
    }

    /// Joins what the seal shows with what judging came to.
    #[must_use]
    pub fn new(seal: SealReport, judgement: Judgement) -> Self {
        // What a log continues is not in it.
        let whole = seal.left_out == 0 && seal.withheld == 0 && seal.continued.is_none();
        let mut verdicts = Verdicts::of(seal.intact, seal.anchored, whole, &judgement);
        if seal.notices.iter().any(|(_, notice)| erased_findings(notice)) {
            // What was found and erased is no ground to certify what is left.
            verdicts.certified = worst(verdicts.certified);
        }
        let sealed_so = verdicts.intact == Verdict::Yes;
        let certificate = seal.proof.as_ref().map(|proof| certificate(proof, verdicts, &judgement));
        Self {
            format: 1,
            verdicts,
            seal: sealed(seal),
            read: Read {
                entries: judgement.entries,
                events: judgement.events,
                tables: judgement.tables,
                missing_events: judgement.missing_events,
                repeated_events: judgement.repeated_events,
            },
            look_alike_tables: judgement.look_alike_tables,
            summary: if sealed_so { judgement.summary } else { judgement.summary.unsealed() },
            findings: judgement.findings,
            unreadable: judgement.unreadable,
            unreadable_count: judgement.unreadable_count,
            certificate,
        }
    }
}

impl<F> Report<F> {
    /// Names the program that judged in the certificate.
    #[must_use]
    pub fn judged_by(mut self, program: Program) -> Self {
        if let Some(certificate) = &mut self.certificate {
            certificate.program = Some(program);
        }
        self
    }

    /// The same report with all findings instead of those listed.
    #[must_use]
    pub fn with_all<All>(&self, findings: All) -> Report<All> {
        Report {
            format: self.format,
            verdicts: self.verdicts,
            seal: self.seal.clone(),
            read: self.read,
            look_alike_tables: self.look_alike_tables.clone(),
            summary: self.summary.clone().beside_all(),
            findings,
            unreadable: self.unreadable.clone(),
            unreadable_count: self.unreadable_count,
            certificate: self.certificate.clone(),
        }
    }
}

/// What was shown of bytes that are not those sealed, or not shown to be, is not shown of the log.
pub(crate) const fn worst(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::No => Verdict::No,
        Verdict::Yes | Verdict::Unknown => Verdict::Unknown,
    }
}

pub(crate) fn sealed(seal: SealReport) -> Seal {
    Seal {
        root: seal.root_text(),
        key: seal.key.as_ref().map(ToString::to_string),
        key_trust: seal.key_trust.map(|trust| trust.as_str()),
        beyond_checkpoint: seal.beyond_checkpoint,
        left_out: seal.left_out,
        withheld: seal.withheld,
        withheld_entries: seal.withheld_entries,
        rotations: seal.notices.iter().filter_map(rotated).collect(),
        redactions: seal.notices.into_iter().filter_map(redacted).collect(),
        not_erased: seal.not_erased,
        continues: seal.continued.as_deref().map(|signed| {
            let checkpoint = signed.checkpoint();
            let (origin, size) = (checkpoint.origin.clone(), checkpoint.size);
            Continued { origin, size, root: checkpoint.root_text() }
        }),
        closed: seal.closed.map(|(notice, Closing { size, root, successor })| Closed {
            notice,
            size,
            root: base64::engine::general_purpose::STANDARD.encode(root),
            successor,
        }),
        of_another_log: seal.of_another_log,
        invalid_checkpoints: seal.invalid_checkpoints,
        signed_by_another: seal.signed_by_another.map(SignedByAnother::from),
        older_than: seal.older_than,
        intact_unknown: seal.intact_unknown,
        origin: seal.origin,
        size: seal.size,
        fault_count: seal.fault_count,
        faults: seal
            .faults
            .into_iter()
            .map(|fault| Fault { entry: fault.index, kind: fault.kind, message: fault.detail })
            .collect(),
    }
}

/// Whether payloads are erased in which something had been found.
pub(crate) const fn erased_findings(notice: &Notice) -> bool {
    match notice {
        Notice::EntriesRedacted(redaction) => !redaction.gone_with_them.is_empty(),
        Notice::KeyRotated(_) | Notice::LogContinued(_) | Notice::LogClosed(_) | Notice::Unknown { .. } => {
            false
        }
    }
}

fn rotated((notice, said): &(u64, Notice)) -> Option<Rotated> {
    let Notice::KeyRotated(rotation) = said else { return None };
    Some(Rotated { notice: *notice, old: rotation.old().to_string(), new: rotation.new_key().to_string() })
}

fn redacted((notice, said): (u64, Notice)) -> Option<Redacted> {
    let Notice::EntriesRedacted(redaction) = said else { return None };
    Some(Redacted {
        notice,
        entries: redaction.entries.iter().map(|(index, _)| *index).collect(),
        reason: redaction.reason,
        signed_by: [redaction.by, redaction.countersigned_by],
        findings: redaction.gone_with_them,
    })
}

fn certificate(proof: &SealProof, verdicts: Verdicts, judgement: &Judgement) -> Certificate {
    Certificate {
        origin: proof.origin().to_owned(),
        size: proof.size(),
        not_shown: proof.not_shown(),
        root: proof.root_text(),
        key: proof.key_id_text(),
        verdicts,
        summary: judgement.summary.certified(),
        findings_digest: findings_digest(judgement),
        judge: JUDGE,
        judge_inputs: JudgeInputs::of_this_program().digest(),
        program: None,
    }
}

/// BLAKE3 of what was found, codes with their counts and findings in log order, as canonical JSON
/// (RFC 8785), without `expected_value` and `recorded_value`: two judgements with the same one found the same.
///
/// # Panics
/// Never: findings hold only texts, integers and lists.
#[must_use]
pub fn findings_digest(judgement: &Judgement) -> String {
    let findings: Vec<Digested<'_>> = judgement.findings.iter().map(Digested).collect();
    #[allow(clippy::expect_used, reason = "findings hold only texts, integers and lists")]
    let text = serde_json_canonicalizer::to_string(&(&judgement.summary.findings_by_code, findings))
        .expect("findings are always JSON");
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
