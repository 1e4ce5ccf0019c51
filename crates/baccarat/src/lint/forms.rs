//! Reads a draft key by key, so that one value of the wrong form does not hide the next.

use toml::{Table, Value};

use super::filling::{placeholder, whole};
use super::{Code, Finding};
use crate::Rulebook;
use crate::rulebook::form::misfits;
use crate::sentence::sentence;

/// Most values of the wrong form that are reported one by one.
const MOST_LISTED: usize = 64;

/// Reads the draft into a rulebook. Values that cannot be read are reported and replaced by fillers.
pub(super) fn read(draft: &Table, found: &mut Vec<Finding>) -> Option<Rulebook> {
    if let Ok(rulebook) = draft.clone().try_into::<Rulebook>() {
        return Some(rulebook);
    }
    let found_before = found.len();
    for misfit in misfits(draft) {
        if !found.iter().take(found_before).any(|finding| finding.touches(&misfit.key)) {
            found.push(Finding::new(Code::NotAllowed, misfit.key, misfit.sentence));
        }
    }
    if found.len() - found_before > MOST_LISTED {
        found.truncate(found_before + MOST_LISTED);
        let more = sentence!(
            "has more values of the wrong form than are listed here; correct these first",
            "tiene más valores de forma equivocada de los que se enumeran aquí; corrija antes estos"
        );
        found.push(Finding::new(Code::NotAllowed, "rulebook", more));
        return None;
    }
    let mut reading = Reading { good: whole(draft), found, unread: 0 };
    for (key, value) in draft {
        reading.take(&[key], value);
    }
    let Reading { good, .. } = reading;
    good.try_into().ok()
}

struct Reading<'f> {
    /// The values read so far; always a valid rulebook.
    good: Table,
    found: &'f mut Vec<Finding>,
    /// How many values were found that cannot be read.
    unread: usize,
}

impl Reading<'_> {
    /// Takes a value; where it cannot be read, takes its members one by one.
    fn take(&mut self, path: &[&str], value: &Value) {
        let before = self.good.clone();
        if self.try_at(path, value.clone()) {
            return;
        }
        let before_members = self.unread;
        match value {
            // Its keys only make sense together.
            Value::Table(_) if path == ["burn"] => {}
            Value::Table(members) => self.take_members(path, members),
            Value::Array(values) if values.iter().all(Value::is_table) => self.take_each(path, values),
            Value::Array(_)
            | Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_) => {}
        }
        if self.unread == before_members {
            self.good = before;
            self.report(path);
        }
    }

    fn take_members(&mut self, path: &[&str], members: &Table) {
        if lookup(&self.good, path).is_none_or(|current| !current.is_table())
            && !self.try_at(path, Value::Table(placeholder(path)))
        {
            return;
        }
        for (key, member) in members {
            self.take(&[path, &[key.as_str()]].concat(), member);
        }
    }

    /// Takes the tables of a list one after the other.
    fn take_each(&mut self, path: &[&str], values: &[Value]) {
        for (index, value) in values.iter().enumerate() {
            let filler = Value::Table(placeholder(&[path, &["0"]].concat()));
            let mut list = vec![filler; index + 1];
            if let Some(Value::Array(current)) = lookup(&self.good, path) {
                list.iter_mut().zip(current).take(index).for_each(|(to, from)| to.clone_from(from));
            }
            if self.try_at(path, Value::Array(list)) {
                self.take(&[path, &[index.to_string().as_str()]].concat(), value);
            }
        }
    }

    /// Sets a value if the result can be read as a rulebook, and says whether it can.
    fn try_at(&mut self, path: &[&str], value: Value) -> bool {
        let mut tried = self.good.clone();
        put(&mut tried, path, value);
        let legible = tried.clone().try_into::<Rulebook>().is_ok();
        if legible {
            self.good = tried;
        }
        legible
    }

    /// Reports a value that cannot be read, if nothing is said about it yet.
    fn report(&mut self, path: &[&str]) {
        self.unread += 1;
        let key = dotted(path);
        if !self.found.iter().any(|finding| finding.touches(&key)) {
            let sentence = sentence!(
                "cannot be read here; docs/rulebooks.md says what may stand there",
                "no se puede leer aquí; docs/reglamentos.md dice lo que puede ir ahí"
            );
            self.found.push(Finding::new(Code::NotAllowed, key, sentence));
        }
    }
}

fn lookup<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(table.get(*first)?, |value, step| match value {
        Value::Table(members) => members.get(*step),
        Value::Array(values) => values.get(step.parse::<usize>().ok()?),
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
            None
        }
    })
}

/// Puts a value at a path whose sections are there.
fn put(table: &mut Table, path: &[&str], value: Value) {
    let Some((last, sections)) = path.split_last() else { return };
    let Some((first, between)) = sections.split_first() else {
        table.insert((*last).to_owned(), value);
        return;
    };
    let mut target = table.get_mut(*first);
    for step in between {
        target = target.and_then(|value| step_into(value, step));
    }
    match target {
        Some(Value::Table(members)) => {
            members.insert((*last).to_owned(), value);
        }
        Some(Value::Array(values)) => {
            if let Some(current) = last.parse::<usize>().ok().and_then(|at| values.get_mut(at)) {
                *current = value;
            }
        }
        Some(Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_))
        | Some(Value::Datetime(_))
        | None => {}
    }
}

fn step_into<'t>(value: &'t mut Value, step: &str) -> Option<&'t mut Value> {
    match value {
        Value::Table(members) => members.get_mut(step),
        Value::Array(values) => values.get_mut(step.parse::<usize>().ok()?),
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
            None
        }
    }
}

/// `bets.tie.rows[0].pays` for the steps to it.
fn dotted(path: &[&str]) -> String {
    let mut text = String::new();
    for step in path {
        // Only an index can follow a list. Our keys are never numbers, except those of citations and
        // bets, which are written by name.
        let is_index = step.bytes().all(|byte| byte.is_ascii_digit()) && follows_list(&text);
        match is_index {
            true => text.push_str(&format!("[{step}]")),
            false if text.is_empty() => text.push_str(&step.escape_debug().to_string()),
            false => text.push_str(&format!(".{}", step.escape_debug())),
        }
    }
    text
}

fn follows_list(text: &str) -> bool {
    text == "forbidden-pairs" || text.ends_with(".rows")
}
