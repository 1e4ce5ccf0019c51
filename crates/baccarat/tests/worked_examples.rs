//! The worked examples of «Apuestas del punto y banca», settled coup by coup.
//!
//! Four players: the first bets on the tie and on punto, the second and third on banca, the fourth
//! on punto. Its only amounts are those of the second example: "La ganancia es 10, el 5% es 0,5".
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::{Card, Coup, Hand, Money, Pays, Rulebook, Winner, builtin};

/// Ten euros in cents.
const TEN: u64 = 1_000;

fn hand(cards: &str) -> Hand {
    let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
    Hand::new([cards[0], cards[1]], cards.get(2).copied())
}

fn coup(punto: &str, banca: &str) -> Coup {
    Coup { punto: hand(punto), banca: hand(banca) }
}

/// What comes back for a stake of ten, and the commission marked, in cents.
fn settled(rules: &Rulebook, coup: &Coup, kind: &str) -> (u64, u64) {
    let decision = rules.bets[&kind.parse().unwrap()].decide(coup).unwrap();
    let settled = rules.settle(Money::new(TEN).unwrap(), decision);
    (settled.returned.get(), settled.commission.get())
}

/// The bets of players 1 (two), 2, 3 and 4.
const BETS: [&str; 5] = ["tie", "punto", "banca", "banca", "punto"];

fn table(rules: &Rulebook, coup: &Coup) -> [(u64, u64); 5] {
    BETS.map(|kind| settled(rules, coup, kind))
}

const LOST: (u64, u64) = (0, 0);
const BACK: (u64, u64) = (TEN, 0);
const PAID_ONE_TO_ONE: (u64, u64) = (2 * TEN, 0);

#[test]
fn punto_wins_with_a_natural_nine() {
    // "Punto: 10 + 9 = 9 natural. Banca: 3 + 4 = 7."
    let coup = coup("TH 9S", "3C 4D");
    assert_eq!((coup.winner(), coup.punto.is_natural()), (Winner::Punto, true));
    let rules = builtin("punto-banco").unwrap();
    assert_eq!(table(&rules, &coup), [LOST, PAID_ONE_TO_ONE, LOST, LOST, PAID_ONE_TO_ONE]);
}

#[test]
fn banca_wins_and_half_a_euro_is_marked_in_the_box() {
    // "la mano del punto suma 7 y la banca tiene un 9 natural": paid 1 to 1, 0.5 marked at 2 and 3.
    let coup = coup("TH 7S", "4C 5D");
    let rules = builtin("punto-banco").unwrap();
    let marked = (2 * TEN, 50);
    assert_eq!(table(&rules, &coup), [LOST, LOST, marked, marked, LOST]);
    // Where it is taken at once the same half euro is kept back.
    let at_once = builtin("punto-banco-at-once").unwrap();
    assert_eq!(settled(&at_once, &coup, "banca"), (2 * TEN - 50, 50));
}

#[test]
fn both_have_a_natural_nine_and_the_tie_is_paid() {
    // "ocho veces el valor de su apuesta"; punto and banca take their stakes back.
    let coup = coup("TH 9S", "4C 5D");
    assert_eq!(coup.winner(), Winner::Tie);
    let rules = builtin("punto-banco").unwrap();
    assert_eq!(table(&rules, &coup), [(9 * TEN, 0), BACK, BACK, BACK, BACK]);
}

#[test]
fn without_commission_bancas_six_pays_half_the_stake() {
    let rules = builtin("no-commission-six-half").unwrap();
    let six = coup("TH 2S 3C", "KC 6D");
    assert_eq!((six.winner(), six.banca.total().get()), (Winner::Banca, 6));
    assert_eq!(settled(&rules, &six, "banca"), (TEN + TEN / 2, 0));
    assert_eq!(settled(&rules, &coup("TH 6S", "KC 7D"), "banca"), PAID_ONE_TO_ONE);
    assert_eq!(settled(&rules, &coup("TH 6S", "KC 6D"), "banca"), BACK);
    assert_eq!(settled(&rules, &coup("TH 7S", "KC 6D"), "banca"), LOST);
}

#[test]
fn dragon_bonus_pays_a_natural_or_a_win_by_four_and_more() {
    // "la mano ganadora será un natural o ganará por al menos 4 puntos de diferencia".
    let rules = builtin("dragon-bonus").unwrap();
    let paid = |coup: &Coup, kind: &str| rules.bets[&kind.parse().unwrap()].decide(coup).unwrap().pays;
    let odds = |text: &str| text.parse::<Pays>().unwrap();
    for (punto, banca, on_punto, on_banca) in [
        ("TH 9S", "3C 4D", odds("1:1"), Pays::Lose),
        ("TH 8S", "4C 5D", Pays::Lose, odds("1:1")),
        ("TH 9S", "4C 5D", Pays::Push, Pays::Push),
        ("2H 3S 4C", "KC KD KH", odds("30:1"), Pays::Lose),
        ("2H 3S 3C", "KC KD KH", odds("10:1"), Pays::Lose),
        ("KH 7S", "KC KD KH", odds("6:1"), Pays::Lose),
        ("KH 6S", "KC KD KH", odds("4:1"), Pays::Lose),
        ("KH 6S", "KC KD AH", odds("2:1"), Pays::Lose),
        ("KH 6S", "KC KD 2H", odds("1:1"), Pays::Lose),
        ("KH 6S", "KC KD 3H", Pays::Lose, Pays::Lose),
        ("KH KS 3C", "KC 7D", Pays::Lose, odds("1:1")),
        ("KH 6S", "KC 6D", Pays::Lose, Pays::Lose),
    ] {
        let coup = coup(punto, banca);
        assert_eq!(paid(&coup, "dragon-bonus-punto"), on_punto, "{punto} against {banca}");
        assert_eq!(paid(&coup, "dragon-bonus-banca"), on_banca, "{punto} against {banca}");
    }
}
