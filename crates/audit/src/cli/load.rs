//! Arguments of `audit load`.

use std::num::NonZeroU64;

use clap::Args;

use super::served::AskAs;
use crate::language::texts;

#[derive(Debug, Args)]
pub(crate) struct Load {
    /// The service: http://HOST:PORT or https://HOST
    #[arg(long, value_name = "URL")]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) ask_as: AskAs,
    /// The key that must have signed the log: a verifier key, or a file that holds one [default: the key
    /// that the service reports]
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: Option<String>,
    /// Number of tables that play at the same time [default: as many as connections]
    #[arg(long, value_name = "N")]
    pub(crate) tables: Option<u32>,
    /// Number of connections, each with tables of its own
    #[arg(long, default_value_t = 16, value_name = "C")]
    pub(crate) connections: u32,
    /// Events per post: a number, `coup` or `shoe`
    #[arg(long, default_value = "coup", value_name = "K|coup|shoe", value_parser = batch)]
    pub(crate) batch: load::Batch,
    /// Events per second of all tables together; `max` posts as soon as the previous answer arrives
    #[arg(long, default_value = "max", value_name = "EVENTS|max", value_parser = rate)]
    pub(crate) rate: Rate,
    /// How long to post, in seconds
    #[arg(long, default_value_t = 10, value_name = "S")]
    pub(crate) seconds: u32,
    /// Percentage of posts that lose their connection before the answer and are posted again
    #[arg(long, default_value_t = 0, value_name = "PERCENT")]
    pub(crate) disconnect: u8,
    /// Shoes per session: a table plays them and closes, then opens again for the next session
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub(crate) shoes: u32,
    /// Seed of the simulation; the same seed plays the same shoes
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The rulebook to play under: a built-in name or a file
    #[arg(long, default_value = "mini-punto-banco", value_name = "ID|FILE")]
    pub(crate) rulebook: String,
    /// How long a post that is not answered is repeated, in seconds
    #[arg(long, default_value_t = 60, value_name = "S")]
    pub(crate) patience: u32,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Events per second; `None` as fast as answers arrive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate(pub(crate) Option<NonZeroU64>);

fn batch(text: &str) -> Result<load::Batch, String> {
    text.parse().map_err(|_| texts().bad_batch(load::MAX_BATCH))
}

fn rate(text: &str) -> Result<Rate, String> {
    if text == "max" {
        return Ok(Rate(None));
    }
    let number = text.parse().map_err(|_| texts().bad_rate())?;
    Ok(Rate(Some(number)))
}
