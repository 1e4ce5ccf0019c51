//! Reading the log: checkpoint and tiles (C2SP tlog-tiles), entries and their proofs. Clients can verify all
//! of it and need not trust the service.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use sealed_log::entry::Digest;
use sealed_log::proof::EntryProof;
use sealed_log::store::{ResourceError, StoreReader as _, resource_bytes};
use tlog::tile::TreeResource;

use crate::app_state::AppState;
use crate::problem::{Problem, start_of};
use crate::routes::openapi::{Octets, Refusals};
use crate::routes::read_threads::ask;
use intake::IntakeError;

const TEXT: &str = "text/plain; charset=utf-8";
pub(crate) const BYTES: &str = "application/octet-stream";
/// Leaf hashes read at once in a search.
const LEAVES_AT_ONCE: u64 = 65_536;
/// Most entries, from the newest on, that are searched for a digest: about a second of processor time.
const MOST_SEARCHED: u64 = 16 << 20;

/// The newest checkpoint (C2SP tlog-checkpoint); where the service asks witnesses, the newest one that enough of
/// them signed
#[utoipa::path(
    get,
    path = "/checkpoint",
    operation_id = "getCheckpoint",
    tag = "log",
    responses((status = 200, description = "A signed note", body = String, content_type = "text/plain"), Refusals)
)]
pub(crate) async fn checkpoint(State(app): State<Arc<AppState>>) -> Response {
    let text = app.cosigned().unwrap_or_else(|| app.signed_checkpoint()).text().to_owned();
    ([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, "no-cache")], text).into_response()
}

/// The log's verifier key; obtain it independently as well, and compare
#[utoipa::path(
    get,
    path = "/v1/key",
    operation_id = "getKey",
    tag = "log",
    responses((status = 200, description = "C2SP signed-note verifier key", body = String, content_type = "text/plain"), Refusals)
)]
pub(crate) async fn key(State(app): State<Arc<AppState>>) -> Response {
    ([(CONTENT_TYPE, TEXT)], format!("{}\n", app.key)).into_response()
}

/// Hashes of the tree (C2SP tlog-tiles)
///
/// `tile/entries/...` holds the digests of the entries, 32 bytes each, not the entries. A tile that is not full is asked for
/// with its width, as in `tile/entries/000.p/85`.
#[utoipa::path(
    get,
    path = "/tile/{*path}",
    operation_id = "getTile",
    tag = "log",
    params(("path" = String, Path, description = "`0/000`, `0/x001/234.p/5`, `entries/000`")),
    responses((status = 200, description = "A tile", body = Octets, content_type = "application/octet-stream"), Refusals)
)]
pub(crate) async fn tile(State(app): State<Arc<AppState>>, Path(path): Path<String>) -> Response {
    let Ok(resource) = format!("tile/{path}").parse::<TreeResource>() else {
        return Problem::absent("no tile has this path (C2SP tlog-tiles)").into_response();
    };
    let read = ask(move || {
        let signed = app.signed_checkpoint();
        resource_bytes(&app.reader()?, &signed, &resource).map_err(|error| match error {
            ResourceError::Store(error) => Problem::stopped(error.to_string()),
            absent @ ResourceError::Beyond { .. } => Problem::absent(&absent.to_string()),
        })
    });
    match read.await {
        Ok(Ok(bytes)) => {
            let forever = "public, max-age=31536000, immutable";
            ([(CONTENT_TYPE, BYTES), (CACHE_CONTROL, forever)], bytes).into_response()
        }
        Ok(Err(problem)) | Err(problem) => problem.into_response(),
    }
}

