//! What can be asked on the command line.

mod access;
mod algorithm;
mod backup;
mod events;
mod load;
mod proofs;
mod serve;
mod served;
mod witness;

pub(crate) use access::{LetIn, RoleAsked, Tokens, TokensList, TokensNew, TokensRevoke};
pub(crate) use algorithm::AlgorithmAsked;
pub(crate) use backup::{Backup, Restore};
pub(crate) use events::{CoupsCsv, Import, Simulate};
pub(crate) use load::Load;
pub(crate) use proofs::{
    ProofOut, Prove, ProveCheckpoint, ProveCoup, ProveEntry, VerifyCheckpoint, VerifyProof,
};
pub(crate) use serve::Serve;
pub(crate) use served::{AskAs, LogRead};

pub(crate) use witness::{Witness, WitnessNew, WitnessServe, WitnessSubmit};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Seal what happened at baccarat tables, and certify that dealing and payouts followed the rules.
///
/// Exit status: 0 everything asked for holds; 1 findings; 2 usage; 3 seal broken or not an
/// extension of the given checkpoint; 4 unreadable or unknown format; 5 nothing wrong found but
/// something is undecided or incomplete; 70 our own fault; 75 another process is writing the log, try
/// again later. The worst wins, in this order: 0, 5, 1, 4, 3, 2, 75, 70.
#[derive(Debug, Parser)]
#[command(name = "audit", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Seal events (one JSON object a line) into a log, making the log if it is not there
    Ingest(Ingest),
    /// Verify a log
    #[command(subcommand)]
    Verify(Verify),
    /// Show coups, shoes or tables of a log for people
    #[command(subcommand)]
    Show(Show),
    /// Write a log as one self-contained file, or its tree as a folder of tiles
    Export(Export),
    /// Prove one entry, one coup or one checkpoint to somebody who does not have the log
    #[command(subcommand)]
    Prove(Prove),
    /// Take events over HTTP, answer once they are durable, and let the log be read
    Serve(Serve),
    /// Who may post to a service, and who may read it
    #[command(subcommand)]
    Tokens(Tokens),
    /// Copy a log, of a running service too, and verify the copy before it has its name
    Backup(Backup),
    /// Make a log's folder from an archive of the log
    Restore(Restore),
    /// Put load on a service with make-believe tables, and check every receipt against its log
    Load(Load),
    /// The keys that sign logs
    #[command(subcommand)]
    Keys(Keys),
    /// Erase the payload of entries; the log keeps a notice of it, and everything else stays proven
    Redact(Redact),
    /// Vouch for other people's logs, or have one's own vouched for
    #[command(subcommand)]
    Witness(Witness),
    /// Play at make-believe tables and write their events
    Simulate(Simulate),
    /// Turn what somebody wrote down into events
    #[command(subcommand)]
    Import(Import),
    /// The rulebooks
    #[command(subcommand)]
    Rules(Rules),
}

/// Who hands events in where nobody else is named.
pub(crate) const DEFAULT_PRODUCER: &str = "audit-ingest";

