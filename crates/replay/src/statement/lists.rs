//! Lists in a sentence: one of these, all of these.

use std::fmt::{self, Formatter};

use serde::{Deserialize, Serialize};

use super::Style;
use super::said::{Said, Say};
use crate::Language;

macro_rules! list {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name<T>(pub Box<[T]>);

        impl<T> FromIterator<T> for $name<T> {
            fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
                Self(all.into_iter().collect())
            }
        }
    };
}
list!(
    /// One of these: `6 or 7`.
    AnyOf
);
list!(
    /// All of these: `1, 2, 3`.
    All
);
list!(
    /// These together: `ana and luis`.
    Both
);

fn join<T: Say>(
    all: &[T],
    style: &Style<'_>,
    f: &mut Formatter<'_>,
    between: impl Fn(&str) -> &'static str,
) -> fmt::Result {
    for (at, value) in all.iter().enumerate() {
        let text = Said { value, style }.to_string();
        if at > 0 {
            f.write_str(between(&text))?;
        }
        f.write_str(&text)?;
    }
    Ok(())
}

/// Spanish says `u` before a word that begins with an o: ocho, once.
fn or(language: Language, next: &str) -> &'static str {
    let sounds_like_o = next == "11" || next.starts_with(['8', 'o', 'O']);
    match language {
        Language::English => " or ",
        Language::Spanish if sounds_like_o => " u ",
        Language::Spanish => " o ",
    }
}

impl<T: Say> Say for AnyOf<T> {
    const HOLDS: &'static str = T::HOLDS;
    const LIST: bool = true;

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        join(&self.0, style, f, |next| or(style.language, next))
    }
}

impl<T: Say> Say for All<T> {
    const HOLDS: &'static str = T::HOLDS;
    const LIST: bool = true;

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        join(&self.0, style, f, |_| ", ")
    }
}

impl<T: Say> Say for Both<T> {
    const HOLDS: &'static str = T::HOLDS;
    const LIST: bool = true;

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        join(&self.0, style, f, |next| match style.language {
            Language::English => " and ",
            Language::Spanish if next.starts_with(['i', 'I']) => " e ",
            Language::Spanish => " y ",
        })
    }
}

/// One of these seats: `seat 3 or seat 4`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AnySeat(pub Box<[u8]>);

impl Say for AnySeat {
    const HOLDS: &'static str = "integer";
    const LIST: bool = true;

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, seat) in self.0.iter().enumerate() {
            let number = seat.to_string();
            match (style.language, at) {
                (Language::English, 0) => write!(f, "seat {number}")?,
                (Language::English, _) => write!(f, " or seat {number}")?,
                (Language::Spanish, 0) => write!(f, "departamento {number}")?,
                (Language::Spanish, _) => write!(f, "{}{number}", or(style.language, &number))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &impl Say, language: Language) -> String {
        Said { value, style: &Style { language, ..Style::default() } }.to_string()
    }

    #[test]
    fn spanish_says_u_before_an_o_and_e_before_an_i() {
        let totals = AnyOf(Box::from([7_u8, 8]));
        assert_eq!(Language::ALL.map(|language| text(&totals, language)), ["7 or 8", "7 u 8"]);
        let names = Both(Box::from([Box::<str>::from("ana"), Box::from("inés")]));
        assert_eq!(Language::ALL.map(|language| text(&names, language)), ["ana and inés", "ana e inés"]);
        let seats = AnySeat(Box::from([3, 4]));
        assert_eq!(
            Language::ALL.map(|language| text(&seats, language)),
            ["seat 3 or seat 4", "departamento 3 o 4"]
        );
    }
}
