//! Errors of the client: no answer, a refusal, or an unexpected answer.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;

/// A problem document of the service (RFC 9457).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Problem {
    /// HTTP status.
    pub status: u16,
    /// The stable type: `urn:audit:malformed`. `about:blank` if the answer was no problem document.
    #[serde(rename = "type")]
    pub kind: String,
    /// An explanation for people: what is wrong and what to do.
    #[serde(default)]
    pub detail: String,
    /// Line of the body (or element of the array), from 1.
    #[serde(default)]
    pub line: Option<u64>,
    /// Column of that line, from 1.
    #[serde(default)]
    pub column: Option<u64>,
}

impl Problem {
    /// Whether the same request may succeed later: the service is busy (429) or its log has stopped (503),
    /// and nothing was recorded.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self.status, 429 | 503)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.kind)?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        if let (Some(_), Some(column)) = (self.line, self.column) {
            write!(f, " (column {column})")?;
        }
        Ok(())
    }
}

/// Errors of the client: no answer, a refusal, or an unexpected answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The address or an option cannot be used; no request was sent.
    #[error("{0}")]
    Options(String),
    /// The service refused the request.
    #[error("{url}: {problem}")]
    Refused {
        /// The URL of the request.
        url: String,
        /// Why.
        problem: Box<Problem>,
        /// How long to wait before a repetition, if the service says so.
        retry_after: Option<Duration>,
    },
    /// There was no answer, or only a part. A post may or may not be recorded; post it again to find out,
    /// nothing is recorded twice.
    #[error("{url}: {why}")]
    Unanswered {
        /// The URL of the request.
        url: String,
        /// What went wrong on the connection.
        why: String,
        /// Whether it was a timeout.
        timed_out: bool,
    },
    /// The answer is not one of a service of this kind.
    #[error("{url} does not answer as a served log does: {why}")]
    Unexpected {
        /// The URL of the request.
        url: String,
        /// What is wrong with it.
        why: String,
    },
}

impl ClientError {
    /// Whether a repetition may succeed: there was no answer, or the service asks for one.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Unanswered { .. } => true,
            Self::Refused { problem, .. } => problem.may_pass(),
            Self::Options(_) | Self::Unexpected { .. } => false,
        }
    }

    /// A problem document of the service (RFC 9457).
    #[must_use]
    pub const fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Refused { problem, .. } => Some(&**problem),
            Self::Options(_) | Self::Unanswered { .. } | Self::Unexpected { .. } => None,
        }
    }
}
