//! Holders and producers at work, as the tests need them.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use fleet::{
    Candidate, Counting, Fleet, FleetError, Intake, Lease, Outcome, Producer, ProducerSettings, Receipt,
    Stop, Terms, Watchdog, WatchdogSettings,
};
use tokio::task::JoinHandle;

use crate::memory::Memory;

/// The time to live of leases, where a test does not say another one.
pub const TTL: Duration = Duration::from_secs(2);
/// How long anything may take.
pub const WITHIN: Duration = Duration::from_secs(40);

pub fn candidate(name: &str) -> Candidate {
    Candidate { name: name.into(), terms: Terms::new(TTL).unwrap() }
}

/// A holder at work.
pub struct Holder {
    pub memory: Arc<Memory>,
    pub watchdog: Watchdog,
    pub stop: Stop,
    pub counting: Counting,
    pub running: JoinHandle<Result<(), FleetError>>,
}

impl Holder {
    /// Waits for the lease; then the log that goes on after the predecessor's takes messages in.
    pub async fn start(fleet: &Fleet, partition: u32, name: &str, predecessor: Option<&Memory>) -> Self {
        Self::start_with(fleet, partition, candidate(name), predecessor, WatchdogSettings::default()).await
    }

    pub async fn start_with(
        fleet: &Fleet,
        partition: u32,
        candidate: Candidate,
        predecessor: Option<&Memory>,
        times: WatchdogSettings,
    ) -> Self {
        let name = candidate.name.clone();
        let lease = Lease::acquire(fleet, partition, candidate).await.unwrap();
        let committed = lease.record().unwrap().committed;
        let memory = Arc::new(match predecessor {
            Some(predecessor) => Memory::after(&name, predecessor, &committed),
            None => Memory::new(&name),
        });
        let (watchdog, stop) = (Watchdog::new(times), Stop::default());
        let intake = Intake::new(fleet, &lease, Arc::clone(&memory), &watchdog);
        let counting = intake.counting();
        let running = tokio::spawn({
            let stop = stop.clone();
            async move { intake.run(&stop).await }
        });
        Self { memory, watchdog, stop, counting, running }
    }

    pub async fn stop(self) -> Result<(), FleetError> {
        self.stop.request();
        self.running.await.unwrap()
    }
}

pub async fn producer(fleet: &Fleet) -> Producer {
    let settings = ProducerSettings { look_after: Duration::from_secs(2), ..ProducerSettings::default() };
    Producer::start(fleet, settings).await.unwrap()
}

pub async fn receipt(producer: &Producer, table: &str, message: Vec<u8>) -> Receipt {
    let sent = producer.send(table, "text/plain", message).await.unwrap();
    tokio::time::timeout(WITHIN, sent.receipt()).await.expect("a receipt in time").unwrap()
}

pub fn recorded(receipt: &Receipt) -> (&str, u64, u64, u64, u64) {
    match &receipt.outcome {
        Outcome::Recorded { origin, recorded, .. } => (
            origin,
            recorded.first_sequence,
            recorded.last_sequence,
            recorded.recorded,
            recorded.already_there,
        ),
        Outcome::SealedBefore { origin, .. } => panic!("it was sealed in {origin} before"),
        Outcome::Refused { reason } => panic!("it was refused: {reason}"),
    }
}
