//! Writes an overlay to fill in: every parameter of a rulebook as a comment, with its meaning, its present
//! value and the texts it follows. As it is written it changes nothing but the name.

use serde_json::{Map, Value};

use super::{Form, Key, keys};
use crate::Rulebook;
use crate::rulebook::Citation;

/// What an overlay is called, and what it extends.
#[derive(Debug, Clone, Copy)]
pub struct NewOverlay<'a> {
    /// What `extends` says: a built-in name, or a file in the same folder.
    pub extends: &'a str,
    /// The new rulebook's name.
    pub id: &'a str,
    /// The first day on which it holds, as `YYYY-MM-DD`.
    pub from: &'a str,
    /// Whether its comments are Spanish.
    pub spanish: bool,
}

/// Keys that stand at the top of the file, before its sections.
const OWN: [&str; 5] = ["format", "id", "title", "effective", "jurisdiction"];

/// The text of an overlay over a rulebook, in which every parameter that may be changed is a comment.
#[must_use]
pub fn overlay_file(base: &Rulebook, new: NewOverlay<'_>) -> String {
    let Ok(Value::Object(values)) = serde_json::to_value(base) else { return String::new() };
    let mut file = Text { lines: Vec::new(), base, spanish: new.spanish };
    file.head(new);
    let sections = |key: &&Key| matches!(key.form, Form::Section(_) | Form::Named(..));
    for key in keys().iter().filter(|key| !OWN.contains(&key.name) && !sections(key)) {
        file.key(key, values.get(key.name));
    }
    for key in keys().iter().filter(|key| !OWN.contains(&key.name) && sections(key)) {
        match (key.form, values.get(key.name)) {
            (Form::Named(_, keys), members) if key.name != "citations" => {
                file.named(key, keys, members.and_then(Value::as_object));
            }
            (Form::Section(keys), Some(Value::Object(members))) => file.section(key.name, key, keys, members),
            (Form::Section(_), _) if key.name != "chemin" => file.absent(key),
            _ => {}
        }
    }
    file.citations();
    file.lines.join("\n") + "\n"
}

struct Text<'b> {
    lines: Vec<String>,
    base: &'b Rulebook,
    spanish: bool,
}

