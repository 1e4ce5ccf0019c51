//! The two languages in which everything that a person reads exists.

/// A language of texts for people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
    Spanish,
}

impl Language {
    /// Both, the default first.
    pub const ALL: [Self; 2] = [Self::English, Self::Spanish];

    /// Its ISO 639-1 code: `en` or `es`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.of("en", "es")
    }

    /// The one of two texts that is in this language.
    #[must_use]
    pub const fn of<'a>(self, english: &'a str, spanish: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Spanish => spanish,
        }
    }
}
