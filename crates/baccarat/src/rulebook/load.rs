//! Reads rulebooks, names them by their digests, and lists the built-in ones.

use super::check::{CANONICAL_BYTES, Fault};
use super::overlay::{self, ReadBase, Resolved};
use super::*;

/// Longest rulebook file, in bytes: larger than its canonical JSON may be, because of comments.
pub(crate) const FILE_BYTES: usize = 256 * 1024;

/// Longest line of a message, in characters.
const MESSAGE_CHARS: usize = 400;

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

/// Why a text is not a rulebook.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulebookError {
    /// Not TOML, or a key missing, unknown or of the wrong form.
    #[error("{name}: {message}")]
    Form {
        /// The file or built-in name.
        name: String,
        /// Where and what, from the reader.
        message: String,
    },
    /// Legible, but a value is not allowed.
    #[error("{name}: `{key}` {problem}")]
    Value {
        /// The file or built-in name.
        name: String,
        /// The key.
        key: String,
        /// What is wrong and what is allowed.
        problem: String,
    },
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
        let resolved = overlay::resolved(name, text, read)?;
        holes::refuse(name, resolved.table())?;
        match resolved {
            // Read from the text, so that messages say the line.
            Resolved::Alone(_) => {
                toml::from_str::<Self>(text).map_err(|error| form(name, &error))?.accepted(name)
            }
            Resolved::Extended(whole) => {
                whole.try_into::<Self>().map_err(|error| form(name, &error))?.accepted(name)
            }
        }
    }

    /// Reads a rulebook's canonical JSON, as a log carries it.
    ///
    /// # Errors
    /// [`RulebookError`] with the column, or the key, its value and what is allowed.
    pub fn from_json(name: &str, text: &str) -> Result<Self, RulebookError> {
        short_enough(name, text, CANONICAL_BYTES)?;
        serde_json::from_str::<Self>(text).map_err(|error| form(name, &error))?.accepted(name)
    }

    fn accepted(self, name: &str) -> Result<Self, RulebookError> {
        match self.faults().into_iter().next() {
            None => Ok(self),
            Some(Fault { key, problem }) => Err(RulebookError::Value { name: name.to_owned(), key, problem }),
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

pub(crate) fn short_enough(name: &str, text: &str, most: usize) -> Result<(), RulebookError> {
    if text.len() <= most {
        return Ok(());
    }
    let message = format!("{} bytes; a rulebook has at most {most}", text.len());
    Err(RulebookError::Form { name: name.to_owned(), message })
}

/// The reader's message; a line of it that quotes a long line of the file is cut.
pub(super) fn form(name: &str, error: &impl fmt::Display) -> RulebookError {
    let text = error.to_string();
    let cut = |line: &str| match line.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    };
    let message = text.trim_end().lines().map(cut).collect::<Vec<_>>().join("\n");
    RulebookError::Form { name: name.to_owned(), message }
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
    ]
    .into_iter()
}

/// A rulebook that comes with the program.
///
/// # Errors
/// [`RulebookError`] naming the built-in ones.
pub fn builtin(id: &str) -> Result<Rulebook, RulebookError> {
    match builtins().find(|(name, _)| *name == id) {
        Some((name, text)) => Rulebook::from_toml(name, text),
        None => Err(RulebookError::Value {
            name: id.to_owned(),
            key: "id".to_owned(),
            problem: format!(
                "names no built-in rulebook; there are: {}",
                builtins().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
            ),
        }),
    }
}
