//! Arguments of `audit desk`.

use std::path::PathBuf;

use clap::Args;

use super::LogRead;

#[derive(Debug, Args)]
pub(crate) struct Desk {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// Verifier key of the log (a file, or the key itself), obtained independently of the log
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// A checkpoint of the log kept earlier; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Vec<PathBuf>,
    /// Address to listen at, of this machine only; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: String,
    /// Print the address and open no browser
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// Print the address as JSON, and open no browser
    #[arg(long)]
    pub(crate) json: bool,
}
