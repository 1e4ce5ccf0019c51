//! Arguments of `audit check`.

use std::path::PathBuf;

use clap::Args;

use super::served::{AskAs, LogRead};

/// Exit status: 0 every line is an event and none is in conflict; 1 events have numbers that other events have as well;
/// 4 lines are no events; 5 not everything could be compared, or there is no event in it.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// File of events, one JSON object per line; `-` for standard input
    pub(crate) file: PathBuf,
    /// Compare the events with this log as well: a log's folder, an archive, or a served log's URL
    #[arg(long, value_name = "LOG")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) ask_as: AskAs,
    /// List at most this many malformed lines, and as many conflicts; all of them are counted
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) limit: usize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl Check {
    /// The log to compare with.
    pub(crate) fn log(&self) -> Option<LogRead> {
        let log = self.against.clone()?;
        Some(LogRead { log, ask_as: self.ask_as.clone() })
    }
}
