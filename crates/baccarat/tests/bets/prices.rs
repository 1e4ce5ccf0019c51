//! What every bet of the trade costs, exactly, from every draw of a fresh shoe.

use std::collections::BTreeMap;

use baccarat::exact::outcomes;
use baccarat::{Pays, Rulebook};

/// Draws a bet wins, and what the house keeps of a unit staked on every draw.
#[derive(Debug, Default, Clone, Copy)]
struct Price {
    draws: u128,
    winning: u128,
    /// In two-thousandths of a unit: 20 for a commission of 5 %, 100 for the odds of `big`.
    kept: i128,
}

const UNIT: i128 = 2_000;

impl Price {
    /// House edge in ten-thousandths of a percent, rounded to the nearest.
    fn edge(self) -> i128 {
        let whole = UNIT * i128::try_from(self.draws).unwrap();
        (self.kept * 2_000_000 + whole).div_euclid(2 * whole)
    }
}

fn prices(rules: &Rulebook, decks: u8) -> BTreeMap<&str, Price> {
    let mut prices: Vec<Price> = vec![Price::default(); rules.bets.len()];
    outcomes(rules, decks, |coup, draws| {
        for (price, bet) in prices.iter_mut().zip(rules.bets.values()) {
            let decision = bet.decide(coup).unwrap();
            let won = match decision.pays {
                Pays::Lose => -UNIT,
                Pays::Push => 0,
                Pays::Wins(odds) => {
                    let (wins, per) = (i128::from(odds.wins()), i128::from(odds.per()));
                    assert_eq!(UNIT * wins % per, 0);
                    let won = UNIT * wins / per;
                    if decision.commission { won - won / 20 } else { won }
                }
            };
            price.draws += draws;
            price.winning += if matches!(decision.pays, Pays::Wins(_)) { draws } else { 0 };
            price.kept -= won * i128::try_from(draws).unwrap();
        }
    })
    .unwrap();
    rules.bets.keys().map(|kind| kind.as_str()).zip(prices).collect()
}

/// Bet; winning draws with 8 decks; house edge with 8 and with 6 decks in 0.0001 %.
const PRICES: &[(&str, u128, i128, i128)] = &[
    ("banca", 2_292_252_566_437_888, 10_579, 10_558),
    ("banca-ez", 2_179_619_555_108_864, 10_183, 10_161),
    ("banca-pair", 373_374_329_013_504, 103_614, 112_540),
    ("banca-six-pays-half", 2_292_252_566_437_888, 14_581, 14_548),
    ("big", 3_104_662_664_044_800, 43_457, 43_545),
    ("dragon-7", 112_633_011_329_024, 76_113, 76_062),
    ("dragon-bonus-banca", 1_413_520_711_081_984, 93_731, 93_889),
    ("dragon-bonus-punto", 1_448_970_808_385_536, 26_517, 26_675),
    ("either-pair", 718_854_004_327_680, 137_099, 145_365),
    ("lucky-6", 269_232_304_455_680, 166_836, 167_163),
    ("lucky-7", 408_043_979_470_848, 182_961, 182_583),
    ("ox-6", 109_309_407_541_248, 103_376, 103_841),
    ("panda-8", 172_660_763_262_976, 101_876, 102_074),
    ("perfect-pair", 373_374_329_013_504, 40_964, 61_093),
    ("punto", 2_230_518_282_592_256, 12_351, 12_374),
    ("punto-pair", 373_374_329_013_504, 103_614, 112_540),
    ("small", 1_893_735_611_458_560, 52_829, 52_687),
    ("super-6", 269_232_304_455_680, 299_772, 300_022),
    ("three-card-six", 359_157_679_057_152, 133_676, 134_456),
    ("tie", 475_627_426_473_216, 143_596, 144_382),
    ("tie-at-4-or-5", 75_978_180_206_848, 72_769, 73_049),
    ("tie-nine", 475_627_426_473_216, 48_440, 49_313),
    ("tie-seven", 475_627_426_473_216, 238_752, 239_450),
];

#[test]
fn every_bet_wins_and_costs_exactly_what_it_has_to() {
    let rules = Rulebook::from_toml("side_bets.toml", include_str!("side_bets.toml")).unwrap();
    let (eight, six) = (prices(&rules, 8), prices(&rules, 6));
    let found: Vec<(&str, u128, i128, i128)> =
        eight.iter().map(|(kind, price)| (*kind, price.winning, price.edge(), six[kind].edge())).collect();
    assert_eq!(found, PRICES);
}
