//! The state in its folder: restarts, many threads, a second process, altered files, a disk that fails.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use witness::{
    KeyFileError, MemoryState, SignedList, StateError, StateFolder, Witness, WitnessState, make_key, read_key,
};

use crate::histories::{History, ORIGIN, by_hand, vkey, witness_key, witness_vkey};

fn open(folder: &Path) -> Result<Witness<StateFolder>, StateError> {
    Witness::open(witness_key(), [vkey()], StateFolder::open(folder, &list(folder), &witness_vkey())?)
}

/// The list of what was signed from a folder, made before the first start.
fn list(folder: &Path) -> PathBuf {
    let list = folder.join("list");
    if !folder.join("lock").exists() {
        SignedList::make(&list, &witness_vkey()).unwrap();
    }
    list
}

/// The one file of a state that has signed for one log.
fn file(folder: &Path) -> PathBuf {
    let is_state = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "checkpoint");
    let mut files = fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()).filter(is_state);
    let file = files.next().unwrap();
    assert_eq!(files.next(), None);
    file
}

#[test]
fn what_was_signed_is_remembered_by_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let (honest, fork) = (History::new(40, 40, 0), History::new(40, 20, 1));
    open(folder.path()).unwrap().add_checkpoint(honest.request(0, 30).as_bytes(), 5).unwrap();
    let again = open(folder.path()).unwrap();
    assert_eq!(again.logs().collect::<Vec<_>>(), [(ORIGIN, Some(30))]);
    let refused = |body: String| again.add_checkpoint(body.as_bytes(), 6).unwrap_err().status();
    assert_eq!(refused(fork.request(0, 30)), 409);
    assert_eq!(refused(fork.request(30, 40)), 422);
    again.add_checkpoint(honest.request(30, 40).as_bytes(), 6).unwrap();
    let kept = SignedCheckpoint::parse(&fs::read_to_string(file(folder.path())).unwrap()).unwrap();
    assert_eq!(
        witness_vkey().verify(&kept).unwrap().time(),
        6,
        "what is kept carries the witness's own word"
    );
    kept.verify(&vkey()).unwrap();
}

#[test]
fn a_second_history_is_put_aside_as_the_proof_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let (honest, fork) = (History::new(40, 40, 0), History::new(40, 20, 1));
    let watched = open(folder.path()).unwrap();
    watched.add_checkpoint(honest.request(0, 30).as_bytes(), 5).unwrap();
    let second = watched.add_checkpoint(by_hand(30, &[], &fork.signed(30)).as_bytes(), 6).unwrap_err();
    assert_eq!(
        second.to_string(),
        "this witness signed another root for 30 entries: the log shows two histories"
    );
    // What is signed later does not take the proof away.
    watched.add_checkpoint(honest.request(30, 40).as_bytes(), 7).unwrap();
    let half = |ending| {
        let file = file(folder.path()).display().to_string().replace(".checkpoint", ending);
        let half = SignedCheckpoint::parse(&fs::read_to_string(file).unwrap()).unwrap();
        half.verify(&vkey()).unwrap();
        half
    };
    assert_eq!(*half("-30.other").checkpoint(), fork.checkpoint(30));
    assert_eq!(*half("-30.cosigned").checkpoint(), honest.checkpoint(30));
    assert_eq!(witness_vkey().verify(&half("-30.cosigned")).unwrap().time(), 5);
    drop(watched);
    assert_eq!(open(folder.path()).unwrap().logs().collect::<Vec<_>>(), [(ORIGIN, Some(40))]);
}

