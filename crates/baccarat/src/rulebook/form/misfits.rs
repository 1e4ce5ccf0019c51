//! Finds the values of a rulebook file that have the wrong form, all at once.

use toml::{Table, Value};

use super::{Form, Key, Naming, keys, names, nearest};
use crate::rulebook::holes::is_hole;
use crate::rulebook::usual_points;
use crate::sentence::{Sentence, sentence};
use crate::{BetKind, Pays, Rate};

/// A value of the wrong form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit {
    pub(crate) key: String,
    pub(crate) sentence: Sentence,
}

/// Every value of the wrong form, every unknown key and every key that is missing, in the file's order of
/// keys. A `?` stands for a value that is not stated, and is none.
pub(crate) fn misfits(table: &Table) -> Vec<Misfit> {
    let mut found = Found(Vec::new());
    found.section("", table, keys());
    found.0
}

struct Found(Vec<Misfit>);

impl Found {
    fn say(&mut self, key: &str, sentence: Sentence) {
        self.0.push(Misfit { key: key.to_owned(), sentence });
    }

    fn section(&mut self, path: &str, table: &Table, keys: &'static [Key]) {
        for key in keys {
            let path = below(path, key.name);
            match table.get(key.name) {
                Some(value) => self.value(&path, value, key),
                None if key.needed => {
                    let Sentence { english, spanish } = key.expected();
                    self.say(
                        &path,
                        sentence!("is missing; expected {english}", "falta; se espera {spanish}"),
                    );
                }
                None => {}
            }
        }
        for name in table.keys().filter(|name| !keys.iter().any(|key| key.name == *name)) {
            self.unknown(&below(path, &name.escape_debug().to_string()), name, keys);
        }
        if path == "burn" {
            self.burn(table);
        }
    }

    fn unknown(&mut self, path: &str, name: &str, keys: &[Key]) {
        let all = names(keys);
        match nearest(name, keys.iter().map(|key| key.name)) {
            Some(meant) => self.say(
                path,
                sentence!(
                    "is no key here; did you mean `{meant}`? The keys are {all}",
                    "no es una clave de aquí; ¿quería decir `{meant}`? Las claves son {all}"
                ),
            ),
            None => self.say(
                path,
                sentence!(
                    "is no key here; the keys are {all}",
                    "no es una clave de aquí; las claves son {all}"
                ),
            ),
        }
    }

    fn value(&mut self, path: &str, value: &Value, key: &'static Key) {
        if is_hole(value) {
            return;
        }
        match (key.form, value) {
            (Form::Section(keys), Value::Table(table)) => self.section(path, table, keys),
            (Form::Named(naming, keys), Value::Table(members)) => self.named(path, members, naming, keys),
            (Form::List(keys), Value::Array(rows)) => {
                for (index, row) in rows.iter().enumerate() {
                    let path = format!("{path}[{index}]");
                    if let Value::Table(row) = row {
                        self.section(&path, row, keys);
                    } else {
                        let all = names(keys);
                        let expected = sentence!(
                            "a row in braces with some of the keys {all}",
                            "una fila entre llaves con algunas de las claves {all}"
                        );
                        self.is(&path, row, &expected);
                    }
                }
            }
            (Form::BancaRows, Value::Array(rows)) => self.banca(path, rows, key),
            (Form::BurnValues, Value::Array(values)) => {
                self.each(path, values, key);
                let count = values.len();
                if count != 13 {
                    self.say(
                        path,
                        sentence!(
                            "has {count} numbers; expected 13, for A 2 3 4 5 6 7 8 9 T J Q K",
                            "tiene {count} números; se esperan 13, para A 2 3 4 5 6 7 8 9 T J Q K"
                        ),
                    );
                }
            }
            (Form::TwoBets, Value::Array(bets)) => {
                self.each(path, bets, key);
                let count = bets.len();
                if count != 2 {
                    self.say(
                        path,
                        sentence!(
                            "has {count} names; expected two, such as [\"punto\", \"banca\"]",
                            "tiene {count} nombres; se esperan dos, como [\"punto\", \"banca\"]"
                        ),
                    );
                }
            }
            (Form::OneOrNumbers(..) | Form::Words(_), Value::Array(values)) => {
                self.each(path, values, key);
                if values.is_empty() {
                    self.say(
                        path,
                        sentence!(
                            "is an empty list, which no coup can meet; leave it out",
                            "es una lista vacía, que ninguna jugada cumple; quítela"
                        ),
                    );
                }
            }
            (Form::Numbers(..) | Form::Citations | Form::Bets, Value::Array(values)) => {
                self.each(path, values, key)
            }
            (_, value) => self.one(path, value, key),
        }
    }

