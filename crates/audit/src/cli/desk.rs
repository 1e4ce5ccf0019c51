//! Arguments of `audit desk`.

use clap::Args;

use super::{LogRead, Trusted};

#[derive(Debug, Args)]
pub(crate) struct Desk {
    #[command(flatten)]
    pub(crate) log: LogRead,
    #[command(flatten)]
    pub(crate) trusted: Trusted,
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
