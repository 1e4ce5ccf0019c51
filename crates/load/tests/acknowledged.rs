//! Loads on a real service: what is acknowledged holds, and a log that lost something is found out.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::Read as _;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use client::{Client, Options};
use events::{Body, decode_payload};
use load::{Batch, Complaint, Driven, LoadError, Plan, check, drive};
use replay::{Entry, Judge, Judgement};
use sealed_log::archive::ArchiveSource;
use sealed_log::reader::{Expectations, LogReader};

use crate::serving::{Serving, vkey};

fn plan() -> Plan {
    Plan {
        rulebook: baccarat::builtin("mini-punto-banco").unwrap(),
        tables: 3,
        connections: 2,
        shoes: 1,
        batch: Batch::Coup,
        rate: None,
        time: Duration::from_millis(1_500),
        disconnect: 0,
        seed: 1,
        run: 7,
    }
}

fn drive_at(serving: &Serving, plan: &Plan) -> Driven {
    let reported = AtomicU64::new(0);
    let count = |events| {
        reported.fetch_add(events, Ordering::Relaxed);
    };
    let driven = drive(plan, &serving.url, &Options::default(), &count).unwrap();
    assert_eq!(reported.into_inner(), driven.events());
    driven
}

fn client(serving: &Serving) -> Client {
    Client::new(&serving.url, Options::default()).unwrap()
}

#[test]
fn every_receipt_of_an_honest_service_holds() {
    let serving = Serving::start();
    let batches = [Batch::Events(1), Batch::Events(256), Batch::Coup, Batch::Shoe];
    for (batch, run) in batches.into_iter().zip(10..) {
        let driven = drive_at(&serving, &Plan { batch, run, ..plan() });
        let checked = check(&driven, &client(&serving), &vkey()).unwrap();
        assert!(checked.holds(), "{batch}: {checked:#?}");
        assert!(driven.posts() > 2 && driven.receipts() > 0, "{batch}: {driven:?}");
        assert_eq!(checked.events_held, driven.events(), "{batch}");
        assert_eq!(checked.receipts_held, driven.receipts() as u64, "{batch}");
        assert!(checked.proofs_held > 0, "{batch}");
        let times = driven.latency();
        assert!(0 < times.p50 && times.p50 <= times.p90 && times.p99 <= times.p999, "{times:?}");
        assert_eq!((driven.given_up(), driven.conflicts(), driven.uncovered()), (0, 0, 0));
    }
}

/// What the served log comes to when it is judged, and how often each of its tables opened.
fn judged(serving: &Serving) -> (Judgement, BTreeMap<String, u64>) {
    let mut bytes = Vec::new();
    client(serving).archive().unwrap().read_to_end(&mut bytes).unwrap();
    let mut reader = LogReader::new(ArchiveSource::new(&bytes[..]).unwrap(), Expectations::default());
    let (mut judge, mut openings) = (Judge::default(), BTreeMap::new());
    while let Some(window) = reader.next_window().unwrap() {
        for entry in window.entries() {
            let view = entry.view.unwrap();
            let events = decode_payload(view.payload).unwrap();
            let opened = events.iter().filter(|event| matches!(event.body, Body::TableOpened(_))).count();
            *openings.entry(view.chain.to_owned()).or_default() += opened as u64;
            judge.judge(&[Entry::of(entry.index, &view)]);
        }
    }
    (judge.finish(), openings)
}

#[test]
fn tables_that_closed_open_again_for_their_next_session() {
    let serving = Serving::start();
    let time = Duration::from_secs(3);
    let driven = drive_at(&serving, &Plan { batch: Batch::Shoe, disconnect: 10, time, ..plan() });
    let checked = check(&driven, &client(&serving), &vkey()).unwrap();
    assert!(checked.holds(), "{checked:#?}");
    assert_eq!(checked.events_held, driven.events());
    assert_eq!(checked.receipts_held, driven.receipts() as u64);
    let (judgement, openings) = judged(&serving);
    // A table that reaches today is left for another.
    assert!(openings.values().filter(|sessions| **sessions > 2).count() >= 3, "{openings:?}");
    assert_eq!(judgement.summary.findings_by_code.len(), 0, "{:#?}", judgement.findings);
    assert_eq!((judgement.events, judgement.missing_events), (driven.events(), 0));
    assert!(
        judgement.summary.coups.judged + judgement.summary.coups.certified > 0,
        "{:?}",
        judgement.summary.coups
    );
}

