//! Arguments of `audit sample`.

use std::path::PathBuf;

use clap::Args;

use super::LogRead;

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
    /// A checkpoint of this log that was kept elsewhere; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Vec<PathBuf>,
    /// The key that must have signed the log: a verifier key, or a file that holds one
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
