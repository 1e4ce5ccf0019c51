//! Exact counts of every ordered six-card draw from a fresh shoe.
//!
//! The literals came out of this enumeration once two programs written by others, which share
//! nothing with it, had given the same integers.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::exact::{Counts, draws, outcomes};
use baccarat::{Hand, Rulebook, Winner, builtin};

/// Draws that end with one winner.
struct Ending {
    draws: u128,
    /// By the winning total, or the total of the tie.
    by_total: [u128; 10],
    /// Four, five, six cards in both hands.
    by_cards: [u128; 3],
    /// Nobody drew, banca drew, punto drew, both drew.
    by_shape: [u128; 4],
    by_margin: [u128; 10],
}

const PUNTO_8: Ending = Ending {
    draws: 2_230_518_282_592_256,
    by_total: [
        0,
        24_639_193_538_560,
        44_328_525_111_296,
        62_946_423_310_336,
        86_165_771_096_064,
        122_838_277_197_824,
        312_658_895_192_064,
        408_043_979_470_848,
        555_823_197_134_848,
        613_074_020_540_416,
    ],
    by_cards: [857_541_897_461_760, 599_464_498_483_200, 773_511_886_647_296],
    by_shape: [857_541_897_461_760, 430_138_957_903_872, 169_325_540_579_328, 773_511_886_647_296],
    by_margin: [
        0,
        404_076_041_670_656,
        342_612_714_625_024,
        304_004_633_024_512,
        276_496_813_185_024,
        255_882_852_663_296,
        230_953_277_577_216,
        179_303_948_148_736,
        148_817_458_348_032,
        88_370_543_349_760,
    ],
};

const BANCA_8: Ending = Ending {
    draws: 2_292_252_566_437_888,
    by_total: [
        0,
        24_291_119_898_624,
        44_681_581_871_104,
        72_927_778_568_192,
        163_359_790_133_248,
        216_715_928_915_968,
        269_232_304_455_680,
        384_279_324_919_808,
        529_914_458_673_152,
        586_850_279_002_112,
    ],
    by_cards: [857_541_897_461_760, 783_893_126_688_768, 650_817_542_287_360],
    by_shape: [857_541_897_461_760, 113_067_491_481_600, 670_825_635_207_168, 650_817_542_287_360],
    by_margin: [
        0,
        429_113_218_379_776,
        380_809_848_801_280,
        337_954_703_288_320,
        290_863_628_298_240,
        246_989_569_007_616,
        208_914_452_625_408,
        169_230_785_953_792,
        143_024_905_588_736,
        85_351_454_494_720,
    ],
};

