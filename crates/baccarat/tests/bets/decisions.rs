//! How a paytable decides a coup, with and without the suits.

use baccarat::{BetRule, Card, Coup, Decision, Hand, Outcome, Pays, Paytable, Rank, Suit};
use proptest::prelude::*;
use serde_json::{Value, json};

fn bet(rows: Value) -> BetRule {
    serde_json::from_value(json!({ "title": "A bet", "commission": true, "rows": rows })).unwrap()
}

/// A hand from faces such as `7H KS 2?`.
fn hand(faces: &str) -> Hand {
    let cards: Vec<Card> = faces.split(' ').map(|face| face.parse().unwrap()).collect();
    Hand::new([cards[0], cards[1]], cards.get(2).copied())
}

fn decided(bet: &BetRule, punto: &str, banca: &str) -> Option<String> {
    let decision = bet.decide(&Coup { punto: hand(punto), banca: hand(banca) })?;
    Some(format!("{}{}", decision.pays, if decision.commission { " less commission" } else { "" }))
}

#[test]
fn the_first_row_that_holds_decides_and_a_coup_that_meets_none_loses() {
    let bet = bet(json!([
        { "winner": "tie", "pays": "push" },
        { "winner": "banca", "banca-total": [6, 7], "commission": false, "pays": "1:2" },
        { "winner": "banca", "pays": "1:1" },
    ]));
    assert_eq!(decided(&bet, "7H KS", "7D QD").unwrap(), "push");
    assert_eq!(decided(&bet, "2H KS KC", "6D QD").unwrap(), "1:2");
    assert_eq!(decided(&bet, "2H KS KC", "9D QD").unwrap(), "1:1 less commission");
    assert_eq!(decided(&bet, "9H KS", "6D QD").unwrap(), "lose");
}

#[test]
fn every_condition_of_a_row_has_to_hold() {
    let row = json!([{ "winner": "punto", "punto-total": 8, "banca-total": [5, 6], "margin": [2, 3],
        "punto-cards": 3, "banca-cards": 2, "cards": 5, "punto-natural": false, "banca-natural": false,
        "punto-pair": "any", "banca-pair": "none", "pays": "9:1" }]);
    let holds = ("2H 2S 4C", "6D QD");
    assert_eq!(decided(&bet(row.clone()), holds.0, holds.1).unwrap(), "9:1 less commission");
    for (condition, other) in [
        ("winner", json!("banca")),
        ("punto-total", json!(7)),
        ("banca-total", json!([4, 7])),
        ("margin", json!(3)),
        ("punto-cards", json!(2)),
        ("banca-cards", json!(3)),
        ("cards", json!([4, 6])),
        ("punto-natural", json!(true)),
        ("banca-natural", json!(true)),
        ("punto-pair", json!("none")),
        ("banca-pair", json!(["any", "suited"])),
    ] {
        let mut changed = row.clone();
        assert!(!changed[0][condition].is_null(), "{condition}");
        changed[0][condition] = other;
        assert_eq!(decided(&bet(changed), holds.0, holds.1).unwrap(), "lose", "{condition}");
    }
}

#[test]
fn pairs_are_by_rank_and_ten_and_jack_are_none() {
    let bet = bet(json!([
        { "punto-pair": "suited", "pays": "25:1", "commission": false },
        { "punto-pair": "same-colour", "pays": "12:1", "commission": false },
        { "punto-pair": "mixed", "pays": "6:1", "commission": false },
    ]));
    let punto = |cards: &str| decided(&bet, cards, "2C 3C 4C").unwrap();
    assert_eq!(punto("7H 7H"), "25:1");
    assert_eq!(punto("7H 7D"), "12:1");
    assert_eq!(punto("7C 7S"), "12:1");
    assert_eq!(punto("7H 7S"), "6:1");
    assert_eq!(punto("TH JH 7C"), "lose");
    assert_eq!(punto("7H KH 7H"), "lose");
}

#[test]
fn a_suit_that_was_not_read_matters_only_where_it_changes_the_payout() {
    let by_suit = bet(json!([
        { "punto-pair": "suited", "pays": "25:1" },
        { "punto-pair": ["same-colour", "mixed"], "pays": "6:1" },
    ]));
    assert_eq!(decided(&by_suit, "7H 7?", "2C 3C 4C"), None);
    // No pair, so no suit can make one.
    assert_eq!(decided(&by_suit, "7? 8?", "2? 3? 4?").unwrap(), "lose");
    // Read on the cards that pair; the others may be anything.
    assert_eq!(decided(&by_suit, "7H 7S", "2? 2? 4?").unwrap(), "6:1 less commission");
    let by_rank = bet(json!([{ "punto-pair": "any", "pays": "11:1" }]));
    assert_eq!(decided(&by_rank, "7? 7?", "2? 3? 4?").unwrap(), "11:1 less commission");
    // Another condition fails whatever the suit.
    let natural = bet(json!([{ "punto-pair": "suited", "punto-natural": true, "pays": "50:1" }]));
    assert_eq!(decided(&natural, "7? 7?", "2? 3? 4?").unwrap(), "lose");
    assert_eq!(decided(&natural, "9? 9?", "2? 3? 4?"), None);
    // An earlier row decides.
    let earlier =
        bet(json!([{ "winner": "banca", "pays": "push" }, { "punto-pair": "suited", "pays": "25:1" }]));
    assert_eq!(decided(&earlier, "7? 7?", "2C 3C 4C").unwrap(), "push");
    // One of the three has to hold, and all pay the same.
    let same = bet(json!([
        { "punto-pair": "suited", "pays": "6:1" },
        { "punto-pair": "same-colour", "pays": "6:1" },
        { "punto-pair": "mixed", "pays": "6:1" },
    ]));
    assert_eq!(decided(&same, "7? 7?", "2? 3? 4?").unwrap(), "6:1 less commission");
}

