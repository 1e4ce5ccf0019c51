//! Overlays: rulebook files that state only their differences from another one.
//!
//! `extends = "mini-punto-banco"` takes a built-in rulebook, or a file beside this one, as its
//! base. `remove` removes dotted keys of the base; then tables are merged key by key and any
//! other value replaces the base's. The result is a whole rulebook: logs and digests know nothing
//! of overlays.

use toml::{Table, Value};

use super::RulebookError;
use super::load::{FILE_BYTES, builtins, form, short_enough};

/// Files that may extend one another, the last base included.
const MOST_FILES: usize = 8;

/// Keys that an overlay must state itself, because it is another rulebook than its base.
const OWN_KEYS: [&str; 3] = ["id", "title", "effective"];

/// Reads another rulebook file by its name; the error is one line for people.
pub type ReadBase<'r> = &'r mut dyn FnMut(&str) -> Result<String, String>;

/// The whole rulebook that results from a file.
pub(crate) enum Resolved {
    /// The file as it is: it extends nothing.
    Alone(Table),
    /// The file laid over its bases.
    Extended(Table),
}

impl Resolved {
    pub(crate) const fn table(&self) -> &Table {
        match self {
            Self::Alone(table) | Self::Extended(table) => table,
        }
    }

    pub(crate) fn into_table(self) -> Table {
        match self {
            Self::Alone(table) | Self::Extended(table) => table,
        }
    }
}

/// Lays a file over the files it extends.
pub(crate) fn resolved(name: &str, text: &str, read: ReadBase<'_>) -> Result<Resolved, RulebookError> {
    let top: Table = toml::from_str(text).map_err(|error| form(name, &error))?;
    if !top.contains_key("extends") {
        return match top.contains_key("remove") {
            true => Err(value(name, "remove", "stands in a file that extends nothing; leave it out")),
            false => Ok(Resolved::Alone(top)),
        };
    }
    let mut overlays = Vec::new();
    let (mut name, mut table) = (name.to_owned(), top);
    while let Some(base) = taken(&name, &mut table)? {
        if overlays.len() + 1 == MOST_FILES {
            let problem =
                format!("goes on for more than {MOST_FILES} files; expected a chain without a circle");
            return Err(value(&name, "extends", problem));
        }
        let text = base_text(&name, &base, read)?;
        overlays.push((name, table));
        short_enough(&base, &text, FILE_BYTES)?;
        table = toml::from_str(&text).map_err(|error| form(&base, &error))?;
        name = base;
    }
    let mut whole = table;
    while let Some((name, overlay)) = overlays.pop() {
        whole = laid_over(&name, whole, overlay)?;
    }
    Ok(Resolved::Extended(whole))
}

/// The base a table extends, taken out of it.
fn taken(name: &str, table: &mut Table) -> Result<Option<String>, RulebookError> {
    match table.remove("extends") {
        None => Ok(None),
        Some(Value::String(base)) => Ok(Some(base)),
        Some(other) => {
            let problem =
                format!("is {other}; expected the name of a rulebook, such as \"mini-punto-banco\"");
            Err(value(name, "extends", problem))
        }
    }
}

fn base_text(name: &str, base: &str, read: ReadBase<'_>) -> Result<String, RulebookError> {
    let plain = base.ends_with(".toml") && !base.contains(['/', '\\']);
    if plain {
        return read(base).map_err(|problem| value(name, "extends", format_args!("is `{base}`: {problem}")));
    }
    let found = builtins().find(|(id, _)| *id == base);
    found.map(|(_, text)| text.to_owned()).ok_or_else(|| {
        let ids: Vec<&str> = builtins().map(|(id, _)| id).collect();
        let problem = format!(
            "is `{base}`; expected the name of a .toml file in the same folder, or one of: {}",
            ids.join(", ")
        );
        value(name, "extends", problem)
    })
}

fn laid_over(name: &str, mut base: Table, mut overlay: Table) -> Result<Table, RulebookError> {
    for key in removals(name, &mut overlay)? {
        remove(&mut base, &key).map_err(|problem| value(name, "remove", problem))?;
    }
    for key in OWN_KEYS {
        base.remove(key);
        if !overlay.contains_key(key) {
            return Err(value(
                name,
                key,
                "is missing; an overlay is a rulebook of its own and has to say it",
            ));
        }
    }
    merge(&mut base, overlay);
    Ok(base)
}

fn removals(name: &str, overlay: &mut Table) -> Result<Vec<String>, RulebookError> {
    let wrong = || value(name, "remove", "is not a list of dotted keys such as [\"bets.tie\"]");
    let Some(listed) = overlay.remove("remove") else { return Ok(Vec::new()) };
    let Value::Array(keys) = listed else { return Err(wrong()) };
    keys.into_iter().map(|key| key.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

/// Takes one dotted key away; it has to be there.
fn remove(base: &mut Table, key: &str) -> Result<(), String> {
    let missing = || format!("names `{key}`, which the base does not have; leave it out");
    let mut path: Table = toml::from_str(&format!("{key} = 0"))
        .map_err(|_| format!("names `{key}`, which is no dotted key"))?;
    let mut table = base;
    loop {
        let Some((step, rest)) = path.into_iter().next() else { return Err(missing()) };
        let Value::Table(deeper) = rest else {
            return table.remove(&step).map(drop).ok_or_else(missing);
        };
        path = deeper;
        table = table.get_mut(&step).and_then(Value::as_table_mut).ok_or_else(missing)?;
    }
}

fn merge(base: &mut Table, overlay: Table) {
    for (key, value) in overlay {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

fn value(name: &str, key: &str, problem: impl std::fmt::Display) -> RulebookError {
    RulebookError::Value { name: name.to_owned(), key: key.to_owned(), problem: problem.to_string() }
}
