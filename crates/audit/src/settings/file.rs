//! Settings in a TOML file. What is wrong is named with its file, line and key.

use std::collections::BTreeMap;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::kind::{Kind, wrong_value};
use super::{is_setting, names, nearest};
use crate::failure::Failure;
use crate::language::texts;
use crate::text_file::small_text;

/// The file's settings that neither an argument nor the environment gives, as arguments.
pub(super) fn read(
    file: &Path,
    serve: &Command,
    given: &ArgMatches,
) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let text = small_text(file)?;
    let wrong = |at: usize, why: &str| {
        let line = text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
        Failure::usage(texts().in_settings_line(file.display(), line, why))
    };
    let table = DeTable::parse(&text).map_err(|error| {
        wrong(error.span().map_or(0, |span| span.start), &texts().not_toml(error.message()))
    })?;
    let mut settings = BTreeMap::new();
    for (key, value) in table.get_ref() {
        let (key, at) = (key.get_ref().as_ref(), key.span().start);
        let argument = serve.get_arguments().find(|argument| argument.get_long() == Some(key));
        let Some(argument) = argument.filter(|argument| is_setting(argument.get_id().as_str())) else {
            return Err(wrong(at, &unknown(key, value.get_ref(), &names(serve))));
        };
        let kind = Kind::of(argument);
        let as_arguments = match value_of(kind, value) {
            Ok(Value::Flag(set)) => set.then(|| format!("--{key}")).into_iter().collect(),
            Ok(Value::Texts(texts_of_it)) => {
                // Some arguments take a list, others are given several times.
                let values = match argument.get_value_delimiter() {
                    Some(delimiter) => vec![texts_of_it.join(&delimiter.to_string())],
                    None => texts_of_it,
                };
                if let Some((text, why)) =
                    values.iter().find_map(|text| Some((text, wrong_value(serve, key, text)?)))
                {
                    return Err(wrong(value.span().start, &texts().bad_setting(key, text, why)));
                }
                values.iter().map(|text| format!("--{key}={text}")).collect::<Vec<_>>()
            }
            Err((at, found)) => {
                return Err(wrong(at, &texts().setting_of_wrong_kind(key, found, kind.expected())));
            }
        };
        let id = argument.get_id().as_str();
        let is_given =
            matches!(given.value_source(id), Some(ValueSource::CommandLine | ValueSource::EnvVariable));
        if !is_given && !as_arguments.is_empty() {
            settings.insert(id.to_owned(), as_arguments);
        }
    }
    Ok(settings)
}

fn unknown(key: &str, value: &DeValue<'_>, names: &[String]) -> String {
    if value.is_table() {
        return texts().no_sections(key);
    }
    match nearest(key, names) {
        Some(name) => texts().no_such_setting_but(key, name),
        None => texts().no_such_setting(key, names.join(", ")),
    }
}

/// A setting's value.
enum Value {
    Flag(bool),
    /// As arguments have it: one, except where there is a list.
    Texts(Vec<String>),
}

/// The value, or where it is wrong and what is there.
fn value_of(kind: Kind, value: &Spanned<DeValue<'_>>) -> Result<Value, (usize, String)> {
    let at = |value: &Spanned<DeValue<'_>>| (value.span().start, described(value.get_ref()));
    match (kind, value.get_ref()) {
        (Kind::Flag, DeValue::Boolean(set)) => Ok(Value::Flag(*set)),
        (Kind::Number, DeValue::Integer(number)) if number.radix() == 10 => {
            Ok(Value::Texts(vec![number.as_str().replace('_', "")]))
        }
        (Kind::Text | Kind::Texts, DeValue::String(text)) => Ok(Value::Texts(vec![text.to_string()])),
        (Kind::Texts, DeValue::Array(items)) if items.iter().next().is_some() => {
            let text = |text: &Spanned<DeValue<'_>>| {
                let other = || (text.span().start, texts().found_list_with(described(text.get_ref())));
                text.get_ref().as_str().map(str::to_owned).ok_or_else(other)
            };
            Ok(Value::Texts(items.iter().map(text).collect::<Result<_, _>>()?))
        }
        _ => Err(at(value)),
    }
}

fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(_) => texts().found_text(),
        DeValue::Integer(_) => texts().found_number(),
        DeValue::Float(_) => texts().found_fraction(),
        DeValue::Boolean(set) => set.to_string(),
        DeValue::Datetime(_) => texts().found_time(),
        DeValue::Array(items) if items.iter().next().is_none() => texts().found_empty_list(),
        DeValue::Array(_) => texts().found_list(),
        DeValue::Table(_) => texts().found_section(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use ::texts::{Language, Texts};

    use super::*;

    /// Files that are no TOML, each wrong in a way of its own.
    const WRONG: &[&str] = &[
        "a",
        "a =",
        "= 1",
        "a == 1",
        "a = 1 = 2",
        "a = b",
        "a = 1 b = 2",
        "a = [1 2]",
        "a = [1,, 2]",
        "a = [1",
        "a = [1 = 2]",
        "a = ]",
        "a = }",
        "a = {b = 1",
        "a = {b = 1 c = 2}",
        "a = {b 1}",
        "a = {b}",
        "a = {= 1}",
        "a = {, b = 1}",
        "a = {b = 1,, c = 2}",
        "a = {b = 1 = 2}",
        "a = {[1]}",
        "a = {b = ]}",
        "a = {b = 1] }",
        "[a",
        "[[a]",
        "[[a",
        "[a]]",
        "[]",
        "[a.]",
        "[.a]",
        "[a] b",
        "]",
        "a = \"x",
        "a = 'x",
        "a = \"\"\"x",
        "a = '''x",
        "a = \"\\q\"",
        "a = \"\\u12\"",
        "a = \"\\ud800\"",
        "a = \"\\",
        "a = \"\u{1}\"",
        "a = '\u{1}'",
        "a = \"\"\"\u{1}\"\"\"",
        "a = '''\u{1}'''",
        "\"\"\"a\"\"\" = 1",
        "'''a''' = 1",
        "a = 'x' y",
        "a = x\"",
        "a = 01",
        "a = 1__0",
        "a = 1_",
        "a = _1",
        "a = 0x",
        "a = 0xg",
        "a = 0o8",
        "a = 0b2",
        "a = 0X1",
        "a = 0O1",
        "a = 0B1",
        "a = 0d1",
        "a = +0x1",
        "a = -0o1",
        "a = ++1",
        "a = 1.",
        "a = .5",
        "a = 1.e5",
        "a = 1e",
        "a = 1e+",
        "a = 00.5",
        "a = 1.2.3",
        "a = 1a",
        "a = tru",
        "a = trues",
        "a = True",
        "a = fals",
        "a = +true",
        "a = inff",
        "a = nano",
        "a = 2026",
        "a = 2026-",
        "a = 2026-13-01",
        "a = 2026-02-30",
        "a = 2026-1-1",
        "a = 26-01-01",
        "a = 2026-01-1",
        "a = 2026-01-01X10:00:00",
        "a = 2026-01-01T",
        "a = 2026-01-01T25:00:00",
        "a = 2026-01-01T10",
        "a = 2026-01-01T10:60:00",
        "a = 2026-01-01T10:00:61",
        "a = 2026-01-01T10:00:00.",
        "a = 2026-01-01T10:00:00+25:00",
        "a = 2026-01-01T10:00:00+10",
        "a = 2026-01-01T10:00:00+10:60",
        "a = 2026-01-01T10:00:00?",
        "a = 10:00:00Z",
        "a = 1:00",
        "a = 10:0",
        "a = 1\na = 2",
        "a = 1\n[a]",
        "a = 1\na.b = 2",
        "a = [1]\na.b = 2",
        "a = {}\na.b = 2",
        "a = {b = 1, b = 2}",
        "a = {b = 1, b.c = 2}",
        "[a]\n[a]",
        "a.b = 1\n[a.b]",
        "a! = 1",
        "a.! = 1",
        "a b = 1",
        "a\r= 1",
        "a = 1 # \u{1}",
        "a = 1 # x\ry",
        "ñ = 1",
        "\u{1}",
    ];

    #[test]
    fn what_is_no_toml_is_described_in_spanish() {
        let spanish = Texts::of(Language::Spanish);
        let (mut messages, mut wrong) = (BTreeSet::new(), Vec::new());
        let deep = [format!("a = {}", "[".repeat(200)), format!("{} = 1", ["a"; 200].join("."))];
        for text in WRONG.iter().copied().chain(deep.iter().map(String::as_str)) {
            let Err(error) = DeTable::parse(text) else { continue };
            assert!(error.span().is_some() || deep.iter().any(|deep| deep == text), "{text}");
            let said = spanish.not_toml(error.message());
            if said.contains("detalle") || said.contains("expected") {
                wrong.push(format!("{text:?}: {said}"));
            }
            messages.insert(error.message().to_owned());
        }
        assert_eq!(wrong, [""; 0]);
        assert!(messages.len() >= 60, "{}: {messages:#?}", messages.len());
    }
}