/// Whoever holds a log's key can fork it at every size, and put any lines under each checkpoint.
#[test]
fn forks_are_kept_without_strangers_lines_and_not_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let (honest, fork) = (History::new(40, 40, 0), History::new(40, 0, 1));
    let watched = open(folder.path()).unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    for size in 1..=30 {
        watched.add_checkpoint(honest.request(size - 1, size).as_bytes(), 5).unwrap();
        let stranger = tlog::cosignature::WitnessSigningKey::from_seed("x.example/w", &[4; 32]).unwrap();
        let signed = fork.signed(size);
        let signed = signed.with_cosignature(&stranger.cosign(&signed, 9).unwrap()).unwrap();
        let refused = watched.add_checkpoint(by_hand(size as u64, &[], &signed).as_bytes(), 6).unwrap_err();
        assert_eq!(refused.status(), 422);
    }
    let kept = |ending: &str| {
        let items = fs::read_dir(folder.path()).unwrap().map(|item| item.unwrap().path());
        items.filter(|path| path.extension().is_some_and(|found| found == ending)).collect::<Vec<_>>()
    };
    assert_eq!((kept("other").len(), kept("cosigned").len()), (8, 8), "of {} files", files());
    for file in kept("other") {
        assert!(!fs::read_to_string(file).unwrap().contains("x.example/w"));
    }
}

#[test]
fn two_never_sign_from_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path()).unwrap();
    let error = open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("two must never sign"), "{error}");
    drop(first);
    assert!(open(folder.path()).is_ok());
}

#[test]
fn an_altered_state_is_refused_at_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let honest = History::new(40, 40, 0);
    open(folder.path()).unwrap().add_checkpoint(honest.request(0, 30).as_bytes(), 5).unwrap();
    let file = file(folder.path());
    let good = fs::read(&file).unwrap();
    let text = String::from_utf8(good.clone()).unwrap();
    // The log's own line is not what the witness relies on; its place must still be a line.
    let start = text.find("\u{2014}").unwrap();
    let spared = start..start + text[start..].find('\n').unwrap();
    for at in 0..good.len() {
        let mut bent = good.clone();
        bent[at] ^= 1;
        fs::write(&file, &bent).unwrap();
        match open(folder.path()) {
            Ok(witness) => {
                assert!(spared.contains(&at), "byte {at}");
                assert_eq!(witness.logs().collect::<Vec<_>>(), [(ORIGIN, Some(30))]);
            }
            Err(error) => assert!(error.to_string().contains(&file.display().to_string()), "{error}"),
        }
        fs::write(&file, &good[..at]).unwrap();
        assert!(open(folder.path()).is_err(), "cut at {at}");
    }
    fs::write(&file, &good).unwrap();
    assert!(open(folder.path()).is_ok());
    fs::rename(&file, file.with_file_name(format!("{}.checkpoint", "0".repeat(64)))).unwrap();
    let error = open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("another log than its name says"), "{error}");
}

#[test]
fn a_file_half_written_before_a_power_cut_is_no_state() {
    let folder = tempfile::tempdir().unwrap();
    let honest = History::new(40, 40, 0);
    open(folder.path()).unwrap().add_checkpoint(honest.request(0, 30).as_bytes(), 5).unwrap();
    fs::write(file(folder.path()).with_added_extension("next"), "casino.exam").unwrap();
    let again = open(folder.path()).unwrap();
    again.add_checkpoint(honest.request(30, 40).as_bytes(), 6).unwrap();
    drop(again);
    assert_eq!(open(folder.path()).unwrap().logs().collect::<Vec<_>>(), [(ORIGIN, Some(40))]);
}

/// A disk that fails on command.
#[derive(Default)]
struct Failing {
    state: MemoryState,
    fails: AtomicBool,
}

impl WitnessState for &Failing {
    fn load(&self, origin: &str) -> Result<Option<SignedCheckpoint>, StateError> {
        self.state.load(origin)
    }

    fn keep(&self, cosigned: &SignedCheckpoint) -> Result<(), StateError> {
        if self.fails.load(Ordering::SeqCst) {
            return Err(StateError::new("no space left on device".to_owned()));
        }
        self.state.keep(cosigned)
    }

    fn keep_fork(&self, cosigned: &SignedCheckpoint, other: &SignedCheckpoint) -> Result<(), StateError> {
        self.state.keep_fork(cosigned, other)
    }
}

