//! Help and messages about wrong usage in Spanish, where that is the language.

#[cfg(test)]
mod page;

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use texts::help::{after_help_in_spanish, command_in_spanish, option_in_spanish, value_in_spanish};
use texts::{Language, Texts};

use crate::language::texts;
use crate::shown::{is_plain, plain};

/// A page of help with Spanish headings.
const TEMPLATE: &str = "{about-with-newline}\nUso: {usage}\n\n{all-args}{after-help}\n";

/// The command with its help in the language of this process.
pub(crate) fn in_language(mut command: Command) -> Command {
    match texts().language() {
        Language::English => command,
        Language::Spanish => {
            command.build();
            in_spanish(command, "")
        }
    }
}

fn in_spanish(command: Command, path: &str) -> Command {
    let own = path.to_owned();
    let about = command_in_spanish(path).map(StyledStr::from);
    let mut command = command.mut_args(|argument| spanish_argument(argument, &own));
    if let Some(about) = about {
        let brief = about.to_string().lines().next().unwrap_or_default().to_owned();
        command = command.about(brief).long_about(about);
    }
    if let Some(below) = after_help_in_spanish(path) {
        command = command.after_help(below);
    }
    let usage = spanish_usage(&mut command);
    let command = command.override_usage(usage);
    let command =
        command.help_template(TEMPLATE).subcommand_help_heading("Órdenes").subcommand_value_name("ORDEN");
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let command = match names.iter().any(|name| name == "help") {
        true => {
            command.mut_subcommand("help", |help| help.about(command_in_spanish("help").unwrap_or_default()))
        }
        false => command,
    };
    names.into_iter().filter(|name| name != "help").fold(command, |command, name| {
        let below = format!("{path} {name}").trim_start().to_owned();
        command.mut_subcommand(&name, |sub| in_spanish(sub, &below))
    })
}

/// How a command is called, with the one word in it that is not of its arguments.
fn spanish_usage(command: &mut Command) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim_start();
    usage.replace("[OPTIONS]", "[OPCIONES]").replace("<COMMAND>", "<ORDEN>").replace("[COMMAND]", "[ORDEN]")
}

fn spanish_argument(argument: Arg, path: &str) -> Arg {
    let Some(help) = option_in_spanish(path, argument.get_id().as_str()) else { return argument };
    let heading = match argument.get_help_heading() {
        None if argument.is_positional() => "Argumentos",
        None => "Opciones",
        Some("Served logs") => "Registros servidos",
        Some("Fleet servers") => "Servidores de la flota",
        Some("Fleet") => "Flota",
        Some(_) => "Acceso",
    };
    let listed = |what: &str, of: Vec<String>| match of.is_empty() {
        true => String::new(),
        false => format!(" [{what}: {}]", of.join(", ")),
    };
    let takes_values = argument.get_action().takes_values();
    let defaults = match takes_values && !argument.is_hide_default_value_set() {
        true => {
            argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect()
        }
        false => Vec::new(),
    };
    let possible = match takes_values {
        true => argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
        false => Vec::new(),
    };
    let help = format!("{help}{}{}", listed("por omisión", defaults), listed("valores", possible));
    let names = argument.get_value_names().unwrap_or_default().iter();
    let names: Vec<String> =
        names.map(|name| value_in_spanish(name).unwrap_or_else(|| name.to_string())).collect();
    let argument = if takes_values && !names.is_empty() { argument.value_names(names) } else { argument };
    let argument = argument.help(help.clone()).long_help(help).help_heading(heading);
    argument.hide_default_value(true).hide_possible_values(true)
}

/// Ends the program with a message about wrong usage, in Spanish where that is the language.
pub(crate) fn exit_with(error: &clap::Error) -> ! {
    match no_language(error).or_else(|| spanish_text(error)) {
        Some(text) => end_with(&text),
        None => exit_by_clap(error),
    }
}

/// In clap's own words.
fn exit_by_clap(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    if crate::shown::lines(&text) == text {
        error.exit()
    }
    // Clap repeats a reason that a parser of ours gives.
    crate::output::error_line(text.trim_end());
    std::process::exit(error.exit_code())
}

