//! Carries out what a watchdog decides: publishes probes, asks leaders to step down, and shows what was found.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use tokio::task::AbortHandle;

use crate::watchdog::{Act, Decision, Flow, PROBE, Watchdog};
use crate::{Fleet, Lease};

/// Longest pause between two looks.
const LOOK: Duration = Duration::from_millis(500);

/// A watchdog at work. It ends with this handle.
pub(super) struct Probing {
    shared: Arc<Shared>,
    task: AbortHandle,
}

struct Shared {
    decision: Mutex<Decision>,
    start: Instant,
    watchdog: Watchdog,
}

impl Shared {
    fn with<T>(&self, change: impl FnOnce(&mut Decision, Duration) -> T) -> T {
        let mut decision = self.decision.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut decision, self.start.elapsed())
    }
}

impl Drop for Probing {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Probing {
    pub(super) fn start(fleet: &Fleet, lease: &Lease, watchdog: &Watchdog) -> Self {
        let decision = Mutex::new(Decision::new(watchdog.settings(), Duration::ZERO));
        let shared = Arc::new(Shared { decision, start: Instant::now(), watchdog: watchdog.clone() });
        let task = tokio::spawn(probe(fleet.clone(), lease.clone(), Arc::clone(&shared))).abort_handle();
        Self { shared, task }
    }

    /// Whether the intake asks for messages now.
    pub(super) fn asks(&self, asks: bool) {
        self.shared.with(|decision, now| decision.asks(now, asks));
    }

    /// A message came through; perhaps it was this probe.
    pub(super) fn delivered(&self, probe: Option<u64>) {
        self.shared.with(|decision, now| decision.delivered(now, probe));
        self.shared.watchdog.update(|state| state.newest = Some(Instant::now()));
    }
}

async fn probe(fleet: Fleet, lease: Lease, shared: Arc<Shared>) {
    let subject = fleet.site().probe_subject(lease.partition(), fleet.partitions());
    loop {
        let act = shared.with(|decision, now| {
            decision.renewed(now, lease.may_commit());
            decision.next(now)
        });
        show(&shared);
        match act {
            Act::Probe(id) => {
                let stored = publish(&fleet, &subject, id).await;
                let why = stored.as_ref().err().map(|(why, _)| why.clone());
                shared.watchdog.update(|state| state.why = why);
                let stored = stored.map_err(|(_, is_limit)| is_limit);
                shared.with(|decision, now| decision.published(now, id, stored));
            }
            Act::StepDown => step_down(&fleet, &fleet.site().stream(), &shared).await,
            Act::StepDownBucket => step_down(&fleet, &fleet.site().bucket_stream(), &shared).await,
            Act::Wait(until) => {
                let left = until.saturating_sub(shared.start.elapsed());
                tokio::time::sleep(left.clamp(Duration::from_millis(10), LOOK)).await;
            }
        }
    }
}

/// Publishes a probe. The error says why it was not stored, and whether a limit of the stream is the reason.
async fn publish(fleet: &Fleet, subject: &str, id: u64) -> Result<(), (String, bool)> {
    let mut headers = HeaderMap::new();
    headers.insert(PROBE, id.to_string());
    let stored = async {
        fleet.context().publish_with_headers(subject.to_owned(), headers, Vec::new().into()).await?.await
    };
    match stored.await {
        Ok(_) => Ok(()),
        Err(error) => {
            let why = error.to_string();
            // As nats-server words `ErrMaxMsgs`, `ErrMaxBytes` and the like; and a sealed stream.
            let is_limit = why.contains("maximum ") || why.contains("sealed");
            Err((why, is_limit))
        }
    }
}

async fn step_down(fleet: &Fleet, stream: &str, shared: &Shared) {
    tracing::warn!(stream, "nothing flows: the leader of the stream is asked to step down");
    let subject = format!("$JS.API.STREAM.LEADER.STEPDOWN.{stream}");
    let refused = match fleet.client().request(subject, Vec::new().into()).await {
        Err(error) => Some(error.to_string()),
        Ok(answer) => refusal(&answer.payload),
    };
    shared.watchdog.update(|state| {
        state.step_downs += 1;
        state.step_down_refused = refused;
    });
}

fn refusal(answer: &[u8]) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_slice(answer).ok()?;
    Some(answer.get("error")?.get("description")?.as_str()?.to_owned())
}

fn show(shared: &Shared) {
    let (flow, since) = shared.with(|decision, _| decision.flow());
    shared.watchdog.update(|state| {
        if state.flow != flow {
            match flow {
                Flow::Flows | Flow::Unknown => tracing::info!("messages flow through the partition"),
                Flow::RefusesWrites | Flow::DoesNotDeliver | Flow::LeaseRefusesWrites => {
                    tracing::warn!(flow = ?flow, why = ?state.why, "nothing comes through the partition");
                }
            }
        }
        state.flow = flow;
        state.since = Some(shared.start + since);
    });
}