const TIE_8: Ending = Ending {
    draws: 475_627_426_473_216,
    by_total: [
        28_979_901_420_544,
        20_499_217_668_352,
        20_006_606_104_576,
        22_250_510_129_408,
        36_294_133_463_040,
        39_684_046_743_808,
        96_170_001_308_416,
        101_717_538_899_968,
        54_879_416_675_072,
        55_146_054_060_032,
    ],
    by_cards: [178_651_816_535_040, 133_377_183_608_832, 163_598_426_329_344],
    by_shape: [178_651_816_535_040, 45_193_694_466_048, 88_183_489_142_784, 163_598_426_329_344],
    by_margin: [475_627_426_473_216, 0, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// Row: punto's total; column: banca's.
#[rustfmt::skip]
const TOTALS_8: [[u128; 10]; 10] = [
    [28_979_901_420_544, 24_291_119_898_624, 24_211_866_148_864, 26_957_461_020_672, 46_033_607_532_544, 46_171_612_971_008, 48_639_204_401_152, 54_083_703_291_904, 85_076_577_230_848, 85_351_454_494_720],
    [24_639_193_538_560, 20_499_217_668_352, 20_469_715_722_240, 23_203_622_991_872, 40_593_010_774_016, 40_755_264_745_472, 40_608_057_946_112, 46_026_293_614_592, 57_774_350_200_832, 57_948_328_357_888],
    [24_214_066_700_288, 20_114_458_411_008, 20_006_606_104_576, 22_766_694_555_648, 38_585_331_400_704, 42_895_386_193_920, 42_768_049_588_224, 45_544_433_684_480, 57_197_896_224_768, 57_372_732_461_056],
    [23_748_210_556_928, 19_634_953_029_632, 19_563_259_723_776, 22_250_510_129_408, 38_147_840_425_984, 45_111_417_946_112, 44_979_215_931_392, 45_155_412_082_688, 56_875_337_277_440, 57_051_058_384_896],
    [24_642_962_657_280, 20_535_822_327_808, 20_465_430_315_008, 20_521_555_795_968, 36_294_133_463_040, 41_782_247_059_456, 45_802_040_381_440, 45_975_559_438_336, 57_616_152_412_160, 57_790_127_128_576],
    [25_228_523_110_400, 21_127_406_358_528, 21_055_697_346_560, 21_104_461_946_880, 34_322_188_435_456, 39_684_046_743_808, 46_435_736_207_360, 46_610_049_437_696, 58_332_350_017_536, 58_535_141_937_152],
    [57_372_381_863_936, 48_967_402_696_704, 48_870_027_180_032, 48_999_874_119_680, 51_520_246_087_680, 56_928_963_244_032, 96_170_001_308_416, 100_883_873_370_112, 77_985_646_493_696, 78_221_719_912_448],
    [58_350_707_818_496, 49_945_260_759_040, 49_787_546_013_696, 49_957_422_518_272, 49_835_600_281_600, 55_257_433_686_016, 94_910_008_393_728, 101_717_538_899_968, 79_056_148_815_872, 79_299_874_000_896],
    [88_188_576_587_776, 60_551_359_631_360, 60_325_437_726_720, 64_689_446_563_840, 64_455_840_866_304, 67_329_651_249_152, 72_372_438_790_144, 77_910_445_719_552, 54_879_416_675_072, 55_279_842_324_480],
    [88_370_543_349_760, 60_628_881_760_256, 60_401_880_698_880, 63_310_197_227_520, 67_209_934_278_656, 67_443_153_604_608, 72_499_777_142_784, 78_043_684_069_376, 55_165_968_408_576, 55_146_054_060_032],
];

const PUNTO_6: Ending = Ending {
    draws: 392_220_492_728_832,
    by_total: [
        0,
        4_324_372_222_464,
        7_783_696_682_496,
        11_062_715_711_616,
        15_136_825_377_024,
        21_598_969_450_752,
        54_953_093_477_376,
        71_789_606_487_936,
        97_696_802_437_632,
        107_874_410_881_536,
    ],
    by_cards: [150_822_526_643_712, 105_442_847_006_976, 135_955_119_078_144],
    by_shape: [150_822_526_643_712, 75_656_265_826_176, 29_786_581_180_800, 135_955_119_078_144],
    by_margin: [
        0,
        71_052_371_235_072,
        60_248_054_517_120,
        53_463_094_920_576,
        48_628_571_630_976,
        44_998_562_801_664,
        40_612_006_502_784,
        31_527_158_367_744,
        26_159_147_670_528,
        15_531_525_082_368,
    ],
};

const BANCA_6: Ending = Ending {
    draws: 403_095_751_234_560,
    by_total: [
        0,
        4_264_128_824_832,
        7_843_189_948_416,
        12_820_164_239_232,
        28_706_863_470_336,
        38_128_872_750_336,
        47_322_230_031_360,
        67_608_812_078_208,
        93_145_507_893_504,
        103_255_981_998_336,
    ],
    by_cards: [150_822_526_643_712, 137_873_769_318_144, 114_399_455_272_704],
    by_shape: [150_822_526_643_712, 19_879_694_285_184, 117_994_075_032_960, 114_399_455_272_704],
    by_margin: [
        0,
        75_457_651_108_608,
        66_968_615_984_256,
        59_438_359_246_464,
        51_160_616_862_336,
        43_439_090_987_520,
        36_735_795_872_640,
        29_755_092_731_904,
        25_140_055_304_448,
        15_000_473_136_384,
    ],
};

const TIE_6: Ending = Ending {
    draws: 83_552_962_932_288,
    by_total: [
        5_068_928_240_640,
        3_604_674_288_960,
        3_511_429_301_376,
        3_913_285_080_384,
        6_373_370_044_800,
        6_981_859_713_600,
        16_880_962_938_048,
        17_892_276_227_712,
        9_628_376_803_776,
        9_697_800_292_992,
    ],
    by_cards: [31_380_506_986_752, 23_455_161_287_424, 28_717_294_658_112],
    by_shape: [31_380_506_986_752, 7_944_274_503_936, 15_510_886_783_488, 28_717_294_658_112],
    by_margin: [83_552_962_932_288, 0, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// Row: punto's total; column: banca's.
#[rustfmt::skip]
const TOTALS_6: [[u128; 10]; 10] = [
    [5_068_928_240_640, 4_264_128_824_832, 4_245_546_825_216, 4_733_871_681_024, 8_079_496_680_960, 8_111_994_292_224, 8_534_981_039_616, 9_500_595_038_208, 14_936_001_431_040, 15_000_473_136_384],
    [4_324_372_222_464, 3_604_674_288_960, 3_597_643_123_200, 4_083_234_977_664, 7_140_240_693_504, 7_178_458_169_088, 7_143_806_230_272, 8_103_396_984_192, 10_163_184_406_272, 10_204_053_873_408],
    [4_247_024_380_416, 3_536_672_302_080, 3_511_429_301_376, 4_003_057_580_544, 6_779_319_856_128, 7_546_967_891_712, 7_517_113_547_904, 8_012_593_191_168, 10_050_313_865_472, 10_091_313_287_424],
    [4_168_902_168_576, 3_455_345_609_856, 3_438_467_933_184, 3_913_285_080_384, 6_707_806_239_744, 7_942_347_168_768, 7_911_355_506_048, 7_952_674_940_928, 10_005_826_558_464, 10_047_103_983_360],
    [4_323_302_362_368, 3_611_106_418_176, 3_594_636_831_744, 3_607_779_764_736, 6_373_370_044_800, 7_349_105_228_544, 8_048_708_547_840, 8_089_432_326_144, 10_124_265_517_056, 10_164_870_715_392],
    [4_429_566_480_384, 3_718_819_936_512, 3_701_936_936_448, 3_713_427_482_112, 6_035_218_615_296, 6_981_859_713_600, 8_166_265_159_680, 8_207_240_161_536, 10_260_972_986_112, 10_308_608_006_400],
    [10_068_663_403_008, 8_611_201_232_640, 8_588_375_496_576, 8_618_965_356_672, 9_054_277_567_488, 10_011_610_420_992, 16_880_962_938_048, 17_742_879_436_032, 13_700_396_749_824, 13_755_518_161_920],
    [10_251_365_253_120, 8_793_961_218_432, 8_756_763_773_184, 8_796_834_526_464, 8_768_129_596_416, 9_728_593_827_840, 16_693_958_292_480, 17_892_276_227_712, 13_904_546_379_264, 13_961_821_697_280],
    [15_482_031_902_208, 10_652_045_094_144, 10_599_016_103_424, 11_379_383_550_720, 11_324_734_705_152, 11_842_999_780_608, 12_714_610_367_232, 13_701_980_934_144, 9_628_376_803_776, 9_722_219_136_768],
    [15_531_525_082_368, 10_677_115_768_320, 10_623_748_020_480, 11_150_365_777_920, 11_821_647_764_736, 11_876_504_603_904, 12_751_054_663_680, 13_740_138_450_432, 9_702_310_749_696, 9_697_800_292_992],
];

fn check(decks: u8, all: u128, endings: [(Winner, &Ending); 3], totals: &[[u128; 10]; 10], counts: &Counts) {
    assert_eq!((counts.total(), draws(decks).unwrap()), (all, all));
    for (winner, ending) in endings {
        assert_eq!(counts.won_by(winner), ending.draws, "{winner}");
        for (total, expected) in (0..).zip(ending.by_total) {
            let found = counts.of_shape(|shape| {
                shape.winner() == winner && shape.punto_total.max(shape.banca_total) == total
            });
            assert_eq!(found, expected, "{decks} decks, {winner} with {total}");
        }
        for (cards, expected) in (4..).zip(ending.by_cards) {
            let found = counts.of_shape(|shape| shape.winner() == winner && shape.cards() == cards);
            assert_eq!(found, expected, "{decks} decks, {winner} after {cards} cards");
        }
        for ((punto, banca), expected) in [(2, 2), (2, 3), (3, 2), (3, 3)].into_iter().zip(ending.by_shape) {
            let found = counts.of_shape(|shape| {
                shape.winner() == winner && (shape.punto_cards, shape.banca_cards) == (punto, banca)
            });
            assert_eq!(found, expected, "{decks} decks, {winner}, {punto} cards against {banca}");
        }
        for (margin, expected) in (0..).zip(ending.by_margin) {
            let found = counts.of_shape(|shape| shape.winner() == winner && shape.margin() == margin);
            assert_eq!(found, expected, "{decks} decks, {winner} by {margin}");
        }
    }
    for (punto, row) in (0..).zip(totals) {
        for (banca, expected) in (0..).zip(row) {
            assert_eq!(counts.with_totals(punto, banca), *expected, "{decks} decks, {punto} against {banca}");
        }
    }
}

#[test]
fn eight_decks_end_as_often_in_every_way_as_they_have_to() {
    let counts = Counts::of(&builtin("punto-banco").unwrap(), 8).unwrap();
    let endings = [(Winner::Punto, &PUNTO_8), (Winner::Banca, &BANCA_8), (Winner::Tie, &TIE_8)];
    check(8, 4_998_398_275_503_360, endings, &TOTALS_8, &counts);
}

#[test]
fn six_decks_end_as_often_in_every_way_as_they_have_to() {
    for id in ["es-1979", "mini-punto-banco"] {
        let counts = Counts::of(&builtin(id).unwrap(), 6).unwrap();
        let endings = [(Winner::Punto, &PUNTO_6), (Winner::Banca, &BANCA_6), (Winner::Tie, &TIE_6)];
        check(6, 878_869_206_895_680, endings, &TOTALS_6, &counts);
    }
}

#[test]
fn the_order_of_the_first_four_cards_changes_no_count() {
    let alternate = builtin("punto-banco").unwrap();
    let mut pairs = alternate.clone();
    pairs.deal.order = baccarat::DealOrder::Pairs;
    assert_eq!(Counts::of(&pairs, 8).unwrap(), Counts::of(&alternate, 8).unwrap());
}

#[test]
fn one_wrong_cell_of_the_tableau_is_seen() {
    let right = builtin("punto-banco").unwrap();
    // Banca with 6 stands against a third card 6, on which it has to draw.
    let json = right.canonical_json().replace("PPPPPPTTPPP", "PPPPPPPTPPP");
    let wrong = Rulebook::from_json("wrong", &json).unwrap();
    assert_ne!(Counts::of(&wrong, 8).unwrap(), Counts::of(&right, 8).unwrap());
}

/// Orders in which both hands get a pair of one rank and one suit each, counted by hand: the four
/// cards are of one of 52 kinds, or of two different ones; two more cards make up the draw.
fn both_suited(decks: u128) -> u128 {
    let two = decks * (decks - 1);
    let cards = 52 * decks;
    let four = 52 * two * (decks - 2) * (decks - 3) + 52 * 51 * two * two;
    four * (cards - 4) * (cards - 5)
}

#[test]
fn kinds_of_pair_are_split_exactly() {
    let rules = builtin("punto-banco").unwrap();
    for decks in [1, 2, 6, 8] {
        let (mut all, mut suited, mut same_colour, mut mixed, mut both) = (0, 0, 0, 0, 0);
        outcomes(&rules, decks, |coup, draws| {
            all += draws;
            let kind = |hand: &Hand| {
                let [one, other] = hand.two();
                let (one_suit, other_suit) = (one.suit?, other.suit?);
                assert_eq!(one.rank, other.rank);
                Some((one_suit == other_suit, one_suit.is_red() == other_suit.is_red()))
            };
            match kind(&coup.punto) {
                Some((true, _)) => suited += draws,
                Some((false, true)) => same_colour += draws,
                Some((false, false)) => mixed += draws,
                None => {}
            }
            if let (Some((true, _)), Some((true, _))) = (kind(&coup.punto), kind(&coup.banca)) {
                both += draws;
            }
        })
        .unwrap();
        // Of the other cards, `decks - 1` share rank and suit, `decks` rank and colour only, and
        // twice as many the rank in the other colour.
        let decks = u128::from(decks);
        let others = 52 * decks - 1;
        assert_eq!(suited * others, all * (decks - 1));
        assert_eq!(same_colour * others, all * decks);
        assert_eq!(mixed * others, all * 2 * decks);
        if decks > 2 {
            assert_eq!(both, both_suited(decks));
        }
    }
}

#[test]
fn no_shoe_has_no_decks_or_thirteen() {
    let rules = builtin("es-1979").unwrap();
    for decks in [0, 13, 255] {
        let said = Counts::of(&rules, decks).unwrap_err().to_string();
        assert_eq!(said, format!("{decks} decks make no shoe; expected 1 to 12"));
    }
}
