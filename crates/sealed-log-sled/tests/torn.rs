//! Power cuts simulated below sled: a log's files are put back to any earlier flush and to every kind
//! of state in between, sector by sector. What then opens holds all that was acknowledged, or it does
//! not open and says why.
//!
//! `cargo test --release -p sealed-log-sled --test processes torn:: -- --ignored` tears some thousand times.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sealed_log::store::StoreReader;
use sealed_log::store::contract::Dice;
use sealed_log_sled::LogFolder;

use crate::support::{Maker, files, key, read_all, submission};

/// What a disk writes in one piece, bytes.
const SECTOR: usize = 512;
const OPENER: &str = "TORN_LOG";
/// However torn, an answer comes in this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// A log's files at one moment.
#[derive(Clone)]
struct State {
    /// How many entries were acknowledged by then.
    acknowledged: u64,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// Without the text of the checkpoint, which is written later and hangs on nothing.
fn state(folder: &Path, acknowledged: u64) -> State {
    let read = |path: PathBuf| (path.strip_prefix(folder).unwrap().to_owned(), fs::read(path).unwrap());
    let is_text = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("checkpoint");
    let files = files(folder).into_iter().filter(|path| !is_text(path)).map(read).collect();
    State { acknowledged, files }
}

/// The log's files after every acknowledgement: single entries, handfuls and hundreds, with a clean
/// stop in the middle.
fn history(appends: u64) -> Vec<State> {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("log");
    let mut writer = LogFolder::new(&folder).open_writer(key()).unwrap();
    let mut states = vec![state(&folder, 0)];
    let mut size = 0;
    for number in 0..appends {
        if number == appends / 2 {
            drop(writer);
            writer = LogFolder::new(&folder).open_writer(key()).unwrap();
        }
        let count = [1, 1, 2, 7, 60, 300][(number % 6) as usize];
        let submissions: Vec<_> = (size..size + count).map(submission).collect();
        writer.append(&submissions).unwrap();
        size += count;
        states.push(state(&folder, size));
    }
    states
}

fn lay_out(folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) {
    fs::create_dir_all(folder.join("store/blobs")).unwrap();
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Files whose every sector, length and being there is that of one of the states, by chance.
fn torn(states: &[State], dice: &mut Dice) -> BTreeMap<PathBuf, Vec<u8>> {
    let names: BTreeSet<&PathBuf> = states.iter().flat_map(|state| state.files.keys()).collect();
    let mut files = BTreeMap::new();
    for name in names {
        let versions: Vec<Option<&Vec<u8>>> = states.iter().map(|state| state.files.get(name)).collect();
        let pick = |dice: &mut Dice| versions[dice.below(versions.len() as u64) as usize];
        let Some(sized) = pick(dice) else { continue };
        let mut bytes = vec![0; sized.len()];
        for (number, sector) in bytes.chunks_mut(SECTOR).enumerate() {
            let from = number * SECTOR;
            if let Some(version) = pick(dice).filter(|version| version.len() > from) {
                let end = version.len().min(from + sector.len());
                sector[..end - from].copy_from_slice(&version[from..end]);
            }
        }
        files.insert(name.clone(), bytes);
    }
    files
}

/// What became of a log.
#[derive(Debug, PartialEq)]
enum Opened {
    /// It holds this many entries, the very ones that were handed in.
    Whole(u64),
    /// It did not open, and this is why.
    Refused(String),
}

/// Opens the log in another process, which may use two gigabytes and a minute.
fn open(folder: &Path) -> Opened {
    let order = "ulimit -v 2000000; exec \"$0\" --ignored --exact torn::opener --nocapture";
    let said = folder.with_extension("said");
    let mut child = Command::new("sh")
        .args(["-c", order])
        .arg(std::env::current_exe().unwrap())
        .env(OPENER, folder)
        .stdout(fs::File::create(&said).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let end = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("no answer within a minute: {}", folder.display());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let said = fs::read_to_string(said).unwrap();
    let answer = said.lines().find_map(|line| line.split_once("answer ").map(|(_, answer)| answer));
    let answer = answer.unwrap_or_else(|| panic!("it broke down without an answer: {said}"));
    match answer.split_once(' ').unwrap() {
        ("whole", size) => Opened::Whole(size.parse().unwrap()),
        ("refused", why) => Opened::Refused(why.to_owned()),
        (other, _) => panic!("{other}"),
    }
}

/// The other process. Without the test that starts it, it does nothing.
#[test]
#[ignore = "opens the log that the tests below have torn"]
fn opener() {
    let Some(folder) = std::env::var_os(OPENER) else { return };
    match LogFolder::new(Path::new(&folder)).open_writer(key()) {
        Ok(writer) => {
            let store = writer.reader();
            let entries = read_all(store).unwrap();
            let expected = Maker::default().next(store.size());
            assert!(entries.iter().eq(expected.entries.iter().map(|entry| &entry.bytes)), "other entries");
            println!("answer whole {}", store.size());
        }
        Err(error) => println!("answer refused {}", error.to_string().replace('\n', " ")),
    }
}

/// A fresh folder for each state.
struct Bench(tempfile::TempDir);

impl Bench {
    fn open(&self, files: &BTreeMap<PathBuf, Vec<u8>>) -> Opened {
        let folder = self.0.path().join("log");
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        lay_out(&folder, files);
        open(&folder)
    }
}

fn bench() -> Bench {
    Bench(tempfile::tempdir().unwrap())
}

const HEAD: &str = "head";

/// The store of one state under the kept checkpoint of another.
fn under(store: BTreeMap<PathBuf, Vec<u8>>, signed: &State) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = store;
    files.insert(HEAD.into(), signed.files[Path::new(HEAD)].clone());
    files
}

#[test]
fn every_flush_opens_with_all_that_was_acknowledged() {
    let (states, bench) = (history(24), bench());
    for state in &states {
        assert_eq!(bench.open(&state.files), Opened::Whole(state.acknowledged));
    }
}

/// The power goes while an append is written: each sector of what it changes is on the disk or not, and the
/// checkpoint outside the store is that of the append before, or of some appends before that.
fn tear_one_append(rounds: u64) {
    let (states, bench, mut dice) = (history(24), bench(), Dice::new(1));
    let (mut whole, mut refused) = (0, 0);
    for round in 0..rounds {
        let at = 1 + (round % (states.len() as u64 - 1)) as usize;
        let behind = dice.below(6).min(at as u64 - 1) as usize;
        let files = under(torn(&states[at - 1..=at], &mut dice), &states[at - 1 - behind]);
        match bench.open(&files) {
            Opened::Whole(size) => {
                let (least, most) = (states[at - 1].acknowledged, states[at].acknowledged);
                assert!((least..=most).contains(&size), "round {round}: {size}, {least} acknowledged");
                whole += 1;
            }
            Opened::Refused(why) => {
                // Not because it came back shorter: then an older checkpoint would have let it open so.
                assert!(why.len() > 20 && !why.contains("were signed for"), "round {round}: {why}");
                refused += 1;
            }
        }
    }
    println!("one append torn: {whole} whole, {refused} refused, none with less than was acknowledged");
}

/// A disk that said that it had written and had not: sectors of any of the last flushes, the newest
/// checkpoint kept.
fn tear_several_flushes(rounds: u64) {
    let (states, bench, mut dice) = (history(24), bench(), Dice::new(2));
    let (mut whole, mut refused) = (0, 0);
    for round in 0..rounds {
        let last = 2 + dice.below(states.len() as u64 - 2) as usize;
        let first = last - 1 - dice.below(last as u64 - 1).min(5) as usize;
        let files = under(torn(&states[first..=last], &mut dice), &states[last]);
        match bench.open(&files) {
            Opened::Whole(size) => {
                assert_eq!(size, states[last].acknowledged, "round {round}");
                whole += 1;
            }
            Opened::Refused(why) => {
                assert!(why.len() > 20, "round {round}: {why}");
                refused += 1;
            }
        }
    }
    println!("several flushes torn: {whole} whole, {refused} refused, none with less than was acknowledged");
}

#[test]
fn a_torn_append_takes_nothing_that_was_acknowledged() {
    tear_one_append(120);
}

#[test]
fn torn_flushes_take_nothing_in_silence() {
    tear_several_flushes(120);
}

#[test]
#[ignore = "slow: some thousand torn states"]
fn thousands_of_torn_states_take_nothing_in_silence() {
    tear_one_append(2_000);
    tear_several_flushes(2_000);
}

#[test]
fn an_earlier_flush_under_a_newer_checkpoint_is_refused() {
    let (states, bench, mut dice) = (history(24), bench(), Dice::new(3));
    for _ in 0..60 {
        let newer = 1 + dice.below(states.len() as u64 - 1) as usize;
        let older = dice.below(newer as u64) as usize;
        match bench.open(&under(states[older].files.clone(), &states[newer])) {
            Opened::Whole(size) => panic!("opened with {size}: {older} under the checkpoint of {newer}"),
            Opened::Refused(why) => {
                let (less, more) = (states[older].acknowledged, states[newer].acknowledged);
                assert!(why.contains(&less.to_string()) && why.contains(&more.to_string()), "{why}");
            }
        }
    }
}

/// The power goes while the checkpoint is written, after the store.
#[test]
fn a_checkpoint_torn_as_it_is_written_takes_nothing() {
    let (states, bench, mut dice) = (history(12), bench(), Dice::new(4));
    for at in 1..states.len() {
        for _ in 0..4 {
            let mut files = states[at].files.clone();
            let signed = torn(&states[at - 1..=at], &mut dice).remove(Path::new(HEAD)).unwrap();
            files.insert(HEAD.into(), signed);
            assert_eq!(bench.open(&files), Opened::Whole(states[at].acknowledged), "append {at}");
        }
    }
}

#[test]
fn a_checkpoint_that_is_cut_off_takes_nothing_and_without_one_a_log_is_refused() {
    let (states, bench) = (history(12), bench());
    let last = states.last().unwrap();
    let signed = &last.files[Path::new(HEAD)];
    for length in (0..signed.len()).step_by(211) {
        let mut files = last.files.clone();
        files.insert(HEAD.into(), signed[..length].to_vec());
        match bench.open(&files) {
            Opened::Whole(size) => assert_eq!(size, last.acknowledged, "{length} bytes of the checkpoint"),
            Opened::Refused(why) => assert!(why.contains("checkpoint"), "{why}"),
        }
    }
    let mut files = last.files.clone();
    files.remove(Path::new(HEAD));
    let Opened::Refused(why) = bench.open(&files) else { panic!("opened without a checkpoint") };
    assert!(why.contains("checkpoint"), "{why}");
}
