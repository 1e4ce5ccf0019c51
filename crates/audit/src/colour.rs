//! Colour on a terminal: red and black suits, green, red and yellow verdicts.
//!
//! Only this module writes codes that a terminal obeys, and only behind escaping: a text is escaped first
//! ([`crate::shown`]), then painted. A text from a log, a server or a file can therefore show a heart in red, and
//! nothing else.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::sync::OnceLock;

use replay::Verdict;

use crate::shown;

static CHOSEN: OnceLock<bool> = OnceLock::new();

const RESET: &str = "\u{1b}[0m";

/// How a piece of text stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Good,
    Bad,
    Open,
}

impl Style {
    const fn code(self) -> &'static str {
        match self {
            Self::Good => "\u{1b}[32m",
            Self::Bad => "\u{1b}[1;31m",
            Self::Open => "\u{1b}[33m",
        }
    }

    /// Of an answer to one of the four questions.
    pub(crate) const fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Yes => Self::Good,
            Verdict::No => Self::Bad,
            Verdict::Unknown => Self::Open,
        }
    }
}

/// Chooses for the whole process whether standard output is painted.
pub(crate) fn choose(arguments: &[OsString], variable: impl Fn(&str) -> Option<OsString>) {
    let _ = CHOSEN.set(asked(arguments, variable, std::io::stdout().is_terminal()));
}

/// Whether a command line, an environment and a standard output ask for colour.
fn asked(arguments: &[OsString], variable: impl Fn(&str) -> Option<OsString>, is_terminal: bool) -> bool {
    let given: Vec<&str> =
        arguments.iter().skip(1).take_while(|one| *one != "--").filter_map(|one| one.to_str()).collect();
    if given.contains(&"--json") {
        return false;
    }
    let next = given.windows(2).find(|pair| pair[0] == "--color").map(|pair| pair[1]);
    match next.or_else(|| given.iter().find_map(|one| one.strip_prefix("--color="))) {
        Some("always") => true,
        Some("never") => false,
        Some(_) | None => {
            let unwanted = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
            is_terminal && !unwanted && variable("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

fn is_on() -> bool {
    CHOSEN.get().copied().unwrap_or(false)
}

/// Lines that a terminal may show, with red suits in red where there is colour.
pub(crate) fn lines(text: &str) -> String {
    let shown = shown::lines(text);
    if is_on() { suits(&shown) } else { shown }
}

/// A word that a terminal may show, in this style where there is colour.
pub(crate) fn styled(style: Style, word: &str) -> String {
    let shown = shown::plain(word);
    if is_on() { painted(style, &shown) } else { shown }
}

fn painted(style: Style, shown: &str) -> String {
    format!("{}{shown}{RESET}", style.code())
}

/// Hearts and diamonds in red, with the rank before them.
fn suits(shown: &str) -> String {
    let mut out = String::with_capacity(shown.len());
    for c in shown.chars() {
        if !matches!(c, '♥' | '♦') {
            out.push(c);
            continue;
        }
        let rank = out.trim_end_matches(|c: char| c.is_ascii_digit() || "AJQK".contains(c)).len();
        let rank = out.split_off(rank);
        out.push_str(&format!("\u{1b}[31m{rank}{c}{RESET}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked_by(line: &str, variables: &[(&str, &str)], is_terminal: bool) -> bool {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        };
        asked(&arguments, variable, is_terminal)
    }

    #[test]
    fn colour_is_for_a_terminal_unless_asked_otherwise() {
        assert!(asked_by("audit show coup", &[], true));
        assert!(!asked_by("audit show coup", &[], false));
        assert!(!asked_by("audit show coup", &[("NO_COLOR", "1")], true));
        assert!(asked_by("audit show coup", &[("NO_COLOR", "")], true));
        assert!(!asked_by("audit show coup", &[("TERM", "dumb")], true));
        assert!(asked_by("audit show coup --color always", &[("NO_COLOR", "1")], false));
        assert!(!asked_by("audit --color=never show coup", &[], true));
        assert!(!asked_by("audit show coup --color always --json", &[], true));
    }

    #[test]
    fn red_suits_are_red_with_their_rank() {
        assert_eq!(suits("punto 10♥, banca K♠"), "punto \u{1b}[31m10♥\u{1b}[0m, banca K♠");
        assert_eq!(suits("♦"), "\u{1b}[31m♦\u{1b}[0m");
    }

    /// Somebody who writes the log cannot paint the screen.
    #[test]
    fn a_text_from_outside_brings_no_colour_of_its_own() {
        let hostile = "a\u{1b}[32myes\u{1b}[0m 7♥";
        let shown = suits(&shown::lines(hostile));
        assert_eq!(shown, "a\\u{1b}[32myes\\u{1b}[0m \u{1b}[31m7♥\u{1b}[0m");
        assert_eq!(painted(Style::Good, &shown::plain("x\u{1b}[31m")), "\u{1b}[32mx\\u{1b}[31m\u{1b}[0m");
    }
}
