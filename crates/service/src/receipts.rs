//! What a producer keeps: where each entry stands, its digest, and the proof of it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use sealed_log::{
    Acknowledgement, Digest, EntryProof, ProveError, SignedCheckpoint, StoreNodes, StoreReader as _,
    Submission, SubmitError, TileCache, parse_kept, sealed_digest,
};
use serde::Serialize;
use tokio::sync::oneshot;
use tokio::task::block_in_place;
use utoipa::ToSchema;

use crate::intake::IntakeError;
use crate::problem::Problem;
use crate::room::{Room, add};

/// One entry's receipt: to be kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReceiptTold {
    pub(crate) index: u64,
    digest: String,
    first: u64,
    count: u32,
    /// C2SP tlog-proof, without the entry.
    proof: String,
}

impl ReceiptTold {
    fn new(digest: &Digest, (first, count): (u64, u32), proof: EntryProof) -> Self {
        let (index, digest) = (proof.index(), digest.to_string());
        Self { index, digest, first, count, proof: proof.without_entry().to_string() }
    }
}

/// Seals what is new; gives the receipts of it, and the head that covers them.
pub(crate) async fn seal(
    room: &Room,
    submissions: Vec<Submission>,
) -> Result<(Vec<ReceiptTold>, Arc<SignedCheckpoint>), Problem> {
    if submissions.is_empty() {
        return Ok((Vec::new(), room.head()));
    }
    let covers: Vec<_> = submissions.iter().map(|submission| (submission.first, submission.count)).collect();
    let (tell, told) = oneshot::channel();
    let tell = |answer| {
        // Nobody waits any more where the service stops meanwhile.
        let _ = tell.send(answer);
    };
    let began = Instant::now();
    room.log.submit_and_tell(submissions, tell).map_err(IntakeError::Log)?;
    let gone = |_| Err(SubmitError::NotAcknowledged("the log has shut down; reopen it".to_owned()));
    let sealed = told.await.unwrap_or_else(gone).map_err(IntakeError::Log)?;
    room.counters.post_durable(began.elapsed());
    room.acknowledged();
    add(&room.counters.entries, sealed.receipts.len() as u64);
    let proofs = match sealed.proofs() {
        Some(proofs) => proofs,
        None => block_in_place(|| read_proofs(room, &sealed))?,
    };
    let told = sealed.receipts.iter().zip(covers).zip(proofs);
    let told = told.map(|((receipt, covers), proof)| ReceiptTold::new(&receipt.digest, covers, proof));
    Ok((told.collect(), sealed.head))
}

fn read_proofs(room: &Room, sealed: &Acknowledgement) -> Result<Vec<EntryProof>, Problem> {
    let store = room.reader()?;
    let proofs = sealed.receipts.iter().map(|receipt| EntryProof::read(&store, &sealed.head, receipt.index));
    proofs.collect::<Result<_, ProveError>>().map_err(|error| Problem::stopped(error.to_string()))
}

/// Receipts of entries that the log held before, under a head that covers them.
pub(crate) fn of_known(
    room: &Room,
    known: BTreeSet<u64>,
    head: &SignedCheckpoint,
) -> Result<Vec<ReceiptTold>, Problem> {
    let store = room.reader()?;
    let nodes = TileCache::new(StoreNodes(&store), store.size());
    let mut receipts = Vec::with_capacity(known.len());
    for index in known {
        let damaged = |why: String| Problem::stopped(ProveError { index, why }.to_string());
        let entry = store.read(index, 1).map_err(|error| damaged(error.to_string()))?;
        let entry = entry.into_iter().next().ok_or_else(|| damaged("it is not there".to_owned()))?;
        let digest = sealed_digest(&entry);
        let covers = parse_kept(&entry).map_or((0, 0), |kept| (kept.view.first, kept.view.count));
        let proof = EntryProof::make(&nodes, head, index, entry);
        receipts.push(ReceiptTold::new(&digest, covers, proof.map_err(|error| damaged(error.to_string()))?));
    }
    Ok(receipts)
}
