//! A follower that was stopped says the same as one that reads the whole log at once. It rejects a log
//! other than the one it certified. It begins anew when its folder is damaged.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

use casino::{Fault, Plan, simulate};
use events::encode_payload;
use follower::{Begun, Filter, FollowError, Follower};
use replay::Footprint;
use sealed_log::store::{MemoryStore, StoreReader as _};
use sealed_log::writer::{LogWriter, MemoryCheckpoint, Submission};
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::{SigningKey, VerifierKey};

struct Log {
    entries: Vec<Vec<u8>>,
    checkpoints: Vec<SignedCheckpoint>,
    key: VerifierKey,
}

fn log_of(seed: u8, fault: Fault) -> Log {
    let key = SigningKey::from_seed("casino.example/a", &[seed; 32]).unwrap();
    let verifier = key.verifier_key();
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key, None).unwrap();
    let plan = Plan {
        seed: 7,
        tables: 3,
        shoes: 2,
        fault: Some(fault),
        ..Plan::new(baccarat::builtin("mini-punto-banco").unwrap())
    };
    let mut checkpoints = Vec::new();
    let lines: Vec<_> = simulate(&plan).lines.collect();
    for lines in lines.chunks(37) {
        let submissions: Vec<Submission> = lines
            .iter()
            .map(|line| Submission {
                producer: "audit-ingest:pit".parse().unwrap(),
                chain: line.table.as_str().parse().unwrap(),
                first: line.sequence,
                count: 1,
                received_at: 0,
                payload: encode_payload(&[line.clone().into_event()]).unwrap(),
            })
            .collect();
        checkpoints.push(writer.append(&submissions).unwrap().signed.as_ref().clone());
    }
    let store = writer.reader();
    let mut entries = Vec::new();
    while (entries.len() as u64) < store.size() {
        entries.extend(store.read(entries.len() as u64, 4_096).unwrap());
    }
    Log { entries, checkpoints, key: verifier }
}

/// Follows up to a checkpoint.
fn follow(follower: &mut Follower, log: &Log, index: usize) {
    let signed = &log.checkpoints[index];
    let (from, to) = (follower.size() as usize, signed.checkpoint().size as usize);
    follower.read(&log.entries[from..to]).unwrap();
    follower.reach(signed).unwrap();
}

/// Everything a follower reports, in one text.
fn output(follower: &Follower) -> String {
    let certificate = follower.certificate().unwrap();
    let tables: Vec<_> = follower.tables_after("").collect();
    let shoes: Vec<_> = tables.iter().map(|table| follower.shoes(&table.table)).collect();
    let page = follower.findings().page(&Filter::default(), 0, 10_000).unwrap();
    let findings = serde_json::to_string(&certificate.findings).unwrap();
    format!("{}\n{findings}\n{tables:?}\n{shoes:?}\n{page:?}", serde_json::to_string(&certificate).unwrap())
}

#[test]
fn wherever_it_is_stopped_it_says_the_same() {
    let log = log_of(1, Fault::ALL[0]);
    let last = log.checkpoints.len() - 1;
    let whole = tempfile::tempdir().unwrap();
    let (mut straight, begun) = Follower::open(whole.path(), log.key.clone()).unwrap();
    assert_eq!(begun, Begun::Anew(None));
    follow(&mut straight, &log, last);
    let expected = output(&straight);
    assert!(straight.findings().published() > 0);
    for stop in (0..last).step_by(3) {
        let folder = tempfile::tempdir().unwrap();
        let (mut follower, _) = Follower::open(folder.path(), log.key.clone()).unwrap();
        (0..=stop).for_each(|index| follow(&mut follower, &log, index));
        follower.save().unwrap();
        // What comes after the last certificate is read again.
        follow(&mut follower, &log, stop + 1);
        drop(follower);
        let (mut follower, begun) = Follower::open(folder.path(), log.key.clone()).unwrap();
        assert_eq!(begun, Begun::From(log.checkpoints[stop].checkpoint().size));
        follow(&mut follower, &log, last);
        assert_eq!(output(&follower), expected, "stopped at {stop}");
    }
}

/// A log of more tables than fit in memory ends live certification, also after it was saved and loaded.
#[test]
fn what_its_judge_takes_has_a_limit() {
    let log = log_of(1, Fault::ALL[0]);
    let last = log.checkpoints.len() - 1;
    let folder = tempfile::tempdir().unwrap();
    let open = |most| Follower::open(folder.path(), log.key.clone()).unwrap().0.within(most);
    let enough = Footprint { tables: 3, bytes: u64::MAX };
    follow(&mut open(enough), &log, last);
    for most in [Footprint { tables: 2, ..enough }, Footprint { bytes: 10_000, ..enough }] {
        let size = log.checkpoints[last].checkpoint().size as usize;
        let full = open(most).read(&log.entries[..size]).unwrap_err();
        assert!(matches!(full, FollowError::Full), "{full}");
    }
    let mut follower = open(enough);
    follow(&mut follower, &log, last - 1);
    follower.save().unwrap();
    let mut loaded = open(Footprint { bytes: 10_000, ..enough });
    let from = loaded.size() as usize;
    assert!(from > 0);
    let full = loaded.read(&log.entries[from..=from]).unwrap_err();
    assert!(matches!(full, FollowError::Full), "{full}");
}

