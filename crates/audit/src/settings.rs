//! Settings of `audit serve`: from its arguments, else from the environment, else from one TOML file, else
//! their defaults; and which of these each one came from.
//!
//! A key of the file is an argument's long name, so that there is one list of settings, and one piece of
//! code that says what is wrong with a value.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory as _, FromArgMatches as _};
use serde_json::json;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::output;
use crate::text_file::small_text;

const SERVE: &str = "serve";
/// Arguments that are not settings.
const NO_SETTINGS: &[&str] = &["config", "print_config", "json", "lang", "help", "version"];

/// Settings that have a name in the environment besides ours.
const KNOWN_TO_ALL: &[(&str, &str)] = &[("otlp_endpoint", "OTEL_EXPORTER_OTLP_ENDPOINT")];

/// The command that the command line asks for; `None` where it only asked for something that is already
/// printed.
pub(crate) fn cli(arguments: Vec<OsString>) -> Result<Option<Cli>, Failure> {
    let command = crate::help::in_language(with_environment(Cli::command()));
    // What is missing here may be in the file.
    let first = command.clone().ignore_errors(true).try_get_matches_from(&arguments);
    let serve = first.as_ref().ok().and_then(|first| first.subcommand_matches(SERVE));
    let file = serve.and_then(|serve| serve.get_one::<std::path::PathBuf>("config").cloned());
    let (mut arguments, mut from_file) = (arguments, BTreeMap::new());
    if let (Some(file), Some(serve)) = (&file, serve) {
        let known = command.find_subcommand(SERVE).cloned().unwrap_or_default();
        from_file = read(file, &known, serve)?;
        arguments.extend(from_file.values().map(OsString::from));
    }
    let matches = command.clone().try_get_matches_from(&arguments).unwrap_or_else(|error| match &file {
        Some(file) if !from_file.is_empty() && error.use_stderr() => {
            let file = file.display();
            command
                .clone()
                .error(error.kind(), format!("{}\n  (with the settings of {file})", brief(&error)))
                .exit()
        }
        Some(_) | None => crate::help::exit_with(&error),
    });
    if let Some(serve) = matches.subcommand_matches(SERVE).filter(|serve| serve.get_flag("print_config")) {
        let known = command.find_subcommand(SERVE).cloned().unwrap_or_default();
        print(&known, serve, &from_file, file.as_deref())?;
        return Ok(None);
    }
    Cli::from_arg_matches(&matches).map(Some).map_err(Failure::usage)
}

fn brief(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or("").trim_start_matches("error: ").to_owned()
}

/// Every setting of the service can be given in the environment.
fn with_environment(command: Command) -> Command {
    command.mut_subcommand(SERVE, |serve| {
        serve.mut_args(|argument| {
            let name = environment_name(argument.get_id().as_str());
            match argument.get_id().as_str() {
                "help" | "version" | "json" | "print_config" => argument,
                _ => argument.env(name).hide_env(true),
            }
        })
    })
}

/// The variable of a setting: ours, or else the one that is common to all programs, where there is one.
fn environment_name(id: &str) -> String {
    let ours = format!("AUDIT_SERVE_{}", id.to_ascii_uppercase());
    // For OpenTelemetry an empty variable means the same as none.
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    match KNOWN_TO_ALL.iter().find(|(known, _)| *known == id) {
        Some((_, others)) if env::var_os(&ours).is_none() && is_set(others) => (*others).to_owned(),
        Some(_) | None => ours,
    }
}

fn long_name(id: &str) -> String {
    id.replace('_', "-")
}

