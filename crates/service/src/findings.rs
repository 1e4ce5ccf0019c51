//! What was found, for whoever asks: pages, and a stream that can be taken up again.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::http::header::CACHE_CONTROL;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Json, extract::rejection::QueryRejection};
use follower::{Filter, Page};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::{IntoParams, ToSchema};

use crate::following::{Following, Progress};
use crate::openapi::{PublishedTold, Refusals};
use crate::problem::Problem;
use crate::readers;
use crate::room::Room;

/// Findings of one page, unless others are asked for, and at most.
const USUAL: usize = 100;
const MOST: usize = 1_000;
/// Streams at once.
pub(crate) const STREAMS: usize = 64;
/// Findings that wait for a slow reader of a stream,
const WAITING: usize = 64;
/// and how long; then it is cut off, and may come again.
const PATIENCE: Duration = Duration::from_secs(30);
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Which findings, and from where.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Ask {
    table: Option<String>,
    shoe: Option<String>,
    #[param(value_type = Option<u64>, maximum = 4294967295_u64)]
    coup: Option<u32>,
    code: Option<String>,
    severity: Option<String>,
    /// Read on behind the finding with this number.
    #[serde(default, deserialize_with = "number")]
    after: u64,
    /// Findings of one page, 1 to 1,000; 100 unless asked.
    limit: Option<usize>,
}

impl Ask {
    fn filter(&self) -> Filter {
        Filter {
            table: self.table.clone(),
            shoe: self.shoe.clone(),
            coup: self.coup,
            code: self.code.clone(),
            severity: self.severity.clone(),
        }
    }
}

/// A finding's number, as JSON's readers everywhere can hold it.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = u64::deserialize(deserializer)?;
    i64::try_from(number).map(|_| number).map_err(D::Error::custom)
}

pub(crate) type Asked<T> = Result<Query<T>, QueryRejection>;

pub(crate) fn asked<T>(query: Asked<T>) -> Result<T, Problem> {
    query.map(|Query(ask)| ask).map_err(|error| Problem::query(&error.body_text()))
}

/// One page of findings.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PageTold {
    #[schema(value_type = Vec<PublishedTold>)]
    findings: Vec<Box<RawValue>>,
    /// Ask for those after this number next.
    next: u64,
    /// How many findings there are in all.
    published: u64,
    #[serde(flatten)]
    progress: Progress,
}

/// What was found, in the order in which it showed
#[utoipa::path(
    get,
    path = "/v1/findings",
    tag = "certification",
    params(Ask),
    responses((status = 200, description = "Findings behind a number", body = PageTold), Refusals)
)]
pub(crate) async fn page(State(room): State<Arc<Room>>, query: Asked<Ask>) -> Result<Response, Problem> {
    let (ask, following) = (asked(query)?, room.following()?);
    let most = ask.limit.unwrap_or(USUAL).clamp(1, MOST);
    let page = readers::ask(move || {
        let findings = following.follower().findings();
        let page = findings.page(&ask.filter(), ask.after, most).map_err(unreadable)?;
        let findings = page.lines.into_iter().map(|(_, line)| RawValue::from_string(line)).collect();
        let findings = Result::<_, serde_json::Error>::map_err(findings, |error| unreadable(error.into()))?;
        let (next, published) = (page.next, page.published);
        Ok::<_, Problem>(PageTold { findings, next, published, progress: Progress::of(&following, &room) })
    });
    Ok(([(CACHE_CONTROL, "no-cache")], Json(page.await??)).into_response())
}

fn unreadable(error: std::io::Error) -> Problem {
    Problem::own_fault(format!("the findings cannot be read: {error}"))
}

/// The findings behind a number, then each as it shows (server-sent events)
///
/// A client that comes again with `Last-Event-ID` goes on where it was.
#[utoipa::path(
    get,
    path = "/v1/findings/stream",
    tag = "certification",
    params(Ask, ("last-event-id" = Option<u64>, Header, description = "Goes before `after`")),
    responses((status = 200, description = "Events `finding`, their ids the findings' numbers", body = String, content_type = "text/event-stream"), Refusals)
)]
pub(crate) async fn stream(
    State(room): State<Arc<Room>>,
    headers: HeaderMap,
    query: Asked<Ask>,
) -> Result<Response, Problem> {
    let (mut ask, following) = (asked(query)?, room.following()?);
    if let Some(last) = headers.get("last-event-id") {
        let number = last.to_str().ok().and_then(|text| text.trim().parse().ok());
        ask.after = number.ok_or_else(|| Problem::query("Last-Event-ID: not the number of a finding"))?;
    }
    let place = Arc::clone(&room.streams).try_acquire_owned().map_err(|_| Problem::busy())?;
    let (sender, receiver) = channel(WAITING);
    tokio::spawn(async move {
        tell(&following, &ask.filter(), ask.after, &sender).await;
        drop(place);
    });
    let stream = Sse::new(ReceiverStream::new(receiver));
    Ok(stream.keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

/// Sends until the client is gone, does not read, or the service stops.
async fn tell(
    following: &Arc<Following>,
    filter: &Filter,
    mut after: u64,
    sender: &Sender<Result<Event, Infallible>>,
) {
    let mut news = following.news();
    loop {
        let (shared, filter) = (Arc::clone(following), filter.clone());
        let page = readers::go_on(move || shared.follower().findings().page(&filter, after, USUAL)).await;
        let Ok(Ok(Page { lines, next, published })) = page else { return };
        // Who asks for what there is none of is never sent anything, and could not be seen to be gone by that.
        if sender.is_closed() || following.is_stopping() {
            return;
        }
        for (number, line) in lines {
            let event = Event::default().id(number.to_string()).event("finding").data(line);
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
