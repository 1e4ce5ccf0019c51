//! The state of tables, shoes and coups. A shoe is judged on request, from its own entries and its table's
//! opening.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use replay::{
    Counts, CoupVerdict, CoupView, Entry, Finding, Judge, Reason, ShoeLocation, ShoeMarks, TableState, Wanted,
};
use sealed_log::entry::ChainName;
use sealed_log::redaction::parse_kept;
use sealed_log::store::StoreReader as _;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::json::Json;
use crate::live::following::{Following, Progress};
use crate::problem::Problem;
use crate::routes::openapi::Refusals;
use crate::routes::query;
use crate::routes::read_threads::ask;
use crate::routes::table_list::{self, AskTables};
use intake::IntakeError;

/// Most bytes of entries read for one shoe; of a longer shoe only that part is judged.
const MOST_BYTES: usize = 32 << 20;

/// The schema of the list of tables; `table_list` writes it.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what the answer looks like")]
#[schema(as = TableList)]
pub(crate) struct TableListView {
    tables: Vec<TableState>,
    /// Ask for the tables after this one next; left out if there are none.
    #[schema(nullable = false)]
    next: Option<String>,
    #[serde(flatten)]
    progress: Progress,
}

/// The state of every table
///
/// The answer is written while it is read: a table may have been judged further than `judged` says.
#[utoipa::path(
    get,
    path = "/v1/tables",
    operation_id = "listTables",
    tag = "certification",
    params(AskTables),
    responses((status = 200, description = "All tables, by name", body = TableListView), Refusals)
)]
pub(crate) async fn all(
    State(app): State<Arc<AppState>>,
    Query(ask): Query<AskTables>,
) -> Result<Response, Problem> {
    table_list::answer(&app, app.following()?, ask).await
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Table)]
pub(crate) struct TableView {
    #[serde(flatten)]
    table_state: TableState,
    /// The location of its newest shoes, oldest first.
    #[serde(rename = "places")]
    locations: Vec<ShoeLocation>,
    #[serde(flatten)]
    progress: Progress,
}

/// The state of one table, and the location of its newest shoes
#[utoipa::path(
    get,
    path = "/v1/tables/{table}",
    operation_id = "getTable",
    tag = "certification",
    params(("table" = events::TableId, Path, description = "The table")),
    responses((status = 200, description = "The table", body = TableView), Refusals)
)]
pub(crate) async fn one(
    State(app): State<Arc<AppState>>,
    Path(table): Path<String>,
) -> Result<Response, Problem> {
    let following = app.following()?;
    let answer = ask(move || {
        // Read before the table: it is judged at least this far.
        let progress = Progress::of(&following, &app);
        let (table_state, locations) = {
            let follower = following.follower();
            let table_state = follower.table(&table).ok_or_else(|| no_table(&table))?;
            (table_state, follower.shoes(&table))
        };
        Ok::<_, Problem>(TableView { table_state, locations, progress })
    });
    Ok(fresh(answer.await??))
}

/// The result of one coup.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CoupSummary)]
pub(crate) struct CoupSummary {
    coup: u32,
    verdict: CoupVerdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    undecided: Option<Reason>,
}

/// A shoe, judged by itself.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Shoe)]
pub(crate) struct ShoeView {
    table: String,
    #[serde(flatten)]
    location: ShoeLocation,
    /// Log indexes of the entries it was judged from.
    entries: Vec<u64>,
    /// Results of its coups.
    coups: Counts,
    /// Result of the shoe as a whole.
    shoes: Counts,
    each: Vec<CoupSummary>,
    findings: Vec<Finding>,
}

