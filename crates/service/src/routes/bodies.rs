//! Bodies of requests while they arrive: the one way in which this service reads one. Each has a limit of bytes and of
//! time, and all together use bounded memory; when that limit is exceeded, the body that has been arriving for longest is
//! evicted. Their content is not looked at here.
//!
//! A slow sender delays nobody else: a post takes one of the slots for processing only once its body is
//! complete.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Why a body was not read completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyFault {
    /// It is longer than the limit for one body.
    TooLong,
    /// It did not arrive within the limit of time.
    TooSlow,
    /// It broke off, or its HTTP framing is wrong.
    Broken,
    /// All bodies together exceeded the limit, and this one had been arriving for longest.
    Evicted,
}

/// All bodies of one kind that are in memory.
#[derive(Debug)]
pub(crate) struct Bodies {
    /// Most bytes of one body.
    longest: usize,
    /// Most bytes of all bodies together.
    most: usize,
    /// Longest time from its first byte to its last.
    time: Duration,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    bytes: usize,
    /// Bodies that are still arriving, by the order in which they began.
    arriving: BTreeMap<u64, Arrival>,
    next: u64,
}

impl Held {
    /// Bytes of complete bodies.
    fn whole(&self) -> usize {
        self.bytes - self.arriving.values().map(|arrival| arrival.bytes).sum::<usize>()
    }
}

#[derive(Debug)]
struct Arrival {
    bytes: usize,
    give_way: Arc<Notify>,
}

/// A complete body; it counts against the limit until it is dropped.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) bytes: Bytes,
    bodies: Arc<Bodies>,
}

impl AsRef<[u8]> for Whole {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        self.bodies.held().bytes -= self.bytes.len();
    }
}

impl Bodies {
    pub(crate) fn new(longest: usize, most: usize, time: Duration) -> Arc<Self> {
        Arc::new(Self { longest, most, time, held: Mutex::default() })
    }

    /// Number of bodies that are arriving.
    pub(crate) fn arriving(&self) -> usize {
        self.held().arriving.len()
    }

    /// Most bytes of one body.
    pub(crate) const fn longest(&self) -> usize {
        self.longest
    }

    /// Reads a body to its end.
    ///
    /// # Errors
    /// [`BodyFault`].
    pub(crate) async fn read(self: &Arc<Self>, body: Body) -> Result<Whole, BodyFault> {
        timeout(self.time, self.read_whole(body)).await.unwrap_or(Err(BodyFault::TooSlow))
    }

    async fn read_whole(self: &Arc<Self>, mut body: Body) -> Result<Whole, BodyFault> {
        let (mut arriving, mut all) = (Arriving::begin(self), Vec::new());
        loop {
            let piece = tokio::select! {
                piece = next(&mut body) => piece,
                () = arriving.give_way.notified() => return Err(BodyFault::Evicted),
            };
            let Some(piece) = piece else { break };
            let piece = piece.map_err(|_| BodyFault::Broken)?;
            arriving.grow(piece.len())?;
            // Most bodies are one piece and are not copied. Others are copied at once: a piece is part of the
            // connection's buffer and would keep all of it in memory until the rest arrives.
            if all.is_empty() && body.is_end_stream() {
                return arriving.whole(piece);
            }
            all.extend_from_slice(&piece);
        }
        arriving.whole(all.into())
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The next bytes of a body; trailers are ignored.
async fn next(body: &mut Body) -> Option<Result<Bytes, axum::Error>> {
    let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await?;
    Some(frame.map(|frame| frame.into_data().unwrap_or_default()))
}

/// One body that is arriving.
struct Arriving<'a> {
    bodies: &'a Arc<Bodies>,
    number: u64,
    bytes: usize,
    give_way: Arc<Notify>,
}

impl<'a> Arriving<'a> {
    fn begin(bodies: &'a Arc<Bodies>) -> Self {
        let give_way = Arc::<Notify>::default();
        let mut held = bodies.held();
        held.next += 1;
        let number = held.next;
        held.arriving.insert(number, Arrival { bytes: 0, give_way: Arc::clone(&give_way) });
        Self { bodies, number, bytes: 0, give_way }
    }

    /// More of the body arrived. If all bodies together exceed the limit, those that began first are evicted.
    fn grow(&mut self, count: usize) -> Result<(), BodyFault> {
        self.bytes += count;
        if self.bytes > self.bodies.longest {
            return Err(BodyFault::TooLong);
        }
        let mut held = self.bodies.held();
        held.arriving.get_mut(&self.number).ok_or(BodyFault::Evicted)?.bytes += count;
        held.bytes += count;
        if held.bytes > self.bodies.most && held.whole() >= self.bodies.most {
            // No other body could be evicted.
            held.bytes -= self.bytes;
            held.arriving.remove(&self.number);
            return Err(BodyFault::Evicted);
        }
        while held.bytes > self.bodies.most {
            let Some((number, first)) = held.arriving.pop_first() else { break };
            held.bytes -= first.bytes;
            if number == self.number {
                return Err(BodyFault::Evicted);
            }
            first.give_way.notify_one();
        }
        Ok(())
    }

