//! A rulebook on paper: whole, in either language, and nothing in it is markup.
#![allow(clippy::unwrap_used)]

use baccarat::{Rulebook, builtins};

use crate::command::TestFolder;

fn printed(folder: &TestFolder, rulebook: &str, language: &str, file: &str) -> String {
    let seen = folder.see(&["rules", "print", rulebook, "--lang", language, "--out", file, "--force"]);
    assert!(seen.ends_with("\nexit status 0\n"), "{seen}");
    std::fs::read_to_string(folder.path(file)).unwrap()
}

fn in_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[test]
fn every_built_in_rulebook_is_printed_whole() {
    let folder = TestFolder::new();
    for (id, text) in builtins() {
        let book = Rulebook::from_toml(id, text).unwrap();
        let html = printed(&folder, id, "es", "page.html");
        assert!(
            html.starts_with("<!DOCTYPE html>\n<html lang=\"es\">") && html.ends_with("</html>\n"),
            "{id}"
        );
        assert!(html.contains(&book.digest().to_string()), "{id}");
        for (key, citation) in &book.citations {
            assert!(
                html.contains(&format!("[{}]</dt><dd>{}", in_html(key), in_html(&citation.source))),
                "{id} {key}"
            );
            assert!(html.contains(&in_html(&citation.text)), "{id} {key}");
        }
        for (kind, rule) in &book.bets {
            assert!(html.contains(&format!("Apuesta: {} ({kind})", in_html(&rule.title))), "{id} {kind}");
            for row in &rule.rows {
                let pays = row.pays.to_string();
                let pays = if pays == "push" { "se devuelve la apuesta" } else { &pays };
                assert!(html.contains(&format!("<td>{pays}</td>")), "{id} {kind}");
            }
        }
        // Every link leads somewhere on the page.
        for link in html.split("href=\"#").skip(1) {
            let name = link.split('"').next().unwrap();
            assert!(html.contains(&format!("id=\"{name}\"")), "{id} {name}");
        }
        assert!(!html.contains("http") && !html.contains("<script") && !html.contains("<img"), "{id}");
    }
}

#[test]
fn the_page_is_in_the_language_that_was_asked_for() {
    let folder = TestFolder::new();
    let spanish = printed(&folder, "mini-punto-banco", "es", "page.html");
    for part in [
        "<td>Números permitidos de barajas de 52 cartas</td><td>6</td>",
        "la jugada en curso es la última",
        "Quién pide tercera carta (cuadro)",
        "<tr><td>5</td><td>P</td><td>P</td><td>P</td><td>P</td><td>T</td><td>T</td><td>T</td><td>T</td><td>P</td><td>P</td><td>T</td></tr>",
        "<tr><td>8:1</td><td>quién gana: empate</td></tr>",
        "<tr><td>se pierde la apuesta</td><td>en otro caso</td></tr>",
        "Los textos que sigue",
    ] {
        assert!(spanish.contains(part), "{part}\n{spanish}");
    }
    let english = printed(&folder, "mini-punto-banco", "en", "page.md");
    for part in [
        "| Allowed numbers of 52-card decks | 6 |",
        "the coup in play is the last",
        "## Who draws a third card (tableau)",
        "| 5 | P | P | P | P | T | T | T | T | P | P | T |",
        "| 8:1 | who won: tie |",
        "## The texts that it follows",
    ] {
        assert!(english.contains(part), "{part}\n{english}");
    }
}

#[test]
fn nothing_in_a_rulebook_is_markup_or_turns_the_text() {
    let folder = TestFolder::new();
    let hostile = "<script>alert(1)</script> *b* [l](x) | `c` & \\u202e";
    let book = format!(
        "extends = \"mini-punto-banco\"\nid = \"house\"\ntitle = \"{hostile}\"\neffective = {{ from = \"2026-01-01\" }}\n\
         [citations.barajas]\nsource = \"{hostile}\"\ntext = \"{hostile}\\n# h\"\n"
    );
    folder.write("house.toml", book);
    let html = printed(&folder, "house.toml", "en", "page.html");
    assert!(!html.contains("<script") && html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
    assert!(!html.contains('\u{202e}') && html.contains("\\u{202e}"), "{html}");
    let page = printed(&folder, "house.toml", "en", "page.md");
    assert!(!page.contains("<script") && page.contains("\\*b\\* \\[l\\](x) \\| \\`c\\` &amp;"), "{page}");
    assert!(!page.lines().any(|line| line == "# h"), "{page}");
}

#[test]
fn a_page_replaces_nothing_and_has_a_known_form() {
    let folder = TestFolder::new();
    let seen = folder.see(&["rules", "print", "es-1979", "--out", "page.pdf"]);
    assert!(seen.contains("ends in .html or .md") && seen.ends_with("exit status 2\n"), "{seen}");
    folder.write("page.html", "mine");
    let seen = folder.see(&["rules", "print", "es-1979", "--out", "page.html"]);
    assert!(seen.contains("already exists") && seen.ends_with("exit status 2\n"), "{seen}");
    assert_eq!(std::fs::read_to_string(folder.path("page.html")).unwrap(), "mine");
}
