//! The task behind a lease: it does what the decision says, with a clock and a bucket.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};
use tokio::task::AbortHandle;

use super::bucket::Bucket;
use super::decision::{LeaseMachine, Moment, Reading, Step, Writing};
use super::record::{Committed, LeaseRecord, MAX_RECORD_BYTES};
use super::terms::Terms;
use crate::fleet::context;
use crate::{Fleet, FleetError};

/// Longest name of a candidate, in bytes.
const MAX_HOLDER_BYTES: usize = 255;

/// Who wants to hold a partition, and on which terms.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its name, for people: the host, or what the operator calls it.
    pub name: String,
    /// Its terms. Candidates of a partition should have the same; the longer time counts.
    pub terms: Terms,
}

/// What the task publishes.
#[derive(Debug, Clone, Default)]
struct View {
    record: Option<LeaseRecord>,
    /// Until when a commit may begin.
    until: Option<Instant>,
    settled: u64,
    fenced: bool,
}

#[derive(Debug)]
struct Shared {
    partition: u32,
    terms: Terms,
    wanted: Mutex<Wanted>,
    changed: Notify,
    view: watch::Sender<View>,
    task: Mutex<Option<AbortHandle>>,
}

#[derive(Debug, Default)]
struct Wanted {
    tickets: u64,
    newest: Option<Committed>,
    release: bool,
}

/// A partition that this program holds, until it is fenced. Clones are the same lease; when the last one is dropped,
/// it is renewed no more, and another candidate takes over after a time to live.
#[derive(Debug, Clone)]
pub struct Lease {
    shared: Arc<Owner>,
}

#[derive(Debug)]
struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some(task) = self.0.task.lock().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
    }
}

impl Lease {
    /// Waits until this candidate holds the partition. That may take for ever, while another one does.
    ///
    /// The record of the lease says what the predecessor committed, until [`Lease::commit`].
    ///
    /// # Errors
    /// [`FleetError`] if the partition does not exist, or the bucket does not.
    pub async fn acquire(fleet: &Fleet, partition: u32, candidate: Candidate) -> Result<Self, FleetError> {
        fleet.check_partition(partition)?;
        if candidate.name.len() > MAX_HOLDER_BYTES {
            let bytes = candidate.name.len();
            return Err(FleetError::Name { what: "candidate", bytes, most: MAX_HOLDER_BYTES });
        }
        let terms = candidate.terms;
        let bucket =
            Bucket::open(context(fleet.client(), terms.reading()), fleet.site(), partition, terms.reading())
                .await?;
        let machine = LeaseMachine::new(terms, candidate.name, instance()?);
        let shared = Arc::new(Shared {
            partition,
            terms,
            wanted: Mutex::default(),
            changed: Notify::new(),
            view: watch::Sender::new(View::default()),
            task: Mutex::default(),
        });
        let task = tokio::spawn(drive(machine, bucket, Arc::clone(&shared)));
        *shared.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task.abort_handle());
        let lease = Self { shared: Arc::new(Owner(shared)) };
        lease.wait_for(|view| view.record.is_some()).await?;
        Ok(lease)
    }

    /// The partition.
    #[must_use]
    pub fn partition(&self) -> u32 {
        self.shared.0.partition
    }

    /// The same as people count: from 1.
    pub(crate) fn number(&self) -> u32 {
        self.partition() + 1
    }

    /// Its terms.
    #[must_use]
    pub fn terms(&self) -> Terms {
        self.shared.0.terms
    }

    /// The record as it was last written or read. `None` once the lease is lost.
    #[must_use]
    pub fn record(&self) -> Option<LeaseRecord> {
        self.shared.0.view.borrow().record.clone()
    }

    /// Whether another holder has taken over. That stays so.
    #[must_use]
    pub fn is_fenced(&self) -> bool {
        self.shared.0.view.borrow().fenced
    }

    /// Whether a commit may begin now.
    #[must_use]
    pub fn may_commit(&self) -> bool {
        self.shared.0.view.borrow().until.is_some_and(|until| Instant::now() < until)
    }

    /// Waits until a commit may begin.
    ///
    /// # Errors
    /// [`FleetError::Fenced`].
    pub async fn ready(&self) -> Result<(), FleetError> {
        self.wait_for(|view| view.until.is_some_and(|until| Instant::now() < until)).await
    }

    /// Writes into the lease what was committed, and waits until it is there. This is the fence: only what was
    /// committed before a success may be acknowledged. Later commits include earlier ones.
    ///
    /// # Errors
    /// [`FleetError::Fenced`]; nothing more must be acknowledged then.
    pub async fn commit(&self, committed: Committed) -> Result<(), FleetError> {
        if committed.checkpoint.len() + committed.origin.len() > MAX_RECORD_BYTES / 2 {
            let value = format!("{} bytes", committed.checkpoint.len());
            let range = format!("at most {} bytes with its origin", MAX_RECORD_BYTES / 2);
            return Err(FleetError::Setting { setting: "the checkpoint", value, range });
        }
        let ticket = {
            let mut wanted = self.shared.0.wanted.lock().unwrap_or_else(PoisonError::into_inner);
            wanted.tickets += 1;
            wanted.newest = Some(committed);
            wanted.tickets
        };
        self.shared.0.changed.notify_one();
        self.wait_for(|view| view.settled >= ticket).await
    }

    /// Gives the partition up, so that another candidate need not wait for a time to live. Nothing can be committed from
    /// now on. If the servers do not answer, it ends as if the program had.
    pub async fn release(&self) {
        self.shared.0.wanted.lock().unwrap_or_else(PoisonError::into_inner).release = true;
        self.shared.0.changed.notify_one();
        let _ = tokio::time::timeout(self.terms().commits(), self.fenced()).await;
    }

    /// Waits until the lease is lost.
    pub async fn fenced(&self) {
        // The only way out is to be fenced.
        let _ = self.wait_for(|_| false).await;
    }

    /// Looks at the view until it is as wanted: at every change, and as time goes by.
    fn wait_for(&self, wanted: impl Fn(&View) -> bool) -> impl Future<Output = Result<(), FleetError>> {
        let partition = self.partition();
        let mut view = self.shared.0.view.subscribe();
        async move {
            loop {
                let seen = view.borrow_and_update().clone();
                if seen.fenced {
                    return Err(FleetError::Fenced { partition });
                }
                if wanted(&seen) {
                    return Ok(());
                }
                if view.changed().await.is_err() {
                    return Err(FleetError::Fenced { partition });
                }
            }
        }
    }
}

