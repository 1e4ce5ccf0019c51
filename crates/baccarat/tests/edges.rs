//! House edges as people print them, from the exact fractions.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::exact::{Fraction, Price, Tally, draws_played_otherwise, price};
use baccarat::{Columns, Rulebook, builtin};

fn side_bets() -> Rulebook {
    Rulebook::from_toml("side_bets.toml", include_str!("bets/side_bets.toml")).unwrap()
}

/// The edge with as many digits after the point as `printed` has.
fn as_printed(edge: &Fraction, printed: &str) -> String {
    let digits = printed.split_once('.').map_or(0, |(_, digits)| digits.len());
    edge.percent(u32::try_from(digits).unwrap())
}

/// Bet; house edge in percent with 8 and with 6 decks, where printed, as the trade prints them.
const PRINTED: &[(&str, &str, Option<&str>)] = &[
    ("punto", "1.2351", Some("1.2374")),
    ("banca", "1.0579", Some("1.0558")),
    ("banca-six-pays-half", "1.4581", Some("1.4548")),
    ("banca-ez", "1.0183", Some("1.0161")),
    ("tie", "14.360", Some("14.438")),
    ("tie-seven", "23.875", None),
    ("tie-nine", "4.844", None),
    ("punto-pair", "10.361", Some("11.254")),
    ("banca-pair", "10.361", Some("11.254")),
    // Some lists print 14.537 with 6 decks, rounding 14.5365 once more: it is 14.53648...
    ("either-pair", "13.710", Some("14.5365")),
    ("perfect-pair", "4.096", Some("6.109")),
    ("dragon-bonus-punto", "2.652", None),
    ("dragon-bonus-banca", "9.373", None),
    ("dragon-7", "7.611", None),
    ("panda-8", "10.188", None),
    ("super-6", "29.977", None),
    ("lucky-6", "16.684", None),
    ("lucky-7", "18.296", None),
    ("big", "4.346", None),
    ("small", "5.283", None),
    ("ox-6", "10.338", None),
    ("three-card-six", "13.368", None),
];

#[test]
fn every_printed_edge_is_reproduced_to_its_last_digit() {
    let rules = side_bets();
    let (eight, six) = (Tally::of(&rules, 8).unwrap(), Tally::of(&rules, 6).unwrap());
    for (name, with_eight, with_six) in PRINTED {
        let bet = &rules.bets[&name.parse().unwrap()];
        let edge = |tally: &Tally| price(bet, rules.commission.as_ref(), tally).edge;
        assert_eq!(as_printed(&edge(&eight), with_eight), *with_eight, "{name}, 8 decks");
        if let Some(printed) = with_six {
            assert_eq!(as_printed(&edge(&six), printed), *printed, "{name}, 6 decks");
        }
    }
}

#[test]
fn pairs_have_the_edge_that_can_be_worked_out_by_hand() {
    // Of the 415 other cards 31 share the rank: 1 - 12 * 31/415.
    let rules = side_bets();
    let tally = Tally::of(&rules, 8).unwrap();
    let found = price(&rules.bets[&"punto-pair".parse().unwrap()], None, &tally);
    assert_eq!(found.edge, Fraction::new(43, 415));
    assert_eq!(Fraction::new(found.wins, tally.draws()), Fraction::new(31, 415));
    assert_eq!(found.pushes, 0);
    assert_eq!(found.wins + found.losses, tally.draws());
}

#[test]
fn either_pair_with_six_decks_is_one_or_the_other_but_not_both_twice() {
    let rules = side_bets();
    let tally = Tally::of(&rules, 6).unwrap();
    let found = price(&rules.bets[&"either-pair".parse().unwrap()], None, &tally);
    // 23 of 311 make the first hand a pair; then 22 * 21 + 12 * 24 * 23 of 310 * 309 the second.
    let (whole, one) = (311 * 310 * 309, 23 * 310 * 309);
    let both = 23 * (22 * 21 + 12 * 24 * 23);
    assert_eq!(Fraction::new(found.wins, tally.draws()), Fraction::new(2 * one - both, whole));
}

#[test]
fn commission_is_its_exact_share_and_pushes_keep_nothing() {
    let rules = builtin("punto-banco").unwrap();
    let tally = Tally::of(&rules, 8).unwrap();
    let Price { wins, pushes, losses, edge } =
        price(&rules.bets[&"banca".parse().unwrap()], rules.commission.as_ref(), &tally);
    assert_eq!((wins, losses, pushes), (2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216));
    assert_eq!(edge, Fraction::new(20 * losses - 19 * wins, 20 * tally.draws()));
}

#[test]
fn a_denominator_beyond_machine_integers_is_still_exact() {
    let rows: String = (0..10)
        .map(|total| {
            format!(
                "{{ winner = \"tie\", punto-total = {total}, pays = \"1:{}\" }},",
                4_294_967_291_u32 - total
            )
        })
        .collect();
    let text = include_str!("bets/side_bets.toml").to_owned()
        + &format!("\n[bets.odd]\ntitle = \"Odd\"\nrows = [{rows}]\n");
    let rules = Rulebook::from_toml("odd", &text).unwrap();
    let tally = Tally::of(&rules, 8).unwrap();
    let found = price(&rules.bets[&"odd".parse().unwrap()], None, &tally);
    assert_eq!(found.wins, 475_627_426_473_216);
    // Nearly nothing is won: the edge is just below the share of losing draws.
    assert!(found.edge < Fraction::new(found.losses, tally.draws()));
    assert_eq!(found.edge.percent(4), Fraction::new(found.losses, tally.draws()).percent(4));
}

#[test]
fn a_table_read_by_puntos_total_misplays_the_share_in_its_finding() {
    // The source's heading is «Puntuación del punto (después de la 3ª carta si la ha pedido)»: a
    // punto that stood has its own total, 6 or 7, where banca with 6 draws.
    let right = builtin("punto-banco").unwrap();
    let json = right.canonical_json().replace("PPPPPPTTPPP", "PPPPPPTTPPT");
    let mut literal = Rulebook::from_json("literal", &json).unwrap();
    literal.columns = Columns::PuntoTotal;
    let share = |rules: &Rulebook, decks| {
        let draws = draws_played_otherwise(&right, rules, decks).unwrap();
        Fraction::new(draws, baccarat::exact::draws(decks).unwrap()).percent(2)
    };
    assert_eq!(share(&literal, 8), "8.82");
    assert_eq!(share(&right, 8), "0.00");
}
