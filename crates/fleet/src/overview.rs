//! A site as its servers show it, for people: who writes which partition, what waits, and whether replicas keep up.
//! Looking changes nothing.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer;
use async_nats::jetstream::stream::ClusterInfo;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Serialize;

use crate::intake::ConsumerName;
use crate::lease::Looked;
use crate::{Committed, Fleet, FleetError, LeaseRecord};

/// Most leases that are asked for at once.
const AT_ONCE: usize = 16;
/// Most consumers that are shown.
const MAX_CONSUMERS: usize = 4096;

/// A site at one moment. The parts are not of the same instant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Overview {
    /// The name of the site.
    pub site: String,
    /// The name of the stream of refused messages, among the streams.
    pub refused_stream: String,
    /// Each partition, by number.
    pub partitions: Vec<PartitionOverview>,
    /// The streams: of messages, of refused messages, of receipts, of leases.
    pub streams: Vec<StreamOverview>,
}

/// A partition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartitionOverview {
    /// Its number, from 0.
    pub partition: u32,
    /// Its lease. None: nobody has ever held it.
    pub lease: Option<LeaseOverview>,
    /// Why the lease is not known.
    pub problem: Option<String>,
    /// Its newest consumer. None: there is no holder, and what waits is not counted.
    pub consumer: Option<ConsumerOverview>,
}

/// A lease.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeaseOverview {
    /// The revision of its record.
    pub revision: u64,
    /// How often the partition was taken over.
    pub epoch: u64,
    /// Who holds it, or held it last.
    pub holder: String,
    /// The holder has given it up: nobody holds it.
    pub released: bool,
    /// The log that was committed to last; after a takeover, the predecessor's until the first commit.
    pub origin: String,
    /// How many entries of it are committed.
    pub size: u64,
    /// The time to live that the holder goes by, in milliseconds.
    pub ttl_millis: u64,
    /// For how many milliseconds this observer has seen this revision. 0 at its first look.
    pub unchanged_millis: u64,
    /// When it was written, by the servers' clock, in milliseconds since 1970.
    pub written_millis: i64,
}

/// What waits in a partition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConsumerOverview {
    /// The epoch of the holder that made it.
    pub epoch: u64,
    /// Messages that were not given out yet.
    pub pending: u64,
    /// Messages that were given out and not acknowledged.
    pub unacknowledged: u64,
    /// Messages among them that were given out more than once.
    pub redelivered: u64,
    /// Requests for messages that wait. 0 while nobody takes any.
    pub waiting: u64,
}

/// A stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StreamOverview {
    /// Its name.
    pub name: String,
    /// Messages in it.
    pub messages: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// The server that leads it, if its servers are replicated.
    pub leader: Option<String>,
    /// The other servers that keep it.
    pub replicas: Vec<ReplicaOverview>,
}

/// A server that keeps a stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplicaOverview {
    /// Its name.
    pub name: String,
    /// It has everything that the leader has.
    pub current: bool,
    /// It does not answer.
    pub offline: bool,
    /// How many operations it is behind the leader.
    pub lag: u64,
    /// How many milliseconds ago the leader heard of it.
    pub heard_millis: u64,
}

/// Looks at a site, and remembers how long each lease has not changed.
#[derive(Debug)]
pub struct Observer {
    fleet: Fleet,
    seen: BTreeMap<u32, (u64, Instant)>,
}

impl Observer {
    /// An observer of this site.
    #[must_use]
    pub fn of(fleet: &Fleet) -> Self {
        Self { fleet: fleet.clone(), seen: BTreeMap::new() }
    }

