//! A fleet on one server: what is set up, what becomes of messages, who may hold a partition.
#![allow(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fleet::{
    Candidate, Committed, Fleet, FleetError, Flow, Intake, IntakeSettings, Lease, Observer, Outcome, Plan,
    Producer, ProducerSettings, Receipt, Site, Stop, Terms, Watchdog, WatchdogSettings, partition_of, set_up,
};
use futures_util::StreamExt;

use crate::cut::Cut;
use crate::holding::{Holder, TTL, WITHIN, candidate, producer, receipt, recorded};
use crate::memory::{Memory, message};
use crate::servers::{Servers, connect, until};

fn plan() -> Plan {
    let (max_refused_bytes, max_receipt_bytes) = (4 << 20, 4 << 20);
    let plan = Plan { max_refused_bytes, max_receipt_bytes, ..Plan::default() };
    Plan { partitions: 2, replicas: 1, max_bytes: 64 << 20, ..plan }
}

fn one_partition() -> Plan {
    Plan { partitions: 1, ..plan() }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn what_is_set_up_is_found_and_never_altered() {
    let servers = Servers::start(1);
    let client = servers.connect().await;
    let site = Site::new("Casino 1").unwrap();
    let not_yet = Fleet::open(client.clone(), site.clone()).await.unwrap_err();
    assert!(matches!(not_yet, FleetError::NotSetUp { .. }), "{not_yet}");
    let made = set_up(&client, &site, &plan()).await.unwrap();
    assert!(made.iter().all(|stream| stream.made), "{made:?}");
    let found = set_up(&client, &site, &plan()).await.unwrap();
    assert!(found.iter().all(|stream| !stream.made), "{found:?}");
    assert_eq!(Fleet::open(client.clone(), site.clone()).await.unwrap().partitions(), 2);

    let other = Plan { partitions: 3, max_bytes: 32 << 20, ..plan() };
    let error = set_up(&client, &site, &other).await.unwrap_err();
    let FleetError::Differs { stream, differences } = &error else { panic!("{error}") };
    let fields: Vec<&str> = differences.iter().map(|one| one.field).collect();
    assert_eq!(
        (stream.as_str(), fields.as_slice()),
        ("baccarat_Casino_201", &["partitions", "max_bytes"][..])
    );
    assert!(set_up(&client, &site, &plan()).await.is_ok(), "nothing was altered");
    let error =
        set_up(&client, &Site::new("other").unwrap(), &Plan { replicas: 3, ..plan() }).await.unwrap_err();
    assert!(matches!(error, FleetError::Server { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn the_server_assigns_the_partitions_that_this_program_expects() {
    let servers = Servers::start(1);
    let fleet = servers.site(&Plan { partitions: 13, ..plan() }).await;
    let context = async_nats::jetstream::new(servers.connect().await);
    let stream = context.get_stream(fleet.site().stream()).await.unwrap();
    for table in ["7", "Mesa.Ñ 7", "", "*", "a>b", "salón/3", "%", "long ".repeat(40).as_str()] {
        let subject = fleet.site().table_subject(table).unwrap();
        let token = subject.rsplit('.').next().unwrap().to_owned();
        let sequence = context.publish(subject, "1\n".into()).await.unwrap().await.unwrap().sequence;
        let stored = stream.get_raw_message(sequence).await.unwrap().subject;
        assert_eq!(stored.as_str(), format!("partition.Casino%201.{}.{token}", partition_of(table, 13)));
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn messages_are_recorded_once_and_answered_with_receipts() {
    let servers = Servers::start(1);
    let fleet = servers.site(&plan()).await;
    let holders =
        [Holder::start(&fleet, 0, "log-0", None).await, Holder::start(&fleet, 1, "log-1", None).await];
    let producer = producer(&servers.again().await).await;
    for table in ["1", "2", "Mesa Ñ.3"] {
        let origin = format!("log-{}", partition_of(table, 2));
        let first = receipt(&producer, table, message(1..=5)).await;
        assert_eq!((first.table.as_str(), recorded(&first)), (table, (origin.as_str(), 1, 5, 5, 0)));
        let again = receipt(&producer, table, message(4..=7)).await;
        assert_eq!(recorded(&again), (origin.as_str(), 4, 7, 2, 2));
    }
    assert_eq!(producer.state().messages, 0);
    let overview = Observer::of(&fleet).look().await.unwrap();
    let total: u64 = overview.partitions.iter().map(|one| one.lease.as_ref().unwrap().size).sum();
    assert_eq!(total, 21);
    for partition in &overview.partitions {
        let consumer = partition.consumer.as_ref().unwrap();
        let lease = partition.lease.as_ref().unwrap();
        assert_eq!((lease.epoch, lease.holder.clone()), (1, format!("log-{}", partition.partition)));
        assert_eq!(consumer.pending, 0);
    }
    until(WITHIN, async || {
        let flows = holders.iter().all(|holder| holder.watchdog.state().flow == Flow::Flows);
        flows.then_some(())
    })
    .await;
    // Probes go on coming back.
    let newest = holders[0].watchdog.state().newest.unwrap();
    until(WITHIN, async || (holders[0].watchdog.state().newest.unwrap() > newest).then_some(())).await;
    for holder in holders {
        let history = holder.memory.history();
        assert_eq!(history.iter().collect::<BTreeSet<_>>().len(), history.len());
        holder.stop().await.unwrap();
    }
    // A holder that stops may leave the newest probe of its partition.
    let left = Observer::of(&fleet).look().await.unwrap().streams[0].messages;
    assert!(left <= 2, "{left} were not acknowledged");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_message_that_no_log_takes_blocks_nothing_and_is_kept_with_the_reason() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let holder = Holder::start(&fleet, 0, "log", None).await;
    let producer = producer(&fleet).await;
    let refused = receipt(&producer, "7", b"nonsense\n".to_vec()).await;
    assert!(
        matches!(&refused.outcome, Outcome::Refused { reason } if reason.contains("nonsense")),
        "{refused:?}"
    );
    let client = servers.connect().await;
    client.publish("baccarat.Casino%201.%zz", "1\n".into()).await.unwrap();
    let taken = receipt(&producer, "7", message(1..=2)).await;
    assert_eq!(recorded(&taken), ("log", 1, 2, 2, 0));
    let stream = async_nats::jetstream::new(client).get_stream(fleet.site().refused_stream()).await.unwrap();
    until(WITHIN, async || (stream.get_info().await.unwrap().state.messages == 2).then_some(())).await;
    let kept = stream.get_last_raw_message_by_subject("refused.Casino%201.7").await.unwrap();
    assert_eq!(kept.payload.as_ref(), b"nonsense\n");
    assert!(kept.headers.get("audit-refused").unwrap().as_str().contains("nonsense"));
    assert_eq!(kept.headers.get("content-type").unwrap().as_str(), "text/plain");
    let kept = stream.get_last_raw_message_by_subject("refused.Casino%201.%zz").await.unwrap();
    assert!(kept.headers.get("audit-refused").unwrap().as_str().contains("%zz"));
    holder.stop().await.unwrap();
    assert_eq!(Observer::of(&fleet).look().await.unwrap().streams[0].messages, 0);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_recorder_that_takes_nothing_keeps_its_lease_and_acknowledges_nothing() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let holder = Holder::start(&fleet, 0, "log", None).await;
    let producer = producer(&fleet).await;
    receipt(&producer, "7", message(1..=1)).await;
    holder.memory.full.store(true, Ordering::SeqCst);
    let sent = producer.send("7", "text/plain", message(2..=4)).await.unwrap();
    let other = tokio::time::timeout(TTL * 3, Lease::acquire(&fleet, 0, candidate("other"))).await;
    assert!(other.is_err(), "the lease goes on being renewed");
    assert!(holder.memory.asked.load(Ordering::SeqCst) > 2, "it is tried again");
    let state = producer.state();
    assert_eq!((state.messages, state.stored, state.refusing), (1, 1, None), "slow is not refusing");
    holder.memory.full.store(false, Ordering::SeqCst);
    let taken = tokio::time::timeout(WITHIN, sent.receipt()).await.unwrap().unwrap();
    assert_eq!(recorded(&taken).0, "log");
    assert_eq!(holder.memory.history().len(), 4);
    holder.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_holder_that_was_paused_is_fenced_and_acknowledges_nothing() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    // The first holder has a thread of its own, with its connection, so that all of it is paused at once.
    let first = Arc::new(Memory::new("first"));
    let paused = std::thread::spawn({
        let (urls, memory) = (servers.urls(), Arc::clone(&first));
        move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let fleet = Fleet::open(connect(urls).await, Site::new("Casino 1").unwrap()).await.unwrap();
                let lease = Lease::acquire(&fleet, 0, candidate("first")).await.unwrap();
                Intake::new(&fleet, &lease, memory, &Watchdog::default()).run(&Stop::default()).await
            })
        }
    });
    let mut receipts = servers.connect().await.subscribe(fleet.site().receipt_subjects()).await.unwrap();
    let producer = producer(&servers.again().await).await;
    assert_eq!(recorded(&receipt(&producer, "7", message(1..=3)).await).0, "first");
    // It resumes long after it was taken over.
    first.pauses_thread.store(8_000, Ordering::SeqCst);
    let begun = Instant::now();
    let sent = producer.send("7", "text/plain", message(4..=6)).await.unwrap();
    until(WITHIN, async || (first.pauses_thread.load(Ordering::SeqCst) == 0).then_some(())).await;
    let second = Holder::start(&servers.again().await, 0, "second", Some(&first)).await;
    assert!(begun.elapsed() >= TTL && begun.elapsed() < TTL * 3, "{:?}", begun.elapsed());
    let taken = tokio::time::timeout(WITHIN, sent.receipt()).await.unwrap().unwrap();
    assert_eq!(
        recorded(&taken),
        ("second", 4, 6, 3, 0),
        "it comes at once, and not after the time to acknowledge"
    );
    let ended = tokio::task::spawn_blocking(|| paused.join().unwrap()).await.unwrap();
    assert!(matches!(ended, Err(FleetError::Fenced { partition: 0 })), "{ended:?}");
    assert!(begun.elapsed() >= Duration::from_secs(8));
    assert_eq!(
        first.history().len(),
        6,
        "it has recorded what was its own to record, and no receipt says so"
    );
    assert_eq!(recorded(&receipt(&producer, "7", message(7..=9)).await).0, "second");
    assert_eq!(
        second.memory.history(),
        (4..=9).map(|sequence| ("7".to_owned(), sequence)).collect::<Vec<_>>()
    );
    let mut origins = Vec::new();
    while let Ok(Some(message)) = tokio::time::timeout(Duration::from_millis(300), receipts.next()).await {
        origins.push(recorded(&Receipt::parse(&message.payload).unwrap()).0.to_owned());
    }
    assert_eq!(origins.first().unwrap(), "first");
    assert!(origins[1..].iter().all(|origin| origin == "second"), "{origins:?}");
    second.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_stream_that_refuses_writes_is_noticed_and_the_producer_keeps_everything() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let times = WatchdogSettings {
        interval: Duration::from_millis(200),
        bound: Duration::from_secs(1),
        step_down_after: Duration::from_secs(2),
        step_down_pause: Duration::from_secs(60),
    };
    let holder = Holder::start_with(&fleet, 0, candidate("log"), None, times).await;
    let producer = producer(&fleet).await;
    receipt(&producer, "7", message(1..=1)).await;
    let context = async_nats::jetstream::new(servers.connect().await);
    let stream = context.get_stream(fleet.site().stream()).await.unwrap();
    let whole = stream.cached_info().config.clone();
    let mut small = whole.clone();
    small.max_bytes = 1;
    context.update_stream(small).await.unwrap();
    let mut sent = Vec::new();
    for sequence in 2..=20 {
        sent.push(producer.send("7", "text/plain", message([sequence])).await.unwrap());
    }
    until(WITHIN, async || (holder.watchdog.state().flow == Flow::RefusesWrites).then_some(())).await;
    let found = holder.watchdog.state();
    assert!(found.why.unwrap().contains("maximum bytes"));
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(holder.watchdog.state().step_downs, 0, "another leader would refuse as well");
    let state = producer.state();
    assert_eq!((state.messages, state.stored), (19, 0));
    assert!(state.refusing.unwrap().why.contains("maximum bytes"));
    context.update_stream(whole).await.unwrap();
    for sent in sent {
        tokio::time::timeout(WITHIN, sent.receipt()).await.unwrap().unwrap();
    }
    assert_eq!(
        holder.memory.history(),
        (1..=20).map(|sequence| ("7".to_owned(), sequence)).collect::<Vec<_>>()
    );
    assert_eq!(producer.state().refusing, None);
    until(WITHIN, async || (holder.watchdog.state().flow == Flow::Flows).then_some(())).await;
    holder.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn nothing_is_acknowledged_before_the_lease_says_that_it_is_committed() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let times = WatchdogSettings {
        interval: Duration::from_millis(200),
        bound: Duration::from_secs(2),
        step_down_after: Duration::from_secs(3),
        step_down_pause: Duration::from_secs(60),
    };
    let slow = Candidate { name: "log".into(), terms: Terms::new(TTL * 4).unwrap() };
    let holder = Holder::start_with(&fleet, 0, slow, None, times).await;
    let producer = producer(&fleet).await;
    receipt(&producer, "7", message(1..=1)).await;
    let context = async_nats::jetstream::new(servers.connect().await);
    let bucket = context.get_stream(fleet.site().bucket_stream()).await.unwrap();
    let whole = bucket.cached_info().config.clone();
    let mut small = whole.clone();
    // Only a limit on each message holds for a key that has one revision.
    small.max_message_size = 1;
    context.update_stream(small).await.unwrap();
    // It is recorded while the last renewal counts, and cannot be committed.
    let sent = producer.send("7", "text/plain", message(2..=4)).await.unwrap();
    until(WITHIN, async || (holder.memory.history().len() == 4).then_some(())).await;
    until(WITHIN, async || (holder.watchdog.state().flow == Flow::LeaseRefusesWrites).then_some(())).await;
    until(WITHIN, async || (holder.watchdog.state().step_downs == 1).then_some(())).await;
    assert_eq!((producer.state().messages, producer.state().stored), (1, 1));
    let overview = Observer::of(&fleet).look().await.unwrap();
    assert!(overview.streams[0].messages >= 1, "it waits in the stream");
    assert_eq!(overview.partitions[0].lease.as_ref().unwrap().size, 1);
    context.update_stream(whole).await.unwrap();
    let taken = tokio::time::timeout(WITHIN, sent.receipt()).await.unwrap().unwrap();
    assert_eq!(recorded(&taken).0, "log");
    assert_eq!(holder.memory.history().len(), 4);
    holder.stop().await.unwrap();
    assert_eq!(Observer::of(&fleet).look().await.unwrap().streams[0].messages, 0);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_holder_that_died_is_replaced_and_its_commit_is_handed_over() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let first = Holder::start(&fleet, 0, "first", None).await;
    let producer = producer(&servers.again().await).await;
    receipt(&producer, "7", message(1..=3)).await;
    first.running.abort();
    let died = Instant::now();
    // A second one takes over, and dies before its first commit.
    let second = Lease::acquire(&servers.again().await, 0, candidate("second")).await.unwrap();
    assert!(died.elapsed() < TTL * 2, "{:?}", died.elapsed());
    let record = second.record().unwrap();
    assert_eq!((record.epoch, record.holder.as_str()), (2, "second"));
    let handed_over = Committed {
        origin: "first".into(),
        size: 3,
        checkpoint: "first\n3\n".into(),
        ..Committed::default()
    };
    assert!(record.committed.message > 0, "its message is settled");
    assert_eq!(Committed { message: 0, message_millis: 0, ..record.committed }, handed_over);
    drop(second);
    let third = Holder::start(&servers.again().await, 0, "third", Some(&first.memory)).await;
    let again = receipt(&producer, "7", message(2..=5)).await;
    assert_eq!(recorded(&again), ("third", 2, 5, 2, 2));
    let lease = Observer::of(&fleet).look().await.unwrap().partitions[0].lease.clone().unwrap();
    assert_eq!(
        (lease.epoch, lease.holder.as_str(), lease.origin.as_str(), lease.size),
        (3, "third", "third", 2)
    );
    third.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_receipt_that_came_while_its_producer_was_cut_off_is_read_later() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let cut = Cut::before(servers.port(0)).await;
    let behind = Fleet::open(connect(vec![cut.url()]).await, fleet.site().clone()).await.unwrap();
    let producer = producer(&behind).await;
    let sent = producer.send("7", "text/plain", message(1..=4)).await.unwrap();
    until(WITHIN, async || (producer.state().stored == 1).then_some(())).await;
    cut.cut();
    let first = Holder::start(&fleet, 0, "first", None).await;
    until(WITHIN, async || (first.memory.history().len() == 4).then_some(())).await;
    until(WITHIN, async || {
        (Observer::of(&fleet).look().await.unwrap().streams[0].messages == 0).then_some(())
    })
    .await;
    first.running.abort();
    // The log of the one that takes over knows nothing of these events.
    let second = Holder::start(&servers.again().await, 0, "second", None).await;
    cut.heal();
    let receipt = tokio::time::timeout(WITHIN, sent.receipt()).await.unwrap().unwrap();
    assert_eq!(recorded(&receipt), ("first", 1, 4, 4, 0));
    assert_eq!((producer.state().messages, producer.state().resent), (0, 0));
    assert!(second.memory.history().is_empty());
    second.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_message_that_waits_is_not_published_again_and_one_that_the_servers_lost_is() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let producer = producer(&fleet).await;
    let kept = producer.send("7", "text/plain", message(1..=2)).await.unwrap();
    let lost = producer.send("8", "text/plain", message(1..=3)).await.unwrap();
    until(WITHIN, async || (producer.state().stored == 2).then_some(())).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    let waiting = || async { Observer::of(&fleet).look().await.unwrap().streams[0].messages };
    assert_eq!((producer.state().resent, waiting().await), (0, 2));
    let stream = async_nats::jetstream::new(servers.connect().await);
    let stream = stream.get_stream(fleet.site().stream()).await.unwrap();
    assert!(stream.purge().filter("partition.*.*.8").await.unwrap().success);
    until(WITHIN, async || (producer.state().resent == 1).then_some(())).await;
    let holder = Holder::start(&fleet, 0, "log", None).await;
    for (sent, events) in [(kept, 2), (lost, 3)] {
        let receipt = tokio::time::timeout(WITHIN, sent.receipt()).await.unwrap().unwrap();
        assert_eq!(recorded(&receipt), ("log", 1, events, events, 0));
    }
    assert_eq!(producer.state().resent, 1);
    holder.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_receipt_of_another_table_is_none_whoever_copied_the_id() {
    let servers = Servers::start(1);
    let fleet = servers.site(&plan()).await;
    let of_partition = |partition| {
        (0..200_u32).map(|name| name.to_string()).filter(move |name| partition_of(name, 2) == partition)
    };
    let (victim, others) = (of_partition(0).next().unwrap(), of_partition(1).collect::<Vec<_>>());
    let producer = producer(&fleet).await;
    let kept = producer.send(&victim, "text/plain", message([1])).await.unwrap();
    until(WITHIN, async || (producer.state().stored == 1).then_some(())).await;
    // Of so many tables, a producer is given the receipts of the whole site.
    for table in &others[..20] {
        drop(producer.send(table, "text/plain", message([1])).await.unwrap());
    }
    let client = servers.connect().await;
    let context = async_nats::jetstream::new(client.clone());
    let stream = context.get_stream(fleet.site().stream()).await.unwrap();
    let headers = stream.get_raw_message(1).await.unwrap().headers;
    let thief = fleet.site().table_subject(&others[30]).unwrap();
    context.publish_with_headers(thief, headers, message([7]).into()).await.unwrap().await.unwrap();
    let holder = Holder::start(&fleet, 1, "log", None).await;
    until(WITHIN, async || (producer.state().messages == 1).then_some(())).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!((holder.memory.history().len(), producer.state().messages), (21, 1), "it is not sealed");
    let own = Holder::start(&servers.again().await, 0, "own", None).await;
    let receipt = tokio::time::timeout(WITHIN, kept.receipt()).await.unwrap().unwrap();
    assert_eq!((recorded(&receipt).0, receipt.table.as_str()), ("own", victim.as_str()));
    own.stop().await.unwrap();
    holder.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn what_comes_in_the_place_of_a_settled_message_is_recorded() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let first = Holder::start(&fleet, 0, "first", None).await;
    let mut before = producer(&fleet).await;
    for sequence in 1..=5 {
        receipt(&before, "7", message([sequence])).await;
    }
    first.running.abort();
    assert!(fleet.lease(0).await.unwrap().unwrap().committed.message >= 5);
    // The stream is lost, and made anew: its places begin again. The leases are there.
    let context = async_nats::jetstream::new(servers.connect().await);
    context.delete_stream(fleet.site().stream()).await.unwrap();
    set_up(&servers.connect().await, fleet.site(), &one_partition()).await.unwrap();
    before = producer(&servers.again().await).await;
    let second = Holder::start(&servers.again().await, 0, "second", None).await;
    assert_eq!(recorded(&receipt(&before, "7", message(6..=9)).await), ("second", 6, 9, 4, 0));
    second.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_lease_that_settles_what_is_still_to_come_is_not_believed() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let first = Holder::start(&fleet, 0, "first", None).await;
    let producer = producer(&servers.again().await).await;
    receipt(&producer, "7", message(1..=3)).await;
    first.running.abort();
    // Somebody writes into the lease that everything is settled, for ever.
    let mut forged = fleet.lease(0).await.unwrap().unwrap();
    (forged.committed.message, forged.committed.message_millis) = (u64::MAX, i64::MAX);
    let context = async_nats::jetstream::new(servers.connect().await);
    let bytes = forged.to_bytes().unwrap();
    let subject = format!("$KV.lease_{}.0", fleet.site().stream().trim_start_matches("baccarat_"));
    context.publish(subject, bytes.into()).await.unwrap().await.unwrap();
    let second = Holder::start(&servers.again().await, 0, "second", Some(&first.memory)).await;
    assert_eq!(recorded(&receipt(&producer, "7", message(4..=6)).await), ("second", 4, 6, 3, 0));
    assert_eq!(second.counting.counts().leases_disbelieved, 1);
    second.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_partition_that_was_given_up_is_taken_at_once() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let patient =
        |name: &str| Candidate { name: name.into(), terms: Terms::new(Duration::from_secs(60)).unwrap() };
    let first = Lease::acquire(&fleet, 0, patient("first")).await.unwrap();
    let waiting = tokio::spawn({
        let (fleet, candidate) = (servers.again().await, patient("second"));
        async move { Lease::acquire(&fleet, 0, candidate).await.unwrap() }
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(!waiting.is_finished());
    first.release().await;
    assert!(first.is_fenced() && !first.may_commit());
    let second =
        tokio::time::timeout(Duration::from_secs(30), waiting).await.expect("it need not wait").unwrap();
    let record = second.record().unwrap();
    assert_eq!((record.epoch, record.holder.as_str(), record.is_released()), (2, "second", false));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn what_is_being_recorded_is_not_given_out_again() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let lease = Lease::acquire(&fleet, 0, candidate("log")).await.unwrap();
    let memory = Arc::new(Memory::new("log"));
    memory.full.store(true, Ordering::SeqCst);
    let settings = IntakeSettings { ack_wait: Duration::from_secs(1), ..IntakeSettings::default() };
    let stop = Stop::default();
    let running = tokio::spawn({
        let (fleet, memory, stop) = (fleet.clone(), Arc::clone(&memory), stop.clone());
        async move { Intake::new(&fleet, &lease, memory, &Watchdog::default()).with(settings).run(&stop).await }
    });
    let producer = Producer::start(&fleet, ProducerSettings::default()).await.unwrap();
    let sent = producer.send("7", "text/plain", message(1..=3)).await.unwrap();
    until(WITHIN, async || (memory.asked.load(Ordering::SeqCst) > 0).then_some(())).await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    let consumer = Observer::of(&fleet).look().await.unwrap().partitions[0].consumer.clone().unwrap();
    assert_eq!(consumer.redelivered, 0);
    assert!(consumer.unacknowledged >= 1);
    memory.full.store(false, Ordering::SeqCst);
    let taken = tokio::time::timeout(WITHIN, sent.receipt()).await.unwrap().unwrap();
    assert_eq!(recorded(&taken), ("log", 1, 3, 3, 0));
    stop.request();
    running.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn intakes_do_little_at_once_if_asked() {
    let servers = Servers::start(1);
    let fleet = servers.site(&one_partition()).await;
    let producer = producer(&servers.again().await).await;
    let mut sent = Vec::new();
    for sequence in 1..=60 {
        for table in ["1", "2", "3"] {
            sent.push(producer.send(table, "text/plain", message([sequence])).await.unwrap());
        }
    }
    let lease = Lease::acquire(&fleet, 0, candidate("log")).await.unwrap();
    let memory = Arc::new(Memory::new("log"));
    let watchdog = Watchdog::default();
    let settings =
        IntakeSettings { batch_messages: 4, batch_bytes: 16, tables_at_once: 1, ..IntakeSettings::default() };
    let intake = Arc::new(Intake::new(&fleet, &lease, Arc::clone(&memory), &watchdog).with(settings));
    let stop = Stop::default();
    let running = tokio::spawn({
        let (intake, stop) = (Arc::clone(&intake), stop.clone());
        async move { intake.run(&stop).await }
    });
    for sent in sent {
        tokio::time::timeout(WITHIN, sent.receipt()).await.unwrap().unwrap();
    }
    stop.request();
    running.await.unwrap().unwrap();
    let counts = intake.counting().counts();
    assert_eq!((counts.events, counts.already_there, counts.refused), (180, 0, 0), "{counts:?}");
    assert!(counts.commits >= 45, "{counts:?}");
    for table in ["1", "2", "3"] {
        let of_table = memory.history().into_iter().filter(|event| event.0 == table).map(|event| event.1);
        assert!(of_table.eq(1..=60), "the order of a table is kept");
    }
}