impl Text<'_> {
    const fn of<'a>(&self, english: &'a str, spanish: &'a str) -> &'a str {
        if self.spanish { spanish } else { english }
    }

    const fn meaning(&self, key: &Key) -> &'static str {
        if self.spanish { key.significado } else { key.meaning }
    }

    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn head(&mut self, new: NewOverlay<'_>) {
        let NewOverlay { extends, id, from, spanish: _ } = new;
        self.line("#:schema ./rulebook.schema.json");
        for (english, spanish) in [
            (
                "A rulebook that changes another one. Take the # away from a line to change its value; what stays a",
                "Un reglamento que cambia otro. Quite la # de una línea para cambiar su valor; lo que siga siendo",
            ),
            (
                "comment is as in the rulebook it extends. Check it with: audit rules check FILE",
                "comentario queda como en el reglamento que amplía. Compruébelo con: audit rules check ARCHIVO",
            ),
            (
                "For an editor that knows the keys: audit rules schema > rulebook.schema.json",
                "Para un editor que conozca las claves: audit rules schema > rulebook.schema.json",
            ),
        ] {
            let text = self.of(english, spanish);
            self.line(format!("# {text}"));
        }
        self.line(format!("extends = {}", quoted(extends)));
        let text = self.of(
            "keys of the base to take away, such as [\"bets.tie\"]; what cites a text that is taken away has to change",
            "claves de la base que se quitan, como [\"bets.tie\"]; lo que cite un texto quitado ha de cambiar",
        );
        self.line(format!("# {text}"));
        self.line("# remove = []");
        self.line("");
        self.line(format!("id = {}", quoted(id)));
        let after = self.of("after", "según");
        self.line(format!("title = {}", quoted(&format!("{id}, {after} {}", self.base.id))));
        let first_day =
            self.of("the first day on which it holds: say yours", "el primer día en que rige: diga el suyo");
        self.line(format!("# {first_day}"));
        self.line(format!("effective = {{ from = {} }}", quoted(from)));
        self.line(format!("# jurisdiction = {}", quoted(&self.base.jurisdiction)));
        self.line("");
    }

    /// One parameter as a comment: its meaning, and what it is now.
    fn key(&mut self, key: &Key, value: Option<&Value>) {
        let meaning = self.meaning(key);
        self.line(format!("# {meaning}"));
        match (key.form, value) {
            (Form::List(_), Some(Value::Array(rows))) if !rows.is_empty() => {
                self.line(format!("# {} = [", key.name));
                for row in rows {
                    self.line(format!("#     {},", inline(row)));
                }
                self.line("# ]");
            }
            (Form::BancaRows, Some(Value::Array(rows))) => {
                self.line(format!("# {} = [", key.name));
                for row in rows.iter().filter_map(Value::as_str) {
                    let (columns, stood) = row.split_at(row.len().min(10));
                    self.line(format!("#     {},", quoted(&format!("{columns} {stood}"))));
                }
                self.line("# ]");
            }
            (_, Some(value)) => self.line(format!("# {} = {}", key.name, inline(value))),
            (_, None) => {
                let absent = self.of("now absent", "ahora falta");
                self.line(format!("# {} = {}   # {absent}", key.name, key.form.example()));
            }
        }
        if key.name == "cite" {
            self.sources(value);
        }
    }

    fn sources(&mut self, keys: Option<&Value>) {
        for key in keys.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            if let Some(Citation { source, .. }) = self.base.citations.get(key) {
                self.line(format!("#   {}: {}", one_line(key), one_line(source)));
            }
        }
    }

    fn section(&mut self, path: &str, key: &Key, keys: &[Key], members: &Map<String, Value>) {
        self.line("");
        let meaning = self.meaning(key);
        self.line(format!("# --- {meaning}"));
        self.line(format!("[{path}]"));
        self.members(path, keys, members);
    }

    fn members(&mut self, path: &str, keys: &[Key], members: &Map<String, Value>) {
        for key in keys.iter().filter(|key| path != "card-values" || key.name != "points") {
            match (key.form, members.get(key.name)) {
                // Below, as sections of their own.
                (Form::Section(_), _) if path == "chemin" => {}
                (_, value) => self.key(key, value),
            }
        }
        for key in keys.iter().filter(|_| path == "chemin") {
            if let (Form::Section(keys), Some(Value::Object(inner))) = (key.form, members.get(key.name)) {
                self.section(&format!("{path}.{}", key.name), key, keys, inner);
            }
        }
    }

    /// A section that the base does not have.
    fn absent(&mut self, key: &Key) {
        self.line("");
        let meaning = self.meaning(key);
        self.line(format!("# --- {meaning}"));
        let Form::Section(keys) = key.form else { return };
        self.line(format!("# [{}]   # {}", key.name, self.of("now absent", "ahora falta")));
        for key in keys {
            let member = |key: &Key| format!("{} = {}", key.name, key.form.example());
            let example = if let Form::Section(keys) = key.form {
                format!("{{ {} }}", keys.iter().map(member).collect::<Vec<_>>().join(", "))
            } else {
                key.form.example()
            };
            let meaning = self.meaning(key);
            self.line(format!("# {} = {example}   # {meaning}", key.name));
        }
    }

    fn named(&mut self, key: &Key, keys: &[Key], members: Option<&Map<String, Value>>) {
        self.line("");
        let meaning = self.meaning(key);
        self.line(format!("# --- {meaning}"));
        for (name, member) in members.into_iter().flatten() {
            if let Value::Object(member) = member {
                self.line("");
                self.line(format!("[{}.{name}]", key.name));
                self.members(key.name, keys, member);
            }
        }
    }

    fn citations(&mut self) {
        self.line("");
        let text = self.of(
            "the texts that this rulebook follows besides those of its base; name them in `cite`",
            "los textos que sigue este reglamento además de los de su base; nómbrelos en `cite`",
        );
        self.line(format!("# --- {text}"));
        self.line("[citations]");
        let (source, words) =
            (self.of("document and passage", "documento y pasaje"), self.of("its words", "sus palabras"));
        self.line(format!("# \"house 1\" = {{ source = \"{source}\", text = \"{words}\" }}"));
    }
}

/// Keys of rows that are always lists.
const LISTS: [&str; 2] = ["bets", "cite"];

/// A value in one line of TOML; a list of one value as that value, where it is a condition of a row.
fn inline(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                // A row says `commission` only to leave it out.
                let is_default = key == "commission" && *value == Value::Bool(true);
                let alone = value.as_array().filter(|values| values.len() == 1).map(|values| &values[0]);
                let value = alone.filter(|_| !LISTS.contains(&key.as_str())).unwrap_or(value);
                (!is_default).then(|| format!("{key} = {}", inline(value)))
            };
            // What a row pays comes last, as people write it.
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key == "pays");
            format!("{{ {} }}", members.into_iter().filter_map(member).collect::<Vec<_>>().join(", "))
        }
        Value::Array(values) => {
            format!("[{}]", values.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => quoted(text),
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Null => String::new(),
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A text in one line of a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|mark| if mark.is_control() { ' ' } else { mark }).collect()
}
