//! What can be asked of the service.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The log's folder; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) log: PathBuf,
    /// Where to listen, on this machine; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:7370", value_name = "ADDRESS")]
    pub(crate) listen: String,
    /// Who hands the events in
    #[arg(long, default_value = "audit-serve", value_name = "ID")]
    pub(crate) producer: String,
    /// The log's name, given once when it is made [default: audit.invalid/ and the folder's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) origin: Option<String>,
    /// Before anything is sealed, ask the witnesses of this policy for their cosignature: a log older
    /// than what one of them has seen is not served
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// Longest body of a post, bytes
    #[arg(long, default_value_t = 8 << 20, value_name = "BYTES")]
    pub(crate) max_body: usize,
    /// Posts being worked on at once; others are told to come again (429)
    #[arg(long, default_value_t = 128, value_name = "N")]
    pub(crate) max_posts: usize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
