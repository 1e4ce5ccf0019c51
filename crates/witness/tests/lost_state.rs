//! A witness that lost what it signed: its state emptied, put back from a copy, its list lost; killed between any
//! two writes. It never signs a second history, and its keeper can take the state up again.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use tlog::checkpoint::SignedCheckpoint;
use tlog::cosignature::WitnessSigningKey;
use tlog::note::SigningKey;
use witness::{Loss, Recovery, SignedList, StateError, StateFolder, Witness};

use crate::histories::{History, ORIGIN, by_hand, vkey, witness_key, witness_vkey};

/// The folders of a witness, and copies of them.
struct Disk(tempfile::TempDir);

impl Disk {
    /// A witness that never signed.
    fn new() -> Self {
        let disk = Self(tempfile::tempdir().unwrap());
        fs::create_dir(disk.state()).unwrap();
        SignedList::make(&disk.list(), &witness_vkey()).unwrap();
        disk
    }

    fn state(&self) -> PathBuf {
        self.0.path().join("state")
    }

    fn list(&self) -> PathBuf {
        SignedList::default_path(&self.state()).unwrap()
    }

    fn open(&self) -> Result<Witness<StateFolder>, StateError> {
        let logs = [vkey(), other_log().verifier_key()];
        Witness::open(witness_key(), logs, StateFolder::open(&self.state(), &self.list(), &witness_vkey())?)
    }

    fn status(&self, request: &str) -> u16 {
        let answer = self.open().unwrap().add_checkpoint(request.as_bytes(), 7);
        answer.map_or_else(|refusal| refusal.status(), |_| 200)
    }

    fn recover(&self, recovery: &Recovery) -> Result<Vec<u64>, StateError> {
        let changed = recovery.run(&self.state(), &self.list(), &witness_vkey())?;
        Ok(changed.into_iter().map(|checkpoint| checkpoint.size).collect())
    }

    fn keep_copy(&self, of: &Path, name: &str) -> PathBuf {
        let copy = self.0.path().join(name);
        fs::create_dir(&copy).unwrap();
        copy_files(of, &copy);
        copy
    }
}

fn copy_files(from: &Path, to: &Path) {
    for item in fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        fs::copy(item.path(), to.join(item.file_name())).unwrap();
    }
}

fn empty(folder: &Path) {
    fs::read_dir(folder).unwrap().for_each(|item| fs::remove_file(item.unwrap().path()).unwrap());
}

fn other_log() -> SigningKey {
    SigningKey::from_seed("casino.example/sala/2", &[5; 32]).unwrap()
}

/// The witness signed 10 and then 30 entries of the honest history; between the two its state was copied.
fn signed_thirty() -> (Disk, PathBuf, History, History) {
    let (disk, honest, fork) = (Disk::new(), History::new(40, 40, 0), History::new(40, 20, 1));
    assert_eq!(disk.status(&honest.request(0, 10)), 200);
    let copy = disk.keep_copy(&disk.state(), "older");
    assert_eq!(disk.status(&honest.request(10, 30)), 200);
    (disk, copy, honest, fork)
}

#[test]
fn an_emptied_state_signs_nothing_of_the_logs_it_signed() {
    let (disk, _, honest, fork) = signed_thirty();
    empty(&disk.state());
    for request in [fork.request(0, 30), honest.request(0, 30), honest.request(30, 40), fork.request(0, 40)] {
        assert_eq!(disk.status(&request), 500);
    }
    let opened = disk.open().unwrap();
    let lost: Vec<_> = opened.lost().collect();
    assert_eq!((lost[0].origin.as_str(), lost[0].size, lost[0].loss), (ORIGIN, 30, Loss::Missing));
    assert_eq!(lost.len(), 1, "of a log it never signed nothing is lost");
    let refusal = opened.add_checkpoint(fork.request(0, 30).as_bytes(), 7).unwrap_err().to_string();
    assert!(refusal.contains("is missing") && refusal.contains("audit witness recover"), "{refusal}");
    // Another log's requests are answered.
    let other =
        tlog::checkpoint::Checkpoint { origin: other_log().name().to_owned(), ..honest.checkpoint(3) };
    let other = SignedCheckpoint::sign(&other, &other_log()).unwrap();
    assert!(opened.add_checkpoint(by_hand(0, &[], &other).as_bytes(), 7).is_ok());
}

