//! The dry run of a post (`?dry-run=true`): what the post would record, and what is wrong with it. Nothing is recorded.

use axum::extract::Query;
use axum::http::{StatusCode, Uri};
use serde::Serialize;
use utoipa::ToSchema;

use crate::body::BodyError;
use crate::ingest::Counts;
use crate::problem::Problem;

/// The parameter that asks for a dry run.
const NAME: &str = "dry-run";
/// Most conflicts that are listed.
pub(crate) const MOST_LISTED: usize = 100;

/// What a post would do.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DryRun {
    /// Always true: nothing was recorded.
    dry_run: bool,
    /// The status with which the post itself would be answered: 200, 201, 400 or 409.
    would_be: u16,
    /// Events that would be recorded; of a post with malformed parts, once these are mended.
    would_record: u64,
    /// Events that the log holds already, or that stand in the post before.
    already_there: u64,
    /// Events whose numbers other events have as well, in the log or in the post.
    conflicts: u64,
    /// Events that would be recorded although the log may hold them: too many events have their numbers to compare all.
    not_compared: u64,
    /// The first numbers that are in conflict.
    conflicting: Vec<u64>,
    /// Lines, elements or items that are no events of this table.
    malformed: u64,
    /// The first of them.
    errors: Vec<MalformedPart>,
}

/// A part of a body that is no event.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MalformedPart {
    /// Line, element or item, from 1; left out if the whole body is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    line: Option<usize>,
    /// Column, from 1, if the error is at one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    column: Option<usize>,
    /// A sentence for people.
    detail: String,
}

impl DryRun {
    pub(crate) fn of(counts: &Counts, conflicting: Vec<u64>, errors: Vec<BodyError>, malformed: u64) -> Self {
        let would_be = match counts {
            _ if malformed > 0 => StatusCode::BAD_REQUEST,
            Counts { conflicts: 1.., .. } => StatusCode::CONFLICT,
            Counts { recorded: 1.., .. } => StatusCode::CREATED,
            Counts { .. } => StatusCode::OK,
        };
        let part = |BodyError { position, column, message }| MalformedPart {
            line: position,
            column,
            detail: message,
        };
        Self {
            dry_run: true,
            would_be: would_be.as_u16(),
            would_record: counts.recorded,
            already_there: counts.already_there,
            conflicts: counts.conflicts,
            not_compared: counts.not_compared,
            conflicting,
            malformed,
            errors: errors.into_iter().map(part).collect(),
        }
    }
}

/// Whether a post asks for a dry run. Whoever asks in other words, or for something else than true or false, would be
/// surprised by a record that cannot be taken back.
pub(crate) fn is_asked(uri: &Uri) -> Result<bool, Problem> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let Query(pairs) = pairs.map_err(|error| Problem::query(&error.body_text()))?;
    let mut asked = None;
    for (name, value) in pairs {
        let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        if !letters.eq_ignore_ascii_case("dryrun") {
            continue;
        }
        let value = match value.as_str() {
            "true" => true,
            "false" => false,
            _ => return Err(Problem::query("dry-run is true or false; nothing was recorded")),
        };
        if name != NAME || asked.replace(value).is_some() {
            return Err(Problem::query("write dry-run=true, once; nothing was recorded"));
        }
    }
    Ok(asked.unwrap_or(false))
}
