//! Options of a client: credentials, trusted authorities, and time limits.

use std::fmt;
use std::time::Duration;

/// Options of a client.
#[derive(Clone)]
pub struct Options {
    /// Sent as `Authorization: Bearer`, to the service's own address only; none by default.
    pub token: Option<String>,
    /// The only trusted authorities, as PEM certificates (at least one); by default the authorities that
    /// browsers trust.
    pub ca: Option<Vec<u8>>,
    /// The client certificate for a service that requires one; none by default.
    pub identity: Option<Identity>,
    /// Whether a certificate is accepted without a check. Whoever answers is then not known, so a client with a
    /// token is refused; it serves to ask a service of this machine for its state. Not so by default.
    pub accept_any_certificate: bool,
    /// Longest time for the answer to one request; 30 seconds by default. An archive may take longer, but of it no
    /// read may take this long, and at least 64 KiB have to come in this time.
    pub timeout: Duration,
    /// Longest archive that is read, bytes; 1 TiB by default. A service that sends more is given up.
    pub longest_archive: u64,
    /// Longest time for which a post is repeated, from its first attempt on; a minute by default. A running
    /// attempt is finished, so a post takes at most this and one `timeout`.
    pub patience: Duration,
    /// Pause after the first failed attempt; it doubles up to 5 seconds, and is never less than what the
    /// service asks for (`Retry-After`). A tenth of a second by default.
    pub pause: Duration,
}

/// A client certificate and its key.
#[derive(Clone)]
pub struct Identity {
    /// The certificate and the intermediate certificates (PEM).
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
            accept_any_certificate: false,
            timeout: Duration::from_secs(30),
            longest_archive: 1 << 40,
            patience: Duration::from_secs(60),
            pause: Duration::from_millis(100),
        }
    }
}

/// Omits secrets, because debug output is stored where no secret belongs.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("token", &self.token.as_ref().map(|_| "[kept back]"))
            .field("ca", &self.ca.as_ref().map(Vec::len))
            .field("identity", &self.identity)
            .field("accept_any_certificate", &self.accept_any_certificate)
            .field("timeout", &self.timeout)
            .field("longest_archive", &self.longest_archive)
            .field("patience", &self.patience)
            .field("pause", &self.pause)
            .finish()
    }
}