fn any_suit() -> impl Strategy<Value = Suit> {
    proptest::sample::select(&Suit::ALL[..])
}

/// Ranks few enough to pair often.
fn any_card() -> impl Strategy<Value = Card> {
    (proptest::sample::select(&Rank::ALL[6..10]), any_suit()).prop_map(|(rank, suit)| Card::new(rank, suit))
}

fn any_hand() -> impl Strategy<Value = Hand> {
    (any_card(), any_card(), proptest::option::of(any_card()))
        .prop_map(|(one, two, third)| Hand::new([one, two], third))
}

fn any_coup() -> impl Strategy<Value = Coup> {
    (any_hand(), any_hand()).prop_map(|(punto, banca)| Coup { punto, banca })
}

fn any_row() -> impl Strategy<Value = Value> {
    let pair = proptest::sample::select(vec!["none", "any", "suited", "same-colour", "mixed"]);
    let pairs = proptest::collection::vec(pair, 1..3);
    let winner = proptest::sample::select(vec!["punto", "banca", "tie"]);
    let pays = proptest::sample::select(vec!["push", "lose", "1:1", "5:1"]);
    (
        proptest::option::of(winner),
        proptest::option::of(0..10_u8),
        proptest::option::of(pairs),
        any::<bool>(),
        pays,
    )
        .prop_map(|(winner, margin, pairs, banca, pays)| {
            let mut row = json!({ "pays": pays });
            if let Some(winner) = winner {
                row["winner"] = json!(winner);
            }
            if let Some(margin) = margin {
                row["margin"] = json!([margin, (margin + 1) % 10, (margin + 3) % 10]);
            }
            if let Some(pairs) = pairs {
                row[if banca { "banca-pair" } else { "punto-pair" }] = json!(pairs);
            }
            row
        })
}

/// The coup with some suits not read: bit `n` of `unread` hides the suit of card `n`.
fn hidden(coup: &Coup, unread: u8) -> Coup {
    let mut index = 0;
    let mut hide = |hand: Hand| {
        let two = hand.two().map(|card| {
            let suit = if unread >> index & 1 == 1 { None } else { card.suit };
            index += 1;
            Card { suit, ..card }
        });
        Hand::new(two, hand.third())
    };
    Coup { punto: hide(coup.punto), banca: hide(coup.banca) }
}

/// Every way the hidden suits can be read.
fn readings(coup: &Coup) -> Vec<Coup> {
    let mut readings = vec![*coup];
    for index in 0..4 {
        readings = readings
            .into_iter()
            .flat_map(|coup| {
                let mut cards = [coup.punto.two(), coup.banca.two()];
                let card = &mut cards[index / 2][index % 2];
                let suits = card.suit.map_or(Suit::ALL.to_vec(), |suit| vec![suit]);
                suits.into_iter().map(move |suit| {
                    let mut read = cards;
                    read[index / 2][index % 2].suit = Some(suit);
                    let third = [coup.punto.third(), coup.banca.third()];
                    Coup { punto: Hand::new(read[0], third[0]), banca: Hand::new(read[1], third[1]) }
                })
            })
            .collect();
    }
    readings
}

proptest! {
    #[test]
    fn a_bet_is_undecided_exactly_where_two_readings_of_the_suits_differ(
        coup in any_coup(), rows in proptest::collection::vec(any_row(), 1..4), unread in 0..16_u8,
    ) {
        let bet = bet(Value::Array(rows));
        let seen = hidden(&coup, unread);
        let mut answers: Vec<Decision> = readings(&seen).iter().map(|coup| bet.decide(coup).unwrap()).collect();
        answers.dedup();
        let agreed = if answers.len() == 1 { Some(answers[0]) } else { None };
        prop_assert_eq!(bet.decide(&seen), agreed);
        prop_assert_eq!(Paytable::new(&bet).decide(&Outcome::of(&seen)), agreed);
    }

    #[test]
    fn a_row_before_decides_before_the_rows_behind_it(
        coup in any_coup(), first in any_row(), rest in proptest::collection::vec(any_row(), 0..4),
    ) {
        let alone = bet(json!([first])).decide(&coup).unwrap();
        let behind = bet(Value::Array(rest.clone())).decide(&coup).unwrap();
        let both = bet(Value::Array([vec![first.clone()], rest].concat())).decide(&coup).unwrap();
        // A row that pays `lose` looks alone like one that does not hold; ask it with another word.
        let mut asked = first;
        asked["pays"] = json!("push");
        let holds = bet(json!([asked])).decide(&coup).unwrap().pays == Pays::Push;
        prop_assert_eq!(both, if holds { alone } else { behind });
    }
}
