//! Arguments of `audit verify fleet`.

use std::path::PathBuf;

use clap::Args;

use super::served::{AskAs, LogRead};

#[derive(Debug, Args)]
pub(crate) struct VerifyFleet {
    /// The logs: each a log's folder (never written: the command reads a private copy), an archive, or a served log's URL
    #[arg(value_name = "LOG", required = true)]
    pub(crate) logs: Vec<PathBuf>,
    /// A checkpoint of one of the logs that was kept elsewhere; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Vec<PathBuf>,
    /// The key that must have signed the log of its name: a verifier key, or a file that holds one; may be given
    /// several times
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: Vec<String>,
    /// Report each log as anchored only if a quorum of these witnesses signed a checkpoint that it extends, or that a
    /// log extends which continues it: its own, the cosigned one stored beside it, or one given with --checkpoint
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// Accept only rulebooks with this digest, or with a digest in this file; may be given several
    /// times
    #[arg(long, value_name = "DIGEST|FILE")]
    pub(crate) approved: Vec<String>,
    #[command(flatten)]
    pub(crate) ask_as: AskAs,
    /// Show all listed findings, contradictions and open questions, not only the first twenty
    #[arg(long)]
    pub(crate) all: bool,
    /// Print the whole report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl VerifyFleet {
    /// The logs, each to be read with the credentials given.
    pub(crate) fn each(&self) -> impl Iterator<Item = LogRead> {
        self.logs.iter().map(|log| LogRead { log: log.clone(), ask_as: self.ask_as.clone() })
    }
}
