//! The deal over every sequence of card values, against the rules written as plain conditions.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::{Card, Columns, Deal, DealOrder, Expect, Face, Points, Rank, Rulebook, Side, Winner, builtin};

/// How a coup ends: the cards of each hand and who won.
#[derive(Debug, PartialEq, Eq)]
struct Ended {
    punto: Vec<u8>,
    banca: Vec<u8>,
    winner: Winner,
}

fn total(cards: &[u8]) -> u8 {
    cards.iter().sum::<u8>() % 10
}

/// What banca does on its own total.
fn banca_draws(total: u8, third: Option<u8>) -> bool {
    let Some(third) = third else { return total <= 5 };
    match total {
        0..=2 => true,
        3 => third != 8,
        4 => (2..=7).contains(&third),
        5 => (4..=7).contains(&third),
        6 => third == 6 || third == 7,
        _ => false,
    }
}

/// Plays a coup from six cards in the order of the shoe.
fn naive(shoe: &[u8], pairs: bool) -> Ended {
    let (mut punto, mut banca) = if pairs {
        (vec![shoe[0], shoe[1]], vec![shoe[2], shoe[3]])
    } else {
        (vec![shoe[0], shoe[2]], vec![shoe[1], shoe[3]])
    };
    if total(&punto) < 8 && total(&banca) < 8 {
        let mut rest = shoe[4..].iter().copied();
        let punto_third = if total(&punto) <= 5 { rest.next() } else { None };
        punto.extend(punto_third);
        if banca_draws(total(&banca), punto_third) {
            banca.extend(rest.next());
        }
    }
    let winner = match (total(&punto), total(&banca)) {
        (mine, yours) if mine > yours => Winner::Punto,
        (mine, yours) if mine < yours => Winner::Banca,
        _ => Winner::Tie,
    };
    Ended { punto, banca, winner }
}

fn card(value: u8) -> Face {
    let number = if value == 0 { 10 } else { value };
    Card { rank: Rank::from_number(number).unwrap(), suit: None }.into()
}

/// Plays the same coup with the state machine.
fn dealt(rules: &Rulebook, shoe: &[u8]) -> Ended {
    let mut deal = Deal::default();
    let mut cards = shoe.iter();
    while let Expect::Card(side) = deal.expect(rules) {
        assert!(deal.give(side, card(*cards.next().unwrap())));
    }
    assert_eq!(deal.expect(rules), Expect::Finished);
    let coup = deal.coup().unwrap();
    let values = |side: Side| coup.hand(side).cards().map(|card| card.points().get()).collect();
    Ended { punto: values(Side::Punto), banca: values(Side::Banca), winner: coup.winner() }
}

fn every_sequence(rules: &Rulebook, pairs: bool) {
    for number in 0..1_000_000_u32 {
        let shoe: [u8; 6] = std::array::from_fn(|index| {
            u8::try_from(number / 10_u32.pow(u32::try_from(index).unwrap()) % 10).unwrap()
        });
        assert_eq!(dealt(rules, &shoe), naive(&shoe, pairs), "{shoe:?}");
    }
}

#[test]
fn every_sequence_of_values_is_dealt_as_the_rules_say() {
    every_sequence(&builtin("es-1979").unwrap(), false);
}

#[test]
fn every_sequence_is_dealt_right_where_each_hand_gets_its_two_cards_at_once() {
    let mut rules = builtin("punto-banco").unwrap();
    rules.deal.order = DealOrder::Pairs;
    every_sequence(&rules, true);
}

fn deal_of(cards: &[(Side, &str)]) -> Deal {
    let mut deal = Deal::default();
    for (side, face) in cards {
        assert!(deal.give(*side, face.parse().unwrap()), "{face}");
    }
    deal
}

use Side::{Banca, Punto};

#[test]
fn the_first_four_cards_need_not_be_read() {
    let rules = builtin("es-1979").unwrap();
    let mut deal = Deal::default();
    for side in [Punto, Banca, Punto, Banca] {
        assert_eq!(deal.expect(&rules), Expect::Card(side));
        assert!(deal.give(side, Face::Unseen));
    }
    assert_eq!(deal.expect(&rules), Expect::Unknown);
    assert!(deal.coup().is_none());
}

