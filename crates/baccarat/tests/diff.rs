//! Every difference between two rulebooks is reported, each with a sentence.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use baccarat::diff::{Difference, differences};
use baccarat::{Columns, Rulebook, builtin, builtins};
use serde_json::Value;

/// What differs between `punto-banco` and itself with changes to its text.
fn changed(changes: &[(&str, &str)]) -> Vec<Difference> {
    let (_, text) = builtins().find(|(id, _)| *id == "punto-banco").unwrap();
    let changed = changes.iter().fold(text.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "`{old}` must stand once");
        text.replace(old, new)
    });
    let (one, other) = (builtin("punto-banco").unwrap(), Rulebook::from_toml("changed", &changed).unwrap());
    differences(&one, &other, ["A", "B"])
}

/// The same in English sentences.
fn sentences(changes: &[(&str, &str)]) -> Vec<String> {
    changed(changes).into_iter().map(|found| found.sentence.english).collect()
}

/// Puts what the other has where the one has something else.
fn apply(value: &mut Value, difference: &Difference) {
    let (last, sections) = difference.path.split_last().unwrap();
    let index = |step: &str| step.trim_matches(['[', ']']).parse::<usize>().unwrap();
    let section = sections.iter().fold(value, |value, step| {
        if value.is_array() { &mut value[index(step)] } else { &mut value[step.as_str()] }
    });
    match &difference.other {
        Some(other) if section.is_array() => section[index(last)] = other.clone(),
        Some(other) => section[last.as_str()] = other.clone(),
        None => {
            section.as_object_mut().unwrap().remove(last).unwrap();
        }
    }
}

#[test]
fn nothing_that_differs_between_any_two_rulebooks_is_left_out() {
    let all: Vec<Rulebook> = builtins().map(|(id, _)| builtin(id).unwrap()).collect();
    let json = |rulebook: &Rulebook| serde_json::from_str::<Value>(&rulebook.canonical_json()).unwrap();
    for one in &all {
        for other in &all {
            let found = differences(one, other, [&one.id, &other.id]);
            assert_eq!(found.is_empty(), one == other, "{} {}", one.id, other.id);
            let mut patched = json(one);
            for difference in &found {
                assert!(difference.sentence.english.ends_with('.'), "{difference:?}");
                assert!(difference.sentence.spanish.ends_with('.'), "{difference:?}");
                apply(&mut patched, difference);
            }
            assert_eq!(patched, json(other), "{} {}", one.id, other.id);
        }
    }
}

#[test]
fn clauses_are_described_in_words() {
    for (old, new, expected) in [
        ("decks = [8]", "decks = [6, 8]", "Decks in the shoe: A says 8; B says 6, 8."),
        ("cards-behind = 7", "cards-behind = 14", "Cards behind the cut card: A says 7; B says 14."),
        ("10, 11, 12, 13 ]", "10, 10, 12, 13 ]", "Cards burned after a J: A says 11; B says 10."),
        ("dealer = \"players\"", "dealer = \"croupier\"", "Who deals: A says players; B says croupier."),
        (
            "charge = \"boxed\"",
            "charge = \"collected\"",
            "When commission is paid: A says boxed; B says collected.",
        ),
        (
            "cap = \"1/10\"\n",
            "",
            "The largest stake on tie (share of the maximum): A says 1/10; B says nothing.",
        ),
        ("may-leave-out = [13]\n", "", "Seats that a table may leave out: A says 13; B says nothing."),
        (
            "pays = \"8:1\"",
            "pays = \"9:1\"",
            "Paytable of tie: A pays 8:1 when winner is tie; B pays 9:1 when winner is tie.",
        ),
        (
            "\"PPPPPPTTPP P\"",
            "\"PPPPPPPTPP T\"",
            "Third cards (A / B): banca with 6 in column 6 draws / stands; banca with 6 after punto stood stands \
             / draws.",
        ),
        ("\"TTTTTTPP\"", "\"TTTTTPPP\"", "Third cards (A / B): punto with 5 draws / stands."),
        (
            "decks = [8]",
            "decks = [8]\nreuse = true",
            "Whether shoes' ids and decks' serials may come again: A says nothing; B says yes.",
        ),
        (
            "tie-break = \"unstated\"",
            "tie-break = \"unstated\"\nnew-shoe = \"goes-on\"",
            "Whose turn it is in a new shoe: A says nothing; B says goes-on.",
        ),
        ("[bets.tie]", "[clock]\nstep = 0\n[bets.tie]", "How exact clocks have to be: only in B, step 0."),
        (
            "[bets.tie]",
            "[rulings]\ncountersigned = false\n[bets.tie]",
            "Who signs rulings: only in B, countersigned no.",
        ),
        (
            "cite = [\"barajas\"]",
            "cite = [\"barajas\", \"natural\"]",
            "The sources of shoe: A says barajas; B says barajas, natural.",
        ),
    ] {
        assert_eq!(sentences(&[(old, new)]), [expected], "{new}");
    }
}

