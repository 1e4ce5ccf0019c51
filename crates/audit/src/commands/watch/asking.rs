//! Asks a service on a thread of its own, so that whoever wants the program to end does not wait for an answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use client::{Client, ClientError, FindingsPage};
use tlog::checkpoint::SignedCheckpoint;

use crate::errors::said;
use crate::failure::Failure;
use crate::language::texts;

/// How soon a wish to end is noticed.
const NOTICED: Duration = Duration::from_millis(100);

/// What a service answered.
pub(super) struct Answer {
    pub(super) page: FindingsPage,
    /// None where it has none to show.
    pub(super) checkpoint: Option<SignedCheckpoint>,
}

/// Asks for the next findings and for the checkpoint; none where the program is to end.
pub(super) fn ask(
    client: &Client,
    after: u64,
    most: usize,
    asked_to_end: &AtomicBool,
) -> Result<Option<Result<Answer, ClientError>>, Failure> {
    let (client, (sender, receiver)) = (client.clone(), sync_channel(1));
    let asking = move || {
        // Whoever waited may be gone.
        let _ = sender.send(answer(&client, after, most));
    };
    let thread = std::thread::Builder::new().name("asking".to_owned()).spawn(asking);
    thread.map_err(|error| Failure::machine(texts().no_thread(said(&error))))?;
    loop {
        match receiver.recv_timeout(NOTICED) {
            Ok(answer) => return Ok(Some(answer)),
            Err(RecvTimeoutError::Timeout) if asked_to_end.load(Ordering::Relaxed) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}

fn answer(client: &Client, after: u64, most: usize) -> Result<Answer, ClientError> {
    let page = client.findings(after, most)?;
    let checkpoint = match client.checkpoint_at_once() {
        // Before enough witnesses have signed there may be none.
        Err(error) if error.problem().is_some_and(|problem| problem.status == 404) => None,
        checkpoint => Some(checkpoint?),
    };
    Ok(Answer { page, checkpoint })
}

/// Waits, unless the program is to end: gives whether it is.
pub(super) fn wait(pause: Duration, asked_to_end: &AtomicBool) -> bool {
    let until = Instant::now() + pause;
    loop {
        if asked_to_end.load(Ordering::Relaxed) {
            return true;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(left.min(NOTICED));
    }
}

/// The pause that a service asks for.
pub(super) fn asked_pause(error: &ClientError) -> Duration {
    match error {
        ClientError::Refused { retry_after, .. } => retry_after.unwrap_or_default(),
        ClientError::Options(_) | ClientError::Unanswered { .. } | ClientError::Unexpected { .. } => {
            Duration::ZERO
        }
    }
}
