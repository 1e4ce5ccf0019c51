//! The tables of `docs/findings.md` and `docs/hallazgos.md` are made from the catalogue: the test says where a page
//! differs, and `UPDATE_PAGES=1 cargo test -p texts --test all pages::` writes the rows. The prose between is the page's own.
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
            assert_eq!(
                is, due,
                "docs/{page}: UPDATE_PAGES=1 cargo test -p texts --test all pages:: writes it"
            );
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

/// One block of a page as both languages must have it: its form, and the codes, reasons and other names between
/// backticks that it mentions.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    form: &'static str,
    names: BTreeSet<String>,
}

/// The names between backticks that no language translates.
fn names(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).filter(|name| is_of_both(name)).map(str::to_owned).collect()
}

/// Whether a name is a code, a reason, an event or a key; paths, and words that one page explains, are its own.
fn is_of_both(name: &str) -> bool {
    Code::ALL.iter().any(|code| code.as_str() == name)
        || Reason::ALL.iter().any(|reason| reason.as_str() == name)
        || name.starts_with(char::is_uppercase)
        || name.contains('_')
}

/// The blocks of a page in their order: headings by their level, rows of tables, items of lists, paragraphs.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<(&'static str, String)> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let form = match line {
            "" => None,
            line if line.starts_with("### ") => Some("part of a section"),
            line if line.starts_with("## ") => Some("section"),
            line if line.starts_with("# ") => Some("title"),
            line if line.starts_with('|') => Some("row"),
            line if line.starts_with("- ") => Some("item"),
            _ if goes_on => None,
            _ => Some("paragraph"),
        };
        match (form, blocks.last_mut()) {
            (Some(form), _) => blocks.push((form, line.to_owned())),
            (None, Some((_, text))) => *text += &format!(" {line}"),
            (None, None) => {}
        }
        goes_on = !line.is_empty();
    }
    blocks.into_iter().map(|(form, text)| Block { form, names: names(&text) }).collect()
}

#[test]
fn both_pages_have_the_same_sections_and_tell_the_same_in_them() {
    let [english, spanish] = PAGES.map(|(page, _)| fs::read_to_string(path(page)).unwrap());
    let (english, spanish) = (blocks(&english), blocks(&spanish));
    for (number, (english, spanish)) in english.iter().zip(&spanish).enumerate() {
        assert_eq!(english, spanish, "block {number} of docs/findings.md and of docs/hallazgos.md");
    }
    assert_eq!(english.len(), spanish.len(), "blocks of docs/findings.md and of docs/hallazgos.md");
    assert!(english.iter().filter(|block| block.form == "section").count() > 10);
}

#[test]
fn a_sentence_that_one_page_lacks_is_seen() {
    let page = "# Title\n\nSome prose on `banca-drew`,\nin two lines.\n\n- `no-stake` one\n  more\n- two\n";
    let forms: Vec<&str> = blocks(page).iter().map(|block| block.form).collect();
    assert_eq!(forms, ["title", "paragraph", "item", "item"]);
    assert_ne!(blocks(page), blocks(&page.replace("`banca-drew`", "it")));
    assert_ne!(blocks(page), blocks(&page.replace("\n- two", "")));
    assert_ne!(blocks(page), blocks(&page.replace("# Title", "## Title")));
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