#[test]
fn a_state_put_back_from_a_copy_signs_nothing() {
    let (disk, copy, honest, fork) = signed_thirty();
    copy_files(&copy, &disk.state());
    assert_eq!(disk.open().unwrap().lost().next().unwrap().loss, Loss::Older(10));
    for request in [fork.request(10, 30), honest.request(10, 30)] {
        assert_eq!(disk.status(&request), 500);
    }
}

#[test]
fn a_keeper_takes_the_state_up_again_from_the_list() {
    let (disk, copy, honest, fork) = signed_thirty();
    for lose in [&|| empty(&disk.state()) as _, &|| copy_files(&copy, &disk.state())] as [&dyn Fn(); 2] {
        lose();
        assert_eq!(disk.status(&honest.request(30, 30)), 500);
        assert_eq!(disk.recover(&Recovery::default()).unwrap(), [30]);
        assert_eq!(disk.recover(&Recovery::default()).unwrap(), Vec::<u64>::new(), "again changes nothing");
        assert_eq!(disk.status(&by_hand(30, &[], &fork.signed(30))), 422);
        assert_eq!(disk.status(&honest.request(30, 30)), 200);
    }
    assert_eq!(disk.status(&honest.request(30, 40)), 200);
}

#[test]
fn a_checkpoint_somebody_kept_takes_it_up_further() {
    let (disk, _, honest, fork) = signed_thirty();
    let cosigned = |history: &History, size: usize, key: &WitnessSigningKey| {
        history.signed(size).with_cosignature(&key.cosign(&history.signed(size), 7).unwrap()).unwrap()
    };
    let given = |checkpoint| Recovery { given: vec![checkpoint], nothing_signed: false };
    // State and list were both put back: the log's keeper has what was signed since.
    assert_eq!(disk.recover(&given(cosigned(&honest, 35, &witness_key()))).unwrap(), [35]);
    assert_eq!(disk.status(&fork.request(30, 40)), 409);
    assert!(disk.recover(&given(cosigned(&honest, 20, &witness_key()))).unwrap().is_empty(), "an older one");
    let stranger = WitnessSigningKey::from_seed("regulator.example/w1", &[9; 32]).unwrap();
    assert!(disk.recover(&given(cosigned(&honest, 40, &stranger))).is_err());
    let two = disk.recover(&given(cosigned(&fork, 35, &witness_key()))).unwrap_err().to_string();
    assert!(two.contains("signed two histories"), "{two}");
    let running = disk.open().unwrap();
    assert!(disk.recover(&Recovery::default()).unwrap_err().to_string().contains("stop it first"));
    drop(running);
}

#[test]
fn without_a_list_nothing_starts_but_what_an_older_program_left() {
    let (disk, _, honest, _) = signed_thirty();
    empty(&disk.list());
    // An older program kept no list, and so left no mark of one.
    fs::remove_file(disk.state().join("listed")).unwrap();
    let opened = StateFolder::open(&disk.state(), &disk.list(), &witness_vkey()).unwrap();
    assert!(opened.made_list());
    drop(opened);
    assert_eq!(disk.status(&honest.request(30, 40)), 200);
    empty(&disk.list());
    empty(&disk.state());
    let refused = disk.open().unwrap_err().to_string();
    assert!(refused.contains("may have been lost") && refused.contains("--nothing-signed"), "{refused}");
    assert!(disk.recover(&Recovery::default()).is_err());
    assert!(disk.recover(&Recovery { nothing_signed: true, ..Recovery::default() }).unwrap().is_empty());
    assert_eq!(disk.status(&honest.request(0, 30)), 200);
}

