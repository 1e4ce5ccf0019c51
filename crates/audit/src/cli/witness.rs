//! Arguments of the commands about witnesses.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::algorithm::AlgorithmAsked;

#[derive(Debug, Subcommand)]
pub(crate) enum Witness {
    /// Create a witness: a folder with its key
    New(WitnessNew),
    /// Run a witness over HTTP (C2SP tlog-witness) until it is stopped; it never signs two histories of a
    /// log
    ///
    /// Logs submit their checkpoints with POST /add-checkpoint. Monitors get the newest checkpoint that was
    /// cosigned of a log with GET /ORIGIN-HASH/checkpoint; the origin hash is the SHA-256 of the log's origin in
    /// lowercase hexadecimal digits.
    Serve(WitnessServe),
    /// Submit a log's newest checkpoint to witnesses and store their cosignatures
    Submit(WitnessSubmit),
    /// Take a witness's state up again after a loss, from the list of what it signed and from checkpoints that
    /// others kept
    Recover(WitnessRecover),
}

#[derive(Debug, Args)]
pub(crate) struct WitnessNew {
    /// The witness's folder; created if it does not exist
    pub(crate) state: PathBuf,
    /// The witness's name: by convention a URL without its scheme, such as `regulator.example/w1`
    #[arg(long)]
    pub(crate) name: String,
    /// How its key signs
    #[arg(long, value_name = "ALGORITHM", default_value = "ed25519")]
    pub(crate) algorithm: AlgorithmAsked,
    /// The list of what the witness signs, best on another disk; made empty [default: the folder's name with
    /// `.signed` behind it]
    #[arg(long, value_name = "DIR")]
    pub(crate) signed: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WitnessServe {
    /// A TOML file with the settings that are not given as arguments; its keys are the long names of these arguments
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The witness's folder: its key, and what it signed
    #[arg(long, value_name = "DIR")]
    pub(crate) state: PathBuf,
    /// The list of every log the witness ever signed, apart from its folder: a log on the list whose state is
    /// missing or older is not signed any more [default: the folder's name with `.signed` behind it]
    #[arg(long, value_name = "DIR")]
    pub(crate) signed: Option<PathBuf>,
    /// Address and port to listen on; port 0 selects a free port
    #[arg(long, default_value = "127.0.0.1:7380", value_name = "ADDRESS")]
    pub(crate) listen: String,
    /// Connections open at the same time (1 to 100000). While all are in use, new ones are answered with status 503;
    /// one without a request is closed for them, one whose request is under way never. The system's limit on open files
    /// is raised as far as possible, and also limits this number
    #[arg(long, default_value_t = 64, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_connections: u32,
    /// The key of a log to watch: a verifier key, or a file that holds one; may be given several
    /// times
    #[arg(long = "log", value_name = "VKEY|FILE", required = true)]
    pub(crate) logs: Vec<String>,
    /// The witness's name, needed only once: its key is created if it does not exist
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WitnessSubmit {
    /// The log's folder; only its file `checkpoint.cosigned` is written
    pub(crate) log: PathBuf,
    /// Policy file: the witnesses, their URLs, and how many must sign (C2SP tlog-policy)
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WitnessRecover {
    /// The witness's folder; the witness must be stopped
    pub(crate) state: PathBuf,
    /// The list of what it signed [default: the folder's name with `.signed` behind it]
    #[arg(long, value_name = "DIR")]
    pub(crate) signed: Option<PathBuf>,
    /// A checkpoint with this witness's cosignature (a log's `checkpoint.cosigned`); may be given several times,
    /// and counts where it is newer than the list
    #[arg(long = "checkpoint", value_name = "FILE")]
    pub(crate) checkpoints: Vec<PathBuf>,
    /// This witness never signed anything: make an empty list where there is none
    #[arg(long, conflicts_with = "checkpoints")]
    pub(crate) nothing_signed: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
