//! What is no TOML, in plain sentences: the reader's own words are for programmers.

use toml::Table;
use toml::de::DeTable;

use super::error::{Problem, RulebookError};
use super::files::Place;
use crate::sentence::{Sentence, sentence};

mod keys;

/// How the reader's message about a key that stands twice begins.
const DUPLICATE: &str = "duplicate key";

/// Reads a text as TOML.
///
/// # Errors
/// The first mistake of each line.
pub(crate) fn table(name: &str, text: &str) -> Result<Table, RulebookError> {
    toml::from_str(text).map_err(|first| {
        let (_, errors) = DeTable::parse_recoverable(text);
        let errors = if errors.is_empty() { vec![first] } else { errors };
        let mut lines = Vec::new();
        let mut problems = Vec::new();
        let mut unread_heading = None;
        for error in errors {
            let byte = error.span().map_or(0, |span| span.start);
            let place = Place::at(name, text, byte);
            let line = place.position.map(|(line, _)| line);
            // What follows the first mistake of a line mostly follows from it.
            if lines.contains(&line) {
                continue;
            }
            lines.push(line);
            let message = error.message();
            // Below a heading that is not read, keys seem to stand in another section, and twice there.
            if message.starts_with(DUPLICATE)
                && unread_heading.is_some_and(|heading| keys::in_section_of(text, heading, byte))
            {
                continue;
            }
            if keys::in_heading(text, byte) {
                unread_heading = Some(byte);
            }
            problems.push(problem(name, text, byte, message));
        }
        RulebookError::of(problems)
    })
}

fn problem(name: &str, text: &str, byte: usize, message: &str) -> Problem {
    let said_of_key = match message.starts_with(DUPLICATE) {
        true => keys::twice(text, byte),
        false => keys::no_bare_key(text, byte),
    };
    if let Some(said) = said_of_key {
        return Problem::new(Place::at(name, text, said.start), said.key, said.sentence);
    }
    match unquoted(text, byte) {
        Some((start, key, value)) => {
            let what = sentence!(
                "stands without quotes: write it in quotes, `{key} = \"{value}\"`",
                "está sin comillas: escríbalo entre comillas, `{key} = \"{value}\"`"
            );
            Problem::new(Place::at(name, text, start), key, what)
        }
        None => Problem::new(Place::at(name, text, byte), "", said(message)),
    }
}

/// A value that should stand in quotes and does not, on the line of the mistake: where it begins, its key
/// and its words.
fn unquoted(text: &str, byte: usize) -> Option<(usize, &str, String)> {
    let line_start = text.get(..byte)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next()?;
    // The assignment in which the mistake lies: the last one that begins before it.
    let mistake = byte - line_start;
    let mut quote = None;
    let mut equals = None;
    for (at, mark) in line.char_indices() {
        match (quote, mark) {
            (None, '"' | '\'') => quote = Some(mark),
            (Some(open), _) if open == mark => quote = None,
            (None, '=') if at <= mistake || equals.is_none() => equals = Some(at),
            (None, '#') => break,
            (None | Some(_), _) => {}
        }
    }
    let equals = equals?;
    let key = line[..equals].trim_end().rsplit([' ', '{', ',', '\t']).next()?;
    let value = &line[equals + 1..];
    let begin = equals + 1 + (value.len() - value.trim_start().len());
    let value = value.trim_start();
    let typographic = ['“', '”', '«', '»', '‘', '’', '„'];
    let value = value.split([',', '}', '#', ']']).next()?.trim_end();
    let bare = value.trim_matches(typographic);
    let is_text = !bare.is_empty()
        && !value.starts_with(['"', '\'', '[', '{', '='])
        && !value.contains(['"', '='])
        && (bare != value || !is_other(value));
    (is_text && !key.is_empty()).then(|| (line_start + begin, key, bare.chars().take(80).collect()))
}

/// Whether TOML reads a value without quotes.
fn is_other(value: &str) -> bool {
    toml::from_str::<Table>(&format!("k = {value}")).is_ok()
}

/// The reader's message in plain words.
fn said(message: &str) -> Sentence {
    let begins = |what: &str| message.starts_with(what);
    if begins(DUPLICATE) {
        sentence!("this key stands twice; expected once", "esta clave está dos veces; se espera una")
    } else if begins("key with no value") {
        sentence!(
            "a key without a value; write `key = value`",
            "una clave sin valor; escriba `clave = valor`"
        )
    } else if begins("missing value") {
        sentence!(
            "nothing stands after `=`; write the value there, a text in quotes",
            "no hay nada tras el `=`; escriba ahí el valor, un texto entre comillas"
        )
    } else if begins("missing comma") {
        sentence!(
            "a comma is missing between two values or keys, or a quote is too many",
            "falta una coma entre dos valores o claves, o sobran comillas"
        )
    } else if begins("invalid table") || begins("missing table open") || begins("unclosed table") {
        sentence!(
            "a heading is not closed; write it in brackets, such as `[shoe]` or `[bets.tie]`",
            "un encabezado no está cerrado; escríbalo entre corchetes, como `[shoe]` o `[bets.tie]`"
        )
    } else if begins("unclosed array") {
        sentence!(
            "a list is not closed; write `]` at its end",
            "una lista no está cerrada; escriba `]` al final"
        )
    } else if begins("unclosed inline table") {
        sentence!(
            "a row is not closed; write `}}` at its end",
            "una fila no está cerrada; escriba `}}` al final"
        )
    } else if message.contains("string") {
        sentence!(
            "a text is not closed, or holds a `\\`; write it on one line between two quotes",
            "un texto no está cerrado o contiene una `\\`; escríbalo en una línea entre dos comillas"
        )
    } else if ["integer", "number", "float", "zero", "digit", "mantissa", "date", "boolean", "sign"]
        .iter()
        .any(|what| message.contains(what))
    {
        sentence!(
            "this is no number; write digits alone, such as `8`, and texts in quotes",
            "esto no es un número; escriba solo cifras, como `8`, y los textos entre comillas"
        )
    } else if message.contains("key") {
        sentence!(
            "no key stands here; write `key = value`, a key having letters, digits and `-`, or quotes",
            "aquí no hay una clave; escriba `clave = valor`: una clave lleva letras, cifras y `-`, o comillas"
        )
    } else {
        sentence!(
            "this cannot be read; write one `key = value` a line, texts in quotes, lists in brackets",
            "esto no se puede leer; escriba un `clave = valor` por línea, los textos entre comillas, las \
             listas entre corchetes"
        )
    }
}
