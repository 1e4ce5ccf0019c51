//! What reading a whole log came to, and the proof that only the log reader can make.

use std::fmt;

use crate::keys::KeyHistory;
use crate::notice::{Closing, Notice};
use crate::reader::fault::{SealFault, Verdict};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::VerifierKey;
use tlog::policy::{WitnessPolicy, Witnessed};
use tlog::tree::TreeHash;

/// Where the key came from that the checkpoint was checked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyTrust {
    /// The caller gave the key to trust.
    Given,
    /// The key travelled with the log: whoever could rewrite the log could replace it as well.
    Carried,
}

impl KeyTrust {
    /// `given` or `carried`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Carried => "carried",
        }
    }
}

/// Something given of another log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MixedUp {
    /// A key.
    Key {
        /// The log whose key it is.
        given: String,
        /// The log that was read.
        log: String,
    },
    /// A checkpoint.
    Checkpoint {
        /// Entries it covers.
        size: u64,
        /// The log it is of.
        given: String,
        /// The log that was read.
        log: String,
    },
}

impl fmt::Display for MixedUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { given, log } => write!(f, "the key is of the log `{given}`; this is the log `{log}`"),
            Self::Checkpoint { size, given, log } => {
                write!(f, "a checkpoint of {size} entries is of the log `{given}`; this is the log `{log}`")
            }
        }
    }
}

/// A checkpoint given whose signature does not hold: it was altered since the key signed it, or was made by another
/// key with the same id. It shows nothing, for the log or against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidCheckpoint {
    /// Entries it states.
    pub size: u64,
    /// The key of the log whose signature it bears.
    pub key: VerifierKey,
}

impl fmt::Display for InvalidCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, key } = self;
        let (name, id) = (key.name(), id_text(key.id()));
        write!(
            f,
            "the signature of a checkpoint of {size} entries is not valid under the key {name} with the id {id}"
        )
    }
}

/// Which key was given, and which keys the newest checkpoint names instead. Ids are eight hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherSigner {
    /// The id of the key given.
    pub given: String,
    /// The ids in the checkpoint's signature lines with the log's name. They are not checked.
    pub signers: Vec<String>,
}

/// What a checkpoint comes to that another log states of the log that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claimed {
    /// A key of the log signed it, and the log extends it.
    Extended,
    /// A key of the log signed it, and the log has other entries.
    Refuted,
    /// A key of the log signed it, and the log that was read has fewer entries.
    Beyond,
    /// No key of the log signed it.
    NotSigned,
    /// It is of another log.
    OfAnotherLog,
    /// It cannot be compared: entries are left out or damaged, or no key is there.
    NotShown,
}

/// A key's id as eight hexadecimal digits.
pub(crate) fn id_text(id: [u8; 4]) -> String {
    format!("{:08x}", u32::from_be_bytes(id))
}

/// Why a log is neither shown to be intact nor shown to be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntactUnknown {
    /// Whoever read the log stopped before its end.
    NotReadToEnd,
    /// The entries have no signed checkpoint.
    NoCheckpoint,
    /// There is no key that can be read.
    NoKey,
    /// The key that was given belongs to another log.
    KeyOfAnotherLog,
    /// A notice is of a kind of a newer version.
    NoticeUnknown,
    /// More entries than are kept in memory would have to be compared with the notices.
    NotCompared,
    /// Nobody sealed the events.
    NoSeal,
}

impl IntactUnknown {
    /// The reason as reports name it, in English.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotReadToEnd => "the log was not read to its end",
            Self::NoCheckpoint => "no signed checkpoint came with the entries",
            Self::NoKey => "no key that can be read is there to check the checkpoint's signature with",
            Self::KeyOfAnotherLog => "the key given is another log's",
            Self::NoticeUnknown => {
                "a notice of the log is of a kind that this program does not know; a newer version may"
            }
            Self::NotCompared => "too many entries to compare each with the notices of erased payloads",
            Self::NoSeal => "there is no seal: nothing is proven",
        }
    }
}

/// What reading a log came to.
#[derive(Debug)]
pub struct SealReport {
    /// Entries read, lost ones included where they could be counted.
    pub size: u64,
    /// Root of the tree over the entries read; `None` when some could not be read.
    pub root: Option<TreeHash>,
    /// The log's name, as its checkpoint says.
    pub origin: Option<String>,
    /// The checkpoint that came with the entries.
    pub checkpoint: Option<SignedCheckpoint>,
    /// The key the checkpoint was checked with.
    pub key: Option<VerifierKey>,
    /// Where that key came from.
    pub key_trust: Option<KeyTrust>,
    /// Entries past the checkpoint that were not read: durable, but never acknowledged.
    pub beyond_checkpoint: u64,
    /// Entries this copy leaves out: of them it holds only what the signed root needs.
    pub left_out: u64,
    /// Entries of which only a redacted entry is there: payload withheld or erased.
    pub withheld: u64,
    /// The first of these, at most [`crate::reader::MAX_KEPT_WITHHELD`], in log order.
    pub withheld_entries: Vec<u64>,
    /// What the log says about itself: index of the entry and the notice, the first
    /// [`crate::reader::MAX_KEPT_NOTICES`].
    pub notices: Vec<(u64, Notice)>,
    /// The checkpoint of the log that this one continues, as its first entry states it: its signatures are not checked.
    pub continued: Option<Box<SignedCheckpoint>>,
    /// The first notice that closes the log, with its index.
    pub closed: Option<(u64, Closing)>,
    /// What the checkpoints come to that other logs state of this one, in the order given.
    pub claimed: Vec<(Checkpoint, Claimed)>,
    /// The log's keys, where its key was ever rotated.
    pub keys: KeyHistory,
    /// Entries that a notice says are erased and that are here all the same.
    pub not_erased: u64,
    /// What the reader was given and is another log's: it shows nothing, for this log or against it.
    pub of_another_log: Vec<MixedUp>,
    /// The checkpoints given whose signatures do not hold: they show nothing, for this log or against it.
    pub invalid_checkpoints: Vec<InvalidCheckpoint>,
    /// Whose signature the newest checkpoint bears, where it is not that of the key given but of one of the same name.
    pub signed_by_another: Option<OtherSigner>,
    /// Entries of the largest checkpoint kept elsewhere that this log does not reach, where it reaches its own
    /// checkpoint and contradicts none: this is an older copy, or its end was cut off and signed anew.
    pub older_than: Option<u64>,
    /// Whether every entry, link, hash and signature holds.
    pub intact: Verdict,
    /// Why `intact` is unknown.
    pub intact_unknown: Option<IntactUnknown>,
    /// Whether the log agrees with every checkpoint kept elsewhere.
    pub anchored: Verdict,
    /// The faults, in the order found; at most [`crate::reader::MAX_KEPT_FAULTS`].
    pub faults: Vec<SealFault>,
    /// How many faults there were.
    pub fault_count: u64,
    /// The proof certificates need; there is one only when the log is intact.
    pub proof: Option<SealProof>,
}