/// A shoe, judged by itself from its entries and its table's opening
#[utoipa::path(
    get,
    path = "/v1/tables/{table}/shoes/{shoe}",
    operation_id = "getShoe",
    tag = "certification",
    params(("table" = events::TableId, Path, description = "The table"), ("shoe" = events::Name, Path, description = "The shoe")),
    responses((status = 200, description = "The shoe", body = ShoeView), Refusals)
)]
pub(crate) async fn shoe(
    State(app): State<Arc<AppState>>,
    Path((table, shoe)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let following = app.following()?;
    let answer = ask(move || {
        let record = shoe_record(&app, &following, &table, &shoe)?;
        let judgement = judge(&table, &shoe, None, &record);
        let ShoeRecord { location, entries, .. } = record;
        let each = judgement.coup_views.iter().map(|answer| CoupSummary {
            coup: answer.coup,
            verdict: answer.verdict,
            undecided: answer.undecided,
        });
        Ok::<_, Problem>(ShoeView {
            each: each.collect(),
            entries: entries.keys().copied().collect(),
            coups: judgement.summary.coups,
            shoes: judgement.summary.shoes,
            findings: judgement.findings,
            table,
            location,
        })
    });
    Ok(fresh(answer.await??))
}

/// A coup in full detail: the view of `audit show coup`, and the entries it was judged from.
#[derive(Debug, ToSchema)]
#[schema(as = Coup)]
pub(crate) struct CoupInFullView {
    #[serde(flatten)]
    answer: CoupView,
    /// Log indexes of the entries that hold its first and last event.
    #[schema(value_type = Vec<u64>, min_items = 2, max_items = 2)]
    coup_entries: (u64, u64),
    /// Log indexes of the entries its shoe was judged from.
    #[schema(value_type = Vec<u64>)]
    entries: Vec<u64>,
}

/// The view of a coup has `entries` of its own; an object has no member twice.
impl Serialize for CoupInFullView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serde_json::to_value(&self.answer).map_err(S::Error::custom)?;
        members["coup_entries"] = serde_json::json!(self.coup_entries);
        members["entries"] = serde_json::json!(self.entries);
        members.serialize(serializer)
    }
}

