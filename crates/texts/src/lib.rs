//! The texts that people read: labels, headings, sentences and messages, in English and in Spanish.
//!
//! A text is a function of [`Texts`] with the things that it mentions as arguments, so a text that one language lacks
//! does not compile, and neither does a caller that forgets what a text mentions. Findings, reasons and verdicts
//! have their own texts in `replay`, beside their types.
//!
//! ```
//! use texts::{Language, Texts};
//!
//! let [english, spanish] = Language::ALL.map(Texts::of);
//! assert_eq!(english.coups(1), "1 coup");
//! assert_eq!(spanish.coups(1_200), "1.200 jugadas");
//! ```
//!
//! What a text mentions may come from outside, from a log or a server, say. In a text it is part of one line
//! ([`screen::plain`]), so no name adds a line or turns one around. This crate knows no terminal, no HTML and no command:
//! markup is escaped by the crate that writes it.

mod clauses;
mod commands;
mod counts;
mod coup_words;
mod coups;
mod demo;
mod desk;
mod explain;
mod failures;
mod faults;
mod files;
mod findings;
mod fleet;
pub mod help;
mod imports;
mod lint_words;
mod operators;
pub mod phrases;
mod quiz;
mod reasons;
mod report_page;
mod rulebook_page;
mod rulebooks;
mod running;
mod sample;
pub mod screen;
mod seal;
mod settings;
mod sites;
mod toml_words;
mod verdicts;
mod watching;

use std::fmt::Display;

use replay::Currency;
pub use replay::Language;
pub use rulebook_page::{Page, Piece};
pub use seal::{SEAL_PHRASES, SealErrorInSpanish};
pub use sites::SiteTrouble;
pub use verdicts::Question;

/// The texts in one language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Texts {
    language: Language,
}

impl Texts {
    /// The texts in this language.
    #[must_use]
    pub const fn of(language: Language) -> Self {
        Self { language }
    }

    /// The language.
    #[must_use]
    pub const fn language(self) -> Language {
        self.language
    }

    /// Percent from their digits, as in `45.8`.
    #[must_use]
    pub fn percent(self, digits: &str) -> String {
        let digits = digits.replace('-', "\u{2212}").replace('.', self.language().of(".", ","));
        format!("{digits} %")
    }

    /// A number with its thousands apart.
    #[must_use]
    pub fn grouped(self, number: u64) -> String {
        self.language.grouped(number)
    }

    /// A day of the calendar, in words where the language writes it so.
    #[must_use]
    pub fn day(self, day: &str) -> String {
        screen::plain(&self.language.day(day))
    }

    /// A time as RFC 3339 writes it, in words where the language writes it so.
    #[must_use]
    pub fn time(self, time: &str) -> String {
        screen::plain(&self.language.time(time))
    }

    /// A sum in a table's currency.
    #[must_use]
    pub fn money(self, minor_units: i128, currency: Option<&Currency>) -> String {
        screen::plain(&self.language.money(minor_units, currency))
    }

    /// The last of several things is joined by `and`: `7, 9 and 12`.
    #[must_use]
    pub fn listed<T: Display>(self, things: &[T]) -> String {
        match things {
            [] => String::new(),
            [one] => one.to_string(),
            [first @ .., last] => {
                let first: Vec<String> = first.iter().map(T::to_string).collect();
                format!("{} {} {last}", first.join(", "), self.language.of("and", "y"))
            }
        }
    }
}

/// Makes a function of [`Texts`] for each text. The name in brackets is a number that decides between
/// singular and plural; it is shown with its thousands apart. All other arguments are shown as parts of one line.
macro_rules! texts {
    ($($name:ident $([$count:ident])? ($($argument:ident),*) $english:literal $spanish:literal
        $(/ $english_plural:literal $spanish_plural:literal)?;)+) => {
        impl $crate::Texts {
            $(
                // A text is shown as it is: its brackets are no links.
                #[doc = concat!("```text\n", $english, "\n```")]
                #[must_use]
                #[allow(clippy::too_many_arguments, reason = "a sentence mentions as many things as it must")]
                pub fn $name(self, $($count: u64,)? $($argument: impl std::fmt::Display),*) -> String {
                    $(let $argument = $crate::screen::plain(&$argument.to_string());)*
                    $(
                        let is_plural = $count != 1;
                        let $count = self.grouped($count);
                        if is_plural {
                            return match self.language() {
                                $crate::Language::English => format!($english_plural),
                                $crate::Language::Spanish => format!($spanish_plural),
                            };
                        }
                    )?
                    match self.language() {
                        $crate::Language::English => format!($english),
                        $crate::Language::Spanish => format!($spanish),
                    }
                }
            )+
        }

        /// Name, English and Spanish of every text and plural here.
        #[cfg(test)]
        pub(crate) const TABLE: &[(&str, &str, &str)] = &[
            $((stringify!($name), $english, $spanish), $((stringify!($name), $english_plural, $spanish_plural),)?)+
        ];
    };
}
use texts;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const TABLES: &[&[(&str, &str, &str)]] = &[
        commands::TABLE,
        counts::TABLE,
        coups::TABLE,
        demo::TABLE,
        desk::TABLE,
        explain::TABLE,
        failures::TABLE,
        explain::judged::TABLE,
        explain::next::TABLE,
        faults::TABLE,
        files::TABLE,
        findings::TABLE,
        fleet::TABLE,
        imports::TABLE,
        operators::TABLE,
        quiz::TABLE,
        report_page::TABLE,
        rulebooks::TABLE,
        running::TABLE,
        sample::TABLE,
        settings::TABLE,
        sites::TABLE,
        verdicts::TABLE,
        watching::TABLE,
    ];

    /// What a text mentions: the names in its braces.
    fn mentioned(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next()).collect()
    }

    #[test]
    fn both_languages_mention_the_same_things() {
        for (name, english, spanish) in TABLES.iter().copied().flatten() {
            assert_eq!(mentioned(english), mentioned(spanish), "{name}");
            assert!(!english.is_empty() && !spanish.is_empty(), "{name}");
            assert_eq!(english.ends_with('\n'), spanish.ends_with('\n'), "{name}");
        }
    }

    #[test]
    fn one_and_several_have_their_words_in_both_languages() {
        let [english, spanish] = Language::ALL.map(Texts::of);
        assert_eq!(english.coups(1), "1 coup");
        assert_eq!(english.entries(2), "2 entries");
        assert_eq!(spanish.entries(1), "1 entrada");
        assert_eq!(spanish.coups(1_200), "1.200 jugadas");
        assert_eq!(english.listed(&[7, 9, 12]), "7, 9 and 12");
        assert_eq!(spanish.listed(&[7, 9]), "7 y 9");
        assert_eq!(spanish.listed::<u8>(&[]), "");
    }
}