#[test]
fn what_only_one_has_is_described_whole() {
    let cancelled = sentences(&[(
        "[bets.tie]",
        "[irregularities.card-exposed]\nconsequence = \"card-removed\"\n[bets.tie]",
    )]);
    assert_eq!(
        cancelled,
        ["What follows from irregularities: only in B, card-exposed consequence card-removed."]
    );
    let one = builtin("punto-banco").unwrap();
    let mut other = one.clone();
    other.bets.remove(&"tie".parse().unwrap());
    other.columns = Columns::PuntoTotal;
    let found: Vec<String> =
        differences(&one, &other, ["A", "B"]).into_iter().map(|found| found.sentence.english).collect();
    assert_eq!(found.len(), 2);
    assert!(
        found[0].starts_with("The bet tie: only in A, cap 1/10;")
            && found[0].contains("pays 8:1 when winner is tie; title Empate"),
        "{found:?}"
    );
    assert_eq!(found[1], "The columns of banca's table: A says third-card; B says punto-total.");
}

#[test]
fn rows_in_another_order_are_reported() {
    let found = sentences(&[(
        "{ winner = \"tie\", pays = \"push\" },\n    { winner = \"punto\", pays = \"1:1\" },",
        "{ winner = \"punto\", pays = \"1:1\" },\n    { winner = \"tie\", pays = \"push\" },",
    )]);
    assert_eq!(
        found,
        ["Paytable of punto: the same rows in another order; A pays push when winner is tie, 1:1 when \
          winner is punto; B pays 1:1 when winner is punto, push when winner is tie."]
    );
}

/// English words that a Spanish sentence never has, if not from the rulebooks themselves.
const ENGLISH_WORDS: &[&str] = &[
    "the", "of", "and", "or", "is", "are", "in", "only", "says", "nothing", "yes", "none", "pays", "when",
    "always", "whether", "who", "how", "what", "which", "source", "sources", "words", "place", "name",
    "title", "bet", "bets", "card", "cards", "shoe", "decks", "burned", "draws", "stands", "choose", "not",
    "stated", "paytable", "rows", "row", "has", "seats", "stake", "limit", "minimum", "maximum", "column",
    "columns", "rounded", "paid", "payouts", "after", "behind", "with", "day", "force", "clock",
];

fn texts_of(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.replace('\n', " ")),
        Value::Array(values) => values.iter().for_each(|value| texts_of(value, found)),
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            found.push(key.clone());
            texts_of(value, found);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A Spanish sentence without what it quotes: the keys and the values of the rulebooks, and their names.
