//! A little fuzzing without a fuzzer: every parser of outside bytes over mutations of its seeds, the same on every run.
//!
//! Each target gets a part of a second; `AUDIT_FUZZ_SECONDS=2` gives it two. How many mutations that is depends on the
//! machine, which they are does not: a failure names its number, and comes again.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use audit_tests::fuzzing::{TARGETS, Target};
use audit_tests::mutations::{Xorshift, mutated};

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

fn fuzz(name: &str, target: Target, time: Duration) -> u64 {
    let (seeds, mut dice, began) = (seeds(name), Xorshift::new(0x005e_ed0f_a0d1), Instant::now());
    let mut count = 0;
    while count < 3 || began.elapsed() < time {
        let (seed, other) = (&seeds[dice.below(seeds.len())], &seeds[dice.below(seeds.len())]);
        let bytes = mutated(seed, other, &mut dice);
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| target(&bytes)));
        let took = started.elapsed();
        if outcome.is_err() || took > Duration::from_secs(60) {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            panic!("{name}, mutation {count} of its seeds, after {took:?}: {hex}");
        }
        count += 1;
    }
    count
}

#[test]
fn nothing_that_is_mutated_breaks_a_parser() {
    let seconds = std::env::var("AUDIT_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(0.25);
    // Each takes its time and no more: two halves at once take half as long.
    let fuzz_all = |targets: &[(&str, Target)]| {
        for (name, target) in targets {
            let count = fuzz(name, *target, Duration::from_secs_f64(seconds));
            eprintln!("{name}: {count} mutations");
        }
    };
    thread::scope(|scope| {
        TARGETS.chunks(TARGETS.len().div_ceil(2)).for_each(|half| drop(scope.spawn(|| fuzz_all(half))));
    });
}
