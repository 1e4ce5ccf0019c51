//! Prints the scenarios of a call sheet as recorded lines, each as a table of its own, so that both judges can be given them:
//!
//! ```sh
//! cargo run -q -p replay --example sheet payout-under > sheet.ndjson
//! cargo build -q -p replay --example judged && .ci/check_judge target/debug/examples/judged sheet.ndjson
//! ```
//!
//! What a line cannot say is left out: scenarios with entries that are withheld, and with events of a newer kind.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, missing_docs)]

use std::path::Path;

use events::{Body, Line};

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/call_sheet/mod.rs"]
mod call_sheet;

fn main() {
    let codes: Vec<String> = std::env::args().skip(1).collect();
    for code in &codes {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/sheets/{code}.sheet"));
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for (number, scenario) in (1..).zip(call_sheet::scenarios(&text)) {
            let events = scenario.events();
            let newer = events.iter().any(|(_, event)| matches!(event.body, Body::Unknown(_)));
            if scenario.withholds() || newer {
                eprintln!("{code}-{number} is left out: {}", scenario.title);
                continue;
            }
            eprintln!("{code}-{number}: {}", scenario.title);
            for (sequence, event) in events {
                let table = format!("{code}-{number}").parse().unwrap();
                let line = Line { table, sequence, occurred_at: event.occurred_at, event: event.body };
                println!("{}", line.to_json().unwrap());
            }
        }
    }
    if codes.is_empty() {
        eprintln!("give the codes of call sheets: cargo run -p replay --example sheet payout-under");
    }
}
