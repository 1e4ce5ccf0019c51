//! Limits the spans that wait to be sent: one more is dropped and counted, and nothing waits.
//!
//! The SDK's own queue drops spans too, but reports the number only at shutdown.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use opentelemetry::Context;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span, SpanData, SpanProcessor};

use crate::observe::metrics::Metrics;

/// Counts spans that ended and were neither sent nor lost.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept(Arc<AtomicUsize>);

impl Kept {
    /// Counts one more, unless there are already `most`.
    fn one_more(&self, most: usize) -> bool {
        let more = |kept: usize| (kept < most).then_some(kept + 1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// So many left the queue.
    pub(crate) fn less(&self, count: usize) {
        self.0.fetch_sub(count, Ordering::Relaxed);
    }
}

/// A limit in front of the SDK's queue.
#[derive(Debug)]
pub(crate) struct Queue {
    most: usize,
    kept: Kept,
    metrics: Arc<Metrics>,
}

impl Queue {
    pub(crate) fn new(most: usize, metrics: Arc<Metrics>) -> Self {
        Self { most, kept: Kept::default(), metrics }
    }

    /// The counter, for the code that takes spans out.
    pub(crate) fn kept(&self) -> Kept {
        self.kept.clone()
    }

    pub(crate) fn before<P: SpanProcessor>(self, next: P) -> Queued<P> {
        Queued { queue: self, next }
    }
}

/// A processor that receives no more than it can hold.
#[derive(Debug)]
pub(crate) struct Queued<P> {
    queue: Queue,
    next: P,
}

impl<P: SpanProcessor> SpanProcessor for Queued<P> {
    fn on_start(&self, span: &mut Span, context: &Context) {
        self.next.on_start(span, context);
    }

    fn on_end(&self, span: SpanData) {
        if self.queue.kept.one_more(self.queue.most) {
            self.next.on_end(span);
        } else {
            self.queue.metrics.spans_dropped.inc();
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.next.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.next.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.next.set_resource(resource);
    }
}
