//! `audit serve`: the log behind an HTTP service.

mod partition;

use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sealed_log::entry::ProducerId;
use sealed_log_sled::{LogFolder, Writer};
use serde_json::json;
use service::{Bounds, Collector, Limits, Service, Webhook};

use crate::access::Entrance;
use crate::cli::Serve;
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{Creation, KeyedFolder};
use crate::program::PROGRAM;
use crate::shown::printable;
use crate::text_file::small_text;
use crate::{keys, logging, output, witnesses};

/// Files that the log, the follower and the rest of the program may have open.
const OTHER_FILES: u64 = 512;

pub(crate) fn run(ask: &Serve) -> Result<Exit, Failure> {
    let Some(log) = &ask.log else {
        return Err(Failure::usage(texts().no_log_given()));
    };
    let around = Around::of(ask)?;
    if !ask.stream.from.is_empty() {
        return partition::run(ask, log);
    }
    let folder = KeyedFolder::new(log);
    folder.check(Creation::asked(ask.create))?;
    // No log is made for a service that cannot listen.
    can_listen(ask)?;
    let writer = folder.open_or_make(ask.origin.as_deref(), Creation::asked(ask.create))?;
    let (service, said) = around.service(ask, log, writer)?;
    logging::start(ask.log_format, ask.log_level);
    said.print(ask.json)?;
    service.run(too_late).map_err(Failure::of_reading)?;
    Ok(Exit::Good)
}

fn can_listen(ask: &Serve) -> Result<(), Failure> {
    let listener = TcpListener::bind(&ask.listen);
    listener.map(drop).map_err(|error| Failure::file(format!("--listen {}", ask.listen), &error))
}

/// What is around a log that is served, read before anything is made.
struct Around {
    entrance: Entrance,
    producer: ProducerId,
    webhook: Option<Webhook>,
    collector: Option<Collector>,
}

/// What is said once a service listens.
struct Serving {
    address: SocketAddr,
    url: String,
    let_in: String,
    tokens: bool,
    origin: String,
    size: u64,
}

impl Around {
    fn of(ask: &Serve) -> Result<Self, Failure> {
        let entrance = Entrance::of(&ask.listen, &ask.let_in)?;
        printable("--producer", &ask.producer)?;
        let producer =
            ask.producer.parse().map_err(|error| Failure::usage(format!("--producer: {}", said(&error))))?;
        Ok(Self { entrance, producer, webhook: webhook(ask)?, collector: collector(ask)? })
    }

    /// A service that listens for a log that is open.
    fn service(self, ask: &Serve, log: &Path, writer: Writer) -> Result<(Service, Serving), Failure> {
        if let Some(file) = &ask.witness_policy {
            witnesses::ask_before_sealing(log, file, &writer)?;
        }
        let (origin, size) =
            (writer.verifier_key().name().to_owned(), writer.signed_checkpoint().checkpoint().size);
        let limits = Limits { connections: connections(ask.max_connections), ..Limits::default() };
        let bounds = Bounds { body: ask.max_body as usize, posts: usize::from(ask.max_posts) };
        let service = Service::bind(&ask.listen, writer, self.producer, limits, bounds);
        let service = service.map_err(Failure::of_reading)?;
        let service = service.certify(&log.join("follower")).map_err(Failure::of_reading)?;
        let service = match self.webhook {
            Some(webhook) => service.with_webhook(webhook),
            None => service,
        };
        let service = match ask.witness_policy.as_deref() {
            Some(file) => service.with_witnesses(witnesses::while_serving(log, file, ask.witness_interval)?),
            None => service,
        };
        let service = service.with_program(PROGRAM);
        let service = match self.collector {
            Some(collector) => service.with_collector(collector),
            None => service,
        };
        let folder = KeyedFolder::new(log);
        let open_anew = move || folder.open_writer(None).map_err(|failure| failure.message);
        let service = service.maintain(LogFolder::new(log), open_anew).map_err(Failure::of_reading)?;
        let address = service.address();
        let serving = Serving {
            address,
            url: format!("{}://{address}", self.entrance.scheme()),
            let_in: self.entrance.summary(ask.stream.from.is_empty()),
            tokens: self.entrance.asks_for_tokens(),
            origin,
            size,
        };
        Ok((self.entrance.before(service), serving))
    }
}

impl Serving {
    fn print(&self, json: bool) -> Result<(), Failure> {
        let Self { address, url, let_in, tokens, origin, size } = self;
        if json {
            return output::print_json(&json!({
                "listening": address.to_string(), "url": url, "tokens": tokens, "origin": origin, "size": size
            }));
        }
        output::print(&format!("{}\n{let_in}\n", texts().serving(origin, size, url)))
    }
}

/// The stop took too long.
fn too_late() {
    tracing::error!("the stop took too long and was aborted; what was acknowledged is durable");
    std::process::exit(i32::from(Exit::OwnFault.status()));
}

fn webhook(ask: &Serve) -> Result<Option<Webhook>, Failure> {
    let (Some(url), Some(file)) = (&ask.webhook, &ask.webhook_secret) else { return Ok(None) };
    keys::only_for_its_owner(file)?;
    let webhook = Webhook::new(url, &small_text(file)?);
    webhook
        .map(Some)
        .map_err(|error| Failure::usage(format!("--webhook, --webhook-secret: {}", said(&error))))
}

/// The collector that receives spans; none for an empty address.
fn collector(ask: &Serve) -> Result<Option<Collector>, Failure> {
    let address = ask.otlp_endpoint.as_deref().filter(|address| !address.is_empty());
    let collector = address.map(Collector::at).transpose();
    collector.map_err(|error| Failure::usage(format!("--otlp-endpoint: {}", said(&error))))
}

/// The number of connections asked for, or fewer where the system allows fewer open files.
pub(super) fn connections(asked: u32) -> usize {
    let limit = getrlimit(Resource::Nofile);
    // Where the system does not raise the limit, the current limit holds.
    let raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    let allowed = if raised.is_ok() { limit.maximum } else { limit.current };
    let most = allowed.map_or(u64::MAX, |allowed| allowed.saturating_sub(OTHER_FILES).max(16));
    usize::try_from(most.min(u64::from(asked))).unwrap_or(usize::MAX)
}
