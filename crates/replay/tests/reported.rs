//! Scenarios whose whole result is compared: the sequence and coup of each finding and the money it moved at each
//! seat. Each of them notices a mutant of the judge that no call sheet noticed (docs/mutants.md).
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use crate::call_sheet::{self, Outcome, Scenario};

/// The result of a scenario as the files write it, one line per finding: `= 8 payout-under coup 1 2=-500`. The result
/// of the shoes is added where the file asks for it.
fn reported(outcome: &Outcome, of_shoes: bool) -> Vec<String> {
    let findings = outcome.judgement.findings.iter().map(|found| {
        let coup = found.coup.map_or(String::new(), |coup| format!(" coup {coup}"));
        let mut money: Vec<(u8, i64)> = found.money.iter().map(|of| (of.seat, of.minor_units)).collect();
        money.sort_unstable();
        let money = money.iter().map(|(seat, sum)| format!(" {seat}={sum}"));
        format!("= {} {}{coup}{}", found.sequence, found.code, money.collect::<String>())
    });
    let shoes = outcome.judgement.summary.shoes;
    let shoes = format!(
        "= shoes {} certified, {} violated, {} undecided",
        shoes.certified, shoes.violated, shoes.undecided
    );
    findings.chain([format!("= {}", outcome.verdict)]).chain(of_shoes.then_some(shoes)).collect()
}

/// Every scenario with its file, and the lines below it.
pub fn scenarios() -> Vec<(String, Scenario, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reported");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut scenarios = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for block in format!("\n{text}").split("\n== ").skip(1) {
            let (expected, lines): (Vec<&str>, Vec<&str>) =
                block.lines().partition(|line| line.starts_with("= "));
            let scenario = call_sheet::scenarios(&format!("== {}", lines.join("\n"))).remove(0);
            scenarios.push((name.clone(), scenario, expected.into_iter().map(str::to_owned).collect()));
        }
    }
    scenarios
}

/// What is reported of a scenario, if it is not what it says.
pub fn difference(outcome: &Outcome, expected: &[String]) -> Option<String> {
    let reported = reported(outcome, expected.iter().any(|line| line.starts_with("= shoes")));
    (reported != expected).then(|| reported.join("\n"))
}

#[test]
fn every_scenario_reports_the_lines_below_it() {
    let (mut judged, mut wrong) = (0, Vec::new());
    for (file, scenario, expected) in scenarios() {
        judged += 1;
        let differs = difference(&scenario.run(), &expected);
        wrong.extend(differs.map(|differs| format!("{file}: {}\n{differs}", scenario.title)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > 10, "{judged} scenarios");
}