/// The file's settings that neither an argument nor the environment gives, as arguments.
fn read(file: &Path, known: &Command, given: &ArgMatches) -> Result<BTreeMap<String, String>, Failure> {
    let text = small_text(file)?;
    let unreadable = |why: String| Failure::usage(format!("{}: {why}", file.display()));
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| unreadable(error.to_string()))?;
    let mut settings = BTreeMap::new();
    for (key, value) in table {
        let argument = known.get_arguments().find(|argument| argument.get_long() == Some(key.as_str()));
        let Some(argument) = argument.filter(|argument| is_setting(argument.get_id().as_str())) else {
            let names: Vec<String> = known
                .get_arguments()
                .map(|argument| argument.get_id().as_str())
                .filter(|id| is_setting(id))
                .map(long_name)
                .collect();
            return Err(unreadable(format!(
                "`{key}` is not a setting; the settings are {}",
                names.join(", ")
            )));
        };
        let (is_flag, is_list) = (!argument.get_action().takes_values(), is_list(argument));
        let text = text_of(&value).or_else(|| list_of(&value).filter(|_| is_list));
        let as_argument = match (value.as_bool().filter(|_| is_flag), text.filter(|_| !is_flag)) {
            (Some(set), _) => set.then(|| format!("--{key}")),
            (None, Some(text)) => Some(format!("--{key}={text}")),
            (None, None) => {
                let wanted = match (is_flag, is_list) {
                    (true, _) => "true or false",
                    (false, true) => "a text, or a list of texts that is not empty",
                    (false, false) => "a text or a whole number",
                };
                let kind = value.type_str();
                return Err(unreadable(format!("`{key}` is of type {kind}; expected {wanted}")));
            }
        };
        let id = argument.get_id().as_str();
        let is_given =
            matches!(given.value_source(id), Some(ValueSource::CommandLine | ValueSource::EnvVariable));
        settings.extend(as_argument.filter(|_| !is_given).map(|text| (id.to_owned(), text)));
    }
    Ok(settings)
}

fn is_setting(id: &str) -> bool {
    !NO_SETTINGS.contains(&id)
}

/// Whether a setting may be given several times.
fn is_list(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
}

fn text_of(value: &toml::Value) -> Option<String> {
    value.as_str().map(str::to_owned).or(value.as_integer().map(|number| number.to_string()))
}

/// The texts of a list, as one argument has them all.
fn list_of(value: &toml::Value) -> Option<String> {
    let texts: Option<Vec<&str>> = value.as_array()?.iter().map(toml::Value::as_str).collect();
    texts.filter(|texts| !texts.is_empty()).map(|texts| texts.join(","))
}

/// Prints every setting and where it came from, as a file that `--config` reads.
fn print(
    known: &Command,
    matches: &ArgMatches,
    from_file: &BTreeMap<String, String>,
    file: Option<&Path>,
) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for argument in known.get_arguments().filter(|argument| is_setting(argument.get_id().as_str())) {
        let id = argument.get_id().as_str();
        let is_flag = !argument.get_action().takes_values();
        let raw = matches.try_get_raw(id).ok().flatten();
        let mut texts = raw.into_iter().flatten().map(|raw| raw.to_string_lossy().into_owned()).peekable();
        let value = match (is_flag, is_list(argument)) {
            (true, _) => Some(toml::Value::Boolean(matches.get_flag(id))),
            (false, true) => {
                texts.peek().is_some().then(|| toml::Value::Array(texts.map(toml::Value::String).collect()))
            }
            (false, false) => texts.next().map(value_of),
        };
        let from = match (from_file.contains_key(id), matches.value_source(id)) {
            (true, _) => file.map_or_else(String::new, |file| file.display().to_string()),
            (false, Some(ValueSource::CommandLine)) => "command line".to_owned(),
            (false, Some(ValueSource::EnvVariable)) => environment_name(id),
            (false, _) if value.is_none() => "not set".to_owned(),
            (false, _) => "default".to_owned(),
        };
        rows.push((long_name(id), value, from));
    }
    if matches.get_flag("json") {
        let each = |(key, value, from): &(String, Option<toml::Value>, String)| {
            (key.clone(), json!({ "value": value, "from": from }))
        };
        return output::print_json(&rows.iter().map(each).collect::<serde_json::Map<_, _>>());
    }
    let line = |(key, value, from): &(String, Option<toml::Value>, String)| match value {
        Some(value) => format!("{key} = {value}  # {from}\n"),
        None => format!("# {key} is {from}\n"),
    };
    output::print(&rows.iter().map(line).collect::<String>())
}

/// A whole number where it is one, else a text.
fn value_of(text: String) -> toml::Value {
    match text.parse() {
        Ok(number) => toml::Value::Integer(number),
        Err(_) => toml::Value::String(text),
    }
}
