//! What can be asked of access: who may do what at a service, and how it is reached.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Who is let in by `audit serve`.
#[derive(Debug, Args)]
pub(crate) struct LetIn {
    /// Ask everybody for a token of this file (audit tokens new); without it, whoever reaches the service
    /// may do everything, so it listens on this machine only
    #[arg(long, value_name = "FILE", help_heading = "Access")]
    pub(crate) tokens: Option<PathBuf>,
    /// A name this service is called by; may be given several times. Without tokens it answers to these,
    /// `localhost` and addresses, with tokens to any name unless some are given
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Access")]
    pub(crate) host: Vec<String>,
    /// Serve over TLS, with this certificate and those that lead to its authority (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = "Access")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The certificate's private key (PEM), which others may not be able to read
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "Access")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Let only those in who have a certificate of these authorities (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "Access")]
    pub(crate) client_ca: Option<PathBuf>,
    /// Listen beyond this machine without TLS: whoever is in between can read tokens and events
    #[arg(long, help_heading = "Access")]
    pub(crate) plain_http_beyond_this_machine: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tokens {
    /// Make a token and show it, this once; the file is made if it is not there
    New(TokensNew),
    /// List the tokens
    List(TokensList),
    /// Revoke a token, for good; a running service knows within a second
    Revoke(TokensRevoke),
}

#[derive(Debug, Args)]
pub(crate) struct TokensNew {
    /// The file of tokens
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: PathBuf,
    /// What its bearer may do
    #[arg(long)]
    pub(crate) role: RoleAsked,
    /// Who hands events in with it
    #[arg(long, value_name = "ID")]
    pub(crate) producer: Option<String>,
    /// A table whose events may be posted with it; may be given several times
    #[arg(long = "table", value_name = "ID", conflicts_with = "all_tables")]
    pub(crate) tables: Vec<String>,
    /// Events of every table may be posted with it
    #[arg(long)]
    pub(crate) all_tables: bool,
    /// When it stops being good: 2027-01-31 (as that day begins, UTC), or 2027-01-31T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<String>,
    /// Whose it is, where it is kept: for people
    #[arg(long, default_value = "", hide_default_value = true, value_name = "TEXT")]
    pub(crate) note: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum RoleAsked {
    /// Post events of its tables
    Append,
    /// Read the log and what follows from it
    Read,
    /// Both, and what is done to a running service
    Admin,
}

#[derive(Debug, Args)]
pub(crate) struct TokensList {
    /// The file of tokens
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TokensRevoke {
    /// The token's id, the digits after `audit_`
    pub(crate) id: String,
    /// The file of tokens
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
