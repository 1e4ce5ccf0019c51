//! Texts that are no rulebook: keys missing, unknown or of the wrong form.

use super::said;

/// Change, line it stands in, and what the reader says about it.
const FORMS: &[(&str, &str, u32, &str)] = &[
    ("id = ", "id ", 2, "a key without a value; write `key = value`"),
    ("id = ", "identity = ", 2, "`identity` is no key here; the keys are `format`"),
    (
        "title = \"Plain\"\n",
        "",
        1,
        "`title` is missing; expected a text in quotes, such as `title = \"...\"`",
    ),
    ("until =", "till =", 5, "`effective.till` is no key here; the keys are `from`"),
    (r#"book" }"#, r#"book", page = 3 }"#, 9, "`citations.one.page` is no key here; the keys are `source`"),
    (
        "decks = [6, 8]",
        "decks = 6",
        11,
        "`shoe.decks` is the number 6; expected a list of whole numbers from 1 to 12 in brackets, such as `decks = [8]`",
    ),
    ("[6, 8]", "[6, 256]", 11, "`shoe.decks` holds 256; expected 1 to 12"),
    ("[6, 8]", "[6, 8]\ncolour = 1", 12, "`shoe.colour` is no key here; the keys are `decks`"),
    (
        "finish-coup",
        "two-more",
        14,
        "`cut-card.last-coup` is `two-more`; expected one of \"finish-coup\", \"one-more\", \"five-more\"",
    ),
    (
        "finish-coup\"",
        "finish-coup\"\ndepth = 9",
        15,
        "`cut-card.depth` is no key here; the keys are `cards-behind`",
    ),
    (
        "method = \"indicator\"",
        "method = \"guess\"",
        16,
        "`burn.method` is `guess`; expected one of \"indicator\", \"decks\", \"fixed\", \"none\"",
    ),
    (
        "method = \"indicator\"",
        "method = \"indicator\"\nfaces = 1",
        17,
        "`burn.faces` is no key here; the keys are `method`",
    ),
    (
        "method = \"indicator\"",
        "method = \"decks\"",
        17,
        "`burn.values` stands beside a method that is not \"indicator\"; leave it out",
    ),
    (
        "method = \"indicator\"",
        "method = \"indicator\"\ncount = 3",
        17,
        "`burn.count` stands beside a method that is not \"fixed\"; leave it out",
    ),
    (
        "method = \"indicator\"\nvalues",
        "method = \"fixed\"\nvalues",
        15,
        "`burn.count` is missing; with method \"fixed\" it is a number from 1 to 8",
    ),
    (", 11, 12, 13]", "]", 17, "`burn.values` has 10 numbers; expected 13, for A 2 3 4 5 6 7 8 9 T J Q K"),
    (
        "values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]\n",
        "",
        15,
        "`burn.values` is missing; with method \"indicator\" it has 13 numbers, for A 2 3 4 5 6 7 8 9 T J Q K",
    ),
    (
        "method = \"indicator\"\nvalues = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]",
        "method = \"fixed\"",
        15,
        "`burn.count` is missing; with method \"fixed\" it is a number from 1 to 8",
    ),
    (
        "\"alternate\"",
        "\"banca-first\"",
        19,
        "`deal.order` is `banca-first`; expected one of \"alternate\", \"pairs\"",
    ),
    (
        "\"players\"",
        "\"anyone\"",
        20,
        "`deal.dealer` is `anyone`; expected one of \"players\", \"croupier\", \"either\", \"banker\"",
    ),
    (
        "\"TTTTTTPP\"",
        "\"TTTTTTP\"",
        24,
        "`tableau.punto` is `TTTTTTP`; expected 8 letters T (draws) or P (stands), for punto's totals 0 to 7",
    ),
    (
        "\"PPPPTTTTPP T\"",
        "\"PPPPTTTTPP X\"",
        25,
        "`tableau.banca[5]` is `PPPPTTTTPP X`; expected 11 letters T (draws) or P (stands): columns 0 to 9, then the case where punto stood",
    ),
    (
        "\"PPPPPPPPPP P\"",
        "\"PPPPPPPPPPP P\"",
        25,
        "`tableau.banca[7]` is `PPPPPPPPPPP P`; expected 11 letters T (draws) or P (stands): columns 0 to 9, then the case where punto stood",
    ),
    (", \"PPPPPPPPPP P\"", "", 25, "`tableau.banca` has 7 rows; expected 8, for banca's totals 0 to 7"),
    ("cite = [\"one\"]", "cites = [\"one\"]", 26, "`tableau.cites` is no key here; did you mean `cite`?"),
    (
        "\"capped\"",
        "\"ignored\"",
        33,
        "`limits.over-limit` is `ignored`; expected one of \"paid-in-full\", \"capped\", \"void\"",
    ),
    (
        "\"5/100\"",
        "\"5%\"",
        35,
        "`commission.rate` is `5%`; expected a share from 0 to 1 in quotes, such as `rate = \"5/100\"`",
    ),
    (
        "\"5/100\"",
        "0.05",
        35,
        "`commission.rate` is the number 0.05; expected a share from 0 to 1 in quotes, such as `rate = \"5/100\"`",
    ),
    (
        "\"half-up\"",
        "\"nearest\"",
        37,
        "`commission.rounding.mode` is `nearest`; expected one of \"down\", \"up\", \"half-up\", \"half-even\"",
    ),
    ("unit = 5", "unit = 0", 37, "`commission.rounding.unit` holds 0; expected 1 to 1000000"),
    (
        "1/2",
        "3/2",
        44,
        "`bets.banca.cap` is `3/2`; expected a share from 0 to 1 in quotes, such as `cap = \"5/100\"`",
    ),
    (
        "[bets.banca]",
        "[bets.Banca]",
        41,
        "`bets.Banca` is `Banca`, which cannot name a bet; expected 1 to 32 of a-z, 0-9 and -, such as `dragon-7`",
    ),
    (
        r#"winner = "punto""#,
        r#"winner = "player""#,
        40,
        "`bets.punto.rows[1].winner` is `player`; expected one of \"punto\", \"banca\", \"tie\", or a list of some",
    ),
    (
        r#"winner = "punto""#,
        "winner = []",
        40,
        "`bets.punto.rows[1].winner` is an empty list, which no coup can meet; leave it out",
    ),
    (r#"winner = "punto""#, "margin = -1", 40, "`bets.punto.rows[1].margin` holds -1; expected 0 to 9"),
    (
        r#"winner = "punto""#,
        r#"suit = "red""#,
        40,
        "`bets.punto.rows[1].suit` is no key here; the keys are `winner`",
    ),
    (
        r#"winner = "punto""#,
        r#"punto-pair = "red""#,
        40,
        "`bets.punto.rows[1].punto-pair` is `red`; expected one of \"none\", \"any\", \"suited\", \"same-colour\", \"mixed\", or a list of some",
    ),
    (
        r#""punto", pays = "1:1""#,
        r#""punto", pays = "1001:1""#,
        40,
        "`bets.punto.rows[1].pays` is `1001:1`; expected in quotes odds (won:staked, at most 1000:1; or \"9 for 1\"), \"push\" or \"lose\", such as `pays = \"8:1\"`",
    ),
    (
        r#""punto", pays = "1:1""#,
        r#""punto", pays = "even""#,
        40,
        "`bets.punto.rows[1].pays` is `even`; expected in quotes odds (won:staked, at most 1000:1; or \"9 for 1\"), \"push\" or \"lose\", such as `pays = \"8:1\"`",
    ),
    (
        "[bets.punto]",
        "[bets.punto]\nside = true",
        39,
        "`bets.punto.side` is no key here; the keys are `title`",
    ),
];

#[test]
fn what_is_not_a_rulebook_is_refused_with_its_line() {
    let mut others = Vec::new();
    for (old, new, line, message) in FORMS {
        let said = said(old, new);
        let placed = said.lines().any(|said| {
            let column =
                said.strip_prefix(&format!("house.toml:{line}:")).and_then(|rest| rest.split_once(": "));
            column.is_some_and(|(_, said)| said.starts_with(message))
        });
        if !placed {
            others.push(format!("{new}\n{said}\ninstead of line {line}: {message}\n"));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// Texts that are no TOML: line, column and what is said, in both languages.
const NO_TOML: &[(&str, &str, &str, &str, &str)] = &[
    (
        r#"pays = "push" }, { winner = "punto""#,
        r#"pays = 160:1 }, { winner = "punto""#,
        "40:34",
        "`pays` stands without quotes: write it in quotes, `pays = \"160:1\"`",
        "`pays` está sin comillas: escríbalo entre comillas, `pays = \"160:1\"`",
    ),
    (
        r#"rate = "5/100""#,
        "rate = 5 %",
        "35:8",
        "`rate` stands without quotes: write it in quotes, `rate = \"5 %\"`",
        "`rate` está sin comillas: escríbalo entre comillas, `rate = \"5 %\"`",
    ),
    (
        r#"title = "Plain""#,
        "title = “Plain”",
        "3:9",
        "`title` stands without quotes: write it in quotes, `title = \"Plain\"`",
        "`title` está sin comillas: escríbalo entre comillas, `title = \"Plain\"`",
    ),
    (
        "id = ",
        "id ",
        "2:4",
        "a key without a value; write `key = value`",
        "una clave sin valor; escriba `clave = valor`",
    ),
    (
        "title = \"Plain\"",
        "title = \"Plain\"\ntitle = \"Other\"",
        "4:1",
        "`title` stands twice, in line 3 already; leave one of the two out",
        "`title` está dos veces, ya en la línea 3; quite una de las dos",
    ),
    (
        "[shoe]",
        "[shoe",
        "10:6",
        "a heading is not closed; write it in brackets, such as `[shoe]` or `[bets.tie]`",
        "un encabezado no está cerrado; escríbalo entre corchetes, como `[shoe]` o `[bets.tie]`",
    ),
];

#[test]
fn what_is_no_toml_is_refused_in_words_for_who_writes_rules() {
    for (old, new, place, english, spanish) in NO_TOML {
        let text = super::PLAIN.replace(old, new);
        assert_ne!(text, super::PLAIN, "{old}");
        let error = baccarat::Rulebook::from_toml("house.toml", &text).unwrap_err();
        let (said, dicho) = (error.to_string(), error.in_spanish());
        assert!(said.lines().any(|line| line == format!("house.toml:{place}: {english}")), "{new}: {said}");
        assert!(dicho.lines().any(|line| line == format!("house.toml:{place}: {spanish}")), "{new}: {dicho}");
    }
}

#[test]
fn several_mistakes_are_told_at_once() {
    let text = super::PLAIN.replace("rate = \"5/100\"", "rate = 5%").replace("[6, 8]", "[6, 8");
    let error = baccarat::Rulebook::from_toml("house.toml", &text).unwrap_err();
    assert!(error.problems().len() >= 2, "{error}");
    let text = super::PLAIN
        .replace("[6, 8]", "6")
        .replace("\"capped\"", "\"cupped\"")
        .replace("unit = 5", "units = 5");
    let error = baccarat::Rulebook::from_toml("house.toml", &text).unwrap_err().to_string();
    for part in ["`shoe.decks` is the number 6", "did you mean \"capped\"?", "did you mean `unit`?"] {
        assert!(error.contains(part), "{part}: {error}");
    }
}
