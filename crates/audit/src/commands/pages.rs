//! `audit man` and `audit completions`: what a package installs beside the program, made from its arguments.

use std::fs;
use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

use crate::cli::Cli;
use crate::exit::Exit;
use crate::failure::{Failure, about};
use crate::output;

/// Writes a manual page for the program and for each of its commands.
pub(crate) fn man(out: &Path) -> Result<Exit, Failure> {
    let failed = |error: std::io::Error| Failure::unreadable(about(out.display(), &error));
    fs::create_dir_all(out).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), out).map_err(failed)?;
    Ok(Exit::Good)
}

/// Prints the completions for a shell.
pub(crate) fn completions(shell: Shell) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    generate(shell, &mut Cli::command(), "audit", &mut text);
    output::print_exact(&String::from_utf8_lossy(&text), crate::shown::lines)?;
    Ok(Exit::Good)
}
