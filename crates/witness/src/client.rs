//! Asks one witness for its cosignature: with patience for what passes, and loudly where the witness
//! has seen more of the log, or another history.

use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tlog::checkpoint::SignedCheckpoint;
use tlog::consistency::ConsistencyProof;
use tlog::cosignature::{Cosignature, CosignatureError, WitnessKey};

/// Longest answer that is read, bytes.
const LONGEST_ANSWER: u64 = 65_536;
/// How often a witness may correct the size its proof begins at: others submit meanwhile.
const CORRECTIONS: u32 = 4;
/// Most characters of an answer that a message repeats.
const QUOTED: usize = 160;

/// How long and how often a witness is asked.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// How often it is asked when it does not answer, or with an error of its own; at least once.
    pub attempts: u32,
    /// Pause after the first time; twice as long after each further one.
    pub pause: Duration,
    /// Longest time for one answer.
    pub timeout: Duration,
    /// Longest time for all attempts and pauses together, whatever the witness answers.
    pub whole: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            attempts: 3,
            pause: Duration::from_millis(500),
            timeout: Duration::from_secs(15),
            whole: Duration::from_secs(60),
        }
    }
}

impl Patience {
    /// The usual one, but no longer than this.
    #[must_use]
    pub fn within(whole: Duration) -> Self {
        let usual = Self::default();
        Self { whole: whole.min(usual.whole), ..usual }
    }
}

/// What a witness holds against the log: a smaller copy is in use, or two histories were signed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// It has seen more entries than the log has.
    #[error("has seen {seen} entries, the log has {size}: this log is older than what the witness has seen")]
    SawMore {
        /// The size it cosigned.
        seen: u64,
        /// The log's size.
        size: u64,
    },
    /// It cosigned another root of the same size.
    #[error("cosigned another root for {size} entries: two histories of this log were signed")]
    OtherRoot {
        /// The size.
        size: u64,
    },
    /// The log does not extend what it cosigned.
    #[error(
        "finds that the {size} entries do not extend the {seen} it cosigned: two histories of this log were signed"
    )]
    OtherHistory {
        /// The size it cosigned.
        seen: u64,
        /// The log's size.
        size: u64,
    },
    /// It conflicts with a proof that begins and ends at the log's own size, and names no size.
    #[error(
        "conflicts with the log's own {size} entries and names no size of its own (409): it signed something else \
         than this log shows, or it is broken"
    )]
    Conflict {
        /// The log's size.
        size: u64,
    },
}

/// Why there is no cosignature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The policy does not say where it is.
    #[error("the policy gives no URL for it")]
    NoUrl,
    /// It holds something against the log.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// It refused for good.
    #[error("refused with status {status}{}", quoted(.said))]
    Refused {
        /// HTTP status.
        status: u16,
        /// The beginning of what it said.
        said: String,
    },
    /// It answered something that is not its cosignature.
    #[error("answered, but is not believed: {0}")]
    NotBelieved(CosignatureError),
    /// It did not answer, or only with errors of its own.
    #[error("gave no answer in {attempts} attempts: {last}")]
    Unanswered {
        /// How often it was asked.
        attempts: u32,
        /// What happened the last time.
        last: String,
    },
    /// The log's own hashes cannot be read, or do not lead to its checkpoint.
    #[error("was not asked: {0}")]
    Proof(String),
}

fn quoted(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

/// What a witness answered.
enum Said {
    Signed(String),
    Size(u64),
    /// A conflict without the size it has.
    Conflict,
    NotExtended,
    Refused(u16, String),
    /// May pass: no answer, an error of its own; and how long it asks to be left alone.
    Failed(String, Option<Duration>),
}

/// A witness to ask.
pub(crate) struct Question<'a> {
    pub(crate) key: &'a WitnessKey,
    pub(crate) url: &'a str,
    pub(crate) signed: &'a SignedCheckpoint,
    /// The size it is thought to have signed.
    pub(crate) old: u64,
}

