//! A rulebook's two spellings, TOML and canonical JSON, and the digest that names it.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use baccarat::{
    BurnMethod, Charge, ClockRules, DealOrder, Dealer, LastCoup, NewShoe, OverLimit, PuntoHolderRule,
    RoundingMode, Rulebook, RulingRules, TieBreak, builtin, builtins,
};
use proptest::prelude::*;
use proptest::sample::select;

/// Once a version of this program was released these never change: the logs of every table name
/// them, and inspectors approve them. A changed text or value is a new rulebook with a new id.
#[test]
fn the_built_in_rulebooks_keep_their_digests() {
    let digests: Vec<String> =
        builtins().map(|(id, _)| format!("{id} {}", builtin(id).unwrap().digest())).collect();
    let kept: Vec<&str> = include_str!("digests.txt").lines().collect();
    assert_eq!(digests, kept);
}

#[test]
fn a_digest_changes_with_every_word() {
    let orden = builtin("es-1979").unwrap();
    let mut changed = orden.clone();
    changed.citations.values_mut().next().unwrap().text.push('.');
    assert_ne!(orden.digest(), changed.digest());
}

#[test]
fn comments_and_the_order_of_keys_change_no_digest() {
    let (_, text) = builtins().next().unwrap();
    let without: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    let mut sections: Vec<String> = Vec::new();
    for line in without {
        if line.starts_with('[') || sections.is_empty() {
            sections.push(String::new());
        }
        sections.last_mut().unwrap().push_str(&format!("{line}\n"));
    }
    sections[1..].reverse();
    let turned = Rulebook::from_toml("turned", &sections.concat()).unwrap();
    assert_ne!(sections.concat(), text);
    assert_eq!(turned.digest(), builtin("es-1979").unwrap().digest());
}

fn any_burn() -> impl Strategy<Value = BurnMethod> {
    prop_oneof![
        proptest::array::uniform13(1..=13_u8).prop_map(|values| BurnMethod::Indicator { values }),
        Just(BurnMethod::Decks),
        (1..=8_u8).prop_map(|count| BurnMethod::Fixed { count }),
        Just(BurnMethod::None),
    ]
}

fn any_seats() -> impl Strategy<Value = (BTreeSet<u8>, Option<BTreeSet<u8>>)> {
    (proptest::collection::btree_set(1..=99_u8, 2..20), any::<Option<bool>>()).prop_map(
        |(numbers, optional)| {
            let optional = optional.map(|some| numbers.iter().skip(1).filter(|_| some).copied().collect());
            (numbers, optional)
        },
    )
}

prop_compose! {
    /// What a rulebook may ask of the record.
    fn any_record()(
        clock in any::<Option<[Option<u16>; 3]>>(),
        rulings in any::<Option<bool>>(),
    ) -> (Option<ClockRules>, Option<RulingRules>) {
        let clock = clock.map(|micros| {
            let [step, ahead, recorded_within] = micros.map(|micros| micros.map(u64::from));
            ClockRules { step, ahead, recorded_within, cite: Vec::new() }
        });
        (clock, rulings.map(|countersigned| RulingRules { countersigned, cite: Vec::new() }))
    }
}

