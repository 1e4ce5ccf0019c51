//! What was ruled on a coup and corrected in it is shown where the coup is shown: in the terminal, in JSON, and on its page.
#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::command::{TestFolder, fixture};
use crate::desk::{Pages, ingested};

/// Records in which a coup of PB-01 is declared void, ruled upon, or corrected: in time, and too late.
const RECORDS: [(&str, &str); 7] = [
    ("faults/void-stake-kept.ndjson", "29"),
    ("faults/ruling-ignored.ndjson", "29"),
    ("faults/bet-corrected.ndjson", "29"),
    ("faults/hand-corrected.ndjson", "29"),
    ("faults/correction-pays.ndjson", "26"),
    ("faults/decision-corrected.ndjson", "32"),
    ("formats/minor-2.ndjson", "1"),
];

fn show(folder: &TestFolder, (record, coup): (&str, &str), more: &[&str]) -> String {
    let coup = ["show", "coup", record, "--table", "PB-01", "--coup", coup];
    let output = folder.run(&[&coup[..], more].concat());
    String::from_utf8(output.stdout).unwrap()
}

/// The lines below the heading of rulings, up to the next empty line.
fn ruled<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    lines.map(str::trim).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn a_coup_is_shown_with_what_was_ruled_on_it_and_corrected_in_it() {
    let folder = TestFolder::new();
    let mut all = String::new();
    for (record, coup) in RECORDS {
        let file = fixture(record);
        let view: Value = serde_json::from_str(&show(&folder, (&file, coup), &["--json"])).unwrap();
        let rulings = view["rulings"].as_array().unwrap();
        for (language, heading) in [("en", "Ruled and corrected"), ("es", "Resoluciones y correcciones")] {
            let text = show(&folder, (&file, coup), &["--lang", language]);
            let lines = ruled(&text, heading);
            assert_eq!(lines.len(), rulings.len(), "{record}: {text}");
            for (line, ruling) in lines.iter().zip(rulings) {
                let signed = ruling["signed_by"].as_array().unwrap().iter().chain([&ruling["text"]]);
                for said in signed.map(|said| said.as_str().unwrap()) {
                    assert!(line.contains(said), "{record}: {said} is not in {line}");
                }
            }
            all.push_str(&format!("{record} {language}\n{}\n\n", lines.join("\n")));
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn the_page_of_a_coup_says_who_declared_it_void_and_why() {
    let folder = TestFolder::new();
    ingested(&folder, &fixture(RECORDS[0].0));
    let pages = Pages::of(&folder, "log");
    let view: Value = serde_json::from_str(&show(&folder, ("log", RECORDS[0].1), &["--json"])).unwrap();
    let shoe = view["shoe"].as_str().unwrap();
    let page = pages.page(&format!("/desk/coup?table=PB-01&shoe={shoe}&coup=29"));
    for said in ["Ruled and corrected", "declared void by", "inspector-1", "manager-1", "stuck cards"] {
        assert!(page.contains(said), "{said} is not in {page}");
    }
}
