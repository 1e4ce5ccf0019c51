//! Arguments of `audit report`.

use std::path::PathBuf;

use clap::Args;

use super::LogRead;

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
    /// A checkpoint of this log that was kept elsewhere; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Vec<PathBuf>,
    /// The key that must have signed the log: a verifier key, or a file that holds one
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: Option<String>,
    /// Accept only rulebooks with this digest, or with a digest in this file; may be given several
    /// times
    #[arg(long, value_name = "DIGEST|FILE")]
    pub(crate) approved: Vec<String>,
    /// Print the verdicts and the names of the files as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
