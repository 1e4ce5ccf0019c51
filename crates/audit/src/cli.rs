//! The arguments of every command.

mod access;
mod algorithm;
mod backup;
mod check;
mod demo;
mod desk;
mod events;
pub(crate) mod fleet;
mod health;
mod load;
mod proofs;
mod quiz;
mod release;
mod report;
mod rules;
mod sample;
mod serve;
mod served;
mod trusted;
mod verify_fleet;
mod verify_what;
mod watch;
mod witness;

pub(crate) use access::{LetIn, RoleAsked, Tokens, TokensList, TokensNew, TokensRevoke};
pub(crate) use algorithm::AlgorithmAsked;
pub(crate) use backup::{Backup, Restore};
pub(crate) use check::Check;
pub(crate) use demo::Demo;
pub(crate) use desk::Desk;
pub(crate) use events::{CoupsCsv, Import, Schema, Simulate};
pub(crate) use fleet::{Fleet, FleetSend, FleetSetup, FleetShow, FromStream, Partition};
pub(crate) use health::Health;
pub(crate) use load::Load;
pub(crate) use proofs::{
    ProofOut, Prove, ProveCheckpoint, ProveCoup, ProveEntry, VerifyCheckpoint, VerifyProof,
};
pub(crate) use quiz::Quiz;
pub(crate) use release::{Release, ReleaseSign, ReleaseVerify};
pub(crate) use report::Report;
pub(crate) use rules::{NewRules, Rules};
pub(crate) use sample::Sample;
pub(crate) use serve::{SERVED_AT, Serve};
pub(crate) use served::{AskAs, LogRead};
pub(crate) use trusted::Trusted;
pub(crate) use verify_fleet::VerifyFleet;
pub(crate) use verify_what::completed;
pub(crate) use watch::Watch;

