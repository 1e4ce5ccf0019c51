//! `audit health`: what a running service says of itself.
//!
//! `/readyz` answers everybody whether events are recorded. Everything else is in `/metrics`, which needs a token that
//! may read where the service requires tokens.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use std::path::Path;
use std::time::Duration;

use client::{Client, ClientError, Options};
use intake::clock;
use serde::Serialize;

use crate::cli::{AskAs, Health};
use crate::errors::{said, said_text};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::render::{self, HealthView};
use crate::{output, served, settings};

/// Longest time for one answer: whoever asks every half minute must not wait longer.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn run(ask: &Health) -> Result<Exit, Failure> {
    let (url, options) = service(ask)?;
    let options = Options { timeout: PATIENCE, ..options };
    let unreached = |error: ClientError| match error {
        ClientError::Options(why) => Failure::usage(said_text(&why)),
        ClientError::Unanswered { .. } => Failure::machine(said(&error)),
        ClientError::Refused { .. } | ClientError::Unexpected { .. } => Failure::unreadable(said(&error)),
    };
    let client = Client::new(&url, options).map_err(unreached)?;
    let ready = client.readiness().map_err(unreached)?;
    let (figures, why_not) = match (ask.ready, ready.ready) {
        (true, _) => (None, None),
        (false, _) => match client.metrics() {
            Ok(text) => (Some(Figures::read(&text)), None),
            Err(error) => (None, Some(error)),
        },
    };
    let not_known = why_not.as_ref().map(|error| match error.problem().map(|problem| problem.status) {
        Some(401 | 403) => render::NotKnown::NeedsToken,
        Some(_) | None => render::NotKnown::Failed(said(error)),
    });
    let now = u64::try_from(clock::now() / 1_000_000).unwrap_or(0);
    let view = HealthView::new(client.base(), &ready, figures, not_known, now);
    if ask.json {
        output::print_json(&view)?;
    } else {
        output::print(&view.text(texts()))?;
    }
    Ok(match (ready.ready, view.needs_attention()) {
        (false, _) => Exit::Machine,
        (true, true) => Exit::Open,
        (true, false) => Exit::Good,
    })
}

/// Where the service is, and what is shown to it.
fn service(ask: &Health) -> Result<(String, Options), Failure> {
    match (&ask.url, &ask.config) {
        (Some(url), _) => {
            let options = served::options(url, &ask.ask_as)?;
            Ok((url.clone(), options))
        }
        (None, Some(file)) => on_this_machine(file, &ask.ask_as),
        (None, None) => Err(Failure::usage(texts().give_url_or_config())),
    }
}

/// The service with these settings. Its certificate names hosts, not the address of this machine at which it is
/// asked, so it is checked only against authorities that were given, and no token is sent without that.
fn on_this_machine(file: &Path, ask_as: &AskAs) -> Result<(String, Options), Failure> {
    let serve = settings::of_service(file)?;
    let address = serve.listen.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    let address =
        address.ok_or_else(|| Failure::usage(texts().listen_is_no_address(file.display(), &serve.listen)))?;
    if address.port() == 0 {
        return Err(Failure::usage(texts().listen_at_any_port(file.display(), &serve.listen)));
    }
    let scheme = if serve.let_in.tls_cert.is_some() { "https" } else { "http" };
    let url = format!("{scheme}://{}", reached_at(address));
    let options = served::options(&url, ask_as)?;
    let unchecked = scheme == "https" && options.ca.is_none();
    let token = options.token.clone().filter(|_| !unchecked);
    Ok((url, Options { token, accept_any_certificate: unchecked, ..options }))
}

/// Where this machine reaches what listens at an address: all addresses include its own.
fn reached_at(listens: SocketAddr) -> SocketAddr {
    let ip = match listens.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) => ip,
    };
    SocketAddr::new(ip, listens.port())
}

/// What the metrics say.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    /// Entries of the log.
    pub(crate) entries: Option<u64>,
    /// Seconds since the newest checkpoint was signed.
    pub(crate) checkpoint_age_seconds: Option<u64>,
    /// Entries that live certification has not judged yet.
    pub(crate) follower_lag_entries: Option<u64>,
    /// Whether live certification has stopped.
    pub(crate) follower_stopped: Option<bool>,
    /// Findings published.
    pub(crate) findings: Option<u64>,
    /// Bytes that the disk of the log has free.
    pub(crate) disk_free_bytes: Option<u64>,
    /// Bytes that the log takes.
    pub(crate) log_bytes: Option<u64>,
    /// When the first of its TLS certificates expires, seconds since 1970 UTC; none without TLS.
    pub(crate) tls_certificate_expires: Option<u64>,
}

impl Figures {
    fn read(metrics: &str) -> Self {
        let of = |name: &str| {
            let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
            value.trim().parse::<u64>().ok()
        };
        Self {
            entries: of("audit_log_entries"),
            checkpoint_age_seconds: of("audit_checkpoint_age_seconds"),
            follower_lag_entries: of("audit_follower_lag_entries"),
            follower_stopped: of("audit_follower_stopped").map(|stopped| stopped != 0),
            findings: of("audit_findings_published"),
            disk_free_bytes: of("audit_log_disk_free_bytes"),
            log_bytes: of("audit_log_disk_bytes"),
            tls_certificate_expires: of("audit_tls_certificate_expiry_timestamp_seconds")
                .filter(|expires| *expires > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_listens_everywhere_is_reached_on_this_machine() {
        for (listens, reached) in [
            ("0.0.0.0:7370", "127.0.0.1:7370"),
            ("[::]:7370", "[::1]:7370"),
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("192.0.2.7:443", "192.0.2.7:443"),
        ] {
            assert_eq!(reached_at(listens.parse().unwrap()).to_string(), reached);
        }
    }

    #[test]
    fn a_figure_is_read_by_its_whole_name() {
        let figures = Figures::read(
            "# TYPE audit_log_entries gauge\naudit_log_entries_more 9\naudit_log_entries 7\naudit_follower_stopped 1\n\
             audit_tls_certificate_expiry_timestamp_seconds 0\naudit_log_disk_free_bytes -1\n# EOF\n",
        );
        assert_eq!((figures.entries, figures.follower_stopped), (Some(7), Some(true)));
        assert_eq!((figures.tls_certificate_expires, figures.disk_free_bytes), (None, None));
    }
}
