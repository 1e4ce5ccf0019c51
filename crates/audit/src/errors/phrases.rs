//! English texts that libraries hand on inside their errors, and what they are in Spanish. `texts::phrases` says how a
//! phrase is written; those of the seal are `texts::seal`'s.

use std::io;

pub(super) use ::texts::phrases::Phrase;
use ::texts::phrases::Phrases;

use super::{
    Spanish as _, archive, checkpoints, client, entries, events, fleet, folder, intake, policies, proofs,
    service, store,
};
use super::{system, witness, writer};

/// All that is known, the general ones last.
pub(super) const ALL: &[&[Phrase]] = &[
    store::PHRASES,
    archive::PHRASES,
    folder::PHRASES,
    policies::PHRASES,
    checkpoints::PHRASES,
    proofs::PHRASES,
    entries::PHRASES,
    ::texts::SEAL_PHRASES,
    writer::PHRASES,
    witness::PHRASES,
    client::PHRASES,
    fleet::PHRASES,
    service::PHRASES,
    intake::PHRASES,
    events::PHRASES,
    events::OF_READERS,
    system::PHRASES,
];

const PHRASES: Phrases = Phrases { lists: ALL, otherwise: of_system };

/// The text in Spanish, if it is known.
pub(super) fn known(english: &str) -> Option<String> {
    PHRASES.known(english)
}

/// The text in Spanish, or as a detail.
pub(super) fn or_detail(english: &str) -> String {
    PHRASES.or_detail(english)
}

/// The text as the cause of what stands before.
pub(super) fn because(english: &str) -> String {
    PHRASES.because(english)
}

/// The same of a text that may begin with a path and a colon. The path may hold colons too.
pub(super) fn behind_path(english: &str) -> String {
    PHRASES.behind_path(english)
}

/// A text that ends in the system's words for one of its errors, as `log/head: No such file or directory (os error 2)`.
fn of_system(english: &str) -> Option<String> {
    let number = english.strip_suffix(')')?.rsplit_once(" (os error ")?.1.parse().ok()?;
    let error = io::Error::from_raw_os_error(number);
    let before = english.strip_suffix(&error.to_string())?;
    (before.is_empty() || before.ends_with(": ")).then(|| format!("{before}{}", error.spanish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_stays_as_a_detail() {
        assert_eq!(or_detail("sled said something"), "(detalle: sled said something)");
        assert_eq!(because("sled said something"), " (detalle: sled said something)");
        assert_eq!(because("it is not there"), ": no está");
        let nested = "its answer cannot be read: ".repeat(50);
        assert!(or_detail(&nested).matches("detalle").count() == 1);
    }

    /// A path before the system's words is kept, whatever it holds.
    #[test]
    fn words_of_the_system_are_known_behind_a_path() {
        let spanish = "casa: no existe: no existe el archivo o la carpeta (error 2 del sistema)";
        assert_eq!(or_detail("casa: no existe: No such file or directory (os error 2)"), spanish);
        let another = "something (os error 2)";
        assert_eq!(or_detail(another), "(detalle: something (os error 2))");
    }
}
