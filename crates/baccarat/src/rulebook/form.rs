//! The form of a rulebook file: every key, what it means in both languages, and what may stand there.
//!
//! The reader is made from the types of a rulebook; this is the same form as data, from which messages, the
//! schema for editors and overlays to fill in are made. Tests hold the two together: whatever the reader
//! refuses is explained here, and whatever is explained here the reader refuses.

use crate::sentence::{Sentence, sentence};

#[cfg(test)]
mod agreement;
mod keys;
mod misfits;
mod overlay_file;
mod schema;
mod words;

pub use keys::keys;
pub(crate) use misfits::misfits;
pub use overlay_file::{NewOverlay, overlay_file};
pub use schema::json_schema;
pub(crate) use words::has_words;
pub use words::word;

/// One key of a rulebook file, or of a section of it.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What may stand there.
    pub form: Form,
    /// Whether every rulebook, or every such section, has it.
    pub needed: bool,
    /// What it means, in English.
    pub meaning: &'static str,
    /// What it means, in Spanish.
    pub significado: &'static str,
}

/// What may stand at a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One line of text, 1 to 200 characters.
    Line,
    /// A text of up to 2,000 characters.
    Prose,
    /// A name: 1 to 64 of a-z, 0-9 and -.
    Code,
    /// A day as YYYY-MM-DD.
    Day,
    /// What a row pays: `8:1`, `9 for 1`, `push`, `lose`.
    Pays,
    /// A share: `5/100`.
    Share,
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words, or a list of some.
    Words(&'static [&'static str]),
    /// A whole number from the first to the second.
    Number(u64, u64),
    /// One such number, or a list of some.
    OneOrNumbers(u64, u64),
    /// A list of such numbers.
    Numbers(u64, u64),
    /// How many cards each of the thirteen ranks burns.
    BurnValues,
    /// `true` or `false`.
    Flag,
    /// A list of texts: keys of citations.
    Citations,
    /// A list of bets' names.
    Bets,
    /// Two bets' names.
    TwoBets,
    /// Eight letters, for punto's totals 0 to 7.
    PuntoRow,
    /// Eight rows of eleven letters, for banca's totals 0 to 7.
    BancaRows,
    /// What the thirteen ranks count.
    Points,
    /// A section with these keys.
    Section(&'static [Key]),
    /// Sections, each under a name of its own, with these keys.
    Named(Naming, &'static [Key]),
    /// A list of sections with these keys.
    List(&'static [Key]),
}

/// How the sections of [`Form::Named`] may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Any short text.
    Citation,
    /// 1 to 32 of a-z, 0-9 and -.
    Bet,
    /// 1 to 64 of a-z, 0-9 and -.
    Irregularity,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.meaning == other.meaning
    }
}
impl Eq for Key {}

impl Key {
    /// What it means, in both languages.
    #[must_use]
    pub fn meanings(&self) -> Sentence {
        Sentence { english: self.meaning.to_owned(), spanish: self.significado.to_owned() }
    }

    /// What may stand there, with an example as it is written in a file.
    #[must_use]
    pub fn expected(&self) -> Sentence {
        let (name, example) = (self.name, self.form.example());
        let Sentence { english, spanish } = self.form.described();
        if matches!(self.form, Form::Section(_) | Form::Named(..) | Form::List(_)) {
            return Sentence { english, spanish };
        }
        sentence!("{english}, such as `{name} = {example}`", "{spanish}, como `{name} = {example}`")
    }
}

