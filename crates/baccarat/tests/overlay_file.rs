//! A rulebook that was just begun is one, and its comments say truly what holds.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::form::{NewOverlay, overlay_file};
use baccarat::lint::{self, Severity};
use baccarat::{Rulebook, builtins};

const NEW: NewOverlay<'_> = NewOverlay { extends: "", id: "house-2026", from: "2026-01-01", spanish: false };

fn begun(extends: &str, spanish: bool) -> String {
    overlay_file(&baccarat::builtin(extends).unwrap(), NewOverlay { extends, spanish, ..NEW })
}

/// The base as the new rulebook is called.
fn renamed(id: &str) -> Rulebook {
    let mut base = baccarat::builtin(id).unwrap();
    base.id = "house-2026".to_owned();
    base.effective = baccarat::Effective { from: "2026-01-01".to_owned(), until: None };
    base
}

#[test]
fn it_passes_the_check_as_it_is_written_and_changes_only_the_name() {
    for (id, _) in builtins() {
        for spanish in [false, true] {
            let text = begun(id, spanish);
            let report = lint::read("new.toml", &text, &mut |_| Err(String::new())).unwrap();
            assert_eq!(report.count(Severity::Error), 0, "{id}: {:?}\n{text}", report.findings);
            let book = report.rulebook.unwrap();
            let mut base = renamed(id);
            base.title.clone_from(&book.title);
            assert_eq!(book, base, "{id}");
        }
    }
}

/// Whether a line is a parameter in a comment, or a part of one.
fn is_value(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("# ").filter(|rest| !rest.starts_with("    ")) else {
        return line.starts_with("#     ");
    };
    let key = rest.split(" = ").next().unwrap_or_default();
    let plain = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    rest == "]" || (plain && rest.contains(" = "))
}

#[test]
fn with_every_comment_taken_away_it_says_what_the_base_says() {
    for (id, _) in builtins() {
        let text = begun(id, false);
        let mut absent = false;
        let lines: Vec<String> = text
            .lines()
            .map(|line| {
                // A section that is absent goes on to the next empty line.
                absent = (absent && !line.is_empty()) || line.starts_with("# [");
                let stated = is_value(line) && !absent && !line.contains("# now absent");
                if stated { line[2..].to_owned() } else { line.to_owned() }
            })
            .collect();
        let whole = lines.join("\n");
        let book =
            Rulebook::from_toml("new.toml", &whole).unwrap_or_else(|error| panic!("{id}: {error}\n{whole}"));
        let mut base = renamed(id);
        base.title.clone_from(&book.title);
        assert_eq!(book, base, "{id}\n{whole}");
        let stated = lines.iter().zip(text.lines()).filter(|(one, other)| one.as_str() != *other).count();
        assert!(stated > 25, "{id}: {stated}\n{text}");
    }
}

#[test]
fn each_parameter_stands_there_with_its_value_and_its_source() {
    let text = begun("mini-punto-banco", true);
    for part in [
        "# números permitidos de barajas de 52 cartas\n# decks = [6]\n",
        "# cite = [\"barajas\"]\n#   barajas: «Reglamento Baccarat o Punto y Banca», Reparto de cartas\n",
        "[bets.tie]\n",
        "#     { winner = \"tie\", pays = \"8:1\" },\n",
        "# overnight = true   # ahora falta\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