/// The message, with what was typed as part of one line. Someone else may have written that, such as the name of a file.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "clap's enums may grow; what is not named here repeats nothing"
)]
pub(crate) fn in_one_line(mut error: clap::Error) -> clap::Error {
    let styled = |text: &StyledStr| StyledStr::from(plain(&text.to_string()));
    let repeated: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| {
            let value = match value {
                ContextValue::String(text) => ContextValue::String(plain(text)),
                ContextValue::Strings(texts) => {
                    ContextValue::Strings(texts.iter().map(|text| plain(text)).collect())
                }
                ContextValue::StyledStrs(texts) if texts.iter().any(|text| !is_plain(&text.to_string())) => {
                    ContextValue::StyledStrs(texts.iter().map(styled).collect())
                }
                _ => return None,
            };
            Some((kind, value))
        })
        .collect();
    for (kind, value) in repeated {
        error.insert(kind, value);
    }
    error
}

/// A language that this program does not speak, in both that it speaks: nobody knows which of them is read.
fn no_language(error: &clap::Error) -> Option<String> {
    let is_language = context(error, ContextKind::InvalidArg)?.starts_with("--lang ");
    let value = context(error, ContextKind::InvalidValue)?;
    let said = Language::ALL.map(|language| Texts::of(language).no_such_language(&value));
    (is_language && error.kind() == ErrorKind::InvalidValue && !value.is_empty())
        .then(|| said.join("\n       "))
}

/// The same, with a line below the message that says where the wrong value stands.
pub(crate) fn exit_with_note(command: &mut Command, error: &clap::Error, note: &str) -> ! {
    match spanish_text(error) {
        Some(text) => end_with(&format!("{text}\n  {note}")),
        None => exit_by_clap(&command.error(error.kind(), format!("{}\n  {note}", brief(error)))),
    }
}

fn end_with(text: &str) -> ! {
    crate::output::error_line(&format!("error: {text}\n\n{}", texts().for_more_help()));
    std::process::exit(2)
}

/// The first line of clap's own message.
fn brief(error: &clap::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or("").trim_start_matches("error: ").to_owned()
}

/// The message in Spanish where that is the language, with what was probably meant.
fn spanish_text(error: &clap::Error) -> Option<String> {
    if texts().language() == Language::English || !error.use_stderr() {
        return None;
    }
    let message = spanish_message(error)?;
    let meant = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
        .into_iter()
        .find_map(|kind| context(error, kind));
    Some(match meant {
        Some(meant) => format!("{message}\n\n  {}", texts().perhaps_meant(meant)),
        None => message,
    })
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "clap's enums may grow; what is not named here is no text"
)]
fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(several) => Some(several.join(", ")).filter(|text| !text.is_empty()),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "clap's enums may grow; what is not named here keeps clap's words"
)]
fn spanish_message(error: &clap::Error) -> Option<String> {
    let text = |kind| context(error, kind);
    let argument = || text(ContextKind::InvalidArg);
    Some(match error.kind() {
        ErrorKind::UnknownArgument => texts().unknown_argument(argument()?),
        ErrorKind::MissingRequiredArgument => texts().missing_argument(argument()?),
        ErrorKind::ArgumentConflict => match text(ContextKind::PriorArg) {
            Some(prior) if Some(&prior) == argument().as_ref() => texts().argument_repeated(prior),
            prior => texts().conflicting_arguments(argument()?, prior.unwrap_or_default()),
        },
        ErrorKind::InvalidSubcommand => texts().unknown_command(text(ContextKind::InvalidSubcommand)?),
        ErrorKind::MissingSubcommand => {
            let (command, known) = (ContextKind::InvalidSubcommand, ContextKind::ValidSubcommand);
            texts().command_missing(text(command)?, text(known)?)
        }
        ErrorKind::InvalidValue => {
            let (value, valid) = (text(ContextKind::InvalidValue)?, text(ContextKind::ValidValue));
            match (value.is_empty(), valid) {
                (true, Some(valid)) => texts().argument_needs_value_of(argument()?, valid),
                (true, None) => texts().argument_needs_value(argument()?),
                (false, Some(valid)) => texts().invalid_value_of(value, argument()?, valid),
                (false, None) => texts().invalid_value(value, argument()?),
            }
        }
        ErrorKind::ValueValidation => {
            let value = text(ContextKind::InvalidValue)?;
            match why_not(error) {
                Some(why) => texts().invalid_value_because(value, argument()?, why),
                None => texts().invalid_value(value, argument()?),
            }
        }
        ErrorKind::TooManyValues => {
            texts().argument_takes_no_value(text(ContextKind::InvalidValue)?, argument()?)
        }
        ErrorKind::TooFewValues => {
            let (wanted, given) = (text(ContextKind::MinValues)?, text(ContextKind::ActualNumValues)?);
            texts().argument_needs_values(argument()?, wanted, given)
        }
        ErrorKind::WrongNumberOfValues => {
            let (wanted, given) =
                (text(ContextKind::ExpectedNumValues)?, text(ContextKind::ActualNumValues)?);
            texts().argument_needs_values(argument()?, wanted, given)
        }
        ErrorKind::NoEquals => texts().argument_needs_equals(argument()?),
        ErrorKind::InvalidUtf8 => texts().argument_not_utf8(),
        _ => return None,
    })
}

