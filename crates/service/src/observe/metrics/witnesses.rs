//! How the log's witnesses answer, read off when somebody looks. All of it is 0 where the service asks none.

use std::sync::atomic::Ordering;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::live::witnessing::Witnessing;

#[derive(Debug, Default)]
pub(super) struct Witnesses {
    submissions: Counter,
    failures: Counter,
    contradictions: Gauge,
    cosigned: Gauge,
}

impl Witnesses {
    pub(super) fn register(&self, registry: &mut Registry) {
        for (name, what, counter) in [
            ("witness_submissions", "Times a checkpoint was submitted to the witnesses", &self.submissions),
            ("witness_failures", "Answers of witnesses that were no cosignature", &self.failures),
        ] {
            registry.register(name, what, counter.clone());
        }
        for (name, what, gauge) in [
            ("witness_contradictions", "Witnesses that contradict the log", &self.contradictions),
            (
                "cosigned_entries",
                "Entries of the newest checkpoint that enough witnesses signed",
                &self.cosigned,
            ),
        ] {
            registry.register(name, what, gauge.clone());
        }
    }

    pub(super) fn look(&self, witnessing: &Witnessing) {
        // The thread that asks counts them; nobody else writes these.
        let tell = |counter: &Counter, count| counter.inner().store(count, Ordering::Relaxed);
        tell(&self.submissions, witnessing.submissions.load(Ordering::Relaxed));
        tell(&self.failures, witnessing.failures.load(Ordering::Relaxed));
        self.contradictions.set(witnessing.contradictions().len() as i64);
        let size = witnessing.cosigned().map_or(0, |cosigned| cosigned.checkpoint().size);
        self.cosigned.set(i64::try_from(size).unwrap_or(i64::MAX));
    }
}
