//! What follows a recorded batch: the fence, then acknowledgements and receipts. Nothing else acknowledges a message.

use std::sync::Arc;

use async_nats::HeaderMap;
use async_nats::jetstream::AckKind;

use super::batch::{Item, JudgedItem};
use super::counts::Counters;
use super::settled::Settled;
use super::source::acknowledge;
use crate::receipt::{Receipt, shortened};
use crate::{Committed, Fleet, FleetError, Lease, NotRecorded};

/// The header with the reason why a message was refused.
const REASON: &str = "audit-refused";
/// The header with the subject that it was published to.
const SUBJECT: &str = "audit-subject";
/// The header by which a stream recognises what it has stored a moment ago.
const DUPLICATE: &str = "Nats-Msg-Id";

pub(super) struct Answers {
    fleet: Fleet,
    lease: Lease,
    counters: Arc<Counters>,
    settled: Settled,
}

impl Answers {
    pub(super) fn new(fleet: &Fleet, lease: &Lease, counters: Arc<Counters>, settled: Settled) -> Self {
        Self { fleet: fleet.clone(), lease: lease.clone(), counters, settled }
    }

    /// Answers for a message whose events an earlier holder has committed.
    pub(super) async fn give_before(&self, item: &Item, before: &Committed) {
        self.counters.sealed_before();
        acknowledge(&self.fleet.client(), &item.reply, AckKind::Ack).await;
        let table = item.table.clone().unwrap_or_else(|_| item.token.clone());
        self.publish(&item.token, &Receipt::sealed_before(item.id(), table, before)).await;
    }

    /// Commits to the lease, and answers for the batch if that succeeds.
    pub(super) async fn give(self, committed: Committed, judged: Vec<JudgedItem>) -> Result<(), FleetError> {
        let refused = judged.iter().filter(|(_, judged)| judged.is_err()).map(|(item, _)| item.place);
        let message = self.settled.by(judged.iter().map(|(item, _)| item.place), refused);
        let committed = Committed { message, ..committed };
        let covered = (committed.origin.clone(), committed.size);
        self.lease.commit(committed).await?;
        self.counters.committed();
        for (item, judged) in judged {
            self.counters.answered(&judged);
            let receipt_table = item.table.clone().unwrap_or_else(|_| item.token.clone());
            match judged {
                Ok(recorded) => {
                    acknowledge(&self.fleet.client(), &item.reply, AckKind::Ack).await;
                    let receipt = Receipt::recorded(item.id(), receipt_table, covered.clone(), recorded);
                    self.publish(&item.token, &receipt).await;
                }
                Err(NotRecorded::Refused(why) | NotRecorded::Unavailable(why)) => {
                    if self.keep_refused(&item, &why).await {
                        self.settled.kept(item.place);
                        acknowledge(&self.fleet.client(), &item.reply, AckKind::Term).await;
                        self.publish(&item.token, &Receipt::refused(item.id(), receipt_table, &why)).await;
                    }
                }
            }
        }
        Ok(())
    }

    async fn publish(&self, token: &str, receipt: &Receipt) {
        let subject = self.fleet.site().receipt_subject_of(token);
        let sent = match serde_json::to_vec(receipt) {
            Ok(bytes) => {
                self.fleet.client().publish(subject, bytes.into()).await.map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        // A producer without a receipt sends again.
        if let Err(error) = sent {
            tracing::debug!(error = ?error, "a receipt was not published");
        }
    }

    /// Keeps a refused message where people find it. `false`: it was not stored, and the message is given out again.
    async fn keep_refused(&self, item: &Item, why: &str) -> bool {
        let mut headers = HeaderMap::new();
        for (name, values) in item.message.headers.iter().flat_map(HeaderMap::iter) {
            // Headers of the servers would be obeyed again.
            if !name.to_string().to_ascii_lowercase().starts_with("nats-") {
                for value in values {
                    headers.append(name.clone(), value.clone());
                }
            }
        }
        headers.insert(REASON, shortened(why));
        headers.insert(SUBJECT, item.message.subject.to_string());
        if let Ok(info) = item.message.info() {
            headers.insert(
                DUPLICATE,
                format!("{}-{}", info.stream_sequence, info.published.unix_timestamp_nanos()),
            );
        }
        let subject = self.fleet.site().refused_subject(&item.token);
        let payload = item.message.payload.clone();
        let stored =
            async { self.fleet.context().publish_with_headers(subject, headers, payload).await?.await };
        match stored.await {
            Ok(_) => true,
            Err(error) => {
                let partition = self.lease.partition();
                tracing::warn!(partition, error = ?error.to_string(), "a refused message was not kept; it comes again");
                false
            }
        }
    }
}
