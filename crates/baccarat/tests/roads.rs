//! The scoreboard against examples worked by hand and against a second way to say its rules.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::Winner;
use baccarat::roads::{Pattern, ROWS, Roads, Score};
use proptest::prelude::*;

/// `PBT...`: one letter a coup.
fn roads(coups: &str) -> Roads {
    let scores: Vec<Score> = coups.chars().map(score).collect();
    Roads::of(&scores)
}

fn score(letter: char) -> Score {
    let winner = match letter {
        'P' => Winner::Punto,
        'B' => Winner::Banca,
        _ => Winner::Tie,
    };
    Score { winner, punto_pair: false, banca_pair: false }
}

fn big(coups: &str) -> Vec<(usize, usize)> {
    roads(coups).big_road.iter().map(|cell| (cell.column, cell.row)).collect()
}

/// `+` regular, `-` irregular.
fn marks(cells: &[baccarat::roads::PatternCell]) -> String {
    cells.iter().map(|cell| if cell.pattern == Pattern::Regular { '+' } else { '-' }).collect()
}

#[test]
fn the_bead_plate_goes_down_six_and_on() {
    let plate = roads("PBTPBTPB").bead_plate;
    assert_eq!((plate[5].column, plate[5].row, plate[5].score.winner), (0, 5, Winner::Tie));
    assert_eq!((plate[6].column, plate[6].row, plate[6].score.winner), (1, 0, Winner::Punto));
}

#[test]
fn ties_stand_on_the_coup_before_them() {
    let shown = roads("TTPTBTTP");
    let ties: Vec<u32> = shown.big_road.iter().map(|cell| cell.ties).collect();
    assert_eq!((shown.leading_ties, ties), (2, vec![1, 2, 0]));
    assert_eq!(roads("T").big_road.len(), 0);
    assert_eq!(roads("").bead_plate.len(), 0);
}

#[test]
fn a_tie_interrupts_no_streak() {
    assert_eq!(big("BBTB"), big("BBB"));
}

#[test]
fn a_streak_longer_than_six_turns_right_and_the_next_one_stands_beside_its_beginning() {
    assert_eq!(big("PPPPPPPP"), [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5)]);
    assert_eq!(big("PPPPPPPPB").last(), Some(&(1, 0)));
}

#[test]
fn a_streak_that_meets_a_tail_turns_right_above_it() {
    // The tail of eight punto lies in the sixth row of columns 1 and 2; banca's six turn above it.
    let cells = big("PPPPPPPPBBBBBB");
    assert_eq!(cells[8..], [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4)]);
    // And once it has turned it does not go down again behind the tail's end.
    assert_eq!(big("PPPPPPPPBBBBBBBB")[13..], [(2, 4), (3, 4), (4, 4)]);
}

#[test]
fn a_streak_that_cannot_go_down_at_all_runs_along_the_top() {
    // Ten punto, nine banca, ... leave fewer and fewer free rows below.
    let mut coups = String::new();
    for (streak, length) in (7..=20).rev().enumerate() {
        coups.push_str(&(if streak % 2 == 0 { "P" } else { "B" }).repeat(length));
    }
    let cells = big(&coups);
    let mut sorted = cells.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), cells.len(), "two coups in one cell");
}

/// Worked by hand. Streaks: B1 P2 B3 P1 B1 P2.
/// Big eye boy begins at P's second: column one was 1 long, ended just before: -. B's first: the two
/// before are 1 and 2: -. B's second: the one before has two: +. Third: it just ended: -. P's first:
/// 3 and 2: -. B: 1 and 3: -. P's first: 1 and 1: +. Second: the one before just ended: -.
#[test]
fn the_derived_roads_of_an_example_worked_by_hand() {
    let shown = roads("BPPBBBPBPP");
    assert_eq!(marks(&shown.big_eye_boy), "--+---+-");
    // Small road begins at B's second: the streak two before was 1 long: -. Third: longer gone: +.
    // P's first: 3 and 1: -. B's first: 1 and 2: -. P's first: 1 and 3: -. Second: two before is 1: -.
    assert_eq!(marks(&shown.small_road), "-+----");
    // Cockroach road: P is no second coup, so it begins with the first of the next streak: 1 and 1: +.
    // P's first: 1 and 2: -. Its second: three before had 3: +.
    assert_eq!(marks(&shown.cockroach_road), "+-+");
}

