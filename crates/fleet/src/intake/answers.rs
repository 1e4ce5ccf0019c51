//! What follows a recorded batch: the fence, then receipts and acknowledgements. Nothing else acknowledges a message.
//!
//! A message leaves its stream only when its receipt is kept: so a producer that finds neither knows that it was lost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::context::PublishAckFuture;
use futures_util::future::join_all;

use super::Pauses;
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

/// How long the receipts of a batch are tried to be kept.
const KEEPING: Duration = Duration::from_secs(20);

/// What a message is answered with.
struct Answer {
    item: Item,
    receipt: Receipt,
    kind: AckKind,
}

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

    /// Answers for messages whose events an earlier holder has committed.
    pub(super) async fn give_before(&self, items: Vec<Item>, before: &Committed) {
        let places = items.iter().map(|item| item.place);
        if let (Some(first), Some(last)) = (places.clone().min(), places.max()) {
            let (partition, messages) = (self.lease.number(), items.len());
            let (log, size) = (&before.origin, before.size);
            tracing::warn!(
                partition, messages, first, last, log = ?log, size,
                "messages are passed over: the lease says that an earlier holder sealed them in this log"
            );
        }
        let mut answers = Vec::with_capacity(items.len());
        for item in items {
            self.counters.sealed_before();
            let receipt = Receipt::sealed_before(item.id(), item.receipt_table(), before);
            answers.push(Answer { item, receipt, kind: AckKind::Ack });
        }
        self.answer(answers).await;
    }

    /// Commits to the lease, and answers for the batch if that succeeds.
    pub(super) async fn give(self, committed: Committed, judged: Vec<JudgedItem>) -> Result<(), FleetError> {
        let refused = judged.iter().filter(|(_, judged)| judged.is_err()).map(|(item, _)| item.place);
        let batch = judged.iter().map(|(item, _)| (item.place, item.stored_millis));
        let committed = self.settled.by(batch, refused, committed);
        let covered = (committed.origin.clone(), committed.size);
        self.lease.commit(committed).await?;
        self.counters.committed();
        self.log_refusals(&judged);
        let mut answers = Vec::with_capacity(judged.len());
        for (item, judged) in judged {
            self.counters.answered(&judged);
            let (id, table) = (item.id(), item.receipt_table());
            match judged {
                Ok(recorded) => {
                    let receipt = Receipt::recorded(id, table, covered.clone(), recorded);
                    answers.push(Answer { item, receipt, kind: AckKind::Ack });
                }
                Err(NotRecorded::Refused(why) | NotRecorded::Unavailable(why)) => {
                    if self.keep_refused(&item, &why).await {
                        self.settled.kept(item.place);
                        let receipt = Receipt::refused(id, table, &why);
                        answers.push(Answer { item, receipt, kind: AckKind::Term });
                    }
                }
            }
        }
        self.answer(answers).await;
        Ok(())
    }

    /// One line for a batch: whoever publishes can have as many messages refused as they like.
    fn log_refusals(&self, judged: &[JudgedItem]) {
        let mut refused = judged.iter().filter_map(|(item, judged)| Some((item, judged.as_ref().err()?)));
        if let Some((item, NotRecorded::Refused(why) | NotRecorded::Unavailable(why))) = refused.next() {
            let (partition, table, messages) =
                (self.lease.number(), item.receipt_table(), 1 + refused.count());
            tracing::warn!(partition, table = ?table, messages, why = ?why, "messages are refused; they are kept");
        }
    }

    /// Has the receipts kept, then acknowledges. Where the stream of receipts takes nothing for long, messages are
    /// acknowledged all the same: they are sealed, and their producers publish them again at worst.
    async fn answer(&self, answers: Vec<Answer>) {
        let end = Instant::now() + KEEPING;
        let mut pauses = Pauses::default();
        let mut left: Vec<&Answer> = answers.iter().collect();
        loop {
            left = self.keep(left).await;
            if left.is_empty() || Instant::now() >= end {
                break;
            }
            tokio::time::sleep(pauses.next()).await;
        }
        if !left.is_empty() {
            self.counters.receipts_lost(left.len());
            tracing::warn!(partition = self.lease.number(), receipts = left.len(), "receipts were not kept");
        }
        for Answer { item, kind, .. } in answers {
            acknowledge(&self.fleet.client(), &item.reply, kind).await;
        }
    }

    /// Publishes receipts side by side. Gives those that are not known to be stored.
    async fn keep<'a>(&self, answers: Vec<&'a Answer>) -> Vec<&'a Answer> {
        let mut published = Vec::with_capacity(answers.len());
        for answer in answers {
            published.push((answer, self.publish(answer).await));
        }
        let stored = join_all(published.into_iter().map(|(answer, stored)| async move {
            let why = match stored {
                Ok(stored) => stored.await.err().map(|error| error.to_string()),
                Err(why) => Some(why),
            };
            (answer, why)
        }));
        let mut left = Vec::new();
        for (answer, why) in stored.await {
            if let Some(why) = why {
                tracing::debug!(why = ?why, "a receipt may not be kept");
                left.push(answer);
            }
        }
        left
    }

    async fn publish(&self, Answer { item, receipt, .. }: &Answer) -> Result<PublishAckFuture, String> {
        let bytes = serde_json::to_vec(receipt).map_err(|error| error.to_string())?;
        let mut headers = HeaderMap::new();
        headers.insert(DUPLICATE, item.stored_as());
        let subject = self.fleet.site().receipt_subject_of(&item.token);
        let published = self.fleet.context().publish_with_headers(subject, headers, bytes.into());
        published.await.map_err(|error| error.to_string())
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
        headers.insert(DUPLICATE, item.stored_as());
        let subject = self.fleet.site().refused_subject(&item.token);
        let payload = item.message.payload.clone();
        let stored =
            async { self.fleet.context().publish_with_headers(subject, headers, payload).await?.await };
        match stored.await {
            Ok(_) => true,
            Err(error) => {
                let partition = self.lease.number();
                tracing::warn!(partition, error = ?error.to_string(), "a refused message was not kept; it comes again");
                false
            }
        }
    }
}
