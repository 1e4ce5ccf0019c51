//! Why there is no answer, or not the one that was asked for.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;

/// What the service holds against a request, as RFC 9457 has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Problem {
    /// HTTP status.
    pub status: u16,
    /// What kind of problem, stable: `urn:audit:malformed`. `about:blank` where the answer was no problem
    /// document.
    #[serde(rename = "type")]
    pub kind: String,
    /// What is wrong and what to do, for people.
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
    /// Whether the same request may be answered otherwise later: the service is busy (429) or has
    /// stopped (503), and nothing was recorded.
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

/// Why there is no answer, or not the one that was asked for.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The address or an option cannot be used; nothing was asked.
    #[error("{0}")]
    Options(String),
    /// The service answered, and refused.
    #[error("{url}: {problem}")]
    Refused {
        /// What was asked.
        url: String,
        /// Why.
        problem: Box<Problem>,
        /// How long the service asks to wait before the same is asked again.
        retry_after: Option<Duration>,
    },
    /// There was no answer, or only part of one. What was posted may or may not be recorded: posting it
    /// again tells, and records nothing twice.
    #[error("{url}: {why}")]
    Unanswered {
        /// What was asked.
        url: String,
        /// What happened to the connection.
        why: String,
        /// Whether time ran out.
        timed_out: bool,
    },
    /// The answer is not one that a service of this kind gives.
    #[error("{url} does not answer as a served log does: {why}")]
    Unexpected {
        /// What was asked.
        url: String,
        /// What was expected.
        why: String,
    },
}

impl ClientError {
    /// Whether asking again may help: no answer, or one that says to come again.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Unanswered { .. } => true,
            Self::Refused { problem, .. } => problem.may_pass(),
            Self::Options(_) | Self::Unexpected { .. } => false,
        }
    }

    /// What the service holds against the request, where it answered.
    #[must_use]
    pub const fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Refused { problem, .. } => Some(&**problem),
            Self::Options(_) | Self::Unanswered { .. } | Self::Unexpected { .. } => None,
        }
    }
}
