//! Decides whether two names mean the same person.

use compact_str::CompactString;
use events::Name;
use serde::{Deserialize, Serialize};

use crate::names;

/// A name as names are compared ([`names::fold`]).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Person(CompactString);

impl Person {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a name is this person's. Mostly it is written as names are compared.
    pub(crate) fn is(&self, name: &Name) -> bool {
        self.0 == name.as_str() || *self == Self::from(name)
    }
}

impl From<&Name> for Person {
    fn from(name: &Name) -> Self {
        let name = name.as_str();
        Self(if names::is_folded(name) { name.into() } else { names::fold(name).into() })
    }
}

/// Whether two names are one person's.
pub(crate) fn same(one: &Name, other: &Name) -> bool {
    one == other || Person::from(one) == Person::from(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_blanks_make_no_other_person() {
        let name = |text: &str| text.parse::<Name>().expect("a name");
        for spelling in ["ana de la o", "ANA  de La O", "Ana de la o"] {
            assert!(same(&name("Ana de la O"), &name(spelling)), "{spelling}");
        }
        assert!(!same(&name("Ana de la O"), &name("Anade la O")));
        assert!(!same(&name("Ana"), &name("Ana O")));
        assert!(!same(&name("jefe-1"), &name("jefe-11")));
        assert!(same(&name("ÁNGEL  ΣΑΣ"), &name("ángel σας")));
        for (name_of, person) in [
            ("Ana  Ruiz", "ana ruiz"),
            (" ana", "ana"),
            ("ana ", "ana"),
            ("P-7", "p-7"),
            ("Ñico", "ñico"),
            ("a\u{a0} b", "a b"),
        ] {
            assert_eq!(Person::from(&name(name_of)).as_str(), person, "{name_of}");
        }
    }
}
