//! The dry run of a post (`?dry-run=true`): what the post would record, and what is wrong with it. Nothing is recorded.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::problem::Problem;
use crate::routes::query;
use intake::{BodyError, Counts, Forecast};

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
    /// The first 100 sequences that are in conflict.
    #[schema(max_items = 100)]
    conflicting: Vec<u64>,
    /// Lines, elements or items that are no events of this table.
    malformed: u64,
    /// The first 100 of them.
    #[schema(max_items = 100)]
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

impl From<Forecast> for DryRun {
    fn from(forecast: Forecast) -> Self {
        let Forecast { counts, conflicting, errors, error_count: malformed } = forecast;
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

/// The query of a post, as it is written.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AskDryRun {
    /// Record nothing: answer 200 with what the post would do.
    #[serde(rename = "dry-run")]
    #[param(value_type = Option<bool>)]
    dry_run: Option<String>,
}

impl AskDryRun {
    /// Whether a dry run is asked for.
    pub(crate) fn parsed(self) -> Result<bool, Problem> {
        let word = query::word("dry-run", self.dry_run, || vec!["true", "false"])?;
        Ok(word.is_some_and(|word| word == "true"))
    }
}
