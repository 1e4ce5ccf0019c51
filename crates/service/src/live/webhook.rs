//! Sends every finding to a webhook: one signed POST each (Standard Webhooks), in order, repeated until it is
//! accepted. A finding that is sent twice has the same `webhook-id`.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use follower::Filter;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::Sha256;

use crate::json;
use crate::live::following::Following;
use intake::clock::now;

/// Most findings that are read at once.
const AT_ONCE: usize = 64;
/// How often new findings are looked for.
const PAUSE: Duration = Duration::from_millis(250);
/// Pause before the second attempt; the next constant is the longest pause.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// Longest time for one attempt.
const TRY: Duration = Duration::from_secs(20);
/// Least bytes of a secret (Standard Webhooks asks for 24 to 64).
const LEAST_SECRET: usize = 24;

/// The receiver of findings.
#[derive(Clone)]
pub struct Webhook {
    url: String,
    secret: Vec<u8>,
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Webhook({})", self.url)
    }
}

/// Why the webhook cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// The address.
    #[error("`{0}` is not a URL that begins with https:// or http://")]
    Url(String),
    /// The secret.
    #[error("the secret is not `whsec_` and at least {LEAST_SECRET} bytes in base64")]
    Secret,
}

impl Webhook {
    /// A webhook at `url`. Its posts are signed with `secret`, which has the form `whsec_` and base64.
    ///
    /// # Errors
    /// [`WebhookError`].
    pub fn new(url: &str, secret: &str) -> Result<Self, WebhookError> {
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err(WebhookError::Url(url.to_owned()));
        }
        let secret = secret.trim().strip_prefix("whsec_").and_then(|secret| STANDARD.decode(secret).ok());
        let secret = secret.filter(|secret| secret.len() >= LEAST_SECRET).ok_or(WebhookError::Secret)?;
        Ok(Self { url: url.to_owned(), secret })
    }

    /// The value of the header `webhook-signature` for a post.
    fn signature(&self, id: &str, timestamp: u64, body: &str) -> String {
        #[allow(clippy::expect_used, reason = "HMAC takes keys of every length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret).expect("HMAC takes keys of every length");
        mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

/// The body of a post.
#[derive(Serialize)]
struct FindingPost<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    log: &'a str,
    data: &'a RawValue,
}

/// The last accepted finding, stored in a file. Numbers belong to one version of the judge; another version
/// begins at the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Cursor {
    url: String,
    judge: String,
    #[serde(rename = "told")]
    delivered: u64,
}

/// The progress of deliveries, for the metrics.
#[derive(Debug, Default)]
pub(crate) struct Deliveries {
    pub(crate) delivered: AtomicU64,
    pub(crate) failed: AtomicU64,
}

/// The thread that sends findings.
pub(crate) struct WebhookSender {
    webhook: Webhook,
    origin: String,
    file: PathBuf,
    following: Arc<Following>,
    deliveries: Arc<Deliveries>,
    agent: ureq::Agent,
}

impl WebhookSender {
    pub(crate) fn new(
        webhook: Webhook,
        origin: &str,
        folder: &Path,
        following: Arc<Following>,
        deliveries: Arc<Deliveries>,
    ) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(TRY))
            .max_redirects(0)
            .http_status_as_error(false)
            .build();
        let (origin, file) = (origin.to_owned(), folder.join("webhook.json"));
        let agent = ureq::Agent::new_with_config(config);
        Self { webhook, origin, file, following, deliveries, agent }
    }

    pub(crate) fn start(self) -> io::Result<JoinHandle<()>> {
        std::thread::Builder::new().name("webhook".to_owned()).spawn(move || self.run())
    }

    fn run(&self) {
        let mut cursor = self.cursor();
        while !self.following.is_stopping() {
            self.deliveries.delivered.store(cursor.delivered, Ordering::Relaxed);
            let findings = self.following.follower().findings();
            let page = findings.page(&Filter::default(), cursor.delivered, AT_ONCE);
            let lines = page.map(|page| page.lines).unwrap_or_default();
            if lines.is_empty() {
                std::thread::park_timeout(PAUSE);
            }
            for (number, line) in lines {
                if !self.deliver_until_accepted(number, &line) {
                    return;
                }
                cursor.delivered = number;
                self.deliveries.delivered.store(number, Ordering::Relaxed);
                // If this cannot be saved, the finding is sent again after the next start.
                let _ = self.keep(&cursor);
            }
        }
    }

    /// Repeats the post until it is accepted; `false` if the service stops before.
    fn deliver_until_accepted(&self, number: u64, line: &str) -> bool {
        let mut wait = FIRST_WAIT;
        while !self.deliver(number, line) {
            self.deliveries.failed.fetch_add(1, Ordering::Relaxed);
            let mut left = wait;
            while !left.is_zero() {
                if self.following.is_stopping() {
                    return false;
                }
                let some = left.min(PAUSE);
                std::thread::sleep(some);
                left -= some;
            }
            wait = (wait * 2).min(LONGEST_WAIT);
        }
        true
    }

    fn deliver(&self, number: u64, line: &str) -> bool {
        let Ok(data) = serde_json::from_str(line) else { return true };
        let delivered = FindingPost { kind: "finding.published", log: &self.origin, data };
        let Ok(body) = json::text(&delivered) else { return true };
        let id = message_id(&self.origin, number, line);
        let timestamp = u64::try_from(now() / 1_000_000).unwrap_or(0);
        let posted = self
            .agent
            .post(&self.webhook.url)
            .header("content-type", "application/json")
            .header("webhook-id", &id)
            .header("webhook-timestamp", &timestamp.to_string())
            .header("webhook-signature", &self.webhook.signature(&id, timestamp, &body))
            .send(&body);
        posted.is_ok_and(|answer| answer.status().is_success())
    }

    /// The saved position; the beginning if it belongs to another URL or judge.
    fn cursor(&self) -> Cursor {
        let judge = env!("CARGO_PKG_VERSION").to_owned();
        let anew = Cursor { url: self.webhook.url.clone(), judge, delivered: 0 };
        let kept = fs::read_to_string(&self.file).ok().and_then(|text| serde_json::from_str(&text).ok());
        kept.filter(|kept: &Cursor| (&kept.url, &kept.judge) == (&anew.url, &anew.judge)).unwrap_or(anew)
    }

    fn keep(&self, cursor: &Cursor) -> io::Result<()> {
        let next = self.file.with_extension("next");
        let mut file = File::create(&next)?;
        file.write_all(&serde_json::to_vec(cursor)?)?;
        file.sync_data()?;
        fs::rename(&next, &self.file)
    }
}

/// The id of a finding's post, equal for every attempt.
fn message_id(origin: &str, number: u64, line: &str) -> String {
    let digest = blake3::hash(format!("{origin}\n{number}\n{line}").as_bytes());
    format!("msg_{}", &digest.to_hex()[..32])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The example of the specification's reference libraries.
    #[test]
    fn a_post_is_signed_as_standard_webhooks_says() {
        let webhook = Webhook::new("https://a.example", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature =
            webhook.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, "{\"test\": 2432232314}");
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(format!("{webhook:?}"), "Webhook(https://a.example)");
    }

    #[test]
    fn an_invalid_webhook_is_refused() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        assert!(matches!(Webhook::new("ftp://a", secret), Err(WebhookError::Url(_))));
        for wrong in ["", "whsec_", "whsec_YWJj", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_!"] {
            assert_eq!(Webhook::new("https://a", wrong).unwrap_err(), WebhookError::Secret, "{wrong}");
        }
    }
}
