//! Arguments of the commands that copy a log and restore it from a copy.

use std::path::PathBuf;

use clap::Args;

use super::served::LogRead;

#[derive(Debug, Args)]
pub(crate) struct Backup {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The archive to write; it gets this name only once it is complete, on disk, read back and verified
    #[arg(long, value_name = "FILE.auditlog", required_unless_present = "into")]
    pub(crate) out: Option<PathBuf>,
    /// Write the archive into this folder of backups, named by its number of entries. It must hold everything of the
    /// newest backup there, unaltered; none is removed
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "since", "force"])]
    pub(crate) into: Option<PathBuf>,
    /// The previous backup, or its checkpoint; the new backup must hold all of it, unaltered
    #[arg(long, value_name = "FILE")]
    pub(crate) since: Option<PathBuf>,
    /// The key that must have signed the log: a verifier key, or a file that holds one
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: Option<String>,
    /// Also write the backup's checkpoint to this file; store it somewhere else
    #[arg(long, value_name = "FILE")]
    pub(crate) keep_head: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// An archive of the whole log: a backup, or an export that withholds nothing
    pub(crate) archive: PathBuf,
    /// The folder to create; it must not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) log: PathBuf,
    /// The log's signing key: the file `key` of its folder, which no archive holds
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// A checkpoint of the log that was kept elsewhere, if possible newer than the backup; the restore is
    /// refused if the archive does not reach that far. May be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
