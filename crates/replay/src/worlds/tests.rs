//! The sets of outcomes are compared with a search that tries every card.
#![allow(clippy::unwrap_used)]

use baccarat::{Card, Deal, Face, Money, Rank, Rulebook, Suit, builtin};

use super::*;

fn rules() -> Rulebook {
    builtin("es-1979").unwrap().clone()
}

/// Two hands of two cards or three, punto's first.
type Hands = [Vec<Face>; 2];

/// Deals the hands card by card; whether anything was wrong with the draws.
fn dealt(hands: &Hands, pool: Pool, rules: &Rulebook) -> (Deals, bool) {
    let mut lying = Deal::default();
    for (side, faces) in Side::ALL.into_iter().zip(hands) {
        faces.iter().take(2).for_each(|face| assert!(lying.give(side, *face)));
    }
    let mut deals = Deals::of(&lying, pool);
    let mut wrong = false;
    for (side, faces) in Side::ALL.into_iter().zip(hands) {
        if let Some(third) = faces.get(2) {
            let taken = deals.take(side, *third, rules);
            wrong |= taken.punto_stood || taken.surplus.is_some();
        }
    }
    let last = deals.finish(rules);
    (deals, wrong || last.punto_stood || last.banca_stood)
}

/// The same by trying every card of a deck for the first unread one.
fn naive(hands: &Hands, rules: &Rulebook, found: &mut Vec<Outcome>) {
    let unread = (0..2).find_map(|hand| {
        let at = hands[hand].iter().position(|face| face.card().is_none_or(|card| card.suit.is_none()))?;
        Some((hand, at))
    });
    let Some((hand, at)) = unread else {
        let (deals, wrong) = dealt(hands, Pool::default(), rules);
        if !wrong {
            found.extend(deals.worlds().outcomes());
        }
        return;
    };
    let rank_read = hands[hand][at].card().map(|card| card.rank);
    for rank in Rank::ALL.into_iter().filter(|rank| rank_read.is_none_or(|read| read == *rank)) {
        for suit in Suit::ALL {
            let mut hands = hands.clone();
            hands[hand][at] = Face::Seen(Card::new(rank, suit));
            naive(&hands, rules, found);
        }
    }
}

fn assert_as_naive(hands: &Hands, rules: &Rulebook) {
    let mut expected = Vec::new();
    naive(hands, rules, &mut expected);
    expected.sort();
    expected.dedup();
    let (deals, wrong) = dealt(hands, Pool::default(), rules);
    assert_eq!(wrong, expected.is_empty(), "{hands:?}");
    if !wrong {
        let mut outcomes = deals.worlds().outcomes().to_vec();
        outcomes.sort();
        assert_eq!(outcomes, expected, "{hands:?}");
    }
}

fn worth(points: u8, suit: Suit) -> Face {
    Face::Seen(Card::new(Rank::from_number(points).unwrap_or(Rank::King), suit))
}

/// Two hands of these totals with these third cards.
fn hands(punto: u8, banca: u8, thirds: [Option<u8>; 2]) -> Hands {
    let two = |total| vec![worth(total, Suit::Hearts), worth(0, Suit::Clubs)];
    let mut hands = [two(punto), two(banca)];
    for (hand, third) in hands.iter_mut().zip(thirds) {
        hand.extend(third.map(|points| worth(points, Suit::Spades)));
    }
    hands
}

#[test]
fn one_unread_card_is_each_card_of_the_deck() {
    let rules = rules();
    let thirds = |step: usize| (0..10).step_by(step).map(Some).chain([None]);
    for punto in 0..10 {
        for banca in 0..10 {
            for third in thirds(1) {
                for last in thirds(7) {
                    let hands = hands(punto, banca, [third, last]);
                    for (hand, at) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
                        let mut hands = hands.clone();
                        let Some(face) = hands[hand].get_mut(at) else { continue };
                        *face = Face::Unseen;
                        assert_as_naive(&hands, &rules);
                    }
                }
            }
        }
    }
}

