//! Whether anything is asked on a connection: HTTP/2 has no time limit of its own for one that only stays
//! open.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, sleep};

/// How many answers are under way, and since when there is none.
#[derive(Debug)]
pub(crate) struct Activity {
    under_way: AtomicUsize,
    last: Mutex<Instant>,
}

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { under_way: AtomicUsize::new(0), last: Mutex::new(Instant::now()) })
    }

    /// A request came; it is under way until this is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> UnderWay {
        self.under_way.fetch_add(1, Ordering::SeqCst);
        UnderWay(Arc::clone(self))
    }

    /// Done once nothing was under way for so long.
    pub(crate) async fn idle_for(&self, most: Duration) {
        loop {
            let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
            let idle = last.elapsed();
            let is_busy = self.under_way.load(Ordering::SeqCst) > 0;
            if !is_busy && idle >= most {
                return;
            }
            sleep(if is_busy { most } else { most - idle }).await;
        }
    }
}

/// One request that is not yet answered to the end.
#[derive(Debug)]
pub(crate) struct UnderWay(Arc<Activity>);

impl UnderWay {
    /// A body that keeps this until it is sent.
    pub(crate) fn until_sent(self, body: Body) -> Body {
        Body::new(Sent { body, _under_way: self })
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        *self.0.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.0.under_way.fetch_sub(1, Ordering::SeqCst);
    }
}

struct Sent {
    body: Body,
    _under_way: UnderWay,
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