#[test]
fn an_unread_third_card_of_punto_leaves_banca_undecided() {
    let rules = builtin("es-1979").unwrap();
    let first_four = [(Punto, "2H"), (Banca, "3S"), (Punto, "KD"), (Banca, "T?")];
    let mut deal = deal_of(&first_four);
    assert_eq!(deal.expect(&rules), Expect::Card(Punto));
    assert!(deal.give(Punto, Face::Unseen));
    assert_eq!(deal.expect(&rules), Expect::Unknown);
    // Whatever banca does, the coup is not known before the card is read.
    assert!(deal.give(Banca, "9C".parse().unwrap()));
    assert_eq!((deal.expect(&rules), deal.coup()), (Expect::Finished, None));
}

#[test]
fn an_unread_card_that_decides_nothing_leaves_nothing_open() {
    let rules = builtin("es-1979").unwrap();
    // Banca has a natural: what punto has decides nothing.
    let natural = deal_of(&[(Punto, "??"), (Banca, "9S"), (Punto, "KD"), (Banca, "TC")]);
    assert_eq!(natural.expect(&rules), Expect::Finished);
    // Banca stands on 7 and draws on 2 against any third card.
    for (banca, due) in [("7S", Expect::Finished), ("2S", Expect::Card(Banca))] {
        let deal = deal_of(&[(Punto, "2H"), (Banca, banca), (Punto, "KD"), (Banca, "TC"), (Punto, "??")]);
        assert_eq!(deal.expect(&rules), due, "{banca}");
    }
    // Punto may have had a natural, and then banca does not draw.
    for (banca, due) in [("7S", Expect::Finished), ("2S", Expect::Unknown)] {
        let deal = deal_of(&[(Punto, "??"), (Banca, banca), (Punto, "KD"), (Banca, "TC"), (Punto, "4C")]);
        assert_eq!(deal.expect(&rules), due, "{banca}");
    }
}

#[test]
fn an_unread_suit_hides_nothing() {
    let rules = builtin("es-1979").unwrap();
    let deal = deal_of(&[(Punto, "9?"), (Banca, "3?"), (Punto, "K?"), (Banca, "T?")]);
    assert_eq!(deal.expect(&rules), Expect::Finished);
    assert!(deal.coup().unwrap().punto.is_natural());
}

#[test]
fn after_a_wrong_stand_banca_plays_by_the_cards_as_they_lie() {
    let rules = builtin("es-1979").unwrap();
    // Punto has 2 and must draw; banca has 6 and stands after a stand.
    let mut deal = deal_of(&[(Punto, "2H"), (Banca, "6S"), (Punto, "KD"), (Banca, "TC")]);
    assert_eq!(deal.expect(&rules), Expect::Card(Punto));
    deal.stand_punto();
    assert_eq!(deal.expect(&rules), Expect::Finished);
}

#[test]
fn a_hand_never_takes_a_fourth_card() {
    let mut deal = deal_of(&[(Punto, "2H"), (Punto, "3H"), (Punto, "4H")]);
    assert!(!deal.give(Punto, Face::Unseen));
    assert_eq!((deal.count(), deal.faces(Punto).len(), deal.faces(Banca).len()), (3, 3, 0));
}

#[test]
fn columns_read_as_puntos_total_misplay_the_coups_they_are_known_to() {
    let right = builtin("es-1979").unwrap();
    let mut wrong = right.clone();
    wrong.columns = Columns::PuntoTotal;
    // Punto 5 draws a 4 and has 9; banca 5 draws against a 4 and stands against a 9.
    let deal = deal_of(&[(Punto, "5H"), (Banca, "5S"), (Punto, "KD"), (Banca, "TC"), (Punto, "4C")]);
    assert_eq!(deal.expect(&right), Expect::Card(Banca));
    assert_eq!(deal.expect(&wrong), Expect::Finished);
    assert_eq!(right.tableau.banca(Points::new(5).unwrap(), Points::new(4)), baccarat::Draw::Draws);
}
