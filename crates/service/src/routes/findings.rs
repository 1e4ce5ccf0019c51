//! Findings over HTTP: pages, and a stream that can be resumed.

use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::http::header::CACHE_CONTROL;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use follower::{Filter, Page, Published};
use replay::{Code, Severity};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::{IntoParams, ToSchema};

use crate::access::Caller;
use crate::app_state::AppState;
use crate::json::{self, Json};
use crate::live::following::{Following, Progress};
use crate::problem::Problem;
use crate::routes::openapi::Refusals;
use crate::routes::query;
use crate::routes::read_threads;

/// Findings of one page by default; the next constant is the most.
const USUAL: usize = 100;
const MOST: usize = 1_000;
/// Numbers of findings that may be asked for: what a signed integer of 64 bits can hold.
const NUMBERS: RangeInclusive<u64> = 0..=i64::MAX.unsigned_abs();
/// The weights of findings.
const SEVERITIES: [&str; 2] = ["violation", "incomplete"];
/// Most streams at the same time.
pub(crate) const STREAMS: usize = 64;
/// Most findings that wait for a slow reader of a stream.
const WAITING: usize = 64;
/// Longest time a finding waits for a slow reader; then the stream is cut off and can be resumed.
const PATIENCE: Duration = Duration::from_secs(30);
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Which findings, as a query says it.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Ask {
    /// Only findings at this table.
    table: Option<String>,
    /// Only findings in this shoe.
    shoe: Option<String>,
    /// Only findings in this coup.
    #[param(value_type = Option<u32>)]
    coup: Option<String>,
    /// Only findings with this code.
    #[param(value_type = Option<replay::schema::KnownCode>)]
    code: Option<String>,
    /// Only findings of this weight.
    #[param(value_type = Option<Severity>)]
    severity: Option<String>,
    /// Only findings after the one with this number.
    #[param(value_type = Option<u64>, maximum = 9_223_372_036_854_775_807_u64)]
    after: Option<String>,
}

/// How many findings, as a query says it; a stream has no pages.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageLength {
    /// Most findings of one page, 1 to 1,000; 100 by default.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 1_000)]
    limit: Option<String>,
}

impl PageLength {
    fn parsed(self) -> Result<usize, Problem> {
        let limit = query::number("limit", self.limit.as_deref(), &(1..=MOST as u64))?;
        Ok(limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(USUAL))
    }
}

/// What a query asks for.
struct Asked {
    filter: Filter,
    after: u64,
}

impl Ask {
    fn parsed(self) -> Result<Asked, Problem> {
        let codes = || Code::ALL.iter().map(|code| code.as_str()).collect();
        let after = query::number("after", self.after.as_deref(), &NUMBERS)?;
        let coup = query::number("coup", self.coup.as_deref(), &(0..=u64::from(u32::MAX)))?;
        let filter = Filter {
            table: self.table,
            shoe: self.shoe,
            coup: coup.and_then(|coup| u32::try_from(coup).ok()),
            code: query::word("code", self.code, codes)?,
            severity: query::word("severity", self.severity, || SEVERITIES.to_vec())?,
        };
        Ok(Asked { filter, after: after.unwrap_or(0) })
    }
}

/// One page of findings.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FindingsPage)]
pub(crate) struct PageView {
    #[schema(value_type = Vec<Published>)]
    findings: Vec<Box<RawValue>>,
    /// Ask for the findings after this number next. It is never below the `after` that was asked for.
    next: u64,
    /// How many findings there are in all.
    published: u64,
    #[serde(flatten)]
    progress: Progress,
}

