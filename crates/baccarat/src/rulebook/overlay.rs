//! Overlays: rulebook files that state only their differences from another one.
//!
//! `extends = "mini-punto-banco"` takes a built-in rulebook, or a file beside this one, as its
//! base. `remove` removes dotted keys of the base; then tables are merged key by key and any
//! other value replaces the base's. The result is a whole rulebook: logs and digests know nothing
//! of overlays.

use toml::{Table, Value};

use super::error::RulebookError;
use super::files::Files;
use super::load::{FILE_BYTES, builtins, short_enough};
use super::{form, syntax};
use crate::sentence::{Sentence, sentence};

/// Files that may extend one another, the last base included.
const MOST_FILES: usize = 8;

/// Keys that an overlay must state itself, because it is another rulebook than its base.
const OWN_KEYS: [&str; 3] = ["id", "title", "effective"];

/// Reads another rulebook file by its name; the error is one line for people.
pub type ReadBase<'r> = &'r mut dyn FnMut(&str) -> Result<String, String>;

/// The whole rulebook that results from a file, and the files it came from.
pub(crate) struct Resolved {
    pub(crate) table: Table,
    pub(crate) files: Files,
    /// The file itself, where it extends another one.
    pub(crate) top: Option<Overlay>,
}

/// A file that extends another one.
pub(crate) struct Overlay {
    /// What its base is called.
    pub(crate) base_name: String,
    /// The whole base, before anything is removed from it.
    pub(crate) base: Table,
    /// What the file states, but for `extends` and `remove`.
    pub(crate) own: Table,
}

/// Lays a file over the files it extends.
pub(crate) fn resolved(name: &str, text: &str, read: ReadBase<'_>) -> Result<Resolved, RulebookError> {
    let mut file = OneFile { name: name.to_owned(), text: text.to_owned() };
    let mut table = file.table()?;
    let mut files = Files::default();
    files.push(&file.name, &file.text);
    if !table.contains_key("extends") {
        return match table.contains_key("remove") {
            true => Err(file.problem(
                "remove",
                sentence!(
                    "stands in a file that extends nothing; leave it out",
                    "está en un archivo que no amplía a ninguno; quítelo"
                ),
            )),
            false => Ok(Resolved { table, files, top: None }),
        };
    }
    let mut overlays = Vec::new();
    while let Some(base) = file.taken(&mut table)? {
        if overlays.len() + 1 == MOST_FILES {
            return Err(file.problem(
                "extends",
                sentence!(
                    "goes on for more than {MOST_FILES} files; expected a chain without a circle",
                    "sigue por más de {MOST_FILES} archivos; se espera una cadena sin círculo"
                ),
            ));
        }
        let text = file.base_text(&base, read)?;
        short_enough(&base, &text, FILE_BYTES)?;
        files.push(&base, &text);
        overlays.push((file, table));
        file = OneFile { name: base, text };
        table = file.table()?;
    }
    let mut top = None;
    let mut base_name = file.name;
    while let Some((file, overlay)) = overlays.pop() {
        if overlays.is_empty() {
            let mut own = overlay.clone();
            own.remove("remove");
            top = Some(Overlay { base_name: base_name.clone(), base: table.clone(), own });
        }
        table = file.laid_over(table, overlay)?;
        base_name = file.name;
    }
    Ok(Resolved { table, files, top })
}

/// One of the files, by its name and text.
struct OneFile {
    name: String,
    text: String,
}

impl OneFile {
    fn table(&self) -> Result<Table, RulebookError> {
        syntax::table(&self.name, &self.text)
    }

    fn problem(&self, key: &str, sentence: Sentence) -> RulebookError {
        let mut alone = Files::default();
        alone.push(&self.name, &self.text);
        RulebookError::one(alone.place(key), key, sentence)
    }

    /// The base a table extends, taken out of it.
    fn taken(&self, table: &mut Table) -> Result<Option<String>, RulebookError> {
        match table.remove("extends") {
            None => Ok(None),
            Some(Value::String(base)) => Ok(Some(base)),
            Some(_) => Err(self.problem("extends", sentence!(
                "is no text; expected the name of a rulebook in quotes, such as \"mini-punto-banco\"",
                "no es un texto; se espera el nombre de un reglamento entre comillas, como \"mini-punto-banco\""
            ))),
        }
    }

    fn base_text(&self, base: &str, read: ReadBase<'_>) -> Result<String, RulebookError> {
        let plain = base.ends_with(".toml") && !base.contains(['/', '\\']);
        let shown: String = base.chars().take(80).collect();
        if plain {
            return read(base).map_err(|problem| {
                self.problem("extends", sentence!("is `{shown}`: {problem}", "es `{shown}`: {problem}"))
            });
        }
        let found = builtins().find(|(id, _)| *id == base);
        found.map(|(_, text)| text.to_owned()).ok_or_else(|| {
            let names: Vec<&str> = builtins().map(|(id, _)| id).collect();
            let meant = form::nearest(base, names.iter().copied());
            let english = meant.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
            let spanish = meant.map(|name| format!("¿quería decir `{name}`? ")).unwrap_or_default();
            let names = names.join(", ");
            self.problem("extends", sentence!(
                "is `{shown}`; {english}expected the name of a .toml file in the same folder, or one of: {names}",
                "es `{shown}`; {spanish}se espera el nombre de un archivo .toml de la misma carpeta, o uno de: \
                 {names}"
            ))
        })
    }

    fn laid_over(&self, mut base: Table, mut overlay: Table) -> Result<Table, RulebookError> {
        for key in self.removals(&mut overlay)? {
            remove(&mut base, &key).map_err(|problem| self.problem("remove", problem))?;
        }
        for key in OWN_KEYS {
            base.remove(key);
            if !overlay.contains_key(key) {
                return Err(self.problem(
                    key,
                    sentence!(
                        "is missing; an overlay is a rulebook of its own and has to say it",
                        "falta; un reglamento que amplía otro es uno propio y tiene que decirlo"
                    ),
                ));
            }
        }
        merge(&mut base, overlay);
        Ok(base)
    }

    fn removals(&self, overlay: &mut Table) -> Result<Vec<String>, RulebookError> {
        let wrong = || {
            self.problem(
                "remove",
                sentence!(
                    "is not a list of dotted keys such as [\"bets.tie\"]",
                    "no es una lista de claves con puntos, como [\"bets.tie\"]"
                ),
            )
        };
        let Some(listed) = overlay.remove("remove") else { return Ok(Vec::new()) };
        let Value::Array(keys) = listed else { return Err(wrong()) };
        keys.into_iter().map(|key| key.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
    }
}

/// Takes one dotted key away; it has to be there.
fn remove(base: &mut Table, key: &str) -> Result<(), Sentence> {
    let missing = || {
        sentence!(
            "names `{key}`, which the base does not have; leave it out",
            "nombra `{key}`, que la base no tiene; quítelo"
        )
    };
    let mut path: Table = toml::from_str(&format!("{key} = 0")).map_err(|_| {
        sentence!("names `{key}`, which is no dotted key", "nombra `{key}`, que no es una clave con puntos")
    })?;
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