fn own_words(difference: &Difference, names: [&str; 2]) -> String {
    let mut quoted: Vec<String> = names.map(str::to_owned).to_vec();
    quoted.extend(difference.path.iter().cloned());
    for end in 1..difference.path.len() {
        quoted.push(difference.path[..=end].join("."));
    }
    for value in difference.one.iter().chain(&difference.other) {
        texts_of(value, &mut quoted);
    }
    quoted.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let mut words = format!(" {} ", difference.sentence.spanish);
    // Whole words alone: the key `or` would else take a piece out of `por`.
    for text in quoted.iter().filter(|text| !text.is_empty()) {
        for (before, after) in [
            (" ", " "),
            (" ", ","),
            (" ", ";"),
            (" ", "."),
            (" ", ":"),
            ("“", "”"),
            ("[", "]"),
            ("(", " "),
            (" ", ")"),
        ] {
            words = words.replace(&format!("{before}{text}{after}"), &format!("{before}{after}"));
        }
    }
    words
}

fn english_words(spanish: &str) -> Vec<&str> {
    spanish
        .split(|letter: char| letter.is_whitespace() || ",.:;«»“”()[]/".contains(letter))
        .filter(|word| ENGLISH_WORDS.contains(&&*word.to_lowercase()))
        .collect()
}

#[test]
fn every_difference_of_any_two_rulebooks_is_said_in_spanish() {
    let all: Vec<Rulebook> = builtins().map(|(id, _)| builtin(id).unwrap()).collect();
    let pairs = all.iter().flat_map(|one| all.iter().map(move |other| (one, other)));
    let mut keys = BTreeSet::new();
    for (one, other) in pairs {
        let names = [&*one.id, &*other.id];
        for difference in differences(one, other, names) {
            let own = own_words(&difference, names);
            assert_eq!(english_words(&own), Vec::<&str>::new(), "{}: {own}", difference.key());
            assert_ne!(difference.sentence.english, difference.sentence.spanish, "{}", difference.key());
            keys.insert(difference.key());
        }
    }
    assert!(keys.len() > 100, "few keys differ: {}", keys.len());
}

#[test]
fn clauses_are_described_in_spanish() {
    for (old, new, expected) in [
        ("decks = [8]", "decks = [6, 8]", "Barajas del sabot: A dice 8; B dice 6, 8."),
        ("10, 11, 12, 13 ]", "10, 10, 12, 13 ]", "Cartas que se queman tras J: A dice 11; B dice 10."),
        ("may-leave-out = [13]\n", "", "Departamentos que una mesa puede omitir: A dice 13; B no dice nada."),
        (
            "pays = \"8:1\"",
            "pays = \"9:1\"",
            "Tabla de pagos de tie: A: 8:1 si winner es empate; B: 9:1 si winner es empate.",
        ),
        (
            "\"PPPPPPTTPP P\"",
            "\"PPPPPPPTPP T\"",
            "Terceras cartas (A / B): banca con 6 en la columna 6 pide / se planta; banca con 6 cuando el punto \
             se plantó se planta / pide.",
        ),
        ("\"TTTTTTPP\"", "\"TTTTTPPP\"", "Terceras cartas (A / B): punto con 5 pide / se planta."),
        (
            "decks = [8]",
            "decks = [8]\nreuse = true",
            "Si el identificador de un sabot y el número de serie de una baraja pueden repetirse: A no dice \
             nada; B dice sí.",
        ),
        (
            "[bets.tie]",
            "[rulings]\ncountersigned = false\n[bets.tie]",
            "Quién firma las resoluciones: solo en B, countersigned: no.",
        ),
        (
            "{ winner = \"tie\", pays = \"push\" },\n    { winner = \"punto\", pays = \"1:1\" },",
            "{ winner = \"punto\", pays = \"1:1\" },\n    { winner = \"tie\", pays = \"push\" },",
            "Tabla de pagos de punto: las mismas filas en otro orden; A: se devuelve la apuesta si winner es empate, 1:1 si winner \
             es punto; B: 1:1 si winner es punto, se devuelve la apuesta si winner es empate.",
        ),
        (
            "cite = [\"barajas\"]",
            "cite = [\"barajas\", \"natural\"]",
            "Las fuentes de shoe: A dice barajas; B dice barajas, natural.",
        ),
    ] {
        let found: Vec<String> =
            changed(&[(old, new)]).into_iter().map(|found| found.sentence.spanish).collect();
        assert_eq!(found, [expected], "{new}");
    }
}
