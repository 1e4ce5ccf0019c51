//! What the judge finds of what the simulated casino plants, and what it says of honest play: the figures of
//! `docs/detection.md`.
//!
//! `detection faults FROM TO` prints the matrix of every fault under every built-in rulebook with the seeds from
//! FROM up to TO; `detection pairs SEED` prints how many pairs of faults are both found, `detection pair` the
//! recorded lines of one; `detection honest COUPS` judges so many honest coups. Whatever is reported differently than promised goes to standard error.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is what a command does")]

#[path = "../tests/detection/mod.rs"]
mod detection;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use baccarat::Rulebook;
use casino::{Fault, Plan, simulate};
use detection::{
    Detection, MoneyDetection, PairDetection, detection_of_pair, judge, pairs, play, play_pair, rulebooks,
};
use rayon::prelude::*;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u64>().ok());
    match (arguments.first().map(String::as_str), number(1), number(2)) {
        (Some("faults"), Some(from), Some(to)) => faults(from..to, arguments.get(3).map(String::as_str)),
        (Some("pairs"), Some(seed), _) => all_pairs(seed, arguments.get(2).map(String::as_str)),
        (Some("pair"), Some(seed), _) if arguments.len() == 5 => return recorded(seed, &arguments[2..]),
        (Some("honest"), Some(coups), _) => honest(coups),
        _ => {
            eprintln!(
                "detection faults FROM TO [FAULT] | pairs SEED [RULEBOOK] | pair SEED RULEBOOK FAULT SECOND | honest COUPS"
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// How often each property held for one fault.
#[derive(Debug, Default)]
struct Row {
    rulebooks: u64,
    plays: u64,
    found: u64,
    at_its_event: u64,
    code: u64,
    exact: u64,
    rest: u64,
    open: u64,
    none: u64,
    alone: u64,
    verdicts: u64,
}

impl Row {
    fn add(&mut self, detection: &Detection) {
        self.plays += 1;
        self.found += u64::from(detection.found);
        self.at_its_event += u64::from(detection.at_its_event);
        self.code += u64::from(detection.code);
        self.alone += u64::from(detection.alone);
        self.verdicts += u64::from(detection.verdicts);
        match detection.money {
            MoneyDetection::None => self.none += 1,
            MoneyDetection::Exact => self.exact += 1,
            MoneyDetection::Rest => self.rest += 1,
            MoneyDetection::Open => self.open += 1,
            MoneyDetection::Other => {}
        }
    }

    fn merge(&mut self, other: &Self) {
        self.rulebooks += other.rulebooks;
        self.plays += other.plays;
        self.found += other.found;
        self.at_its_event += other.at_its_event;
        self.code += other.code;
        self.exact += other.exact;
        self.rest += other.rest;
        self.open += other.open;
        self.none += other.none;
        self.alone += other.alone;
        self.verdicts += other.verdicts;
    }

    fn of(&self, count: u64) -> String {
        if count == self.plays { "all".to_owned() } else { format!("{count}") }
    }

    fn money(&self) -> String {
        let reported = [(self.exact, "exact"), (self.rest, "certain part"), (self.open, "open")];
        let other = self.plays - self.none - self.exact - self.rest - self.open;
        let reported = reported.into_iter().chain([(other, "other")]).filter(|(count, _)| *count > 0);
        let reported: Vec<String> = reported
            .map(
                |(count, what)| if count == self.plays { what.to_owned() } else { format!("{count} {what}") },
            )
            .collect();
        if reported.is_empty() { "none moves".to_owned() } else { reported.join(", ") }
    }

    fn cells(&self) -> String {
        let Self { rulebooks, plays, found, at_its_event, code, alone, verdicts, .. } = self;
        let counts = [found, at_its_event, code].map(|count| self.of(*count)).join(" | ");
        let after = [alone, verdicts].map(|count| self.of(*count)).join(" | ");
        format!("{rulebooks} | {plays} | {counts} | {} | {after} |", self.money())
    }
}

/// The matrix of every fault, by the family of the finding it leads to.
fn faults(seeds: std::ops::Range<u64>, only: Option<&str>) {
    let books = rulebooks();
    let asked = |fault: &&Fault| only.is_none_or(|only| fault.code() == only);
    let done = AtomicU64::new(0);
    let rows: Vec<(Fault, Row)> = Fault::ALL
        .par_iter()
        .filter(asked)
        .map(|&fault| {
            let row = row(&books, fault, seeds.clone());
            eprint!("\r{} faults", done.fetch_add(1, Ordering::Relaxed) + 1);
            (fault, row)
        })
        .collect();
    eprintln!();
    print_matrix(&rows);
}

fn row(books: &[Rulebook], fault: Fault, seeds: std::ops::Range<u64>) -> Row {
    let mut row = Row::default();
    for book in books.iter().filter(|book| fault.applies_to(book)) {
        row.rulebooks += 1;
        for (seed, varied) in seeds.clone().flat_map(|seed| [(seed, false), (seed, true)]) {
            let (planted, judgement) = play(book, fault, seed, varied);
            let reported = Detection::of(&planted, &judgement);
            if !reported.is_exact() {
                eprintln!("\n{} under {} seed {seed} varied {varied}: {reported:?}", fault.code(), book.id);
                eprintln!("{planted:#?} {:#?}", judgement.findings);
            }
            row.add(&reported);
        }
    }
    row
}

fn print_matrix(rows: &[(Fault, Row)]) {
    let mut all = Row::default();
    for (family, codes) in families() {
        let of_it = rows.iter().filter(|(fault, _)| codes.contains(&fault.finding()));
        let of_it: Vec<&(Fault, Row)> = of_it.collect();
        if of_it.is_empty() {
            continue;
        }
        println!("### {family}\n");
        println!(
            "| fault | finding | rulebooks | plays | found | at its event | code | money | nothing else | verdicts |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|");
        for (fault, row) in of_it {
            println!("| `{}` | `{}` | {}", fault.code(), fault.finding(), row.cells());
            all.merge(row);
        }
        println!();
    }
    println!("### All\n");
    println!(
        "| faults | plays | found | at its event | code | money exact | certain part | open | none moves | nothing else | verdicts |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let Row { plays, found, at_its_event, code, exact, rest, open, none, alone, verdicts, .. } = all;
    println!(
        "| {} | {plays} | {found} | {at_its_event} | {code} | {exact} | {rest} | {open} | {none} | {alone} | {verdicts} |",
        rows.len()
    );
}

/// The headings of `docs/findings.md` with the codes below each.
fn families() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut families: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in include_str!("../../docs/findings.md").lines() {
        if line.starts_with("##") {
            families.push((line.trim_start_matches('#').trim(), Vec::new()));
        } else if let Some(code) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next())
            && let Some((_, codes)) = families.last_mut()
        {
            codes.push(code);
        }
    }
    families
}

/// Every pair of faults under every rulebook, or under one.
fn all_pairs(seed: u64, only: Option<&str>) {
    println!(
        "| rulebook | pairs | planted | both found | reported as one | reported otherwise | explained | hidden |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut sums = [0; 7];
    for book in rulebooks().into_iter().filter(|book| only.is_none_or(|only| book.id.as_str() == only)) {
        let pairs = pairs(&book);
        let detections: Vec<PairDetection> =
            pairs.par_iter().filter_map(|&pair| pair_of(&book, pair, seed)).collect();
        let count =
            |fits: fn(&PairDetection) -> bool| detections.iter().filter(|finding| fits(finding)).count();
        let row = [
            pairs.len(),
            detections.len(),
            count(|finding| *finding == PairDetection::Both),
            count(|finding| *finding == PairDetection::Together),
            count(|finding| *finding == PairDetection::Otherwise),
            count(|finding| *finding == PairDetection::Explained),
            count(|finding| matches!(finding, PairDetection::Hidden(_))),
        ];
        println!("| `{}` | {} |", book.id, row.map(|count| count.to_string()).join(" | "));
        sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
    }
    println!("| all | {} |", sums.map(|count| count.to_string()).join(" | "));
}

fn pair_of(book: &Rulebook, (fault, second): (Fault, Fault), seed: u64) -> Option<PairDetection> {
    let (planted, judgement) = play_pair(book, fault, second, seed)?;
    let reported = detection_of_pair(&planted, &judgement);
    if let PairDetection::Hidden(unseen) = &reported {
        eprintln!("{} {} {} {unseen:?}", book.id, fault.code(), second.code());
        for planted in &planted {
            eprintln!(
                "    planted {:?} seq {} coup {:?} money {:?}",
                planted.fault, planted.sequence, planted.coup, planted.money
            );
        }
        for found in judgement.findings.iter().take(5) {
            eprintln!(
                "    reported {:?} seq {} coup {:?} {} / {} money {:?}",
                found.code, found.sequence, found.coup, found.expected, found.recorded, found.money
            );
        }
    }
    Some(reported)
}

/// Prints what is recorded where two faults are planted.
fn recorded(seed: u64, named: &[String]) -> ExitCode {
    let fault = |code: &String| Fault::ALL.iter().copied().find(|fault| fault.code() == code);
    let book = rulebooks().into_iter().find(|book| book.id.as_str() == named[0]);
    let (Some(book), Some(first), Some(second)) = (book, fault(&named[1]), fault(&named[2])) else {
        eprintln!("expected a built-in rulebook and the codes of two faults (audit simulate --list-faults)");
        return ExitCode::from(2);
    };
    let plan = Plan { seed, fault: Some(first), second: Some(second), ..Plan::new(book) };
    let texts: Result<Vec<String>, _> = simulate(&plan).lines.map(|line| line.to_json()).collect();
    match texts {
        Ok(texts) => texts.iter().for_each(|text| println!("{text}")),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// What came of honest coups and shoes.
#[derive(Debug, Default, Clone, Copy)]
struct Honest {
    coups: u64,
    certified: u64,
    undecided: u64,
    shoes: u64,
    accused: u64,
}

impl Honest {
    const fn plus(self, other: Self) -> Self {
        Self {
            coups: self.coups + other.coups,
            certified: self.certified + other.certified,
            undecided: self.undecided + other.undecided,
            shoes: self.shoes + other.shoes,
            accused: self.accused + other.accused,
        }
    }
}

/// Plays and judges honest tables of ten shoes, as many seeds at a time as there are rulebooks, until enough coups
/// were judged.
fn honest(coups: u64) {
    let books = rulebooks();
    let mut by_book: BTreeMap<String, Honest> = BTreeMap::new();
    let mut all = Honest::default();
    for seed in 0.. {
        let reported: Vec<(String, Honest)> =
            books.par_iter().map(|book| (book.id.to_string(), honest_table(book, seed))).collect();
        for (id, reported) in reported {
            let sum = by_book.entry(id).or_default();
            *sum = sum.plus(reported);
            all = all.plus(reported);
        }
        eprint!("\rseed {seed}: {} coups judged, {} findings", all.coups, all.accused);
        if all.coups >= coups {
            break;
        }
    }
    eprintln!();
    print_honest(&by_book, all);
}

fn honest_table(book: &Rulebook, seed: u64) -> Honest {
    let plan = Plan { shoes: 10, seed, varied: seed % 2 == 1, ..Plan::new(book.clone()) };
    let judgement = judge(simulate(&plan).lines);
    let accused = judgement.findings.len() as u64;
    if accused > 0 {
        eprintln!("\n{} seed {seed}: {:#?}", book.id, judgement.findings);
    }
    let coups = judgement.summary.coups;
    Honest {
        coups: coups.certified + coups.violated + coups.undecided,
        certified: coups.certified,
        undecided: coups.undecided,
        shoes: judgement.summary.shoes.certified,
        accused,
    }
}

fn print_honest(by_book: &BTreeMap<String, Honest>, all: Honest) {
    println!(
        "| rulebook | shoes certified | coups | certified | undecided | findings |\n|---|---|---|---|---|---|"
    );
    let rows = by_book.iter().map(|(id, reported)| (format!("`{id}`"), *reported));
    for (id, reported) in rows.chain([("all".to_owned(), all)]) {
        let Honest { coups, certified, undecided, shoes, accused } = reported;
        println!("| {id} | {shoes} | {coups} | {certified} | {undecided} | {accused} |");
    }
}