prop_compose! {
    /// Any rulebook whose parameters differ from the built-in one's.
    fn any_rulebook()(
        decks in proptest::collection::btree_set(1..=12_u8, 1..4),
        cards_behind in 1..=32_u16,
        last_coup in select(vec![LastCoup::FinishCoup, LastCoup::OneMore]),
        method in any_burn(),
        order in select(vec![DealOrder::Alternate, DealOrder::Pairs]),
        dealer in select(vec![Dealer::Players, Dealer::Croupier, Dealer::Either]),
        punto_holder in select(vec![PuntoHolderRule::HighestPuntoBet, PuntoHolderRule::Croupier]),
        tie_break in select(vec![TieBreak::Unstated, TieBreak::LowestSeat, TieBreak::FirstPlaced]),
        (numbers, may_leave_out) in any_seats(),
    )(
        over_limit in select(vec![OverLimit::PaidInFull, OverLimit::Capped, OverLimit::Void]),
        charge in select(vec![Charge::Collected, Charge::Boxed]),
        mode in select(vec![RoundingMode::Down, RoundingMode::Up, RoundingMode::HalfUp, RoundingMode::HalfEven]),
        unit in 1..=1_000_000_u32,
        ratios in proptest::collection::btree_set(1..=1_000_000_u32, 0..3),
        record in any_record(),
        multiples in any::<(bool, bool)>(),
        own_place in any::<bool>(),
        words in "[ -~ñ«»\\n]{0,60}",
        bets in any::<bool>(),
        decks in Just(decks), cards_behind in Just(cards_behind), last_coup in Just(last_coup), method in Just(method),
        order in Just(order), dealer in Just(dealer), punto_holder in Just(punto_holder), tie_break in Just(tie_break),
        numbers in Just(numbers), may_leave_out in Just(may_leave_out),
    ) -> Rulebook {
        let mut rulebook = builtin(if bets { "punto-banco" } else { "es-1979" }).unwrap();
        rulebook.shoe.decks = decks;
        rulebook.cut_card.cards_behind = cards_behind;
        rulebook.cut_card.last_coup = last_coup;
        rulebook.burn.method = method;
        rulebook.deal.order = order;
        rulebook.deal.dealer = dealer;
        rulebook.deal.punto_holder = punto_holder;
        rulebook.deal.tie_break = tie_break;
        (rulebook.clock, rulebook.rulings) = record;
        rulebook.seats.numbers = numbers;
        rulebook.seats.may_leave_out = may_leave_out;
        rulebook.seats.own_place = own_place;
        rulebook.limits.over_limit = over_limit;
        rulebook.limits.maximum_over_minimum = ratios;
        rulebook.limits.multiples_allowed = multiples.0;
        rulebook.limits.multiple_is_minimum = multiples.0 && multiples.1;
        let commission = rulebook.commission.as_mut().unwrap();
        commission.charge = charge;
        commission.rounding.mode = mode;
        commission.rounding.unit = unit.try_into().unwrap();
        rulebook.citations.values_mut().next().unwrap().text = words;
        rulebook
    }
}

#[test]
fn what_a_rulebook_does_not_ask_of_the_record_is_the_usual() {
    let book = builtin("es-1979").unwrap();
    assert_eq!((book.clock_step(), book.clock_ahead()), (1_000_000, 300_000_000));
    assert_eq!((book.recorded_within(), book.rulings_countersigned()), (157_680_000_000_000, true));
    assert_eq!((book.shoe.reuse, book.shoe.overnight, book.deal.new_shoe), (false, false, NewShoe::Unstated));
    let text = "extends = \"es-1979\"\nid = \"house\"\ntitle = \"House\"\neffective = { from = \"2026-01-01\" }\n\
                [shoe]\novernight = true\n[clock]\nahead = 0\n[rulings]\ncountersigned = false\n[deal]\nnew-shoe = \"anew\"";
    let house = Rulebook::from_toml("house.toml", text).unwrap();
    assert_eq!((house.clock_step(), house.clock_ahead()), (1_000_000, 0));
    assert_eq!((house.rulings_countersigned(), house.shoe.overnight), (false, true));
    assert_eq!((house.deal.new_shoe, &house.shoe.decks), (NewShoe::Anew, &book.shoe.decks));
    let canonical = house.canonical_json();
    assert!(canonical.contains("\"new-shoe\":\"anew\"") && canonical.contains("\"countersigned\":false"));
    let usual = text.replace("countersigned = false", "countersigned = true").replace("anew", "unstated");
    let canonical = Rulebook::from_toml("house.toml", &usual).unwrap().canonical_json();
    assert!(!canonical.contains("new-shoe") && !canonical.contains("countersigned"), "{canonical}");
}

proptest! {
    #[test]
    fn either_spelling_reads_back_as_the_same_rulebook(rulebook in any_rulebook()) {
        let json = rulebook.canonical_json();
        let from_json = Rulebook::from_json("json", &json).unwrap();
        prop_assert_eq!(&from_json, &rulebook);
        prop_assert_eq!(from_json.canonical_json(), json);
        let from_toml = Rulebook::from_toml("toml", &toml::to_string(&rulebook).unwrap()).unwrap();
        prop_assert_eq!(from_toml.digest(), rulebook.digest());
        prop_assert_eq!(from_toml, rulebook);
    }

    #[test]
    fn damage_to_a_rulebook_never_ends_in_a_panic(at in 0..60_000_usize, with in any::<char>(), json in any::<bool>()) {
        let text = if json {
            builtin("punto-banco").unwrap().canonical_json()
        } else {
            builtins().nth(1).unwrap().1.to_owned()
        };
        let mut marks: Vec<char> = text.chars().collect();
        let at = at % marks.len();
        marks[at] = with;
        let damaged: String = marks.into_iter().collect();
        let read = if json { Rulebook::from_json("x", &damaged) } else { Rulebook::from_toml("x", &damaged) };
        // Whatever is still accepted has a canonical form of its own.
        if let Ok(read) = read {
            let again = Rulebook::from_json("again", &read.canonical_json()).unwrap();
            prop_assert_eq!(again.digest(), read.digest());
        }
    }
}
