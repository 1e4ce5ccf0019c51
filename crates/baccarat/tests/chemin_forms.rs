//! What a rulebook of chemin de fer may say, and what the other game may not.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::diff::differences;
use baccarat::lint;
use baccarat::{Clause, Game, Rulebook, builtin, builtins};

fn text(id: &str) -> String {
    builtins().find(|(name, _)| *name == id).unwrap().1.to_owned()
}

/// The first problem of a built-in rulebook with one thing changed.
fn problem(id: &str, from: &str, to: &str) -> String {
    let text = text(id);
    assert!(text.contains(from), "{id} does not say {from}");
    let message = Rulebook::from_toml("house", &text.replace(from, to)).unwrap_err().to_string();
    // Where a key stands is for other tests to say.
    let (place, rest) = message.split_once(": ").unwrap();
    assert!(place.starts_with("house:"), "{message}");
    format!("house: {rest}")
}

#[test]
fn what_chemin_de_fer_has_is_refused_where_the_house_is_the_bank() {
    let only = "holds what only chemin de fer has; add [chemin], or say it otherwise";
    for (from, to, key) in [
        ("dealer = \"players\"", "dealer = \"banker\"", "deal.dealer"),
        ("punto-holder = \"highest-punto-bet\"", "punto-holder = \"banco\"", "deal.punto-holder"),
        ("tie-break = \"unstated\"", "tie-break = \"priority\"", "deal.tie-break"),
        ("\"PPPPTTTTPP T\"", "\"PPPPOTTTPP T\"", "tableau"),
        ("\"TTTTTTPP\"", "\"TTTTTUPP\"", "tableau"),
    ] {
        assert_eq!(problem("es-1979", from, to), format!("house: `{key}` {only}"));
    }
    let voided = problem("es-1979-rulings", "\"coup-void\"", "\"banca-loses\"");
    assert_eq!(
        voided,
        "house: `irregularities.stuck-cards.consequence` is one that only chemin de fer has; add [chemin], \
         or say another"
    );
}

#[test]
fn what_a_bank_among_the_players_needs_is_asked_for() {
    let id = "chemin-de-fer-es-1979";
    for (from, to, sentence) in [
        ("dealer = \"banker\"", "dealer = \"croupier\"", "`deal.dealer` is not what chemin de fer has"),
        ("punto-holder = \"banco\"", "punto-holder = \"croupier\"", "`deal.punto-holder` is not what"),
        ("tie-break = \"priority\"", "tie-break = \"unstated\"", "`deal.tie-break` is not what"),
        ("charge = \"collected\"", "charge = \"boxed\"", "`commission.charge` is not what chemin de fer has"),
        ("rate = \"5/100\"", "rate = \"0/100\"", "`commission.rate` is 0/100; expected a share above 0"),
        ("pays = \"1:1\"", "pays = \"2:1\"", "`bets.punto` is not even money"),
        ("pays = \"push\"", "pays = \"lose\"", "`bets.punto` is not even money"),
        ("minimum-binds = true", "commission = true", "`bets.punto` is not even money"),
        ("[bets.punto]", "[bets.punta]", "`bets.punto` is missing"),
        ("least = 4", "least = 1", "`chemin.players.least` holds 1; expected 2 to 99"),
        ("maximum = 100\n", "maximum = 0\n", "`chemin.bank.maximum` holds 0; expected 1 to 1000000"),
        ("leaves-after = 2", "leaves-after = 0", "`chemin.turn.leaves-after` holds 0; expected 1 to 99"),
        ("voluntary-over = 50", "voluntary-over = 0", "`chemin.garaje.voluntary-over` holds 0"),
        (
            "office = \"director-de-juegos\"",
            "office = \"Director\"",
            "`chemin.free-play.office` is `Director`",
        ),
        ("cite = [\"08.VII cuatro\"]", "cite = [\"08.X\"]", "`chemin.players.cite` names `08.X`"),
        ("[chemin.garaje]", "[chemin.abonos]\nmost = 3\n[chemin.garaje]", "`bets.abono` is missing"),
        ("forbidden-pairs = []", "forbidden-pairs = [{ bets = [\"punto\", \"abono\"] }]", "`forbidden-pairs"),
    ] {
        let found = problem(id, from, to);
        assert!(found.starts_with(&format!("house: {sentence}")), "{from} -> {to}: {found}");
    }
}

#[test]
fn the_linter_reads_drafts_of_chemin_de_fer_too() {
    let draft = text("chemin-de-fer-es-1979")
        .replace("\"UUUUUUUUUU U\", # 5", "\"UUUU?UUUUU U\", # 5")
        .replace("least = 4\n", "")
        .replace("maximum = 100\n", "maximum = \"?\"\n")
        .replace("binds = \"asked\"", "binds = \"now and then\"");
    let mut none = |_: &str| Err(String::new());
    let report = lint::read("draft", &draft, &mut none).unwrap();
    assert!(report.rulebook.is_none());
    let found: Vec<(&str, &str)> =
        report.findings.iter().map(|found| (found.code.as_str(), found.key.as_str())).collect();
    assert_eq!(
        found,
        [
            ("cell-not-stated", "tableau.banca[5]"),
            ("not-stated", "chemin.bank.maximum"),
            ("missing", "chemin.players.least"),
            ("not-allowed", "chemin.chart.binds"),
        ]
    );
}

#[test]
fn the_two_sources_differ_in_what_their_words_say() {
    let (orden, catalogo) =
        (builtin("chemin-de-fer-es-1979").unwrap(), builtin("chemin-de-fer-catalogo").unwrap());
    assert_eq!((orden.game(), catalogo.game()), (Game::CheminDeFer, Game::CheminDeFer));
    let sentences: Vec<String> = differences(&orden, &catalogo, ["Orden", "catálogo"])
        .into_iter()
        .filter(|found| !found.is_about_sources() && found.path[0] != "tableau")
        .map(|found| found.sentence.english)
        .collect();
    assert_eq!(
        sentences,
        [
            "The bet abono: only in catálogo, cite 45.6; commission no; minimum-binds no; pays push when \
             winner is tie, 1:1 when winner is banca; title Abono, a favor de la banca.",
            "Abonos: only in catálogo, cite 45.6, elección: abono; most 3.",
            "When banca's table binds the banker: Orden says asked; catálogo says always.",
            "Who gives leave for free play: Orden says director-de-juegos; catálogo says jefe-de-mesa.",
            "Winnings above which a garaje by choice is allowed, in minimums: Orden says 50; catálogo says \
             nothing.",
        ]
    );
}

#[test]
fn a_clause_of_chemin_de_fer_says_where_it_stands_and_what_it_follows() {
    let book = builtin("chemin-de-fer-es-1979").unwrap();
    let cited: Vec<&str> = book.citations_of(&Clause::FreePlay).map(|(key, _)| key.as_str()).collect();
    assert_eq!((Clause::FreePlay.path().as_str(), cited), ("chemin.free-play", vec!["08.VI banco"]));
    assert!(book.citations_of(&Clause::Abonos).next().is_none());
    let house = builtin("es-1979").unwrap();
    assert_eq!(house.game(), Game::PuntoBanca);
    assert!(!house.clauses().contains(&Clause::Bank));
}
