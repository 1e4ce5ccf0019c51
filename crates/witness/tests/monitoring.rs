//! What monitors are given of a witness (C2SP tlog-witness, "Monitor Retrieval Mechanism").
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tlog::checkpoint::SignedCheckpoint;
use tlog::note::SigningKey;
use witness::{Limits, MemoryState, StateError, Witness, WitnessState, origin_hash};

use crate::histories::{History, ORIGIN, log_key, vkey, witness_key, witness_vkey};
use crate::running::Running;

fn get(running: &Running, path: &str) -> (u16, String, String) {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let mut response = agent.get(format!("http://{}{path}", running.address)).call().unwrap();
    let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    (response.status().as_u16(), kind.unwrap_or_default(), response.body_mut().read_to_string().unwrap())
}

/// "The origin hash is the SHA-256 hash of the log's origin, hex encoded, in lowercase." Computed by `sha256sum`.
#[test]
fn a_log_is_named_by_the_sha_256_of_its_origin() {
    let hash = "6a3d5c16d000d025beba78f8ebf2f03035c0bb0ba5e2d03aff6cc00a7da194f3";
    assert_eq!(origin_hash("casino.example/sala/1"), hash);
}

/// "The response body MUST be a checkpoint for the log identified by the origin, and it MUST include the
/// cosignature(s) from the witness's key(s) that were returned from add-checkpoint and the cosignature from the log
/// key(s) that the witness verified."
#[test]
fn the_newest_cosigned_checkpoint_is_served_with_both_signatures() {
    let (running, honest) = (Running::start(witness_key(), Limits::default()), History::new(40, 40, 0));
    let path = format!("/{}/checkpoint", origin_hash(ORIGIN));
    for (old, new) in [(0, 10), (10, 10), (10, 30)] {
        let (status, _, lines) = running.post(&honest.request(old, new));
        assert_eq!(status, 200);
        let (status, kind, text) = get(&running, &path);
        assert_eq!((status, kind.as_str()), (200, "text/plain; charset=utf-8"));
        let signed = SignedCheckpoint::parse(&text).unwrap();
        assert_eq!(*signed.checkpoint(), honest.checkpoint(new));
        signed.verify(&vkey()).unwrap();
        witness_vkey().verify(&signed).unwrap();
        assert!(text.ends_with(&lines), "what add-checkpoint answered, {text}");
    }
    // What is refused changes nothing.
    assert_eq!(running.post(&honest.request(0, 40)).0, 409);
    assert_eq!(
        *SignedCheckpoint::parse(&get(&running, &path).2).unwrap().checkpoint(),
        honest.checkpoint(30)
    );
}

/// "If the witness has never cosigned a checkpoint for that log, it MUST respond with a "404 Not Found" HTTP status
/// code instead."
#[test]
fn what_was_never_cosigned_is_404() {
    let (running, honest) = (Running::start(witness_key(), Limits::default()), History::new(9, 9, 0));
    let hash = origin_hash(ORIGIN);
    assert_eq!(get(&running, &format!("/{hash}/checkpoint")).0, 404);
    running.post(&honest.request(0, 9));
    assert_eq!(get(&running, &format!("/{hash}/checkpoint")).0, 200);
    for path in [
        format!("/{}/checkpoint", origin_hash("elsewhere.example/log")),
        format!("/{}/checkpoint", hash.to_uppercase()),
        format!("/{}/checkpoint", &hash[1..]),
        format!("/{ORIGIN}/checkpoint"),
        format!("/{hash}"),
        format!("/{hash}/checkpoint/"),
        "/%00/checkpoint".to_owned(),
        format!("/{}/checkpoint", "a".repeat(4_000)),
    ] {
        assert_eq!(get(&running, &path).0, 404, "{path}");
    }
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let url = format!("http://{}/{hash}/checkpoint", running.address);
    assert_eq!(agent.post(&url).send("x").unwrap().status(), 405, "The request MUST be an HTTP GET");
}

#[test]
fn every_signature_of_the_log_that_was_verified_is_served() {
    let (honest, second) = (History::new(9, 9, 0), SigningKey::from_seed(ORIGIN, &[9; 32]).unwrap());
    let trusted = [vkey(), second.verifier_key()];
    let watched = Witness::open(witness_key(), trusted, MemoryState::default()).unwrap();
    let line = |key: &SigningKey| {
        SignedCheckpoint::sign(&honest.checkpoint(9), key).unwrap().signatures()[0].to_string()
    };
    let noise = "\u{2014} elsewhere.example/w AAAAAAECAwQ=\n";
    let request = format!("old 0\n\n{}\n{}{noise}{}", honest.checkpoint(9), line(&log_key()), line(&second));
    watched.add_checkpoint(request.as_bytes(), 7).unwrap();
    let served = SignedCheckpoint::parse(&watched.newest(&origin_hash(ORIGIN)).unwrap().unwrap()).unwrap();
    assert_eq!(served.signatures().len(), 3, "both keys and the witness, no foreign line");
    served.verify(&vkey()).unwrap();
    served.verify(&second.verifier_key()).unwrap();
}

