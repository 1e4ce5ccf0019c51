//! What can be asked of witnesses.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::algorithm::AlgorithmAsked;

#[derive(Debug, Subcommand)]
pub(crate) enum Witness {
    /// Make a witness: a folder with its key
    New(WitnessNew),
    /// Answer logs over HTTP (C2SP tlog-witness) until told to stop, and never sign two histories
    Serve(WitnessServe),
    /// Hand a log's newest checkpoint to witnesses and keep their cosignatures
    Submit(WitnessSubmit),
}

#[derive(Debug, Args)]
pub(crate) struct WitnessNew {
    /// The witness's folder; made if it is not there
    pub(crate) state: PathBuf,
    /// The witness's name: customarily a URL without its scheme, `regulator.example/w1`
    #[arg(long)]
    pub(crate) name: String,
    /// How its key signs
    #[arg(long, value_name = "ALGORITHM", default_value = "ed25519")]
    pub(crate) algorithm: AlgorithmAsked,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WitnessServe {
    /// The witness's folder: its key, and what it signed
    #[arg(long, value_name = "DIR")]
    pub(crate) state: PathBuf,
    /// Where to listen; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:7380", value_name = "ADDRESS")]
    pub(crate) listen: String,
    /// The key of a log to watch: a verifier key, or a file that holds one; may be given several
    /// times
    #[arg(long = "log", value_name = "VKEY|FILE", required = true)]
    pub(crate) logs: Vec<String>,
    /// The witness's name, given once: its key is made if it is not there
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Print a JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WitnessSubmit {
    /// The log's folder (only read, but for `checkpoint.cosigned`)
    pub(crate) log: PathBuf,
    /// The witnesses, where they are, and how many are enough (C2SP tlog-policy)
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
