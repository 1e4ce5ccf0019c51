//! Arguments of `audit report`.

use std::path::PathBuf;

use clap::Args;

use super::{LogRead, Trusted};

#[derive(Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// Write the report here: .html is one file to read, print or send; .json and .sarif are for programs. May be given
    /// several times
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Vec<PathBuf>,
    /// Write all findings, and the report's tables, as CSV files into this new folder
    #[arg(long, value_name = "DIR")]
    pub(crate) csv: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) trusted: Trusted,
    /// Print the verdicts and the names of the files as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
