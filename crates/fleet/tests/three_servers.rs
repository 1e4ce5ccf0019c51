//! A fleet on three servers that replicate: servers die, holders die, connections are cut.
#![allow(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fleet::{
    Candidate, Committed, Fleet, FleetError, Flow, Lease, Observer, Plan, Producer, ProducerSettings, Site,
    Terms, WatchdogSettings,
};

use crate::cut::Cut;
use crate::holding::{Holder, WITHIN, candidate, producer, receipt, recorded};
use crate::memory::{Event, message};
use crate::servers::{Servers, connect, until};

const PARTITIONS: u32 = 3;
const TABLES: u64 = 12;

fn plan() -> Plan {
    let plan = Plan { max_refused_bytes: 4 << 20, max_receipt_bytes: 16 << 20, ..Plan::default() };
    Plan { partitions: PARTITIONS, replicas: 3, max_bytes: 64 << 20, ..plan }
}

fn quick() -> WatchdogSettings {
    WatchdogSettings {
        interval: Duration::from_millis(300),
        bound: Duration::from_secs(2),
        step_down_after: Duration::from_secs(4),
        step_down_pause: Duration::from_secs(6),
    }
}

fn default_terms(name: &str) -> Candidate {
    Candidate { name: name.into(), terms: Terms::new(Duration::from_secs(8)).unwrap() }
}

/// Every table publishes its sequences, some at a time, and every receipt is waited for.
async fn load(producer: &Producer, sequences: std::ops::Range<u64>, pause: Duration) {
    let mut sent = Vec::new();
    for sequence in sequences {
        for table in 0..TABLES {
            sent.push(producer.send(&table.to_string(), "text/plain", message([sequence])).await.unwrap());
        }
        tokio::time::sleep(pause).await;
    }
    for sent in sent {
        tokio::time::timeout(WITHIN, sent.receipt()).await.expect("a receipt in time").unwrap();
    }
}

