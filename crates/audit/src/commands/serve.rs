//! `audit serve`: the log behind an HTTP service.

use std::net::{SocketAddr, ToSocketAddrs};

use serde_json::json;
use service::{Bounds, Limits, Service, Webhook};

use crate::cli::Serve;
use crate::exit::Exit;
use crate::log::{LogPlace, small_text};
use crate::{Failure, keys, witnesses};

/// Connections of table systems and readers that are open at once.
const CONNECTIONS: usize = 1_024;

pub(crate) fn run(ask: &Serve) -> Result<Exit, Failure> {
    let Some(log) = &ask.log else {
        return Err(Failure::usage(
            "no log: give --log DIR, or `log` in the file of --config, or AUDIT_SERVE_LOG",
        ));
    };
    only_here(&ask.listen)?;
    let producer = ask.producer.parse().map_err(|error| Failure::usage(format!("--producer: {error}")))?;
    let webhook = webhook(ask)?;
    let writer = LogPlace::new(log).open_writer(ask.origin.as_deref())?;
    if let Some(file) = &ask.witness_policy {
        witnesses::ask_before_sealing(log, file, &writer)?;
    }
    let (origin, size) = (writer.verifier_key().name().to_owned(), writer.head().checkpoint().size);
    let limits = Limits { connections: CONNECTIONS, ..Limits::default() };
    let bounds = Bounds { body: ask.max_body as usize, posts: usize::from(ask.max_posts) };
    let service =
        Service::bind(&ask.listen, writer, producer, limits, bounds).map_err(Failure::unreadable)?;
    let service = service.certify(&log.join("follower")).map_err(Failure::unreadable)?;
    let service = match webhook {
        Some(webhook) => service.telling(webhook),
        None => service,
    };
    let address = service.address();
    if ask.json {
        super::print_json(&json!({ "listening": address.to_string(), "origin": origin, "size": size }))?;
    } else {
        super::print(&format!("{origin} with {size} entries, listening at http://{address}\n"))?;
    }
    service.run().map_err(Failure::unreadable)?;
    Ok(Exit::Good)
}

/// There is no access control yet: whoever reaches the service may write. So it is reached from this
/// machine only, and a proxy that knows who is who stands before it.
fn only_here(listen: &str) -> Result<(), Failure> {
    let addresses = listen.to_socket_addrs();
    let addresses: Vec<SocketAddr> =
        addresses.map_err(|error| Failure::usage(format!("--listen {listen}: {error}")))?.collect();
    match addresses.iter().find(|address| !address.ip().is_loopback()) {
        None => Ok(()),
        Some(address) => Err(Failure::usage(format!(
            "--listen {address}: whoever reaches the service may write to the log, so it listens on this machine \
             only (127.0.0.1 or [::1]); put a proxy with TLS and access control before it"
        ))),
    }
}

fn webhook(ask: &Serve) -> Result<Option<Webhook>, Failure> {
    let (Some(url), Some(file)) = (&ask.webhook, &ask.webhook_secret) else { return Ok(None) };
    keys::only_for_its_owner(file)?;
    let webhook = Webhook::new(url, &small_text(file)?);
    webhook.map(Some).map_err(|error| Failure::usage(format!("--webhook, --webhook-secret: {error}")))
}
