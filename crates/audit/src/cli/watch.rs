//! Arguments of `audit watch`.

use clap::Args;

use super::AskAs;

#[derive(Debug, Args)]
pub(crate) struct Watch {
    /// The service's address, as audit serve prints it
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// Show only findings after the one with this number
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) since: u64,
    /// End once everything that the service has recorded is judged and shown
    #[arg(long)]
    pub(crate) until_caught_up: bool,
    /// Give up when there was no answer for this long; without this, it asks again for as long as it runs. The first
    /// answer has to come at once
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=31_536_000))]
    pub(crate) patience: Option<u64>,
    #[command(flatten)]
    pub(crate) ask_as: AskAs,
    /// Print JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,
}
