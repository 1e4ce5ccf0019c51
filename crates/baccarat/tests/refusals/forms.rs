//! Texts that are no rulebook: keys missing, unknown or of the wrong form.

use super::said;

/// Change, line it stands in, and what the reader says about it.
const FORMS: &[(&str, &str, u32, &str)] = &[
    ("id = ", "id ", 2, "key with no value, expected `=`"),
    ("id = ", "identity = ", 2, "unknown field `identity`, expected one of `format`, `id`"),
    ("title = \"Plain\"\n", "", 1, "missing field `title`"),
    ("until =", "till =", 5, "unknown field `till`, expected `from` or `until`"),
    (r#"book" }"#, r#"book", page = 3 }"#, 9, "unknown field `page`, expected `source` or `text`"),
    ("decks = [6, 8]", "decks = 6", 11, "invalid type: integer `6`, expected a sequence"),
    ("[6, 8]", "[6, 256]", 11, "invalid value: integer `256`, expected u8"),
    (
        "[6, 8]",
        "[6, 8]\ncolour = 1",
        12,
        "unknown field `colour`, expected one of `decks`, `reuse`, `overnight`, `cite`",
    ),
    ("finish-coup", "two-more", 14, "unknown variant `two-more`, expected one of `finish-coup`, `one-more`"),
    (
        "finish-coup\"",
        "finish-coup\"\ndepth = 9",
        15,
        "unknown field `depth`, expected one of `cards-behind`",
    ),
    (
        "method = \"indicator\"",
        "method = \"guess\"",
        16,
        "unknown variant `guess`, expected one of `indicator`, `decks`, `fixed`, `none`",
    ),
    (
        "method = \"indicator\"",
        "method = \"indicator\"\nfaces = 1",
        17,
        "unknown field `faces`, expected one of `method`",
    ),
    (
        "method = \"indicator\"",
        "method = \"decks\"",
        15,
        "burn.values stands beside a method that is not \"indicator\"",
    ),
    (
        "method = \"indicator\"",
        "method = \"indicator\"\ncount = 3",
        15,
        "burn.count stands beside a method that is not \"fixed\"",
    ),
    (
        "method = \"indicator\"\nvalues",
        "method = \"fixed\"\nvalues",
        15,
        "burn.values stands beside a method",
    ),
    (", 11, 12, 13]", "]", 15, "burn.values has 10 numbers; expected 13, for A 2 3 4 5 6 7 8 9 T J Q K"),
    (
        "values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]\n",
        "",
        15,
        "burn.values is missing; with method \"indicator\" it has 13 numbers",
    ),
    (
        "method = \"indicator\"\nvalues = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]",
        "method = \"fixed\"",
        15,
        "burn.count is missing; with method \"fixed\" it is a number from 1 to 8",
    ),
    (
        "\"alternate\"",
        "\"banca-first\"",
        19,
        "unknown variant `banca-first`, expected `alternate` or `pairs`",
    ),
    (
        "\"players\"",
        "\"anyone\"",
        20,
        "unknown variant `anyone`, expected one of `players`, `croupier`, `either`",
    ),
    (
        "\"TTTTTTPP\"",
        "\"TTTTTTP\"",
        23,
        "tableau.punto is `TTTTTTP`; expected 8 letters T (draws) or P (stands)",
    ),
    ("\"PPPPTTTTPP T\"", "\"PPPPTTTTPP X\"", 23, "tableau.banca[5] is `PPPPTTTTPP X`; expected 11 letters"),
    ("\"PPPPPPPPPP P\"", "\"PPPPPPPPPPP P\"", 23, "tableau.banca[7] is `PPPPPPPPPPP P`; expected 11 letters"),
    (", \"PPPPPPPPPP P\"", "", 23, "tableau.banca has 7 rows; expected 8, for banca's totals 0 to 7"),
    (
        "cite = [\"one\"]",
        "cites = [\"one\"]",
        26,
        "unknown field `cites`, expected one of `punto`, `banca`, `cite`",
    ),
    (
        "\"capped\"",
        "\"ignored\"",
        33,
        "unknown variant `ignored`, expected one of `paid-in-full`, `capped`, `void`",
    ),
    ("\"5/100\"", "\"5%\"", 35, "`5%` is not a share such as `5/100`, from 0 to 1"),
    ("\"5/100\"", "0.05", 35, "invalid type: floating point `0.05`, expected a share such as \"5/100\""),
    (
        "\"half-up\"",
        "\"nearest\"",
        37,
        "unknown variant `nearest`, expected one of `down`, `up`, `half-up`, `half-even`",
    ),
    ("unit = 5", "unit = 0", 37, "invalid value: integer `0`, expected a nonzero u32"),
    ("1/2", "3/2", 44, "`3/2` is not a share such as `5/100`, from 0 to 1"),
    (
        "[bets.banca]",
        "[bets.Banca]",
        41,
        "`Banca` cannot name a kind of bet: expected 1 to 32 of a-z, 0-9 and -",
    ),
    (
        r#"winner = "punto""#,
        r#"winner = "player""#,
        40,
        "unknown variant `player`, expected one of `punto`, `banca`, `tie`",
    ),
    (r#"winner = "punto""#, "winner = []", 40, "an empty list can never be met; leave the condition out"),
    (r#"winner = "punto""#, "margin = -1", 40, "a negative number is not allowed here"),
    (
        r#"winner = "punto""#,
        r#"suit = "red""#,
        40,
        "unknown field `suit`, expected one of `winner`, `punto-total`",
    ),
    (
        r#"winner = "punto""#,
        r#"punto-pair = "red""#,
        40,
        "unknown variant `red`, expected one of `none`, `any`",
    ),
    (
        r#""punto", pays = "1:1""#,
        r#""punto", pays = "1001:1""#,
        40,
        "`1001:1` is not odds such as `8:1`, `1:2`",
    ),
    (r#""punto", pays = "1:1""#, r#""punto", pays = "even""#, 40, "`even` is not odds such as `8:1`, `1:2`"),
    (
        "[bets.punto]",
        "[bets.punto]\nside = true",
        39,
        "unknown field `side`, expected one of `title`, `rows`",
    ),
];

#[test]
fn what_is_not_a_rulebook_is_refused_with_its_line() {
    let mut others = Vec::new();
    for (old, new, line, message) in FORMS {
        let said = said(old, new);
        let placed = said.starts_with(&format!("house.toml: TOML parse error at line {line}, column "));
        if !placed || !said.contains(message) {
            others.push(format!("{new}\n{said}\ninstead of line {line}: {message}\n"));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}
