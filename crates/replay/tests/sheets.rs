//! Every code has call sheets: at least one that provokes it and one nearby that must not.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use replay::{Code, Entry, Finding, Judge, Severity, Verdict};

use crate::call_sheet::{self, Outcome};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets")
}

pub fn sheets() -> Vec<(String, String)> {
    let mut sheets: Vec<(String, String)> = fs::read_dir(folder())
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| {
            (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap())
        })
        .collect();
    sheets.sort();
    sheets
}

/// What a scenario comes to that it does not say.
pub fn differences(outcome: &Outcome) -> Vec<String> {
    let mut wrong = Vec::new();
    if outcome.found != outcome.expected {
        let said = |f: &Finding| {
            format!("{} {}: expected {}, recorded {}", f.sequence, f.code, f.expected, f.recorded)
        };
        let details: Vec<String> = outcome.judgement.findings.iter().map(said).collect();
        wrong.push(format!("  expected {:?}\n  found    {details:#?}", outcome.expected));
    }
    if let Some(expected) = outcome.owed_expected.as_ref().filter(|expected| **expected != outcome.owed) {
        wrong.push(format!("  owed {expected:?}\n  came to  {:?}", outcome.owed));
    }
    if let Some(expected) = outcome.at_least_expected.as_ref().filter(|seats| **seats != outcome.at_least) {
        wrong.push(format!("  at least {expected:?}\n  came to  {:?}", outcome.at_least));
    }
    if let Some(expected) = outcome.not_known_expected.as_ref().filter(|sum| **sum != outcome.not_known) {
        wrong.push(format!("  not known {expected}\n  came to  {}", outcome.not_known));
    }
    if let Some(expected) = outcome.verdict_expected.as_ref().filter(|verdict| **verdict != outcome.verdict) {
        let why = &outcome.judgement.summary.undecided;
        wrong.push(format!("  expected {expected}\n  came to  {} {why:?}", outcome.verdict));
    }
    wrong
}

