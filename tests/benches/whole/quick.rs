//! Each step's time against one core's hashing of the same entries: a ratio says more than a time, for both are
//! taken on the same machine in the same run. Nothing is asserted.
#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use sealed_log::archive::ArchiveSource;
use sealed_log::reader::{EntrySource, Step};

use super::{EntryOf, Evening, all_entries, check_seal, decode_all, evening, hash_all, judge_all, verify};

/// Each step is taken so often, and its shortest time counts.
const ROUNDS: usize = 7;

/// Prints the ratios with entries of a coup and of an event, on one thread and on two.
pub(super) fn print() {
    println!("profile {}", profile());
    for (name, shoes, entry_of) in [("a coup", 6, EntryOf::Coup), ("an event", 2, EntryOf::Event)] {
        let evening = evening(shoes, entry_of);
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            println!("{} events, {name} an entry, {threads} thread(s):", evening.events);
            pool.install(|| of(&evening));
        }
    }
}

/// The profile that this bench was built with: the folder below cargo's target that it lies in.
fn profile() -> String {
    let program = std::env::current_exe().unwrap();
    let folder = program.ancestors().nth(2).and_then(|folder| folder.file_name());
    let name = folder.unwrap_or_default().to_string_lossy().into_owned();
    if name == "debug" { "dev (its ratios are no figures to state)".to_owned() } else { name }
}

fn of(evening: &Evening) {
    let entries = all_entries(evening);
    let hashing = shortest(|| hash_all(&entries));
    let bytes = entries.iter().map(Vec::len).sum::<usize>() as u128;
    for (step, time) in [
        ("hash", hashing),
        ("read the archive", shortest(|| read(evening))),
        ("read it and check the seal", shortest(|| check_seal(evening))),
        ("decode", shortest(|| decode_all(evening))),
        ("decode and judge", shortest(|| judge_all(&entries))),
        ("verify the whole", shortest(|| verify(evening))),
    ] {
        let ratio = time.as_nanos() * 100 / hashing.as_nanos().max(1);
        let nanos = time.as_nanos() / u128::from(evening.events.max(1));
        let (whole, hundredths) = (ratio / 100, ratio % 100);
        let megabytes = bytes * 1_000 / time.as_nanos().max(1);
        println!(
            "  {step:<28} {whole:>3}.{hundredths:02} times hashing, {nanos:>4} ns an event, {megabytes:>6} MB of entries a second"
        );
    }
}

/// Reads the archive's blocks, packed as they are.
fn read(evening: &Evening) {
    let mut source = ArchiveSource::new(&evening.archive[..]).unwrap();
    loop {
        match source.next_step().unwrap() {
            Step::End => return,
            step @ (Step::Block(_) | Step::LeftOut(_) | Step::Fault(_)) => drop(black_box(step)),
        }
    }
}

fn shortest(step: impl Fn()) -> Duration {
    let time = || {
        let begin = Instant::now();
        step();
        begin.elapsed()
    };
    (0..ROUNDS).map(|_| time()).min().unwrap_or_default()
}
