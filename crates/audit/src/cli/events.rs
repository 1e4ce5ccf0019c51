//! Arguments of the commands that write events: simulated play, and records written by hand.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// A built-in rulebook's name, or a rulebook file
    #[arg(long, value_name = "ID|FILE", default_value = "es-1979")]
    pub(crate) rulebook: String,
    /// Number of tables
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) tables: u32,
    /// Number of shoes at each table
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) shoes: u32,
    /// Seed of the simulation; the same seed gives the same events
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Plant one fault of the catalogue
    #[arg(long, value_name = "CODE")]
    pub(crate) fault: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// List the faults that can be planted
    #[arg(long)]
    pub(crate) list_faults: bool,
    /// Print the list, or where the fault was planted, as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Import coups written down by hand: a CSV file whose header line names any of shoe, coup, p1..p4,
    /// b1..b4, winner, punto_total, banca_total (all but the cards may be omitted)
    CoupsCsv(CoupsCsv),
}

#[derive(Debug, Args)]
pub(crate) struct CoupsCsv {
    /// The list; `-` for standard input
    pub(crate) file: PathBuf,
    /// A built-in rulebook's name, or a rulebook file
    #[arg(long, value_name = "ID|FILE")]
    pub(crate) rulebook: String,
    /// The table's id
    #[arg(long, default_value = "imported")]
    pub(crate) table: String,
    /// Decks in a shoe [default: the most the rulebook allows]
    #[arg(long)]
    pub(crate) decks: Option<u8>,
    /// Time of the first event; each later event is one second after the one before [default: the first day
    /// on which the rulebook is in force]
    #[arg(long, value_name = "TIME")]
    pub(crate) start: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}
