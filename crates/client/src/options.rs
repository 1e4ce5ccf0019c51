//! How a service is asked: as whom, trusting which authorities, and with how much patience.

use std::fmt;
use std::time::Duration;

/// How a service is asked.
#[derive(Clone)]
pub struct Options {
    /// Sent as `Authorization: Bearer`, to the service's own address only; none by default.
    pub token: Option<String>,
    /// Certificates (PEM, at least one) that alone may vouch for the service; by default the authorities
    /// that browsers trust.
    pub ca: Option<Vec<u8>>,
    /// What is shown to a service that lets in only whom it knows; nothing by default.
    pub identity: Option<Identity>,
    /// Longest time for the answer to one request; 30 seconds by default.
    pub timeout: Duration,
    /// Longest time a post is tried again and again, from its first attempt on; a minute by default. An
    /// attempt under way is finished, so a post takes at most this and one `timeout`.
    pub patience: Duration,
    /// Pause after the first failed attempt; it doubles up to 5 seconds, and is never less than what the
    /// service asks for (`Retry-After`). A tenth of a second by default.
    pub pause: Duration,
}

/// A certificate to show, and its key.
#[derive(Clone)]
pub struct Identity {
    /// The certificate, and those between it and an authority (PEM).
    pub certificates: Vec<u8>,
    /// Its private key (PEM).
    pub key: Vec<u8>,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity([kept back])")
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            token: None,
            ca: None,
            identity: None,
            timeout: Duration::from_secs(30),
            patience: Duration::from_secs(60),
            pause: Duration::from_millis(100),
        }
    }
}

/// Without the token: what is printed for debugging is kept in places where no secret belongs.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("token", &self.token.as_ref().map(|_| "[kept back]"))
            .field("ca", &self.ca.as_ref().map(Vec::len))
            .field("identity", &self.identity)
            .field("timeout", &self.timeout)
            .field("patience", &self.patience)
            .field("pause", &self.pause)
            .finish()
    }
}