/// Sixteen random bytes, so that no two runs are taken for one.
pub(crate) fn instance() -> Result<String, FleetError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| FleetError::Random(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// How long the servers have not said what is in the lease. It is logged once, and once when they do.
#[derive(Default)]
struct Silence {
    since: Option<Instant>,
    is_logged: bool,
}

impl Silence {
    fn heard(&mut self, is_known: bool, shared: &Shared) {
        let partition = shared.partition + 1;
        if is_known {
            if self.is_logged {
                tracing::info!(partition, "the servers say again what is in the lease");
            }
            *self = Self::default();
        } else if self.since.get_or_insert_with(Instant::now).elapsed() >= shared.terms.commits()
            && !self.is_logged
        {
            self.is_logged = true;
            tracing::warn!(
                partition,
                "the servers do not say what is in the lease; nothing is sealed meanwhile"
            );
        }
    }
}

/// What is strange in the record of another holder. It is logged once.
#[derive(Default)]
struct Doubts {
    logged: Option<(u64, u64)>,
}

impl Doubts {
    fn read(&mut self, reading: &Reading, shared: &Shared) {
        let Reading::Found { record: LeaseRecord { epoch, ttl_millis, .. }, .. } = reading else { return };
        if self.logged.replace((*epoch, *ttl_millis)) == Some((*epoch, *ttl_millis)) {
            return;
        }
        let (partition, ttl) = (shared.partition + 1, Duration::from_millis(*ttl_millis));
        if ttl > shared.terms.ttl() {
            let (states, waits) = (ttl.as_secs(), ttl.min(Terms::LONGEST).as_secs());
            tracing::warn!(
                partition,
                states,
                waits,
                "the lease states a longer time to live than this writer's; a takeover waits so many seconds"
            );
        }
        if *epoch == u64::MAX {
            tracing::error!(
                partition,
                "the epoch of the lease cannot grow; write a record by hand (docs/fleet.md, When something dies)"
            );
        }
    }
}

async fn drive(mut machine: LeaseMachine, bucket: Bucket, shared: Arc<Shared>) {
    let start = Instant::now();
    let mut handed_over = 0;
    let (mut silence, mut doubts) = (Silence::default(), Doubts::default());
    loop {
        let release = {
            let mut wanted = shared.wanted.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(committed) = wanted.newest.take() {
                // The machine counts one ticket for all that were asked for since.
                while handed_over < wanted.tickets {
                    handed_over = machine.commit(committed.clone());
                }
            }
            wanted.release
        };
        if release && let Some((expected, record)) = machine.release() {
            let released = bucket.write(expected, &record).await;
            tracing::info!(partition = shared.partition + 1, ?released, "the partition is given up");
        }
        match machine.next(start.elapsed()) {
            Step::Read => {
                let reading = bucket.read().await;
                silence.heard(reading != Reading::Unknown, &shared);
                doubts.read(&reading, &shared);
                machine.was_read(start.elapsed(), reading);
            }
            Step::Write { expected, record } => {
                let writing = bucket.write(expected, &record).await;
                silence.heard(writing != Writing::Unknown, &shared);
                machine.was_written(start.elapsed(), writing);
            }
            Step::Wait(until) => wait(start, until, &shared.changed).await,
            Step::Fenced => {
                shared.view.send_replace(View { fenced: true, ..View::default() });
                return;
            }
        }
        publish(&machine, start, &shared.view);
    }
}

async fn wait(start: Instant, until: Moment, changed: &Notify) {
    let left = until.saturating_sub(start.elapsed()).max(Duration::from_millis(1));
    tokio::select! {
        () = tokio::time::sleep(left) => {}
        () = changed.notified() => {}
    }
}

fn publish(machine: &LeaseMachine, start: Instant, view: &watch::Sender<View>) {
    let until = machine.may_commit_until().map(|until| start + until);
    let fenced = machine.is_fenced();
    let next = View { record: machine.held().cloned(), until, settled: machine.settled(), fenced };
    view.send_if_modified(|view| {
        let is_other = view.record != next.record || view.until != next.until || view.settled != next.settled;
        let is_modified = is_other || view.fenced != next.fenced;
        *view = next;
        is_modified
    });
}
