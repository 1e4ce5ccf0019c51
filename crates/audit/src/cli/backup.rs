//! What can be asked of copies of a log, and of getting a log back from one.

use std::path::PathBuf;

use clap::Args;

use super::served::LogRead;

#[derive(Debug, Args)]
pub(crate) struct Backup {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The archive to write; it has its name once it is whole, on the medium, read back and verified
    #[arg(long, value_name = "FILE.auditlog")]
    pub(crate) out: PathBuf,
    /// The backup before (or a checkpoint of it): the new one must hold all of it, unaltered
    #[arg(long, value_name = "FILE")]
    pub(crate) since: Option<PathBuf>,
    /// The key that must have signed the log: a verifier key, or a file that holds one
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: Option<String>,
    /// Write the backup's checkpoint to this file as well, to be kept in another place
    #[arg(long, value_name = "FILE")]
    pub(crate) keep_head: Option<PathBuf>,
    /// Replace the file if it is there
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
    /// The folder to make; it must not be there
    #[arg(long, value_name = "DIR")]
    pub(crate) log: PathBuf,
    /// The log's signing key: the file `key` of its folder, which no archive holds
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// A checkpoint of the log that somebody kept, of after the backup if there is one: refused if the
    /// archive does not reach that far. May be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
