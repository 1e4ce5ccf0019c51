//! Settings in the environment: `AUDIT_SERVE_MAX_BODY` for `--max-body`.

use std::env;

use clap::{Arg, Command};

use super::kind::{Kind, wrong_value};
use super::{SERVE, is_setting, long_name, nearest};
use crate::failure::Failure;
use crate::language::texts;

const PREFIX: &str = "AUDIT_SERVE_";
/// Settings that have a name in the environment besides ours.
const KNOWN_TO_ALL: &[(&str, &str)] = &[("otlp_endpoint", "OTEL_EXPORTER_OTLP_ENDPOINT")];
/// The values that a setting without an argument may have.
const ON_OR_OFF: [&str; 13] = ["true", "false", "1", "0", "yes", "no", "on", "off", "y", "n", "t", "f", ""];

/// Makes every setting of the service one that the environment can give.
pub(super) fn read_by(command: Command) -> Command {
    command.mut_subcommand(SERVE, |serve| {
        serve.mut_args(|argument| {
            if is_read(&argument) {
                let name = name(argument.get_id().as_str());
                argument.env(name).hide_env(true)
            } else {
                argument
            }
        })
    })
}

/// Whether the environment may give it: every setting, and the file that has the others.
fn is_read(argument: &Arg) -> bool {
    let id = argument.get_id().as_str();
    id == "config" || is_setting(id)
}

fn ours(id: &str) -> String {
    format!("{PREFIX}{}", id.to_ascii_uppercase())
}

/// The variable of a setting: ours, or else the one that is common to all programs, where there is one.
pub(super) fn name(id: &str) -> String {
    let ours = ours(id);
    // For OpenTelemetry an empty variable means the same as none.
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    match KNOWN_TO_ALL.iter().find(|(known, _)| *known == id) {
        Some((_, others)) if env::var_os(&ours).is_none() && is_set(others) => (*others).to_owned(),
        Some(_) | None => ours,
    }
}

/// Refuses variables that look like settings and are none, and values that their settings cannot have.
pub(super) fn check(serve: &Command) -> Result<(), Failure> {
    let settings: Vec<&Arg> = serve.get_arguments().filter(|argument| is_read(argument)).collect();
    let names: Vec<String> = settings.iter().map(|argument| ours(argument.get_id().as_str())).collect();
    let mut set: Vec<String> = env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| name.starts_with(PREFIX))
        .collect();
    set.sort();
    if let Some(unknown) = set.iter().find(|name| !names.contains(name)) {
        let behind: Vec<String> =
            names.iter().filter_map(|name| name.strip_prefix(PREFIX).map(str::to_owned)).collect();
        let meant = unknown.strip_prefix(PREFIX).and_then(|unknown| nearest(unknown, &behind));
        return Err(Failure::usage(match meant {
            Some(name) => texts().no_such_variable_but(unknown, format!("{PREFIX}{name}")),
            None => texts().no_such_variable(unknown),
        }));
    }
    for argument in settings {
        let id = argument.get_id().as_str();
        let variable = name(id);
        let Some(value) = env::var_os(&variable).and_then(|value| value.into_string().ok()) else { continue };
        let why = match Kind::of(argument) {
            Kind::Flag => (!ON_OR_OFF.contains(&value.to_ascii_lowercase().as_str()))
                .then(|| texts().expected_true_or_false()),
            Kind::Number | Kind::Text | Kind::Texts => wrong_value(serve, &long_name(id), &value),
        };
        if let Some(why) = why {
            return Err(Failure::usage(texts().bad_variable(variable, value, why)));
        }
    }
    Ok(())
}