/// Passes connections on to the service, each up to so many bytes of requests; then it is cut.
fn cutting(serving: &Serving, bytes: u64) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let service = serving.url.trim_start_matches("http://").to_owned();
    std::thread::spawn(move || {
        for near in listener.incoming().map(Result::unwrap) {
            let far = TcpStream::connect(&service).unwrap();
            let (mut asking, mut asked) = (near.try_clone().unwrap(), far.try_clone().unwrap());
            let (mut answering, mut answered) = (far, near);
            std::thread::spawn(move || std::io::copy(&mut answering, &mut answered));
            std::thread::spawn(move || {
                // Either end may be gone already.
                let _ = std::io::copy(&mut asking.by_ref().take(bytes), &mut asked);
                let _ = (asking.shutdown(Shutdown::Both), asked.shutdown(Shutdown::Both));
            });
        }
    });
    url
}

#[test]
fn a_table_whose_post_was_given_up_is_left_for_another() {
    let serving = Serving::start();
    let options = Options { patience: Duration::ZERO, ..Options::default() };
    let driven = drive(&plan(), &cutting(&serving, 50_000), &options, &|_| {}).unwrap();
    assert!(driven.given_up() > 0, "{} posts", driven.posts());
    let checked = check(&driven, &client(&serving), &vkey()).unwrap();
    assert!(checked.holds(), "{checked:#?}");
    // What was given up may have been recorded.
    assert!(checked.events_held >= driven.events());
    let (judgement, openings) = judged(&serving);
    let tables = 3 + driven.given_up() as usize;
    assert!(3 < openings.len() && openings.len() <= tables, "{tables}: {openings:?}");
    assert_eq!(judgement.summary.findings_by_code.len(), 0, "{:#?}", judgement.findings);
}

#[test]
fn posts_whose_connection_is_lost_are_there_once() {
    let serving = Serving::start();
    let driven = drive_at(&serving, &Plan { disconnect: 50, batch: Batch::Events(5), ..plan() });
    assert!(driven.disconnected() * 2 + 2 >= driven.posts(), "{driven:?}");
    let checked = check(&driven, &client(&serving), &vkey()).unwrap();
    assert!(checked.holds(), "{checked:#?}");
    assert_eq!(checked.events_held, driven.events());
}

#[test]
fn a_rate_is_kept_to() {
    let serving = Serving::start();
    let rate = NonZeroU64::new(400);
    let driven = drive_at(&serving, &Plan { rate, batch: Batch::Events(4), ..plan() });
    // One and a half seconds of 400 events; what is late is caught up.
    assert!((500..=608).contains(&driven.events()), "{}", driven.events());
}

#[test]
fn a_log_that_lost_receipts_is_found_out() {
    let serving = Serving::start();
    let driven = drive_at(&serving, &plan());
    let empty = Serving::start();
    let checked = check(&driven, &client(&empty), &vkey()).unwrap();
    assert!(!checked.holds());
    assert_eq!(checked.receipts_broken, driven.receipts() as u64);
    assert_eq!((checked.receipts_held, checked.events_held), (0, 0));
    assert_eq!(checked.events_missing, driven.events());
    assert!(matches!(checked.complaints[0], Complaint::EntryMissing(_)), "{checked:#?}");
    assert_eq!(checked.complaints.len(), load::MAX_KEPT_COMPLAINTS);
    assert!(checked.more_complaints() > 0);
}

#[test]
fn a_log_that_holds_other_events_is_found_out() {
    let serving = Serving::start();
    let driven = drive_at(&serving, &plan());
    // The same tables with other shoes, in a log signed by the same key.
    let other = Serving::start();
    drive_at(&other, &Plan { seed: 2, ..plan() });
    let checked = check(&driven, &client(&other), &vkey()).unwrap();
    assert!(!checked.holds());
    assert_eq!(checked.receipts_held, 0, "{checked:#?}");
    assert!(checked.events_wrong > 0 && checked.events_missing > 0, "{checked:#?}");
    // And another key's log is not believed at all.
    let stranger = tlog::note::SigningKey::from_seed("casino.example/sala/1", &[9; 32]).unwrap();
    let checked = check(&driven, &client(&serving), &stranger.verifier_key()).unwrap();
    assert!(!checked.intact && checked.proofs_held == 0 && checked.proofs_broken > 0, "{checked:#?}");
}

#[test]
fn plans_that_cannot_be_carried_out_are_refused() {
    let refused = |plan: Plan| match drive(&plan, "http://127.0.0.1:9", &Options::default(), &|_| {}) {
        Err(LoadError::Plan(why)) => why,
        other => panic!("{other:?}"),
    };
    assert!(refused(Plan { tables: 1, ..plan() }).contains("1 tables for 2 connections"));
    assert!(refused(Plan { connections: 0, ..plan() }).contains("0 connections: expected 1 to"));
    assert!(refused(Plan { disconnect: 101, ..plan() }).contains("0 to 100"));
    assert!("0".parse::<Batch>().is_err() && "coups".parse::<Batch>().is_err());
    assert_eq!("256".parse(), Ok(Batch::Events(256)));
}
