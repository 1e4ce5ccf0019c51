//! The rulebooks that come with the program.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use baccarat::{Clause, Rulebook, builtin, builtins};

fn all() -> impl Iterator<Item = Rulebook> {
    builtins().map(|(id, text)| Rulebook::from_toml(id, text).unwrap())
}

#[test]
fn there_are_three_and_each_goes_by_its_own_id() {
    let ids: Vec<&str> = builtins().map(|(id, _)| id).collect();
    assert_eq!(ids, ["es-1979", "punto-banco", "mini-punto-banco"]);
    assert!(ids.iter().all(|id| builtin(id).unwrap().id == *id));
    let unknown = builtin("macau").unwrap_err().to_string();
    assert_eq!(
        unknown,
        "macau: `id` names no built-in rulebook; there are: es-1979, punto-banco, mini-punto-banco"
    );
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