    /// The body is complete: it still counts, but is no longer evicted.
    fn whole(self, bytes: Bytes) -> Result<Whole, BodyFault> {
        self.bodies.held().arriving.remove(&self.number).ok_or(BodyFault::Evicted)?;
        Ok(Whole { bytes, bodies: Arc::clone(self.bodies) })
    }
}

impl Drop for Arriving<'_> {
    fn drop(&mut self) {
        let mut held = self.bodies.held();
        if let Some(arrival) = held.arriving.remove(&self.number) {
            held.bytes -= arrival.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
    use tokio::task::JoinHandle;
    use tokio_stream::wrappers::UnboundedReceiverStream;

    /// Longer than any of these tests takes.
    const TIME: Duration = Duration::from_secs(60);

    type Sending = UnboundedSender<Result<Bytes, std::io::Error>>;

    fn body() -> (Sending, Body) {
        let (sender, receiver) = unbounded_channel();
        (sender, Body::from_stream(UnboundedReceiverStream::new(receiver)))
    }

    /// A body that is read while its pieces are sent one by one.
    fn coming(bodies: &Arc<Bodies>) -> (Sending, JoinHandle<Result<Whole, BodyFault>>) {
        let (sending, coming) = body();
        let reading = Arc::clone(bodies);
        (sending, tokio::spawn(async move { reading.read(coming).await }))
    }

    fn send(sending: &Sending, count: usize) {
        sending.send(Ok(vec![b'x'; count].into())).unwrap();
    }

    fn within(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(test);
    }

    #[test]
    fn a_body_is_read_whole_and_counted_until_it_is_dropped() {
        within(async {
            let bodies = Bodies::new(10, 20, TIME);
            let (sending, coming) = body();
            for count in [3, 3, 4] {
                send(&sending, count);
            }
            drop(sending);
            let whole = bodies.read(coming).await.unwrap();
            assert_eq!((whole.bytes.len(), bodies.arriving()), (10, 0));
            assert_eq!(bodies.held().bytes, 10);
            drop(whole);
            assert_eq!(bodies.held().bytes, 0);
            assert_eq!(bodies.read(Body::from("eleven byte")).await.unwrap_err(), BodyFault::TooLong);
            let (sending, coming) = body();
            send(&sending, 3);
            sending.send(Err(std::io::ErrorKind::UnexpectedEof.into())).unwrap();
            assert_eq!(bodies.read(coming).await.unwrap_err(), BodyFault::Broken);
            assert_eq!(bodies.arriving(), 0);
            assert_eq!(bodies.held().bytes, 0);
        });
    }

    #[test]
    fn a_body_that_never_ends_is_let_go_of_in_time() {
        within(async {
            let bodies = Bodies::new(10, 20, Duration::from_millis(50));
            let (sending, reading) = coming(&bodies);
            send(&sending, 3);
            assert_eq!(reading.await.unwrap().map(drop), Err(BodyFault::TooSlow));
            assert_eq!((bodies.arriving(), bodies.held().bytes), (0, 0));
        });
    }

    #[test]
    fn the_one_that_has_been_coming_for_longest_gives_way_and_a_whole_one_never() {
        within(async {
            let bodies = Bodies::new(10, 20, TIME);
            let whole = bodies.read(Body::from("ten bytes.")).await.unwrap();
            let (slow, first) = coming(&bodies);
            send(&slow, 8);
            while bodies.held().bytes < 18 {
                tokio::task::yield_now().await;
            }
            let second = bodies.read(Body::from("five.")).await.unwrap();
            assert_eq!(first.await.unwrap().map(drop), Err(BodyFault::Evicted));
            assert_eq!(bodies.held().bytes, 15);
            // There is no other body to evict.
            let third = bodies.read(Body::from("six...")).await;
            assert_eq!(third.map(drop), Err(BodyFault::Evicted));
            drop((whole, second));
            assert_eq!(bodies.held().bytes, 0);
        });
    }

    #[test]
    fn a_byte_that_came_keeps_no_more_than_itself_while_the_rest_is_waited_for() {
        within(async {
            let bodies = Bodies::new(10, 20, TIME);
            let buffer = Arc::new(vec![b'x'; 1 << 20]);
            let (sending, reading) = coming(&bodies);
            sending.send(Ok(Bytes::from_owner(Kept(Arc::clone(&buffer))).slice(..1))).unwrap();
            while bodies.held().bytes == 0 {
                tokio::task::yield_now().await;
            }
            assert_eq!(Arc::strong_count(&buffer), 1, "the buffer is let go of");
            send(&sending, 2);
            drop(sending);
            assert_eq!(reading.await.unwrap().unwrap().bytes, "xxx");
        });
    }

    /// A buffer that somebody else looks at too.
    struct Kept(Arc<Vec<u8>>);

    impl AsRef<[u8]> for Kept {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    #[test]
    fn complete_bodies_are_never_evicted_for_a_new_one() {
        within(async {
            let bodies = Bodies::new(10, 20, TIME);
            let first = bodies.read(Body::from("ten bytes.")).await.unwrap();
            let (slow, slow_one) = coming(&bodies);
            while bodies.arriving() == 0 {
                tokio::task::yield_now().await;
            }
            let second = bodies.read(Body::from("ten bytes.")).await.unwrap();
            let refused = bodies.read(Body::from("one more")).await;
            assert_eq!(refused.map(drop), Err(BodyFault::Evicted));
            assert_eq!(bodies.held().bytes, 20);
            assert_eq!(bodies.arriving(), 1, "the slow one goes on");
            drop((first, second));
            send(&slow, 4);
            drop(slow);
            assert_eq!(slow_one.await.unwrap().unwrap().bytes.len(), 4);
        });
    }
}
