//! Files that people write, changed at random, the same way on every run: lists of coups and settings. Whatever they say, the
//! program ends by itself, with a message where it cannot go on.
//!
//! Their readers are parts of the program and of no library, so no fuzzer calls them: the built program does it, sixty
//! times, and as often as it can in `AUDIT_FUZZ_SECONDS`.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use crate::command::TestFolder;

/// Marsaglia's xorshift64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

const PARTS: [&[u8]; 14] = [
    b"\0",
    b"\n",
    b"\r",
    b"\"",
    b",",
    b";",
    b"[",
    b"=",
    b"\xff",
    b"-1",
    b"99999999999999999999",
    b"p3",
    b"''",
    b"\x1b[2J",
];

fn mutated(seed: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len());
        let end = (at + dice.below(12)).min(bytes.len());
        match dice.below(4) {
            0 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(
                at..at,
                seed[at.min(seed.len())..end.min(seed.len()).max(at.min(seed.len()))].to_vec(),
            )),
            _ => drop(bytes.splice(at..end, PARTS[dice.below(PARTS.len())].iter().copied())),
        }
    }
    bytes
}

/// Fewest runs of each.
const RUNS: usize = 60;

/// Runs a command on mutations of a file; every status is one of these, and a failure says something.
fn holds(seed: &[u8], file: &str, arguments: &[&str], statuses: &[i32]) {
    let seconds = std::env::var("AUDIT_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let (time, began) = (Duration::from_secs_f64(seconds.unwrap_or(0.0)), Instant::now());
    let folder = TestFolder::new();
    let mut dice = Dice(0x0a0d_17f0_22ed);
    for run in 0.. {
        if run >= RUNS && began.elapsed() >= time {
            break;
        }
        let bytes = if run == 0 { seed.to_vec() } else { mutated(seed, &mut dice) };
        folder.write(file, &bytes);
        let output = folder.run(arguments);
        let (status, said) = (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned());
        let text = String::from_utf8_lossy(&bytes);
        assert!(status.is_some_and(|status| statuses.contains(&status)), "{status:?} {said}\n{text}");
        assert!(status == Some(0) || !said.trim().is_empty(), "run {run} says nothing\n{text}");
        assert!(run > 0 || status == Some(0), "the seed itself: {said}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn lists_of_coups() {
    let seed = b"shoe,coup,p1,p2,p3,b1,b2,b3,winner,punto_total,banca_total\n\
        1,1,9D,KH,,2C,5S,,punto,9,7\n1,2,2D,3H,4S,7C,KS,,punto,9,7\n2,1,AD,AH,5S,2C,3S,QD,punto,7,5\n";
    let import = ["import", "coups-csv", "coups.csv", "--rulebook", "punto-banco"];
    holds(seed, "coups.csv", &import, &[0, 2, 4]);
    let seed =
        b"\xef\xbb\xbf\"coup\";\"p1\";p2;p3;b1;b2;b3;note\r\n1;9;10;;2;5;;\"a;b\"\r\n;TS;QH;A;4D;JC;3H;\r\n";
    holds(seed, "coups.csv", &import, &[0, 2, 4]);
}

/// The position of a card has 16 bits, and the number of a coup 32: a list without either, or with too much of it, is
/// refused where it is too long.
#[test]
fn a_shoe_without_end_is_refused_at_its_line() {
    let folder = TestFolder::new();
    let said = |list: String| {
        folder.write("coups.csv", list);
        let output = folder.run(&["import", "coups-csv", "coups.csv", "--rulebook", "punto-banco"]);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (status, text) = said(format!("shoe,p1,p2,b1,b2\n{}", "A,9D,KH,2C,5S\n".repeat(16_384)));
    assert_eq!(status, Some(4), "{text}");
    assert!(text.contains("coups.csv:16385: shoe A has more than 65535 cards"), "{text}");
    let (status, text) = said(format!(
        "shoe,coup,p1,p2,b1,b2\nA,{},9D,KH,2C,5S\n{}",
        u32::MAX - 1,
        "A,,9D,KH,2C,5S\n".repeat(2)
    ));
    assert_eq!(status, Some(4), "{text}");
    assert!(text.contains("coups.csv:4: no coup number is left after 4294967295"), "{text}");
}

#[test]
fn settings() {
    let seed = b"log = \"log\"\nlisten = \"127.0.0.1:0\"\nmax-body = 1048576\nmax-posts = 4\nhost = [\"a.example\"]\n";
    let print = ["serve", "--config", "audit.toml", "--print-config"];
    holds(seed, "audit.toml", &print, &[0, 2, 4]);
    let seed = b"# ours\n\"log\" = 'log' # the folder\nlisten = \"\"\"127.0.0.1:\\u0030\"\"\"\nmax-posts = 4_0\nhost = [\n  'a.example',\n  \"b.example\", # two\n]\n";
    holds(seed, "audit.toml", &print, &[0, 2, 4]);
}
