//! Arguments of `audit demo`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The folder to make; it must not exist yet
    #[arg(value_name = "FOLDER", default_value = "audit-demo")]
    pub(crate) folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
