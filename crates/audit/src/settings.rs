//! Settings of `audit serve`: from its arguments, else from the environment, else from one TOML file, else
//! their defaults; and which of these each one came from. Those of `audit witness serve` are read from arguments and a
//! file in the same way.
//!
//! A key of the file is an argument's long name, so that there is one list of settings. Whatever is no setting, or
//! has a wrong value, is refused by its name before anything starts: a setting that was meant and is silently not
//! in force is worse than a service that does not start.

mod environment;
mod file;
mod kind;
mod printed;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, CommandFactory as _, FromArgMatches as _};

use crate::cli::{self, Cli, Serve};
use crate::failure::Failure;
use crate::language::texts;

const SERVE: &str = "serve";
const WITNESS: &str = "witness";
/// Arguments that are not settings.
const NO_SETTINGS: &[&str] =
    &["config", "print_config", "create", "json", "lang", "color", "help", "version"];

/// What was asked for, with all its settings.
struct Asked {
    matches: ArgMatches,
    file: Option<PathBuf>,
    from_file: BTreeMap<String, Vec<String>>,
}

/// The command that the command line asks for; `None` where it only asked for something that is already
/// printed.
pub(crate) fn cli(arguments: Vec<OsString>) -> Result<Option<Cli>, Failure> {
    let Asked { matches, file, from_file } = asked(arguments)?;
    if let Some(serve) = matches.subcommand_matches(SERVE).filter(|serve| serve.get_flag("print_config")) {
        printed::print(&plain_serve(), serve, &from_file, file.as_deref())?;
        return Ok(None);
    }
    Cli::from_arg_matches(&matches).map(Some).map_err(Failure::usage)
}

/// The settings with which `audit serve --config FILE` would start in this environment.
pub(crate) fn of_service(file: &Path) -> Result<Serve, Failure> {
    let arguments = ["audit".as_ref(), SERVE.as_ref(), "--config".as_ref(), file.as_os_str()];
    let matches = asked(arguments.map(OsString::from).to_vec())?.matches;
    let command = Cli::from_arg_matches(&matches).map_err(Failure::usage)?.command;
    let cli::Command::Serve(serve) = command else {
        return Err(Failure::usage(texts().settings_not_of_service()));
    };
    Ok(*serve)
}

fn asked(arguments: Vec<OsString>) -> Result<Asked, Failure> {
    let command = crate::help::in_language(environment::read_by(Cli::command()));
    // What is missing here may be in the file.
    let first = command.clone().ignore_errors(true).try_get_matches_from(&arguments);
    let serve = first.as_ref().ok().and_then(|first| first.subcommand_matches(SERVE));
    if serve.is_some() {
        environment::check(&plain_serve())?;
    }
    let witness = first.as_ref().ok().and_then(|first| first.subcommand_matches(WITNESS));
    let witness = witness.and_then(|witness| witness.subcommand_matches(SERVE));
    let with_settings = serve.map(|serve| (serve, plain_serve()));
    let with_settings = with_settings.or_else(|| witness.map(|witness| (witness, plain_witness())));
    let (mut arguments, mut file, mut from_file) = (arguments, None, BTreeMap::new());
    if let Some((given, command)) = with_settings {
        file = given.get_one::<PathBuf>("config").cloned();
        if let Some(file) = &file {
            from_file = file::read(file, &command, given)?;
            arguments.extend(from_file.values().flatten().map(OsString::from));
        }
    }
    let matches =
        command.clone().try_get_matches_from(&arguments).map_err(crate::help::in_one_line).unwrap_or_else(
            |error| match &file {
                Some(file) if !from_file.is_empty() && error.use_stderr() => {
                    let note = texts().with_settings_of(file.display());
                    crate::help::exit_with_note(&mut command.clone(), &error, &note)
                }
                Some(_) | None => crate::help::exit_with(&error),
            },
        );
    Ok(Asked { matches, file, from_file })
}

/// `audit serve`, which reads no environment.
fn plain_serve() -> Command {
    Cli::command().find_subcommand(SERVE).cloned().unwrap_or_default()
}

fn plain_witness() -> Command {
    let witness = Cli::command().find_subcommand(WITNESS).cloned().unwrap_or_default();
    witness.find_subcommand(SERVE).cloned().unwrap_or_default()
}

fn long_name(id: &str) -> String {
    id.replace('_', "-")
}

fn is_setting(id: &str) -> bool {
    !NO_SETTINGS.contains(&id)
}

/// The long names of all settings.
fn names(serve: &Command) -> Vec<String> {
    let settings = serve.get_arguments().filter(|argument| is_setting(argument.get_id().as_str()));
    settings.filter_map(|argument| argument.get_long()).map(str::to_owned).collect()
}

/// The name among these that was probably meant.
fn nearest<'a>(meant: &str, names: &'a [String]) -> Option<&'a String> {
    let distance = |name: &str| strsim::damerau_levenshtein(meant, name);
    names.iter().min_by_key(|name| distance(name)).filter(|name| distance(name) <= name.len().div_ceil(3))
}
