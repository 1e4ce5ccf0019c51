//! Exact money: rounding goes the way it says, and settlement loses no minor unit.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::{Charge, Decision, Money, Odds, OverLimit, Pays, Rounding, RoundingMode, Rulebook, builtin};
use proptest::prelude::*;
use proptest::sample::select;

const MODES: [RoundingMode; 4] =
    [RoundingMode::Down, RoundingMode::Up, RoundingMode::HalfUp, RoundingMode::HalfEven];

fn any_rounding() -> impl Strategy<Value = Rounding> {
    (select(&MODES[..]), 1..=10_000_u32)
        .prop_map(|(mode, unit)| Rounding { mode, unit: unit.try_into().unwrap() })
}

fn any_stake() -> impl Strategy<Value = Money> {
    prop_oneof![0..=100_000_u64, 0..=Money::MAX_RECORDED.get()].prop_map(|units| Money::new(units).unwrap())
}

proptest! {
    #[test]
    fn a_rounded_sum_is_the_multiple_the_mode_asks_for(
        sum in any_stake(), numerator in 0..=1_000_u32, denominator in 1..=1_000_u32, rounding in any_rounding(),
    ) {
        let rounded = i128::from(sum.times(numerator, denominator, rounding).get());
        let unit = i128::from(rounding.unit.get());
        prop_assert_eq!(rounded % unit, 0);
        // Everything times the denominator, so that the exact product is whole.
        let exact = i128::from(sum.get()) * i128::from(numerator);
        let off = rounded * i128::from(denominator) - exact;
        let step = unit * i128::from(denominator);
        match rounding.mode {
            RoundingMode::Down => prop_assert!(-step < off && off <= 0),
            RoundingMode::Up => prop_assert!(0 <= off && off < step),
            RoundingMode::HalfUp => prop_assert!(-step < 2 * off && 2 * off <= step),
            RoundingMode::HalfEven => {
                prop_assert!(-step <= 2 * off && 2 * off <= step);
                prop_assert!((2 * off).abs() < step || (rounded / unit) % 2 == 0);
            }
        }
    }

    #[test]
    fn a_larger_sum_never_rounds_to_less(
        one in any_stake(), other in any_stake(), numerator in 0..=1_000_u32, denominator in 1..=1_000_u32,
        rounding in any_rounding(),
    ) {
        let times = |sum: Money| sum.times(numerator, denominator, rounding);
        prop_assert!(times(one.min(other)) <= times(one.max(other)));
    }

    #[test]
    fn what_comes_back_and_what_the_house_takes_is_the_stake_and_its_winnings(
        stake in any_stake(), wins in 1..=1_000_u32, commission in any::<bool>(), charge in select(vec![Charge::Collected, Charge::Boxed]),
        rounding in any_rounding(),
    ) {
        let mut rules = builtin("es-1979").unwrap();
        let terms = rules.commission.as_mut().unwrap();
        (terms.charge, terms.rounding) = (charge, rounding);
        let odds: Odds = format!("{wins}:1").parse().unwrap();
        let settled = rules.settle(stake, Decision { pays: Pays::Wins(odds), commission });
        let whole = stake.get() * (u64::from(wins) + 1);
        let due = if commission { (stake.get() * u64::from(wins)) / 20 } else { 0 };
        prop_assert!(settled.commission.get().abs_diff(due) <= u64::from(rounding.unit.get()));
        let taken = if charge == Charge::Collected { settled.commission.get() } else { 0 };
        prop_assert_eq!(settled.returned.get(), whole.saturating_sub(taken));
        prop_assert!(commission || settled.commission == Money::ZERO);
    }
}

fn settled(rules: &Rulebook, stake: u64, pays: &str, commission: bool) -> (u64, u64) {
    let settled =
        rules.settle(Money::new(stake).unwrap(), Decision { pays: pays.parse().unwrap(), commission });
    (settled.returned.get(), settled.commission.get())
}

#[test]
fn commission_is_deducted_by_the_orden_and_marked_in_the_box_by_the_houses() {
    let orden = builtin("es-1979").unwrap();
    assert_eq!(settled(&orden, 10_000, "1:1", true), (19_500, 500));
    assert_eq!(settled(&orden, 10_000, "push", true), (10_000, 0));
    assert_eq!(settled(&orden, 10_000, "lose", true), (0, 0));
    let house = builtin("punto-banco").unwrap();
    // «La ganancia es 10, el 5% es 0,5.»
    assert_eq!(settled(&house, 1_000, "1:1", true), (2_000, 50));
    assert_eq!(settled(&house, 1_000, "8:1", false), (9_000, 0));
    assert_eq!(settled(&house, 1_000, "1:2", false), (1_500, 0));
    // Half a cent goes up: 5 % of 10 cents.
    assert_eq!(settled(&house, 10, "1:1", true), (20, 1));
    assert_eq!(settled(&house, 9, "1:1", true), (18, 0));
}

#[test]
fn built_in_limits_and_seats_say_what_their_sources_say() {
    let orden = builtin("es-1979").unwrap();
    assert_eq!(orden.limits.maximum_over_minimum, [50, 100].into());
    assert!(orden.limits.multiples_allowed && orden.limits.multiple_is_minimum);
    assert_eq!(orden.limits.over_limit, OverLimit::PaidInFull);
    assert!(!orden.bets.keys().any(|kind| kind.as_str() == "tie"));
    // Thirteen alone may be missing, and a smaller table ends at a lower number.
    let without = |seats: &mut dyn Iterator<Item = u8>| orden.seats.wrongly_left_out(&seats.collect());
    assert!(without(&mut (1..=14)).is_empty());
    assert!(without(&mut (1..=14).filter(|seat| *seat != 13)).is_empty());
    assert!(without(&mut (1..=9)).is_empty());
    assert_eq!(without(&mut (1..=14).filter(|seat| *seat != 4)), [4]);
    assert_eq!(without(&mut [3, 5].into_iter()), [1, 2, 4]);
    let tie = &builtin("mini-punto-banco").unwrap().bets[&"tie".parse().unwrap()];
    assert_eq!((tie.cap.unwrap().to_string().as_str(), tie.minimum_binds), ("1/10", false));
}
