//! Legible rulebooks with a value that is not allowed.

use super::{said, unplaced};

/// Change, and the whole message but for the file's name in front.
const VALUES: &[(&str, &str, &str)] = &[
    ("format = 1", "format = 2", "`format` is 2; this program reads format 1"),
    (r#""plain""#, r#""Plain_1""#, "`id` is `Plain_1`; expected 1 to 64 of a-z, 0-9 and -"),
    (r#""plain""#, r#""""#, "`id` is ``; expected 1 to 64 of a-z, 0-9 and -"),
    (r#"title = "Plain""#, r#"title = """#, "`title` has 0 characters; expected 1 to 200"),
    (
        r#"title = "Plain""#,
        r#"title = "a\tb""#,
        "`title` holds the control character '\\t'; expected one plain line",
    ),
    (r#"jurisdiction = "ES""#, r#"jurisdiction = """#, "`jurisdiction` has 0 characters; expected 1 to 200"),
    (
        "1979-10-09",
        "1979-02-30",
        "`effective.from` is `1979-02-30`; expected a day of the calendar as YYYY-MM-DD",
    ),
    (
        "1979-10-09",
        "9/10/1979",
        "`effective.from` is `9/10/1979`; expected a day of the calendar as YYYY-MM-DD",
    ),
    (
        "1979-10-09",
        "+1979-10-09",
        "`effective.from` is `+1979-10-09`; expected a day of the calendar as YYYY-MM-DD",
    ),
    (
        "1999-12-31",
        "1979-10-08",
        "`effective.until` is 1979-10-08, before effective.from, 1979-10-09; expected that day or a later one",
    ),
    ("\none =", "\n\"\" =", "`citations` has a key ``; expected 1 to 64 bytes"),
    ("The book", "", "`citations.one.source` has 0 characters; expected 1 to 200"),
    (
        r#"book" }"#,
        r#"book", text = "\u001b[2J" }"#,
        "`citations.one.text` holds the control character '\\u{1b}'; only line ends are allowed",
    ),
    ("[6, 8]", "[6, 13]", "`shoe.decks` holds 13; expected 1 to 12"),
    ("[6, 8]", "[0]", "`shoe.decks` holds 0; expected 1 to 12"),
    ("[6, 8]", "[]", "`shoe.decks` is empty; expected at least one number of decks, 1 to 12"),
    ("cards-behind = 7", "cards-behind = 0", "`cut-card.cards-behind` holds 0; expected 1 to 292"),
    ("cards-behind = 7", "cards-behind = 293", "`cut-card.cards-behind` holds 293; expected 1 to 292"),
    (
        "\"finish-coup\"",
        "\"finish-coup\"\nfirst-card-counts = true",
        "`cut-card.first-card-counts` is true although no coup follows the one in play; leave it out",
    ),
    (
        "dealer = \"players\"",
        "dealer = \"croupier\"\nnew-shoe = \"anew\"",
        "`deal.new-shoe` stands here although players do not deal in turn; leave it out",
    ),
    (
        "[commission]",
        "[clock]\nstep = 1000000000000001\n[commission]",
        "`clock.step` holds 1000000000000001; expected 0 to 1000000000000000",
    ),
    (
        "[commission]",
        "[clock]\nrecorded-within = 9000000000000000000\n[commission]",
        "`clock.recorded-within` holds 9000000000000000000; expected 0 to 1000000000000000",
    ),
    (
        "[commission]",
        "[rulings]\ncite = [\"two\"]\n[commission]",
        "`rulings.cite` names `two`, which is not in [citations]; expected one of: one",
    ),
    (
        "cap = \"1/2\"",
        "requires = [\"tie\"]",
        "`bets.banca.requires` names `tie`; expected other bets offered: banca, punto",
    ),
    (
        "cap = \"1/2\"",
        "requires = [\"banca\"]",
        "`bets.banca.requires` names `banca`; expected other bets offered: banca, punto",
    ),
    (
        "cap = \"1/2\"",
        "cap-of-required = \"1/2\"",
        "`bets.banca.cap-of-required` stands here although `requires` names no bet",
    ),
    (
        "cap = \"1/2\"",
        "requires = [\"punto\"]\ncap-of-required = \"0/2\"",
        "`bets.banca.cap-of-required` is 0/2; expected a share above 0, such as `1/1`",
    ),
    (
        "[bets.punto]",
        "[irregularities.\"Stuck cards\"]\nconsequence = \"coup-void\"\n[bets.punto]",
        "`irregularities` has a code `Stuck cards`; expected 1 to 64 of a-z, 0-9 and -",
    ),
    (
        "[bets.punto]",
        "[irregularities.stuck-cards]\nconsequence = \"coup-void\"\ncite = [\"two\"]\n[bets.punto]",
        "`irregularities.stuck-cards.cite` names `two`, which is not in [citations]; expected one of: one",
    ),
    ("values = [1,", "values = [0,", "`burn.values` holds 0; expected 1 to 13"),
    ("12, 13]", "12, 14]", "`burn.values` holds 14; expected 1 to 13"),
    (
        "method = \"indicator\"\nvalues = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]",
        "method = \"fixed\"\ncount = 9",
        "`burn.count` holds 9; expected 1 to 8",
    ),
    ("numbers = [1, 2, 3]", "numbers = []", "`seats.numbers` is empty; expected seat numbers, 1 to 99"),
    ("numbers = [1, 2, 3]", "numbers = [0, 2]", "`seats.numbers` holds 0; expected 1 to 99"),
    ("numbers = [1, 2, 3]", "numbers = [2, 100]", "`seats.numbers` holds 100; expected 1 to 99"),
    (
        "may-leave-out = [2]",
        "may-leave-out = [4]",
        "`seats.may-leave-out` names 4; expected some of seats.numbers, 1, 2, 3",
    ),
    (
        "may-leave-out = [2]",
        "may-leave-out = [1, 2, 3]",
        "`seats.may-leave-out` names every seat; leave the key out where any may be missing",
    ),
    ("[50]", "[0]", "`limits.maximum-over-minimum` holds 0; expected 1 to 1000000"),
    (
        "multiples-allowed = true",
        "multiples-allowed = false\nmultiple-is-minimum = true",
        "`limits.multiple-is-minimum` is true although limits.multiples-allowed is false; \
         allow multiples or leave it out",
    ),
    (
        "\"down\", unit = 1",
        "\"down\", unit = 1000001",
        "`payout-rounding.unit` holds 1000001; expected 1 to 1000000",
    ),
    ("unit = 5", "unit = 4000000000", "`commission.rounding.unit` holds 4000000000; expected 1 to 1000000"),
    ("5/100", "0/100", "`commission.rate` is 0/100; expected a share above 0, such as `5/100`"),
    (
        "commission = true\n",
        "",
        "`commission` stands here although no bet carries it; say `commission = true` at a bet or leave it out",
    ),
    (
        "[commission]\nrate = \"5/100\"\ncharge = \"boxed\"\nrounding = { mode = \"half-up\", unit = 5 }\n",
        "",
        "`bets.banca.commission` is true although there is no [commission]; add that section or leave this out",
    ),
    (
        "[bets.punto]",
        "[bets.player]",
        "`bets.punto` is missing; every rulebook offers `punto` and `banca`, this one banca, player",
    ),
    (r#"title = "Banca""#, r#"title = """#, "`bets.banca.title` has 0 characters; expected 1 to 200"),
    (
        r#"rows = [{ winner = "tie", pays = "push" }, { winner = "banca", pays = "1:1" }]"#,
        "rows = []",
        "`bets.banca.rows` has 0 rows; expected 1 to 64",
    ),
    (
        "1/2",
        "0/2",
        "`bets.banca.cap` is 0/2; expected a share of the table's maximum above 0, such as `1/10`",
    ),
    (
        r#"winner = "banca","#,
        "banca-total = [6, 10],",
        "`bets.banca.rows[1].banca-total` holds 10; expected 0 to 9",
    ),
    (
        r#"winner = "banca","#,
        "punto-total = 11,",
        "`bets.banca.rows[1].punto-total` holds 11; expected 0 to 9",
    ),
    (r#"winner = "banca","#, "margin = 10,", "`bets.banca.rows[1].margin` holds 10; expected 0 to 9"),
    (r#"winner = "banca","#, "punto-cards = 4,", "`bets.banca.rows[1].punto-cards` holds 4; expected 2 to 3"),
    (
        r#"winner = "banca","#,
        "banca-cards = [2, 1],",
        "`bets.banca.rows[1].banca-cards` holds 1; expected 2 to 3",
    ),
    (r#"winner = "banca","#, "cards = 7,", "`bets.banca.rows[1].cards` holds 7; expected 4 to 6"),
    (
        r#""banca", pays = "1:1""#,
        r#""banca", pays = "0:1""#,
        "`bets.banca.rows[1].pays` is 0:1; expected `push` where only the stake comes back, or odds up to 1000:1",
    ),
    (
        r#"["punto", "banca"]"#,
        r#"["punto", "tie"]"#,
        "`forbidden-pairs[0].bets` names `tie`, which is not offered; expected two of banca, punto",
    ),
    (
        r#"["punto", "banca"]"#,
        r#"["punto", "punto"]"#,
        "`forbidden-pairs[0].bets` names `punto` twice; expected two different bets",
    ),
    (
        r#"[{ bets = ["punto", "banca"] }]"#,
        r#"[{ bets = ["punto", "banca"] }, { bets = ["banca", "punto"] }]"#,
        "`forbidden-pairs[1].bets` repeats the pair `banca` and `punto`; once is enough",
    ),
    (
        r#"cite = ["one"]"#,
        r#"cite = ["one", "two"]"#,
        "`tableau.cite` names `two`, which is not in [citations]; expected one of: one",
    ),
    (
        r#""banca"] }"#,
        r#""banca"], cite = ["1.3"] }"#,
        "`forbidden-pairs.cite` names `1.3`, which is not in [citations]; expected one of: one",
    ),
    (
        r#"title = "Banca""#,
        "title = \"Banca\"\ncite = [\"x\"]",
        "`bets.banca.cite` names `x`, which is not in [citations]; expected one of: one",
    ),
];

#[test]
fn a_value_that_is_not_allowed_is_named_with_its_key_and_what_is() {
    for (old, new, message) in VALUES {
        assert_eq!(unplaced(&said(old, new)), format!("house.toml: {message}"));
    }
}