#[derive(Debug, Args)]
pub(crate) struct Ingest {
    /// File of events, one JSON object a line; `-` for standard input
    pub(crate) file: PathBuf,
    /// The log's folder; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub(crate) log: PathBuf,
    /// Who hands the events in
    #[arg(long, default_value = DEFAULT_PRODUCER, value_name = "ID")]
    pub(crate) producer: String,
    /// The log's name, given once when it is made [default: audit.invalid/ and the folder's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) origin: Option<String>,
    /// Begin at this line of the file; the first is 1
    #[arg(long, default_value_t = 1, value_name = "LINE", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) from_line: u64,
    /// Seal every event as an entry of its own, as it comes
    #[arg(long)]
    pub(crate) live: bool,
    /// Append a line for every acknowledged entry to this file: index, digest, table, first
    /// sequence, number of events
    #[arg(long, value_name = "FILE")]
    pub(crate) receipts: Option<PathBuf>,
    /// Write a proof of every acknowledged entry into this folder, as INDEX.tlog-proof: what somebody
    /// needs who has only the log's key
    #[arg(long, value_name = "DIR")]
    pub(crate) proofs: Option<PathBuf>,
    /// Before anything is sealed, ask the witnesses of this policy for their cosignature: a log older
    /// than what one of them has seen is refused
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verify {
    /// Give the four verdicts, the findings and the certificate of a log
    Log(VerifyLog),
    /// Check proofs that entries are in a log
    Proof(VerifyProof),
    /// Check that one checkpoint of a log extends another
    Checkpoint(VerifyCheckpoint),
}

#[derive(Debug, Args)]
pub(crate) struct VerifyLog {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// A checkpoint of this log that somebody else kept; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Vec<PathBuf>,
    /// Call the log anchored only if a quorum of these witnesses signed a checkpoint it extends: its
    /// own, the cosigned one kept beside it, or one given with --checkpoint
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// The key that must have signed the log: a verifier key, or a file that holds one
    #[arg(long, value_name = "VKEY|FILE")]
    pub(crate) key: Option<String>,
    /// Accept only rulebooks with this digest, or with a digest in this file; may be given several
    /// times
    #[arg(long, value_name = "DIGEST|FILE")]
    pub(crate) approved: Vec<String>,
    /// Judge the log under another rulebook as well, and say what would change: a built-in
    /// rulebook's name, or a rulebook file
    #[arg(long = "as", value_name = "ID|FILE")]
    pub(crate) other: Option<String>,
    /// Show all findings, however many, not only the first twenty: in the order in which the log shows
    /// them, without keeping them in memory (in a temporary file meanwhile). With --json `findings`
    /// holds all of them, not only those a report lists
    #[arg(long)]
    pub(crate) all: bool,
    /// Language of the findings' sentences: en or es
    #[arg(long, default_value = "en", value_parser = ["en", "es"])]
    pub(crate) lang: String,
    /// Print the whole report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Show {
    /// One coup in full
    Coup(ShowCoup),
    /// The coups of a shoe, a line each
    Shoe(ShowShoe),
    /// The shoes of a table, a line each
    Table(ShowTable),
    /// The commission boxes: marked, collected and outstanding by shoe and seat
    Commission(ShowCommission),
}

#[derive(Debug, Args)]
pub(crate) struct ShowCommission {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The table; all of the log's if left out
    #[arg(long)]
    pub(crate) table: Option<String>,
    /// The shoe; all if left out
    #[arg(long)]
    pub(crate) shoe: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowCoup {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The table
    #[arg(long)]
    pub(crate) table: String,
    /// The shoe; may be left out where only one has a coup of that number
    #[arg(long)]
    pub(crate) shoe: Option<String>,
    /// The coup's number within the shoe
    #[arg(long)]
    pub(crate) coup: u32,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowShoe {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The table
    #[arg(long)]
    pub(crate) table: String,
    /// The shoe; all of the table's if left out
    #[arg(long)]
    pub(crate) shoe: Option<String>,
    /// Draw the scoreboard of each shoe instead: bead plate, big road, big eye boy, small road,
    /// cockroach road, by the cards as dealt
    #[arg(long)]
    pub(crate) roads: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowTable {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The table; all of the log's if left out
    #[arg(long)]
    pub(crate) table: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The archive to write
    #[arg(long, value_name = "FILE.auditlog", required_unless_present = "tiles")]
    pub(crate) out: Option<PathBuf>,
    /// Write checkpoint, hash tiles and entry digests as a folder that witnesses, mirrors and
    /// monitors read (C2SP tlog-tiles); a folder written before is brought up to date
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "force"])]
    pub(crate) tiles: Option<PathBuf>,
    /// Write a slice: this table's entries alone, with proofs in place of all others
    #[arg(long, conflicts_with = "tiles")]
    pub(crate) table: Option<String>,
    /// Only this shoe of the table
    #[arg(long, requires = "table")]
    pub(crate) shoe: Option<String>,
    /// Only this coup of the shoe, and what is needed to judge it
    #[arg(long, requires = "table")]
    pub(crate) coup: Option<u32>,
    /// Withhold the payload of the entry at this log index; may be given several times
    #[arg(long, value_name = "INDEX", conflicts_with = "tiles")]
    pub(crate) withhold: Vec<u64>,
    /// Replace the file if it is there
    #[arg(long)]
    pub(crate) force: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// Make a key: FILE, which only its owner may read, and FILE.pub to hand out. A log made in the
    /// folder of a file called `key` is signed by it
    New {
        /// The file to write
        file: PathBuf,
        /// The name of the log it is for
        #[arg(long, value_name = "NAME")]
        origin: String,
        /// How it signs
        #[arg(long, value_name = "ALGORITHM", default_value = "ed25519")]
        algorithm: AlgorithmAsked,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a key's public half, or a log's key and those it had before
    Show {
        /// A key file, a log's folder, an archive, or a served log's URL
        what: PathBuf,
        #[command(flatten)]
        ask_as: AskAs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Replace a log's key by a new one; the log keeps a notice that both keys sign
    Rotate {
        /// The log's folder
        log: PathBuf,
        /// How the new key signs; as the old one where this is left out
        #[arg(long, value_name = "ALGORITHM")]
        algorithm: Option<AlgorithmAsked>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Redact {
    /// The log's folder
    pub(crate) log: PathBuf,
    /// Log index of an entry to erase (audit show coup tells it); may be given several times
    #[arg(long, value_name = "INDEX", required_unless_present = "finish")]
    pub(crate) entry: Vec<u64>,
    /// Why; recorded in the log
    #[arg(long, value_name = "TEXT", required_unless_present = "finish")]
    pub(crate) reason: Option<String>,
    /// Who has it done; recorded in the log
    #[arg(long, value_name = "NAME", required_unless_present = "finish")]
    pub(crate) by: Option<String>,
    /// Who else answers for it; recorded in the log
    #[arg(long, value_name = "NAME", required_unless_present = "finish")]
    pub(crate) countersigned_by: Option<String>,
    /// Erase it even where coups of other entries cannot be judged without it: the rulebook a table was
    /// opened under, its limits, a shoe
    #[arg(long, conflicts_with = "finish")]
    pub(crate) also_rules: bool,
    /// Erase what the log has given notice of already, after a stop in between
    #[arg(long, conflicts_with_all = ["entry", "reason", "by", "countersigned_by"])]
    pub(crate) finish: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// List the built-in rulebooks
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a rulebook: parameters with their sources, tableau, paytables
    Show {
        /// A built-in rulebook's name, or a rulebook file
        rulebook: String,
        /// Print the canonical JSON
        #[arg(long, conflicts_with = "toml")]
        json: bool,
        /// Print the file as it is
        #[arg(long)]
        toml: bool,
    },
    /// Say everything that is missing, unsafe or unfair in a rulebook, and what its bets cost
    Check {
        /// A built-in rulebook's name, or a rulebook file, which may be a draft with `?` in it
        rulebook: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Say in words what differs between two rulebooks
    Diff {
        /// A built-in rulebook's name, or a rulebook file
        one: String,
        /// The other one
        other: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}
