//! What a producer keeps: where each entry stands, its digest, and the proof of it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use sealed_log::{
    Acknowledgement, Digest, EntryProof, ProveError, Receipt, SignedCheckpoint, Store as _, Submission,
    SubmitError, parse_kept, sealed_digest,
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
    room.acknowledged(&sealed.head);
    add(&room.counters.entries, sealed.receipts.len() as u64);
    let proofs = match sealed.proofs() {
        Some(proofs) => proofs,
        None => block_in_place(|| room.log.prove(&sealed)).map_err(unproven)?,
    };
    let told = sealed.receipts.iter().zip(covers).zip(proofs);
    let told = told.map(|((receipt, covers), proof)| ReceiptTold::new(&receipt.digest, covers, proof));
    Ok((told.collect(), sealed.head))
}

/// Receipts of entries that the log held before, under a head that covers them.
pub(crate) fn of_known(
    room: &Room,
    known: BTreeSet<u64>,
    head: &Arc<SignedCheckpoint>,
) -> Result<Vec<ReceiptTold>, Problem> {
    let read = room.look(move |store| {
        let mut entries = Vec::new();
        for index in known {
            entries.extend(store.read(index, 1)?.into_iter().next().map(|bytes| (index, bytes)));
        }
        Ok(entries)
    })?;
    let (mut receipts, mut covers) = (Vec::new(), Vec::new());
    for (index, bytes) in read {
        let (digest, tree_size) = (sealed_digest(&bytes), head.checkpoint().size);
        receipts.push(Receipt { index, digest, tree_size });
        covers.push(parse_kept(&bytes).map_or((0, 0), |kept| (kept.view.first, kept.view.count)));
    }
    let acknowledged = Acknowledgement::under(Arc::clone(head), receipts);
    let proofs = room.log.prove(&acknowledged).map_err(unproven)?;
    let told = acknowledged.receipts.iter().zip(covers).zip(proofs);
    Ok(told.map(|((receipt, covers), proof)| ReceiptTold::new(&receipt.digest, covers, proof)).collect())
}

fn unproven(error: ProveError) -> Problem {
    match error {
        ProveError::Gone(error) => Problem::stopped(error.to_string()),
        ProveError::Damaged { .. } => Problem::stopped(error.to_string()),
    }
}
