//! `POST /v1/tables/{table}/events`: a post is recorded completely or not at all, and answered once it is
//! durable. The same events again get the same answer; other events under the same numbers are recorded too
//! and reported as a conflict.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use sealed_log::entry::ProducerId;
use sealed_log::writer::Submission;
use serde::Serialize;
use tokio::sync::SemaphorePermit;
use tokio::task::block_in_place;
use utoipa::ToSchema;

use crate::access;
use crate::app_state::{AppState, add};
use crate::json::Json;
use crate::problem::Problem;
use crate::recorder::RecordedEvents;
use crate::routes::bodies::{BodyFault, Whole};
use crate::routes::content::form_of;
use crate::routes::dry_run::{AskDryRun, DryRun, MOST_LISTED};
use crate::routes::openapi::{ConflictSchema, Octets, ProblemSchema, Refusals};
use crate::routes::receipts::{ReceiptView, of_known, seal, submit};
use door::drain_body;
use intake::clock::now;
use intake::{
    Allowance, Before, Examined, Form, Groups, Known, Recorded, SamePost, Taken, examine, read_events,
};

/// A post of at least this many bytes is parsed outside the async threads, because that takes a millisecond
/// or more.
const LONG: usize = 64 << 10;
/// Most bytes of the log that one post is compared with (about a second of processor time). Events beyond
/// that are recorded again and reported as not compared.
const MOST_COMPARED: usize = 64 << 20;

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
            if problem.is_refusal() {
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
        return Err(rejected(&app));
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
        Err(BodyFault::Evicted) => return Err(rejected(&app)),
    };
    // The slot is taken only now: a body that arrives slowly must not block other posts.
    let Ok(slot) = Arc::clone(&app.post_slots).try_acquire_owned() else {
        return Err(rejected(&app));
    };
    // In a separate task: a client that disconnects must leave neither a half-recorded post nor an occupied
    // slot.
    let (gone, watched) = Gone::watched();
    let taken = tokio::spawn(async move {
        let _place = slot;
        let post = Post { app: &app, table: &table, gone };
        if is_dry_run {
            return post.examine(producer, form, body).await.map(Answer::DryRun);
        }
        post.record(producer, form, body).await.map(Answer::Recorded)
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

fn rejected(app: &AppState) -> Problem {
    add(&app.counters.rejected, 1);
    Problem::busy()
}

/// Whether the client of a post disconnected.
#[derive(Debug, Clone, Default)]
struct Gone(Arc<AtomicBool>);

/// Sets the flag when the request is dropped.
struct Watched(Gone);

impl Gone {
    fn watched() -> (Self, Watched) {
        let gone = Self::default();
        (gone.clone(), Watched(gone))
    }

    /// An error if the client is gone; called while nothing of the post is recorded.
    fn check(&self) -> Result<(), Problem> {
        if self.0.load(Ordering::Relaxed) { Err(Problem::broken()) } else { Ok(()) }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// A post that is being processed.
pub(crate) struct Post<'a> {
    app: &'a AppState,
    table: &'a str,
    gone: Gone,
}

impl<'a> Post<'a> {
    /// A post whose client stays.
    pub(crate) fn new(app: &'a AppState, table: &'a str) -> Self {
        Self { app, table, gone: Gone::default() }
    }

    /// Records a message that came another way than over HTTP. It has no proofs: whoever sent it knows where to ask.
    pub(crate) async fn record_message(&self, form: Form, message: &[u8]) -> Result<RecordedEvents, Problem> {
        let app = self.app;
        let is_long = message.len() > LONG;
        let _bytes = if is_long { Some(self.memory(message.len()).await?) } else { None };
        let lines = self.work(is_long, || read_events(self.table, form, message)).await??;
        let sequences = || lines.iter().map(|(_, line)| line.sequence);
        let (first, last) = (sequences().min().unwrap_or(0), sequences().max().unwrap_or(0));
        let seal = async |submissions: Vec<Submission>| match submissions.is_empty() {
            true => Ok(Vec::new()),
            false => Ok(submit(app, submissions).await?.entries),
        };
        let producer = app.producer.clone();
        let (Took { counts, already_there, .. }, sealed) = self.take(producer, lines, is_long, seal).await?;
        let mut entries = already_there;
        entries.extend(sealed.iter().map(|receipt| receipt.index));
        let Counts { recorded, already_there, conflicts, .. } = counts;
        Ok(RecordedEvents {
            first,
            last,
            entries: entries.into_iter().collect(),
            recorded,
            already_there,
            conflicts,
        })
    }

    /// Records the post. Posts to the same table are recorded one after the other.
    async fn record(&self, producer: ProducerId, form: Form, body: Whole) -> Result<Receipts, Problem> {
        let app = self.app;
        let is_long = body.bytes.len() > LONG;
        let _bytes = if is_long { Some(self.memory(body.bytes.len()).await?) } else { None };
        let lines = self.work(is_long, || read_events(self.table, form, &body.bytes)).await??;
        drop(body);
        let seal = async |submissions| seal(app, submissions).await;
        let (taken, (mut receipts, signed)) = self.take(producer, lines, is_long, seal).await?;
        let Took { counts, already_there, conflicting } = taken;
        if !already_there.is_empty() {
            receipts.extend(self.work(true, || of_known(app, already_there, &signed)).await??);
            receipts.sort_by_key(|receipt| receipt.index);
        }
        let checkpoint = signed.text().to_owned();
        Ok(Receipts { counts, conflicting, receipts, checkpoint })
    }

    /// Compares events with the log and has the new ones sealed. Posts to the same table come one after the other.
    async fn take<R>(
        &self,
        producer: ProducerId,
        lines: Vec<Taken>,
        is_long: bool,
        seal: impl AsyncFnOnce(Vec<Submission>) -> Result<R, Problem>,
    ) -> Result<(Took, R), Problem> {
        let app = self.app;
        let _not_reopened = app.reopen_lock()?;
        let table = app.tables.table(self.table).ok_or_else(|| rejected(app))?;
        let mut known = table.turn().await;
        let asks_the_log = !lines.iter().all(|(_, line)| known.is_beyond(line.sequence));
        let sorted = self.work(is_long || asks_the_log, || self.sort(producer, &mut known, lines)).await?;
        known.forget_entries();
        let Sorted { submissions, fresh, counts, already_there, conflicting } = sorted?;
        let sealed = seal(submissions).await?;
        fresh.into_iter().for_each(|sequence| known.note(sequence));
        drop(known);
        add(&app.counters.events, counts.recorded);
        add(&app.counters.repeated, counts.already_there);
        add(&app.counters.conflicts, counts.conflicts);
        Ok((Took { counts, already_there, conflicting }, sealed))
    }

    /// Says what the post would record. Nothing is changed, so it does not wait for other posts to the table.
    async fn examine(&self, producer: ProducerId, form: Form, body: Whole) -> Result<DryRun, Problem> {
        let _bytes = if body.bytes.len() > LONG { Some(self.memory(body.bytes.len()).await?) } else { None };
        let Examined { taken, errors, error_count } =
            self.work(true, || examine(self.table, form, &body.bytes)).await?;
        drop(body);
        let sorted = self.work(true, || self.sort(producer, &mut Known::default(), taken)).await??;
        Ok(DryRun::of(&sorted.counts, sorted.conflicting, errors, error_count))
    }

    /// Waits until there is memory for a long post. The post holds nothing else while it waits.
    async fn memory(&self, bytes: usize) -> Result<SemaphorePermit<'_>, Problem> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let memory = self.app.long_posts.acquire_many(bytes).await;
        self.gone.check()?;
        memory.map_err(|_| Problem::own_fault("there is no memory for long posts"))
    }

    /// Runs long work on a blocking thread, within the limit for such work. Work that waits for the limit
    /// holds no table that running work needs.
    async fn work<R>(&self, takes_long: bool, work: impl FnOnce() -> R) -> Result<R, Problem> {
        if !takes_long {
            return Ok(work());
        }
        let turn = self.app.cpu_permits.acquire().await;
        let _turn = turn.map_err(|_| Problem::own_fault("there are no turns"))?;
        self.gone.check()?;
        Ok(block_in_place(work))
    }

    /// Compares the events with the log.
    fn sort(&self, producer: ProducerId, known: &mut Known, lines: Vec<Taken>) -> Result<Sorted, Problem> {
        let mut same_post = SamePost::of(lines.iter().map(|(_, line)| line));
        let before: Vec<Before> = lines.iter().map(|(_, line)| same_post.compare(line)).collect();
        let there = self.compare(known, &lines, &before)?;
        let mut groups = Groups::new(producer, false, now);
        let mut sorted = Sorted::default();
        for ((length, line), (before, there)) in lines.into_iter().zip(before.into_iter().zip(there)) {
            let conflicts = sorted.counts.conflicts;
            let is_new = sorted.is_new(before, there);
            if sorted.counts.conflicts > conflicts && sorted.conflicting.len() < MOST_LISTED {
                sorted.conflicting.push(line.sequence);
            }
            if is_new {
                sorted.fresh.insert(line.sequence);
                groups.add(line, length)?;
            }
        }
        groups.close_all()?;
        sorted.submissions = groups.take_ready();
        sorted.counts.recorded = sorted.submissions.iter().map(|entry| u64::from(entry.count)).sum();
        Ok(sorted)
    }

    /// Compares each event with the log, in order of their numbers, because events of one entry are then read
    /// together.
    fn compare(
        &self,
        known: &mut Known,
        lines: &[Taken],
        before: &[Before],
    ) -> Result<Vec<Recorded>, Problem> {
        let (store, mut allowance) = (self.app.reader()?, Allowance::bytes(MOST_COMPARED));
        let mut there = vec![Recorded::Missing; lines.len()];
        let asked =
            lines.iter().zip(before).zip(&mut there).filter(|((_, before), _)| **before != Before::Same);
        let mut asked: Vec<_> = asked.map(|(((_, line), _), there)| (line, there)).collect();
        asked.sort_by_key(|(line, _)| line.sequence);
        for (line, there) in asked {
            self.gone.check()?;
            if known.may_be_there(&store, self.table, line.sequence)? {
                *there = known.compare(&store, line, &mut allowance)?;
            }
        }
        Ok(there)
    }
}

/// What became of the events of a post.
struct Took {
    counts: Counts,
    /// The entries that already held events of the post.
    already_there: BTreeSet<u64>,
    /// The first sequences that other events have as well.
    conflicting: Vec<u64>,
}

/// The events of a post after comparison with the log.
#[derive(Default)]
struct Sorted {
    /// The new events, grouped into entries.
    submissions: Vec<Submission>,
    /// The sequences of the new events.
    fresh: BTreeSet<u64>,
    counts: Counts,
    /// The first sequences that other events have as well.
    conflicting: Vec<u64>,
    /// The entries that already hold events of the post.
    already_there: BTreeSet<u64>,
}

impl Sorted {
    /// Counts an event and returns whether it must be recorded.
    fn is_new(&mut self, before: Before, there: Recorded) -> bool {
        if before == Before::Same {
            self.counts.already_there += 1;
            return false;
        }
        match there {
            Recorded::Same { entry, disputed } => {
                self.counts.already_there += 1;
                self.counts.conflicts += u64::from(disputed);
                self.already_there.insert(entry);
                return false;
            }
            Recorded::Other => self.counts.conflicts += 1,
            Recorded::NotCompared => self.counts.not_compared += 1,
            Recorded::Missing => match before {
                Before::Other => self.counts.conflicts += 1,
                Before::NotCompared => self.counts.not_compared += 1,
                Before::Same | Before::Nothing => {}
            },
        }
        true
    }
}
