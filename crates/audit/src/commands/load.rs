//! `audit load`: simulated tables post to a service, and every receipt is checked against its log.

use std::time::Duration;

use client::{Client, Options};
use load::{Checked, Complaint, Driven, LoadError, Plan};
use serde_json::{Value, json};

use crate::cli::Load;
use crate::errors::{said, said_text};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{rulebook, verifier_key};
use crate::shown::plain;
use crate::{output, progress, render, served};

pub(crate) fn run(ask: &Load) -> Result<Exit, Failure> {
    let plan = plan(ask)?;
    let patience = Duration::from_secs(u64::from(ask.patience));
    let options = Options { patience, ..served::options(&ask.url, &ask.ask_as)? };
    let client = Client::new(&ask.url, options.clone()).map_err(|error| Failure::usage(said(&error)))?;
    let key = match &ask.key {
        Some(given) => verifier_key(given)?,
        None => client.key().map_err(Failure::of_reading)?,
    };
    let bar = progress::counter(texts().counting_events_acknowledged());
    let driven = load::drive(&plan, &ask.url, &options, &|events| bar.inc(events)).map_err(failed)?;
    bar.set_message(texts().counting_while_checking());
    let checked = load::check(&driven, &client, &key).map_err(failed)?;
    bar.finish_and_clear();
    if ask.json {
        output::print_json(&as_json(&plan, &driven, &checked))?;
    } else {
        output::print(&format!("{}\n{}", load_table(&driven), check_table(&driven, &checked)))?;
    }
    Ok(exit(&driven, &checked))
}

fn plan(ask: &Load) -> Result<Plan, Failure> {
    Ok(Plan {
        rulebook: rulebook(&ask.rulebook)?,
        tables: ask.tables.unwrap_or(ask.connections),
        connections: ask.connections,
        shoes: ask.shoes,
        batch: ask.batch,
        rate: ask.rate.0,
        time: Duration::from_secs(u64::from(ask.seconds)),
        disconnect: ask.disconnect,
        seed: ask.seed,
        // Tenths of a second: two runs begin further apart than that.
        run: u64::try_from(intake::clock::now() / 100_000).unwrap_or_default(),
    })
}

fn failed(error: LoadError) -> Failure {
    match error {
        LoadError::Plan(why) => Failure::usage(said_text(&why)),
        LoadError::OwnFault(message) => Failure { exit: Exit::OwnFault, message },
        error @ (LoadError::Client(_) | LoadError::Log(_)) => Failure::of_reading(error),
    }
}

/// Broken receipts weigh as a broken seal; posts without an answer leave something open.
fn exit(driven: &Driven, checked: &Checked) -> Exit {
    if !checked.holds() || driven.conflicts() > 0 || driven.uncovered() > 0 {
        Exit::Seal
    } else if driven.given_up() > 0 {
        Exit::Open
    } else {
        Exit::Good
    }
}

fn load_table(driven: &Driven) -> String {
    let millis = |micros: u64| format!("{}.{:02}", micros / 1_000, micros % 1_000 / 10);
    let times = driven.latency();
    let a_second = |count| texts().per_second(driven.a_second(count));
    let mut rows = vec![
        [texts().posts(), driven.posts().to_string(), a_second(driven.posts())],
        [texts().posted_events(), driven.events().to_string(), a_second(driven.events())],
    ];
    for (name, micros) in [
        ("p50", times.p50),
        ("p90", times.p90),
        ("p99", times.p99),
        ("p99.9", times.p999),
        ("max", times.max),
    ] {
        rows.push([texts().response_time(name), millis(micros), "ms".to_owned()]);
    }
    let mut note = |name: String, count: u64| rows.push([name, count.to_string(), String::new()]);
    note(texts().connections_dropped(), driven.disconnected());
    driven.tried_again().iter().for_each(|(kind, count)| note(texts().repeated_posts(kind), *count));
    note(texts().given_up(), driven.given_up());
    if driven.conflicts() + driven.uncovered() > 0 {
        note(texts().answered_as_conflict(), driven.conflicts());
        note(texts().answered_without_receipts(), driven.uncovered());
    }
    render::table([texts().load_heading(), String::new(), String::new()], rows)
}

