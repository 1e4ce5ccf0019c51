//! A service that submits its checkpoint to witnesses: what it serves then, and that nothing waits for them.
#![allow(clippy::unwrap_used)]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sealed_log::entry::Digest;
use sealed_log::proof::EntryProof;
use service::{Service, WitnessAnswers, Witnesses};
use tlog::checkpoint::SignedCheckpoint;
use tlog::cosignature::{WitnessKey, WitnessSigningKey};

use crate::serving::{Running, events, key};

fn witness_key() -> WitnessSigningKey {
    WitnessSigningKey::from_seed("regulator.example/w1", &[1; 32]).unwrap()
}

fn witness_vkey() -> WitnessKey {
    witness_key().verifier_key()
}

fn cosigned(signed: &SignedCheckpoint) -> SignedCheckpoint {
    signed.with_cosignature(&witness_key().cosign(signed, 7).unwrap()).unwrap()
}

/// Witnesses that answer by `answer`, asked every 50 milliseconds while the log grows.
fn asking(
    answer: impl FnMut(&SignedCheckpoint, Duration) -> WitnessAnswers + Send + 'static,
) -> impl FnOnce(Service) -> Service {
    let mut answer = answer;
    let submit = Box::new(move |_: &_, signed: &SignedCheckpoint, time| Ok(answer(signed, time)));
    move |service| {
        service.with_witnesses(Witnesses { every: Duration::from_millis(50), cosigned: None, submit })
    }
}

fn signing(signed: &SignedCheckpoint) -> WitnessAnswers {
    WitnessAnswers { cosigned: Some(cosigned(signed)), ..WitnessAnswers::default() }
}

fn text(running: &Running, path: &str) -> String {
    let (status, text) = running.get(path);
    assert_eq!(status, 200, "{path}");
    String::from_utf8(text).unwrap()
}

fn checkpoint(running: &Running) -> SignedCheckpoint {
    SignedCheckpoint::parse(&text(running, "/checkpoint")).unwrap()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn metric(running: &Running, name: &str) -> u64 {
    let text = text(running, "/metrics");
    let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap().to_owned();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

fn is_witnessed(signed: &SignedCheckpoint) -> bool {
    signed.verify(&key().verifier_key()).unwrap();
    witness_vkey().verify(signed).is_ok()
}

#[test]
fn a_growing_log_is_served_with_its_cosignatures() {
    let place = tempfile::tempdir().unwrap();
    let open = Arc::new(AtomicBool::new(true));
    let asked = Arc::new(AtomicUsize::new(0));
    let (answers, count) = (Arc::clone(&open), Arc::clone(&asked));
    let running = Running::with(
        &place.path().join("log"),
        asking(move |signed, _| {
            count.fetch_add(1, Ordering::SeqCst);
            if answers.load(Ordering::SeqCst) {
                signing(signed)
            } else {
                WitnessAnswers { unanswered: vec!["it is gone".into()], ..WitnessAnswers::default() }
            }
        }),
    );
    until("the empty log is submitted at the start", || is_witnessed(&checkpoint(&running)));
    let (table, lines) = events(1, 300);
    let (status, receipts) = running.lines(&table, &lines[..200]);
    assert_eq!(status, 201);
    let covered = receipts["receipts"].as_array().unwrap().len() as u64;
    until("it is submitted as it grows", || checkpoint(&running).checkpoint().size == covered);
    let first = checkpoint(&running);
    assert!(is_witnessed(&first));
    let quiet = asked.load(Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(asked.load(Ordering::SeqCst), quiet, "a log that does not grow is not submitted again");
    // What was posted before is receipted under the checkpoint that witnesses signed, where it is the newest.
    let (_, again) = running.lines(&table, &lines[..200]);
    let proof: EntryProof = again["receipts"][0]["proof"].as_str().unwrap().parse().unwrap();
    assert!(is_witnessed(proof.checkpoint()), "{proof}");
    // The witness is gone; the log grows on. What witnesses signed is served on, whole.
    open.store(false, Ordering::SeqCst);
    assert_eq!(running.lines(&table, &lines[200..]).0, 201);
    until("it is counted", || metric(&running, "audit_witness_failures_total") > 0);
    assert_eq!(checkpoint(&running), first);
    let size = first.checkpoint().size;
    let entries = metric(&running, "audit_log_entries");
    assert!(entries > size && metric(&running, "audit_cosigned_entries") == size);
    let tile = format!("/tile/0/000.p/{size}");
    assert_eq!(running.get(&tile).1.len() as u64, 32 * size, "tiles of the served size");
    for (index, witnessed) in [(0, true), (size - 1, true), (size, false), (entries - 1, false)] {
        let proof: EntryProof = text(&running, &format!("/v1/entries/{index}/proof")).parse().unwrap();
        proof.verify(&key().verifier_key(), &Digest::of(proof.entry().unwrap())).unwrap();
        assert_eq!(is_witnessed(proof.checkpoint()), witnessed, "entry {index}");
    }
    // It is back, and the checkpoint it was not there for is submitted again.
    open.store(true, Ordering::SeqCst);
    until("it is submitted again", || checkpoint(&running).checkpoint().size == entries);
    assert_eq!(text(&running, "/readyz"), "ready\n");
}

#[test]
fn a_contradiction_is_shown_and_recording_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let what = "witness desk has seen 30 entries, the log has 0".to_owned();
    let said = what.clone();
    let contradicting = asking(move |_, _| WitnessAnswers {
        contradictions: vec![said.clone()],
        ..WitnessAnswers::default()
    });
    let running = Running::with(&place.path().join("log"), contradicting);
    until("it is shown", || metric(&running, "audit_witness_contradictions") == 1);
    assert_eq!(text(&running, "/readyz"), format!("ready\n{what}\n"));
    assert_eq!(text(&running, "/healthz"), "alive\n");
    let (table, lines) = events(1, 200);
    assert_eq!(running.lines(&table, &lines).0, 201, "evidence is never refused");
    assert!(!checkpoint(&running).checkpoint().root_text().is_empty());
    assert_eq!(checkpoint(&running).checkpoint().size, metric(&running, "audit_log_entries"));
}

/// Story: somebody else submitted a newer checkpoint while a slow request was under way; the log was said to be older
/// than what the witness had seen, though it had grown as far itself.
#[test]
fn a_witness_that_saw_more_contradicts_only_a_log_that_has_not_grown_as_far() {
    let place = tempfile::tempdir().unwrap();
    let (seen, slow) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(true)));
    let (has_seen, waits) = (Arc::clone(&seen), Arc::clone(&slow));
    let running = Running::with(
        &place.path().join("log"),
        asking(move |signed, _| {
            until("the log has grown", || !waits.load(Ordering::SeqCst));
            let seen = has_seen.load(Ordering::SeqCst) as u64;
            if seen > signed.checkpoint().size {
                WitnessAnswers { saw_more: vec![("desk".to_owned(), seen)], ..WitnessAnswers::default() }
            } else {
                signing(signed)
            }
        }),
    );
    let (table, lines) = events(1, 300);
    assert_eq!(running.lines(&table, &lines[..200]).0, 201);
    let entries = metric(&running, "audit_log_entries");
    seen.store(entries as usize, Ordering::SeqCst);
    slow.store(false, Ordering::SeqCst);
    until("the newest checkpoint is submitted at once", || is_witnessed(&checkpoint(&running)));
    assert_eq!(metric(&running, "audit_witness_contradictions"), 0);
    assert_eq!(metric(&running, "audit_witness_failures_total"), 0, "nobody failed");
    seen.store(1_000_000, Ordering::SeqCst);
    assert_eq!(running.lines(&table, &lines[200..]).0, 201);
    until("it is shown", || metric(&running, "audit_witness_contradictions") == 1);
    let ready = text(&running, "/readyz");
    assert!(ready.contains("witness desk has seen 1000000 entries, the log has"), "{ready}");
}