    fn each(&mut self, path: &str, values: &[Value], key: &'static Key) {
        for (index, value) in values.iter().enumerate().filter(|(_, value)| !is_hole(value)) {
            self.single(&format!("{path}[{index}]"), path, value, key, true);
        }
    }

    fn one(&mut self, path: &str, value: &Value, key: &'static Key) {
        self.single(path, path, value, key, false);
    }

    /// A value that is no list and no section; `element` where it stands in a list.
    fn single(&mut self, path: &str, list: &str, value: &Value, key: &'static Key, element: bool) {
        let wanted_list = matches!(
            key.form,
            Form::Numbers(..) | Form::BurnValues | Form::Citations | Form::Bets | Form::TwoBets
        );
        if wanted_list && !element {
            return self.is(path, value, &key.expected());
        }
        match (key.form, value) {
            (
                Form::Number(least, most) | Form::OneOrNumbers(least, most) | Form::Numbers(least, most),
                Value::Integer(number),
            ) => self.number(list, *number, least, most),
            (Form::BurnValues, Value::Integer(number)) => self.number(list, *number, 1, 13),
            (Form::Flag, Value::Boolean(_)) => {}
            // A date without quotes is read as its text.
            (
                Form::Line | Form::Prose | Form::Code | Form::Day | Form::Citations,
                Value::String(_) | Value::Datetime(_),
            ) => {}
            (Form::Word(words) | Form::Words(words), Value::String(text)) => {
                if !words.contains(&text.as_str()) {
                    self.word(path, text, words, key);
                }
            }
            (Form::Pays, Value::String(text)) => self.parsed(path, text, text.parse::<Pays>().is_ok(), key),
            (Form::Share, Value::String(text)) => self.parsed(path, text, text.parse::<Rate>().is_ok(), key),
            (Form::Bets | Form::TwoBets, Value::String(text)) => {
                if text.parse::<BetKind>().is_err() {
                    self.bet_name(path, text);
                }
            }
            (Form::PuntoRow, Value::String(text)) => self.row(path, text, 8, &key.form.described()),
            (Form::Points, Value::String(text)) => {
                let usual = usual_points();
                if text.chars().any(|mark| mark != '?') && !with_holes(text, &usual) {
                    let text = shown(text);
                    self.say(path, sentence!(
                        "is {text}; expected {usual}, for A 2 3 4 5 6 7 8 9 T J Q K: every complete source counts so, \
                         and this program counts no other way",
                        "es {text}; se espera {usual}, para A 2 3 4 5 6 7 8 9 T J Q K: toda fuente completa cuenta así, \
                         y este programa no cuenta de otro modo"
                    ));
                }
            }
            (_, value) => self.is(path, value, &key.expected()),
        }
    }

    /// A value of another kind than what is expected.
    fn is(&mut self, path: &str, value: &Value, expected: &Sentence) {
        let Sentence { english: what, spanish: que } = kind(value);
        let Sentence { english, spanish } = expected;
        self.say(path, sentence!("is {what}; expected {english}", "es {que}; se espera {spanish}"));
    }

    fn number(&mut self, path: &str, number: i64, least: u64, most: u64) {
        if !u64::try_from(number).is_ok_and(|number| (least..=most).contains(&number)) {
            self.say(
                path,
                sentence!(
                    "holds {number}; expected {least} to {most}",
                    "contiene {number}; se espera de {least} a {most}"
                ),
            );
        }
    }

