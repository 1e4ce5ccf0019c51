//! The costs of explanations are those of `docs/judging.md`.

use baccarat::Side;
use replay::reading::{Departure, Explanation, Lost, Misread};

/// Each row of the page, with one explanation of its kind, or several.
fn rows() -> Vec<(&'static str, Vec<Explanation>)> {
    let lost = |what| Explanation::Lost { at: 1, coup: 1, what };
    let misread = |what| Explanation::Misread { at: 1, coup: 1, what };
    let departed = |how| Explanation::Departed { at: 1, coup: 1, how };
    let doubled = |settlement| Explanation::Doubled { at: 1, coup: 1, settlement };
    let others = [
        Departure::Drew,
        Departure::Stood,
        Departure::Short,
        Departure::IdReused,
        Departure::NotPlaced(1),
        Departure::LineWithoutBet(1),
        Departure::BetWithoutLine(1),
        Departure::NoRefund,
        Departure::Again,
        Departure::Number,
        Departure::NoBurn,
        Departure::NoShoe,
        Departure::NotEnded,
    ];
    vec![
        ("not recorded, though the numbering has no gap | \"no va más\"", vec![lost(Lost::Close)]),
        ("not recorded | a burn", vec![lost(Lost::Burn)]),
        ("not recorded | the end of a shoe", vec![lost(Lost::End)]),
        ("not recorded | a bet that a settlement or a withdrawal names", vec![lost(Lost::Bet(1))]),
        (
            "not recorded | the withdrawal of a bet that a settlement leaves out",
            vec![lost(Lost::Withdrawal(1))],
        ),
        ("not recorded | the loading of a shoe", vec![lost(Lost::Loading)]),
        ("not recorded | a settlement", vec![lost(Lost::Settlement)]),
        ("not recorded | a card", vec![lost(Lost::Card)]),
        ("recorded twice, with the same content, within 256 events | a settlement", vec![doubled(true)]),
        ("recorded twice | anything else", vec![doubled(false)]),
        (
            "recorded up to 16 events too early or too late | any event of play",
            vec![Explanation::Moved { at: 1, coup: 1 }],
        ),
        (
            "another coup's number | any event of a coup but a void",
            vec![Explanation::Mislabelled { at: 1, coup: 1 }],
        ),
        ("misread | an announced total", vec![misread(Misread::Total(Side::Punto))]),
        ("misread | a position in the shoe", vec![misread(Misread::Position)]),
        ("misread | the id of a bet in a settlement", vec![misread(Misread::Bet(1))]),
        ("misread | the announced winner", vec![misread(Misread::Winner)]),
        ("misread | where the cut card lay", vec![misread(Misread::CutCard)]),
        ("misread | how many cards were left", vec![misread(Misread::CardsLeft)]),
        ("misread | the hand that a card went to", vec![misread(Misread::Hand)]),
        ("misread | how many cards were burned", vec![misread(Misread::Burned)]),
        ("misread | a card", vec![misread(Misread::Face(Side::Banca, 0))]),
        ("played so | a card before the bets were closed", vec![departed(Departure::NotClosed)]),
        ("played so | a bet placed or taken back after that", vec![departed(Departure::BetLate)]),
        ("played so | other cards burned than had to be", vec![departed(Departure::Burn)]),
        ("played so | a card at another position than the next", vec![departed(Departure::Position)]),
        (
            "played so | anything else that breaks the order of play",
            others.into_iter().map(departed).collect(),
        ),
    ]
}

#[test]
fn every_cost_is_that_of_the_page_and_no_row_is_left_over() {
    let page = include_str!("../../../../docs/judging.md");
    let (_, section) = page.split_once("\n## Reading\n").unwrap();
    let (_, table) = section.split_once("\n| what | which | cost |\n|---|---|---|\n").unwrap();
    let known: Vec<&str> = table.lines().take_while(|line| line.starts_with("| ")).collect();
    let rows: Vec<String> = rows()
        .into_iter()
        .map(|(row, of)| {
            let costs: Vec<u32> = of.iter().map(Explanation::cost).collect();
            assert!(costs.iter().all(|cost| *cost == costs[0]), "{row}: {costs:?}");
            format!("| {row} | {} |", costs[0])
        })
        .collect();
    assert_eq!(known, rows);
}