/// A coup in full detail
#[utoipa::path(
    get,
    path = "/v1/tables/{table}/shoes/{shoe}/coups/{coup}",
    operation_id = "getCoup",
    tag = "certification",
    params(("table" = events::TableId, Path, description = "The table"), ("shoe" = events::Name, Path, description = "The shoe"), ("coup" = u64, Path, maximum = 4294967295_i64, description = "Its number in the shoe")),
    responses((status = 200, description = "The coup", body = CoupInFullView), Refusals)
)]
pub(crate) async fn coup(
    State(app): State<Arc<AppState>>,
    Path((table, shoe, coup)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    let coup = query::number("coup", Some(&coup), &(0..=u64::from(u32::MAX)))?;
    let coup = coup.and_then(|coup| u32::try_from(coup).ok()).unwrap_or_default();
    let following = app.following()?;
    let answer = ask(move || {
        let record = shoe_record(&app, &following, &table, &shoe)?;
        let answer = judge(&table, &shoe, Some(coup), &record).coup_views.into_iter().next();
        let answer = answer.ok_or_else(|| {
            Problem::absent(&format!("shoe {shoe} of table {table} has no coup {coup}, or it has not begun"))
        })?;
        let coup_entries = answer.entries;
        Ok::<_, Problem>(CoupInFullView {
            answer,
            coup_entries,
            entries: record.entries.keys().copied().collect(),
        })
    });
    Ok(fresh(answer.await??))
}

fn fresh(answer: impl Serialize) -> Response {
    ([(CACHE_CONTROL, "no-cache")], Json(answer)).into_response()
}

fn no_table(table: &str) -> Problem {
    Problem::absent(&format!("nothing of a table {table} was judged yet; /v1/tables has those there are"))
}

/// Entries by log index.
pub(crate) type Entries = BTreeMap<u64, Vec<u8>>;

/// What a shoe is judged from.
pub(crate) struct ShoeRecord {
    location: ShoeLocation,
    /// Its own entries, and those with its table's opening and limits.
    pub(crate) entries: Entries,
    /// Its events that corrections in later shoes name.
    corrected_later: Vec<u64>,
}

/// What a shoe is judged from.
pub(crate) fn shoe_record(
    app: &AppState,
    following: &Following,
    table: &str,
    shoe: &str,
) -> Result<ShoeRecord, Problem> {
    let follower = following.follower();
    let table_state = follower.table(table).ok_or_else(|| no_table(table))?;
    let shoes = follower.shoes(table);
    let location = shoes.into_iter().rev().find(|location| location.shoe == shoe).ok_or_else(|| {
        Problem::absent(&format!(
            "table {table} has no shoe {shoe} among its newest {}; `audit show` shows older ones from an archive",
            replay::MAX_SHOE_LOCATIONS
        ))
    })?;
    let corrected_later = follower.corrected_after(table, &location);
    drop(follower);
    let chain = ChainName::new(table).map_err(IntakeError::Table)?;
    let last = location.last.unwrap_or_else(|| table_state.next.saturating_sub(1));
    let mut entries = Entries::new();
    for sequence in &location.opening {
        entries.extend(located(app, &chain, *sequence, *sequence)?);
    }
    entries.extend(located(app, &chain, location.first, last)?);
    Ok(ShoeRecord { location, entries, corrected_later })
}

/// The acknowledged entries that cover these positions of a chain; not all if there are very many.
pub(crate) fn located(app: &AppState, chain: &ChainName, first: u64, last: u64) -> Result<Entries, Problem> {
    let (size, store) = (app.signed_checkpoint().checkpoint().size, app.reader()?);
    let (mut entries, mut bytes) = (Entries::new(), 0);
    let visited = store.visit(chain, first..=last, &mut |index, entry| {
        if index < size {
            bytes += entry.len();
            entries.insert(index, entry.to_vec());
        }
        if bytes < MOST_BYTES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    visited.map_err(IntakeError::from)?;
    Ok(entries)
}

/// A shoe, judged by itself with views of its coups or of one of them, and what the record says of it beside them.
pub(crate) fn judged_shoe(
    app: &AppState,
    following: &Following,
    table: &str,
    shoe: &str,
    coup: Option<u32>,
) -> Result<(replay::Judgement, ShoeMarks), Problem> {
    let record = shoe_record(app, following, table, shoe)?;
    let mut marks = ShoeMarks::new(shoe);
    let kept = record.entries.iter().filter_map(|(index, bytes)| Some((index, parse_kept(bytes).ok()?)));
    for (index, kept) in kept {
        let entry = Entry { withheld: kept.withheld.is_some(), ..Entry::of(*index, &kept.view) };
        marks.read([&entry]);
    }
    Ok((judge(table, shoe, coup, &record), marks))
}

/// The coups of a shoe by result.
pub(crate) fn shoe_counts(
    app: &AppState,
    following: &Following,
    table: &str,
    shoe: &str,
) -> Result<Counts, Problem> {
    let record = shoe_record(app, following, table, shoe)?;
    Ok(judge(table, shoe, None, &record).summary.coups)
}

fn judge(table: &str, shoe: &str, coup: Option<u32>, record: &ShoeRecord) -> replay::Judgement {
    let ShoeRecord { location, entries, corrected_later } = record;
    let wanted = Wanted { table: Some(table.to_owned()), shoe: Some(shoe.to_owned()), coup };
    let mut judge = Judge::new(None, Some(wanted));
    let begins: BTreeSet<u64> = location.opening.iter().copied().chain([location.first]).collect();
    let entries: Vec<Entry<'_>> = entries
        .iter()
        .filter_map(|(index, bytes)| {
            let kept = parse_kept(bytes).ok()?;
            let view = kept.view;
            let covers_a_begin = begins.range(view.first..=view.last()).next().is_some();
            let (withheld, after_left_out) = (kept.withheld.is_some(), covers_a_begin && view.first > 1);
            Some(Entry { withheld, after_left_out, ..Entry::of(*index, &view) })
        })
        .collect();
    judge.corrected_later(table, corrected_later.clone());
    judge.judge(&entries);
    judge.finish()
}
