//! Posts events and repeats a post until it is answered. A post that is recorded already is not recorded
//! again, so repeating it is safe.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{Client, ClientError, Posted};

const LINES: &str = "application/x-ndjson";
/// Longest pause between two attempts, unless the service asks for more.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// Longest pause in any case, even if the service asks for an hour.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

impl Client {
    /// Posts events of one table, one JSON object each, until they are recorded: the post is repeated after
    /// no answer, 429 and 503, until the options' patience ends.
    ///
    /// # Errors
    /// [`ClientError`] of the last attempt. Nothing of a refused post is recorded; after
    /// [`ClientError::Unanswered`] that is unknown, and posting again gives the answer.
    pub fn post<L: AsRef<str>>(&self, table: &str, lines: &[L]) -> Result<Posted, ClientError> {
        let body: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
        self.post_until(table, body.join("\n").as_bytes(), |_| {})
    }

    /// [`Self::post`] for a body of newline-delimited JSON; `failed` is called after every attempt that will
    /// be repeated.
    ///
    /// # Errors
    /// As [`Self::post`].
    pub fn post_until(
        &self,
        table: &str,
        body: &[u8],
        mut failed: impl FnMut(&ClientError),
    ) -> Result<Posted, ClientError> {
        let (began, mut pause) = (Instant::now(), self.options().pause);
        loop {
            let error = match self.post_once(table, body) {
                Ok(posted) => return Ok(posted),
                Err(error) => error,
            };
            let wait = wait_after(&error, pause);
            if !error.may_pass() || began.elapsed() + wait >= self.options().patience {
                return Err(error);
            }
            failed(&error);
            sleep(wait);
            pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
        }
    }

    /// One attempt.
    ///
    /// # Errors
    /// As [`Self::post`].
    pub fn post_once(&self, table: &str, body: &[u8]) -> Result<Posted, ClientError> {
        let path = path(table)?;
        let (status, posted) = self.send::<Posted>(&path, LINES, body, &[200, 201, 409], None)?;
        Ok(Posted { conflict: status == 409, ..posted })
    }

    /// One attempt whose connection is dropped if there is no answer within `wait`, like that of a table
    /// system that loses its network. What was posted may be recorded.
    ///
    /// # Errors
    /// As [`Self::post`]; mostly [`ClientError::Unanswered`].
    pub fn post_and_drop(&self, table: &str, body: &[u8], wait: Duration) -> Result<Posted, ClientError> {
        let path = path(table)?;
        let (status, posted) = self.send::<Posted>(&path, LINES, body, &[200, 201, 409], Some(wait))?;
        Ok(Posted { conflict: status == 409, ..posted })
    }
}

/// The path of a table. The name is inserted unchanged, so it must need no escapes.
fn path(table: &str) -> Result<String, ClientError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !table.is_empty() && table.bytes().all(plain) {
        return Ok(format!("/v1/tables/{table}/events"));
    }
    let why = format!("`{table}` is no table's name: expected letters, digits and -._~");
    Err(ClientError::Options(why))
}

fn wait_after(error: &ClientError, pause: Duration) -> Duration {
    match error {
        ClientError::Refused { retry_after: Some(asked), .. } => pause.max(*asked).min(LONGEST_WAIT),
        ClientError::Refused { .. }
        | ClientError::Unanswered { .. }
        | ClientError::Options(_)
        | ClientError::Unexpected { .. } => pause,
    }
}
