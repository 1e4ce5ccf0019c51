//! Whether messages flow: looks at what comes through, and not at what the servers say of their health. After two of
//! three servers had been killed, a stream stored nothing for minutes, until its leader was restarted, and called itself
//! healthy all the time (nats-server#8519).
//!
//! The holder of a partition publishes a probe to it every some seconds, and the probe has to come back through the
//! partition's own consumer. The decision ([`Decision`]) has no clock and no I/O; `intake/probing.rs` carries it out.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Moment;

/// The header that marks a probe. Its value is the probe's id.
pub(crate) const PROBE: &str = "audit-probe";

/// The times of a watchdog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchdogSettings {
    /// How often a probe is published.
    pub interval: Duration,
    /// How long nothing may come through before it is called so.
    pub bound: Duration,
    /// How long nothing may come through before the leader of the stream is asked to step down.
    pub step_down_after: Duration,
    /// How long after such a request there is no other one.
    pub step_down_pause: Duration,
}

impl Default for WatchdogSettings {
    /// A probe every 5 s; called so after 10 s; the leader is asked after 30 s, once a minute.
    fn default() -> Self {
        Self {
            interval: Duration::from_secs(5),
            bound: Duration::from_secs(10),
            step_down_after: Duration::from_secs(30),
            step_down_pause: Duration::from_secs(60),
        }
    }
}

/// Whether messages flow through a partition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flow {
    /// No probe has been answered for yet.
    #[default]
    Unknown,
    /// What is published comes through.
    Flows,
    /// The stream does not store what is published.
    RefusesWrites,
    /// What is stored does not come.
    DoesNotDeliver,
    /// The lease cannot be renewed: the bucket does not store what is written.
    LeaseRefusesWrites,
}

/// What a watchdog has found, for metrics and pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FlowState {
    /// Whether messages flow.
    pub flow: Flow,
    /// Since when it is so, on this machine's monotonic clock.
    pub since: Option<Instant>,
    /// Why the stream does not store, as the servers or the client say.
    pub why: Option<String>,
    /// When the newest message came through.
    pub newest: Option<Instant>,
    /// How often a leader was asked to step down.
    pub step_downs: u64,
    /// What the servers said to the newest request, if they refused.
    pub step_down_refused: Option<String>,
}

/// A handle on the state of a partition's watchdog. Clones show the same.
#[derive(Debug, Clone)]
pub struct Watchdog {
    settings: WatchdogSettings,
    state: Arc<Mutex<FlowState>>,
}

impl Default for Watchdog {
    fn default() -> Self {
        Self::new(WatchdogSettings::default())
    }
}

impl Watchdog {
    /// A watchdog with these times. Probes are at least a tenth of a second apart.
    #[must_use]
    pub fn new(settings: WatchdogSettings) -> Self {
        let settings =
            WatchdogSettings { interval: settings.interval.max(Duration::from_millis(100)), ..settings };
        Self { settings, state: Arc::default() }
    }

    /// Its times.
    #[must_use]
    pub fn settings(&self) -> WatchdogSettings {
        self.settings
    }

