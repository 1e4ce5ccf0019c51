//! The fleet that the service writes a partition of, read off when somebody looks. Without one, nothing is said of
//! partitions and the counters are 0.

use std::sync::atomic::Ordering;

use desk::{Flow, House as Seen, HousePartition};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use texts::SiteTrouble;

use crate::live::house::{HouseBoard, IntakeCounts};

/// Which partition, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfPartition {
    partition: u32,
}

/// What the watchdog has found.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfFlow {
    flow: &'static str,
}

/// What needs an operator.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfTrouble {
    code: &'static str,
}

type Partitions = Family<OfPartition, Gauge>;

#[derive(Debug, Default)]
pub(super) struct House {
    messages: Counter,
    refused: Counter,
    sealed_before: Counter,
    unavailable: Counter,
    commits: Counter,
    receipts_lost: Counter,
    leases_disbelieved: Counter,
    step_downs: Counter,
    flow: Family<OfFlow, Gauge>,
    trouble: Family<OfTrouble, Gauge>,
    sealed: Partitions,
    waiting: Partitions,
    term: Partitions,
    silence: Partitions,
    age: Gauge,
}

impl House {
    pub(super) fn register(&self, registry: &mut Registry) {
        for (name, what, counter) in [
            ("fleet_messages", "Messages of the stream that were recorded and acknowledged", &self.messages),
            ("fleet_messages_refused", "Messages of the stream that the log does not take", &self.refused),
            (
                "fleet_messages_sealed_before",
                "Messages that an earlier writer had sealed",
                &self.sealed_before,
            ),
            (
                "fleet_recordings_failed",
                "Attempts to record messages that the log did not take then",
                &self.unavailable,
            ),
            ("fleet_commits", "Writes of the lease that messages were acknowledged after", &self.commits),
            ("fleet_receipts_lost", "Receipts that are not known to be kept", &self.receipts_lost),
            (
                "fleet_leases_disbelieved",
                "Takeovers where the lease said that messages were settled which the stream never had",
                &self.leases_disbelieved,
            ),
            ("fleet_step_downs", "Times a leader of a stream was asked to step down", &self.step_downs),
        ] {
            registry.register(name, what, counter.clone());
        }
        let what = "1 for what the watchdog of this writer's partition has found, else 0";
        registry.register("fleet_flow", what, self.flow.clone());
        let what = "What needs an operator in the whole fleet, by kind";
        registry.register("fleet_trouble", what, self.trouble.clone());
        for (name, what, family) in [
            ("fleet_partition_entries", "Entries committed to the log of a partition", &self.sealed),
            (
                "fleet_partition_messages_waiting",
                "Messages of a partition that are not settled",
                &self.waiting,
            ),
            ("fleet_partition_term", "How often a partition was taken over", &self.term),
        ] {
            registry.register(name, what, family.clone());
        }
        let what = "For how long the lease of a partition has not changed";
        registry.register_with_unit("fleet_partition_silence", what, Unit::Seconds, self.silence.clone());
        let what = "Time since the servers showed the fleet so";
        registry.register_with_unit("fleet_age", what, Unit::Seconds, self.age.clone());
    }

    pub(super) fn look(&self, board: &HouseBoard) {
        // Whoever feeds the service counts these; nobody else writes them.
        let tell = |counter: &Counter, count| counter.inner().store(count, Ordering::Relaxed);
        let IntakeCounts {
            messages,
            refused,
            sealed_before,
            unavailable,
            commits,
            receipts_lost,
            leases_disbelieved,
            step_downs,
        } = board.counts();
        tell(&self.messages, messages);
        tell(&self.refused, refused);
        tell(&self.sealed_before, sealed_before);
        tell(&self.unavailable, unavailable);
        tell(&self.commits, commits);
        tell(&self.receipts_lost, receipts_lost);
        tell(&self.leases_disbelieved, leases_disbelieved);
        tell(&self.step_downs, step_downs);
        let Some((seen, age)) = board.seen() else { return };
        self.age.set(signed(age));
        self.house(&seen);
    }

    fn house(&self, seen: &Seen) {
        for flow in Flow::ALL {
            let is_so = i64::from(flow == seen.flow);
            self.flow.get_or_create(&OfFlow { flow: flow.code() }).set(is_so);
        }
        for code in SiteTrouble::CODES {
            let count = seen.trouble.iter().filter(|what| what.code() == code).count();
            self.trouble.get_or_create(&OfTrouble { code }).set(i64::try_from(count).unwrap_or(i64::MAX));
        }
        for HousePartition { number, lease, waiting, .. } in &seen.partitions {
            let of = OfPartition { partition: *number };
            let set = |family: &Partitions, value: Option<u64>| match value {
                Some(value) => {
                    family.get_or_create(&of).set(signed(value));
                }
                // What is not known is not shown as what it was.
                None => {
                    family.remove(&of);
                }
            };
            set(&self.sealed, lease.as_ref().map(|lease| lease.sealed));
            set(&self.term, lease.as_ref().map(|lease| lease.term));
            set(&self.silence, lease.as_ref().map(|lease| lease.silent_seconds));
            set(&self.waiting, waiting.map(|(waiting, given)| waiting.saturating_add(given)));
        }
    }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
