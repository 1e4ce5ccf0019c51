//! Arguments of `audit sample`.

use clap::Args;

use super::{LogRead, Trusted};

#[derive(Debug, Args)]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// Seed of the sample, a whole number: chosen once the log's checkpoint is kept, so that nobody who writes the log
    /// can know which coups will be drawn
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: u64,
    /// How many coups to draw
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) coups: u32,
    #[command(flatten)]
    pub(crate) trusted: Trusted,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
