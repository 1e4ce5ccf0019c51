//! A body that ends when its reader loses access: access is checked again and again while it is sent, and the
//! body is cut off shortly after a token is revoked or expires. It does not know what the body contains.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use tokio::time::{Instant, Sleep, sleep_until};
use tokio_stream::Stream;

/// Time between two checks.
const LOOK: Duration = Duration::from_millis(500);
/// Largest piece that is sent at once, bytes.
pub(super) const PIECE: usize = 64 << 10;

/// The body was cut off because access ended.
#[derive(Debug, thiserror::Error)]
#[error("access to this answer has ended")]
struct CutOff;

/// `body`, cut off as soon as `holds` returns false.
pub(super) fn revocable(body: Body, holds: impl FnMut() -> bool + Send + Unpin + 'static) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let (body, rest) = (body.into_data_stream(), Bytes::new());
    Body::from_stream(RevocableBody {
        body,
        rest,
        holds,
        next_look: Instant::now() + LOOK,
        wake: None,
        is_over: false,
    })
}

struct RevocableBody<F> {
    body: BodyDataStream,
    /// What was split off and is sent before the rest of the body.
    rest: Bytes,
    holds: F,
    next_look: Instant,
    /// Wakes the task for the next check even if nothing is sent.
    wake: Option<Pin<Box<Sleep>>>,
    is_over: bool,
}

impl<F: FnMut() -> bool> RevocableBody<F> {
    /// Whether access still holds. The clock is checked each time, the tokens at intervals.
    fn goes_on(&mut self) -> bool {
        let now = Instant::now();
        if !self.is_over && now >= self.next_look {
            self.is_over = !(self.holds)();
            self.next_look = now + LOOK;
        }
        !self.is_over
    }

    /// The next piece of the body.
    fn piece(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_next(context)) {
                Some(Ok(bytes)) => self.rest = bytes,
                Some(Err(error)) => return Poll::Ready(Some(Err(error.into()))),
                None => return Poll::Ready(None),
            }
        }
        let piece = self.rest.split_to(self.rest.len().min(PIECE));
        Poll::Ready(Some(Ok(piece)))
    }

    /// Ready when the next check is due.
    fn time_to_look(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let until = self.next_look;
        let wake = self.wake.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if wake.deadline() != until {
            wake.as_mut().reset(until);
        }
        wake.as_mut().poll(context)
    }
}

impl<F: FnMut() -> bool + Unpin> Stream for RevocableBody<F> {
    type Item = Result<Bytes, BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        while self.goes_on() {
            if let Poll::Ready(piece) = self.piece(context) {
                return Poll::Ready(piece);
            }
            ready!(self.time_to_look(context));
        }
        // A normal end would claim that the body was complete.
        Poll::Ready(Some(Err(CutOff.into())))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use tokio_stream::{StreamExt as _, iter, pending};

    use super::*;

    /// How much of a body is sent, and how many checks are made, if access ends after this time.
    fn until_cut_off(body: Body, holds_for: Duration) -> (usize, Duration) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let (begun, mut bytes) = (Instant::now(), 0);
            let mut body = revocable(body, move || begun.elapsed() < holds_for).into_data_stream();
            loop {
                match body.next().await {
                    Some(Ok(piece)) => bytes += piece.len(),
                    Some(Err(error)) => {
                        assert!(error.to_string().contains("has ended"), "{error}");
                        return (bytes, begun.elapsed());
                    }
                    None => panic!("it ended as if that was all"),
                }
            }
        })
    }

    #[test]
    fn a_body_that_says_nothing_is_cut_off() {
        let silent = Body::from_stream(pending::<Result<Bytes, BoxError>>());
        let (bytes, took) = until_cut_off(silent, LOOK / 2);
        assert_eq!(bytes, 0);
        assert!((LOOK..4 * LOOK).contains(&took), "{took:?}");
    }

    #[test]
    fn a_body_that_never_stops_is_cut_off() {
        let endless = iter(std::iter::repeat_with(|| Ok::<_, BoxError>(Bytes::from_static(b"more"))));
        let (bytes, took) = until_cut_off(Body::from_stream(endless), LOOK * 3 / 2);
        assert!(bytes > 0 && took >= 2 * LOOK, "{bytes} {took:?}");
    }

    #[test]
    fn a_long_answer_that_was_made_at_once_is_cut_off_while_it_is_taken() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let holds = Arc::new(AtomicBool::new(true));
            let asked = Arc::clone(&holds);
            let body = revocable(Body::from(vec![7; 3 * PIECE]), move || asked.load(Ordering::Relaxed));
            let mut body = body.into_data_stream();
            assert_eq!(body.next().await.unwrap().unwrap().len(), PIECE);
            holds.store(false, Ordering::Relaxed);
            tokio::time::sleep(LOOK).await;
            assert!(body.next().await.unwrap().is_err());
        });
    }

    #[test]
    fn whoever_may_go_on_asking_gets_it_all() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            for length in [0, 1, PIECE, PIECE + 1, 5 * PIECE] {
                let body = revocable(Body::from(vec![7; length]), || true);
                assert_eq!(axum::body::to_bytes(body, usize::MAX).await.unwrap().len(), length);
            }
        });
    }
}
