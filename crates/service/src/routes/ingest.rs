//! `POST /v1/tables/{table}/events`: a post is recorded completely or not at all, and answered once it is
//! durable. The same events again get the same answer; other events under the same numbers are recorded too
//! and reported as a conflict.

use std::sync::Arc;

use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use sealed_log::entry::ProducerId;
use sealed_log_sled::SledReader;
use serde::Serialize;
use utoipa::ToSchema;

use crate::access;
use crate::app_state::{AppState, add};
use crate::json::Json;
use crate::problem::Problem;
use crate::problem_type::ProblemType;
use crate::routes::bodies::{BodyFault, Whole};
use crate::routes::content::form_of;
use crate::routes::dry_run::{AskDryRun, DryRun};
use crate::routes::openapi::{ConflictSchema, Octets, ProblemSchema, Refusals};
use crate::routes::receipts::{ReceiptView, of_known, of_sealed};
use door::drain_body;
use intake::{Form, Gone, Outcome, Post};

/// What a post recorded.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Receipts {
    #[serde(flatten)]
    pub(crate) counts: Counts,
    /// The first 100 sequences that are in conflict; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 100)]
    conflicting: Vec<u64>,
    /// Receipts of the entries that hold the post's events.
    receipts: Vec<ReceiptView>,
    /// The checkpoint that covers them; it is on disk.
    checkpoint: String,
}

/// The answer to a post: what it recorded, or what it would record.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Answer {
    /// The post was recorded.
    Recorded(Receipts),
    /// Nothing was recorded.
    DryRun(DryRun),
}

/// Counts of a post's events.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = PostCounts)]
pub(crate) struct Counts {
    /// Events recorded now.
    pub(crate) recorded: u64,
    /// Events that the log held already.
    pub(crate) already_there: u64,
    /// Events whose numbers other events have as well, recorded now or before.
    pub(crate) conflicts: u64,
    /// Events recorded now that the log may have held already: too many events have their numbers to compare
    /// all. Left out if there are none.
    #[serde(skip_serializing_if = "is_none")]
    #[schema(nullable = false)]
    pub(crate) not_compared: u64,
}

impl From<intake::Counts> for Counts {
    fn from(counts: intake::Counts) -> Self {
        let intake::Counts { recorded, already_there, conflicts, not_compared } = counts;
        Self { recorded, already_there, conflicts, not_compared }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Record events of one table: a post is recorded completely or not at all
///
/// Answers once they are durable. The same events again record nothing and get the receipts of the entries that hold
/// them: the same index and digest, with a proof under the newest checkpoint. Events whose numbers other events have are
/// recorded beside them, and answered 409. Play that breaks a rule is recorded and answered 201 as well: what is wrong with
/// it is a finding.
#[utoipa::path(
    post,
    path = "/v1/tables/{table}/events",
    operation_id = "postEvents",
    tag = "ingest",
    params(
        ("table" = events::TableId, Path, description = "The table"),
        AskDryRun,
        ("x-request-id" = Option<String>, Header, description = "An id for the service's log and for problems: 1 to 64 of letters, digits, `.`, `_` and `-`. Without it the service gives one")
    ),
    request_body(description = "Events of this table, in the order of their sequence: at most 16,384, and 8 MiB \
        unless the service is started with another `--max-body`. CloudEvents are read as well \
        (docs/integrating.md): they are not listed here, so that a generated client has one JSON body", content(
        (Vec<events::Line> = "application/json"),
        (String = "application/x-ndjson"),
        (Octets = "application/cbor"),
        (Octets = "application/cbor-seq")
    )),
    responses(
        (status = 200, description = "The log held all of it already; or what a dry run found", body = Answer),
        (status = 201, description = "Recorded, and durable", body = Receipts),
        (status = 408, description = "The body came too slowly", body = ProblemSchema, content_type = "application/problem+json"),
        (status = 409, description = "Recorded, in addition to others with the same numbers", body = ConflictSchema, content_type = "application/problem+json"),
        (status = 413, description = "The body has more than 8 MiB, or than the service is started to take (`--max-body`)", body = ProblemSchema, content_type = "application/problem+json"),
        (status = 415, description = "No content type that is read", body = ProblemSchema, content_type = "application/problem+json"),
        Refusals
    )
)]
pub(crate) async fn post(
    State(app): State<Arc<AppState>>,
    Path(table): Path<String>,
    Query(ask): Query<AskDryRun>,
    request: Request,
) -> Response {
    match take(Arc::clone(&app), table, ask, request).await {
        Ok(response) => response,
        Err(problem) => {
            if problem.kind() == ProblemType::Busy {
                add(&app.counters.rejected, 1);
            } else if problem.is_refusal() {
                add(&app.counters.refused, 1);
            }
            problem.into_response()
        }
    }
}

