//! `POST /v1/tables/{table}/events`: all of a post is recorded or nothing of it, and the answer goes out
//! once it is durable. The same events again get the same answer; others under the same numbers are
//! recorded too, and called a conflict.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use sealed_log::{ProducerId, Submission};
use serde::Serialize;
use tokio::task::block_in_place;
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::access;
use crate::bodies::{BodyFault, Whole};
use crate::body::{Form, Taken, read_events};
use crate::content::form_of;
use crate::intake::{Before, Groups, Seen, Standing, Within};
use crate::openapi::{EventTold, Octets, ProblemTold, Refusals};
use crate::problem::Problem;
use crate::receipts::{ReceiptTold, of_known, seal};
use crate::room::{Room, add, now};
use crate::server::BODY_TIME;

/// A body of so many bytes is read aside: it takes a millisecond and more.
const LONG: usize = 256 << 10;

/// What was recorded, in one answer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Receipts {
    /// Events recorded now.
    pub(crate) recorded: u64,
    /// Events that the log held already.
    pub(crate) already_there: u64,
    /// Events under numbers that others have as well, recorded now or before.
    pub(crate) conflicts: u64,
    /// The entries that hold them all.
    receipts: Vec<ReceiptTold>,
    /// The signed head that covers them; it is on disk.
    checkpoint: String,
}

/// Record events of one table: all of a post or nothing of it
///
/// Answers once they are durable. The same events again get the same receipts. Events under numbers that
/// others have as well are recorded beside them, and answered 409.
#[utoipa::path(
    post,
    path = "/v1/tables/{table}/events",
    tag = "ingest",
    params(("table" = String, Path, description = "The table")),
    request_body(content(
        (Vec<EventTold> = "application/json"),
        (String = "application/x-ndjson"),
        (Octets = "application/cbor"),
        (Octets = "application/cbor-seq"),
        (Object = "application/cloudevents+json"),
        (Vec<Object> = "application/cloudevents-batch+json")
    )),
    responses(
        (status = 200, description = "The log held all of it already", body = Receipts),
        (status = 201, description = "Recorded, and durable", body = Receipts),
        (status = 408, description = "The body came too slowly", body = ProblemTold, content_type = "application/problem+json"),
        (status = 409, description = "Recorded, beside others with the same numbers", body = ProblemTold, content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = ProblemTold, content_type = "application/problem+json"),
        (status = 415, description = "No content type that is read", body = ProblemTold, content_type = "application/problem+json"),
        Refusals
    )
)]
pub(crate) async fn post(
    State(room): State<Arc<Room>>,
    Path(table): Path<String>,
    request: Request,
) -> Response {
    match take(Arc::clone(&room), table, request).await {
        Ok(response) => response,
        Err(problem) => {
            if problem.is_refusal() {
                add(&room.counters.refused, 1);
            }
            problem.into_response()
        }
    }
}

async fn take(room: Arc<Room>, table: String, request: Request) -> Result<Response, Problem> {
    let form = form_of(request.headers())?;
    if room.places.available_permits() == 0 {
        return Err(turned_away(&room));
    }
    let producer = access::producer(&request, &room.producer);
    let body = match timeout(BODY_TIME, room.bodies.read(request.into_body())).await {
        Ok(Ok(body)) => body,
        Ok(Err(BodyFault::TooLong)) => return Err(Problem::too_large(room.bounds.body)),
        Ok(Err(BodyFault::Broken)) => return Err(Problem::broken()),
        Ok(Err(BodyFault::GaveWay)) => return Err(turned_away(&room)),
        Err(_) => return Err(Problem::too_slow()),
    };
    // Not before: a body that comes slowly keeps no other post away.
    let Ok(place) = Arc::clone(&room.places).try_acquire_owned() else {
        return Err(turned_away(&room));
    };
    // On its own: whoever breaks the connection off leaves neither the table half taken nor the place free.
    let taken = tokio::spawn(async move {
        let _place = place;
        record(&room, producer, &table, form, body).await
    });
    let taken = taken.await.map_err(|_| Problem::own_fault("a post could not be worked on"))??;
    if taken.conflicts > 0 {
        return Err(Problem::conflict(taken));
    }
    let status = if taken.recorded > 0 { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(taken)).into_response())
}

fn turned_away(room: &Room) -> Problem {
    add(&room.counters.turned_away, 1);
    Problem::busy()
}

/// Records a post. One table's posts are recorded one after the other.
async fn record(
    room: &Room,
    producer: ProducerId,
    table: &str,
    form: Form,
    body: Whole,
) -> Result<Receipts, Problem> {
    let is_long = body.bytes.len() > LONG;
    let lines = aside(is_long, || read_events(table, form, &body.bytes))?;
    let _taking = room.taking()?;
    let lock = room.tables.table(table);
    let mut seen = lock.lock().await;
    let asks_the_log = !lines.iter().all(|(_, line)| seen.is_beyond(table, line.sequence));
    let Sorted { submissions, already_there, conflicts, known, fresh } =
        aside(is_long || asks_the_log, || sort(room, producer, &mut seen, table, lines))?;
    let recorded = submissions.iter().map(|submission| u64::from(submission.count)).sum();
    let (mut receipts, head) = seal(room, submissions).await?;
    for sequence in fresh {
        seen.note(table, sequence);
    }
    drop((seen, body));
    if !known.is_empty() {
        receipts.extend(block_in_place(|| of_known(room, known, &head))?);
        receipts.sort_by_key(|receipt| receipt.index);
    }
    add(&room.counters.events, recorded);
    add(&room.counters.repeated, already_there);
    add(&room.counters.conflicts, conflicts);
    let checkpoint = head.text().to_owned();
    Ok(Receipts { recorded, already_there, conflicts, receipts, checkpoint })
}

/// Does what takes long, or waits for the log's writer, where it holds up nobody else's connection.
fn aside<R>(takes_long: bool, work: impl FnOnce() -> R) -> R {
    if takes_long { block_in_place(work) } else { work() }
}

/// A post's events, held against what the log has.
struct Sorted {
    /// What is new, in entries.
    submissions: Vec<Submission>,
    /// The sequences of that.
    fresh: BTreeSet<u64>,
    already_there: u64,
    conflicts: u64,
    /// The entries that hold what is already there.
    known: BTreeSet<u64>,
}

fn sort(
    room: &Room,
    producer: ProducerId,
    seen: &mut Seen,
    table: &str,
    lines: Vec<Taken>,
) -> Result<Sorted, Problem> {
    let mut groups = Groups::new(producer, false, now);
    let (mut already_there, mut conflicts, mut known) = (0, 0, BTreeSet::new());
    let mut fresh: BTreeSet<u64> = BTreeSet::new();
    let mut within = Within::of(lines.iter().map(|(_, line)| line));
    for (length, line) in lines {
        let before = within.standing(&line);
        if before == Before::Same {
            already_there += 1;
            continue;
        }
        let there = seen.may_be_there(&room.log, table, line.sequence)?;
        match if there { seen.standing(&room.log, &line)? } else { Standing::Missing } {
            Standing::Same { entry, disputed } => {
                already_there += 1;
                conflicts += u64::from(disputed);
                known.insert(entry);
                continue;
            }
            Standing::Other => conflicts += 1,
            Standing::Missing => conflicts += u64::from(before == Before::Other),
        }
        fresh.insert(line.sequence);
        groups.add(line, length)?;
    }
    groups.close_all()?;
    Ok(Sorted { submissions: groups.take_ready(), fresh, already_there, conflicts, known })
}
