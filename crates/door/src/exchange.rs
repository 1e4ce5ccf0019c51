//! One request and its answer, and the bodies that tell how far they are: when the request's is whole, when
//! the answer's is sent, and when its bytes are let go of.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::http::request;

use crate::slot::{Closing, Slot};

/// Most that is handed over at once, bytes: that such a piece is let go of tells that the client takes.
const PIECE: usize = 16 << 10;
/// What a header takes besides its name and value, bytes (as HTTP/2 counts them).
const HEADER: usize = 32;

/// How it is learned that an answer was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerEnd {
    /// Answers leave one after the other: the connection is flushed after each ([`Slot::flushed`]).
    Flushed,
    /// Many at once, each as far as its client lets it: its last piece is let go of.
    LastPieceDropped,
}

/// One request until its answer is given; it is given up when this is dropped before.
#[derive(Debug)]
pub(crate) struct Exchange(Option<Arc<SharedRequest>>);

/// A request, shared by all that is held for it: its body, its answer, the pieces of that on their way. It is
/// over when this is dropped.
#[derive(Debug)]
struct SharedRequest {
    slot: Arc<Slot>,
    number: u64,
    answer_end: AnswerEnd,
}

impl Drop for SharedRequest {
    fn drop(&mut self) {
        self.slot.finished(self.number, self.answer_end == AnswerEnd::LastPieceDropped);
    }
}

impl Exchange {
    /// A request came, at least its head.
    ///
    /// # Errors
    /// [`Closing`] on a connection that was chosen to be closed.
    pub(crate) fn begin(
        slot: &Arc<Slot>,
        head: &request::Parts,
        body: Incoming,
        answer_end: AnswerEnd,
    ) -> Result<(Self, RequestBody), Closing> {
        let number = slot.begin(body.is_end_stream(), length(head))?;
        let asked = Arc::new(SharedRequest { slot: Arc::clone(slot), number, answer_end });
        Ok((Self(Some(Arc::clone(&asked))), RequestBody { body, moved: 0, asked }))
    }

    /// The answer's body. What it holds is counted until it is let go of: all of it from now on where its
    /// length is known, else as it comes; nothing where all answers share it.
    ///
    /// # Errors
    /// [`Closing`] on a connection that was chosen to be closed.
    pub(crate) fn answer(mut self, body: Body, is_shared: bool) -> Result<Body, Closing> {
        let length = body.size_hint().exact().map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        let asked = self.0.as_ref().ok_or(Closing)?;
        asked.slot.answer_ready(asked.number, length.filter(|_| !is_shared).unwrap_or(0))?;
        let asked = self.0.take().ok_or(Closing)?;
        let (rest, is_answering) = (Bytes::new(), true);
        Ok(Body::new(Sent { body, rest, frees: 0, is_streamed: length.is_none(), is_answering, asked }))
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        // Its body, which may be held still, is not for anybody any more.
        self.0.iter().for_each(|asked| asked.slot.aborted(asked.number));
    }
}

/// Bytes of a request's head, about.
fn length(head: &request::Parts) -> usize {
    let headers = head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + HEADER);
    head.uri.path_and_query().map_or(0, |path| path.as_str().len()) + headers.sum::<usize>()
}

/// A request's body as it comes in.
pub(crate) struct RequestBody {
    body: Incoming,
    /// What came since it was last told that something did, bytes.
    moved: usize,
    asked: Arc<SharedRequest>,
}

impl RequestBody {
    /// Tells what came before anybody works with it: what has begun is answered.
    fn report(&mut self, polled: &Poll<Option<Result<Frame<Bytes>, hyper::Error>>>) -> Result<(), Closing> {
        let Poll::Ready(arrived) = polled else { return Ok(()) };
        if arrived.is_none() || self.body.is_end_stream() {
            return self.asked.slot.body_complete(self.asked.number);
        }
        let data = arrived.as_ref().and_then(|arrived| arrived.as_ref().ok()).and_then(Frame::data_ref);
        self.moved += data.map_or(0, Bytes::len);
        if self.moved >= PIECE {
            self.moved = 0;
            self.asked.slot.moved(self.asked.number, 0);
        }
        Ok(())
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match self.report(&polled) {
            Ok(()) => polled.map_err(Into::into),
            Err(closing) => Poll::Ready(Some(Err(closing.into()))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An answer's body as it is sent.
struct Sent {
    body: Body,
    /// What comes before the rest of the body,
    rest: Bytes,
    /// and what is held no longer once it is taken, bytes.
    frees: usize,
    /// Whether its bytes are counted as they come.
    is_streamed: bool,
    /// Whether there is something to be sent, as far as was told.
    is_answering: bool,
    asked: Arc<SharedRequest>,
}

impl Sent {
    fn next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.rest)))));
        }
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let arrived = match &polled {
            Poll::Ready(Some(Ok(frame))) if self.is_streamed => frame.data_ref().map_or(0, Bytes::len),
            Poll::Ready(_) | Poll::Pending => 0,
        };
        match self.report(polled.is_pending(), arrived) {
            Ok(()) => polled,
            Err(closing) => Poll::Ready(Some(Err(axum::Error::new(closing)))),
        }
    }

    /// Tells whether there is something to be sent, and how much more it is.
    fn report(&mut self, waiting_since: bool, arrived: usize) -> Result<(), Closing> {
        let SharedRequest { slot, number, .. } = &*self.asked;
        self.frees = arrived;
        match (waiting_since, self.is_answering) {
            (false, true) if arrived == 0 => return Ok(()),
            (true, false) => return Ok(()),
            (false, _) => slot.answer_ready(*number, arrived)?,
            (true, true) => slot.processing(*number)?,
        }
        self.is_answering = !waiting_since;
        Ok(())
    }

    /// As much of a frame as is handed over at once.
    fn piece(&mut self, frame: Frame<Bytes>) -> Frame<Bytes> {
        let mut data = match frame.into_data() {
            Ok(data) if data.is_empty() => return Frame::data(data),
            Ok(data) => data,
            Err(trailers) => return trailers,
        };
        self.rest = data.split_off(data.len().min(PIECE));
        // They are one allocation, which the last of them frees.
        let frees = if self.rest.is_empty() { std::mem::take(&mut self.frees) } else { 0 };
        Frame::data(Bytes::from_owner(Piece { bytes: data, frees, asked: Arc::clone(&self.asked) }))
    }
}

/// A piece of an answer, wherever it is on its way.
struct Piece {
    bytes: Bytes,
    /// What is held no longer without it, bytes.
    frees: usize,
    asked: Arc<SharedRequest>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // The last one is told by the end of the request.
        if Arc::strong_count(&self.asked) > 1 {
            self.asked.slot.moved(self.asked.number, self.frees);
        }
    }
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.next(context).map_ok(|frame| self.piece(frame))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, of_body) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(of_body.lower() + rest);
        hint
    }
}
