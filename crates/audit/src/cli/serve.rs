//! Arguments of `audit serve`.

use std::path::PathBuf;

use clap::Args;

use super::access::LetIn;
use super::fleet::FromStream;
use crate::logging::{LogFormat, LogLevel};

/// Where a service listens that is given no address.
pub(crate) const SERVED_AT: &str = "127.0.0.1:7370";

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// A TOML file for settings that are given neither as arguments nor in the environment
    /// (AUDIT_SERVE_MAX_BODY for --max-body, and so on); its keys are the long names of these arguments
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print every setting and where it came from, then exit
    #[arg(long)]
    pub(crate) print_config: bool,
    /// The log's folder
    #[arg(long, value_name = "DIR")]
    pub(crate) log: Option<PathBuf>,
    /// Make the log if there is none. Not for a unit that starts the service again and again: where the log's disk is
    /// not mounted, it would begin a second log
    #[arg(long)]
    pub(crate) create: bool,
    /// Address and port to listen on; port 0 selects a free port
    #[arg(long, default_value = SERVED_AT, value_name = "ADDRESS")]
    pub(crate) listen: String,
    /// The producer that is recorded where no token names one
    #[arg(long, default_value = "audit-serve", value_name = "ID")]
    pub(crate) producer: String,
    /// The log's name, fixed when the log is created [default: audit.invalid/ and the folder's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) origin: Option<String>,
    /// Before anything is sealed, ask the witnesses of this policy for cosignatures; the log is not served
    /// if one of them has seen a newer state of it. While the log grows, ask them again, and serve the newest
    /// checkpoint that enough of them signed
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// Seconds between two submissions of a growing log to its witnesses (1 to 86400)
    #[arg(long, default_value_t = 60, value_name = "SECONDS",
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) witness_interval: u32,
    /// Longest body of a post, in bytes (4 KiB to 64 MiB)
    #[arg(long, default_value_t = 8 << 20, value_name = "BYTES",
          value_parser = clap::value_parser!(u32).range(4 << 10..=64 << 20))]
    pub(crate) max_body: u32,
    /// Posts that are processed at the same time (1 to 4096); further posts are answered with status 429
    #[arg(long, default_value_t = 512, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) max_posts: u16,
    /// Connections open at the same time (1 to 100000), idle ones included; for one more, the connection
    /// that has been idle for longest is closed. The system's limit on open files is raised as far as
    /// possible, and also limits this number
    #[arg(long, default_value_t = 16_384, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_connections: u32,
    /// Send every finding, signed, to this URL and repeat until it is accepted (Standard Webhooks)
    #[arg(long, value_name = "URL", requires = "webhook_secret")]
    pub(crate) webhook: Option<String>,
    /// The secret that signs the webhook: a file that only its owner can read, `whsec_` and at least 24
    /// bytes in base64
    #[arg(long, value_name = "FILE", requires = "webhook")]
    pub(crate) webhook_secret: Option<PathBuf>,
    /// Send a span of every request to the OpenTelemetry collector at this address, by OTLP over HTTP (the
    /// environment variable OTEL_EXPORTER_OTLP_ENDPOINT sets the same)
    #[arg(long, value_name = "URL")]
    pub(crate) otlp_endpoint: Option<String>,
    #[command(flatten)]
    pub(crate) let_in: LetIn,
    #[command(flatten)]
    pub(crate) stream: FromStream,
    /// Format of the service's own log lines, on standard error
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) log_format: LogFormat,
    /// Lowest level of the log lines that are written
    #[arg(long, value_enum, default_value = "info", value_name = "LEVEL")]
    pub(crate) log_level: LogLevel,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
