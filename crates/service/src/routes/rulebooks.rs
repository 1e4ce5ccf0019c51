//! The rulebooks by which the tables of the log were judged, as the newest certificate has them.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Query, State};
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use replay::RulebookUsed;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::json::Json;
use crate::live::following::Progress;
use crate::problem::Problem;
use crate::routes::certificate::Certificates;
use crate::routes::openapi::Refusals;
use crate::routes::query;

/// Rulebooks of one page by default; the next constant is the most.
const USUAL: usize = 100;
const MOST: usize = 1_000;

/// Which rulebooks.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AskRulebooks {
    /// Only rulebooks whose digests come after this one.
    after: Option<String>,
    /// Most rulebooks of one page, 1 to 1,000; 100 by default.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 1_000)]
    limit: Option<String>,
}

/// Rulebooks by which tables were judged.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulebookList)]
pub(crate) struct RulebookListView {
    rulebooks: Vec<RulebookUsed>,
    /// Ask for the rulebooks after this digest next; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next: Option<String>,
    #[serde(flatten)]
    progress: Progress,
}

/// The rulebooks that the log knows, by their digests
///
/// They are those of the newest certificate: of a rulebook in force that no coup was settled under yet, `coups` is 0.
#[utoipa::path(
    get,
    path = "/v1/rulebooks",
    operation_id = "listRulebooks",
    tag = "certification",
    params(AskRulebooks),
    responses((status = 200, description = "Rulebooks after a digest", body = RulebookListView), Refusals)
)]
pub(crate) async fn list(
    State(app): State<Arc<AppState>>,
    Extension(certificates): Extension<Certificates>,
    Query(AskRulebooks { after, limit }): Query<AskRulebooks>,
) -> Result<Response, Problem> {
    let limit = query::number("limit", limit.as_deref(), &(1..=MOST as u64))?;
    let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(USUAL);
    let after = after.unwrap_or_default();
    if !after.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)) {
        return Err(Problem::refused_parameter(
            "after".to_owned(),
            Vec::new(),
            "`after` is a digest, in hexadecimal digits",
        ));
    }
    let following = app.following()?;
    let made = certificates.of(&following).await?;
    let known = made.rulebooks();
    let behind = &known[known.partition_point(|book| book.digest <= after)..];
    let rulebooks = behind[..limit.min(behind.len())].to_vec();
    let next = (rulebooks.len() < behind.len()).then(|| rulebooks.last().map(|book| book.digest.clone()));
    let mut progress = Progress::of(&following, &app);
    progress.judged = made.size();
    let page = RulebookListView { rulebooks, next: next.flatten(), progress };
    Ok(([(CACHE_CONTROL, "no-cache")], Json(page)).into_response())
}
