//! The state of all tables as one answer of any length: written while it is sent, a few tables at a time, so
//! that it neither delays judging nor fills memory.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use crate::app_state::AppState;
use crate::json;
use crate::live::following::{Following, Progress};
use crate::problem::Problem;
use crate::routes::query;
use crate::routes::read_threads;

/// Tables read between two steps of judging: some hundred microseconds.
const AT_ONCE: usize = 256;

/// Which tables.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AskTables {
    /// Only tables whose names come after this one.
    after: Option<String>,
    /// Most tables in the answer, at least 1 (0 is read as 1); all of them by default.
    #[param(value_type = Option<u64>, minimum = 0, maximum = 9_223_372_036_854_775_807_u64)]
    limit: Option<String>,
}

/// Sends the first tables at once, and the others as the client reads.
pub(crate) async fn answer(
    app: &AppState,
    following: Arc<Following>,
    ask: AskTables,
) -> Result<Response, Problem> {
    let limit = query::number("limit", ask.limit.as_deref(), &(0..=i64::MAX.unsigned_abs()))?;
    let left = limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX).max(1));
    // Read before the first table: every table is judged at least this far.
    let progress = Progress::of(&following, app);
    let after = ask.after.unwrap_or_default();
    let list = List { following, progress, after, left, begins: true };
    let first = read_threads::ask(|| list.part()).await??;
    let (sender, receiver) = channel(1);
    tokio::spawn(send(first, sender));
    let headers = [(CACHE_CONTROL, "no-cache"), (CONTENT_TYPE, "application/json")];
    Ok((headers, Body::from_stream(ReceiverStream::new(receiver))).into_response())
}

/// Sends part by part; each is made when the one before was taken.
async fn send(mut part: Part, sender: Sender<Result<Bytes, &'static str>>) {
    loop {
        if sender.send(Ok(part.text.into())).await.is_err() {
            return;
        }
        let Some(rest) = part.rest else { return };
        part = match read_threads::go_on(|| rest.part()).await {
            Ok(Ok(part)) => part,
            Ok(Err(_)) | Err(_) => {
                // The client sees that the answer is cut off.
                let _ = sender.send(Err("the tables cannot be written")).await;
                return;
            }
        };
    }
}

/// A part of the answer, and the list of what is left.
struct Part {
    text: Vec<u8>,
    rest: Option<List>,
}

/// The part of the list that is left.
struct List {
    following: Arc<Following>,
    progress: Progress,
    /// The name of the last table that was sent.
    after: String,
    /// Most tables that may still be sent.
    left: usize,
    begins: bool,
}

/// The members after the list of tables.
#[derive(Serialize)]
struct End<'a> {
    /// Ask for the tables after this one next; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'a str>,
    #[serde(flatten)]
    progress: &'a Progress,
}

impl List {
    fn part(mut self) -> Result<Part, Problem> {
        let (tables, are_all) = {
            let follower = self.following.follower();
            let mut behind = follower.tables_after(&self.after);
            let tables: Vec<_> = behind.by_ref().take(self.left.min(AT_ONCE)).collect();
            (tables, behind.next().is_none())
        };
        let mut text = if self.begins { br#"{"tables":["#.to_vec() } else { Vec::new() };
        for table in tables {
            if !std::mem::take(&mut self.begins) {
                text.push(b',');
            }
            let table_text = json::text(&table).map_err(|error| unwritten(&error))?;
            text.extend_from_slice(table_text.as_bytes());
            self.after = table.table;
            self.left -= 1;
        }
        if !are_all && self.left > 0 {
            return Ok(Part { text, rest: Some(self) });
        }
        let end = End { next: (!are_all).then_some(&self.after), progress: &self.progress };
        let end = json::text(&end).map_err(|error| unwritten(&error))?;
        text.extend_from_slice(b"],");
        text.extend_from_slice(end.trim_start_matches('{').as_bytes());
        Ok(Part { text, rest: None })
    }
}

fn unwritten(error: &serde_json::Error) -> Problem {
    Problem::own_fault(format!("the tables cannot be written: {error}"))
}
