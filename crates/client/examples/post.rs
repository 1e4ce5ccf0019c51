//! Posts a file of events, a JSON object a line, checks the receipts and prints them:
//! `cargo run -p client --example post -- http://127.0.0.1:7370 PB-01 events.ndjson`
#![allow(clippy::print_stdout, reason = "it is what the example does")]

use std::error::Error;

use client::{Client, Options, Receipt, check};

/// Posts the events of one table; gives the receipts, which are to be kept.
pub fn post(base: &str, table: &str, events: &str) -> Result<Vec<Receipt>, Box<dyn Error>> {
    let token = std::env::var("AUDIT_TOKEN").ok();
    let client = Client::new(base, Options { token, ..Options::default() })?;
    let key = client.key()?; // get it from the log's keeper as well, and compare
    let mut receipts = Vec::new();
    for lines in events.lines().collect::<Vec<_>>().chunks(256) {
        let posted = client.post(table, lines)?; // tries again until there is an answer
        for receipt in &posted.receipts {
            check(receipt, &key, None)?; // asks nobody
        }
        receipts.extend(posted.receipts);
    }
    Ok(receipts)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base, table, file] = arguments.as_slice() else { return Err("give URL TABLE FILE".into()) };
    for receipt in post(base, table, &std::fs::read_to_string(file)?)? {
        println!("{} {} {} {}", receipt.index, receipt.digest, receipt.first, receipt.count);
    }
    Ok(())
}
