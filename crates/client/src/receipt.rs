//! Receipts, and their check without asking the service.

use sealed_log::entry::{Digest, EntryError};
use sealed_log::proof::{EntryProof, EntryProofError, ProvenEntry};
use sealed_log::redaction::{parse_kept, sealed_digest};
use serde::{Deserialize, Deserializer};
use tlog::note::VerifierKey;

/// One entry's receipt. Its proof shows, to anybody with the log's key, that an entry with this digest has
/// this index. `first` and `count` are proven only together with the entry.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Receipt {
    /// The entry's index in the log, from 0.
    pub index: u64,
    /// BLAKE3 of the entry's bytes.
    #[serde(deserialize_with = "digest")]
    pub digest: Digest,
    /// Sequence of its first event.
    pub first: u64,
    /// Number of consecutive events in it.
    pub count: u32,
    /// C2SP tlog-proof without the entry, as text: stored as received, parsed by [`check`].
    pub proof: String,
}

fn digest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

/// Why a receipt is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptError {
    /// Its proof cannot be parsed, or does not lead from its digest to a checkpoint signed by the key.
    #[error(transparent)]
    Proof(#[from] EntryProofError),
    /// Its proof belongs to another entry.
    #[error("the receipt is of entry {claimed}, its proof of entry {proven}")]
    OtherIndex {
        /// The value in the receipt.
        claimed: u64,
        /// The value in the proof.
        proven: u64,
    },
    /// The entry given with it has another digest.
    #[error("the receipt is of an entry with the digest {claimed}; the one given has {found}")]
    OtherEntry {
        /// The value in the receipt.
        claimed: Digest,
        /// The digest of what was given.
        found: Digest,
    },
    /// The bytes given with it are not an entry.
    #[error("what was given with the receipt is no entry: {0}")]
    NoEntry(#[from] EntryError),
    /// The entry given with it covers other sequences.
    #[error("the receipt is of {claimed_count} events from {claimed}; the entry holds {count} from {first}")]
    OtherEvents {
        /// First sequence, as the receipt says.
        claimed: u64,
        /// Number of events, as the receipt says.
        claimed_count: u32,
        /// First sequence of the entry.
        first: u64,
        /// Number of its events.
        count: u32,
    },
}

/// Checks a receipt with nothing but the log's key. With the entry's bytes, also checks that the entry covers
/// the events named in the receipt.
///
/// # Errors
/// [`ReceiptError`].
pub fn check(
    receipt: &Receipt,
    key: &VerifierKey,
    entry: Option<&[u8]>,
) -> Result<ProvenEntry, ReceiptError> {
    let proof: EntryProof = receipt.proof.parse()?;
    let proven = proof.verify(key, &receipt.digest)?;
    if proven.index() != receipt.index {
        return Err(ReceiptError::OtherIndex { claimed: receipt.index, proven: proven.index() });
    }
    if let Some(entry) = entry {
        let found = sealed_digest(entry);
        if found != receipt.digest {
            return Err(ReceiptError::OtherEntry { claimed: receipt.digest, found });
        }
        let view = parse_kept(entry)?.view;
        if (view.first, view.count) != (receipt.first, receipt.count) {
            let (claimed, claimed_count) = (receipt.first, receipt.count);
            return Err(ReceiptError::OtherEvents {
                claimed,
                claimed_count,
                first: view.first,
                count: view.count,
            });
        }
    }
    Ok(proven)
}
