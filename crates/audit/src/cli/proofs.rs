//! Arguments of the commands that make and check proofs.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::served::LogRead;

#[derive(Debug, Subcommand)]
pub(crate) enum Prove {
    /// Prove that the entries of one coup are in the log
    Coup(ProveCoup),
    /// Prove that one entry is in the log
    Entry(ProveEntry),
    /// Prove that the log's newest checkpoint extends an older one
    Checkpoint(ProveCheckpoint),
}

#[derive(Debug, Args)]
pub(crate) struct ProveCoup {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The table
    #[arg(long)]
    pub(crate) table: String,
    /// The shoe; may be omitted if only one shoe has a coup with this number
    #[arg(long)]
    pub(crate) shoe: Option<String>,
    /// The coup's number within the shoe
    #[arg(long)]
    pub(crate) coup: u32,
    /// An event of the coup, by its number at the table: of several coups with this number, the one that it belongs to
    #[arg(long, value_name = "SEQUENCE")]
    pub(crate) event: Option<u64>,
    #[command(flatten)]
    pub(crate) out: ProofOut,
}

#[derive(Debug, Args)]
pub(crate) struct ProveEntry {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The entry's index in the log, from 0
    #[arg(long, required_unless_present_any = ["digest", "table"], conflicts_with_all = ["digest", "table"])]
    pub(crate) index: Option<u64>,
    /// The entry's digest, as a receipt names it
    #[arg(long, conflicts_with = "table")]
    pub(crate) digest: Option<String>,
    /// The table of the event that --sequence names
    #[arg(long, requires = "sequence")]
    pub(crate) table: Option<String>,
    /// The sequence of an event that the entry covers; several entries are proven where conflicting events
    /// were recorded
    #[arg(long, requires = "table")]
    pub(crate) sequence: Option<u64>,
    #[command(flatten)]
    pub(crate) out: ProofOut,
}

/// Where and how proofs of entries are written.
#[derive(Debug, Args)]
pub(crate) struct ProofOut {
    /// The proof to write; if there are several, each file name gets the entry's index before its extension
    #[arg(long, value_name = "FILE.tlog-proof")]
    pub(crate) out: PathBuf,
    /// tlog-proof (C2SP, a text), or cose (a COSE receipt, RFC 9942, signed with the log's key; the
    /// entry's bytes go to FILE.entry)
    #[arg(long, default_value = "tlog-proof", value_parser = ["tlog-proof", "cose"])]
    pub(crate) format: String,
    /// Leave the entry's bytes out: the proof then does not reveal what the entry holds
    #[arg(long)]
    pub(crate) without_entry: bool,
    /// Replace files that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProveCheckpoint {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The older checkpoint
    pub(crate) old: PathBuf,
    /// The proof to write, in the form that witnesses read (C2SP tlog-witness)
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyProof {
    /// Proofs of entries, as tlog-proofs or COSE receipts
    #[arg(required = true)]
    pub(crate) proof: Vec<PathBuf>,
    /// The log's key: a verifier key, or a file that holds one
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: String,
    /// File with the entry's bytes, if the proof does not contain them [default for a COSE receipt: its
    /// FILE.entry, if it exists]
    #[arg(long, value_name = "FILE", conflicts_with = "digest")]
    pub(crate) entry: Option<PathBuf>,
    /// The entry's digest, if only the digest is known
    #[arg(long)]
    pub(crate) digest: Option<String>,
    /// Print the entry's events, one JSON object per line
    #[arg(long)]
    pub(crate) events: bool,
    /// Ask for a quorum of these witnesses (C2SP tlog-policy) under its checkpoint: where too few signed, it stays
    /// open who else was shown this log (exit status 5)
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyCheckpoint {
    /// The older checkpoint
    pub(crate) old: PathBuf,
    /// The newer checkpoint
    pub(crate) new: PathBuf,
    /// The log that holds the entries between them: its folder, an archive, or a served log's URL
    #[arg(required_unless_present = "proof", conflicts_with = "proof")]
    pub(crate) log: Option<PathBuf>,
    /// A proof written by `audit prove checkpoint`, instead of the log
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) proof: Option<PathBuf>,
    /// The key that must have signed both: a verifier key, or a file that holds one [default: the key
    /// stored in the log]
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: Option<String>,
    /// Ask for a quorum of these witnesses (C2SP tlog-policy) under one of the two checkpoints: where too few signed, it stays
    /// open who else was shown this log (exit status 5)
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
