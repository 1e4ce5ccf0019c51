//! The certificate of the log as far as it is judged. Making one copies all results, so only one is made at a
//! time and shared: requests wait for it, and requests soon after get the same one.

use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use replay::{JudgeInputs, Program, RulebookUsed};
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tokio::sync::Mutex;

use crate::app_state::AppState;
use crate::json;
use crate::live::following::{FollowerState, Following};
use crate::problem::Problem;
use crate::routes::openapi::{CertificateSchema, Refusals};
use crate::routes::reading::blocking;

/// A certificate is reused for this many times the time it took to make, so making certificates uses at most
/// a fifth of the time.
const RESTS: u32 = 4;

/// The newest certificate.
#[derive(Debug, Default, Clone)]
pub(crate) struct Certificates(Arc<Mutex<Option<Made>>>);

/// A certificate in the form in which it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    signed: SignedCheckpoint,
    /// The JSON object without its closing brace.
    certificate: Bytes,
    findings: Bytes,
    rulebooks: Arc<[RulebookUsed]>,
    good_until: Instant,
}

/// The part of an answer that is current at each request.
#[derive(Serialize)]
struct Now {
    /// Number of entries of the log now.
    log_size: u64,
    follower: FollowerState,
    /// By what the log is judged.
    judge: &'static str,
    judge_inputs: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<Program>,
}

/// The certificate of the log as far as it was judged
#[utoipa::path(
    get,
    path = "/v1/certificate",
    operation_id = "getCertificate",
    tag = "certification",
    responses((status = 200, description = "The certificate that `audit verify log` prints at the same checkpoint", body = CertificateSchema), Refusals)
)]
pub(crate) async fn certificate(
    State(app): State<Arc<AppState>>,
    Extension(certificates): Extension<Certificates>,
) -> Result<Response, Problem> {
    let following = app.following()?;
    let made = certificates.of(&following).await?;
    let inputs = JudgeInputs::of_this_program();
    let now = Now {
        log_size: app.signed_checkpoint().checkpoint().size,
        follower: following.state(),
        judge: inputs.judge,
        judge_inputs: inputs.digest(),
        program: app.program.get().copied(),
    };
    made.answer(&now).map_err(|error| unwritten(&error))
}

impl Certificates {
    /// The newest certificate of what is followed, or one made a moment ago.
    pub(crate) async fn of(&self, following: &Arc<Following>) -> Result<Made, Problem> {
        let following = Arc::clone(following);
        self.newest(move |last| renewed(last, &following)).await
    }

    /// The newest certificate, or one made a moment ago; `renew` makes the next one from the last.
    async fn newest(
        &self,
        renew: impl FnOnce(Option<&Made>) -> Result<Made, Problem> + Send + 'static,
    ) -> Result<Made, Problem> {
        let mut last = Arc::clone(&self.0).lock_owned().await;
        if let Some(made) = last.as_ref().filter(|made| Instant::now() < made.good_until) {
            return Ok(made.clone());
        }
        let renew = move || {
            let made = renew(last.as_ref())?;
            *last = Some(made.clone());
            Ok(made)
        };
        // The work continues if the client leaves, and the next one does not run beside it.
        blocking(renew).await?
    }
}

/// The last certificate if nothing newer exists, else a new one.
fn renewed(last: Option<&Made>, following: &Following) -> Result<Made, Problem> {
    let begun = Instant::now();
    let reached = {
        let follower = following.follower();
        let is_newer = |signed: &&SignedCheckpoint| last.is_none_or(|made| made.signed != **signed);
        let signed = follower.current_checkpoint().filter(is_newer).cloned();
        // Judging continues as soon as the copy exists.
        signed.and_then(|signed| Some((signed, follower.as_it_stands()?)))
    };
    let Some((signed, judged)) = reached else {
        let none = || Problem::not_yet("the log is being read for the first time");
        return last.cloned().ok_or_else(none);
    };
    let mut certificate = judged.certificate();
    let findings = std::mem::take(&mut certificate.findings);
    let rulebooks = std::mem::take(&mut certificate.rulebooks).into();
    let written = |text: serde_json::Result<String>| text.map_err(|error| unwritten(&error));
    let findings = written(json::text(&findings))?.into();
    let mut certificate = written(json::text(&certificate))?;
    certificate.pop();
    let good_until = Instant::now() + begun.elapsed() * RESTS;
    Ok(Made { signed, certificate: certificate.into(), findings, rulebooks, good_until })
}

