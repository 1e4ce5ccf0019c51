//! The tables of `docs/findings.md` and `docs/hallazgos.md` are made from the catalogue: the test says where a page
//! differs, and `UPDATE_PAGES=1 cargo test -p texts --test pages` writes the rows. The prose between is the page's own.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use replay::{Code, Language, Reason};

const PAGES: [(&str, Language); 2] =
    [("findings.md", Language::English), ("hallazgos.md", Language::Spanish)];

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page)
}

/// The row of a code: what happened in the page's language, then in the other.
fn row_of_code(code: Code, language: Language) -> String {
    let weight = code.severity().word(language);
    let other = if language == Language::English { Language::Spanish } else { Language::English };
    format!("| `{code}` | {weight} | {} | {} |", code.sentence(language), code.sentence(other))
}

fn row_of_reason(reason: Reason, language: Language) -> String {
    format!("| `{reason}` | {} |", reason.sentence(language))
}

/// The row that the catalogue has for a line of a page, where the line is such a row.
fn row(line: &str, language: Language) -> Option<String> {
    let (name, _) = line.strip_prefix("| `")?.split_once('`')?;
    let code = Code::ALL.iter().find(|code| code.as_str() == name && line.matches(" | ").count() == 3);
    let reason = Reason::ALL.iter().find(|reason| reason.as_str() == name);
    code.map(|code| row_of_code(*code, language)).or(reason.map(|reason| row_of_reason(*reason, language)))
}

fn made(text: &str, language: Language) -> String {
    text.lines().map(|line| row(line, language).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

#[test]
fn the_tables_of_the_pages_are_those_of_the_catalogue() {
    for (page, language) in PAGES {
        let text = fs::read_to_string(path(page)).unwrap();
        let made = made(&text, language);
        if std::env::var_os("UPDATE_PAGES").is_some() {
            fs::write(path(page), &made).unwrap();
        }
        for (is, due) in text.lines().zip(made.lines()) {
            assert_eq!(is, due, "docs/{page}: UPDATE_PAGES=1 cargo test -p texts --test pages writes it");
        }
        let lines: BTreeSet<&str> = made.lines().collect();
        for code in Code::ALL {
            assert!(lines.contains(&*row_of_code(*code, language)), "docs/{page} has no row of {code}");
        }
        for reason in Reason::ALL {
            assert!(lines.contains(&*row_of_reason(*reason, language)), "docs/{page} has no row of {reason}");
        }
    }
}

#[test]
fn a_row_that_says_something_else_is_made_anew() {
    let old = "| `banca-drew` | violation | Something else. | Otra cosa. |\n";
    assert_eq!(
        made(old, Language::English),
        format!("{}\n", row_of_code(Code::BancaDrew, Language::English))
    );
    assert_eq!(made("Prose on `banca-drew`.\n", Language::English), "Prose on `banca-drew`.\n");
}