impl Form {
    /// What may stand there, without an example.
    #[must_use]
    pub fn described(&self) -> Sentence {
        let list =
            |words: &[&str]| words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
        match self {
            Self::Line => sentence!("a text in quotes", "un texto entre comillas"),
            Self::Prose => sentence!(
                "a text in quotes, at most 2000 characters",
                "un texto entre comillas, de 2000 caracteres como máximo"
            ),
            Self::Code => {
                sentence!("a name in quotes, of a-z, 0-9 and -", "un nombre entre comillas, de a-z, 0-9 y -")
            }
            Self::Day => {
                sentence!("a day in quotes, as YYYY-MM-DD", "un día entre comillas, como AAAA-MM-DD")
            }
            Self::Pays => sentence!(
                "in quotes odds (won:staked, at most 1000:1; or \"9 for 1\"), \"push\" or \"lose\"",
                "entre comillas lo que se paga (ganado:apostado, 1000:1 como máximo; o \"9 for 1\"), \"push\" (se \
                 devuelve) o \"lose\" (se pierde)"
            ),
            Self::Share => sentence!("a share from 0 to 1 in quotes", "una parte de 0 a 1 entre comillas"),
            Self::Word(words) => {
                let words = list(words);
                sentence!("one of {words}", "uno de {words}")
            }
            Self::Words(words) => {
                let words = list(words);
                sentence!("one of {words}, or a list of some", "uno de {words}, o una lista de varios")
            }
            Self::Number(least, most) => sentence!(
                "a whole number from {least} to {most} without quotes",
                "un número entero de {least} a {most} sin comillas"
            ),
            Self::OneOrNumbers(least, most) => sentence!(
                "a whole number from {least} to {most}, or a list of some",
                "un número entero de {least} a {most}, o una lista de varios"
            ),
            Self::Numbers(least, most) => sentence!(
                "a list of whole numbers from {least} to {most} in brackets",
                "una lista de números enteros de {least} a {most} entre corchetes"
            ),
            Self::BurnValues => sentence!(
                "13 numbers in brackets, for A 2 3 4 5 6 7 8 9 T J Q K",
                "13 números entre corchetes, para A 2 3 4 5 6 7 8 9 T J Q K"
            ),
            Self::Flag => sentence!("true or false without quotes", "true (sí) o false (no) sin comillas"),
            Self::Citations => sentence!(
                "a list of keys of [citations], each in quotes",
                "una lista de claves de [citations], cada una entre comillas"
            ),
            Self::Bets => sentence!(
                "a list of bets' names in quotes",
                "una lista de nombres de apuestas entre comillas"
            ),
            Self::TwoBets => {
                sentence!("two bets' names in brackets", "dos nombres de apuestas entre corchetes")
            }
            Self::PuntoRow => sentence!(
                "8 letters T (draws) or P (stands), for punto's totals 0 to 7",
                "8 letras T (pide) o P (se planta), para los totales 0 a 7 del punto"
            ),
            Self::BancaRows => sentence!(
                "8 rows, for banca's totals 0 to 7, each of 11 letters T (draws) or P (stands)",
                "8 filas, para los totales 0 a 7 de la banca, cada una de 11 letras T (pide) o P (se planta)"
            ),
            Self::Points => {
                sentence!("\"1234567890000\", what A to K count", "\"1234567890000\", lo que valen de A a K")
            }
            Self::Section(keys) => {
                let keys = names(keys);
                sentence!("a section with the keys {keys}", "una sección con las claves {keys}")
            }
            Self::Named(..) => {
                sentence!("sections, each under a name of its own", "secciones, cada una con su nombre")
            }
            Self::List(keys) => {
                let keys = names(keys);
                sentence!(
                    "a list of rows in brackets, each row in braces with some of the keys {keys}",
                    "una lista de filas entre corchetes, cada fila entre llaves con algunas de las claves {keys}"
                )
            }
        }
    }

    /// A value as it is written in a file.
    #[must_use]
    pub fn example(&self) -> String {
        match self {
            Self::Line | Self::Prose => "\"...\"".to_owned(),
            Self::Code => "\"house-2026\"".to_owned(),
            Self::Day => "\"2026-01-01\"".to_owned(),
            Self::Pays => "\"8:1\"".to_owned(),
            Self::Share => "\"5/100\"".to_owned(),
            Self::Word(words) | Self::Words(words) => format!("\"{}\"", words.first().unwrap_or(&"")),
            Self::Number(least, most) | Self::OneOrNumbers(least, most) => 8.clamp(*least, *most).to_string(),
            Self::Numbers(least, most) => format!("[{}]", 8.clamp(*least, *most)),
            Self::BurnValues => "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]".to_owned(),
            Self::Flag => "true".to_owned(),
            Self::Citations => "[\"...\"]".to_owned(),
            Self::Bets => "[\"punto\"]".to_owned(),
            Self::TwoBets => "[\"punto\", \"banca\"]".to_owned(),
            Self::PuntoRow => "\"TTTTTTPP\"".to_owned(),
            Self::BancaRows => "[\"TTTTTTTTTT T\", ...]".to_owned(),
            Self::Points => "\"1234567890000\"".to_owned(),
            Self::Section(_) | Self::Named(..) => "{ ... }".to_owned(),
            Self::List(_) => "[{ ... }]".to_owned(),
        }
    }
}

fn names(keys: &[Key]) -> String {
    keys.iter().map(|key| format!("`{}`", key.name)).collect::<Vec<_>>().join(", ")
}

/// The name that is written most like a text, if one is nearly the same.
#[must_use]
pub fn nearest<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let short: String = text.chars().take(80).collect();
    names
        .map(|name| (strsim::damerau_levenshtein(&short, name), name))
        .filter(|(apart, name)| *apart <= 1 + name.len() / 5)
        .min_by_key(|(apart, _)| *apart)
        .map(|(_, name)| name)
}