#[test]
fn another_log_than_the_one_it_certified_does_not_pass() {
    let (log, other) = (log_of(1, Fault::ALL[0]), log_of(1, Fault::ALL[5]));
    let folder = tempfile::tempdir().unwrap();
    let (mut follower, _) = Follower::open(folder.path(), log.key.clone()).unwrap();
    let last = log.checkpoints.len() - 1;
    follow(&mut follower, &log, last - 1);
    follower.save().unwrap();
    let size = follower.size() as usize;
    let shorter = follower.reach(&log.checkpoints[0]).unwrap_err();
    assert!(matches!(shorter, FollowError::Seal(_)), "{shorter}");
    let (mut follower, _) = Follower::open(folder.path(), log.key.clone()).unwrap();
    let rewritten = follower
        .read(&other.entries[size..])
        .and_then(|()| follower.reach(other.checkpoints.last().unwrap()).map(drop));
    assert!(matches!(rewritten.unwrap_err(), FollowError::Seal(_)));
    let stranger = log_of(2, Fault::ALL[0]);
    let (mut follower, _) = Follower::open(folder.path(), log.key.clone()).unwrap();
    follower.read(&log.entries[size..]).unwrap();
    let unsigned = follower.reach(stranger.checkpoints.last().unwrap()).unwrap_err();
    assert!(matches!(unsigned, FollowError::Checkpoint(_)), "{unsigned}");
}

#[test]
fn a_damaged_folder_is_begun_anew_and_said_so() {
    let log = log_of(1, Fault::ALL[0]);
    let folder = tempfile::tempdir().unwrap();
    let (mut follower, _) = Follower::open(folder.path(), log.key.clone()).unwrap();
    let last = log.checkpoints.len() - 1;
    follow(&mut follower, &log, last);
    follower.save().unwrap();
    let expected = output(&follower);
    drop(follower);
    let file = folder.path().join("certificate.json");
    let sound = fs::read(&file).unwrap();
    for byte in (0..sound.len()).step_by(sound.len() / 40).chain([sound.len() - 1]) {
        let mut struck = sound.clone();
        struck[byte] ^= 1;
        fs::write(&file, &struck).unwrap();
        let (mut follower, begun) = Follower::open(folder.path(), log.key.clone()).unwrap();
        if matches!(begun, Begun::From(_)) {
            assert_eq!(byte, sound.len() - 1, "the line's end alone means nothing");
            continue;
        }
        assert!(matches!(begun, Begun::Anew(Some(_))), "{byte}");
        follow(&mut follower, &log, last);
        assert_eq!(output(&follower), expected);
        follower.save().unwrap();
    }
    fs::write(&file, &sound).unwrap();
    // Findings that are missing, and findings that somebody changed.
    let findings = folder.path().join("findings.ndjson");
    let found = fs::read_to_string(&findings).unwrap();
    let milder = found.replacen("violation", "vioIation", 1);
    for changed in [String::new(), milder, found.clone()] {
        fs::write(&file, &sound).unwrap();
        fs::write(&findings, &changed).unwrap();
        let (_, begun) = Follower::open(folder.path(), log.key.clone()).unwrap();
        assert_eq!(matches!(begun, Begun::Anew(Some(_))), changed != found, "{begun:?}");
    }
    // Something else under the name of either file. A pipe would be waited for.
    type Make = fn(&Path);
    let others: [Make; 4] = [
        |path| fs::create_dir(path).unwrap(),
        |path| fs::create_dir_all(path.join("not/empty")).unwrap(),
        |path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        |path| std::os::unix::fs::symlink("/dev/zero", path).unwrap(),
    ];
    for name in [&findings, &file] {
        for make in others {
            fs::write(&file, &sound).unwrap();
            fs::write(&findings, &found).unwrap();
            fs::remove_file(name).unwrap();
            make(name);
            let (mut follower, begun) = Follower::open(folder.path(), log.key.clone()).unwrap();
            assert!(matches!(begun, Begun::Anew(Some(_))), "{begun:?}");
            follow(&mut follower, &log, last);
            assert_eq!(output(&follower), expected);
            follower.save().unwrap();
        }
    }
}

#[test]
fn what_a_killed_program_was_saving_is_removed() {
    let log = log_of(1, Fault::ALL[0]);
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join(".certificate-a1b2c3");
    fs::write(&left, "{").unwrap();
    drop(Follower::open(folder.path(), log.key).unwrap());
    assert!(!left.exists());
}

#[test]
fn findings_are_paged_and_filtered() {
    let log = log_of(1, Fault::ALL[0]);
    let folder = tempfile::tempdir().unwrap();
    let (mut follower, _) = Follower::open(folder.path(), log.key.clone()).unwrap();
    follower.read(&log.entries).unwrap();
    let findings = follower.findings();
    assert_eq!(findings.page(&Filter::default(), 0, 10).unwrap().lines, [], "no checkpoint covers them yet");
    let count = follower.reach(log.checkpoints.last().unwrap()).unwrap();
    let all = findings.page(&Filter::default(), 0, 1_000).unwrap();
    assert_eq!((all.lines.len() as u64, all.next, all.published), (count, count, count));
    let mut by_one = Vec::new();
    let mut after = 0;
    while after < count {
        let page = findings.page(&Filter::default(), after, 1).unwrap();
        after = page.next;
        by_one.extend(page.lines);
    }
    assert_eq!(by_one, all.lines);
    let none = Filter { table: Some("no such".to_owned()), ..Filter::default() };
    assert_eq!(findings.page(&none, 0, 10).unwrap().lines, []);
    // Whoever has seen more than there is keeps what it has seen: going back would show findings twice.
    for after in [count, count + 1, u64::MAX] {
        let page = findings.page(&Filter::default(), after, 10).unwrap();
        assert_eq!((page.lines, page.next, page.published), (Vec::new(), after, count));
    }
}