impl Made {
    /// Number of entries that it covers.
    pub(crate) const fn size(&self) -> u64 {
        self.signed.checkpoint().size
    }

    /// The rulebooks by which it was judged, in the order of their digests.
    pub(crate) fn rulebooks(&self) -> &[RulebookUsed] {
        &self.rulebooks
    }

    /// All answers share the same bytes, so they need no memory of their own.
    fn answer(self, now: &Now) -> serde_json::Result<Response> {
        let now = json::text(now)?;
        let members = now.strip_prefix('{').and_then(|now| now.strip_suffix('}')).unwrap_or_default();
        let now = format!(",{members},\"findings\":");
        let parts = [self.certificate, now.into(), self.findings, Bytes::from_static(b"}")];
        let length: usize = parts.iter().map(Bytes::len).sum();
        let headers: [(HeaderName, HeaderValue); 3] = [
            (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (CONTENT_LENGTH, length.into()),
        ];
        let parts = parts.into_iter().map(Ok::<_, std::convert::Infallible>);
        Ok((headers, Body::from_stream(tokio_stream::iter(parts))).into_response())
    }
}

fn unwritten(error: &serde_json::Error) -> Problem {
    Problem::own_fault(format!("the certificate cannot be written: {error}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use tlog::checkpoint::Checkpoint;
    use tlog::note::SigningKey;
    use tlog::tree::Frontier;
    use tokio::time::timeout;

    use super::*;

    const TAKES: Duration = Duration::from_millis(50);

    fn made(good_for: Duration) -> Made {
        let key = SigningKey::from_seed("casino.example/sala/1", &[7; 32]).unwrap();
        let checkpoint = Checkpoint::of("casino.example/sala/1", &Frontier::default());
        let signed = SignedCheckpoint::sign(&checkpoint, &key).unwrap();
        let good_until = Instant::now() + good_for;
        let (certificate, findings, rulebooks) = (Bytes::new(), Bytes::new(), Arc::default());
        Made { signed, certificate, findings, rulebooks, good_until }
    }

    /// Asks so many times at once, and drops half of the requests. Returns how often the certificate was
    /// made, and how many times at once.
    fn asked(times: usize, good_for: Duration) -> (usize, usize) {
        let (certificates, making, most, count) =
            <(Certificates, Arc<AtomicUsize>, Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut all = tokio::task::JoinSet::new();
            for number in 0..times {
                let (making, most, count) = (Arc::clone(&making), Arc::clone(&most), Arc::clone(&count));
                let make = move |_: Option<&Made>| {
                    most.fetch_max(making.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(TAKES);
                    making.fetch_sub(1, Ordering::SeqCst);
                    count.fetch_add(1, Ordering::SeqCst);
                    Ok(made(good_for))
                };
                let certificates = certificates.clone();
                all.spawn(async move {
                    if number % 2 == 0 {
                        // Gone before it is made.
                        return drop(timeout(TAKES / 10, certificates.newest(make)).await);
                    }
                    certificates.newest(make).await.unwrap();
                });
            }
            all.join_all().await;
        });
        (count.load(Ordering::SeqCst), most.load(Ordering::SeqCst))
    }

    #[test]
    fn however_many_ask_one_is_made_for_all_of_them() {
        assert_eq!(asked(100, Duration::from_secs(60)), (1, 1));
    }

    #[test]
    fn no_two_are_made_at_once_also_where_who_asks_goes_away() {
        let (count, most) = asked(20, Duration::ZERO);
        assert!(count >= 10, "{count}");
        assert_eq!(most, 1);
    }
}
