//! How much goes through three replicated servers into a recorder that does nothing. A measurement and no test of a
//! bound: `cargo test --release -p fleet --test all throughput:: -- --ignored --nocapture`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it prints what it measures")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fleet::{
    Candidate, Committed, Intake, Lease, NotRecorded, Plan, Producer, ProducerSettings, Recorded, Recorder,
    Stop, Terms, Watchdog, WatchdogSettings,
};
use tokio::task::JoinSet;

use crate::servers::Servers;

const PARTITIONS: u32 = 4;
const TABLES: u64 = 64;

/// Counts messages.
#[derive(Default)]
struct Nothing(AtomicU64);

impl Recorder for Nothing {
    async fn record(&self, _: &str, _: Option<&str>, message: &[u8]) -> Result<Recorded, NotRecorded> {
        assert!(!message.is_empty());
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Recorded { recorded: 1, ..Recorded::default() })
    }

    async fn checkpoint(&self) -> Result<Committed, String> {
        let size = self.0.load(Ordering::Relaxed);
        Ok(Committed {
            origin: "nothing".into(),
            size,
            checkpoint: "a checkpoint of some length\n".repeat(20),
            ..Committed::default()
        })
    }
}

/// So many events of some 150 bytes (JSON) or some 90 (the same in CBOR).
fn message(events: usize, event_bytes: usize) -> Vec<u8> {
    vec![b'7'; events * event_bytes]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement that needs nats-server"]
async fn messages_and_events_a_second() {
    for sync_interval in ["2m", "always"] {
        println!("servers that flush: {sync_interval}");
        measure(Servers::start_flushing(3, "", sync_interval)).await;
    }
}

async fn measure(servers: Servers) {
    let plan = Plan { partitions: PARTITIONS, replicas: 3, max_bytes: 1 << 30, ..Plan::default() };
    let fleet = servers.site(&plan).await;
    let recorder = Arc::new(Nothing::default());
    let stop = Stop::default();
    let mut running = JoinSet::new();
    for partition in 0..PARTITIONS {
        let (fleet, recorder, stop) = (servers.again().await, Arc::clone(&recorder), stop.clone());
        running.spawn(async move {
            let terms = Terms::new(Duration::from_secs(8)).unwrap();
            let lease =
                Lease::acquire(&fleet, partition, Candidate { name: "nothing".into(), terms }).await.unwrap();
            let watchdog = Watchdog::new(WatchdogSettings::default());
            Intake::new(&fleet, &lease, recorder, &watchdog).run(&stop).await.unwrap();
        });
    }
    let settings = ProducerSettings { max_bytes: 64 << 20, ..ProducerSettings::default() };
    let producer = Producer::start(&fleet, settings).await.unwrap();
    for (form, event_bytes) in [("NDJSON", 150), ("CBOR", 90)] {
        for (events, messages) in [(1, 10_000_u64), (100, 4_000), (1_000, 1_000)] {
            let start = Instant::now();
            let mut sent = Vec::new();
            for number in 0..messages {
                let table = (number % TABLES).to_string();
                sent.push(producer.send(&table, "text/plain", message(events, event_bytes)).await.unwrap());
            }
            for sent in sent {
                sent.receipt().await.unwrap();
            }
            let millis = start.elapsed().as_millis();
            let rate = |count: u128| count * 1_000 / millis.max(1);
            let messages = u128::from(messages);
            let all_events = messages * u128::try_from(events).unwrap();
            println!("{form}, {events} events: {} messages/s, {} events/s", rate(messages), rate(all_events));
            assert_eq!(producer.state().messages, 0);
        }
    }
    println!("resent {}", producer.state().resent);
    stop.request();
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
    }
}
