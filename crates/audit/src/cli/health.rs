//! Arguments of `audit health`.

use std::path::PathBuf;

use clap::Args;

use super::served::AskAs;

#[derive(Debug, Args)]
pub(crate) struct Health {
    /// The service's address, as audit serve prints it
    #[arg(value_name = "URL", required_unless_present = "config", conflicts_with = "config")]
    pub(crate) url: Option<String>,
    /// Ask the service that runs on this machine with these settings: the file of audit serve --config. Variables
    /// AUDIT_SERVE_* count as they do for the service
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Ask only whether events are recorded: for load balancers, and for health checks of containers
    #[arg(long)]
    pub(crate) ready: bool,
    #[command(flatten)]
    pub(crate) ask_as: AskAs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