#[test]
fn nothing_waits_for_a_witness_that_hangs() {
    let place = tempfile::tempdir().unwrap();
    let hangs = asking(move |_, _| {
        std::thread::sleep(Duration::from_secs(120));
        WitnessAnswers::default()
    });
    let running = Running::with(&place.path().join("log"), hangs);
    let (table, lines) = events(1, 300);
    let begun = Instant::now();
    assert_eq!(running.lines(&table, &lines).0, 201);
    assert_eq!(checkpoint(&running).checkpoint().size, metric(&running, "audit_log_entries"));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let begun = Instant::now();
    drop(running);
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
}

#[test]
fn one_that_breaks_down_is_asked_again() {
    let place = tempfile::tempdir().unwrap();
    let mut first = true;
    let running = Running::with(
        &place.path().join("log"),
        asking(move |signed, _| {
            assert!(!std::mem::take(&mut first), "on purpose");
            signing(signed)
        }),
    );
    until("it is asked again", || is_witnessed(&checkpoint(&running)));
}

#[test]
fn a_stop_submits_the_last_checkpoint_within_its_time() {
    let place = tempfile::tempdir().unwrap();
    let submitted: Arc<Mutex<Vec<(u64, Duration)>>> = Arc::default();
    let seen = Arc::clone(&submitted);
    let submit = Box::new(move |_: &_, signed: &SignedCheckpoint, time| {
        seen.lock().unwrap().push((signed.checkpoint().size, time));
        Ok(signing(signed))
    });
    let with = move |service: Service| {
        service.with_witnesses(Witnesses { every: Duration::from_secs(3_600), cosigned: None, submit })
    };
    let running = Running::with(&place.path().join("log"), with);
    until("at the start", || submitted.lock().unwrap().len() == 1);
    let (table, lines) = events(1, 200);
    assert_eq!(running.lines(&table, &lines).0, 201);
    let entries = metric(&running, "audit_log_entries");
    drop(running);
    let submitted = submitted.lock().unwrap().clone();
    assert_eq!((submitted.len(), submitted[1].0), (2, entries));
    assert!(submitted[1].1 <= Duration::from_secs(5), "{submitted:?}");
}

#[test]
fn only_what_the_log_extends_is_served_of_what_was_kept() {
    let place = tempfile::tempdir().unwrap();
    let (table, lines) = events(1, 300);
    let (log, other) = (place.path().join("log"), place.path().join("other"));
    let signed_by = |folder: &std::path::Path, lines: &[String]| {
        let running = Running::plain(folder);
        assert_eq!(running.lines(&table, lines).0, 201);
        checkpoint(&running)
    };
    let own = cosigned(&signed_by(&log, &lines[..200]));
    let foreign = cosigned(&signed_by(&other, &lines[100..]));
    let kept = |cosigned: &SignedCheckpoint| {
        let cosigned = Some(cosigned.clone());
        let with = move |service: Service| {
            let submit = Box::new(|_: &_, _: &_, _| Err("nobody is asked here".to_owned()));
            service.with_witnesses(Witnesses { every: Duration::from_secs(3_600), cosigned, submit })
        };
        Running::with(&log, with)
    };
    let running = kept(&own);
    assert_eq!(running.lines(&table, &lines[200..]).0, 201);
    assert_eq!(checkpoint(&running), own);
    drop(running);
    let running = kept(&foreign);
    assert_eq!(checkpoint(&running).signatures().len(), 1, "the checkpoint itself");
    assert_eq!(checkpoint(&running).checkpoint().size, metric(&running, "audit_log_entries"));
}
