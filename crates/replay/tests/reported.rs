//! Scenarios whose whole result is compared: the sequence and coup of each finding and the money it moved at each
//! seat. Each of them notices a mutant of the judge that no call sheet noticed (docs/mutants.md).
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use crate::call_sheet::{self, Outcome};

/// The result of a scenario as the files write it, one line per finding: `= 8 payout-under coup 1 2=-500`. The result
/// of the shoes is added where the file asks for it.
fn reported(outcome: &Outcome, of_shoes: bool) -> Vec<String> {
    let findings = outcome.judgement.findings.iter().map(|found| {
        let coup = found.coup.map_or(String::new(), |coup| format!(" coup {coup}"));
        let money = found.money.iter().map(|money| format!(" {}={}", money.seat, money.minor_units));
        format!("= {} {}{coup}{}", found.sequence, found.code, money.collect::<String>())
    });
    let shoes = outcome.judgement.summary.shoes;
    let shoes = format!(
        "= shoes {} certified, {} violated, {} undecided",
        shoes.certified, shoes.violated, shoes.undecided
    );
    findings.chain([format!("= {}", outcome.verdict)]).chain(of_shoes.then_some(shoes)).collect()
}

#[test]
fn every_scenario_reports_the_lines_below_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reported");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let (mut judged, mut wrong) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for block in format!("\n{text}").split("\n== ").skip(1) {
            let (expected, lines): (Vec<&str>, Vec<&str>) =
                block.lines().partition(|line| line.starts_with("= "));
            let of_shoes = expected.iter().any(|line| line.starts_with("= shoes"));
            let reported =
                reported(&call_sheet::scenarios(&format!("== {}", lines.join("\n")))[0].run(), of_shoes);
            judged += 1;
            if reported != expected {
                wrong.push(format!("{}: {}\n{}", file.display(), lines[0], reported.join("\n")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(judged > 10, "{judged} scenarios");
}
