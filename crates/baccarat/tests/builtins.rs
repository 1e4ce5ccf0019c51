//! The rulebooks that come with the program.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use baccarat::form::{Form, Key, keys};
use baccarat::{Clause, Rulebook, builtin, builtins, superseded_by};
use serde_json::Value;

fn all() -> impl Iterator<Item = Rulebook> {
    builtins().map(|(id, text)| Rulebook::from_toml(id, text).unwrap())
}

#[test]
fn each_goes_by_its_own_id_and_title() {
    let ids: Vec<&str> = builtins().map(|(id, _)| id).collect();
    assert!(all().map(|rulebook| rulebook.id).eq(ids.iter().copied()));
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    assert_eq!(all().map(|rulebook| rulebook.title).collect::<BTreeSet<_>>().len(), ids.len());
    let unknown = builtin("macau").unwrap_err().to_string();
    let expected = format!("macau: names no built-in rulebook; there are: {}", ids.join(", "));
    assert_eq!(unknown, expected);
    let typed = builtin("mini-punto-bnaco").unwrap_err();
    assert!(typed.to_string().contains("; did you mean `mini-punto-banco`?;"), "{typed}");
    assert!(typed.in_spanish().contains("; ¿quería decir `mini-punto-banco`?;"), "{}", typed.in_spanish());
}

#[test]
fn every_file_in_the_folder_is_built_in() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rulebooks");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(files, builtins().map(|(id, _)| id.to_owned()).collect());
}

/// A house variant says only where it departs from its base.
#[test]
fn overlays_are_small() {
    for (id, text) in builtins().filter(|(_, text)| text.contains("\nextends = ")) {
        let clauses =
            text.lines().filter(|line| line.starts_with("banca = [") || line.starts_with("punto = "));
        // The one source whose table is known extends the one whose table is lost.
        if id != "chemin-de-fer-catalogo" {
            assert_eq!(clauses.count(), 0, "{id} copies the tableau of its base");
        }
        assert!(!text.contains("jurisdiction = \"ES\""), "{id} repeats its base");
    }
    assert!(builtins().filter(|(_, text)| text.contains("\nextends = ")).count() > 10);
}

/// Every bet whose price is known to the last unit can be had in a rulebook that cites a text.
#[test]
fn every_bet_of_the_trade_stands_in_a_built_in_rulebook() {
    let trade = Rulebook::from_toml("side_bets.toml", include_str!("bets/side_bets.toml")).unwrap();
    let offered: Vec<Rulebook> = all().collect();
    let missing: Vec<String> = trade
        .bets
        .iter()
        .filter(|(_, bet)| !offered.iter().any(|book| book.bets.values().any(|other| other.rows == bet.rows)))
        .map(|(kind, _)| kind.to_string())
        .collect();
    // Two totals in one bet: the ten single ones are offered, and docs/rulebooks.md adds this one.
    assert_eq!(missing, ["tie-at-4-or-5"]);
}

#[test]
fn every_clause_cites_a_text_and_every_text_is_cited() {
    for rulebook in all() {
        let mut used = BTreeSet::new();
        for clause in rulebook.clauses() {
            let cited: Vec<&str> = rulebook.citations_of(&clause).map(|(key, _)| key.as_str()).collect();
            assert!(!cited.is_empty(), "{}: {clause} cites nothing", rulebook.id);
            used.extend(cited.into_iter().map(str::to_owned));
        }
        for pair in &rulebook.forbidden_pairs {
            assert!(!pair.cite.is_empty(), "{}: a forbidden pair cites nothing", rulebook.id);
        }
        assert_eq!(used, rulebook.citations.keys().cloned().collect(), "{}", rulebook.id);
        assert!(rulebook.citations.values().all(|citation| !citation.text.is_empty()));
    }
}

#[test]
fn a_clause_says_where_it_stands_and_what_it_follows() {
    let orden = builtin("es-1979").unwrap();
    let sources = |clause: &Clause| -> Vec<String> {
        orden.citations_of(clause).map(|(_, citation)| citation.source.clone()).collect()
    };
    let banca = Clause::Bet("banca".parse().unwrap());
    assert_eq!((banca.path().as_str(), Clause::CutCard.path().as_str()), ("bets.banca", "cut-card"));
    assert_eq!(sources(&Clause::Burn), ["Orden de 9 de octubre de 1979 (BOE-A-1979-25744), 07.VII"]);
    assert!(sources(&Clause::Tableau)[1].ends_with("07.VI.2.b"));
    // It forbids no pair and offers no bet on the tie, so there is nothing to cite.
    assert!(sources(&Clause::ForbiddenPairs).is_empty());
    assert!(sources(&Clause::Bet("tie".parse().unwrap())).is_empty());
}

