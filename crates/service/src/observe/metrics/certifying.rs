//! Metrics of live certification, updated when they are read. All are 0 if the service does not certify.

use std::sync::atomic::Ordering;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::app_state::AppState;
use crate::live::following::{Following, Progress};

/// Labels of the counts of findings.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByCode {
    code: String,
}

#[derive(Debug, Default)]
pub(super) struct Certifying {
    lag: Gauge,
    stopped: Gauge,
    published: Gauge,
    webhook_delivered: Gauge,
    failed_tries: Gauge,
    findings: Family<ByCode, Gauge>,
}

impl Certifying {
    pub(super) fn register(&self, registry: &mut Registry) {
        for (name, what, gauge) in [
            ("follower_lag_entries", "Entries that are not judged yet", &self.lag),
            ("follower_stopped", "1 when nothing more is judged until the next start", &self.stopped),
            ("findings_published", "Findings published", &self.published),
            ("webhook_told", "Number of the finding that the webhook took last", &self.webhook_delivered),
            ("webhook_failed_tries", "Tries of the webhook that failed", &self.failed_tries),
        ] {
            registry.register(name, what, gauge.clone());
        }
        registry.register("findings", "Findings by code", self.findings.clone());
    }

    pub(super) fn update(&self, following: &Following, app: &AppState) {
        let set = |gauge: &Gauge, count: u64| {
            gauge.set(i64::try_from(count).unwrap_or(i64::MAX));
        };
        let progress = Progress::of(following, app);
        set(&self.lag, progress.size.saturating_sub(progress.judged));
        set(&self.stopped, u64::from(following.is_stopped()));
        set(&self.published, following.follower().findings().published());
        let deliveries = following.deliveries();
        set(&self.webhook_delivered, deliveries.delivered.load(Ordering::Relaxed));
        set(&self.failed_tries, deliveries.failed.load(Ordering::Relaxed));
        let by_code = following.follower().findings_by_code();
        for (code, count) in by_code {
            set(&self.findings.get_or_create(&ByCode { code: code.to_string() }), count);
        }
    }
}
