//! Reports the keys that a draft lacks and fills them in, so that the rest of the draft can be checked.
//!
//! No finding is based on a filled-in value: later checks leave out whatever depends on one.

use toml::{Table, Value};

use super::{Code, Finding};
use crate::rulebook::holes::{Unstated, holes, is_hole};
use crate::rulebook::usual_points;
use crate::sentence::{Sentence, sentence};

/// A rulebook of the draft's game with every key that must be there.
pub(super) fn whole(draft: &Table) -> Table {
    let mut whole: Table = toml::from_str(include_str!("whole.toml")).unwrap_or_default();
    if draft.contains_key("chemin") {
        if let Some(bets) = whole.get_mut("bets").and_then(Value::as_table_mut) {
            bets.clear();
        }
        let chemin: Table = toml::from_str(include_str!("whole_chemin.toml")).unwrap_or_default();
        for (section, members) in chemin {
            whole.insert(section, members);
        }
    }
    whole
}

/// Keys that must be there in a section that need not be there itself, with something to fill in.
fn needed_in(path: &[&str]) -> Option<Table> {
    let text = match path {
        ["commission"] => "rate = '1/100'\ncharge = 'collected'\nrounding = { mode = 'down', unit = 1 }",
        ["bets", _] => "title = 'Bet'\nrows = [{ pays = 'lose' }]",
        ["bets", _, "rows", _] => "pays = 'lose'",
        ["citations", _] => "source = '-'",
        ["irregularities", _] => "consequence = 'ruling'",
        ["forbidden-pairs", _] => "bets = ['punto', 'banca']",
        ["chemin", "abonos"] => "most = 1",
        ["card-values" | "naturals" | "betting" | "settlement"] => "cite = []",
        _ => return None,
    };
    toml::from_str(text).ok()
}

/// A filler for a section until its own keys are read.
pub(super) fn placeholder(path: &[&str]) -> Table {
    needed_in(path).unwrap_or_default()
}

/// Reports every `?` and every missing key, and fills them in.
pub(super) fn fill(draft: &mut Table, found: &mut Vec<Finding>) {
    for hole in holes(draft) {
        let code = match hole.unstated {
            Unstated::Cell => Code::CellNotStated,
            Unstated::CardValue => Code::CardValueNotStated,
            Unstated::BurnValue => Code::BurnValueNotStated,
            Unstated::Value => Code::NotStated,
        };
        let Sentence { english, spanish } = hole.problem();
        let sentence = sentence!(
            "{english}; say it, with the text it follows",
            "{spanish}; dígalo, con el texto que sigue"
        );
        found.push(Finding::new(code, hole.key, sentence));
    }
    stop_holes(draft);
    draft.retain(|_, value| !is_hole(value));
    for value in draft.iter_mut().map(|(_, value)| value) {
        take_holes_out(value);
    }
    let model = whole(draft);
    needed(&mut Vec::new(), draft, &model, found);
    optional_sections(draft, found);
}

/// Fills the gaps of values that are given cell by cell or rank by rank.
fn stop_holes(draft: &mut Table) {
    let tableau = draft.get_mut("tableau").and_then(Value::as_table_mut);
    for (_, value) in tableau.into_iter().flatten() {
        if let Value::Array(rows) = value {
            rows.iter_mut().for_each(|row| stop_cells(row, 11));
        } else {
            stop_cells(value, 8);
        }
    }
    let values = draft.get_mut("card-values").and_then(Value::as_table_mut);
    if let Some(Value::String(points)) = values.and_then(|values| values.get_mut("points")) {
        let with_usual = |(mark, usual)| if mark == '?' { usual } else { mark };
        if points.chars().count() == usual_points().len() {
            *points = points.chars().zip(usual_points().chars()).map(with_usual).collect();
        }
    }
    let burn = draft.get_mut("burn").and_then(Value::as_table_mut);
    if let Some(Value::Array(values)) = burn.and_then(|burn| burn.get_mut("values")) {
        values.iter_mut().filter(|value| is_hole(value)).for_each(|value| *value = Value::Integer(1));
    }
}

/// Stands where a cell is not stated, in the whole row where the row is not.
fn stop_cells(row: &mut Value, cells: usize) {
    let whole = is_hole(row);
    if let Value::String(text) = row {
        *text = if whole { "P".repeat(cells) } else { text.replace('?', "P") };
    }
}

