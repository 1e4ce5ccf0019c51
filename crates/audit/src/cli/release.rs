//! The arguments of `audit release`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Release {
    /// Sign a list of the SHA-256 sums of files, as a signed note (C2SP)
    Sign(ReleaseSign),
    /// Verify a signed list, and the files that it names
    Verify(ReleaseVerify),
}

#[derive(Debug, Args)]
pub(crate) struct ReleaseSign {
    /// The files of the release; they are listed by name, without their folders
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The signing key, made by `audit keys new`; a key for releases, never a log's
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// The note to write; a file that exists is not replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ReleaseVerify {
    /// The signed list
    pub(crate) note: PathBuf,
    /// Files of the release [default: every file that the list names, in the list's folder]
    pub(crate) files: Vec<PathBuf>,
    /// The key that must have signed it: a verifier key, or a file that holds one
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
