//! A fleet as its servers show it to one of its writers: who writes which partition, what waits, what needs somebody.

use askama::Template;
use texts::{SiteTrouble, Texts};

use crate::frame::Frame;

/// Whether messages flow through a partition, as its writer's watchdog has found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flow {
    /// Nothing has come through yet.
    #[default]
    Unknown,
    /// What is published comes through.
    Flows,
    /// The stream does not store what is published.
    RefusesWrites,
    /// What is stored does not come.
    DoesNotDeliver,
    /// The lease cannot be renewed.
    LeaseRefusesWrites,
}

impl Flow {
    /// Every one.
    pub const ALL: [Self; 5] =
        [Self::Unknown, Self::Flows, Self::RefusesWrites, Self::DoesNotDeliver, Self::LeaseRefusesWrites];

    /// Its name for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Flows => "flows",
            Self::RefusesWrites => "stream-refuses-writes",
            Self::DoesNotDeliver => "stream-does-not-deliver",
            Self::LeaseRefusesWrites => "lease-refuses-writes",
        }
    }

    fn said(self, t: Texts) -> String {
        match self {
            Self::Unknown => t.flow_unknown(),
            Self::Flows => t.flow_flows(),
            Self::RefusesWrites => t.flow_refuses(),
            Self::DoesNotDeliver => t.flow_does_not_deliver(),
            Self::LeaseRefusesWrites => t.flow_lease(),
        }
    }

    const fn colour(self) -> &'static str {
        match self {
            Self::Unknown => "open",
            Self::Flows => "good",
            Self::RefusesWrites | Self::DoesNotDeliver | Self::LeaseRefusesWrites => "bad",
        }
    }
}

/// A fleet as its servers show it to one of its writers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct House {
    /// The name of the site.
    pub site: String,
    /// The partition that this writer writes, from 1.
    pub own: u32,
    /// Whether messages flow through it.
    pub flow: Flow,
    /// Every partition, by number.
    pub partitions: Vec<HousePartition>,
    /// The streams of the site.
    pub streams: Vec<HouseStream>,
    /// What needs an operator.
    pub trouble: Vec<SiteTrouble>,
}

/// A partition of a fleet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HousePartition {
    /// Its number, from 1.
    pub number: u32,
    /// Whether its lease could be read.
    pub is_known: bool,
    /// Who holds its lease, and what that says; none where nobody ever held it, or it is not known.
    pub lease: Option<HouseLease>,
    /// Messages that wait: not given out yet, and given out but not settled.
    pub waiting: Option<(u64, u64)>,
}

/// Who writes a partition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HouseLease {
    /// What the writer is called.
    pub holder: String,
    /// Whether it gave the partition up: nobody writes it.
    pub released: bool,
    /// How often the partition was taken over.
    pub term: u64,
    /// The log that was committed to last.
    pub log: String,
    /// How many of its entries are committed.
    pub sealed: u64,
    /// For how many seconds its lease has not changed.
    pub silent_seconds: u64,
}

/// A stream of a fleet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HouseStream {
    /// Its name.
    pub name: String,
    /// The server that leads it, where it is replicated.
    pub leader: Option<String>,
    /// Messages in it.
    pub messages: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// The other servers that keep it, and how many operations each is behind; none where it does not answer.
    pub servers: Vec<(String, Option<u64>)>,
}

#[derive(Template)]
#[template(path = "house.html")]
pub(crate) struct HousePage {
    pub(crate) frame: Frame,
    /// What is shown; none before the servers have answered once.
    pub(crate) shown: Option<Shown>,
}

pub(crate) struct Shown {
    seen: String,
    flow: (String, &'static str),
    trouble: Vec<String>,
    partitions: Vec<PartitionLine>,
    streams: Vec<StreamLine>,
}

struct PartitionLine {
    number: u32,
    is_own: bool,
    holder: String,
    term: String,
    log: String,
    sealed: String,
    waiting: String,
    given: String,
    silence: String,
}

struct StreamLine {
    name: String,
    leader: String,
    messages: String,
    bytes: String,
    servers: Vec<String>,
}

impl Shown {
    pub(crate) fn of(house: &House, seconds: u64, t: Texts) -> Self {
        let as_it_is = |text: &str| text.to_owned();
        Self {
            seen: t.house_seen(t.grouped(seconds)),
            flow: (house.flow.said(t), house.flow.colour()),
            trouble: house.trouble.iter().map(|what| t.site_trouble(what, as_it_is)).collect(),
            partitions: house.partitions.iter().map(|one| PartitionLine::of(one, house.own, t)).collect(),
            streams: house.streams.iter().map(|one| StreamLine::of(one, t)).collect(),
        }
    }
}

impl PartitionLine {
    fn of(partition: &HousePartition, own: u32, t: Texts) -> Self {
        let dash = || "-".to_owned();
        let lease = partition.lease.as_ref();
        let count = |number: Option<u64>| number.map_or_else(dash, |number| t.grouped(number));
        Self {
            number: partition.number,
            is_own: partition.number == own,
            holder: match lease {
                Some(lease) => t.holder(&lease.holder, lease.released),
                None if partition.is_known => t.fleet_nobody(),
                None => t.fleet_not_known(),
            },
            term: count(lease.map(|lease| lease.term)),
            log: lease.map_or_else(dash, |lease| lease.log.clone()),
            sealed: count(lease.map(|lease| lease.sealed)),
            waiting: count(partition.waiting.map(|(waiting, _)| waiting)),
            given: count(partition.waiting.map(|(_, given)| given)),
            silence: count(lease.map(|lease| lease.silent_seconds)),
        }
    }
}

impl StreamLine {
    fn of(stream: &HouseStream, t: Texts) -> Self {
        let server = |(name, behind): &(String, Option<u64>)| match behind {
            None => t.fleet_server_gone(name),
            Some(0) => t.fleet_server_current(name),
            Some(behind) => t.fleet_server_behind(name, t.grouped(*behind)),
        };
        Self {
            name: stream.name.clone(),
            leader: stream.leader.clone().unwrap_or_else(|| "-".to_owned()),
            messages: t.grouped(stream.messages),
            bytes: t.grouped(stream.bytes),
            servers: stream.servers.iter().map(server).collect(),
        }
    }
}