    /// What it has found.
    #[must_use]
    pub fn state(&self) -> FlowState {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn update(&self, change: impl FnOnce(&mut FlowState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// What has to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Publish a probe of this id, then call [`Decision::published`].
    Probe(u64),
    /// Ask the leader of the messages' stream to step down.
    StepDown,
    /// Ask the leader of the bucket's stream to step down.
    StepDownBucket,
    /// Nothing until then.
    Wait(Moment),
}

/// The state machine of a watchdog.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    settings: WatchdogSettings,
    probes: u64,
    next_probe: Moment,
    /// A probe that was stored, and when. Only one is on its way: behind a long queue more would only make it longer.
    stored: Option<(u64, Moment)>,
    /// The newest probe that came. It may come before the answer that it is stored.
    came: u64,
    /// Since when no probe was stored.
    refused: Option<Moment>,
    /// The stream is full or closed: another leader refuses as well.
    is_limit: bool,
    /// Since when nothing has come through though messages are asked for. None: none are asked for.
    asking: Option<Moment>,
    /// Since when the lease is not renewed.
    not_renewed: Option<Moment>,
    stepped_down: Option<Moment>,
    has_flowed: bool,
    flow: (Flow, Moment),
}

impl Decision {
    pub(crate) fn new(settings: WatchdogSettings, now: Moment) -> Self {
        Self {
            settings,
            probes: 0,
            next_probe: now,
            stored: None,
            came: 0,
            refused: None,
            is_limit: false,
            asking: None,
            not_renewed: None,
            stepped_down: None,
            has_flowed: false,
            flow: (Flow::Unknown, now),
        }
    }

    /// What to do now.
    pub(crate) fn next(&mut self, now: Moment) -> Act {
        self.judge(now);
        if let Some(act) = self.step_down(now) {
            return act;
        }
        if self.stored.is_none() && now >= self.next_probe {
            self.probes += 1;
            self.next_probe = now + self.settings.interval;
            return Act::Probe(self.probes);
        }
        Act::Wait(self.next_probe.max(now + self.settings.interval / 8))
    }

    fn step_down(&mut self, now: Moment) -> Option<Act> {
        let paused = self.stepped_down.is_some_and(|then| now < then + self.settings.step_down_pause);
        let is_long = |since: Option<Moment>| {
            since.is_some_and(|since| now.saturating_sub(since) >= self.settings.step_down_after)
        };
        if paused {
            return None;
        }
        let act = if is_long(self.not_renewed) {
            Act::StepDownBucket
        } else if (is_long(self.refused) && !self.is_limit) || is_long(self.undelivered()) {
            Act::StepDown
        } else {
            return None;
        };
        self.stepped_down = Some(now);
        // What was stored under the old leader may be lost.
        self.stored = None;
        self.next_probe = now + self.settings.interval;
        Some(act)
    }

    /// Since when a stored probe has not come, and nothing else has, though messages are asked for.
    fn undelivered(&self) -> Option<Moment> {
        let (_, stored) = self.stored?;
        Some(self.asking?.max(stored))
    }

    fn judge(&mut self, now: Moment) {
        let is_over =
            |since: Option<Moment>| since.filter(|since| now.saturating_sub(*since) >= self.settings.bound);
        let (flow, since) = if let Some(since) = is_over(self.not_renewed) {
            (Flow::LeaseRefusesWrites, since)
        } else if let Some(since) = is_over(self.refused) {
            (Flow::RefusesWrites, since)
        } else if let Some(since) = is_over(self.undelivered()) {
            (Flow::DoesNotDeliver, since)
        } else if self.has_flowed && self.refused.is_none() {
            (Flow::Flows, now)
        } else {
            return;
        };
        if self.flow.0 != flow {
            self.flow = (flow, since);
        }
    }

    /// The probe was stored, or refused, or there was no answer. `is_limit`: the stream is full or closed.
    pub(crate) fn published(&mut self, now: Moment, id: u64, stored: Result<(), bool>) {
        match stored {
            Ok(()) => {
                self.refused = None;
                self.is_limit = false;
                self.stored = (id > self.came).then_some((id, now));
                self.has_flowed &= self.stored.is_none() || self.flow.0 != Flow::RefusesWrites;
            }
            Err(is_limit) => {
                self.refused = self.refused.or(Some(now));
                self.is_limit = is_limit;
            }
        }
    }

    /// A message came through the consumer; perhaps it was this probe.
    pub(crate) fn delivered(&mut self, now: Moment, probe: Option<u64>) {
        self.asking = self.asking.map(|_| now);
        self.came = self.came.max(probe.unwrap_or(0));
        self.stored = self.stored.filter(|(stored, _)| *stored > self.came);
        self.has_flowed = true;
    }

    /// Whether the intake asks for messages now. While its recorder is busy, nothing can come.
    pub(crate) fn asks(&mut self, now: Moment, asks: bool) {
        self.asking = asks.then(|| self.asking.unwrap_or(now));
    }

    /// Whether the lease may be committed to.
    pub(crate) fn renewed(&mut self, now: Moment, renewed: bool) {
        self.not_renewed = (!renewed).then(|| self.not_renewed.unwrap_or(now));
    }

    /// What was found, and since when it is so.
    pub(crate) fn flow(&self) -> (Flow, Moment) {
        self.flow
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Act, Decision, Flow, WatchdogSettings};

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn started() -> Decision {
        let mut decision = Decision::new(WatchdogSettings::default(), at(0));
        decision.asks(at(0), true);
        assert_eq!(decision.next(at(0)), Act::Probe(1));
        decision
    }

    #[test]
    fn a_probe_that_comes_back_shows_that_messages_flow() {
        let mut decision = started();
        decision.published(at(0), 1, Ok(()));
        assert!(matches!(decision.next(at(1)), Act::Wait(_)));
        assert_eq!(decision.flow().0, Flow::Unknown);
        decision.delivered(at(2), Some(1));
        assert!(matches!(decision.next(at(2)), Act::Wait(_)));
        assert_eq!(decision.flow(), (Flow::Flows, at(2)));
        assert_eq!(decision.next(at(5)), Act::Probe(2));
    }

    #[test]
    fn a_probe_may_come_before_the_answer_that_it_is_stored() {
        let mut decision = started();
        decision.delivered(at(0), Some(1));
        decision.published(at(1), 1, Ok(()));
        assert_eq!(decision.next(at(5)), Act::Probe(2));
        assert_eq!(decision.flow(), (Flow::Flows, at(5)));
    }

    #[test]
    fn a_stream_that_stores_nothing_refuses_writes_and_its_leader_is_asked_once_a_minute() {
        let mut decision = started();
        let mut step_downs = Vec::new();
        for second in 0..150 {
            match decision.next(at(second)) {
                Act::Probe(id) => decision.published(at(second), id, Err(false)),
                Act::StepDown => step_downs.push(second),
                Act::StepDownBucket => panic!("the lease is renewed"),
                Act::Wait(_) => {}
            }
        }
        assert_eq!(decision.flow().0, Flow::RefusesWrites);
        assert_eq!(step_downs.len(), 2, "{step_downs:?}");
        assert!(step_downs[0] >= 30 && step_downs[1] >= step_downs[0] + 60, "{step_downs:?}");
        // It stores again, and what it stores comes.
        decision.published(at(151), 99, Ok(()));
        decision.next(at(151));
        assert_eq!(decision.flow().0, Flow::RefusesWrites, "nothing has come through yet");
        decision.delivered(at(152), Some(99));
        decision.next(at(152));
        assert_eq!(decision.flow(), (Flow::Flows, at(152)));
    }

    #[test]
    fn a_full_stream_refuses_writes_and_no_leader_is_asked() {
        let mut decision = started();
        for second in 0..100 {
            match decision.next(at(second)) {
                Act::Probe(id) => decision.published(at(second), id, Err(true)),
                Act::StepDown | Act::StepDownBucket => panic!("another leader refuses as well"),
                Act::Wait(_) => {}
            }
        }
        assert_eq!(decision.flow().0, Flow::RefusesWrites);
    }

    #[test]
    fn what_is_stored_and_does_not_come_is_not_delivered() {
        let mut decision = started();
        decision.published(at(0), 1, Ok(()));
        assert!(matches!(decision.next(at(9)), Act::Wait(_)));
        assert_eq!(decision.flow().0, Flow::Unknown);
        assert!(matches!(decision.next(at(10)), Act::Wait(_)));
        assert_eq!(decision.flow(), (Flow::DoesNotDeliver, at(0)));
        assert_eq!(decision.next(at(30)), Act::StepDown);
        assert_eq!(decision.next(at(35)), Act::Probe(2));
    }

    #[test]
    fn a_long_queue_or_a_busy_recorder_is_no_fault_of_the_stream() {
        let mut queue = started();
        queue.published(at(0), 1, Ok(()));
        for second in 1..120 {
            queue.delivered(at(second), None);
            assert!(matches!(queue.next(at(second)), Act::Wait(_)));
            assert_eq!(queue.flow().0, Flow::Flows);
        }
        let mut busy = started();
        busy.published(at(0), 1, Ok(()));
        busy.asks(at(1), false);
        assert!(matches!(busy.next(at(100)), Act::Wait(_)));
        assert_eq!(busy.flow().0, Flow::Unknown);
        busy.asks(at(100), true);
        assert!(matches!(busy.next(at(109)), Act::Wait(_)));
        assert_eq!(busy.flow().0, Flow::Unknown);
    }

    #[test]
    fn a_lease_that_cannot_be_renewed_is_the_buckets_fault() {
        let mut decision = started();
        decision.published(at(0), 1, Ok(()));
        decision.delivered(at(1), Some(1));
        decision.renewed(at(2), false);
        decision.next(at(12));
        assert_eq!(decision.flow(), (Flow::LeaseRefusesWrites, at(2)));
        let mut acts = (12..40).map(|second| decision.next(at(second)));
        assert!(acts.any(|act| act == Act::StepDownBucket));
        decision.renewed(at(40), true);
        decision.next(at(40));
        assert_eq!(decision.flow().0, Flow::Flows);
    }
}