#[test]
fn what_cannot_be_kept_is_not_signed() {
    let (disk, honest) = (Failing::default(), History::new(40, 40, 0));
    let watched = Witness::open(witness_key(), [vkey()], &disk).unwrap();
    watched.add_checkpoint(honest.request(0, 10).as_bytes(), 5).unwrap();
    disk.fails.store(true, Ordering::SeqCst);
    let refusal = watched.add_checkpoint(honest.request(10, 20).as_bytes(), 5).unwrap_err();
    assert_eq!(
        (refusal.status(), refusal.to_string()),
        (500, "nothing was signed: no space left on device".into())
    );
    disk.fails.store(false, Ordering::SeqCst);
    assert_eq!(
        watched.add_checkpoint(honest.request(20, 30).as_bytes(), 5).unwrap_err().cosigned_size(),
        Some(10)
    );
    watched.add_checkpoint(honest.request(10, 30).as_bytes(), 5).unwrap();
}

/// Threads that push three histories of one log at once, each as a client would: with the size the
/// witness has, it goes on from there.
#[test]
fn many_at_once_never_get_two_histories_signed() {
    for round in 0..6 {
        let folder = tempfile::tempdir().unwrap();
        let watched = open(folder.path()).unwrap();
        let histories: Vec<History> = (0..3).map(|number| History::new(60, 5 * round, number)).collect();
        let signed: Mutex<Vec<Checkpoint>> = Mutex::default();
        std::thread::scope(|scope| {
            for thread in 0..9_usize {
                let (watched, signed, history) = (&watched, &signed, &histories[thread % 3]);
                scope.spawn(move || push(watched, history, signed, 1 + thread));
            }
        });
        let mut signed = signed.into_inner().unwrap();
        signed.sort_by_key(|checkpoint| checkpoint.size);
        assert!(!signed.is_empty());
        let one = histories.iter().any(|history| signed.iter().all(|checkpoint| history.holds(checkpoint)));
        assert!(one, "round {round}: two histories were signed");
        let newest = signed.last().map(|checkpoint| checkpoint.size);
        drop(watched);
        assert_eq!(open(folder.path()).unwrap().logs().collect::<Vec<_>>(), [(ORIGIN, newest)]);
    }
}

fn push(watched: &Witness<StateFolder>, history: &History, signed: &Mutex<Vec<Checkpoint>>, step: usize) {
    let mut old = 0;
    for new in (step..=60).step_by(step) {
        for _ in 0..3 {
            match watched.add_checkpoint(history.request(old.min(new), new).as_bytes(), 7) {
                Ok(cosigned) => {
                    signed.lock().unwrap().push(cosigned.checkpoint);
                    old = new;
                    break;
                }
                Err(refusal) => old = refusal.cosigned_size().map_or(old, |size| size as usize),
            }
        }
    }
}

#[test]
fn a_key_is_made_once_and_kept_from_others() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("witness");
    assert!(matches!(read_key(&state), Err(KeyFileError::Missing(_))));
    let key = make_key(&state, "regulator.example/w1").unwrap();
    assert_eq!(read_key(&state).unwrap().verifier_key(), key.verifier_key());
    assert_eq!(fs::metadata(state.join("key")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_to_string(state.join("key.pub")).unwrap().trim_end(), key.verifier_key().to_string());
    assert!(matches!(make_key(&state, "regulator.example/w1"), Err(KeyFileError::There(_))));
    fs::set_permissions(state.join("key"), fs::Permissions::from_mode(0o640)).unwrap();
    let error = read_key(&state).unwrap_err().to_string();
    assert!(error.contains("mode 640") && error.contains("chmod 600"), "{error}");
    fs::set_permissions(state.join("key"), fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(state.join("key"), "PRIVATE+KEY+w+00000000+AAAA\n").unwrap();
    let error = read_key(&state).unwrap_err().to_string();
    assert!(error.contains("key: not a witness's signing key") && !error.contains("AAAA"), "{error}");
    assert!(matches!(make_key(&folder.path().join("other"), "two words"), Err(KeyFileError::Name(_))));
}
