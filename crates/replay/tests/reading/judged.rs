//! The call sheets, judged by the stages.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use replay::Judge;

use crate::call_sheet;
use crate::reported::{difference, scenarios};
use crate::sheets::{differences, sheets};

/// Scenarios of which the stages do not say what their sheet says, by file and title, below the reasons why.
fn known() -> BTreeSet<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reading/differs.txt");
    let text = fs::read_to_string(file).unwrap();
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// Each scenario that is not listed comes to what it says, and each that is listed does not.
#[test]
fn the_stages_say_what_the_sheets_say() {
    let (mut judged, mut differ) = (0, Vec::new());
    for (file, text) in sheets() {
        for scenario in call_sheet::scenarios(&text) {
            judged += 1;
            let all = differences(&scenario.judged(Judge::by_stages));
            if !all.is_empty() {
                differ.push((format!("{file}.sheet: {}", scenario.title), all.join("\n")));
            }
        }
    }
    for (file, scenario, expected) in scenarios() {
        judged += 1;
        let differs = difference(&scenario.judged(Judge::by_stages), &expected);
        differ.extend(differs.map(|differs| (format!("reported/{file}: {}", scenario.title), differs)));
    }
    let known = known();
    eprintln!("{judged} judged, {} differ", differ.len());
    let names: BTreeSet<&str> = differ.iter().map(|(name, _)| name.as_str()).collect();
    let gone = known.iter().filter(|known| !names.contains(known.as_str()));
    let gone = gone.map(|name| format!("{name}\nis judged as it says now: take it off the list"));
    let new = differ.iter().filter(|(name, _)| !known.contains(name));
    let wrong: Vec<String> = gone.chain(new.map(|(name, differs)| format!("{name}\n{differs}"))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > 1_000, "{judged}");
}