/// Removes keys that are `?`, and lists that hold one.
fn take_holes_out(value: &mut Value) {
    match value {
        Value::Table(members) => {
            let holed = |value: &Value| {
                is_hole(value) || value.as_array().is_some_and(|values| values.iter().any(is_hole))
            };
            members.retain(|_, value| !holed(value));
            members.iter_mut().for_each(|(_, value)| take_holes_out(value));
        }
        Value::Array(values) => values.iter_mut().for_each(take_holes_out),
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
}

/// Reports the keys of `model` that `given` lacks, and fills them in. A key that was reported already, because it
/// was `?`, is not reported again.
fn needed(path: &mut Vec<String>, given: &mut Table, model: &Table, found: &mut Vec<Finding>) {
    for (key, value) in model {
        path.push(key.clone());
        match (given.get_mut(key), value) {
            (None, _) => {
                let dotted = path.join(".");
                if !found.iter().any(|finding| finding.touches(&dotted)) {
                    found.push(Finding::new(Code::Missing, dotted, missing(value)));
                }
                given.insert(key.clone(), value.clone());
            }
            (Some(Value::Table(given)), Value::Table(model)) => needed(path, given, model, found),
            (Some(_), _) => {}
        }
        path.pop();
    }
}

fn missing(value: &Value) -> Sentence {
    let (what, cual) = if value.is_table() { ("clause", "cláusula") } else { ("key", "clave") };
    sentence!(
        "is missing; every rulebook has this {what}: say it, or put `?` where the source is silent",
        "falta; todo reglamento tiene esta {cual}: dígala, o ponga `?` si la fuente calla"
    )
}

/// The same for sections that need not be there, and the members of lists and maps.
fn optional_sections(draft: &mut Table, found: &mut Vec<Finding>) {
    for section in ["commission", "card-values", "naturals", "betting", "settlement"] {
        if let Some(given) = draft.get_mut(section).and_then(Value::as_table_mut) {
            needed(&mut vec![section.to_owned()], given, &placeholder(&[section]), found);
        }
    }
    let chemin = draft.get_mut("chemin").and_then(Value::as_table_mut);
    if let Some(abonos) = chemin.and_then(|chemin| chemin.get_mut("abonos")).and_then(Value::as_table_mut) {
        let path = ["chemin", "abonos"];
        needed(&mut path.map(str::to_owned).to_vec(), abonos, &placeholder(&path), found);
    }
    for section in ["citations", "irregularities", "bets"] {
        let members = draft.get_mut(section).and_then(Value::as_table_mut);
        for (name, member) in members.into_iter().flatten() {
            let Some(member) = member.as_table_mut() else { continue };
            let mut path = vec![section.to_owned(), name.escape_debug().to_string()];
            needed(&mut path, member, &placeholder(&[section, name]), found);
            if section == "bets" {
                let key = format!("{}.rows", path.join("."));
                each_needed(&key, member.get_mut("rows"), &placeholder(&["bets", name, "rows", "0"]), found);
            }
        }
    }
    let pair = placeholder(&["forbidden-pairs", "0"]);
    each_needed("forbidden-pairs", draft.get_mut("forbidden-pairs"), &pair, found);
}

fn each_needed(key: &str, list: Option<&mut Value>, model: &Table, found: &mut Vec<Finding>) {
    for (index, member) in list.and_then(Value::as_array_mut).into_iter().flatten().enumerate() {
        if let Some(member) = member.as_table_mut() {
            needed(&mut vec![format!("{key}[{index}]")], member, model, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rulebook;

    /// Every key of the table, dotted, sections included.
    fn keys(path: &str, table: &Table) -> Vec<String> {
        let mut found = Vec::new();
        for (key, value) in table {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            if let Some(members) = value.as_table() {
                found.extend(keys(&path, members));
            }
            found.push(path);
        }
        found
    }

    fn without(table: &Table, path: &str) -> Table {
        let mut table = table.clone();
        match path.split_once('.') {
            None => {
                table.remove(path);
            }
            Some((section, rest)) => {
                if let Some(Value::Table(members)) = table.get_mut(section) {
                    *members = without(members, rest);
                }
            }
        }
        table
    }

    fn refused(table: Table) -> bool {
        table.try_into::<Rulebook>().map_or(true, |rulebook| !rulebook.faults().is_empty())
    }

    #[test]
    fn the_whole_rulebook_holds_every_key_that_must_be_there_and_no_other() {
        let chemin = Table::from_iter([("chemin".to_owned(), Value::Table(Table::new()))]);
        for whole in [whole(&Table::new()), whole(&chemin)] {
            each_key_is_needed(&whole);
        }
    }

    fn each_key_is_needed(whole: &Table) {
        assert!(!refused(whole.clone()), "the whole rulebook is one");
        // Without [chemin] it is a draft of the other game.
        for key in keys("", whole).into_iter().filter(|key| key != "chemin") {
            let wanting = without(whole, &key);
            assert!(refused(wanting.clone()), "{key} need not be there");
            let (mut filled, mut found) = (wanting, Vec::new());
            fill(&mut filled, &mut found);
            assert_eq!(found.len(), 1, "{key}: {found:?}");
            assert_eq!((found[0].code, found[0].key.as_str()), (Code::Missing, key.as_str()));
            assert!(!refused(filled), "{key}");
        }
    }
}
