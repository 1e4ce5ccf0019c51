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

/// One order for all spellings of a name: that of the names as they are compared.
pub(crate) fn order(one: &Name, other: &Name) -> Ordering {
    order_of_plain(one.as_str().as_bytes(), other.as_str().as_bytes())
        .unwrap_or_else(|| alike(one).cmp(&alike(other)))
}

/// The same without a copy, where what decides it are plain letters behind what is equal: names are compared for
/// every bet.
fn order_of_plain(one: &[u8], other: &[u8]) -> Option<Ordering> {
    let equal = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let plain = |letter: &&u8| letter.is_ascii_graphic();
    match (one.get(equal), other.get(equal)) {
        (None, None) => Some(Ordering::Equal),
        _ if !is_plain(&one[..equal]) => None,
        (Some(a), Some(b)) => {
            let order = a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase());
            Some(order).filter(|order| order.is_ne() && plain(&a) && plain(&b))
        }
        (beyond, None) | (None, beyond) => {
            let ends = one[..equal].last() != Some(&b' ') && beyond.filter(plain).is_some();
            ends.then(|| one.len().cmp(&other.len()))
        }
    }
}

/// Whether these are plain letters, with single blanks behind them.
fn is_plain(letters: &[u8]) -> bool {
    letters.iter().all(|letter| letter.is_ascii_graphic() || *letter == b' ')
        && letters.first() != Some(&b' ')
        && !letters.windows(2).any(|two| two == b"  ")
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
        for names in [
            ["ana", "ana o"],
            ["ana", "ana "],
            [" ana", "b"],
            ["ana  b", "ana c"],
            ["Ñico", "nico"],
            ["a b", "a  b"],
        ] {
            let [one, other] = names.map(name);
            assert_eq!(order(&one, &other), alike(&one).cmp(&alike(&other)), "{one}, {other}");
            assert_eq!(order(&other, &one), order(&one, &other).reverse(), "{one}, {other}");
        }
        for (one, other) in [("ana ruiz", "Ana  RUIZ"), ("Ñico", "ñICO"), ("jefe-1", "JEFE-1")] {
            assert_eq!(alike(&name(one)), alike(&name(other)), "{one}, {other}");
        }
    }
}
