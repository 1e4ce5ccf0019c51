#![allow(clippy::unwrap_used)]
//! Every coup that the fast check accepts is accepted by the full checks as well.

use baccarat::Money;
use events::{Holder, Limits, Name};

use super::limits::Judging;
use super::{Bet, BetState, CoupInPlay, Held};
use crate::person::Person;
use crate::rules::{Rules, stake_ranges};
use crate::seating::Seating;
use crate::sink::Location;
use crate::stakes::Stakes;

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// Now and then.
    fn seldom(&mut self) -> bool {
        self.below(30) == 0
    }
}

fn bet(at: u64, rules: &Rules, numbers: &mut Numbers) -> Bet {
    let seat = u8::try_from(1 + numbers.below(4)).unwrap();
    let whose = if numbers.seldom() { 1 + numbers.below(4) } else { u64::from(seat).min(3) };
    let name: Name = format!("player-{whose}").parse().unwrap();
    let name = if numbers.seldom() { None } else { Some(name) };
    // Few kinds, so that one player often has several bets on one, and often punto.
    let few = usize::try_from(numbers.below(4)).unwrap() % rules.kinds();
    let kind = if numbers.below(2) == 0 { rules.punto() } else { Some(few) };
    Bet {
        id: at,
        seat,
        person: name.as_ref().map(Person::from),
        player: name,
        alike: false,
        kind: kind.filter(|_| !numbers.seldom()),
        stake: Money::new(500 * (1 + numbers.below(6)) + u64::from(numbers.seldom())).unwrap(),
        sequence: at,
        time: 0,
        placed_at: Location::default(),
        late: numbers.seldom(),
        misplaced: false,
        held: Held::NotYet,
        limit: None,
        state: if numbers.seldom() { BetState::WithdrawnLate } else { BetState::Stands },
    }
}

fn coup(rules: &Rules, numbers: &mut Numbers) -> CoupInPlay {
    let mut play = CoupInPlay::new(1);
    let sum = |units| Money::new(units).unwrap();
    let limits =
        Limits { minimum: sum(500), maximum: sum(6_000), multiple: Some(sum(500)), bets: Vec::new() };
    play.limits = super::Limits { ranges: stake_ranges(rules, &limits).into(), multiple: limits.multiple };
    play.bets = (0..1 + numbers.below(6)).map(|at| bet(at, rules, numbers)).collect();
    play
}

fn seating(numbers: &mut Numbers) -> Seating {
    let mut seating = Seating::default();
    for seat in 1..=4 {
        let name: Name = format!("player-{}", seat.min(3)).parse().unwrap();
        if !numbers.seldom() {
            seating.sit(seat, Some(Person::from(&name)));
        }
    }
    seating
}

#[test]
fn what_is_plainly_right_is_right() {
    let mut numbers = Numbers(1);
    for book in ["punto-banco", "es-1979", "mini-punto-banco", "mini-side-bets", "macau-baccarat"] {
        let rules = Rules::of(baccarat::builtin(book).unwrap(), String::new(), None);
        let (mut within, mut held) = (0, 0);
        for _ in 0..4_000 {
            let mut play = coup(&rules, &mut numbers);
            if play.plainly_within_limits(&rules) {
                within += 1;
                let stakes = Stakes::of(&play.bets, Bet::counts);
                let judging = Judging::of(&play, &stakes, &rules);
                assert!(judging.found.is_empty() && !judging.unnamed, "{book}: {:?}", play.bets);
                assert!(judging.within.is_empty() && judging.open.is_empty(), "{book}: {:?}", play.bets);
            }
            let seating = seating(&mut numbers);
            let holder = Holder::Seat(u8::try_from(1 + numbers.below(4)).unwrap());
            if play.plainly_has_most(holder, &rules, &seating) {
                held += 1;
                let allowed = play.with_most(holder, &rules, &seating);
                assert!(allowed.is_some_and(|allowed| allowed.contains(&holder)), "{book}: {:?}", play.bets);
                assert_eq!(play.undecided, None, "{book}: {:?}", play.bets);
            }
        }
        assert!(within > 100 || rules.book.seats.own_place, "{book}: {within} coups were within the limits");
        assert!(held > 100, "{book}: in {held} coups one has most");
    }
}
