//! Receipts: the index of each entry, its digest, and its proof. Producers keep them.

use std::collections::BTreeSet;
use std::sync::Arc;

use sealed_log::entry::Digest;
use sealed_log::proof::{EntryProof, ProveError};
use sealed_log::redaction::{parse_kept, sealed_digest};
use sealed_log::store::{StoreNodes, StoreReader as _};
use sealed_log::writer::Acknowledgement;
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::proof::TileCache;
use tokio::task::block_in_place;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::problem::Problem;
use intake::Sealed;

/// One entry's receipt, to be kept.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Receipt)]
pub(crate) struct ReceiptView {
    /// Log index of the entry, from 0.
    pub(crate) index: u64,
    /// BLAKE3 digest of the entry, 64 hexadecimal digits. The leaf of the tree is SHA-256 of a zero byte and the digest's
    /// 32 bytes (RFC 6962 with the digest as the leaf's data).
    #[schema(pattern = "^[0-9a-f]{64}$")]
    digest: String,
    /// Sequence of the first event in the entry.
    first: u64,
    /// Number of events in the entry.
    count: u32,
    /// Proof that the entry is in the log (C2SP tlog-proof), without the entry, under the checkpoint of this answer. To
    /// check it: `audit verify proof FILE --digest DIGEST --key KEY`, with the key of `GET /v1/key` obtained elsewhere.
    proof: String,
}

impl ReceiptView {
    fn new(digest: &Digest, (first, count): (u64, u32), proof: EntryProof) -> Self {
        let (index, digest) = (proof.index(), digest.to_string());
        Self { index, digest, first, count, proof: proof.without_entry().to_string() }
    }
}

/// The receipts of new entries, and the checkpoint that covers them.
pub(crate) fn of_sealed(
    app: &AppState,
    sealed: Sealed,
) -> Result<(Vec<ReceiptView>, Arc<SignedCheckpoint>), Problem> {
    let Sealed { covers, acknowledgement } = sealed;
    let proofs = match acknowledgement.proofs() {
        Some(proofs) => proofs,
        None => block_in_place(|| read_proofs(app, &acknowledgement))?,
    };
    let answered = acknowledgement.entries.iter().zip(covers).zip(proofs);
    let answered =
        answered.map(|((receipt, covers), proof)| ReceiptView::new(&receipt.digest, covers, proof));
    Ok((answered.collect(), acknowledgement.signed))
}

fn read_proofs(app: &AppState, sealed: &Acknowledgement) -> Result<Vec<EntryProof>, Problem> {
    let store = app.reader()?;
    let proofs = sealed.entries.iter().map(|receipt| EntryProof::read(&store, &sealed.signed, receipt.index));
    proofs.collect::<Result<_, ProveError>>().map_err(|error| Problem::stopped(error.to_string()))
}

/// Receipts of entries that the log held before, under a checkpoint that covers them.
pub(crate) fn of_known(
    app: &AppState,
    known: BTreeSet<u64>,
    signed: &SignedCheckpoint,
) -> Result<Vec<ReceiptView>, Problem> {
    let store = app.reader()?;
    let nodes = TileCache::new(StoreNodes(&store), store.size());
    let mut receipts = Vec::with_capacity(known.len());
    for index in known {
        let damaged = |why: String| Problem::stopped(ProveError { index, why, disk: false }.to_string());
        let entry = store.read(index, 1).map_err(|error| damaged(error.to_string()))?;
        let entry = entry.into_iter().next().ok_or_else(|| damaged("it is not there".to_owned()))?;
        let digest = sealed_digest(&entry);
        let covers = parse_kept(&entry).map_or((0, 0), |kept| (kept.view.first, kept.view.count));
        let proof = EntryProof::make(&nodes, signed, index, entry);
        receipts.push(ReceiptView::new(&digest, covers, proof.map_err(|error| damaged(error.to_string()))?));
    }
    Ok(receipts)
}
