//! The sentences for differences. Every key has one; keys that people ask about have better ones.
//!
//! Keys of a rulebook are written as in its file in either language; its words are English, and said in Spanish there.

use serde_json::Value;

use super::subjects::{consequence, subject};
use crate::Rank;
use crate::rulebook::form;
use crate::sentence::{Sentence, sentence};

/// One sentence for a difference at a path.
pub(super) fn of(path: &[String], values: [Option<&Value>; 2], names: [&str; 2]) -> Sentence {
    let steps: Vec<&str> = path.iter().map(String::as_str).collect();
    let pair = Pair { values, names };
    match (steps.as_slice(), values) {
        (["tableau", "punto"], [Some(Value::String(one)), Some(Value::String(other))]) => {
            cells([one, other], names, |total| sentence!("punto with {total}", "punto con {total}"))
        }
        (["tableau", "banca", row], [Some(Value::String(one)), Some(Value::String(other))]) => {
            let total = row.trim_matches(['[', ']']);
            cells([one, other], names, |column| match column {
                10.. => sentence!(
                    "banca with {total} after punto stood",
                    "banca con {total} cuando el punto se plantó"
                ),
                column => sentence!(
                    "banca with {total} in column {column}",
                    "banca con {total} en la columna {column}"
                ),
            })
        }
        (["burn", "values", index], _) => {
            let index = index.trim_matches(['[', ']']).parse::<usize>().ok();
            let rank = index.and_then(|index| Rank::ALL.get(index)).map(ToString::to_string);
            let rank = rank.unwrap_or_default();
            pair.plain(&sentence!("Cards burned after a {rank}", "Cartas que se queman tras {rank}"))
        }
        (["bets", kind, "rows"], [Some(one), Some(other)]) => rows(kind, [one, other], names),
        (["bets", kind], _) => pair.only(&sentence!("The bet {kind}", "La apuesta {kind}")),
        (["commission"], _) => pair.only(&sentence!("Commission", "La comisión")),
        (["chemin"] | ["chemin", "abonos"], _) => pair.only(&subject(&steps)),
        (["clock"], _) => {
            pair.only(&sentence!("How exact clocks have to be", "Lo exactos que han de ser los relojes"))
        }
        (["rulings"], _) => pair.only(&sentence!("Who signs rulings", "Quién firma las resoluciones")),
        (["irregularities"], _) => {
            pair.only(&sentence!("What follows from irregularities", "Lo que sigue a las irregularidades"))
        }
        (["irregularities", code], _) => pair.only(&consequence(code)),
        (["citations", key, rest @ ..], values) => citation(key, rest, values, names),
        ([.., "cite"], _) => {
            let clause = steps[..steps.len() - 1].join(".");
            pair.plain(&sentence!("The sources of {clause}", "Las fuentes de {clause}"))
        }
        ([.., last], _) if form::has_words(last) => pair.plain_words(&subject(&steps)),
        (steps, _) => pair.plain(&subject(steps)),
    }
}

/// A source, its words in quotation marks.
fn citation(key: &str, rest: &[&str], values: [Option<&Value>; 2], names: [&str; 2]) -> Sentence {
    let quoted = values.map(|value| value.map(quoted));
    let pair = Pair { values: [quoted[0].as_ref(), quoted[1].as_ref()], names };
    match rest {
        [] => pair.only(&sentence!("The source [{key}]", "La fuente [{key}]")),
        ["text"] => {
            pair.plain(&sentence!("The words of the source [{key}]", "Las palabras de la fuente [{key}]"))
        }
        ["source"] => {
            pair.plain(&sentence!("The place of the source [{key}]", "El lugar de la fuente [{key}]"))
        }
        rest => {
            let rest = rest.join(".");
            pair.plain(&sentence!("The {rest} of the source [{key}]", "{rest} de la fuente [{key}]"))
        }
    }
}

fn quoted(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(format!("“{}”", text.replace('\n', " "))),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), quoted(value))).collect(),
        Value::Array(_) | Value::Number(_) | Value::Bool(_) | Value::Null => value.clone(),
    }
}

/// Two values, and what the rulebooks that have them are called.
#[derive(Clone, Copy)]
struct Pair<'a> {
    values: [Option<&'a Value>; 2],
    names: [&'a str; 2],
}

impl Pair<'_> {
    /// `X: A says this; B says that.`
    fn plain(self, subject: &Sentence) -> Sentence {
        self.saying(subject, text)
    }

    /// The same of words of the file.
    fn plain_words(self, subject: &Sentence) -> Sentence {
        self.saying(subject, file_words)
    }

    fn saying(self, subject: &Sentence, text: fn(&Value) -> Sentence) -> Sentence {
        let says = |name: &str, value: Option<&Value>| match value.map(text) {
            Some(value) => sentence!("{name} says {value}", "{name} dice {value}"; value),
            None => sentence!("{name} says nothing", "{name} no dice nada"),
        };
        let ([one, other], [first, second]) = (self.values, self.names);
        let (one, other) = (says(first, one), says(second, other));
        sentence!("{subject}: {one}; {other}.", "{subject}: {one}; {other}."; subject, one, other)
    }

    /// For what one has and the other has not.
    fn only(self, subject: &Sentence) -> Sentence {
        let (value, name) = match (self.values, self.names) {
            ([Some(value), None], [name, _]) | ([None, Some(value)], [_, name]) => (text(value), name),
            ([Some(_), Some(_)] | [None, None], _) => return self.plain(subject),
        };
        sentence!("{subject}: only in {name}, {value}.", "{subject}: solo en {name}, {value}."; subject, value)
    }
}

