//! The language that this process prints in: that of `--lang`, else of `AUDIT_LANG`, else of the locale.
//!
//! It is chosen once, before anything is printed. JSON never depends on it: with `--json` it is English.

use std::ffi::{OsStr, OsString};
use std::sync::OnceLock;

use texts::{Language, Texts};

static CHOSEN: OnceLock<Language> = OnceLock::new();

/// The variables that say which language a person reads, the first that is set decides.
const VARIABLES: [&str; 4] = ["AUDIT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"];

/// Chooses the language for the whole process. A later choice changes nothing.
pub(crate) fn choose(language: Language) {
    let _ = CHOSEN.set(language);
}

/// The texts in the language that was chosen; in English before.
pub(crate) fn texts() -> Texts {
    Texts::of(CHOSEN.get().copied().unwrap_or_default())
}

/// The language that a command line and an environment ask for.
pub(crate) fn asked(arguments: &[OsString], variable: impl Fn(&str) -> Option<OsString>) -> Language {
    if given(arguments).any(|argument| argument == "--json") {
        return Language::English;
    }
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let of_environment = || VARIABLES.iter().find_map(set);
    named(arguments).or_else(of_environment).map(|value| of_locale(&value)).unwrap_or_default()
}

/// The language of this process's `--lang`, where it was given: it weighs more than what a browser prefers.
pub(crate) fn by_option() -> Option<Language> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    named(&arguments).map(|value| of_locale(&value))
}

/// The arguments that may be options.
fn given(arguments: &[OsString]) -> impl Iterator<Item = &OsString> {
    arguments.iter().skip(1).take_while(|argument| *argument != "--")
}

/// What `--lang` says.
fn named(arguments: &[OsString]) -> Option<OsString> {
    let value = |(argument, next): (&OsString, Option<&OsString>)| {
        let text = argument.to_str()?;
        if text == "--lang" { next.cloned() } else { text.strip_prefix("--lang=").map(OsString::from) }
    };
    given(arguments).zip(arguments.iter().skip(2).map(Some).chain([None])).find_map(value)
}

/// The language of a locale such as `es_ES.UTF-8`.
fn of_locale(locale: &OsStr) -> Language {
    let text = locale.to_string_lossy();
    match text.split(['_', '.', '@', '-']).next() {
        Some("es") => Language::Spanish,
        Some(_) | None => Language::English,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked_by(line: &str, variables: &[(&str, &str)]) -> Language {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        asked(&arguments, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_option_weighs_more_than_the_environment() {
        let spanish = [("LANG", "es_ES.UTF-8")];
        assert_eq!(asked_by("audit verify log x", &spanish), Language::Spanish);
        assert_eq!(asked_by("audit verify log x --lang en", &spanish), Language::English);
        assert_eq!(asked_by("audit --lang=es verify log x", &[]), Language::Spanish);
        assert_eq!(asked_by("audit verify log -- --lang es", &[]), Language::English);
    }

    #[test]
    fn the_locale_is_read_in_its_order() {
        let both = [("LANG", "es_AR"), ("LC_ALL", "C")];
        assert_eq!(asked_by("audit", &both), Language::English);
        assert_eq!(asked_by("audit", &[("LC_ALL", ""), ("LC_MESSAGES", "es")]), Language::Spanish);
        assert_eq!(asked_by("audit", &[("AUDIT_LANG", "es"), ("LC_ALL", "en_GB")]), Language::Spanish);
        assert_eq!(asked_by("audit", &[("LANG", "est")]), Language::English);
        assert_eq!(asked_by("audit", &[]), Language::English);
    }

    #[test]
    fn json_is_in_no_language() {
        assert_eq!(asked_by("audit verify log x --json --lang es", &[("LANG", "es")]), Language::English);
    }
}