#[test]
fn every_sheet_comes_to_what_it_says() {
    let mut wrong = Vec::new();
    for (file, text) in sheets() {
        for scenario in call_sheet::scenarios(&text) {
            let differs = differences(&scenario.run());
            wrong.extend(differs.into_iter().map(|differs| format!("{file}: {}\n{differs}", scenario.title)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An honest table whose systems write one name in several ways was accused in 75 of 80 coups, and a thief could be
/// two people.
#[test]
fn every_sheet_comes_to_the_same_however_its_names_are_spelled() {
    let mut unseen = 0;
    for (file, text) in sheets().into_iter().filter(|(file, _)| !file.starts_with("name-")) {
        for scenario in call_sheet::scenarios(&text) {
            let (mut outcome, mut respelled) = (scenario.run(), scenario.respelled().run());
            let before = respelled.found.len();
            respelled.found.retain(|(_, code)| code != "name-unseen");
            outcome.found.retain(|(_, code)| code != "name-unseen");
            unseen += before - respelled.found.len();
            assert_eq!(respelled.found, outcome.found, "{file}: {}", scenario.title);
            assert_eq!(respelled.verdict, outcome.verdict, "{file}: {}", scenario.title);
        }
    }
    assert!(unseen > 20, "{unseen}");
}

#[test]
fn every_code_has_a_sheet_that_provokes_it_and_one_that_does_not() {
    let names: BTreeSet<String> = sheets().into_iter().map(|(name, _)| name).collect();
    for code in Code::ALL {
        assert!(names.contains(code.as_str()), "no sheet {code}.sheet");
        let text = fs::read_to_string(folder().join(format!("{code}.sheet"))).unwrap();
        let provokes: Vec<bool> = call_sheet::scenarios(&text)
            .iter()
            .map(|scenario| scenario.run().expected.iter().any(|(_, found)| found == code.as_str()))
            .collect();
        assert!(provokes.contains(&true), "{code}.sheet does not provoke it");
        assert!(provokes.contains(&false), "{code}.sheet has no scenario nearby that must not");
    }
}

/// A page of findings: its codes, its reasons, and all of its text.
struct Page {
    codes: Vec<String>,
    reasons: Vec<String>,
    text: String,
}

impl Page {
    /// Reads the page of this name. The tables below `heading` list the reasons.
    fn read(name: &str, heading: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let (above, below) = text.split_once(heading).unwrap();
        let rows = |part: &str| {
            let rows = part.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
            rows.map(|(name, _)| name.to_owned()).collect()
        };
        Self { codes: rows(above), reasons: rows(below), text }
    }

    fn has_every_code_and_reason(&self) {
        let reasons: Vec<&str> = replay::Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(self.reasons, reasons);
        let rows: BTreeSet<&str> = self.codes.iter().map(String::as_str).collect();
        assert_eq!(rows, Code::ALL.iter().map(|code| code.as_str()).collect());
    }
}

#[test]
fn every_code_has_its_row_in_the_docs_and_no_row_is_left_over() {
    let page = Page::read("findings.md", "## Why");
    page.has_every_code_and_reason();
    for code in Code::ALL {
        assert!(page.text.contains(code.english()), "docs/findings.md does not say: {}", code.english());
    }
}

#[test]
fn the_spanish_page_has_the_rows_of_the_english_one_in_its_order() {
    let page = Page::read("hallazgos.md", "## Por qué");
    page.has_every_code_and_reason();
    assert_eq!(page.codes, Page::read("findings.md", "## Why").codes);
    for code in Code::ALL {
        let weight = match code.severity() {
            Severity::Violation => "infracción",
            Severity::Incomplete => "incompleto",
        };
        let row = format!("| `{code}` | {weight} | {} | {} |", code.spanish(), code.english());
        assert!(page.text.contains(&row), "docs/hallazgos.md has no row {row}");
    }
}

#[test]
fn a_wrong_draw_moved_what_the_same_cards_dealt_by_the_rules_would_have_returned() {
    let open = "open es-1979\nshoe\nburn 2H 2\nbet 1 seat 1 punto 1000\nbet 2 seat 2 punto 3000\nclosed\n";
    let cases = [
        (
            "cards P:6D B:2C P:KD B:5S P:2H!punto-drew\nsettle punto 8-7 1=2000 2=6000",
            vec![(1, 2_000), (2, 6_000)],
        ),
        (
            "cards P:6D B:6S P:KD B:KS B:3C!banca-drew\nsettle banca 6-9 1=0 2=0",
            vec![(1, -1_000), (2, -3_000)],
        ),
        (
            "cards P:9D B:2C P:KD B:3S P:4C!natural-drawn\nsettle banca 3-5 1=0 2=0",
            vec![(1, -2_000), (2, -6_000)],
        ),
        (
            "cards P:9D P:9C!deal-order B:KD B:KS\nsettle punto 8-0 1=2000 2=6000",
            vec![(1, 1_000), (2, 3_000)],
        ),
        ("cards P:6D B:2C P:KD B:5S P:KH!punto-drew\nsettle banca 6-7 1=0 2=0", vec![]),
        // Who stood wrongly would have been dealt the cards that came next.
        ("cards P:2D B:3C P:3D B:4S\nsettle banca 5-7 1=0 2=0 !punto-stood", vec![]),
        (
            "cards P:2D B:3C P:3D B:4S\nsettle banca 5-7 1=0 2=0 !punto-stood\n\
             closed\ncards P:4H B:2S P:4C B:5D\nsettle punto 8-7",
            vec![(1, -2_000), (2, -6_000)],
        ),
        (
            "cards P:2D B:3C P:3D B:2S\nsettle tie 5-5 1=1000 2=3000 !punto-stood !banca-stood\n\
             closed\ncards P:4H B:3S P:4C B:5D\nsettle tie 8-8",
            vec![(1, -1_000), (2, -3_000)],
        ),
        (
            "cards P:2D B:3C P:3D B:4S\nsettle banca 5-7 1=0 2=0 !punto-stood\n\
             closed\ncards P:?? B:2S P:4C B:5D\nsettle punto 8-7",
            vec![],
        ),
        (
            "cards P:2D B:3C P:3D B:4S\nsettle banca 5-7 1=0 2=0 !punto-stood\nskip 1\n\
             closed !sequence-gap\ncards at=9 P:4H B:2S P:4C B:5D\nsettle punto 8-7",
            vec![],
        ),
    ];
    for (text, money) in cases {
        let text = format!("== one\n{open}{text}\n");
        let outcome = call_sheet::scenarios(&text)[0].run();
        assert_eq!(outcome.found, outcome.expected, "{text}");
        let found = &outcome.judgement.findings[0];
        let moved: Vec<(u8, i64)> = found.money.iter().map(|money| (money.seat, money.minor_units)).collect();
        assert_eq!(moved, money, "{text}");
    }
}

#[test]
fn a_shoe_without_rules_to_judge_by_is_not_certified() {
    for (opening, reason) in [
        ("open es-1979 but=\"format\":1->\"format\":2\n", "rulebook-unreadable"),
        ("approve bacara\nopen es-1979\n", "rulebook-unapproved"),
    ] {
        let text = format!("== a shoe\n{opening}shoe\nend 312");
        let judgement = call_sheet::scenarios(&text)[0].run().judgement;
        let reasons: Vec<&str> =
            judgement.summary.undecided_shoes.keys().map(|reason| reason.as_str()).collect();
        assert_eq!((reasons.as_slice(), judgement.summary.shoes.undecided), ([reason].as_slice(), 1));
    }
}

/// What a sheet's findings moved, and why its coups and shoes are undecided.
fn moved_and_open(lines: &str) -> (Vec<(u8, i64)>, Vec<String>) {
    let outcome = call_sheet::scenarios(&format!("== one\n{lines}\n"))[0].run();
    assert_eq!(outcome.found, outcome.expected, "{lines}");
    let judged = &outcome.judgement;
    let money = judged.findings.iter().flat_map(|found| &found.money);
    let reasons = judged.summary.undecided.keys().chain(judged.summary.undecided_shoes.keys());
    (
        money.map(|money| (money.seat, money.minor_units)).collect(),
        reasons.map(|reason| reason.as_str().to_owned()).collect(),
    )
}

#[test]
fn what_was_done_too_late_names_the_money_it_moved() {
    let open = "open es-1979\nshoe\nburn 2H 2\nbet 1 seat 1 punto 1000\n";
    let cases = [
        ("closed\nbet 2 seat 2 punto 3000 !bet-late\n", "1=2000 2=6000", vec![(2, 3_000)]),
        ("closed\nbet 2 seat 2 banca 3000 !bet-late\n", "1=2000 2=0", vec![(2, -3_000)]),
        ("closed\nwithdraw 1 !bet-withdrawn-late\n", "", vec![(1, -1_000)]),
        ("closed\nwithdraw 1 !bet-withdrawn-late\n", "1=2000", vec![(1, 1_000)]),
        ("bet 2 seat 2 banca 3000\nclosed\nwithdraw 2 !bet-withdrawn-late\n", "1=2000", vec![(2, 3_000)]),
        ("closed\nbet 2 seat 2 banca 3000 !bet-late\nwithdraw 2 !bet-withdrawn-late\n", "1=2000", vec![]),
    ];
    for (bets, paid, money) in cases {
        let text = format!("{open}{bets}cards P:9D B:2C P:KD B:5S\nsettle punto 9-7 {paid}");
        assert_eq!(moved_and_open(&text).0, money, "{text}");
    }
    // Whatever the card was, punto won as announced.
    let unread = "closed\nwithdraw 1 !bet-withdrawn-late\ncards P:9D B:2C P:KD B:??\nsettle punto 9-7";
    assert_eq!(moved_and_open(&format!("{open}{unread}")).0, [(1, -1_000)]);
    let gap = "closed\nbet 2 seat 2 punto 3000 !bet-late\ncards P:9D B:2C P:KD\nskip 1\n";
    let behind = format!("{open}{gap}settle punto 9-7 1=2000 2=6000 !sequence-gap");
    assert_eq!(moved_and_open(&behind).0, [(2, 3_000)]);
    let unsettled = format!("{open}closed\nbet 2 seat 2 punto 3000 !bet-late\nend 309 !coup-not-settled");
    assert_eq!(moved_and_open(&unsettled).0, []);
}

#[test]
fn a_shoe_that_never_says_who_holds_the_cards_is_undecided() {
    let shoe = |book: &str, seats: &str, holder: &str| {
        let coup = format!("closed\n{holder}cards P:9D B:2C P:KD B:5S\nsettle punto 9-7 1=2000\n");
        format!("open {book} {seats}\nshoe\nburn 2H 2\nbet 1 seat 1 punto 1000\n{coup}")
    };
    let reasons = |text: String| moved_and_open(&text).1;
    let dealt = "offer 1\naccept 1\nclosed\n";
    let announced = shoe("es-1979", "", "holder seat 1\n").replace("closed\n", dealt);
    assert_eq!(reasons(announced), ["not-ended-yet"]);
    assert_eq!(reasons(shoe("es-1979", "", "").replace("closed\n", dealt)), ["holder-not-recorded"]);
    let croupier = shoe("mini-punto-banco", "seats=1,2,3", "");
    assert!(!reasons(croupier).contains(&"holder-not-recorded".to_owned()));
}

/// The closing behind the end of a shoe is the last event of that shoe, as the clock is concerned.
#[test]
fn a_clock_that_runs_back_at_the_closing_violates_the_shoe_before() {
    let shoes = |step: &str| {
        let coup = "closed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7\n";
        let text = format!("open mini-punto-banco seats=1,2,3\nshoe\nburn 2H 2\n{coup}end 305\n{step}close");
        call_sheet::scenarios(&format!("== one\n{text}"))[0].run().judgement.summary.shoes
    };
    assert_eq!((shoes("").certified, shoes("").violated), (1, 0));
    assert_eq!((shoes("clock -3\n").certified, shoes("clock -3\n").violated), (0, 1));
}

#[test]
fn what_was_recorded_before_the_first_shoe_is_judged_again_with_it() {
    let coup = "closed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7\n";
    let of_seat = |correction: &str| {
        let open = "open mini-punto-banco seats=1,2,3\nsit 1 player=ana\nshoe\nburn 2H 2\n";
        moved_and_open(&format!("{open}{coup}{correction}end 305\nclose")).1
    };
    assert_eq!(of_seat("correct back=9 sit 1 player=eva\n"), Vec::<String>::new());
    // Once a second shoe is loaded it is out of reach.
    let second = format!("end 305\nshoe\nburn 2H 2\n{coup}");
    assert_eq!(of_seat(&format!("{second}correct back=18 sit 1 player=eva\n")), ["corrected"]);
}

#[test]
fn what_depends_on_whose_a_box_is_is_open_for_that_reason() {
    let open = "open punto-banco seats=1,2,3\nshoe decks=8\nburn 2H 2\n";
    let bets = "bet 1 seat 1 punto 1000 player=ana\nbet 2 seat 2 banca 1000\n";
    let coup = "closed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 1=2000 2=0";
    let (_, reasons) = moved_and_open(&format!("{open}{bets}{coup}"));
    assert!(reasons.contains(&"player-unnamed".to_owned()), "{reasons:?}");
}

/// Numbers come from whoever writes the record: whatever they are, judging ends, and soon.
#[test]
fn entries_that_claim_billions_of_events_cost_nothing() {
    let withheld =
        |index, first, count| Entry { index, table: "T", first, count, withheld: true, ..Entry::default() };
    let mut judge = Judge::default();
    let firsts =
        [1, 1, 7, u64::from(u32::MAX), 1 << 40, 1 << 40, 3 << 40, 5, u64::MAX - 1, u64::MAX, u64::MAX];
    for (index, first) in (0..).zip(firsts) {
        judge.judge(&[withheld(index, first, u32::MAX)]);
    }
    let judgement = judge.finish();
    assert_eq!((judgement.certified(), judgement.complete()), (Verdict::Unknown, Verdict::No));
}

/// Who is owed what by a scenario: seat and names.
fn owed_to(sheet: &str) -> Vec<(u8, Vec<String>)> {
    let outcome = call_sheet::scenarios(sheet)[0].run();
    outcome.judgement.ledger.owed.iter().map(|(key, _)| (key.seat, key.players.clone())).collect()
}

/// One player's money stood in two rows, one of them without a name, if a correction came after the next coup.
#[test]
fn money_that_a_later_correction_moved_is_put_down_to_the_player_of_its_coup() {
    let sheet = "== a stake is corrected after the next coup\n\
                 open punto-banco seats=1,2,3\nshoe decks=8\nburn 2H 2\n\
                 bet 1 seat 1 punto 1000 player=ana\nclosed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 1=2500\n\
                 bet 2 seat 1 punto 1000 player=ana\nclosed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 2=2000\n\
                 correct back=14 bet 1 seat 1 punto 2000 coup=1 player=ana";
    assert_eq!(owed_to(sheet), [(1, vec!["ana".to_owned()])]);
}

#[test]
fn money_of_the_bank_is_put_down_to_the_banker() {
    let sheet = "== the bank holds less than it won\n\
                 chemin\ntake 1 20000 player=p1\nbet 1 seat 2 punto 20000 player=p2\nclosed\nholder seat 2\n\
                 cards P:2D B:9C P:KD B:KS\nbank won=20000 c=1000 bank=30000\nsettle banca 2-9 1=0";
    assert_eq!(owed_to(sheet), [(1, vec!["p1".to_owned()])]);
}
