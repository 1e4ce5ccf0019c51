//! Takes a partition's messages into a log. The order never changes: record, checkpoint, **fence** (the lease says
//! what was committed), keep the receipts, acknowledge.
//!
//! - `source.rs`: the partition's consumer, and batches of what it gives.
//! - `batch.rs`: gives a batch to the recorder, tables side by side, and tries again what it could not take.
//! - `answers.rs`: the fence, and what follows it.
//! - `probing.rs`: carries out what the watchdog decides.

mod answers;
mod batch;
mod counts;
mod probing;
mod settled;
mod source;

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

use self::answers::Answers;
use self::batch::{Item, record};
use self::counts::Counters;
pub use self::counts::{Counting, Counts};
use self::probing::Probing;
use self::settled::Settled;
pub(crate) use self::source::ConsumerName;
use self::source::Source;
use crate::{Committed, Fleet, FleetError, Lease, Recorder, Stop, Watchdog};

/// Shortest and longest pause before something that failed is tried again.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];

/// Most messages of a batch, whatever is asked. Two batches fit into what may wait on a connection.
const MAX_BATCH_MESSAGES: usize = 1_024;

/// How much an intake does at once. Memory is bounded by some three batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntakeSettings {
    /// Most messages of a batch: those that one write of the lease stands for.
    pub batch_messages: usize,
    /// Most bytes of a batch. A batch may hold one message of any length.
    pub batch_bytes: usize,
    /// Most tables that are recorded side by side.
    pub tables_at_once: usize,
    /// How long the servers wait for an acknowledgement before they give out a message again.
    pub ack_wait: Duration,
}

impl Default for IntakeSettings {
    /// 256 messages or 8 MiB a batch, 64 tables side by side, a minute.
    fn default() -> Self {
        Self {
            batch_messages: 256,
            batch_bytes: 8 << 20,
            tables_at_once: 64,
            ack_wait: Duration::from_secs(60),
        }
    }
}

/// The intake of one partition.
#[derive(Debug)]
pub struct Intake<R> {
    fleet: Fleet,
    lease: Lease,
    recorder: Arc<R>,
    watchdog: Watchdog,
    settings: IntakeSettings,
    counters: Arc<Counters>,
}

/// Why a source gives nothing more.
enum Ended {
    Stopped,
    Broken(String),
}

impl<R: Recorder> Intake<R> {
    /// The intake of the partition that this lease is for.
    #[must_use]
    pub fn new(fleet: &Fleet, lease: &Lease, recorder: Arc<R>, watchdog: &Watchdog) -> Self {
        Self {
            fleet: fleet.clone(),
            lease: lease.clone(),
            recorder,
            watchdog: watchdog.clone(),
            settings: IntakeSettings::default(),
            counters: Arc::default(),
        }
    }

    /// Does so much at once: at least one message, byte and table, and a second to acknowledge.
    #[must_use]
    pub fn with(self, settings: IntakeSettings) -> Self {
        let settings = IntakeSettings {
            batch_messages: settings.batch_messages.clamp(1, MAX_BATCH_MESSAGES),
            batch_bytes: settings.batch_bytes.max(1),
            tables_at_once: settings.tables_at_once.max(1),
            ack_wait: settings.ack_wait.max(Duration::from_secs(1)),
        };
        Self { settings, ..self }
    }

    /// A handle on what was done so far.
    #[must_use]
    pub fn counting(&self) -> Counting {
        Counting(Arc::clone(&self.counters))
    }

    /// Takes messages in until it is asked to stop, or is fenced. A stop waits until what was begun is acknowledged.
    ///
    /// # Errors
    /// [`FleetError::Fenced`]: nothing that was not acknowledged before will be, and the log must not be written any
    /// more. Others: the site cannot be used.
    pub async fn run(&self, stop: &Stop) -> Result<(), FleetError> {
        let partition = self.lease.partition();
        tokio::select! {
            // Whatever is under way is dropped: nothing of it was acknowledged.
            () = self.lease.fenced() => Err(FleetError::Fenced { partition }),
            ended = self.take_in(stop) => ended,
        }
    }

    async fn take_in(&self, stop: &Stop) -> Result<(), FleetError> {
        let Some(before) = self.lease.record().map(|record| record.committed) else {
            return Err(FleetError::Fenced { partition: self.lease.partition() });
        };
        let Some(before) = self.believed(before, stop).await else { return Ok(()) };
        let settled = Settled::from(&before);
        self.lease.commit(settled.by([], [], self.checkpoint().await)).await?;
        let taking = Taking { before, settled };
        let probing = Probing::start(&self.fleet, &self.lease, &self.watchdog);
        let mut committing = Committing(None);
        let mut pauses = Pauses::default();
        for generation in 1_u64.. {
            probing.asks(true);
            let opened = Source::open(&self.fleet, &self.lease, self.settings, generation).await;
            let ended = match opened {
                Ok(mut source) => {
                    self.consume(&mut source, stop, &taking, &probing, &mut committing, &mut pauses).await?
                }
                Err(error @ FleetError::Server { .. }) => Ended::Broken(error.to_string()),
                Err(error) => return Err(error),
            };
            match ended {
                Ended::Stopped => break,
                Ended::Broken(why) => {
                    tracing::warn!(partition = self.lease.number(), why = ?why, "the consumer is made again");
                    committing.finished().await?;
                    tokio::select! {
                        () = tokio::time::sleep(pauses.next()) => {}
                        () = stop.requested() => break,
                    }
                }
            }
        }
        committing.finished().await
    }