#[test]
fn several_unread_cards_are_all_their_readings() {
    let rules = rules();
    for text in [
        ["?? KD", "?? 5S"],
        ["?? ??", "4C 3S"],
        ["?? 5D", "2C 3S ??"],
        ["2D 3D ??", "4S ?? 9C"],
        ["4? 4H", "4S 4?"],
        ["4? 4?", "2S ??"],
        ["2D ?? ??", "4S 2D 9C"],
    ] {
        let hands = text.map(|hand| hand.split(' ').map(|face| face.parse().unwrap()).collect());
        assert_as_naive(&hands, &rules);
    }
}

#[test]
fn six_unread_cards_make_no_more_than_is_said() {
    let hands = [vec![Face::Unseen; 3], vec![Face::Unseen; 3]];
    let (deals, wrong) = dealt(&hands, Pool::default(), &rules());
    assert!(!wrong && deals.left().len() <= 1_000);
    let outcomes = deals.worlds().outcomes().len();
    assert!((1_000..=1_600).contains(&outcomes), "{outcomes}");
}

#[test]
fn what_the_decks_no_longer_hold_is_excluded() {
    let mut pool = Pool::default();
    Rank::ALL.into_iter().filter(|rank| *rank != Rank::Nine).for_each(|rank| pool.exhaust_rank(rank));
    [Suit::Clubs, Suit::Diamonds].into_iter().for_each(|suit| pool.exhaust(Rank::Nine, suit));
    let hands =
        [vec![Face::Unseen, "KD".parse().unwrap()], vec!["2C".parse().unwrap(), "5S".parse().unwrap()]];
    let (deals, _) = dealt(&hands, pool, &rules());
    let worlds = deals.worlds();
    assert_eq!((worlds.outcomes().len(), worlds.winner()), (1, Some(Winner::Punto)));
    assert!(worlds.open().is_none());
    pool.exhaust_rank(Rank::Nine);
    assert!(dealt(&hands, pool, &rules()).0.worlds().outcomes().len() > 1, "overdrawn decks exclude nothing");
}

#[test]
fn a_payout_narrows_what_follows_and_a_wrong_one_is_held_against_the_nearest() {
    let hands = ["9D ??", "2C 5S"].map(|hand| hand.split(' ').map(|face| face.parse().unwrap()).collect());
    let (deals, _) = dealt(&hands, Pool::default(), &rules());
    let mut worlds = deals.worlds();
    let sum = |units| Settlement { returned: Money::new(units).unwrap(), commission: Money::ZERO };
    let by_winner = |outcome: &Outcome| Some(outcome.winner());
    let brings = |winner| match winner {
        Winner::Punto => sum(2_000),
        Winner::Banca => sum(0),
        Winner::Tie => sum(1_000),
    };
    assert_eq!(worlds.due(Some(sum(1_600)), by_winner, brings).due, Some(sum(2_000)));
    assert_eq!(worlds.due(Some(sum(2_000)), by_winner, brings).due, None);
    assert_eq!(worlds.due(Some(sum(0)), by_winner, brings).due, Some(sum(2_000)));
    assert_eq!(worlds.open(), Some(Reason::CardUnread));
}

#[test]
fn the_same_cards_are_dealt_by_the_rules() {
    let rules = rules();
    let deal = |text: &str| rightful(text.split(' ').map(|face| face.parse::<Face>().unwrap()), &rules);
    let totals = |text| match deal(text) {
        Rightful::Coup(coup) => Some((coup.punto.total().get(), coup.banca.total().get())),
        Rightful::Needs | Rightful::Unknown => None,
    };
    assert_eq!(totals("6D 2C KD 5S 2H"), Some((6, 7)), "the card that punto drew is not its");
    assert_eq!(totals("2D 3C 3D 4S 4H"), Some((9, 7)));
    for needs in ["2D 3C 3D 4S", "2D 3C 3D 2S 4H", "2D 3C"] {
        assert_eq!(deal(needs), Rightful::Needs, "{needs}");
    }
}