#[test]
fn a_choppy_shoe_and_a_long_streak_are_regular() {
    assert_eq!(marks(&roads("BPBPBPBP").big_eye_boy), "++++++");
    assert_eq!(marks(&roads("BPPPPP").big_eye_boy), "-+++");
    assert_eq!(marks(&roads("BBBBBB").big_eye_boy), "");
}

/// The other way to say the rule: a cell further down is irregular where the streak compared with
/// ends right beside the cell above; the first of a streak says the opposite of what the streak
/// before it would have said by going on.
fn naive(winners: &str, distance: usize) -> String {
    let mut streaks: Vec<Vec<usize>> = Vec::new();
    let letters: Vec<char> = winners.chars().collect();
    for at in 0..letters.len() {
        if at > 0 && letters[at - 1] == letters[at] {
            streaks.last_mut().unwrap().push(at);
        } else {
            streaks.push(vec![at]);
        }
    }
    let down = |streak: usize, row: usize| -> Option<bool> {
        let other = &streaks[streak.checked_sub(distance)?];
        let (beside, above) = (other.get(row).is_some(), other.get(row - 1).is_some());
        Some(beside == above)
    };
    let mut said = String::new();
    for (streak, cells) in streaks.iter().enumerate() {
        for row in 0..cells.len() {
            let regular = match row {
                0 => streak
                    .checked_sub(1)
                    .and_then(|before| down(before, streaks[before].len()))
                    .map(|down| !down),
                row => down(streak, row),
            };
            said.extend(regular.map(|regular| if regular { '+' } else { '-' }));
        }
    }
    said
}

proptest! {
    #[test]
    fn both_ways_to_say_the_rule_agree(coups in "[PBT]{0,90}") {
        let winners: String = coups.chars().filter(|letter| *letter != 'T').collect();
        let shown = roads(&coups);
        prop_assert_eq!(marks(&shown.big_eye_boy), naive(&winners, 1));
        prop_assert_eq!(marks(&shown.small_road), naive(&winners, 2));
        prop_assert_eq!(marks(&shown.cockroach_road), naive(&winners, 3));
        prop_assert_eq!(shown.big_road.len(), winners.len());
    }

    /// Long streaks crowd the board; once a streak has turned it never goes down again.
    #[test]
    fn a_streak_turns_once(lengths in proptest::collection::vec(1..14_usize, 1..12)) {
        let coups: String =
            lengths.iter().enumerate().map(|(at, length)| ["P", "B"][at % 2].repeat(*length)).collect();
        let cells = big(&coups);
        let mut first = 0;
        for length in lengths {
            let streak = &cells[first..first + length];
            let turn = streak.iter().position(|(column, _)| *column != streak[0].0).unwrap_or(length);
            prop_assert!(streak[turn..].iter().all(|(_, row)| *row == streak[turn - 1].1), "{streak:?}");
            first += length;
        }
    }

    #[test]
    fn no_two_coups_share_a_cell_and_streaks_are_connected(coups in "[PB]{0,90}") {
        let cells = big(&coups);
        let mut seen = std::collections::BTreeSet::new();
        for (at, &(column, row)) in cells.iter().enumerate() {
            prop_assert!(row < ROWS && seen.insert((column, row)));
            let same = at > 0 && coups.as_bytes()[at] == coups.as_bytes()[at - 1];
            if same {
                let (before, above) = cells[at - 1];
                prop_assert!((column, row) == (before, above + 1) || (column, row) == (before + 1, above));
            } else {
                prop_assert_eq!(row, 0);
            }
        }
    }
}