pub(crate) use witness::{Witness, WitnessNew, WitnessRecover, WitnessServe, WitnessSubmit};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Seal what happened at baccarat tables, and certify that dealing and payouts followed the rules.
///
/// Exit status: 0 everything asked for holds; 1 findings: a rule was broken; 2 wrong usage; 3 the seal is
/// broken, or the log does not extend a given checkpoint; 4 unreadable or unknown format; 5 nothing wrong
/// was found, but something is undecided or incomplete; 70 internal error; 74 the machine failed (a full
/// disk, a missing file, a refused connection), which says nothing about the log; 75 another process is
/// writing the log, try again later. If several apply, the worst is returned; from best to worst: 0, 5, 1,
/// 4, 74, 3, 2, 75, 70.
#[derive(Debug, Parser)]
#[command(name = "audit", version = crate::program::VERSION, max_term_width = 100)]
pub(crate) struct Cli {
    /// Language of what is printed for people: en or es [default: AUDIT_LANG, else that of the locale]. JSON does
    /// not depend on it
    #[arg(long, global = true, value_name = "LANGUAGE", value_parser = ["en", "es"])]
    pub(crate) lang: Option<String>,
    /// Colour: auto (only on a terminal, and not where NO_COLOR is set), always or never
    #[arg(long, global = true, value_name = "WHEN", value_parser = ["auto", "always", "never"])]
    pub(crate) color: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show in a minute what this program does: seal an honest and a crooked record, find the underpayment, catch a changed byte,
    /// prove a coup
    Demo(Demo),
    /// Make a new, empty log with its key
    ///
    /// No other command makes a log, unless `--create` asks for it: an empty folder may be where a disk is not mounted.
    Init(Init),
    /// Seal events (one JSON object per line) into a log
    ///
    /// The same file twice adds nothing. If many events in a row have numbers under which the log already holds others, the
    /// file is probably another log's: the command stops before it seals them, unless `--record-conflicts` is given. If it
    /// recorded conflicts, the exit status is 1.
    Ingest(Ingest),
    /// Check a file of events without recording it: malformed lines, conflicts, and what a log already holds
    ///
    /// Exit status: 0; 1 for conflicts; 4 for malformed lines; 5 if not everything could be compared.
    Check(Check),
    /// Verify a log, the logs of a house, a proof or a checkpoint; audit verify LOG is audit verify log LOG
    #[command(subcommand)]
    Verify(Verify),
    /// Show coups, shoes, tables or commission boxes of a log
    #[command(subcommand)]
    Show(Show),
    /// Write a report of a whole log: one file to read, print or send, and the same as JSON, CSV and SARIF
    ///
    /// It has the verdicts, what is proven and what no one can see, who is owed what, findings with their clauses, tables,
    /// shoes, commission boxes and statistics.
    Report(Report),
    /// Draw a sample of a log's coups for a manual inspection; anybody can draw it again
    ///
    /// The list is to be ticked off. The same log, seed and number give the same sample on any machine.
    Sample(Sample),
    /// Write a log as one self-contained file, or its tree as a folder of tiles
    ///
    /// The file can be verified offline. For one table, shoe or coup it is a slice, with proofs in place of all other entries.
    /// The tree as C2SP tiles is for witnesses, mirrors and monitors.
    Export(Export),
    /// Prove one entry, one coup or one checkpoint to somebody who does not have the log
    #[command(subcommand)]
    Prove(Prove),
    /// Run the HTTP service: it accepts events, answers once they are durable, and serves the log
    ///
    /// Every receipt comes with a proof, and everything can be read and verified from outside. The pages of `audit desk` are
    /// at `/desk/`.
    Serve(Box<Serve>),
    /// Show a log as pages in a browser on this machine: tables, shoes, coups card by card, findings, rulebooks
    Desk(Desk),
    /// Ask a running service whether it records, and what will need an operator
    Health(Health),
    /// Follow a running service: each finding as it appears, what is taken back, how the log grows
    ///
    /// Exit status: 0 no finding was shown that still stands; 1 a rule was broken; 5 only something incomplete was
    /// shown, or live certification has stopped; 3 the service showed two histories of the log; 4 it does not answer as
    /// a served log does; 74 there is no answer.
    Watch(Watch),
    /// Set up, show and feed a fleet: a site whose tables are shared among several writers, behind NATS JetStream
    #[command(subcommand)]
    Fleet(Fleet),
    /// Manage the tokens that allow posting to a service and reading from it
    #[command(subcommand)]
    Tokens(Tokens),
    /// Copy a log, also while its service runs; the copy gets its name only after it is verified
    Backup(Backup),
    /// Restore a log's folder from an archive of the log
    Restore(Restore),
    /// Put load on a service with simulated tables, and check every receipt against its log
    Load(Load),
    /// Create, show and rotate the keys that sign logs
    #[command(subcommand)]
    Keys(Keys),
    /// Erase the payload of entries; the log keeps a notice of the erasure, and everything else stays
    /// proven
    ///
    /// It is for what a law says must be erased. The notice keeps the findings in those payloads. What other coups need, a
    /// table's rulebook, is erased only with `--also-rules`.
    Redact(Redact),
    /// Cosign the checkpoints of other operators' logs, or submit your own log to witnesses
    #[command(subcommand)]
    Witness(Witness),
    /// Simulate tables and write their events
    Simulate(Simulate),
    /// Judge simulated coups, some of them with a planted fault, and learn from the judge what was wrong
    Quiz(Quiz),
    /// Convert records written by hand into events
    #[command(subcommand)]
    Import(Import),
    /// List, show, check, compare and begin rulebooks
    #[command(subcommand)]
    Rules(Rules),
    /// Sign the files of a release, or verify them, with the signed notes that logs use
    #[command(subcommand)]
    Release(Release),
    /// Write the manual pages, one for each command
    Man {
        /// The folder to write them into; it is created if it does not exist
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Say which program this is, and by what it judges: version, commit, rulebooks, formats, codes
    Version(Version),
    /// Print the JSON Schema of an event, or of what a command prints with --json
    Schema(Schema),
    /// Explain a finding's code or a reason: what it means, which clause, how it is judged, what to do next
    Explain(Explain),
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A finding's code, or a reason why something is undecided [default: list all]
    #[arg(value_name = "CODE|REASON")]
    pub(crate) what: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Version {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The producer that is recorded where no other is named.
pub(crate) const DEFAULT_PRODUCER: &str = "audit-ingest";

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The log's folder: not there yet, or empty; it is for its owner alone (mode 0700)
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,
    /// The log's name, fixed from now on [default: audit.invalid/ and the folder's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) origin: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Ingest {
    /// File of events, one JSON object per line; `-` for standard input
    pub(crate) file: PathBuf,
    /// The log's folder
    #[arg(long, value_name = "DIR")]
    pub(crate) log: PathBuf,
    /// Make the log if there is none. Not for a script that runs again and again: where the log's disk is not mounted,
    /// it would begin a second log
    #[arg(long)]
    pub(crate) create: bool,
    /// The producer: who submits the events
    #[arg(long, default_value = DEFAULT_PRODUCER, value_name = "ID")]
    pub(crate) producer: String,
    /// The log's name, fixed when the log is created [default: audit.invalid/ and the folder's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) origin: Option<String>,
    /// Start at this line of the file; the first line is 1
    #[arg(long, default_value_t = 1, value_name = "LINE", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) from_line: u64,
    /// Seal each event as an entry of its own, as soon as it arrives
    #[arg(long)]
    pub(crate) live: bool,
    /// Record events even if sixteen of them, and no new one between them, have numbers under which the log already
    /// holds others; without this, the command stops there and seals none of the sixteen
    #[arg(long)]
    pub(crate) record_conflicts: bool,
    /// For every acknowledged entry, append a line to this file: index, digest, table, first sequence,
    /// number of events
    #[arg(long, value_name = "FILE")]
    pub(crate) receipts: Option<PathBuf>,
    /// Write a proof of every acknowledged entry into this folder, as INDEX.tlog-proof; it can be checked
    /// with the log's key alone
    #[arg(long, value_name = "DIR")]
    pub(crate) proofs: Option<PathBuf>,
    /// Before anything is sealed, ask the witnesses of this policy for cosignatures; nothing is sealed if
    /// one of them has seen a newer state of this log
    #[arg(long, value_name = "FILE")]
    pub(crate) witness_policy: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verify {
    /// Print the four verdicts, the findings and the certificate of a log
    ///
    /// It changes nothing that it reads. Of a file of events without a seal it judges the events, and proves nothing. A report
    /// lists the first 10,000 findings, and of each code the first 200 and the 100 that moved the most money; it counts all of
    /// them, with their money. With `--as`, the exit status is 1 if anything would change.
    Log(VerifyLog),
    /// Verify the logs of a house together: which continues which, and the play across them
    Fleet(VerifyFleet),
    /// Check proofs that entries are in a log
    Proof(VerifyProof),
    /// Check that one checkpoint of a log extends another
    Checkpoint(VerifyCheckpoint),
}

#[derive(Debug, Args)]
pub(crate) struct VerifyLog {
    #[command(flatten)]
    pub(crate) log: LogRead,
    #[command(flatten)]
    pub(crate) trusted: Trusted,
    /// If the log is intact and extends what was given, keep its newest checkpoint in this file, for the next visit. A file that holds a newer
    /// checkpoint or one of another log is not replaced; one that holds an older checkpoint is compared first
    #[arg(long, value_name = "FILE", conflicts_with = "other")]
    pub(crate) keep_checkpoint: Option<PathBuf>,
    /// Also judge the log under another rulebook, and report what would change: a built-in rulebook's name,
    /// or a rulebook file
    #[arg(long = "as", value_name = "ID|FILE")]
    pub(crate) other: Option<String>,
    /// Show all findings, not only the first twenty, in the order of the log. They are buffered in a
    /// temporary file, not in memory. With --json, `findings` holds all of them, not only those that a
    /// report lists
    #[arg(long)]
    pub(crate) all: bool,
    /// Print the whole report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Show {
    /// Show one coup in full
    Coup(ShowCoup),
    /// List the coups of a shoe, one per line
    Shoe(ShowShoe),
    /// List the shoes of a table, one per line
    Table(ShowTable),
    /// Show the commission boxes: marked, collected and outstanding, by shoe and seat
    Commission(ShowCommission),
}

#[derive(Debug, Args)]
pub(crate) struct ShowCommission {
    #[command(flatten)]
    pub(crate) log: LogRead,
    /// The table [default: all tables of the log]
    #[arg(long)]
    pub(crate) table: Option<String>,
    /// The shoe [default: all shoes]
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
    /// The shoe; may be omitted if only one shoe has a coup with this number
    #[arg(long)]
    pub(crate) shoe: Option<String>,
    /// The coup's number within the shoe
    #[arg(long)]
    pub(crate) coup: u32,
    /// An event of the coup, by its number at the table: of several coups with this number, the one that it belongs to
    #[arg(long, value_name = "SEQUENCE")]
    pub(crate) event: Option<u64>,
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
    /// The shoe [default: all shoes of the table]
    #[arg(long)]
    pub(crate) shoe: Option<String>,
    /// Draw the scoreboard of each shoe instead: bead plate, big road, big eye boy, small road, cockroach
    /// road, derived from the cards as dealt
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
    /// The table [default: all tables of the log]
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
    /// Write checkpoint, hash tiles and entry digests as a folder that witnesses, mirrors and monitors read
    /// (C2SP tlog-tiles); a folder written earlier is updated
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "force"])]
    pub(crate) tiles: Option<PathBuf>,
    /// Write a slice: only this table's entries, with proofs in place of all others
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
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// Create a key pair: FILE, which only its owner can read, and FILE.pub to hand out. If FILE is named
    /// `key`, a log that is created in the same folder is signed with it
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
    /// Show the public half of a key, or the current and earlier keys of a log
    Show {
        /// A key file, a log's folder, an archive, or a served log's URL
        what: PathBuf,
        #[command(flatten)]
        ask_as: AskAs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Replace a log's key with a new one; the log records a notice that both keys sign
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
    /// Log index of an entry to erase (audit show coup prints it); may be given several times
    #[arg(long, value_name = "INDEX", required_unless_present = "finish")]
    pub(crate) entry: Vec<u64>,
    /// The reason for the erasure; recorded in the log
    #[arg(long, value_name = "TEXT", required_unless_present = "finish")]
    pub(crate) reason: Option<String>,
    /// The person who orders the erasure; recorded in the log
    #[arg(long, value_name = "NAME", required_unless_present = "finish")]
    pub(crate) by: Option<String>,
    /// A second person who is responsible for the erasure; recorded in the log
    #[arg(long, value_name = "NAME", required_unless_present = "finish")]
    pub(crate) countersigned_by: Option<String>,
    /// Erase an entry even if coups of other entries cannot be judged without it, because it holds the
    /// table's rulebook, its limits or a shoe
    #[arg(long, conflicts_with = "finish")]
    pub(crate) also_rules: bool,
    /// Finish an erasure that was interrupted: erase what the log has already given notice of
    #[arg(long, conflicts_with_all = ["entry", "reason", "by", "countersigned_by"])]
    pub(crate) finish: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