/// Story: a copy of the folder was put back under another path, where no list was; one was made of the copy, and
/// the witness signed a second history.
#[test]
fn a_copy_put_back_under_another_path_signs_nothing() {
    let (disk, _, honest, fork) = signed_thirty();
    let copy = disk.keep_copy(&disk.state(), "restored");
    let list = SignedList::default_path(&copy).unwrap();
    assert_eq!(disk.status(&honest.request(30, 40)), 200);
    let refused = StateFolder::open(&copy, &list, &witness_vkey()).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("may be an older copy") && refused.contains("--signed"), "{refused}");
    assert!(
        Recovery::default().run(&copy, &list, &witness_vkey()).is_err(),
        "its own states do not say enough"
    );
    let newest =
        honest.signed(40).with_cosignature(&witness_key().cosign(&honest.signed(40), 7).unwrap()).unwrap();
    let given = Recovery { given: vec![newest], ..Recovery::default() };
    assert_eq!(given.run(&copy, &list, &witness_vkey()).unwrap().len(), 1);
    let folder = StateFolder::open(&copy, &list, &witness_vkey()).unwrap();
    let taken_up = Witness::open(witness_key(), [vkey()], folder).unwrap();
    assert!(taken_up.add_checkpoint(fork.request(30, 40).as_bytes(), 7).is_err());
}

/// Story: the state was kept, the list was not (its disk was full); after a restart the witness served the state, and a
/// copy of the state's folder from before went unnoticed.
#[test]
fn a_state_that_is_newer_than_the_list_is_listed_before_it_is_served() {
    let (disk, copy, honest, fork) = signed_thirty();
    let older = disk.keep_copy(&disk.list(), "list");
    assert_eq!(disk.status(&honest.request(30, 40)), 200);
    fs::remove_dir_all(disk.list()).unwrap();
    fs::create_dir(disk.list()).unwrap();
    copy_files(&older, &disk.list());
    assert_eq!(disk.open().unwrap().lost().count(), 0);
    copy_files(&copy, &disk.state());
    assert_eq!(disk.open().unwrap().lost().next().unwrap().size, 40);
    assert_eq!(disk.status(&fork.request(10, 40)), 500);
}

#[test]
fn a_list_belongs_to_one_witness_and_one_process() {
    let (disk, ..) = signed_thirty();
    let elsewhere = disk.0.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let running = disk.open().unwrap();
    let taken = StateFolder::open(&elsewhere, &disk.list(), &witness_vkey()).map(|_| ()).unwrap_err();
    assert!(taken.to_string().contains("two must never sign"), "{taken}");
    drop(running);
    let key = WitnessSigningKey::from_seed("other.example/w1", &[9; 32]).unwrap().verifier_key();
    let own_folder =
        StateFolder::open(&disk.state(), &disk.state(), &witness_vkey()).map(|_| ()).unwrap_err();
    assert!(own_folder.to_string().contains("cannot be in its state's own folder"), "{own_folder}");
    let foreign = StateFolder::open(&elsewhere, &disk.list(), &key).map(|_| ()).unwrap_err().to_string();
    assert!(foreign.contains("list of another witness"), "{foreign}");
    for file in fs::read_dir(disk.list()).unwrap().map(|item| item.unwrap().path()) {
        if file.extension().is_some_and(|ending| ending == "signed") {
            let mut bent = fs::read(&file).unwrap();
            bent[30] ^= 1;
            fs::write(&file, bent).unwrap();
            assert!(disk.open().unwrap_err().to_string().contains("must not start"));
        }
    }
}

/// Each write of a cosignature, and the process gone after it: the next start loses nothing that left, and holds
/// nothing back.
#[test]
fn a_crash_between_any_two_writes_is_no_loss() {
    let (disk, honest) = (Disk::new(), History::new(40, 40, 0));
    let copies = |step: usize| {
        let (state, list) = (format!("state-{step}"), format!("list-{step}"));
        (disk.keep_copy(&disk.state(), &state), disk.keep_copy(&disk.list(), &list))
    };
    let mut kept = vec![copies(0)];
    for (step, (old, new)) in [(1, (0, 10)), (2, (10, 30))] {
        assert_eq!(disk.status(&honest.request(old, new)), 200);
        kept.push(copies(step));
    }
    for step in 0..2 {
        // The state of the step is written, its entry of the list is not.
        empty(&disk.state());
        empty(&disk.list());
        copy_files(&kept[step + 1].0, &disk.state());
        copy_files(&kept[step].1, &disk.list());
        let opened = disk.open().unwrap();
        assert_eq!(opened.lost().count(), 0, "step {step}");
        let size = [10, 30][step];
        assert_eq!(opened.logs().next(), Some((ORIGIN, Some(size as u64))));
        drop(opened);
        assert_eq!(disk.status(&honest.request(size, 40)), 200, "step {step}");
    }
}
