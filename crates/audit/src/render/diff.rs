//! What differs between two rulebooks, for people and as JSON.

use baccarat::diff::Difference;
use baccarat::{Rulebook, Sentence};
use serde::Serialize;

use crate::language::texts;

pub(crate) fn diff([one, other]: [&str; 2], found: &[Difference]) -> String {
    if found.is_empty() {
        return format!("{}\n", texts().rulebooks_same(one, other));
    }
    let mut text = format!("{}\n", texts().differences(found.len() as u64, one, other));
    let (sources, rules): (Vec<_>, Vec<_>) = found.iter().partition(|found| found.is_about_sources());
    for (heading, differences) in [(texts().in_the_rules(), rules), (texts().in_sources_only(), sources)] {
        if !differences.is_empty() {
            text.push_str(&format!("\n{heading}\n"));
        }
        for difference in differences {
            let Sentence { english, spanish } = &difference.sentence;
            text.push_str(&format!("  {}\n", texts().language().of(english, spanish)));
        }
    }
    text
}

#[derive(Serialize)]
struct DiffView<'r> {
    one: Side<'r>,
    other: Side<'r>,
    same: bool,
    differences: Vec<DifferenceView<'r>>,
}

#[derive(Serialize)]
struct Side<'r> {
    rulebook: &'r str,
    digest: String,
}

#[derive(Serialize)]
struct DifferenceView<'r> {
    key: String,
    /// A step a key, for keys that hold dots.
    path: &'r [String],
    one: &'r Option<serde_json::Value>,
    other: &'r Option<serde_json::Value>,
    /// Whether only names and sources differ, not what a table is judged by.
    sources_only: bool,
    sentence: &'r str,
}

pub(crate) fn diff_json<'r>(
    names: [&'r str; 2],
    [one, other]: [&Rulebook; 2],
    found: &'r [Difference],
) -> impl Serialize + use<'r> {
    let side =
        |name: &'r str, rulebook: &Rulebook| Side { rulebook: name, digest: rulebook.digest().to_string() };
    let view = |difference: &'r Difference| DifferenceView {
        key: difference.key(),
        path: &difference.path,
        one: &difference.one,
        other: &difference.other,
        sources_only: difference.is_about_sources(),
        sentence: &difference.sentence.english,
    };
    DiffView {
        one: side(names[0], one),
        other: side(names[1], other),
        same: found.is_empty(),
        differences: found.iter().map(view).collect(),
    }
}
