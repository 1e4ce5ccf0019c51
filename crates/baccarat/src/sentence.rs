//! What this crate says of a rulebook, in the two languages in which everything that a person reads exists.

/// One sentence, or the end of one that begins with a key, in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// In English.
    pub english: String,
    /// In Spanish.
    pub spanish: String,
}

/// A sentence from its two formats; both may name the same variables. Those after a semicolon are sentences
/// themselves, and each format has them in its language.
macro_rules! sentence {
    ($english:literal, $spanish:literal $(; $($part:ident),+)? $(,)?) => {
        $crate::sentence::Sentence {
            english: {
                $($(let $part = &$part.english;)+)?
                format_args!($english).to_string()
            },
            spanish: {
                $($(let $part = &$part.spanish;)+)?
                format_args!($spanish).to_string()
            },
        }
    };
}
pub(crate) use sentence;

impl Sentence {
    /// A text that is the same in both languages: a list of names, the words of a library.
    pub(crate) fn same(text: impl Into<String>) -> Self {
        let english = text.into();
        Self { spanish: english.clone(), english }
    }

    /// Several in a row, with a text between each two that may be another in each language.
    pub(crate) fn joined(parts: &[Self], english: &str, spanish: &str) -> Self {
        let texts = |text: fn(&Self) -> &str| parts.iter().map(text).collect::<Vec<_>>();
        Self {
            english: texts(|part| &part.english).join(english),
            spanish: texts(|part| &part.spanish).join(spanish),
        }
    }

    /// The same change to both.
    pub(crate) fn map(self, change: impl Fn(String) -> String) -> Self {
        Self { english: change(self.english), spanish: change(self.spanish) }
    }
}