impl Question<'_> {
    /// Asks until there is an answer or patience ends; `prove` makes the proof from a size.
    pub(crate) fn ask(
        &self,
        prove: impl Fn(u64) -> Result<ConsistencyProof, String>,
        patience: Patience,
    ) -> Result<Cosignature, AskError> {
        let size = self.signed.checkpoint().size;
        let (agent, url) = (agent(), format!("{}/add-checkpoint", self.url.trim_end_matches('/')));
        let begun = Instant::now();
        let left = || patience.whole.saturating_sub(begun.elapsed());
        let (mut old, mut failures, mut corrections) = (self.old, 0, 0);
        // Kept over later attempts: silence does not take a conflict back, only a cosignature does.
        let mut conflict = None;
        loop {
            let request = prove(old).map_err(AskError::Proof)?.to_string();
            // The first answer has all the time there is for one; without any time left there is no answer.
            let timeout = patience.timeout.min(left()).max(Duration::from_millis(1));
            let (failed, later) = match post(&agent, &url, &request, timeout) {
                Said::Signed(lines) => {
                    return self.signed.cosignature_in(&lines, self.key).map_err(AskError::NotBelieved);
                }
                Said::NotExtended if old > 0 && old == size => {
                    return Err(Contradiction::OtherRoot { size }.into());
                }
                Said::NotExtended if old > 0 => {
                    return Err(Contradiction::OtherHistory { seen: old, size }.into());
                }
                Said::NotExtended => return Err(AskError::Refused { status: 422, said: String::new() }),
                Said::Refused(status, said) => return Err(AskError::Refused { status, said }),
                Said::Size(seen) if seen > size => return Err(Contradiction::SawMore { seen, size }.into()),
                Said::Size(seen) if seen == old && seen == size => {
                    return Err(Contradiction::OtherRoot { size }.into());
                }
                Said::Size(seen) if seen != old && corrections < CORRECTIONS && !left().is_zero() => {
                    (old, corrections) = (seen, corrections + 1);
                    continue;
                }
                Said::Size(seen) => (format!("it asks for a proof from {seen} entries again"), None),
                Said::Conflict => {
                    conflict = conflict.or_else(|| (old == size).then_some(Contradiction::Conflict { size }));
                    ("status 409 without the size it has".to_owned(), None)
                }
                Said::Failed(why, later) => (why, later),
            };
            failures += 1;
            let pause = patience.pause * 2_u32.saturating_pow(failures - 1).min(64);
            let pause = pause.max(later.unwrap_or_default());
            if failures >= patience.attempts || pause >= left() {
                let unanswered = AskError::Unanswered { attempts: failures, last: failed };
                return Err(conflict.map_or(unanswered, AskError::Contradiction));
            }
            sleep(pause);
        }
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into()
}

fn post(agent: &ureq::Agent, url: &str, request: &str, timeout: Duration) -> Said {
    if url.starts_with("https://") && SystemTime::now() < UNIX_EPOCH {
        let why =
            "this machine's clock shows a time before 1970, at which no certificate is valid; set the clock";
        return Said::Failed(why.to_owned(), None);
    }
    let asked = agent.post(url).config().timeout_global(Some(timeout)).build();
    let mut response = match asked.content_type("text/plain; charset=utf-8").send(request) {
        Ok(response) => response,
        Err(error) => return Said::Failed(error.to_string(), None),
    };
    let later = response.headers().get("retry-after").and_then(|value| later(value.to_str().ok()?));
    let status = response.status().as_u16();
    let body = response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_string();
    match (status, body) {
        (200, Ok(lines)) => Said::Signed(lines),
        (200, Err(error)) => Said::Failed(format!("its answer cannot be read: {error}"), None),
        (409, body) => match body.ok().as_deref().and_then(size) {
            Some(size) => Said::Size(size),
            None => Said::Conflict,
        },
        (422, _) => Said::NotExtended,
        (408 | 425 | 429 | 500.., body) => {
            let asked = later.map(|later| match later.as_secs() {
                seconds @ 0..=3600 => format!("; it asks to be left alone for {seconds} seconds"),
                _ => "; it asks to be left alone for more than an hour".to_owned(),
            });
            let why = format!("status {status}{}{}", quoted(&said(body)), asked.unwrap_or_default());
            Said::Failed(why, later.filter(|_| matches!(status, 429 | 503)))
        }
        (_, body) => Said::Refused(status, said(body)),
    }
}

/// How long from now a `Retry-After` asks to wait: seconds, or a moment (RFC 9110 section 10.2.3).
fn later(text: &str) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::from(u32::MAX))));
    }
    let moment = httpdate::parse_http_date(text).ok()?;
    Some(moment.duration_since(SystemTime::now()).unwrap_or_default())
}

/// A size in decimal digits and a newline.
fn size(body: &str) -> Option<u64> {
    let digits = body.strip_suffix('\n').unwrap_or(body);
    let plain =
        digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits.len() == 1 || !digits.starts_with('0'));
    digits.parse().ok().filter(|_| plain)
}

/// The beginning of an answer's first line, without what a terminal would obey.
fn said(body: Result<String, ureq::Error>) -> String {
    let body = body.unwrap_or_default();
    let line = body.lines().next().unwrap_or_default().trim();
    line.chars().filter(|c| !c.is_control()).take(QUOTED).collect()
}
