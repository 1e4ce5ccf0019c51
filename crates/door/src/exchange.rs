//! One request and its answer. The bodies defined here report progress to the connection's slot: when the
//! request's body is complete, when the answer is sent, and when its memory is freed.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::http::request;

use crate::slot::{Closing, Slot};

/// Largest piece that is handed over for sending, bytes. When a piece is freed, the client has read
/// something.
const PIECE: usize = 16 << 10;
/// What a header costs besides its name and value, bytes (as HTTP/2 counts them).
const HEADER: usize = 32;

/// What shows that an answer was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerEnd {
    /// HTTP/1.1: answers leave one after the other, and the connection is flushed after each
    /// ([`Slot::flushed`]).
    Flushed,
    /// HTTP/2: many answers leave at once; one is sent when its last piece is dropped.
    LastPieceDropped,
}

/// One request until its answer is ready. The request counts as aborted if this is dropped before.
#[derive(Debug)]
pub(crate) struct Exchange(Option<Arc<SharedRequest>>);

/// A request, shared by everything that is held for it: its body, its answer, and the pieces of the answer
/// that are being sent. The request is finished when the last of them is dropped.
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
    /// Starts a request of which at least the head has arrived.
    ///
    /// # Errors
    /// [`Closing`] if the connection was chosen for closing.
    pub(crate) fn begin(
        slot: &Arc<Slot>,
        head: &request::Parts,
        body: Incoming,
        answer_end: AnswerEnd,
    ) -> Result<(Self, RequestBody), Closing> {
        let number = slot.begin(body.is_end_stream(), length(head))?;
        let request = Arc::new(SharedRequest { slot: Arc::clone(slot), number, answer_end });
        Ok((Self(Some(Arc::clone(&request))), RequestBody { body, moved: 0, request }))
    }

    /// Wraps the answer's body so that the memory it holds is counted until it is freed. If the length is
    /// known, all of it counts at once, otherwise each piece when it is produced. A body that all answers
    /// share does not count.
    ///
    /// # Errors
    /// [`Closing`] if the connection was chosen for closing.
    pub(crate) fn answer(mut self, body: Body, is_shared: bool) -> Result<Body, Closing> {
        let length = body.size_hint().exact().map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        let request = self.0.as_ref().ok_or(Closing)?;
        request.slot.answer_ready(request.number, length.filter(|_| !is_shared).unwrap_or(0))?;
        let request = self.0.take().ok_or(Closing)?;
        let (rest, is_answering) = (Bytes::new(), true);
        Ok(Body::new(AnswerBody {
            body,
            rest,
            frees: 0,
            is_streamed: length.is_none(),
            is_answering,
            request,
        }))
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        // The body may still be held by somebody; it will not be read.
        self.0.iter().for_each(|request| request.slot.aborted(request.number));
    }
}

/// The approximate size of a request's head, bytes.
fn length(head: &request::Parts) -> usize {
    let headers = head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + HEADER);
    head.uri.path_and_query().map_or(0, |path| path.as_str().len()) + headers.sum::<usize>()
}

/// A request's body while it arrives.
pub(crate) struct RequestBody {
    body: Incoming,
    /// What arrived since progress was last reported, bytes.
    moved: usize,
    request: Arc<SharedRequest>,
}

impl RequestBody {
    /// Reports what arrived before anybody works with it: a request whose work has begun is always answered.
    fn report(&mut self, polled: &Poll<Option<Result<Frame<Bytes>, hyper::Error>>>) -> Result<(), Closing> {
        let Poll::Ready(arrived) = polled else { return Ok(()) };
        if arrived.is_none() || self.body.is_end_stream() {
            return self.request.slot.body_complete(self.request.number);
        }
        let data = arrived.as_ref().and_then(|arrived| arrived.as_ref().ok()).and_then(Frame::data_ref);
        self.moved += data.map_or(0, Bytes::len);
        if self.moved >= PIECE {
            self.moved = 0;
            self.request.slot.moved(self.request.number, 0);
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

/// An answer's body while it is sent.
struct AnswerBody {
    body: Body,
    /// What was split off from the last frame and is sent next.
    rest: Bytes,
    /// What is freed when `rest` was sent, bytes.
    frees: usize,
    /// Whether bytes are counted as they are produced, because the length was not known.
    is_streamed: bool,
    /// Whether the slot was last informed that there is something to send.
    is_answering: bool,
    request: Arc<SharedRequest>,
}

impl AnswerBody {
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

    /// Reports whether there is something to send, and how many bytes were added.
    fn report(&mut self, is_pending: bool, arrived: usize) -> Result<(), Closing> {
        let SharedRequest { slot, number, .. } = &*self.request;
        self.frees = arrived;
        match (is_pending, self.is_answering) {
            (false, true) if arrived == 0 => return Ok(()),
            (true, false) => return Ok(()),
            (false, _) => slot.answer_ready(*number, arrived)?,
            (true, true) => slot.processing(*number)?,
        }
        self.is_answering = !is_pending;
        Ok(())
    }

    /// The part of a frame that is sent at once; the rest is kept for later.
    fn piece(&mut self, frame: Frame<Bytes>) -> Frame<Bytes> {
        let mut data = match frame.into_data() {
            Ok(data) if data.is_empty() => return Frame::data(data),
            Ok(data) => data,
            Err(trailers) => return trailers,
        };
        self.rest = data.split_off(data.len().min(PIECE));
        // All pieces of a frame share one allocation; the last piece frees it.
        let frees = if self.rest.is_empty() { std::mem::take(&mut self.frees) } else { 0 };
        Frame::data(Bytes::from_owner(Piece { bytes: data, frees, request: Arc::clone(&self.request) }))
    }
}

/// A piece of an answer, in whatever buffer it waits.
struct Piece {
    bytes: Bytes,
    /// What is freed when this is dropped, bytes.
    frees: usize,
    request: Arc<SharedRequest>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // The drop of the request itself reports the last piece.
        if Arc::strong_count(&self.request) > 1 {
            self.request.slot.moved(self.request.number, self.frees);
        }
    }
}

impl HttpBody for AnswerBody {
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
