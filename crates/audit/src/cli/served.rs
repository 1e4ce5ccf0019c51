//! A log to read, wherever it is, and what it takes to be let in where it is served.

use std::path::{Path, PathBuf};

use clap::Args;

#[derive(Debug, Default, Args)]
pub(crate) struct LogRead {
    /// A log's folder (only read: a private copy is worked on), an archive, or a served log's URL
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,
    #[command(flatten)]
    pub(crate) ask_as: AskAs,
}

/// Who asks a service, and whom is believed to be it.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct AskAs {
    /// File with the token that a served log asks for [default: the environment's AUDIT_TOKEN]
    #[arg(long, value_name = "FILE", help_heading = "Served logs")]
    pub(crate) token_file: Option<PathBuf>,
    /// Believe a served log's certificate only if these authorities (PEM) vouch for it
    #[arg(long, value_name = "FILE", help_heading = "Served logs")]
    pub(crate) ca: Option<PathBuf>,
    /// Show a served log this certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "client_key", help_heading = "Served logs")]
    pub(crate) client_cert: Option<PathBuf>,
    /// The key of that certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "client_cert", help_heading = "Served logs")]
    pub(crate) client_key: Option<PathBuf>,
    /// Send the token even where whoever is in between can read it: http:// to another machine
    #[arg(long, help_heading = "Served logs")]
    pub(crate) plain_http_beyond_this_machine: bool,
}

impl LogRead {
    /// A log that nothing more is said of.
    pub(crate) fn at(path: &Path) -> Self {
        Self { log: path.to_owned(), ..Self::default() }
    }
}