/// A recovered state may have come without the log's signature, or with lines of strangers.
#[test]
fn what_no_trusted_key_signed_is_not_served() {
    let honest = History::new(9, 9, 0);
    let cosigned = |signed: &SignedCheckpoint| {
        signed.with_cosignature(&witness_key().cosign(signed, 7).unwrap()).unwrap()
    };
    let served = |kept: &SignedCheckpoint| {
        let state = MemoryState::default();
        state.keep(kept).unwrap();
        let watched = Witness::open(witness_key(), [vkey()], state).unwrap();
        assert_eq!(watched.logs().collect::<Vec<_>>(), [(ORIGIN, Some(9))], "it is not forgotten");
        let served = watched.newest(&origin_hash(ORIGIN)).unwrap();
        served.map(|text| text.to_string())
    };
    let whole = cosigned(&honest.signed(9));
    assert_eq!(served(&whole).unwrap(), whole.text());
    let stranger = SigningKey::from_seed(ORIGIN, &[9; 32]).unwrap();
    let noise = SignedCheckpoint::sign(&honest.checkpoint(9), &stranger).unwrap();
    assert_eq!(served(&cosigned(&noise)), None, "no key of the log signed it");
    let own = whole.text().strip_prefix(whole.body()).unwrap().trim_start();
    let mixed = format!("{}{own}", noise.text());
    assert_eq!(served(&SignedCheckpoint::parse(&mixed).unwrap()).unwrap(), whole.text());
}

/// A disk that hangs while something is kept.
struct Hanging(MemoryState, AtomicBool, AtomicBool);

impl WitnessState for Hanging {
    fn load(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        self.0.load(origin)
    }

    fn keep(&self, cosigned: &SignedCheckpoint) -> Result<(), StateError> {
        self.1.store(true, Ordering::SeqCst);
        while !self.2.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        self.0.keep(cosigned)
    }

    fn keep_fork(&self, cosigned: &SignedCheckpoint, other: &SignedCheckpoint) -> Result<(), StateError> {
        self.0.keep_fork(cosigned, other)
    }
}

#[test]
fn monitors_wait_for_no_disk_and_see_nothing_before_it_is_kept() {
    let (disk, honest) =
        (Arc::new(Hanging(MemoryState::default(), true.into(), true.into())), History::new(9, 9, 0));
    let watched = Witness::open(witness_key(), [vkey()], Arc::clone(&disk)).unwrap();
    let size = || {
        let text = watched.newest(&origin_hash(ORIGIN)).unwrap().unwrap();
        SignedCheckpoint::parse(&text).unwrap().checkpoint().size
    };
    watched.add_checkpoint(honest.request(0, 5).as_bytes(), 7).unwrap();
    disk.1.store(false, Ordering::SeqCst);
    disk.2.store(false, Ordering::SeqCst);
    std::thread::scope(|scope| {
        scope.spawn(|| watched.add_checkpoint(honest.request(5, 9).as_bytes(), 7).unwrap());
        while !disk.1.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        assert_eq!(size(), 5, "while 9 are being kept");
        disk.2.store(true, Ordering::SeqCst);
    });
    assert_eq!(size(), 9);
}

/// Monitors that never read what they asked for do not keep a log from being signed.
#[test]
fn monitors_that_do_not_read_hold_up_nobody() {
    let limits =
        Limits { connections: 8, answer: std::time::Duration::from_millis(300), ..Limits::default() };
    let (running, honest) = (Running::start(witness_key(), limits), History::new(9, 9, 0));
    assert_eq!(running.post(&honest.request(0, 5)).0, 200);
    let asking = format!("GET /{}/checkpoint HTTP/1.1\r\nHost: w\r\n\r\n", origin_hash(ORIGIN)).repeat(400);
    let greedy: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(running.address).unwrap();
            // The witness may close it before all of it is sent.
            let _ = stream.write_all(asking.as_bytes());
            stream
        })
        .collect();
    assert_eq!(running.post_when_free(&honest.request(5, 9)).0, 200);
    for mut stream in greedy {
        stream.set_read_timeout(Some(std::time::Duration::from_millis(200))).unwrap();
        let _ = stream.read(&mut [0; 64]);
    }
}