    /// What the lease says is settled, as far as the stream agrees: whoever can write the lease could otherwise have every
    /// message passed over that is still to come. `None`: it is asked to stop.
    async fn believed(&self, before: Committed, stop: &Stop) -> Option<Committed> {
        let mut pauses = Pauses::default();
        let newest = loop {
            match self.fleet.info(&self.fleet.site().stream()).await {
                Ok(info) => break info.state.last_sequence,
                Err(why) => {
                    tracing::warn!(partition = self.lease.number(), %why, "the stream does not say how far it is");
                    tokio::select! {
                        () = tokio::time::sleep(pauses.next()) => {}
                        () = stop.requested() => return None,
                    }
                }
            }
        };
        if before.message <= newest {
            return Some(before);
        }
        self.counters.lease_disbelieved();
        tracing::warn!(
            partition = self.lease.number(),
            settled = before.message,
            newest,
            "the lease says that messages are settled which the stream never had: everything in the stream is recorded"
        );
        Some(Committed { message: 0, message_millis: 0, ..before })
    }

    async fn consume(
        &self,
        source: &mut Source,
        stop: &Stop,
        taking: &Taking,
        probing: &Probing,
        committing: &mut Committing,
        pauses: &mut Pauses,
    ) -> Result<Ended, FleetError> {
        loop {
            probing.asks(true);
            let given = tokio::select! {
                biased;
                () = stop.requested() => return Ok(Ended::Stopped),
                given = source.next() => given,
            };
            probing.asks(false);
            let messages = match given {
                Ok(messages) => messages,
                Err(why) => return Ok(Ended::Broken(why)),
            };
            *pauses = Pauses::default();
            let answers =
                Answers::new(&self.fleet, &self.lease, Arc::clone(&self.counters), taking.settled.clone());
            let items = self.items(messages, probing).await;
            let (settled, items): (Vec<Item>, Vec<Item>) =
                items.into_iter().partition(|item| taking.before.settles(item.place, item.stored_millis));
            if !settled.is_empty() {
                answers.give_before(settled, &taking.before).await;
            }
            if items.is_empty() {
                continue;
            }
            let judged = record(&*self.recorder, &self.lease, items, self.settings, &self.counters).await?;
            let committed = self.checkpoint().await;
            // One write of the lease at a time; meanwhile the next batch was recorded.
            committing.finished().await?;
            committing.0 = Some(tokio::spawn(answers.give(committed, judged)));
        }
    }

    /// What has to be recorded. Probes are answered for here.
    async fn items(&self, messages: Vec<async_nats::jetstream::Message>, probing: &Probing) -> Vec<Item> {
        let mut items = Vec::with_capacity(messages.len());
        for message in messages {
            match Item::of(message) {
                Ok(item) => {
                    probing.delivered(None);
                    items.push(item);
                }
                Err(probe) => {
                    probing.delivered(probe.id);
                    probe.acknowledge(&self.fleet).await;
                }
            }
        }
        items
    }

    /// The newest checkpoint, once there is one. The lease goes on being renewed meanwhile.
    async fn checkpoint(&self) -> Committed {
        let mut pauses = Pauses::default();
        loop {
            match self.recorder.checkpoint().await {
                Ok(committed) => return committed,
                Err(why) => {
                    self.counters.unavailable();
                    tracing::warn!(partition = self.lease.number(), why = ?why, "there is no checkpoint");
                    tokio::time::sleep(pauses.next()).await;
                }
            }
        }
    }
}

/// What was committed when an intake began, and what is settled since.
struct Taking {
    before: Committed,
    settled: Settled,
}

/// The commit of the batch before. It is given up with the intake.
struct Committing(Option<JoinHandle<Result<(), FleetError>>>);

impl Committing {
    async fn finished(&mut self) -> Result<(), FleetError> {
        match &mut self.0 {
            None => Ok(()),
            Some(task) => {
                let ended = task.await;
                self.0 = None;
                ended.map_err(|error| FleetError::server("finish a commit", error))?
            }
        }
    }
}

impl Drop for Committing {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}

/// Pauses between attempts, each twice as long as the one before.
#[derive(Debug, Default)]
pub(crate) struct Pauses(u32);

impl Pauses {
    pub(crate) fn next(&mut self) -> Duration {
        let [shortest, longest] = PAUSES;
        let pause = shortest.saturating_mul(1 << self.0.min(10)).min(longest);
        self.0 += 1;
        pause
    }
}
