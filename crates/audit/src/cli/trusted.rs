//! What whoever reads a log trusts: the same arguments for every command that verifies a whole log.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Trusted {
    /// A checkpoint of this log that was kept elsewhere; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Vec<PathBuf>,
    /// Report the log as anchored only if a quorum of these witnesses signed a checkpoint that the log
    /// extends: its own, the cosigned one stored beside it, or one given with --checkpoint
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// The key that must have signed the log: a verifier key, or a file that holds one
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: Option<String>,
    /// Accept only rulebooks with this digest, or with a digest in this file; may be given several
    /// times
    #[arg(long, value_name = "DIGEST|FILE")]
    pub(crate) approved: Vec<String>,
}
