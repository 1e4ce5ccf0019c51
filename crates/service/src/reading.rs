//! What can be read: checkpoint and tiles (C2SP tlog-tiles), entries and their proofs, the whole log as an
//! archive. Nothing of it has to be trusted.

use std::io::{self, Write};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use sealed_log::{
    Acknowledgement, ArchiveWriteError, ArchiveWriter, Digest, Receipt, ResourceError, SequencerHandle,
    SignedCheckpoint, Store as _, TreeResource, VerifierKey,
};
use sealed_log_sled::SledStore;
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;

use crate::intake::IntakeError;
use crate::problem::Problem;
use crate::room::Room;

const TEXT: &str = "text/plain; charset=utf-8";
const BYTES: &str = "application/octet-stream";
/// Entries read between two commits while an archive is written.
const ENTRIES_AT_ONCE: usize = 1_024;
/// Pieces of an archive that wait for a slow reader.
const PIECES: usize = 8;

pub(crate) async fn checkpoint(State(room): State<Arc<Room>>) -> Response {
    let text = room.head().text().to_owned();
    ([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, "no-cache")], text).into_response()
}

pub(crate) async fn key(State(room): State<Arc<Room>>) -> Response {
    ([(CONTENT_TYPE, TEXT)], format!("{}\n", room.key)).into_response()
}

pub(crate) async fn tile(State(room): State<Arc<Room>>, Path(path): Path<String>) -> Response {
    let Ok(resource) = format!("tile/{path}").parse::<TreeResource>() else {
        return Problem::absent("no tile has this path (C2SP tlog-tiles)").into_response();
    };
    let head = room.head();
    let read = blocking(move || room.log.view(move |store| resource.bytes(store, &head))).await;
    match read {
        Ok(Ok(Ok(bytes))) => {
            let forever = "public, max-age=31536000, immutable";
            ([(CONTENT_TYPE, BYTES), (CACHE_CONTROL, forever)], bytes).into_response()
        }
        Ok(Ok(Err(ResourceError::Store(error)))) => Problem::stopped(error.to_string()).into_response(),
        Ok(Ok(Err(error))) => Problem::absent(&error.to_string()).into_response(),
        Ok(Err(error)) => Problem::from(IntakeError::Log(error)).into_response(),
        Err(problem) => problem.into_response(),
    }
}

pub(crate) async fn entry(State(room): State<Arc<Room>>, Path(index): Path<u64>) -> Response {
    match proof_of(room, index).await {
        Ok(proof) => match proof.entry() {
            Some(entry) => ([(CONTENT_TYPE, BYTES)], entry.to_vec()).into_response(),
            None => Problem::absent("the entry's payload was erased").into_response(),
        },
        Err(problem) => problem.into_response(),
    }
}

pub(crate) async fn proof(State(room): State<Arc<Room>>, Path(index): Path<u64>) -> Response {
    match proof_of(room, index).await {
        Ok(proof) => ([(CONTENT_TYPE, TEXT)], proof.to_string()).into_response(),
        Err(problem) => problem.into_response(),
    }
}

async fn proof_of(room: Arc<Room>, index: u64) -> Result<sealed_log::EntryProof, Problem> {
    let head = room.head();
    let size = head.checkpoint().size;
    if index >= size {
        return Err(Problem::absent(&format!("the log has {size} entries, counted from 0")));
    }
    let receipts = vec![Receipt { index, digest: Digest::ZERO, tree_size: size }];
    let proven = blocking(move || room.log.prove(&Acknowledgement { receipts, head })).await?;
    let proofs = proven.map_err(|error| Problem::stopped(error.to_string()))?;
    proofs.into_iter().next().ok_or_else(|| Problem::own_fault("no proof was made"))
}

pub(crate) async fn blocking<R: Send + 'static>(
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<R, Problem> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Problem::own_fault("a request could not be worked on"))
}

/// The log up to its newest head, written as it is sent: memory is bounded, and commits go on between.
pub(crate) async fn archive(State(room): State<Arc<Room>>) -> Response {
    let (sender, receiver) = channel(PIECES);
    let (log, head, key) = (room.log.clone(), room.head(), room.key.clone());
    tokio::task::spawn_blocking(move || {
        let pipe = Pipe { sender: sender.clone(), piece: Vec::with_capacity(Pipe::PIECE) };
        if let Err(error) = write_archive(pipe, &log, &head, &key) {
            // The reader sees an archive that is cut off, and is told so by it.
            let _ = sender.blocking_send(Err(io::Error::other(error.to_string())));
        }
    });
    let body = Body::from_stream(ReceiverStream::new(receiver));
    (StatusCode::OK, [(CONTENT_TYPE, BYTES)], body).into_response()
}

fn write_archive(
    pipe: Pipe,
    log: &SequencerHandle<SledStore>,
    head: &SignedCheckpoint,
    key: &VerifierKey,
) -> Result<(), ArchiveWriteError> {
    let mut writer = ArchiveWriter::new(pipe, Some(head), Some(key))?;
    let (mut next, size) = (0, head.checkpoint().size);
    while next < size {
        let most = usize::try_from(size - next).unwrap_or(ENTRIES_AT_ONCE).min(ENTRIES_AT_ONCE);
        let gone =
            |error: sealed_log::SubmitError| ArchiveWriteError::Io(io::Error::other(error.to_string()));
        let entries = log.view(move |store| store.read(next, most)).map_err(gone)??;
        if entries.is_empty() {
            return Err(ArchiveWriteError::NotTheSigned { entries: next, size });
        }
        for entry in entries.iter().take(most) {
            writer.push(entry)?;
            next += 1;
        }
    }
    writer.finish().map(drop)
}

/// Sends what is written in pieces; waits for a reader that is slow, stops with one that is gone.
struct Pipe {
    sender: Sender<Result<Bytes, io::Error>>,
    piece: Vec<u8>,
}

impl Pipe {
    /// Bytes of a piece.
    const PIECE: usize = 64 << 10;
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= Self::PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(Self::PIECE));
        self.sender.blocking_send(Ok(piece.into())).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
