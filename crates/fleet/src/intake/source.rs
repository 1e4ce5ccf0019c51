//! A partition's consumer. Its name holds the epoch of the lease, so that a holder that was fenced cannot take
//! messages from its successor's consumer, nor delete it. It is made anew at each takeover and after each failure: what
//! was not acknowledged then comes at once, and in order.

use std::time::Duration;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, ReplayPolicy, pull};
use async_nats::jetstream::stream::{ConsumerErrorKind, Stream};
use async_nats::jetstream::{AckKind, Message};
use futures_util::{FutureExt, StreamExt, TryStreamExt};

use super::IntakeSettings;
use crate::{Fleet, FleetError, Lease};

/// How long a request for messages stays with the servers.
const EXPIRES: Duration = Duration::from_secs(30);
/// How often the servers show that they still have it; without a sign for twice as long, it is lost.
const HEARTBEAT: Duration = Duration::from_secs(3);
/// Most consumers of a stream that are looked at: one of each partition, and those that failed holders left.
const MAX_CONSUMERS: usize = 4096;

/// The messages of a partition, in order.
pub(super) struct Source {
    messages: pull::Stream,
    settings: IntakeSettings,
    /// The number of the newest delivery. They have no gaps.
    delivered: u64,
    broken: Option<String>,
}

/// The name of a consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ConsumerName {
    pub(crate) partition: u32,
    pub(crate) epoch: u64,
    generation: u64,
}

impl ConsumerName {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix("partition-")?.splitn(3, '-');
        let partition = parts.next()?.parse().ok()?;
        let epoch = parts.next()?.strip_prefix('e')?.parse().ok()?;
        let generation = parts.next()?.strip_prefix('g')?.parse().ok()?;
        Some(Self { partition, epoch, generation })
    }
}

impl std::fmt::Display for ConsumerName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "partition-{}-e{}-g{}", self.partition, self.epoch, self.generation)
    }
}

impl Source {
    /// Deletes the consumers of predecessors, and makes this one.
    pub(super) async fn open(
        fleet: &Fleet,
        lease: &Lease,
        settings: IntakeSettings,
        generation: u64,
    ) -> Result<Self, FleetError> {
        let partition = lease.partition();
        let Some(record) = lease.record() else { return Err(FleetError::Fenced { partition }) };
        let name = ConsumerName { partition, epoch: record.epoch, generation };
        let stream = fleet.stream(&fleet.site().stream()).await?;
        delete_older(&stream, name).await?;
        // A fenced holder must not come in between a successor's deletion and its making.
        lease.ready().await?;
        let durable = name.to_string();
        let config = pull::Config {
            durable_name: Some(durable.clone()),
            description: Some(format!("of {}", record.holder.escape_default())),
            deliver_policy: DeliverPolicy::All,
            ack_policy: AckPolicy::Explicit,
            ack_wait: settings.ack_wait,
            filter_subject: fleet.site().partition_subjects(partition),
            replay_policy: ReplayPolicy::Instant,
            max_ack_pending: i64::try_from(settings.batch_messages.saturating_mul(4)).unwrap_or(i64::MAX),
            ..pull::Config::default()
        };
        let making =
            |error: &dyn std::fmt::Display| FleetError::server(format!("make the consumer {durable}"), error);
        let consumer = stream.create_consumer(config).await.map_err(|error| making(&error))?;
        // A request must have room for the longest message, or the servers refuse it.
        let room = settings.batch_bytes.max(fleet.client().max_payload().saturating_mul(2));
        let messages =
            consumer.stream().max_messages_per_batch(settings.batch_messages).max_bytes_per_batch(room);
        let messages = messages.expires(EXPIRES).heartbeat(HEARTBEAT).messages();
        let messages = messages.await.map_err(|error| making(&error))?;
        Ok(Self { messages, settings, delivered: 0, broken: None })
    }

    /// The next messages: at least one, and then what is there already.
    ///
    /// # Errors
    /// Why there are none any more.
    pub(super) async fn next(&mut self) -> Result<Vec<Message>, String> {
        if let Some(why) = self.broken.take() {
            return Err(why);
        }
        let first = self.messages.next().await;
        let mut bytes = 0;
        let mut batch = Vec::new();
        let mut given = Some(first);
        while let Some(next) = given {
            match self.checked(next) {
                Ok(message) => {
                    bytes += message.length;
                    batch.push(message);
                }
                Err(why) if batch.is_empty() => return Err(why),
                Err(why) => {
                    self.broken = Some(why);
                    break;
                }
            }
            let has_room = batch.len() < self.settings.batch_messages && bytes < self.settings.batch_bytes;
            given = if has_room { self.messages.next().now_or_never() } else { None };
        }
        Ok(batch)
    }

    fn checked(&mut self, next: Option<Result<Message, pull::MessagesError>>) -> Result<Message, String> {
        let message = match next {
            None => return Err("it has ended".into()),
            Some(Err(error)) => return Err(error.to_string()),
            Some(Ok(message)) => message,
        };
        let number = message.info().map_err(|error| error.to_string())?.consumer_sequence;
        if number != self.delivered + 1 {
            return Err(format!("delivery {} is lost", self.delivered + 1));
        }
        self.delivered = number;
        Ok(message)
    }
}

async fn delete_older(stream: &Stream<()>, name: ConsumerName) -> Result<(), FleetError> {
    let listing = |error: &dyn std::fmt::Display| FleetError::server("list the consumers", error);
    let names: Vec<String> =
        stream.consumer_names().take(MAX_CONSUMERS).try_collect().await.map_err(|error| listing(&error))?;
    for other in names.iter().filter_map(|name| ConsumerName::parse(name)) {
        if other.partition != name.partition {
            continue;
        }
        if other.epoch > name.epoch {
            return Err(FleetError::NewerConsumer { consumer: other.to_string(), epoch: name.epoch });
        }
        match stream.delete_consumer(&other.to_string()).await {
            Ok(_) => {}
            Err(error) if is_gone(&error.kind()) => {}
            Err(error) => return Err(FleetError::server(format!("delete the consumer {other}"), error)),
        }
    }
    Ok(())
}

fn is_gone(kind: &ConsumerErrorKind) -> bool {
    matches!(kind, ConsumerErrorKind::JetStream(error) if error.error_code() == ErrorCode::CONSUMER_NOT_FOUND)
}

/// Tells the servers about a message that was given out.
pub(super) async fn acknowledge(client: &async_nats::Client, reply: &async_nats::Subject, kind: AckKind) {
    // Without the connection it is given out again, and is there already.
    if let Err(error) = client.publish(reply.clone(), kind.into()).await {
        tracing::debug!(error = ?error.to_string(), "a message was not acknowledged");
    }
}

#[cfg(test)]
mod tests {
    use super::ConsumerName;

    #[test]
    fn a_consumers_name_is_read_as_it_was_written() {
        let name = ConsumerName { partition: 3, epoch: 17, generation: 2 };
        assert_eq!(name.to_string(), "partition-3-e17-g2");
        assert_eq!(ConsumerName::parse("partition-3-e17-g2"), Some(name));
        for other in
            ["partition-3", "partition-3-e17", "partition-x-e1-g1", "p-3-e17-g2", "partition-3-e17-g2-"]
        {
            assert_eq!(ConsumerName::parse(other), None, "{other}");
        }
    }
}