/// Each event once, in what was handed over and the newest logs together, and each table in order.
fn once_and_in_order(history: &[Event], last: u64) {
    let mut tables: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (table, sequence) in history {
        tables.entry(table).or_default().push(*sequence);
    }
    assert_eq!(u64::try_from(tables.len()).unwrap(), TABLES);
    for (table, sequences) in tables {
        assert!(sequences.iter().copied().eq(1..last), "table {table}: {sequences:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_server_that_is_killed_under_load_loses_and_doubles_nothing() {
    let mut servers = Servers::start(3);
    let fleet = servers.site(&plan()).await;
    let mut holders = Vec::new();
    for partition in 0..PARTITIONS {
        let name = format!("log-{partition}");
        holders.push(
            Holder::start_with(&servers.again().await, partition, default_terms(&name), None, quick()).await,
        );
    }
    let producer = Arc::new(producer(&servers.again().await).await);
    let loading = tokio::spawn({
        let producer = Arc::clone(&producer);
        async move { load(&producer, 1..101, Duration::from_millis(40)).await }
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let leader = Observer::of(&fleet).look().await.unwrap().streams[0].leader.clone().unwrap();
    let killed = servers.named(&leader);
    servers.kill(killed);
    loading.await.unwrap();
    let overview = until(WITHIN, async || Observer::of(&fleet).look().await.ok()).await;
    let replicas = &overview.streams[0].replicas;
    assert!(replicas.iter().any(|replica| replica.name == leader && (replica.offline || !replica.current)));
    servers.restart(killed);
    let history: Vec<Event> = holders.iter().flat_map(|holder| holder.memory.history()).collect();
    once_and_in_order(&history, 101);
    for (partition, holder) in overview.partitions.iter().zip(holders) {
        assert_eq!(partition.lease.as_ref().unwrap().epoch, 1, "no holder was replaced");
        holder.stop().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_holder_that_dies_under_load_is_replaced_within_fifteen_seconds() {
    let servers = Servers::start(3);
    let fleet = servers.site(&Plan { partitions: 1, ..plan() }).await;
    let first = Holder::start_with(&fleet, 0, default_terms("first"), None, quick()).await;
    let producer = Arc::new(producer(&servers.again().await).await);
    let loading = tokio::spawn({
        let producer = Arc::clone(&producer);
        async move { load(&producer, 1..61, Duration::from_millis(50)).await }
    });
    let taking_over = tokio::spawn({
        let (fleet, memory) = (servers.again().await, Arc::clone(&first.memory));
        async move { Holder::start_with(&fleet, 0, default_terms("second"), Some(&memory), quick()).await }
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    first.running.abort();
    let died = Instant::now();
    let second = taking_over.await.unwrap();
    assert!(died.elapsed() < Duration::from_secs(15), "{:?}", died.elapsed());
    loading.await.unwrap();
    // What counts of the first log is what its last commit covered.
    let of_second = second.memory.history();
    let handed_over = usize::try_from(TABLES * 60).unwrap() - of_second.len();
    assert!(handed_over > 0 && handed_over <= first.memory.history().len());
    let mut history = first.memory.history();
    history.truncate(handed_over);
    history.extend(of_second);
    once_and_in_order(&history, 61);
    second.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn servers_without_a_majority_refuse_writes_and_everything_comes_when_they_are_back() {
    let mut servers = Servers::start(3);
    let fleet = servers.site(&Plan { partitions: 1, ..plan() }).await;
    let holder = Holder::start_with(&fleet, 0, default_terms("log"), None, quick()).await;
    let producer = Arc::new(producer(&servers.again().await).await);
    for table in 0..TABLES {
        receipt(&producer, &table.to_string(), message([1])).await;
    }
    for index in [0, 1] {
        servers.kill(index);
    }
    let loading = tokio::spawn({
        let producer = Arc::clone(&producer);
        async move { load(&producer, 2..6, Duration::from_millis(10)).await }
    });
    until(WITHIN, async || {
        let found = holder.watchdog.state();
        let is_found = matches!(found.flow, Flow::RefusesWrites | Flow::LeaseRefusesWrites);
        (is_found && found.step_downs > 0 && producer.state().refusing.is_some()).then_some(())
    })
    .await;
    assert_eq!(producer.state().messages, usize::try_from(TABLES * 4).unwrap());
    assert_eq!(holder.memory.history().len(), usize::try_from(TABLES).unwrap());
    for index in [0, 1] {
        servers.restart(index);
    }
    loading.await.unwrap();
    once_and_in_order(&holder.memory.history(), 6);
    until(WITHIN, async || (holder.watchdog.state().flow == Flow::Flows).then_some(())).await;
    let lease = Observer::of(&fleet).look().await.unwrap().partitions[0].lease.clone().unwrap();
    assert_eq!(lease.epoch, 1, "nobody could take over, and nobody had to");
    holder.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_holder_that_is_cut_off_is_replaced_and_fenced() {
    let servers = Servers::start(1);
    servers.site(&Plan { partitions: 1, replicas: 1, ..plan() }).await;
    let site = Site::new("Casino 1").unwrap();
    let cut = Cut::before(servers.port(0)).await;
    let behind = || async { Fleet::open(connect(vec![cut.url()]).await, site.clone()).await.unwrap() };
    let first = Holder::start(&behind().await, 0, "first", None).await;
    let direct = producer(&servers.again().await).await;
    let settings = ProducerSettings { look_after: Duration::from_secs(2), ..ProducerSettings::default() };
    let behind_cut = Producer::start(&behind().await, settings).await.unwrap();
    assert_eq!(recorded(&receipt(&direct, "1", message(1..=2)).await).0, "first");
    assert_eq!(recorded(&receipt(&behind_cut, "2", message(1..=2)).await).0, "first");

    cut.cut();
    let mut kept = Vec::new();
    for sequence in 3..=8 {
        kept.push(behind_cut.send("2", "text/plain", message([sequence])).await.unwrap());
    }
    let second = Holder::start(&servers.again().await, 0, "second", Some(&first.memory)).await;
    assert_eq!(recorded(&receipt(&direct, "1", message(3..=4)).await).0, "second");
    until(WITHIN, async || behind_cut.state().refusing).await;
    assert_eq!(behind_cut.state().messages, 6);

    cut.heal();
    for sent in kept {
        let receipt = tokio::time::timeout(WITHIN, sent.receipt()).await.unwrap().unwrap();
        assert_eq!(recorded(&receipt).0, "second");
    }
    let ended = tokio::time::timeout(WITHIN, first.running).await.unwrap().unwrap();
    assert!(matches!(ended, Err(FleetError::Fenced { partition: 0 })), "{ended:?}");
    assert_eq!(first.memory.history().len(), 4);
    let of_second = |table: &str| {
        let of_table =
            second.memory.history().into_iter().filter(|event| event.0 == table).map(|event| event.1);
        of_table.collect::<Vec<_>>()
    };
    assert_eq!(of_second("1"), [3, 4]);
    assert_eq!(of_second("2"), [3, 4, 5, 6, 7, 8]);
    second.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn candidates_that_hurry_never_hold_together() {
    let servers = Servers::start(3);
    let fleet = servers.site(&Plan { partitions: 1, ..plan() }).await;
    let mut running = Vec::new();
    for name in ["a", "b", "c", "d"] {
        let fleet = servers.again().await;
        running.push(tokio::spawn(async move { Lease::acquire(&fleet, 0, candidate(name)).await.unwrap() }));
    }
    for epoch in 1..=4_u64 {
        let (lease, _, others) = futures_util::future::select_all(running).await;
        let lease = lease.unwrap();
        let record = lease.record().unwrap();
        assert_eq!(record.epoch, epoch);
        assert!(others.iter().all(|other| !other.is_finished()), "one at a time");
        // It has the commit of the one before, and dies with one of its own.
        assert_eq!(record.committed.size, (epoch - 1) * 10);
        let committed = Committed { origin: record.holder, size: epoch * 10, ..Committed::default() };
        lease.commit(committed).await.unwrap();
        running = others;
        if running.is_empty() {
            break;
        }
    }
    assert_eq!(Observer::of(&fleet).look().await.unwrap().partitions[0].lease.as_ref().unwrap().epoch, 4);
}
