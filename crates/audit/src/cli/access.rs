//! Arguments about access: who may do what at a service, and how it is reached.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Who may connect to `audit serve`.
#[derive(Debug, Args)]
pub(crate) struct LetIn {
    /// Require a token of this file (made by audit tokens new). Without tokens, anyone who can connect may
    /// do everything, so the service listens on this machine only
    #[arg(long, value_name = "FILE", help_heading = "Access")]
    pub(crate) tokens: Option<PathBuf>,
    /// Minutes after which a person who signed in to the pages has to sign in again, 1 to 720
    #[arg(
        long, value_name = "MINUTES", default_value_t = 720, help_heading = "Access",
        value_parser = clap::value_parser!(u16).range(1..=720)
    )]
    pub(crate) session_minutes: u16,
    /// A host name under which clients reach this service; may be given several times. Without tokens the
    /// service answers only to these names, `localhost` and IP addresses; with tokens it answers to any
    /// name, unless names are given
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Access")]
    pub(crate) host: Vec<String>,
    /// Serve over TLS with this certificate, followed by those that lead to its authority (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = "Access")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The certificate's private key (PEM); only its owner may be able to read the file
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "Access")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Accept only clients that have a certificate of these authorities (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "Access")]
    pub(crate) client_ca: Option<PathBuf>,
    /// People reach this service over HTTPS, which a proxy in front of it ends: browsers then send the session's
    /// cookie over HTTPS alone
    #[arg(long, help_heading = "Access")]
    pub(crate) https_in_front: bool,
    /// Listen beyond this machine without TLS; anyone on the network path can then read tokens and events
    #[arg(long, help_heading = "Access")]
    pub(crate) plain_http_beyond_this_machine: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tokens {
    /// Create a token and show it, only this once; the file is created if it does not exist
    New(TokensNew),
    /// List the tokens
    List(TokensList),
    /// Revoke a token permanently; a running service rejects it within a second
    Revoke(TokensRevoke),
}

#[derive(Debug, Args)]
pub(crate) struct TokensNew {
    /// The file of tokens
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: PathBuf,
    /// What the bearer of the token may do
    #[arg(long)]
    pub(crate) role: RoleAsked,
    /// The producer: who submits events with this token
    #[arg(long, value_name = "ID")]
    pub(crate) producer: Option<String>,
    /// A table whose events may be posted with this token; may be given several times
    #[arg(long = "table", value_name = "ID", conflicts_with = "all_tables")]
    pub(crate) tables: Vec<String>,
    /// Events of every table may be posted with this token
    #[arg(long)]
    pub(crate) all_tables: bool,
    /// When the token expires: 2027-01-31 (at the start of that day, UTC), or 2027-01-31T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<String>,
    /// A note for people: whose token it is, where it is stored
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
    /// Read the log, and the findings and tables that follow from it
    Read,
    /// Both
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
