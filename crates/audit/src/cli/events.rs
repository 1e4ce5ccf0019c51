//! What can be asked for as events: make-believe play, and what somebody wrote down.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// A built-in rulebook's name, or a rulebook file
    #[arg(long, value_name = "ID|FILE", default_value = "es-1979")]
    pub(crate) rulebook: String,
    /// Tables
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) tables: u32,
    /// Shoes at each table
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) shoes: u32,
    /// The same seed gives the same events
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Plant one fault of the catalogue
    #[arg(long, value_name = "CODE")]
    pub(crate) fault: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file if it is there
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
    /// Coups written down by hand: a header line with any of shoe, coup, p1..p4, b1..b4, winner,
    /// punto_total, banca_total (all but the cards may be left out)
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
    /// Time of the first event; each later one is a second after [default: the first day on which
    /// the rulebook is in force]
    #[arg(long, value_name = "TIME")]
    pub(crate) start: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long)]
    pub(crate) force: bool,
}