/// Findings, in the order in which they were published
#[utoipa::path(
    get,
    path = "/v1/findings",
    operation_id = "listFindings",
    tag = "certification",
    params(Ask, PageLength),
    responses((status = 200, description = "Findings after a number", body = PageView), Refusals)
)]
pub(crate) async fn page(
    State(app): State<Arc<AppState>>,
    Query(ask): Query<Ask>,
    Query(length): Query<PageLength>,
) -> Result<Response, Problem> {
    let (Asked { filter, after }, limit) = (ask.parsed()?, length.parsed()?);
    let following = app.following()?;
    let page = read_threads::ask(move || {
        // Read before the findings: whoever sees that all is judged also sees all that was found.
        let progress = Progress::of(&following, &app);
        let findings = following.follower().findings();
        let page = findings.page(&filter, after, limit).map_err(unreadable)?;
        let findings = page.lines.into_iter().map(|(_, line)| RawValue::from_string(line)).collect();
        let findings = Result::<_, serde_json::Error>::map_err(findings, |error| unreadable(error.into()))?;
        let (next, published) = (page.next, page.published);
        Ok::<_, Problem>(PageView { findings, next, published, progress })
    });
    Ok(([(CACHE_CONTROL, "no-cache")], Json(page.await??)).into_response())
}

fn unreadable(error: std::io::Error) -> Problem {
    Problem::own_fault(format!("the findings cannot be read: {error}"))
}

/// The findings after a number, then each new one (server-sent events)
///
/// The `data` of each event is a `PublishedFinding` as JSON. Comments keep the connection open while nothing is found; it has
/// no end. A client that reconnects with `Last-Event-ID` continues where it was.
#[utoipa::path(
    get,
    path = "/v1/findings/stream",
    operation_id = "streamFindings",
    tag = "certification",
    params(Ask, ("last-event-id" = Option<u64>, Header, maximum = 9_223_372_036_854_775_807_u64, description = "Goes before `after`")),
    responses((status = 200, description = "Events `finding`, their ids the findings' numbers", body = String, content_type = "text/event-stream"), Refusals)
)]
pub(crate) async fn stream(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    caller: Option<Extension<Caller>>,
    Query(ask): Query<Ask>,
) -> Result<Response, Problem> {
    let (Asked { filter, after }, following) = (ask.parsed()?, app.following()?);
    let after = last_seen(&headers)?.unwrap_or(after);
    let open = app.streams.open(caller.map(|Extension(caller)| caller.token()))?;
    let (sender, receiver) = channel(WAITING);
    tokio::spawn(async move {
        send_findings(&following, &filter, after, &sender).await;
        drop(open);
    });
    let stream = Sse::new(ReceiverStream::new(receiver));
    Ok(stream.keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

/// The number of the last finding that a client says it has seen.
fn last_seen(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(last) = headers.get("last-event-id") else { return Ok(None) };
    let last = String::from_utf8_lossy(last.as_bytes());
    query::number("last-event-id", Some(last.trim()), &NUMBERS)
}

/// Sends findings until the client is gone or does not read, or the service stops.
async fn send_findings(
    following: &Arc<Following>,
    filter: &Filter,
    mut after: u64,
    sender: &Sender<Result<Event, Infallible>>,
) {
    let mut news = following.news();
    loop {
        let (shared, filter) = (Arc::clone(following), filter.clone());
        let page =
            read_threads::go_on(move || shared.follower().findings().page(&filter, after, USUAL)).await;
        let Ok(Ok(Page { lines, next, published })) = page else { return };
        // A client whose filter matches nothing is never sent anything, so its absence would not be noticed
        // by sending.
        if sender.is_closed() || following.is_stopping() {
            return;
        }
        for (number, line) in lines {
            let event = Event::default().id(number.to_string()).event("finding").data(json::escaped(line));
            if !matches!(timeout(PATIENCE, sender.send(Ok(event))).await, Ok(Ok(()))) {
                return;
            }
        }
        after = next;
        if after < published {
            continue;
        }
        tokio::select! {
            changed = news.changed() => if changed.is_err() { return },
            () = sender.closed() => return,
        }
        if following.is_stopping() {
            return;
        }
    }
}
