//! What can be asked of the service.

use std::path::PathBuf;

use clap::Args;

use super::access::LetIn;
use crate::logging::{LogFormat, LogLevel};

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Settings that are not given here nor in the environment (AUDIT_SERVE_MAX_BODY for --max-body, and so
    /// on): a TOML file, its keys the long names of these arguments
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print every setting and where it came from, and serve nothing
    #[arg(long)]
    pub(crate) print_config: bool,
    /// The log's folder; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) log: Option<PathBuf>,
    /// Where to listen; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:7370", value_name = "ADDRESS")]
    pub(crate) listen: String,
    /// Who hands the events in, where no token says so
    #[arg(long, default_value = "audit-serve", value_name = "ID")]
    pub(crate) producer: String,
    /// The log's name, given once when it is made [default: audit.invalid/ and the folder's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) origin: Option<String>,
    /// Before anything is sealed, ask the witnesses of this policy for their cosignature: a log older
    /// than what one of them has seen is not served
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// Longest body of a post, bytes (4 KiB to 64 MiB)
    #[arg(long, default_value_t = 8 << 20, value_name = "BYTES",
          value_parser = clap::value_parser!(u32).range(4 << 10..=64 << 20))]
    pub(crate) max_body: u32,
    /// Posts being worked on at once (1 to 4096); others are told to come again (429)
    #[arg(long, default_value_t = 512, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) max_posts: u16,
    /// Connections open at once (1 to 100000), idle ones included; for one more, the one that has been idle
    /// for longest is closed. No more than the system allows files, which is raised as far as it goes
    #[arg(long, default_value_t = 16_384, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_connections: u32,
    /// Tell this URL of every finding, signed, until it is taken (Standard Webhooks)
    #[arg(long, value_name = "URL", requires = "webhook_secret")]
    pub(crate) webhook: Option<String>,
    /// What it is signed with: a file that only its owner can read, `whsec_` and at least 24 bytes in
    /// base64
    #[arg(long, value_name = "FILE", requires = "webhook")]
    pub(crate) webhook_secret: Option<PathBuf>,
    /// Send a span of every request to the OpenTelemetry collector at this address, by OTLP over HTTP
    /// (OTEL_EXPORTER_OTLP_ENDPOINT in the environment says the same)
    #[arg(long, value_name = "URL")]
    pub(crate) otlp_endpoint: Option<String>,
    #[command(flatten)]
    pub(crate) let_in: LetIn,
    /// How lines of the service's own log look, on standard error
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) log_format: LogFormat,
    /// From which level on they are written
    #[arg(long, value_enum, default_value = "info", value_name = "LEVEL")]
    pub(crate) log_level: LogLevel,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
