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

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// The schema, such as event or verify-log; without it, the schemas are listed
    pub(crate) name: Option<String>,
    /// Print the list as JSON; a schema is always JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Convert coups written down by hand, one in each row of a CSV file, into events
    #[command(after_help = COLUMNS)]
    CoupsCsv(CoupsCsv),
}

/// What the columns of a list of coups hold.
const COLUMNS: &str = "\
The first line of the file names the columns, in any order. Commas or semicolons separate them:

  p1, p2        punto's first and second card
  p3            punto's third card; empty if punto stood
  b1, b2        banca's first and second card
  b3            banca's third card; empty if banca stood
  p4, b4        a fourth card: no rule allows one, but it is recorded if it was dealt
  winner        punto, banca or tie (also player, banker, empate; p, b, t, e)
  punto_total   punto's total, as announced
  banca_total   banca's total, as announced
  shoe          the shoe's name; without it, every coup is recorded in a shoe of its own
  coup          the coup's number in the shoe; without it, coups are counted

p1, p2, b1 and b2 must be there. Winner and totals that are missing are computed from the cards. A card
is a rank, A 2 3 4 5 6 7 8 9 10 (or T) J Q K, and a suit, C D H S, which may be left out: 7H, 10D, K.

  shoe,coup,p1,p2,p3,b1,b2,b3,winner
  S-1,1,7H,KD,,3C,2S,6D,punto

Either every row is converted or nothing is written.";

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
