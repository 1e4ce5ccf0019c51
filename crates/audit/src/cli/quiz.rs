//! Arguments of `audit quiz`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Quiz {
    /// A built-in rulebook's name, or a rulebook file, of punto y banca
    #[arg(long, value_name = "ID|FILE", default_value = "es-1979")]
    pub(crate) rulebook: String,
    /// Number of coups to judge
    #[arg(long, value_name = "NUMBER", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) coups: u32,
    /// Seed of the quiz; the same seed gives the same coups
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print all questions with their answers as JSON, and ask nothing
    #[arg(long)]
    pub(crate) json: bool,
}
