//! A fleet as people see it: who writes what, what waits, what needs somebody.

use std::collections::BTreeMap;

use fleet::{Overview, PartitionOverview, ReplicaOverview, StreamOverview};
use texts::SiteTrouble;

use super::format::{grouped, table};
use crate::errors::said_text;
use crate::language::texts;
use crate::shown::plain;

/// A server of which its leader has not heard for so long does not answer. They speak every second.
const UNHEARD_MILLIS: u64 = 5_000;

/// What two looks at a site show to be wrong. Sealed progress is what counts, not what the servers say of themselves.
pub(crate) fn trouble(before: &Overview, now: &Overview) -> Vec<SiteTrouble> {
    let partitions = before.partitions.iter().zip(&now.partitions);
    let partitions = partitions.filter_map(|(before, now)| of_partition(before, now));
    let is_behind = |replica: &&ReplicaOverview| is_gone(replica) || !replica.current;
    // Once for each server, with the first stream that it does not keep up with.
    let mut behind: BTreeMap<&str, &str> = BTreeMap::new();
    for stream in &now.streams {
        for replica in stream.replicas.iter().filter(is_behind) {
            behind.entry(&replica.name).or_insert(&stream.name);
        }
    }
    let servers = behind
        .into_iter()
        .map(|(server, stream)| SiteTrouble::ServerBehind(stream.to_owned(), server.to_owned()));
    let refused =
        now.streams.iter().filter(|stream| stream.name == now.refused_stream && stream.messages > 0);
    partitions.chain(servers).chain(refused.map(|stream| SiteTrouble::Refused(stream.messages))).collect()
}

/// Whether a server does not answer: the leader says so, or has not heard of it for long.
pub(crate) const fn is_gone(replica: &ReplicaOverview) -> bool {
    replica.offline || (!replica.current && replica.heard_millis > UNHEARD_MILLIS)
}

fn of_partition(before: &PartitionOverview, now: &PartitionOverview) -> Option<SiteTrouble> {
    let number = now.partition + 1;
    if let Some(why) = &now.problem {
        return Some(SiteTrouble::LeaseUnknown(number, why.clone()));
    }
    let Some(lease) = now.lease.as_ref().filter(|lease| !lease.released) else {
        return Some(SiteTrouble::NobodyWrites(number));
    };
    if lease.unchanged_millis > lease.ttl_millis / 2 {
        return Some(SiteTrouble::NotRenewed(number, lease.holder.clone()));
    }
    let waiting =
        |of: &PartitionOverview| of.consumer.as_ref().map_or(0, |of| of.pending + of.unacknowledged);
    let sealed = |of: &PartitionOverview| of.lease.as_ref().map(|lease| (lease.origin.clone(), lease.size));
    let waits = waiting(before).min(waiting(now));
    (waits > 0 && sealed(before) == sealed(now)).then_some(SiteTrouble::NothingSealed(number, waits))
}

/// The site as tables, and below them what needs somebody.
pub(crate) fn shown(overview: &Overview, trouble: &[SiteTrouble]) -> String {
    let t = texts();
    let headings = [
        t.fleet_partition(),
        t.fleet_holder(),
        t.fleet_term(),
        t.fleet_log(),
        t.fleet_sealed(),
        t.fleet_waiting(),
        t.fleet_given(),
    ];
    let partitions = table(headings, overview.partitions.iter().map(partition));
    let headings =
        [t.fleet_stream(), t.fleet_leader(), t.fleet_messages(), t.fleet_bytes(), t.fleet_servers()];
    let streams = table(headings, overview.streams.iter().map(stream));
    let mut text = format!(
        "{}\n\n{partitions}\n\n{streams}\n",
        t.fleet_ready(overview.partitions.len() as u64, &overview.site)
    );
    for what in trouble {
        let what = if let SiteTrouble::LeaseUnknown(partition, why) = what {
            SiteTrouble::LeaseUnknown(*partition, said_text(why))
        } else {
            what.clone()
        };
        text.push_str(&format!("{}\n", t.attention(t.site_trouble(&what, plain))));
    }
    text
}