impl SealReport {
    /// The root in base64, `unknown` when there is none.
    #[must_use]
    pub fn root_text(&self) -> String {
        self.root.map_or_else(|| "unknown".to_owned(), |root| STANDARD.encode(root))
    }

    /// Makes `anchored` depend on the witnesses of a policy: it stays or becomes yes only where a
    /// quorum of them signed a checkpoint that the log was shown to extend. A refuted anchor stays
    /// refuted; a policy that asks for no witness changes nothing. Gives what the witnesses said of
    /// the checkpoint that counts, the one nearest to a quorum and then the newest.
    ///
    /// A checkpoint that the policy rejects ([`Witnessed::rejected`]) refutes the anchor, whatever the others
    /// show: somebody put a signature under it that its signer did not make. That one is given then.
    ///
    /// `kept` are cosigned checkpoints kept outside the log; all of them must be among the anchors the log
    /// was read with. The log's own checkpoint counts where the log is intact.
    pub fn require_quorum(&mut self, policy: &WitnessPolicy, kept: &[SignedCheckpoint]) -> Option<Witnessed> {
        let shown = |verdict| verdict == Verdict::Yes;
        let own = self.checkpoint.iter().map(|signed| (signed, shown(self.intact)));
        // A checkpoint of another log says nothing of this one; the report says whose it is.
        let origin = self.checkpoint.as_ref().map(|signed| signed.checkpoint().origin.clone());
        let of_this_log = |signed: &&SignedCheckpoint| origin.as_ref() == Some(&signed.checkpoint().origin);
        let kept = kept.iter().filter(of_this_log).map(|signed| (signed, shown(self.anchored)));
        let mut judged: Vec<_> =
            own.chain(kept).map(|(signed, shown)| (policy.count(signed), shown)).collect();
        if let Some(at) = judged.iter().position(|(said, _)| said.rejected.is_some()) {
            self.anchored = Verdict::No;
            return Some(judged.swap_remove(at).0);
        }
        let judged = judged.into_iter();
        let best = judged.max_by_key(|(said, shown)| (said.quorum && *shown, said.counted.len(), said.size));
        let (said, shown) = best.unzip();
        // A policy for other logs says nothing of this one, even if it asks for no witness.
        if policy.asks_for_witnesses() || said.as_ref().is_some_and(|said| !said.log_listed) {
            let reached = shown == Some(true) && said.as_ref().is_some_and(|said| said.quorum);
            self.anchored = match self.anchored {
                Verdict::No => Verdict::No,
                // One that was given is not compared: others' signatures do not stand for it.
                Verdict::Unknown if !self.invalid_checkpoints.is_empty() => Verdict::Unknown,
                Verdict::Yes | Verdict::Unknown if reached => Verdict::Yes,
                Verdict::Yes | Verdict::Unknown => Verdict::Unknown,
            };
        }
        said
    }
}

/// That a whole log was read and found intact. It cannot be made or copied, only be had from
/// [`crate::reader::LogReader::finish`].
#[derive(Debug)]
pub struct SealProof {
    origin: String,
    size: u64,
    root: TreeHash,
    key_id: [u8; 4],
    not_shown: u64,
}

impl SealProof {
    /// Only the log reader calls this, and only when everything held.
    pub(crate) fn of(checkpoint: &SignedCheckpoint, key: &VerifierKey, not_shown: u64) -> Self {
        let checkpoint = checkpoint.checkpoint();
        let (origin, key_id) = (checkpoint.origin.clone(), key.id());
        Self { origin, size: checkpoint.size, root: checkpoint.root, key_id, not_shown }
    }

    /// The log's name.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// How many entries the log has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// How many of them were not shown: left out of this copy, or their payload withheld.
    #[must_use]
    pub const fn not_shown(&self) -> u64 {
        self.not_shown
    }

    /// The root of its tree.
    #[must_use]
    pub const fn root(&self) -> TreeHash {
        self.root
    }

    /// The root in base64, as it stands in the checkpoint.
    #[must_use]
    pub fn root_text(&self) -> String {
        STANDARD.encode(self.root)
    }

    /// The id of the key that signed.
    #[must_use]
    pub const fn key_id(&self) -> [u8; 4] {
        self.key_id
    }

    /// The id of the key that signed, as eight hexadecimal digits.
    #[must_use]
    pub fn key_id_text(&self) -> String {
        id_text(self.key_id)
    }
}

#[cfg(test)]
mod tests;
