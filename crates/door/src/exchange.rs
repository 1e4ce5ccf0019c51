//! One request and its answer, and the bodies that tell how far they are: when the request's is whole, when
//! the answer's is sent.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};

use crate::places::{Closing, Place, Stage};

/// Most that is handed over at once where handing over tells what the client takes, bytes.
const PIECE: usize = 16 << 10;

/// How it is learned that an answer was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sending {
    /// Answers leave one after the other: the connection is flushed after each ([`Place::flushed`]).
    InTurn,
    /// Many at once, each as far as its client lets it: it is asked for the next piece.
    ByPieces,
}

/// One request; it is over when this is dropped.
#[derive(Debug)]
pub(crate) struct Exchange {
    asked: Arc<Asked>,
    sending: Sending,
}

/// How far the request is, shared with its body.
#[derive(Debug)]
struct Asked {
    place: Arc<Place>,
    stage: Mutex<Option<Stage>>,
}

impl Asked {
    /// Goes on to another stage. One that is over stays so.
    fn step(&self, to: Option<Stage>) -> Result<(), Closing> {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if stage.is_none() {
            return Err(Closing);
        }
        self.place.step(*stage, to)?;
        *stage = to;
        Ok(())
    }

    /// The request's body is whole. It may be long since, and the answer be under way.
    fn is_whole(&self) -> Result<(), Closing> {
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        match stage {
            Some(Stage::Arriving) => self.step(Some(Stage::Worked)),
            Some(Stage::Worked | Stage::Given) => Ok(()),
            None => Err(Closing),
        }
    }
}

impl Exchange {
    /// A request came, at least its head.
    ///
    /// # Errors
    /// [`Closing`] on a connection that was chosen to be closed.
    pub(crate) fn begin(
        place: &Arc<Place>,
        body: Incoming,
        sending: Sending,
    ) -> Result<(Self, Arriving), Closing> {
        let stage = if body.is_end_stream() { Stage::Worked } else { Stage::Arriving };
        place.step(None, Some(stage))?;
        let asked = Arc::new(Asked { place: Arc::clone(place), stage: Mutex::new(Some(stage)) });
        Ok((Self { asked: Arc::clone(&asked), sending }, Arriving { body, asked }))
    }

    /// The answer's body, which keeps this until it is sent.
    ///
    /// # Errors
    /// [`Closing`] on a connection that was chosen to be closed.
    pub(crate) fn answer(self, body: Body) -> Result<Body, Closing> {
        self.asked.step(Some(Stage::Given))?;
        Ok(Body::new(Sent { body, rest: Bytes::new(), exchange: self }))
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let mut stage = self.asked.stage.lock().unwrap_or_else(PoisonError::into_inner);
        match (stage.take(), self.sending) {
            (Some(Stage::Given), Sending::InTurn) => self.asked.place.handed_over(),
            // A connection that is being closed counts no more.
            (Some(stage), Sending::InTurn | Sending::ByPieces) => {
                let _ = self.asked.place.step(Some(stage), None);
            }
            (None, _) => {}
        }
    }
}

/// A request's body as it comes in.
pub(crate) struct Arriving {
    body: Incoming,
    asked: Arc<Asked>,
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        // Before anybody works with its last part: what has begun is answered.
        let is_whole = matches!(polled, Poll::Ready(None)) || polled.is_ready() && self.body.is_end_stream();
        match if is_whole { self.asked.is_whole() } else { Ok(()) } {
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
    /// What comes before the rest of the body.
    rest: Bytes,
    exchange: Exchange,
}

impl Sent {
    fn next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.rest)))));
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    /// As much of a frame as is handed over at once.
    fn piece(&mut self, frame: Frame<Bytes>) -> Frame<Bytes> {
        match frame.into_data() {
            Ok(mut data) if self.exchange.sending == Sending::ByPieces && data.len() > PIECE => {
                self.rest = data.split_off(PIECE);
                Frame::data(data)
            }
            Ok(data) => Frame::data(data),
            Err(trailers) => trailers,
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
        let polled = self.next(context).map_ok(|frame| self.piece(frame));
        let stage = if polled.is_pending() { Stage::Worked } else { Stage::Given };
        match self.exchange.asked.step(Some(stage)) {
            Ok(()) => polled,
            Err(closing) => Poll::Ready(Some(Err(axum::Error::new(closing)))),
        }
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