    /// Looks.
    ///
    /// # Errors
    /// What the servers say. A lease that cannot be read is no error.
    pub async fn look(&mut self) -> Result<Overview, FleetError> {
        let mut streams = Vec::new();
        let site = self.fleet.site().clone();
        for name in [site.stream(), site.refused_stream(), site.receipt_stream(), site.bucket_stream()] {
            streams.push(self.stream(&name).await?);
        }
        let mut consumers = self.consumers().await?;
        let fleet = &self.fleet;
        let leases: Vec<(u32, Looked)> = stream::iter(0..fleet.partitions())
            .map(|partition| async move { Ok((partition, fleet.look_at(partition).await?)) })
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        let partitions = leases
            .into_iter()
            .map(|(partition, looked)| {
                let consumer = consumers.remove(&partition);
                let (lease, problem) = self.lease(partition, looked);
                PartitionOverview { partition, lease, problem, consumer }
            })
            .collect();
        Ok(Overview {
            site: site.name().to_owned(),
            refused_stream: site.refused_stream(),
            partitions,
            streams,
        })
    }

    async fn stream(&self, name: &str) -> Result<StreamOverview, FleetError> {
        let info = self.fleet.info(name).await?;
        let cluster = info.cluster.as_ref();
        Ok(StreamOverview {
            name: info.config.name,
            messages: info.state.messages,
            bytes: info.state.bytes,
            leader: cluster.and_then(|cluster| cluster.leader.clone()).filter(|leader| !leader.is_empty()),
            replicas: cluster.map(replicas).unwrap_or_default(),
        })
    }

    /// The newest consumer of each partition.
    async fn consumers(&self) -> Result<BTreeMap<u32, ConsumerOverview>, FleetError> {
        let stream = self.fleet.stream(&self.fleet.site().stream()).await?;
        let found: Vec<consumer::Info> = stream
            .consumers()
            .take(MAX_CONSUMERS)
            .try_collect()
            .await
            .map_err(|error| FleetError::server("list the consumers", error))?;
        let mut newest: BTreeMap<u32, ConsumerOverview> = BTreeMap::new();
        for info in found {
            let Some(name) = ConsumerName::parse(&info.name) else { continue };
            let is_older = newest.get(&name.partition).is_some_and(|other| other.epoch > name.epoch);
            if !is_older {
                newest.insert(name.partition, counted(name.epoch, &info));
            }
        }
        Ok(newest)
    }

    fn lease(&mut self, partition: u32, looked: Looked) -> (Option<LeaseOverview>, Option<String>) {
        match looked {
            Looked::Absent { .. } => (None, None),
            Looked::Unknown(why) => (None, Some(why)),
            Looked::Found { revision, record, written_millis } => {
                let now = Instant::now();
                let seen = self.seen.entry(partition).or_insert((revision, now));
                if seen.0 != revision {
                    *seen = (revision, now);
                }
                let unchanged_millis = millis(now.saturating_duration_since(seen.1));
                let released = record.is_released();
                let LeaseRecord { epoch, holder, committed, ttl_millis, .. } = record;
                let Committed { origin, size, .. } = committed;
                let lease = LeaseOverview {
                    revision,
                    epoch,
                    holder,
                    released,
                    origin,
                    size,
                    ttl_millis,
                    unchanged_millis,
                    written_millis,
                };
                (Some(lease), None)
            }
        }
    }
}

fn replicas(cluster: &ClusterInfo) -> Vec<ReplicaOverview> {
    let mut replicas: Vec<ReplicaOverview> = cluster
        .replicas
        .iter()
        .map(|peer| ReplicaOverview {
            name: peer.name.clone(),
            current: peer.current,
            offline: peer.offline,
            lag: peer.lag.unwrap_or(0),
            heard_millis: millis(peer.active),
        })
        .collect();
    replicas.sort_by(|one, other| one.name.cmp(&other.name));
    replicas
}

fn counted(epoch: u64, info: &consumer::Info) -> ConsumerOverview {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    ConsumerOverview {
        epoch,
        pending: info.num_pending,
        unacknowledged: count(info.num_ack_pending),
        redelivered: count(info.num_redelivered),
        waiting: count(info.num_waiting),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