/// Why a value was refused.
fn why_not(error: &clap::Error) -> Option<String> {
    let source = error.source()?;
    let number = source.downcast_ref::<ParseIntError>().map(|error| {
        let is_large = matches!(error.kind(), IntErrorKind::PosOverflow | IntErrorKind::NegOverflow);
        if is_large { texts().number_too_large() } else { texts().not_a_whole_number() }
    });
    // What is none of these is a reason of ours, and in the language of the process.
    Some(number.or_else(|| not_in_range(error)).unwrap_or_else(|| source.to_string()))
}

/// Which range a number should be in, where that is why it was refused.
pub(crate) fn not_in_range(error: &clap::Error) -> Option<String> {
    let english = error.source()?.to_string();
    let (value, range) = english.split_once(" is not in ")?;
    match (texts().language(), range.split_once("..=")) {
        (Language::English, _) => Some(english),
        (Language::Spanish, Some((least, most))) => Some(texts().not_in_range(value, least, most)),
        (Language::Spanish, None) => Some(texts().below_range(value, range.split("..").next()?)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use clap::CommandFactory as _;

    use super::*;

    fn each(command: &Command, path: &str, missing: &mut Vec<String>) {
        if command_in_spanish(path).is_none() {
            missing.push(format!("audit {path}"));
        }
        if command.get_after_help().is_some() && after_help_in_spanish(path).is_none() {
            missing.push(format!("audit {path}: what stands below the options"));
        }
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            if option_in_spanish(path, id).is_none() {
                missing.push(format!("audit {path}: {id}"));
            }
            let names = argument.get_value_names().unwrap_or_default().iter();
            let names =
                names.filter(|name| argument.get_action().takes_values() && value_in_spanish(name).is_none());
            missing.extend(names.map(|name| format!("audit {path}: {id}: {name}")));
        }
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            each(sub, format!("{path} {}", sub.get_name()).trim_start(), missing);
        }
    }

    #[test]
    fn a_page_of_help_is_in_spanish() {
        let mut command = crate::cli::Cli::command();
        command.build();
        let mut spanish = in_spanish(command, "");
        let page = spanish.render_long_help().to_string();
        assert!(page.contains("Órdenes:") && page.contains("Opciones:") && page.ends_with('\n'), "{page}");
        let verify =
            spanish.find_subcommand_mut("verify").and_then(|verify| verify.find_subcommand_mut("log"));
        let page = verify.unwrap().render_help().to_string();
        assert!(page.contains("Registros servidos:") && page.contains("[valores: en, es]"), "{page}");
        assert!(page.contains("Uso: audit verify log [OPCIONES] <REGISTRO>"), "{page}");
        for english in
            ["Print ", "possible values", "default:", "Usage:", "Arguments:", "[OPTIONS]", "<LOG>", "FILE"]
        {
            assert!(!page.contains(english), "{english}: {page}");
        }
    }

    #[test]
    fn every_command_and_every_option_has_its_help_in_spanish() {
        let mut command = crate::cli::Cli::command();
        command.build();
        let mut missing = Vec::new();
        each(&command, "", &mut missing);
        assert_eq!(missing, [""; 0], "add them to crates/texts/src/help.rs");
    }
}
