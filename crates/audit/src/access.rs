//! Who may connect to `audit serve`: its options combined, and the combinations that are refused.

use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

use service::access::{Access, AccessNotice, TokenFile};
use service::{Host, Service, Tls, TlsFiles};

use crate::cli::LetIn;
use crate::errors::said;
use crate::failure::Failure;
use crate::language::texts;

/// Tokens, certificates and host names, as the options give them.
pub(crate) struct Entrance {
    access: Option<Access>,
    tls: Option<Tls>,
    https_in_front: bool,
    hosts: Vec<Host>,
}

impl Entrance {
    /// Reads tokens and certificates, before anything listens or is sealed.
    pub(crate) fn of(listen: &str, ask: &LetIn) -> Result<Self, Failure> {
        check_reach(listen, ask)?;
        let hosts = ask.host.iter().map(|name| host(name)).collect::<Result<_, _>>()?;
        let access = ask.tokens.as_deref().map(|path| Access::by_tokens(TokenFile::new(path), note));
        let tls = match (&ask.tls_cert, &ask.tls_key) {
            (Some(certificate), Some(key)) => {
                let (certificate, key, client_ca) = (certificate.clone(), key.clone(), ask.client_ca.clone());
                Some(Tls::load(TlsFiles { certificate, key, client_ca }).map_err(Failure::of_reading)?)
            }
            (None, _) | (_, None) => None,
        };
        let access = access.transpose().map_err(Failure::of_reading)?;
        let minutes = Duration::from_secs(u64::from(ask.session_minutes) * 60);
        let access = access.map(|access| access.with_sessions_of(minutes));
        Ok(Self { access, tls, https_in_front: ask.https_in_front, hosts })
    }

    /// `http` or `https`.
    pub(crate) const fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    /// Who may connect, as a sentence for the operator. A writer of a fleet takes no posts.
    pub(crate) fn summary(&self, takes_posts: bool) -> String {
        match (self.access.is_some(), takes_posts) {
            (true, _) => texts().only_with_token(),
            (false, true) => texts().without_tokens(),
            (false, false) => texts().without_tokens_or_posts(),
        }
    }

    /// Whether clients need a token.
    pub(crate) const fn asks_for_tokens(&self) -> bool {
        self.access.is_some()
    }

    /// Configures a service with it.
    pub(crate) fn before(self, service: Service) -> Service {
        let service = service.with_hosts(self.hosts);
        let service = match self.access {
            Some(access) => service.with_access(access),
            None => service,
        };
        match self.tls {
            Some(tls) => service.with_tls(tls),
            None if self.https_in_front => service.with_https_in_front(),
            None => service,
        }
    }
}

/// A host name without a port: it holds for every port.
fn host(name: &str) -> Result<Host, Failure> {
    let host = name.parse::<Host>().ok().filter(|host| host.port().is_none());
    host.ok_or_else(|| {
        let name = name.escape_debug();
        Failure::usage(texts().bad_host(name))
    })
}

/// Logs a notice for the operator.
fn note(what: &AccessNotice) {
    tracing::warn!("{what}");
}

/// Listening beyond this machine requires tokens, and TLS unless the operator confirms plain HTTP.
fn check_reach(listen: &str, ask: &LetIn) -> Result<(), Failure> {
    let addresses = listen.to_socket_addrs();
    let addresses: Vec<SocketAddr> =
        addresses.map_err(|error| Failure::usage(format!("--listen {listen}: {}", said(&error))))?.collect();
    let Some(address) = addresses.iter().find(|address| !address.ip().is_loopback()) else {
        return Ok(());
    };
    if ask.tokens.is_none() {
        return Err(Failure::usage(texts().listening_needs_tokens(address)));
    }
    if ask.tls_cert.is_none() && !ask.plain_http_beyond_this_machine {
        return Err(Failure::usage(texts().listening_needs_tls(address)));
    }
    Ok(())
}
