//! Wrong rulebooks: each is refused with the key, what stands there and what is allowed.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::{Rulebook, builtin};

mod forms;
mod values;

/// A rulebook with nothing in it that need not be there.
const PLAIN: &str = r#"format = 1
id = "plain"
title = "Plain"
jurisdiction = "ES"
effective = { from = "1979-10-09", until = "1999-12-31" }
payout-rounding = { mode = "down", unit = 1 }
forbidden-pairs = [{ bets = ["punto", "banca"] }]
[citations]
one = { source = "The book" }
[shoe]
decks = [6, 8]
[cut-card]
cards-behind = 7
last-coup = "finish-coup"
[burn]
method = "indicator"
values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
[deal]
order = "alternate"
dealer = "players"
punto-holder = "croupier"
tie-break = "unstated"
[tableau]
punto = "TTTTTTPP"
banca = ["TTTTTTTTTT T", "TTTTTTTTTT T", "TTTTTTTTTT T", "TTTTTTTTPT T", "PPTTTTTTPP T", "PPPPTTTTPP T", "PPPPPPTTPP P", "PPPPPPPPPP P"]
cite = ["one"]
[seats]
numbers = [1, 2, 3]
may-leave-out = [2]
[limits]
maximum-over-minimum = [50]
multiples-allowed = true
over-limit = "capped"
[commission]
rate = "5/100"
charge = "boxed"
rounding = { mode = "half-up", unit = 5 }
[bets.punto]
title = "Punto"
rows = [{ winner = "tie", pays = "push" }, { winner = "punto", pays = "1:1" }]
[bets.banca]
title = "Banca"
commission = true
cap = "1/2"
rows = [{ winner = "tie", pays = "push" }, { winner = "banca", pays = "1:1" }]
"#;

/// A message without the line and column, which others look at.
fn unplaced(message: &str) -> String {
    let (place, rest) = message.split_once(": ").unwrap();
    let mut parts = place.split(':');
    let file = parts.next().unwrap();
    assert!(parts.all(|part| part.parse::<usize>().is_ok_and(|number| number > 0)), "{message}");
    format!("{file}: {rest}")
}

/// What the reader says when `old` in the plain rulebook is `new` instead.
fn said(old: &str, new: &str) -> String {
    assert_eq!(PLAIN.matches(old).count(), 1, "`{old}` must stand once in the plain rulebook");
    match Rulebook::from_toml("house.toml", &PLAIN.replace(old, new)) {
        Ok(_) => panic!("`{new}` was accepted instead of `{old}`"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_plain_rulebook_itself_is_accepted() {
    Rulebook::from_toml("house.toml", PLAIN).unwrap();
}

#[test]
fn json_is_refused_with_its_column_and_a_key_stands_once() {
    let json = builtin("mini-punto-banco").unwrap().canonical_json();
    let said = |old: &str, new: &str| {
        assert!(json.contains(old), "{old}");
        Rulebook::from_json("the log", &json.replacen(old, new, 1)).unwrap_err().to_string()
    };
    let bet = r#""bets":{"banca":"#;
    let twice = said(bet, r#""bets":{"banca":{"title":"x","rows":[]},"banca":"#);
    assert!(
        twice.starts_with("the log: the key `banca` stands twice; expected once at line 1 column "),
        "{twice}"
    );
    let twice = said(r#""citations":{"#, r#""citations":{"natural":{"source":"x"},"#);
    assert!(twice.contains("the key `natural` stands twice"), "{twice}");
    let twice = said(r#""id":"#, r#""id":"a","id":"#);
    assert!(twice.contains("duplicate field `id`"), "{twice}");
    let unknown = said(r#""id":"#, r#""name":"a","id":"#);
    assert!(unknown.contains("unknown field `name`"), "{unknown}");
    assert_eq!(said("\"decks\":[6]", "\"decks\":[60]"), "the log: `shoe.decks` holds 60; expected 1 to 12");
    assert!(
        Rulebook::from_json("the log", &format!("{json} x")).unwrap_err().to_string().contains("trailing")
    );
    assert!(Rulebook::from_json("the log", &"[".repeat(40_000)).is_err());
}

#[test]
fn nothing_grows_beyond_its_bound() {
    let id = |length: usize| PLAIN.replace("\"plain\"", &format!("\"{}\"", "a".repeat(length)));
    assert!(Rulebook::from_toml("f", &id(64)).is_ok() && Rulebook::from_toml("f", &id(65)).is_err());
    let title = |length: usize| PLAIN.replace("\"Plain\"", &format!("\"{}\"", "ñ".repeat(length)));
    assert!(Rulebook::from_toml("f", &title(200)).is_ok() && Rulebook::from_toml("f", &title(201)).is_err());
    let text =
        |length: usize| PLAIN.replace("book\" }", &format!("book\", text = \"{}\" }}", "ñ".repeat(length)));
    assert!(Rulebook::from_toml("f", &text(2_000)).is_ok());
    let long = unplaced(&Rulebook::from_toml("f", &text(2_001)).unwrap_err().to_string());
    assert_eq!(long, "f: `citations.one.text` has 2001 characters; at most 2000");
    let texts = |count: usize| {
        let many: String =
            (0..count).map(|n| format!("k{n} = {{ source = \"{}\" }}\n", "s".repeat(200))).collect();
        PLAIN.replace("[shoe]\n", &format!("{many}[shoe]\n"))
    };
    assert!(Rulebook::from_toml("f", &texts(200)).is_ok());
    let large = unplaced(&Rulebook::from_toml("f", &texts(220)).unwrap_err().to_string());
    assert!(large.starts_with("f: `rulebook` is ") && large.contains("at most 49152"), "{large}");
    let huge = Rulebook::from_toml("f", &"#".repeat(300_000)).unwrap_err().to_string();
    assert_eq!(huge, "f: 300000 bytes; a rulebook has at most 262144");
}
