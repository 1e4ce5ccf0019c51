//! What a file changes of the one that it extends: a changed value has to cite the text that says so.

use toml::{Table, Value};

use super::{Code, Finding};
use crate::rulebook::overlay::Overlay;
use crate::sentence::sentence;

/// Sections whose members are clauses, each with a `cite` of its own.
const OF_CLAUSES: [&str; 3] = ["bets", "irregularities", "chemin"];
/// Keys of a clause that are no rule.
const NO_RULES: [&str; 2] = ["cite", "title"];

/// Values that differ from those of the base although their clause cites no other text than the base's does.
pub(super) fn of_top(overlay: &Overlay) -> Vec<Finding> {
    let mut found = Vec::new();
    let sections = overlay.own.iter().filter_map(|(name, own)| {
        Some((name, own.as_table()?, overlay.base.get(name).and_then(Value::as_table)?))
    });
    for (name, own, base) in sections {
        if OF_CLAUSES.contains(&name.as_str()) {
            for (member, own) in own {
                if let (Some(own), Some(base)) = (own.as_table(), base.get(member).and_then(Value::as_table))
                {
                    clause(&format!("{name}.{}", member.escape_debug()), own, base, overlay, &mut found);
                }
            }
        } else {
            clause(name, own, base, overlay, &mut found);
        }
    }
    found
}

fn clause(path: &str, own: &Table, base: &Table, overlay: &Overlay, found: &mut Vec<Finding>) {
    let cited = cited(base);
    let says_otherwise = |key: &&str| rewords(overlay, key);
    let cites_own = match own.get("cite") {
        Some(_) => self::cited(own).iter().any(|key| !cited.contains(key) || says_otherwise(key)),
        None => cited.iter().any(says_otherwise),
    };
    // Where the base cites nothing, nothing is cited wrongly; a clause that cites nothing is another finding.
    let still = if own.contains_key("cite") { self::cited(own) } else { cited.clone() };
    if cites_own || still.is_empty() {
        return;
    }
    let name: String = overlay.base_name.chars().take(80).collect();
    let texts = still.iter().map(|key| format!("[{key}]")).collect::<Vec<_>>().join(", ");
    for (key, value) in own.iter().filter(|(key, _)| !NO_RULES.contains(&key.as_str())) {
        let Some(Change { key, here, there }) = changed(key, value, base.get(key)) else { continue };
        let there = match there {
            Some(there) => sentence!("it is {there}", "es {there}"),
            None => sentence!("it is not stated", "no consta"),
        };
        let sentence = sentence!(
            "is {here} and in {name} {there}, but it still cites {texts}: in `cite`, name the text that says so",
            "es {here} y en {name} {there}, pero sigue citando {texts}: nombre en `cite` el texto que lo dice";
            there
        );
        found.push(Finding::new(Code::CiteOfBase, format!("{path}.{key}"), sentence));
    }
}

/// A value that a file changes.
struct Change {
    /// Its key in the clause, dotted.
    key: String,
    /// The value as it is written.
    here: String,
    /// That of the base; none where the base does not state it.
    there: Option<String>,
}

/// The keys of the texts that a clause cites.
fn cited(clause: &Table) -> Vec<&str> {
    clause.get("cite").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether the file gives a text of its own under the key of one of the base's.
fn rewords(overlay: &Overlay, key: &str) -> bool {
    let citation = |table: &Table| table.get("citations")?.as_table()?.get(key).cloned();
    let (own, base) = (citation(&overlay.own), citation(&overlay.base));
    own.is_some_and(|own| base != Some(own))
}

/// The first value below a key that differs from the base's.
fn changed(key: &str, own: &Value, base: Option<&Value>) -> Option<Change> {
    match (own, base) {
        (Value::Table(own), Some(Value::Table(base))) => own.iter().find_map(|(member, value)| {
            let change = changed(member, value, base.get(member))?;
            Some(Change { key: format!("{key}.{}", change.key), ..change })
        }),
        // What is not stated is no.
        (Value::Boolean(false), None) => None,
        (own, None) => Some(Change { key: key.to_owned(), here: short(&brief(own)), there: None }),
        (own, Some(base)) if own == base => None,
        (own, Some(base)) => {
            let (mut here, mut there) = (brief(own), brief(base));
            if here == there {
                (here, there) = (own.to_string(), base.to_string());
            }
            Some(Change { key: key.to_owned(), here: short(&here), there: Some(short(&there)) })
        }
    }
}

/// A value as it is written in a file; a list of rows, which would be long, as what its rows pay.
fn brief(value: &Value) -> String {
    let rows = value.as_array().filter(|rows| !rows.is_empty() && rows.iter().all(Value::is_table));
    match rows {
        Some(rows) => {
            let pays = rows.iter().filter_map(|row| row.get("pays")?.as_str());
            pays.collect::<Vec<_>>().join(", ")
        }
        None => value.to_string().trim_matches('"').to_owned(),
    }
}

/// A value in backticks, cut where it is long.
fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}