fn check_table(driven: &Driven, checked: &Checked) -> String {
    let verdict = |good: bool| if good { texts().yes() } else { texts().no_in_capitals() };
    let missing = |held: u64, broken: u64| {
        if broken == 0 { texts().all_of_them(held) } else { texts().some_do_not(broken, held + broken) }
    };
    let events = match (checked.events_missing, checked.events_wrong) {
        (0, 0) => texts().all_of_them(checked.events_held),
        (lost, wrong) => texts().lost_or_wrong(lost, wrong, driven.events()),
    };
    let rows = vec![
        [texts().served_log_intact(), verdict(checked.intact)],
        [texts().receipts_agree(), missing(checked.receipts_held, checked.receipts_broken)],
        [texts().proofs_verify(), missing(checked.proofs_held, checked.proofs_broken)],
        [texts().events_once(), events],
    ];
    let mut text = render::table([texts().check_afterwards(), String::new()], rows);
    for complaint in &checked.complaints {
        text.push_str(&format!("{}\n", plain(&complained(complaint))));
    }
    if checked.more_complaints() > 0 {
        text.push_str(&texts().and_more_of_them(checked.more_complaints()));
    }
    text
}

/// A complaint in the language of the process; with `--json` that is English.
fn complained(complaint: &Complaint) -> String {
    match complaint {
        Complaint::Seal(fault) => texts().load_seal(render::seal_fault(fault.index, &fault.detail)),
        Complaint::Proof { index, why } => texts().load_proof(index, said(why)),
        Complaint::OtherEntry { index, digest } => texts().load_other_entry(index, digest),
        Complaint::EntryMissing(index) => texts().load_entry_missing(index),
        Complaint::OtherEvents { index, table, count, first, due } => {
            texts().load_other_events(index, texts().events(*count), table, first, due)
        }
        Complaint::EventsMissing { table, up_to, acknowledged } => {
            texts().load_events_missing(table, up_to, acknowledged)
        }
        Complaint::EventsAdded { table, up_to, posted } => texts().load_events_added(table, up_to, posted),
    }
}

fn as_json(plan: &Plan, driven: &Driven, checked: &Checked) -> Value {
    let times = driven.latency();
    json!({
        "plan": {
            "tables": plan.tables,
            "connections": plan.connections,
            "batch": plan.batch.to_string(),
            "rate": plan.rate,
            "seconds": plan.time.as_secs(),
            "disconnect": plan.disconnect,
        },
        "load": {
            "milliseconds": driven.took.as_millis(),
            "posts": driven.posts(),
            "events": driven.events(),
            "posts_a_second": driven.a_second(driven.posts()),
            "events_a_second": driven.a_second(driven.events()),
            "answered_microseconds": {
                "p50": times.p50,
                "p90": times.p90,
                "p99": times.p99,
                "p99.9": times.p999,
                "max": times.max,
            },
            "connections_dropped": driven.disconnected(),
            "tried_again": driven.tried_again(),
            "given_up": driven.given_up(),
            "conflicts": driven.conflicts(),
            "without_receipts_for_all": driven.uncovered(),
        },
        "afterwards": {
            "intact": checked.intact,
            "entries": checked.entries,
            "receipts": { "held": checked.receipts_held, "broken": checked.receipts_broken },
            "proofs": { "held": checked.proofs_held, "broken": checked.proofs_broken },
            "events": {
                "held": checked.events_held,
                "missing": checked.events_missing,
                "wrong": checked.events_wrong,
            },
            "complaints": checked.complaints.iter().map(complained).collect::<Vec<_>>(),
            "more_complaints": checked.more_complaints(),
        },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_wrong_with_a_load_is_said_as_a_sentence() {
        let digest = sealed_log::entry::Digest::ZERO;
        let table = || "L-1".to_owned();
        let fault = sealed_log::reader::SealFault {
            index: Some(3),
            chain: None,
            kind: sealed_log::reader::FaultKind::Missing,
            detail: sealed_log::reader::FaultDetail::FarBeyond,
        };
        let seal = format!("the seal: {fault}");
        let why = client::ReceiptError::OtherIndex { claimed: 1, proven: 2 };
        let proof = format!("the proof of entry 1 does not hold: {why}");
        for (complaint, english) in [
            (Complaint::Seal(fault), seal),
            (Complaint::Proof { index: 1, why }, proof),
            (
                Complaint::OtherEntry { index: 1, digest },
                format!("entry 1 is not what its receipt says ({digest})"),
            ),
            (Complaint::EntryMissing(1), "entry 1 was acknowledged and is not in the log".to_owned()),
            (
                Complaint::OtherEvents { index: 1, table: table(), count: 2, first: 7, due: 5 },
                "entry 1 holds 2 events of table L-1 from 7 that are not those posted, or not once and in their order: 5 \
                 was due"
                    .to_owned(),
            ),
            (
                Complaint::EventsMissing { table: table(), up_to: 3, acknowledged: 4 },
                "table L-1 ends with event 3; 4 were acknowledged".to_owned(),
            ),
            (
                Complaint::EventsAdded { table: table(), up_to: 5, posted: 4 },
                "table L-1 has 5 events; 4 were posted".to_owned(),
            ),
        ] {
            assert_eq!(complained(&complaint), english);
        }
    }
}