async fn take(
    app: Arc<AppState>,
    table: String,
    ask: AskDryRun,
    request: Request,
) -> Result<Response, Problem> {
    let form = match form_of(request.headers()) {
        Ok(form) => form,
        Err(problem) => {
            drain_body(request).await;
            return Err(problem);
        }
    };
    if app.refuses_posts() {
        drain_body(request).await;
        return Err(Problem::of_a_fleet());
    }
    if app.post_slots.available_permits() == 0 {
        return Err(Problem::busy());
    }
    let is_dry_run = match ask.parsed() {
        Ok(is_dry_run) => is_dry_run,
        Err(problem) => {
            drain_body(request).await;
            return Err(problem);
        }
    };
    let producer = access::producer(&request, &app.producer);
    let body = match app.bodies.read(request.into_body()).await {
        Ok(body) => body,
        Err(BodyFault::TooLong) => return Err(Problem::too_large(app.bounds.body)),
        Err(BodyFault::TooSlow) => return Err(Problem::too_slow()),
        Err(BodyFault::Broken) => return Err(Problem::broken()),
        Err(BodyFault::Evicted) => return Err(Problem::busy()),
    };
    // The slot is taken only now: a body that arrives slowly must not block other posts.
    let Ok(slot) = Arc::clone(&app.post_slots).try_acquire_owned() else {
        return Err(Problem::busy());
    };
    // In a separate task: a client that disconnects must leave neither a half-recorded post nor an occupied
    // slot.
    let (gone, watched) = Gone::watched();
    let taken = tokio::spawn(async move {
        let _place = slot;
        let post = app.intake.post(&table, gone);
        if is_dry_run {
            return Ok(Answer::DryRun(post.examine(producer, form, body).await?.into()));
        }
        record(&app, &post, producer, form, body).await.map(Answer::Recorded)
    });
    let taken = taken.await.map_err(|_| Problem::own_fault("a post could not be worked on"))??;
    drop(watched);
    let taken = match taken {
        Answer::Recorded(taken) => taken,
        Answer::DryRun(found) => return Ok(Json(found).into_response()),
    };
    if taken.counts.conflicts > 0 {
        return Err(Problem::conflict(taken));
    }
    let status = if taken.counts.recorded > 0 { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(taken)).into_response())
}

/// Records a post, and collects the receipts of the entries that hold its events.
async fn record(
    app: &AppState,
    post: &Post<'_, SledReader>,
    producer: ProducerId,
    form: Form,
    body: Whole,
) -> Result<Receipts, Problem> {
    let Outcome { counts, conflicting, already_there, sealed, .. } =
        post.record(producer, form, body).await?;
    let (mut receipts, signed) = match sealed {
        Some(sealed) => of_sealed(app, sealed)?,
        None => (Vec::new(), app.with_cosignatures(app.signed_checkpoint())),
    };
    if !already_there.is_empty() {
        receipts.extend(post.work(true, || of_known(app, already_there, &signed)).await??);
        receipts.sort_by_key(|receipt| receipt.index);
    }
    let checkpoint = signed.text().to_owned();
    Ok(Receipts { counts: counts.into(), conflicting, receipts, checkpoint })
}