#[test]
fn canonical_json_reads_back_as_the_same_rulebook_and_is_its_own_canonical_form() {
    for rulebook in all() {
        let json = rulebook.canonical_json();
        let read = Rulebook::from_json("canonical", &json).unwrap();
        assert_eq!(read, rulebook);
        assert_eq!(read.canonical_json(), json);
        assert_eq!(read.digest(), rulebook.digest());
    }
}

/// The built-in rulebooks that no later text supersedes.
fn current() -> impl Iterator<Item = Rulebook> {
    all().filter(|rulebook| superseded_by(&rulebook.id).is_none())
}

#[test]
fn a_later_text_supersedes_an_earlier_one_of_the_same_sources() {
    assert_eq!(superseded_by("punto-banco"), Some("punto-banco-2"));
    assert_eq!(superseded_by("punto-banco-2"), None);
    assert_eq!(superseded_by("es-1979"), None);
    let pairs = all().filter_map(|book| Some((superseded_by(&book.id)?, book)));
    let mut seen = 0;
    for (later, earlier) in pairs {
        let later = builtin(later).unwrap();
        assert_eq!(
            (later.game(), &later.jurisdiction),
            (earlier.game(), &earlier.jurisdiction),
            "{}",
            later.id
        );
        assert_ne!(later.digest(), earlier.digest(), "{}", later.id);
        seen += 1;
    }
    assert_eq!(seen, builtins().filter(|(id, _)| id.ends_with("-2")).count());
}

/// Rows of a list of this folder: three fields apart by bars.
fn rows(text: &str) -> Vec<[String; 3]> {
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| {
        let fields: Vec<String> = row.splitn(3, '|').map(|field| field.trim().to_owned()).collect();
        fields.try_into().unwrap_or_else(|fields| panic!("{fields:?} has not three fields"))
    })
    .collect()
}

fn at<'v>(json: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(json, |value, key| value.get(key))
}

/// The keys that this part of a rulebook could have and does not.
fn missing(keys: &[Key], path: &str, json: &Value, found: &mut Vec<String>) {
    for key in keys.iter().filter(|key| key.name != "cite") {
        let here = format!("{path}{}", key.name);
        let value = json.get(key.name);
        let unstated = value.is_none_or(|value| {
            *value == Value::Bool(false) || value == "unstated" || value.as_array().is_some_and(Vec::is_empty)
        });
        if let (Form::Section(inner), Some(value)) = (key.form, value) {
            missing(inner, &format!("{here}."), value, found);
        } else if unstated && !key.needed {
            found.push(here);
        }
    }
}

/// Anyone who adds a key has to say of every rulebook what its sources say, or why that is left open.
#[test]
fn every_key_is_stated_or_a_line_says_why_it_is_left_open() {
    let lines = rows(include_str!("left_open.txt"));
    let mut used = BTreeSet::new();
    for rulebook in current() {
        let json: Value = serde_json::from_str(&rulebook.canonical_json()).unwrap();
        let mut open = Vec::new();
        missing(keys(), "", &json, &mut open);
        for key in open {
            let named = |books: &str| books.split(',').any(|book| book.trim() == rulebook.id);
            let line = lines.iter().find(|[of, books, _]| *of == key && named(books));
            let line = line.or_else(|| lines.iter().find(|[of, books, _]| *of == key && books == "*"));
            let line =
                line.unwrap_or_else(|| panic!("{}: {key} is not stated, and no line says why", rulebook.id));
            used.insert(line.clone());
        }
    }
    let unused: Vec<_> = lines.iter().filter(|line| !used.contains(*line)).collect();
    assert!(unused.is_empty(), "lines that no rulebook needs: {unused:#?}");
}

/// A rulebook that cites a sentence asks for what it says.
#[test]
fn a_sentence_that_is_cited_has_its_key() {
    for [key, value, words] in rows(include_str!("said.txt")) {
        let value: Value = serde_json::from_str(&value).unwrap();
        let mut cited = 0;
        for rulebook in current() {
            let json: Value = serde_json::from_str(&rulebook.canonical_json()).unwrap();
            if rulebook.citations.values().any(|citation| citation.text.contains(&words)) {
                assert_eq!(at(&json, &key), Some(&value), "{}: «{words}»", rulebook.id);
                cited += 1;
            }
        }
        assert!(cited > 0, "nobody cites «{words}»");
    }
}

/// The prohibition of betting on punto and banca at once is of two texts; a rulebook has it if it cites one of them.
#[test]
fn pairs_are_forbidden_where_a_cited_sentence_forbids_them() {
    for rulebook in current() {
        let forbids = |text: &str| text.contains("apostar a la vez") || text.contains("No podrá apostar");
        let said = rulebook.citations.values().any(|citation| forbids(&citation.text));
        let cited = rulebook.forbidden_pairs.iter().all(|pair| !pair.cite.is_empty());
        assert!(cited && (!said || !rulebook.forbidden_pairs.is_empty()), "{}", rulebook.id);
    }
    assert!(builtin("punto-banco-no-tie-2").unwrap().forbidden_pairs.is_empty());
}
