//! The whole log, or one shoe of it, sent as an archive. It is written while it is sent, so memory is
//! bounded; a client that does not read is cut off.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use sealed_log::archive::{ArchiveWriteError, ArchiveWriter, write_slice};
use sealed_log::entry::ChainName;
use sealed_log::entry::LOG_CHAIN;
use sealed_log::store::{StoreNodes, StoreReader};
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;

use crate::app_state::AppState;
use crate::problem::Problem;
use crate::routes::openapi::{Octets, Refusals};
use crate::routes::read_threads::ask;
use crate::routes::reading::BYTES;
use crate::routes::tables::{located, shoe_record};

/// Most archives that are written at the same time.
pub(crate) const ARCHIVES: usize = 4;
/// Entries read at once while an archive is written.
const ENTRIES_AT_ONCE: usize = 1_024;
/// Most pieces of an archive that wait for a slow reader.
const PIECES: usize = 8;
/// Longest time a piece waits for a slow reader; then the reader is cut off.
const PATIENCE: Duration = Duration::from_secs(30);

/// The whole log as an archive, up to the newest checkpoint
#[utoipa::path(
    get,
    path = "/v1/archive",
    operation_id = "getArchive",
    tag = "log",
    responses(
        (status = 200, description = "For `audit verify log`", body = Octets, content_type = "application/octet-stream"),
        Refusals
    )
)]
pub(crate) async fn archive(State(app): State<Arc<AppState>>) -> Result<Response, Problem> {
    let slot = Arc::clone(&app.archives).try_acquire_owned().map_err(|_| Problem::busy())?;
    Ok(([(CONTENT_TYPE, BYTES)], whole(&app, slot)?).into_response())
}

/// A shoe as an archive: its entries and its table's opening; proofs replace all other entries
#[utoipa::path(
    get,
    path = "/v1/tables/{table}/shoes/{shoe}/archive",
    operation_id = "getShoeArchive",
    tag = "log",
    params(
        ("table" = events::TableId, Path, description = "The table"),
        ("shoe" = events::Name, Path, description = "The shoe")
    ),
    responses(
        (status = 200, description = "For `audit verify log`", body = Octets, content_type = "application/octet-stream"),
        Refusals
    )
)]
pub(crate) async fn shoe(
    State(app): State<Arc<AppState>>,
    Path((table, shoe)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let _place = Arc::clone(&app.archives).try_acquire_owned().map_err(|_| Problem::busy())?;
    let bytes = ask(move || slice(&app, &table, &shoe)).await??;
    Ok(([(CONTENT_TYPE, BYTES)], bytes).into_response())
}

fn whole(app: &Arc<AppState>, slot: OwnedSemaphorePermit) -> Result<Body, Problem> {
    let (sender, receiver) = channel(PIECES);
    let (signed, key, runtime) = (app.signed_checkpoint(), app.key.clone(), Handle::current());
    let store = app.reader()?;
    let write = move || {
        let _place = slot;
        let pipe = Pipe { sender: sender.clone(), piece: Vec::with_capacity(Pipe::PIECE), runtime };
        if let Err(error) = write_archive(pipe, &store, &signed, &key) {
            // The reader sees from the archive itself that it is cut off.
            let _ = sender.try_send(Err(io::Error::other(error.to_string())));
        }
    };
    // A separate thread: a slow reader must not occupy one that posts need.
    std::thread::Builder::new()
        .name("archive".to_owned())
        .spawn(write)
        .map_err(|error| Problem::own_fault(format!("there is no thread for it: {error}")))?;
    Ok(Body::from_stream(ReceiverStream::new(receiver)))
}

fn write_archive(
    pipe: Pipe,
    store: &impl StoreReader,
    signed: &SignedCheckpoint,
    key: &VerifierKey,
) -> Result<(), ArchiveWriteError> {
    let mut writer = ArchiveWriter::new(pipe, Some(signed), Some(key))?;
    let (mut next, size) = (0, signed.checkpoint().size);
    while next < size {
        let most = usize::try_from(size - next).unwrap_or(ENTRIES_AT_ONCE).min(ENTRIES_AT_ONCE);
        let entries = store.read(next, most)?;
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

/// One shoe with its table's opening and the log's own entries; proofs replace all others.
fn slice(app: &AppState, table: &str, shoe: &str) -> Result<Vec<u8>, Problem> {
    let following = app.following()?;
    let mut entries = shoe_record(app, &following, table, shoe)?.entries;
    let own = ChainName::new(LOG_CHAIN).map_err(|error| Problem::own_fault(error.to_string()))?;
    entries.extend(located(app, &own, 1, u64::MAX)?);
    // These are read last, so they cover all the entries.
    let (signed, store, mut bytes) = (app.signed_checkpoint(), app.reader()?, Vec::new());
    let written = write_slice(&mut bytes, &StoreNodes(&store), &signed, Some(&app.key), &entries);
    written.map_err(|error| Problem::own_fault(format!("the slice cannot be written: {error}")))?;
    Ok(bytes)
}

/// Sends what is written in pieces. Waits for a slow reader; stops when the reader is gone.
struct Pipe {
    sender: Sender<Result<Bytes, io::Error>>,
    piece: Vec<u8>,
    runtime: Handle,
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
        let sent =
            self.runtime.block_on(async { timeout(PATIENCE, self.sender.send(Ok(piece.into()))).await });
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the archive is not read")),
        }
    }
}
