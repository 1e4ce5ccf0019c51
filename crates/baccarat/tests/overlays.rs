//! Overlays: rulebook files that say only where they depart from another.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::{Rulebook, RulebookError, builtin};

const HOUSE: &str = r#"
extends = "mini-punto-banco"
id = "house"
title = "House table"
effective = { from = "2020-01-01" }
"#;

fn read(text: &str) -> Result<Rulebook, RulebookError> {
    Rulebook::from_toml("house.toml", text)
}

/// The message for a house file with these lines before its tables.
fn refusal(lines: &str) -> String {
    read(&format!("{lines}\n{HOUSE}")).unwrap_err().to_string()
}

#[test]
fn what_an_overlay_does_not_say_is_as_in_its_base() {
    let base = builtin("mini-punto-banco").unwrap();
    let house = read(HOUSE).unwrap();
    let expected = Rulebook {
        id: "house".into(),
        title: "House table".into(),
        effective: baccarat::Effective { from: "2020-01-01".into(), until: None },
        ..base
    };
    assert_eq!(house, expected);
    assert_eq!(Rulebook::from_json("canonical", &house.canonical_json()).unwrap().digest(), house.digest());
}

#[test]
fn tables_are_merged_and_other_values_replaced() {
    let base = builtin("mini-punto-banco").unwrap();
    let house = read(&format!(
        "{HOUSE}\n[bets.tie]\nrows = [{{ winner = \"tie\", pays = \"9:1\" }}]\n[shoe]\ndecks = [8]\n"
    ))
    .unwrap();
    let tie = "tie".parse().unwrap();
    assert_eq!(house.bets[&tie].rows.len(), 1);
    assert_eq!(house.bets[&tie].rows[0].pays.to_string(), "9:1");
    assert_eq!(house.bets[&tie].title, base.bets[&tie].title);
    assert_eq!(house.shoe.decks, [8].into());
    assert_eq!(house.shoe.cite, base.shoe.cite);
}

#[test]
fn what_is_removed_is_gone() {
    let house = read(&format!(
        "remove = [\"commission\", \"bets.banca.commission\", 'citations.\"carta bloqueo\"', \"cut-card.cite\"]{HOUSE}"
    ))
    .unwrap();
    assert!(house.commission.is_none());
    assert!(!house.bets[&"banca".parse().unwrap()].commission);
    assert!(!house.citations.contains_key("carta bloqueo"));
}

#[test]
fn files_extend_files_beside_them() {
    let mut asked = Vec::new();
    let mut beside = |name: &str| {
        asked.push(name.to_owned());
        Ok(HOUSE.to_owned())
    };
    let text = HOUSE.replace("mini-punto-banco", "base.toml").replace("\"house\"", "\"other-house\"");
    let book = Rulebook::from_toml_with("other.toml", &text, &mut beside).unwrap();
    assert_eq!((book.id.as_str(), asked), ("other-house", vec!["base.toml".to_owned()]));
}

#[test]
fn a_circle_of_files_ends_in_a_message() {
    let circle = HOUSE.replace("mini-punto-banco", "circle.toml");
    let mut beside = |_: &str| Ok(circle.clone());
    let error = Rulebook::from_toml_with("circle.toml", &circle, &mut beside).unwrap_err().to_string();
    assert!(error.contains("`extends` goes on for more than 8 files"), "{error}");
}

#[test]
fn mistakes_name_the_file_and_the_key() {
    let unknown = read(&HOUSE.replace("mini-punto-banco", "maxi")).unwrap_err().to_string();
    assert!(unknown.starts_with("house.toml:2:1: `extends` is `maxi`; expected"), "{unknown}");
    for path in ["../base.toml", "/etc/base.toml", "a\\\\b.toml"] {
        assert!(read(&HOUSE.replace("mini-punto-banco", path)).is_err(), "{path}");
    }
    let alone = read(&HOUSE.replace("mini-punto-banco", "base.toml")).unwrap_err().to_string();
    assert!(alone.contains("only a rulebook read from a file can extend a file"), "{alone}");
    assert!(
        refusal("remove = [\"bets.dragon\"]").contains("names `bets.dragon`, which the base does not have")
    );
    assert!(refusal("remove = [\"bets..tie\"]").contains("which is no dotted key"));
    assert!(refusal("remove = \"bets.tie\"").contains("is not a list of dotted keys"));
    assert!(refusal("remove = [\"bets.punto\"]").contains("`bets.punto` is missing"));
    assert!(
        refusal("remove = [\"tableau.punto\"]").contains("`tableau.punto` is missing; expected 8 letters")
    );
    for own in ["id", "title", "effective"] {
        let without: Vec<&str> = HOUSE.lines().filter(|line| !line.starts_with(own)).collect();
        let error = read(&without.join("\n")).unwrap_err().to_string();
        assert!(error.contains(&format!("`{own}` is missing; an overlay")), "{error}");
    }
    let stray = read("remove = [\"bets.tie\"]").unwrap_err().to_string();
    assert!(stray.contains("`remove` stands in a file that extends nothing"), "{stray}");
    let typed = read(&format!("{HOUSE}\n[limits]\nover-limit = \"maybe\"\n")).unwrap_err().to_string();
    assert!(typed.starts_with("house.toml:8:1: `limits.over-limit` is `maybe`; expected one of"), "{typed}");
    let above = HOUSE.replace("mini-punto-banco", "base.toml");
    let below = format!("{HOUSE}\n[limits]\nover-limit = \"maybe\"\n");
    let mut beside = |_: &str| Ok(below.clone());
    let inherited = Rulebook::from_toml_with("house.toml", &above, &mut beside).unwrap_err().to_string();
    assert!(inherited.starts_with("base.toml:8:1: `limits.over-limit`"), "{inherited}");
}

/// A property found it: a citation whose words were `?` made a draft of a rulebook that its canonical
/// form reads back.
#[test]
fn a_source_may_say_a_question_mark() {
    let house = read(&format!("{HOUSE}\n[citations.barajas]\ntext = \"?\"\n")).unwrap();
    assert_eq!(house.citations["barajas"].text, "?");
}

#[test]
fn a_message_does_not_quote_a_line_of_any_length() {
    let long = read(&format!("{HOUSE}\nx = {}", "[".repeat(100_000))).unwrap_err().to_string();
    assert!(long.len() < 2_000, "{} bytes", long.len());
}
