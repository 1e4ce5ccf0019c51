//! How tables, shoes and coups stand, for whoever asks. A shoe is judged by itself when it is asked for,
//! from its entries and from its table's opening.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use replay::{
    Counts, CoupVerdict, CoupView, Entry, Finding, Judge, Reason, ShoeLocation, TableState, Wanted,
};
use sealed_log::{ChainName, StoreReader as _, parse_kept};
use serde::Serialize;
use utoipa::ToSchema;

use crate::findings::{Asked, asked};
use crate::following::{Following, Progress};
use crate::intake::IntakeError;
use crate::openapi::{CountsTold, FindingTold, Refusals, ShoePlaceTold, TableStandingTold};
use crate::problem::Problem;
use crate::readers::ask;
use crate::room::Room;
use crate::table_list::{self, AskTables};

/// Bytes of entries read for one shoe; of one that has more it is told what is in as many.
const MOST_BYTES: usize = 32 << 20;

/// What all tables look like; `table_list` writes it.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what the answer looks like")]
pub(crate) struct TablesTold {
    #[schema(value_type = Vec<TableStandingTold>)]
    tables: Vec<TableState>,
    /// Ask for those behind this one next; left out where there are none.
    #[schema(nullable = false)]
    next: Option<String>,
    #[serde(flatten)]
    progress: Progress,
}

/// How every table stands
///
/// The answer is written while it is read: a table may have been judged further than `judged` says.
#[utoipa::path(
    get,
    path = "/v1/tables",
    tag = "certification",
    params(AskTables),
    responses((status = 200, description = "All tables, by name", body = TablesTold), Refusals)
)]
pub(crate) async fn all(State(room): State<Arc<Room>>, query: Asked<AskTables>) -> Result<Response, Problem> {
    table_list::answer(&room, room.following()?, asked(query)?).await
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableTold {
    #[serde(flatten)]
    #[schema(value_type = TableStandingTold)]
    standing: TableState,
    /// Where its newest shoes are, oldest first.
    #[schema(value_type = Vec<ShoePlaceTold>)]
    places: Vec<ShoeLocation>,
    #[serde(flatten)]
    progress: Progress,
}

/// How one table stands, and where its newest shoes are
#[utoipa::path(
    get,
    path = "/v1/tables/{table}",
    tag = "certification",
    params(("table" = String, Path, description = "The table")),
    responses((status = 200, description = "The table", body = TableTold), Refusals)
)]
pub(crate) async fn one(
    State(room): State<Arc<Room>>,
    Path(table): Path<String>,
) -> Result<Response, Problem> {
    let following = room.following()?;
    let told = ask(move || {
        let (standing, places) = {
            let follower = following.follower();
            let standing = follower.table(&table).ok_or_else(|| no_table(&table))?;
            (standing, follower.shoes(&table))
        };
        Ok::<_, Problem>(TableTold { standing, places, progress: Progress::of(&following, &room) })
    });
    Ok(fresh(told.await??))
}

/// One coup in short.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CoupInShort {
    coup: u32,
    #[schema(value_type = String)]
    verdict: CoupVerdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    undecided: Option<Reason>,
}

/// A shoe, judged by itself.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ShoeTold {
    table: String,
    #[serde(flatten)]
    #[schema(value_type = ShoePlaceTold)]
    place: ShoeLocation,
    /// Log indexes of the entries it was judged from.
    entries: Vec<u64>,
    /// What its coups came to,
    #[schema(value_type = CountsTold)]
    coups: Counts,
    /// and the shoe as a whole.
    #[schema(value_type = CountsTold)]
    shoes: Counts,
    each: Vec<CoupInShort>,
    #[schema(value_type = Vec<FindingTold>)]
    findings: Vec<Finding>,
}

