//! Reads rulebooks, names them by their digests, and lists the built-in ones.

use super::check::{CANONICAL_BYTES, Fault};
use super::error::{Problem, RulebookError};
use super::files::{Files, Place};
use super::overlay::{self, ReadBase, Resolved};
use super::*;
use crate::sentence::{Sentence, sentence};
use toml::Table;

/// Longest rulebook file, in bytes: larger than its canonical JSON may be, because of comments.
pub(crate) const FILE_BYTES: usize = 256 * 1024;

/// BLAKE3 of a rulebook's canonical JSON: a name that no other rulebook can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a canonical text.
    #[must_use]
    pub fn of(canonical: &str) -> Self {
        Self(*blake3::hash(canonical.as_bytes()).as_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Rulebook {
    /// Reads a rulebook file that is complete or extends a built-in rulebook; `name` is its name in
    /// messages.
    ///
    /// # Errors
    /// [`RulebookError`] with the line and key, its value and what is allowed.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, RulebookError> {
        let mut read = |_: &str| Err("only a rulebook read from a file can extend a file".to_owned());
        Self::from_toml_with(name, text, &mut read)
    }

    /// Reads a rulebook file that may extend files beside it, which `read` gives by name.
    ///
    /// # Errors
    /// [`RulebookError`] with the line and key, its value and what is allowed.
    pub fn from_toml_with(name: &str, text: &str, read: ReadBase<'_>) -> Result<Self, RulebookError> {
        short_enough(name, text, FILE_BYTES)?;
        let Resolved { table, files, top: _ } = overlay::resolved(name, text, read)?;
        holes::refuse(&files, &table)?;
        let place = |key: &str| files.place(key);
        match table.clone().try_into::<Self>() {
            Ok(book) => book.accepted(place),
            Err(error) => Err(misfits(&files, &table, error.message())),
        }
    }

    /// Reads a rulebook's canonical JSON, as a log carries it.
    ///
    /// # Errors
    /// [`RulebookError`] with the column, or the key, its value and what is allowed.
    pub fn from_json(name: &str, text: &str) -> Result<Self, RulebookError> {
        short_enough(name, text, CANONICAL_BYTES)?;
        let unread = |error: serde_json::Error| {
            RulebookError::one(Place::whole(name), "", Sentence::same(error.to_string()))
        };
        serde_json::from_str::<Self>(text).map_err(unread)?.accepted(|_| Place::whole(name))
    }

    /// The rulebook, if every value is allowed.
    fn accepted(self, place: impl Fn(&str) -> Place) -> Result<Self, RulebookError> {
        match self.faults().into_iter().next() {
            None => Ok(self),
            Some(Fault { key, sentence }) => Err(RulebookError::one(place(&key), key, sentence)),
        }
    }

    /// The canonical JSON (RFC 8785): one rulebook, one spelling.
    ///
    /// # Panics
    /// Never: a rulebook holds only texts, integers, lists and maps with text keys.
    #[must_use]
    pub fn canonical_json(&self) -> String {
        #[allow(clippy::expect_used, reason = "a rulebook has no value JSON cannot hold")]
        serde_json_canonicalizer::to_string(self).expect("a rulebook is always JSON")
    }

    /// The digest that names it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.canonical_json())
    }
}

/// Everything that has the wrong form. `message` is what the reader says about the first such value; it
/// is shown only if the description of a rulebook's form misses that value.
fn misfits(files: &Files, table: &Table, message: &str) -> RulebookError {
    let found = form::misfits(table);
    if found.is_empty() {
        return RulebookError::one(files.place(""), "", Sentence::same(message));
    }
    RulebookError::of(
        found.into_iter().map(|misfit| Problem::new(files.place(&misfit.key), misfit.key, misfit.sentence)),
    )
}

pub(crate) fn short_enough(name: &str, text: &str, most: usize) -> Result<(), RulebookError> {
    let bytes = text.len();
    if bytes <= most {
        return Ok(());
    }
    let sentence = sentence!(
        "{bytes} bytes; a rulebook has at most {most}",
        "{bytes} bytes; un reglamento tiene como máximo {most}"
    );
    Err(RulebookError::one(Place::whole(name), "", sentence))
}