    fn word(&mut self, path: &str, text: &str, words: &'static [&'static str], key: &Key) {
        let said = shown(text);
        let Sentence { english, spanish } = key.form.described();
        match nearest(text, words.iter().copied()) {
            Some(meant) => self.say(
                path,
                sentence!(
                    "is {said}; did you mean \"{meant}\"? Expected {english}",
                    "es {said}; ¿quería decir \"{meant}\"? Se espera {spanish}"
                ),
            ),
            None => {
                self.say(path, sentence!("is {said}; expected {english}", "es {said}; se espera {spanish}"))
            }
        }
    }

    fn parsed(&mut self, path: &str, text: &str, good: bool, key: &Key) {
        if !good {
            let (said, Sentence { english, spanish }) = (shown(text), key.expected());
            self.say(path, sentence!("is {said}; expected {english}", "es {said}; se espera {spanish}"));
        }
    }

    fn bet_name(&mut self, path: &str, text: &str) {
        let said = shown(text);
        self.say(path, sentence!(
            "is {said}, which cannot name a bet; expected 1 to 32 of a-z, 0-9 and -, such as `dragon-7`",
            "es {said}, que no puede nombrar una apuesta; se esperan de 1 a 32 de a-z, 0-9 y -, como `dragon-7`"
        ));
    }

    /// Sections under names of their own.
    fn named(&mut self, path: &str, members: &Table, naming: Naming, keys: &'static [Key]) {
        for (name, member) in members {
            let inner = below(path, &name.escape_debug().to_string());
            if naming == Naming::Bet && name.parse::<BetKind>().is_err() {
                self.bet_name(&inner, name);
            }
            if let Value::Table(member) = member {
                self.section(&inner, member, keys);
            } else if !is_hole(member) {
                let all = names(keys);
                let expected = sentence!("a section with the keys {all}", "una sección con las claves {all}");
                self.is(&inner, member, &expected);
            }
        }
    }

    fn banca(&mut self, path: &str, rows: &[Value], key: &'static Key) {
        let count = rows.len();
        if count != 8 {
            self.say(
                path,
                sentence!(
                    "has {count} rows; expected 8, for banca's totals 0 to 7",
                    "tiene {count} filas; se esperan 8, para los totales 0 a 7 de la banca"
                ),
            );
        }
        let expected = sentence!(
            "11 letters T (draws) or P (stands): columns 0 to 9, then the case where punto stood",
            "11 letras T (pide) o P (se planta): columnas 0 a 9, y luego el caso en que el punto se plantó"
        );
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| !is_hole(row)) {
            let path = format!("{path}[{index}]");
            if let Value::String(row) = row {
                self.row(&path, row, 11, &expected);
            } else {
                self.is(&path, row, &key.expected());
            }
        }
    }

    fn row(&mut self, path: &str, row: &str, cells: usize, expected: &Sentence) {
        let marks = row.chars().filter(|mark| *mark != ' ');
        if marks.clone().count() != cells || marks.clone().any(|mark| !"TPOU?".contains(mark)) {
            let (said, Sentence { english, spanish }) = (shown(row), expected);
            self.say(path, sentence!("is {said}; expected {english}", "es {said}; se espera {spanish}"));
        }
    }

    /// A burn whose method and other keys do not go together.
    fn burn(&mut self, table: &Table) {
        let Some(method) = table.get("method").and_then(Value::as_str).filter(|method| *method != "?") else {
            return;
        };
        let has = |key: &str| table.contains_key(key);
        match method {
            "indicator" if !has("values") => self.say(
                "burn.values",
                sentence!(
                    "is missing; with method \"indicator\" it has 13 numbers, for A 2 3 4 5 6 7 8 9 T J Q K",
                    "falta; con el método \"indicator\" tiene 13 números, para A 2 3 4 5 6 7 8 9 T J Q K"
                ),
            ),
            "fixed" if !has("count") => self.say(
                "burn.count",
                sentence!(
                    "is missing; with method \"fixed\" it is a number from 1 to 8",
                    "falta; con el método \"fixed\" es un número de 1 a 8"
                ),
            ),
            _ => {}
        }
        for (key, its) in [("values", "indicator"), ("count", "fixed")] {
            if has(key) && method != its {
                self.say(
                    &format!("burn.{key}"),
                    sentence!(
                        "stands beside a method that is not \"{its}\"; leave it out",
                        "está junto a un método que no es \"{its}\"; quítelo"
                    ),
                );
            }
        }
    }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Whether a text is another one, but for what is `?` in it.
fn with_holes(text: &str, whole: &str) -> bool {
    text.chars().count() == whole.chars().count()
        && text.chars().zip(whole.chars()).all(|(mark, usual)| mark == '?' || mark == usual)
}

/// A text as messages quote it: shortened, without control characters.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    format!("`{}`", short.escape_debug())
}

/// What a value is, in words.
fn kind(value: &Value) -> Sentence {
    match value {
        Value::String(text) => {
            let text = shown(text);
            sentence!("the text {text}", "el texto {text}")
        }
        Value::Integer(number) => sentence!("the number {number}", "el número {number}"),
        Value::Float(number) => sentence!("the number {number}", "el número {number}"),
        Value::Boolean(value) => sentence!("`{value}`", "`{value}`"),
        Value::Datetime(day) => sentence!("the date {day} without quotes", "la fecha {day} sin comillas"),
        Value::Array(values) if values.is_empty() => sentence!("an empty list", "una lista vacía"),
        Value::Array(_) => sentence!("a list", "una lista"),
        Value::Table(_) => sentence!("a section", "una sección"),
    }
}
