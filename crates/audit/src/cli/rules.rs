//! The arguments of `audit rules`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

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
    /// Report everything that is missing, unsafe or unfair in a rulebook, and what its bets cost
    Check {
        /// A built-in rulebook's name, or a rulebook file, which may be a draft with `?` in it
        rulebook: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Describe in words what differs between two rulebooks
    Diff {
        /// A built-in rulebook's name, or a rulebook file
        one: String,
        /// The other one
        other: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Begin a rulebook: write a file that extends another one, with every parameter as a comment, its
    /// present value and its source
    New(NewRules),
    /// Write a rulebook as one page to print, HTML or Markdown, in the language of --lang
    Print {
        /// A built-in rulebook's name, or a rulebook file
        rulebook: String,
        /// The file to write: .html or .md
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Replace the file if it exists
        #[arg(long)]
        force: bool,
    },
    /// Print the JSON Schema of rulebook files, for editors that complete and check TOML
    Schema,
}

#[derive(Debug, Args)]
pub(crate) struct NewRules {
    /// The rulebook to begin from: a built-in rulebook's name, or a rulebook file in the folder of --out
    #[arg(long, value_name = "ID|FILE")]
    pub(crate) extends: String,
    /// The file to write; a file that exists is not replaced
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) out: PathBuf,
    /// The new rulebook's name: 1 to 64 of a-z, 0-9 and - [default: the file's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) id: Option<String>,
    /// First day on which it holds, YYYY-MM-DD [default: as the rulebook that it extends]
    #[arg(long, value_name = "DAY")]
    pub(crate) from: Option<String>,
}
