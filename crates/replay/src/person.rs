//! When two names are one person's: where they are equal without regard to case and to surrounding or
//! repeated blanks.

use std::borrow::Cow;
use std::cmp::Ordering;

use events::Name;

/// A name as names are compared.
pub(crate) fn alike(name: &Name) -> Cow<'_, str> {
    let text = name.as_str();
    if text.bytes().all(|byte| byte.is_ascii_graphic() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase())
}

/// The same, letter by letter, of a name in plain letters.
fn letters(name: &Name) -> impl Iterator<Item = u8> + '_ {
    name.as_str().split_ascii_whitespace().enumerate().flat_map(|(number, word)| {
        let blank = (number > 0).then_some(b' ');
        blank.into_iter().chain(word.bytes().map(|letter| letter.to_ascii_lowercase()))
    })
}

/// One order for all spellings of a name.
pub(crate) fn order(one: &Name, other: &Name) -> Ordering {
    if one == other {
        Ordering::Equal
    } else if one.as_str().is_ascii() && other.as_str().is_ascii() {
        letters(one).cmp(letters(other))
    } else {
        alike(one).cmp(&alike(other))
    }
}

/// Whether two names are one person's.
pub(crate) fn same(one: &Name, other: &Name) -> bool {
    order(one, other) == Ordering::Equal
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
        for (one, other) in [("ana ruiz", "Ana  RUIZ"), ("Ñico", "ñICO"), ("jefe-1", "JEFE-1")] {
            assert_eq!(alike(&name(one)), alike(&name(other)), "{one}, {other}");
        }
    }
}