/// The bytes of an entry
#[utoipa::path(
    get,
    path = "/v1/entries/{entry}",
    operation_id = "getEntry",
    tag = "log",
    params(("entry" = String, Path, pattern = "^([0-9]{1,19}|[0-9a-f]{64})$", description = "Its index, or its digest")),
    responses((status = 200, description = "Canonical bytes", body = Octets, content_type = "application/octet-stream"), Refusals)
)]
pub(crate) async fn entry(
    State(app): State<Arc<AppState>>,
    Path(entry): Path<String>,
) -> Result<Response, Problem> {
    let proof = proof_of(app, &entry).await?;
    let bytes = proof.entry().ok_or_else(|| Problem::absent("the entry's payload was erased"))?;
    Ok(([(CONTENT_TYPE, BYTES)], bytes.to_vec()).into_response())
}

/// An entry's proof under the newest checkpoint (C2SP tlog-proof); where the service asks witnesses, under the newest
/// one that enough of them signed, if it covers the entry
#[utoipa::path(
    get,
    path = "/v1/entries/{entry}/proof",
    operation_id = "getEntryProof",
    tag = "log",
    params(("entry" = String, Path, pattern = "^([0-9]{1,19}|[0-9a-f]{64})$", description = "Its index, or its digest")),
    responses((status = 200, description = "A proof that holds the entry", body = String, content_type = "text/plain"), Refusals)
)]
pub(crate) async fn proof(
    State(app): State<Arc<AppState>>,
    Path(entry): Path<String>,
) -> Result<Response, Problem> {
    let proof = proof_of(app, &entry).await?;
    Ok(([(CONTENT_TYPE, TEXT)], proof.to_string()).into_response())
}

/// The index of an entry that is named by index or digest.
async fn index_of(app: &Arc<AppState>, entry: &str) -> Result<u64, Problem> {
    let Ok(digest) = entry.parse::<Digest>() else {
        let number = entry.parse().ok().filter(|_| entry.bytes().all(|byte| byte.is_ascii_digit()));
        return number.ok_or_else(|| {
            let wanted = "neither an entry's index nor its digest (64 hexadecimal digits)";
            Problem::refused_parameter("entry", Vec::new(), &format!("`{}` is {wanted}", start_of(entry)))
        });
    };
    let slot = Arc::clone(&app.searches).try_acquire_owned().map_err(|_| Problem::busy())?;
    let app = Arc::clone(app);
    let found = ask(move || {
        let _place = slot;
        searched(&app, &digest)
    });
    found.await??.ok_or_else(|| {
        Problem::absent(&format!(
            "none of the newest {MOST_SEARCHED} entries of the log has this digest; an older one can be asked for \
             by its index"
        ))
    })
}

/// Searches the leaf hashes of the newest entries for a digest, newest first.
fn searched(app: &AppState, digest: &Digest) -> Result<Option<u64>, Problem> {
    let (leaf, size, store) = (digest.leaf_hash(), app.signed_checkpoint().checkpoint().size, app.reader()?);
    let (mut end, last) = (size, size.saturating_sub(MOST_SEARCHED));
    while end > last {
        let begin = end.saturating_sub(LEAVES_AT_ONCE).max(last);
        let count = usize::try_from(end - begin).unwrap_or(usize::MAX);
        let leaves = store.leaf_hashes(begin, count).map_err(IntakeError::from)?;
        if let Some(slot) = leaves.iter().rposition(|found| *found == leaf) {
            return Ok(Some(begin + slot as u64));
        }
        end = begin;
    }
    Ok(None)
}

async fn proof_of(app: Arc<AppState>, entry: &str) -> Result<sealed_log::proof::EntryProof, Problem> {
    let index = index_of(&app, entry).await?;
    let signed = app.checkpoint_for(index);
    let size = signed.checkpoint().size;
    if index >= size {
        return Err(Problem::absent(&format!("the log has {size} entries, counted from 0")));
    }
    let proven = ask(move || {
        let store = app.reader()?;
        EntryProof::read(&store, &signed, index).map_err(|error| Problem::stopped(error.to_string()))
    });
    proven.await?
}

pub(crate) async fn blocking<R: Send + 'static>(
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<R, Problem> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Problem::own_fault("a request could not be worked on"))
}
