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

/// What follows from a wrong account of the shoe before names the entry of that account.
#[test]
fn a_cause_in_the_shoe_before_has_its_entry() {
    let sheet = "== one\nchemin\ntake 1 20000 player=p1\nbet 1 seat 2 punto 20000\nclosed\ncards P:2D B:9C P:KD B:KS\n\
        bank won=20000 c=1000 bank=39100\nsettle banca 2-9 1=0\nend 308\nshoe\npass 1 39000 shoe-end player=p1\n";
    let findings = call_sheet::scenarios(sheet)[0].judged(Judge::by_stages).judgement.findings;
    let causes = findings.into_iter().filter_map(|finding| finding.cause);
    // Each event is an entry.
    assert_eq!(causes.map(|cause| (cause.entry, cause.sequence)).collect::<Vec<_>>(), [(15, 16)]);
}
