//! Reads receipts from the stream that keeps them, each once and in order: what came while there was no connection is read
//! when there is one again.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, ReplayPolicy, pull};
use futures_util::StreamExt;

use super::Shared;
use crate::intake::Pauses;
use crate::{Fleet, Receipt};

/// How long a request for receipts stays with the servers.
const EXPIRES: Duration = Duration::from_secs(30);
/// How often the servers show that they still have it; without a sign for twice as long, it is lost.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// Most tables whose receipts alone are asked for. A producer of more is given those of the whole site.
const MAX_TABLES: usize = 16;
/// After how long it is noticed that receipts are not read any more.
pub(super) const NOTICED: Duration = Duration::from_secs(3 * HEARTBEAT.as_secs());
/// How long the servers keep a consumer that nobody asks.
const INACTIVE: Duration = Duration::from_secs(60);

/// Takes receipts, until the producer is dropped. `read` is the place of the newest one that is not this producer's.
pub(super) async fn receive(shared: Arc<Shared>, mut read: u64) {
    let mut number = 0_u64;
    let mut pauses = Pauses::default();
    let mut tables = shared.tables.subscribe();
    loop {
        let subjects = subjects(&shared.fleet, &tables.borrow_and_update());
        let is_all = subjects.contains(&shared.fleet.site().receipt_subjects());
        if !subjects.is_empty() {
            number += 1;
            let name = format!("producer-{}-{number}", shared.instance);
            match open(&shared.fleet, name, subjects, read).await {
                Ok(mut messages) => {
                    shared.readings.fetch_add(1, Ordering::SeqCst);
                    let mut delivered = 0;
                    loop {
                        let next = tokio::select! {
                            () = shared.stop.requested() => return,
                            _ = tables.changed(), if !is_all => break,
                            next = messages.next() => next,
                        };
                        let Some(Ok(message)) = next else { break };
                        let Ok(info) = message.info() else { break };
                        if info.consumer_sequence != delivered + 1 {
                            break;
                        }
                        delivered = info.consumer_sequence;
                        read = info.stream_sequence;
                        pauses = Pauses::default();
                        if let Some(receipt) = Receipt::parse(&message.payload) {
                            shared.answer(receipt, &message.subject);
                        }
                    }
                    shared.readings.fetch_add(1, Ordering::SeqCst);
                }
                Err(why) => tracing::debug!(why = ?why, "receipts are not read"),
            }
        }
        if tables.has_changed().unwrap_or(false) {
            continue;
        }
        tokio::select! {
            () = shared.stop.requested() => return,
            _ = tables.changed() => {}
            () = tokio::time::sleep(pauses.next()), if !tables.borrow().is_empty() => {}
        }
    }
}

/// Whether receipts are read, by how often that began or ended.
pub(super) const fn is_reading(readings: u64) -> bool {
    readings % 2 == 1
}

fn subjects(fleet: &Fleet, tables: &BTreeSet<String>) -> Vec<String> {
    if tables.len() > MAX_TABLES {
        return vec![fleet.site().receipt_subjects()];
    }
    tables.iter().map(|token| fleet.site().receipt_subject_of(token)).collect()
}

async fn open(fleet: &Fleet, name: String, subjects: Vec<String>, read: u64) -> Result<pull::Stream, String> {
    let stream = fleet.stream(&fleet.site().receipt_stream()).await.map_err(|error| error.to_string())?;
    let config = pull::Config {
        name: Some(name),
        deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: read.saturating_add(1) },
        ack_policy: AckPolicy::None,
        filter_subjects: subjects,
        replay_policy: ReplayPolicy::Instant,
        inactive_threshold: INACTIVE,
        memory_storage: true,
        num_replicas: 1,
        ..pull::Config::default()
    };
    let consumer = stream.create_consumer(config).await.map_err(|error| error.to_string())?;
    let messages = consumer.stream().expires(EXPIRES).heartbeat(HEARTBEAT).messages().await;
    messages.map_err(|error| error.to_string())
}