fn partition(of: &PartitionOverview) -> [String; 7] {
    let dash = || "-".to_owned();
    let lease = of.lease.as_ref();
    let waits = of.consumer.as_ref();
    [
        (of.partition + 1).to_string(),
        match lease {
            Some(lease) => texts().holder(&lease.holder, lease.released),
            None if of.problem.is_none() => texts().fleet_nobody(),
            None => texts().fleet_not_known(),
        },
        lease.map_or_else(dash, |lease| lease.epoch.to_string()),
        lease.map_or_else(dash, |lease| plain(&lease.origin)),
        lease.map_or_else(dash, |lease| grouped(lease.size)),
        waits.map_or_else(dash, |waits| grouped(waits.pending)),
        waits.map_or_else(dash, |waits| grouped(waits.unacknowledged)),
    ]
}

fn stream(of: &StreamOverview) -> [String; 5] {
    let t = texts();
    let replica = |of: &ReplicaOverview| match of {
        replica if is_gone(replica) => t.fleet_server_gone(&replica.name),
        ReplicaOverview { current: true, name, .. } => t.fleet_server_current(name),
        ReplicaOverview { name, lag, .. } => t.fleet_server_behind(name, grouped(*lag)),
    };
    let replicas: Vec<String> = of.replicas.iter().map(replica).collect();
    let leader = of.leader.as_ref().map_or_else(|| "-".to_owned(), |leader| plain(leader));
    [of.name.clone(), leader, grouped(of.messages), grouped(of.bytes), replicas.join(", ")]
}

#[cfg(test)]
mod tests {
    use fleet::{ConsumerOverview, LeaseOverview};

    use super::*;

    fn lease(size: u64, unchanged_millis: u64) -> LeaseOverview {
        let (holder, origin) = ("pit-2".to_owned(), "casino.example/p1-e1".to_owned());
        LeaseOverview {
            revision: 7,
            epoch: 1,
            holder,
            released: false,
            origin,
            size,
            ttl_millis: 8_000,
            unchanged_millis,
            written_millis: 0,
        }
    }

    fn site(lease: Option<LeaseOverview>, pending: u64, current: bool) -> Overview {
        let consumer = ConsumerOverview { epoch: 1, pending, unacknowledged: 0, redelivered: 0, waiting: 0 };
        let replica =
            ReplicaOverview { name: "nats-2".to_owned(), current, offline: false, lag: 3, heard_millis: 1 };
        Overview {
            site: "madrid".to_owned(),
            refused_stream: "refused_madrid".to_owned(),
            partitions: vec![PartitionOverview {
                partition: 0,
                lease,
                problem: None,
                consumer: Some(consumer),
            }],
            streams: vec![StreamOverview {
                name: "baccarat_madrid".to_owned(),
                messages: pending,
                bytes: 0,
                leader: None,
                replicas: vec![replica],
            }],
        }
    }

    #[test]
    fn what_is_not_sealed_not_renewed_or_not_copied_needs_somebody() {
        let codes = |before: &Overview, now: &Overview| -> Vec<&str> {
            trouble(before, now).iter().map(SiteTrouble::code).collect()
        };
        let good = site(Some(lease(40, 100)), 0, true);
        assert_eq!(codes(&good, &good), [""; 0]);
        let waits = site(Some(lease(40, 100)), 9, true);
        assert_eq!(codes(&waits, &waits), ["nothing-sealed"]);
        assert_eq!(codes(&waits, &site(Some(lease(41, 100)), 9, true)), [""; 0], "something was sealed");
        assert_eq!(codes(&good, &waits), [""; 0], "it has just come");
        assert_eq!(codes(&good, &site(Some(lease(40, 4_001)), 0, true)), ["lease-not-renewed"]);
        assert_eq!(codes(&good, &site(None, 0, true)), ["nobody-writes"]);
        let stopped = LeaseOverview { released: true, ..lease(40, 100) };
        assert_eq!(codes(&good, &site(Some(stopped), 0, true)), ["nobody-writes"]);
        assert_eq!(codes(&good, &site(Some(lease(40, 100)), 0, false)), ["server-behind"]);
        let mut unknown = site(None, 0, true);
        unknown.partitions[0].problem = Some("no answer in time".to_owned());
        assert_eq!(codes(&good, &unknown), ["lease-unknown"]);
    }
}