/// A shoe, judged by itself from its entries and its table's opening
#[utoipa::path(
    get,
    path = "/v1/tables/{table}/shoes/{shoe}",
    tag = "certification",
    params(("table" = String, Path, description = "The table"), ("shoe" = String, Path, description = "The shoe")),
    responses((status = 200, description = "The shoe", body = ShoeTold), Refusals)
)]
pub(crate) async fn shoe(
    State(room): State<Arc<Room>>,
    Path((table, shoe)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let following = room.following()?;
    let told = ask(move || {
        let (place, entries) = shoe_entries(&room, &following, &table, &shoe)?;
        let judgement = judge(&table, &shoe, None, &place, &entries);
        let each = judgement.coup_views.iter().map(|told| CoupInShort {
            coup: told.coup,
            verdict: told.verdict,
            undecided: told.undecided,
        });
        Ok::<_, Problem>(ShoeTold {
            each: each.collect(),
            entries: entries.keys().copied().collect(),
            coups: judgement.summary.coups,
            shoes: judgement.summary.shoes,
            findings: judgement.findings,
            table,
            place,
        })
    });
    Ok(fresh(told.await??))
}

/// A coup, told in full.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CoupInFull {
    #[serde(flatten)]
    #[schema(value_type = Object)]
    told: CoupView,
    /// Log indexes of the entries its shoe was judged from.
    entries: Vec<u64>,
}

/// A coup, told in full
#[utoipa::path(
    get,
    path = "/v1/tables/{table}/shoes/{shoe}/coups/{coup}",
    tag = "certification",
    params(("table" = String, Path, description = "The table"), ("shoe" = String, Path, description = "The shoe"), ("coup" = u64, Path, maximum = 4294967295_i64, description = "Its number in the shoe")),
    responses((status = 200, description = "The coup", body = CoupInFull), Refusals)
)]
pub(crate) async fn coup(
    State(room): State<Arc<Room>>,
    Path((table, shoe, coup)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    let coup = coup.parse().map_err(|_| Problem::query(&format!("`{coup}` is no coup's number")))?;
    let following = room.following()?;
    let told = ask(move || {
        let (place, entries) = shoe_entries(&room, &following, &table, &shoe)?;
        let told = judge(&table, &shoe, Some(coup), &place, &entries).coup_views.into_iter().next();
        let told = told.ok_or_else(|| {
            Problem::absent(&format!("shoe {shoe} of table {table} has no coup {coup}, or it has not begun"))
        })?;
        Ok::<_, Problem>(CoupInFull { told, entries: entries.keys().copied().collect() })
    });
    Ok(fresh(told.await??))
}

fn fresh(told: impl Serialize) -> Response {
    ([(CACHE_CONTROL, "no-cache")], Json(told)).into_response()
}

fn no_table(table: &str) -> Problem {
    Problem::absent(&format!("nothing of a table {table} was judged yet; /v1/tables has those there are"))
}

/// Entries by log index.
pub(crate) type Entries = BTreeMap<u64, Vec<u8>>;

/// A shoe's place, and the entries it is judged from: its own, its table's opening and limits.
pub(crate) fn shoe_entries(
    room: &Room,
    following: &Following,
    table: &str,
    shoe: &str,
) -> Result<(ShoeLocation, Entries), Problem> {
    let (standing, shoes) = {
        let follower = following.follower();
        (follower.table(table).ok_or_else(|| no_table(table))?, follower.shoes(table))
    };
    let place = shoes.into_iter().rev().find(|place| place.shoe == shoe).ok_or_else(|| {
        Problem::absent(&format!(
            "table {table} has no shoe {shoe} among its newest {}; `audit show` tells older ones from an archive",
            replay::MAX_SHOE_LOCATIONS
        ))
    })?;
    let chain = ChainName::new(table).map_err(IntakeError::Table)?;
    let last = place.last.unwrap_or_else(|| standing.next.saturating_sub(1));
    let mut entries = Entries::new();
    for sequence in &place.opening {
        entries.extend(located(room, &chain, *sequence, *sequence)?);
    }
    entries.extend(located(room, &chain, place.first, last)?);
    Ok((place, entries))
}

/// The acknowledged entries that cover these positions of a chain; where there are very many, not all.
pub(crate) fn located(room: &Room, chain: &ChainName, first: u64, last: u64) -> Result<Entries, Problem> {
    let (size, store) = (room.head().checkpoint().size, room.reader()?);
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

fn judge(
    table: &str,
    shoe: &str,
    coup: Option<u32>,
    place: &ShoeLocation,
    entries: &Entries,
) -> replay::Judgement {
    let wanted = Wanted { table: Some(table.to_owned()), shoe: Some(shoe.to_owned()), coup };
    let mut judge = Judge::new(None, Some(wanted));
    let begins: BTreeSet<u64> = place.opening.iter().copied().chain([place.first]).collect();
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
    judge.judge(&entries);
    judge.finish()
}
