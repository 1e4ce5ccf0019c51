//! `audit serve --print-config`: every setting and where it came from, as a file that `--config` reads.

use std::collections::BTreeMap;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use serde_json::json;
use texts::screen;

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

/// A value as TOML. TOML's own printer spreads a text with line breaks over lines.
fn in_one_line(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => quoted(text),
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

/// A text as TOML reads it. TOML has the escapes of JSON, and `\U0001d159` in place of two for characters past U+FFFF.
fn quoted(text: &str) -> String {
    let escaped = |c: char| match u32::from(c) {
        _ if !screen::is_unsafe(c) => c.to_string(),
        code @ ..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    };
    serde_json::Value::from(text).to_string().chars().map(escaped).collect()
}

/// A whole number where it is one, else a text.
fn number(text: String) -> toml::Value {
    match text.parse() {
        Ok(number) => toml::Value::Integer(number),
        Err(_) => toml::Value::String(text),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_printed_is_read_as_it_was() {
        let text =
            "a\"\\\n\t\u{1b}\u{7f}\u{85}\u{202e}\u{3164}\u{e0041}\u{1d159}\u{fdd0}\u{10ffff}ñ\u{1f0a1}";
        let printed = in_one_line(&toml::Value::Array(vec![toml::Value::String(text.to_owned())]));
        assert!(!printed.contains(screen::is_unsafe), "{printed:?}");
        let read: toml::Table = format!("key = {printed}").parse().unwrap();
        assert_eq!(read["key"][0].as_str(), Some(text));
    }
}
