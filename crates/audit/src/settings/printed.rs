//! `audit serve --print-config`: every setting and where it came from, as a file that `--config` reads.

use std::collections::BTreeMap;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use serde_json::json;

use super::kind::Kind;
use super::{environment, is_setting, long_name};
use crate::failure::Failure;
use crate::shown::plain;
use crate::{language, output};

pub(super) fn print(
    serve: &Command,
    matches: &ArgMatches,
    from_file: &BTreeMap<String, Vec<String>>,
    file: Option<&Path>,
) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for argument in serve.get_arguments().filter(|argument| is_setting(argument.get_id().as_str())) {
        let id = argument.get_id().as_str();
        let raw = matches.try_get_raw(id).ok().flatten();
        let mut texts = raw.into_iter().flatten().map(|raw| raw.to_string_lossy().into_owned()).peekable();
        let value = match Kind::of(argument) {
            Kind::Flag => Some(toml::Value::Boolean(matches.get_flag(id))),
            Kind::Texts => {
                texts.peek().is_some().then(|| toml::Value::Array(texts.map(toml::Value::String).collect()))
            }
            Kind::Number => texts.next().map(number),
            Kind::Text => texts.next().map(toml::Value::String),
        };
        let from = match (from_file.contains_key(id), matches.value_source(id)) {
            (true, _) => file.map_or_else(String::new, |file| file.display().to_string()),
            (false, Some(ValueSource::CommandLine)) => language::texts().from_command_line(),
            (false, Some(ValueSource::EnvVariable)) => environment::name(id),
            (false, _) if value.is_none() => language::texts().from_nowhere(),
            (false, _) => language::texts().from_default(),
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
        Some(value) => format!("{key} = {}  # {}\n", in_one_line(value), plain(from)),
        None => language::texts().setting_is(key, from),
    };
    output::print(&rows.iter().map(line).collect::<String>())
}

/// A value as TOML, which has the escapes of JSON. TOML's own printer spreads a text with line breaks over lines.
fn in_one_line(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => serde_json::Value::from(text.as_str()).to_string(),
        toml::Value::Array(texts) => {
            format!("[{}]", texts.iter().map(in_one_line).collect::<Vec<_>>().join(", "))
        }
        toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_)
        | toml::Value::Table(_) => value.to_string(),
    }
}

/// A whole number where it is one, else a text.
fn number(text: String) -> toml::Value {
    match text.parse() {
        Ok(number) => toml::Value::Integer(number),
        Err(_) => toml::Value::String(text),
    }
}