/// The rulebooks that come with the program, by name.
pub fn builtins() -> impl Iterator<Item = (&'static str, &'static str)> {
    [
        ("es-1979", include_str!("../../rulebooks/es-1979.toml")),
        ("es-1979-rulings", include_str!("../../rulebooks/es-1979-rulings.toml")),
        ("punto-banco", include_str!("../../rulebooks/punto-banco.toml")),
        ("mini-punto-banco", include_str!("../../rulebooks/mini-punto-banco.toml")),
        ("punto-banco-at-once", include_str!("../../rulebooks/punto-banco-at-once.toml")),
        ("punto-banco-no-tie", include_str!("../../rulebooks/punto-banco-no-tie.toml")),
        ("midi-punto-banco", include_str!("../../rulebooks/midi-punto-banco.toml")),
        ("mini-punto-banco-at-once", include_str!("../../rulebooks/mini-punto-banco-at-once.toml")),
        ("no-commission-six-half", include_str!("../../rulebooks/no-commission-six-half.toml")),
        ("mini-side-bets", include_str!("../../rulebooks/mini-side-bets.toml")),
        ("dragon-bonus", include_str!("../../rulebooks/dragon-bonus.toml")),
        ("dragon-bonus-five", include_str!("../../rulebooks/dragon-bonus-five.toml")),
        ("macau-baccarat", include_str!("../../rulebooks/macau-baccarat.toml")),
        ("macau-burn-by-card", include_str!("../../rulebooks/macau-burn-by-card.toml")),
        ("macau-burn-fixed", include_str!("../../rulebooks/macau-burn-fixed.toml")),
        ("macau-six-half", include_str!("../../rulebooks/macau-six-half.toml")),
        ("pa-baccarat", include_str!("../../rulebooks/pa-baccarat.toml")),
        ("sixteen-behind", include_str!("../../rulebooks/sixteen-behind.toml")),
        ("ez-baccarat", include_str!("../../rulebooks/ez-baccarat.toml")),
        ("ez-card-room", include_str!("../../rulebooks/ez-card-room.toml")),
        ("dai-bacc", include_str!("../../rulebooks/dai-bacc.toml")),
        ("bacara", include_str!("../../rulebooks/bacara.toml")),
        ("bacara-tie-7", include_str!("../../rulebooks/bacara-tie-7.toml")),
        ("bacara-tie-9", include_str!("../../rulebooks/bacara-tie-9.toml")),
        ("chemin-de-fer-es-1979", include_str!("../../rulebooks/chemin-de-fer-es-1979.toml")),
        ("chemin-de-fer-catalogo", include_str!("../../rulebooks/chemin-de-fer-catalogo.toml")),
        ("punto-banco-2", include_str!("../../rulebooks/punto-banco-2.toml")),
        ("punto-banco-at-once-2", include_str!("../../rulebooks/punto-banco-at-once-2.toml")),
        ("punto-banco-no-tie-2", include_str!("../../rulebooks/punto-banco-no-tie-2.toml")),
        ("mini-punto-banco-2", include_str!("../../rulebooks/mini-punto-banco-2.toml")),
        ("mini-punto-banco-at-once-2", include_str!("../../rulebooks/mini-punto-banco-at-once-2.toml")),
        ("midi-punto-banco-2", include_str!("../../rulebooks/midi-punto-banco-2.toml")),
        ("no-commission-six-half-2", include_str!("../../rulebooks/no-commission-six-half-2.toml")),
        ("mini-side-bets-2", include_str!("../../rulebooks/mini-side-bets-2.toml")),
        ("dragon-bonus-2", include_str!("../../rulebooks/dragon-bonus-2.toml")),
        ("dragon-bonus-five-2", include_str!("../../rulebooks/dragon-bonus-five-2.toml")),
        ("chemin-de-fer-catalogo-2", include_str!("../../rulebooks/chemin-de-fer-catalogo-2.toml")),
    ]
    .into_iter()
}

/// The built-in rulebook that follows the same sources as this one and states more of what they say. The earlier text
/// stays as it is, and a log that was opened under it is judged by it.
#[must_use]
pub fn superseded_by(id: &str) -> Option<&'static str> {
    let earlier = |name: &str| name.strip_suffix("-2") == Some(id);
    builtins().map(|(name, _)| name).find(|name| earlier(name))
}

/// A rulebook that comes with the program.
///
/// # Errors
/// [`RulebookError`] naming the built-in ones, the one that is written most alike first.
pub fn builtin(id: &str) -> Result<Rulebook, RulebookError> {
    match builtins().find(|(name, _)| *name == id) {
        Some((name, text)) => Rulebook::from_toml(name, text),
        None => Err(RulebookError::one(Place::whole(id), "", unknown(id))),
    }
}

/// That no built-in rulebook has this name, and which names there are.
pub(crate) fn unknown(id: &str) -> Sentence {
    let names: Vec<&str> = builtins().map(|(name, _)| name).collect();
    let meant = match form::nearest(id, names.iter().copied()) {
        None => Sentence::same(""),
        Some(name) => sentence!("; did you mean `{name}`?", "; ¿quería decir `{name}`?"),
    };
    let (all, english, spanish) = (names.join(", "), meant.english, meant.spanish);
    sentence!(
        "names no built-in rulebook{english}; there are: {all}",
        "no es el nombre de un reglamento incluido{spanish}; los hay: {all}"
    )
}