/// A value in words.
fn text(value: &Value) -> Sentence {
    match value {
        Value::String(text) => Sentence::same(text),
        Value::Bool(true) => sentence!("yes", "sí"),
        Value::Bool(false) => sentence!("no", "no"),
        Value::Null => sentence!("nothing", "nada"),
        Value::Number(number) => Sentence::same(number.to_string()),
        Value::Array(values) if values.is_empty() => sentence!("none", "ninguno"),
        Value::Array(values) => listed(&values.iter().map(text).collect::<Vec<_>>()),
        Value::Object(members) => {
            let filled = |value: &Value| value.as_array().is_none_or(|values| !values.is_empty());
            let members = members.iter().filter(|(_, value)| filled(value));
            let members: Vec<Sentence> = members.map(|(key, value)| member(key, value)).collect();
            Sentence::joined(&members, "; ", "; ")
        }
    }
}

/// Words of the file: as they are in English, which the file is written in, and said in Spanish.
fn file_words(value: &Value) -> Sentence {
    let Some(word) = value.as_str() else { return text(value) };
    let spanish = form::word(word).map_or_else(|| word.to_owned(), |word| word.spanish);
    Sentence { english: word.to_owned(), spanish }
}

fn member(key: &str, value: &Value) -> Sentence {
    match (key, value.as_array()) {
        ("rows", Some(rows)) => {
            let rows = listed(&paytable(rows));
            sentence!("pays {rows}", "pagos: {rows}"; rows)
        }
        _ => {
            let value = if form::has_words(key) { file_words(value) } else { text(value) };
            sentence!("{key} {value}", "{key}: {value}"; value)
        }
    }
}

fn listed(parts: &[Sentence]) -> Sentence {
    Sentence::joined(parts, ", ", ", ")
}

/// `draws` and `stands` where two rows of the tableau differ.
fn cells(rows: [&String; 2], [first, second]: [&str; 2], cell_name: impl Fn(usize) -> Sentence) -> Sentence {
    let word = |mark: char| match mark {
        'T' => sentence!("draws", "pide"),
        'P' => sentence!("stands", "se planta"),
        'O' => sentence!("may choose", "puede elegir"),
        _ => sentence!("not stated", "no consta"),
    };
    let marks = rows[0].chars().zip(rows[1].chars()).enumerate();
    let apart: Vec<Sentence> = marks
        .filter(|(_, (one, other))| one != other)
        .map(|(at, (one, other))| {
            let (cell, one, other) = (cell_name(at), word(one), word(other));
            sentence!("{cell} {one} / {other}", "{cell} {one} / {other}"; cell, one, other)
        })
        .collect();
    let apart = Sentence::joined(&apart, "; ", "; ");
    sentence!("Third cards ({first} / {second}): {apart}.", "Terceras cartas ({first} / {second}): {apart}."; apart)
}

/// The rows that only one of two paytables has; where they have the same ones, their order.
fn rows(kind: &str, [one, other]: [&Value; 2], [first, second]: [&str; 2]) -> Sentence {
    let read = |rows: &Value| rows.as_array().map_or_else(Vec::new, |rows| paytable(rows));
    let (one, other) = (read(one), read(other));
    let lacks = |here: &[Sentence], there: &[Sentence]| -> Vec<Sentence> {
        here.iter().filter(|row| !there.contains(row)).cloned().collect()
    };
    let pays = |name: &str, rows: &[Sentence]| match rows {
        [] => sentence!("{name} has no row of its own", "{name} no tiene ninguna fila propia"),
        rows => {
            let rows = listed(rows);
            sentence!("{name} pays {rows}", "{name}: {rows}"; rows)
        }
    };
    let (here, there) = (lacks(&one, &other), lacks(&other, &one));
    if here.is_empty() && there.is_empty() {
        let (one, other) = (pays(first, &one), pays(second, &other));
        return sentence!(
            "Paytable of {kind}: the same rows in another order; {one}; {other}.",
            "Tabla de pagos de {kind}: las mismas filas en otro orden; {one}; {other}.";
            one, other
        );
    }
    let (one, other) = (pays(first, &here), pays(second, &there));
    sentence!(
        "Paytable of {kind}: {one}; {other}.",
        "Tabla de pagos de {kind}: {one}; {other}.";
        one, other
    )
}

/// Rows in words: `8:1 when winner is tie and punto-total is 9`.
fn paytable(rows: &[Value]) -> Vec<Sentence> {
    rows.iter().map(row).collect()
}

fn row(row: &Value) -> Sentence {
    let Some(members) = row.as_object() else { return Sentence::same(row.to_string()) };
    let pays = members.get("pays").map_or_else(|| Sentence::same(""), file_words);
    let condition = |(key, value): (&String, &Value)| match (key.as_str(), value) {
        ("pays", _) | ("commission", Value::Bool(true)) => None,
        ("commission", Value::Bool(false)) => Some(sentence!("no commission is due", "no se debe comisión")),
        (key, Value::Array(values)) => {
            let values: Vec<Sentence> = values.iter().map(file_words).collect();
            let values = Sentence::joined(&values, " or ", " o ");
            Some(sentence!("{key} is {values}", "{key} es {values}"; values))
        }
        (key, value) => {
            let value = file_words(value);
            Some(sentence!("{key} is {value}", "{key} es {value}"; value))
        }
    };
    let conditions: Vec<Sentence> = members.iter().filter_map(condition).collect();
    if conditions.is_empty() {
        return sentence!("{pays} always", "{pays} siempre"; pays);
    }
    let conditions = Sentence::joined(&conditions, " and ", " y ");
    sentence!("{pays} when {conditions}", "{pays} si {conditions}"; pays, conditions)
}
