//! What verifies opens: a log that anybody wrote, in a form that only its keys hold back, and that `verify log` finds intact
//! is restored, opened, written, opened again and served, each within a time. What does not verify is refused within that
//! time as well.
#![allow(clippy::unwrap_used)]

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use audit_tests::forged::{forged, is_whole, key, opens_in_memory, read, restored, verifies};
use sealed_log::reader::Verdict;
use service::{Bounds, Limits, Service};

/// Far more than any of these logs takes, on a slow machine too.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs something that has to come to an end.
fn in_time<T: Send + 'static>(what: &str, act: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, waiting) = channel();
    let thread = std::thread::spawn(move || done.send(act()));
    match waiting.recv_timeout(PATIENCE) {
        Ok(outcome) => outcome,
        Err(RecvTimeoutError::Timeout) => panic!("{what}: not after {PATIENCE:?}"),
        Err(RecvTimeoutError::Disconnected) => panic!("{what}: {:?}", thread.join().err()),
    }
}

/// How a log of this seed is judged, after it was held to what follows from that.
fn held(seed: u64) -> Verdict {
    let log = forged(seed);
    let (archive, keys) = (log.archive(), log.keys());
    let report = read(&archive, &keys[0]);
    let opened = opens_in_memory(&log.entries, &log.signed(), &keys);
    if verifies(&report) && is_whole(&report) {
        assert!(opened.is_ok(), "seed {seed}: {opened:?}");
    }
    report.intact
}

/// The same on disk.
fn held_on_disk(seed: u64) {
    let log = forged(seed);
    let (archive, keys) = (log.archive(), log.keys());
    let report = read(&archive, &keys[0]);
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    let outcome = restored(&archive, &folder, &keys);
    if !(verifies(&report) && is_whole(&report)) {
        return;
    }
    if report.closed.is_some() {
        assert_eq!(outcome.err().as_deref(), Some("it is closed"), "seed {seed}");
        return;
    }
    let writer = outcome.unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    let producer = "audit-serve:pit".parse().unwrap();
    let service =
        Service::bind("127.0.0.1:0", writer, producer, Limits::default(), Bounds::default()).unwrap();
    let service = service.certify(&folder.join("follower")).unwrap();
    service.run_until(|| async {}).unwrap();
}

#[test]
fn what_verifies_opens() {
    let mut verdicts = [0; 3];
    for seed in 1..=600 {
        let verdict = in_time(&format!("seed {seed}"), move || held(seed));
        verdicts[verdict as usize] += 1;
    }
    // No part of the test is empty: intact, not intact, and unknown because of a newer notice.
    assert!(verdicts[0] > 100 && verdicts[1] > 100 && verdicts[2] > 0, "{verdicts:?}");
}

#[test]
fn what_verifies_is_restored_and_served() {
    for seed in 1..=24 {
        in_time(&format!("seed {seed}"), move || held_on_disk(seed));
    }
}

#[test]
#[ignore = "slow: a thousand logs"]
fn of_many_logs_what_verifies_is_restored_and_served() {
    for seed in 25..=1_000 {
        in_time(&format!("seed {seed}"), move || held_on_disk(seed));
    }
}

#[test]
fn a_log_without_entries_verifies_and_opens() {
    let log = audit_tests::forged::Forger::default();
    assert!(verifies(&read(&log.archive(), &key(0))));
    assert!(opens_in_memory(&[], &log.signed(), &log.keys()).is_ok());
}
