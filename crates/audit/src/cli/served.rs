//! A log to read, wherever it is, and the credentials for a log that is served.

use std::path::{Path, PathBuf};

use clap::Args;

#[derive(Debug, Default, Args)]
pub(crate) struct LogRead {
    /// A log's folder (never written: the command reads a private copy), an archive, a served log's URL, or `-` for
    /// an archive on standard input
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,
    #[command(flatten)]
    pub(crate) ask_as: AskAs,
}

/// The credentials that a client shows to a service, and the certificates that it accepts from it.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct AskAs {
    /// File with the token for a served log [default: the environment variable AUDIT_TOKEN]
    #[arg(long, value_name = "FILE", help_heading = "Served logs")]
    pub(crate) token_file: Option<PathBuf>,
    /// Accept a served log's certificate only if one of these authorities (PEM) issued it
    #[arg(long, value_name = "FILE", help_heading = "Served logs")]
    pub(crate) ca: Option<PathBuf>,
    /// Client certificate (PEM) to present to a served log
    #[arg(long, value_name = "FILE", requires = "client_key", help_heading = "Served logs")]
    pub(crate) client_cert: Option<PathBuf>,
    /// Private key of the client certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "client_cert", help_heading = "Served logs")]
    pub(crate) client_key: Option<PathBuf>,
    /// Send the token even over http:// to another machine, where anyone on the network path can read it
    #[arg(long, help_heading = "Served logs")]
    pub(crate) plain_http_beyond_this_machine: bool,
}

impl LogRead {
    /// A log that needs no credentials.
    pub(crate) fn at(path: &Path) -> Self {
        Self { log: path.to_owned(), ..Self::default() }
    }
}
